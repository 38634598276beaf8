/* Measures how long a journal takes to load, and its memory: one line per journal. tools/bench/journal runs it. */
#include <stdio.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "db/journal.h"

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct journal *journal = NULL;
        struct error error = {0};
        struct rusage usage;
        char message[2048];
        int64_t start_ns = clock_now_ns();
        if (journal_read(&journal, argv[i], &error)) {
            fprintf(stderr, "%s", error_format(&error, message, sizeof message));
            return 1;
        }
        double seconds = (double)(clock_now_ns() - start_ns) * 1e-9;
        size_t rows = journal_row_count(journal);
        getrusage(RUSAGE_SELF, &usage);
        printf("%s: %zu rows of %zu parameters in %.3f s, %.2f million a second; the process had %.0f MB at most\n",
               argv[i], rows, journal_get_header(journal)->parameter_count, seconds, (double)rows / seconds * 1e-6,
               (double)usage.ru_maxrss * 1024e-6);
        journal_close(journal, NULL);
    }
    return 0;
}
