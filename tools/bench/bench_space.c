/* Measures the valid set of each space: bench_space FILE... prints a line per .space file: combinations, valid ones,
 * time to build, time of the first sample, memory, and round trips index -> configuration -> index per second. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "base/clock.h"
#include "space/valid_set.h"

enum { TRIPS = 4000000, DRAWN = 1 << 16, BUILDS = 5 };

static long peak_kib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* Draws the random indices beforehand. */
static double round_trips_per_s(const struct valid_set *set)
{
    static uint64_t indices[DRAWN];
    struct random random;
    uint32_t choices[SPACE_PARAMETERS_MAX];
    uint64_t wrong = 0, found = 0;
    random_seed(&random, 1);
    for (size_t i = 0; i < DRAWN; i++)
        indices[i] = valid_set_sample(set, &random);
    clock_t start = clock();
    for (size_t i = 0; i < TRIPS; i++) {
        uint64_t index = indices[i % DRAWN];
        valid_set_get(set, index, choices);
        wrong += !valid_set_find(set, choices, &found) || found != index;
    }
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    return wrong ? -1 : TRIPS / seconds;
}

static int bench(const char *path, struct error *error)
{
    struct space *space = NULL;
    struct valid_set *set = NULL;
    struct random random;
    double best_ms = 1e99;
    int code = space_parse(&space, path, error);
    if (!code)
        code = space_bind(space, NULL, 0, NULL, error);
    long before_kib = peak_kib();
    random_seed(&random, 1);
    for (int i = 0; i < BUILDS && !code; i++) {
        valid_set_free(set);
        int64_t start_ns = clock_now_ns();
        code = valid_set_build(&set, space, VALID_SET_DEFAULT_BYTES, error);
        if (!code && valid_set_count(set))
            valid_set_sample(set, &random);
        double ms = (double)(clock_now_ns() - start_ns) * 1e-6;
        best_ms = ms < best_ms ? ms : best_ms;
    }
    if (!code)
        printf("%-40s %12.4g %22llu %10.2f ms %8zu nodes %10zu bytes %8ld KiB peak %8.1f M/s\n", path,
               (double)valid_set_cartesian(set), (unsigned long long)valid_set_count(set), best_ms,
               valid_set_nodes(set), valid_set_bytes(set), peak_kib() - before_kib,
               valid_set_count(set) ? round_trips_per_s(set) * 1e-6 : 0);
    valid_set_free(set);
    space_free(space);
    return code;
}

int main(int argc, char **argv)
{
    printf("%-40s %12s %22s %13s %14s %16s %17s %12s\n", "space", "combinations", "valid", "build+sample", "diagram",
           "diagram", "memory", "round trips");
    for (int i = 1; i < argc; i++) {
        struct error error = {0};
        char text[4096];
        if (bench(argv[i], &error)) {
            fputs(error_format(&error, text, sizeof text), stderr);
            return error_exit_status(error.code);
        }
    }
    return 0;
}
