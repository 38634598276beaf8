/* Benchmarks that divide their runs among processes. */
#ifndef CUTUNE_TOOLS_BENCH_SHARE_H
#define CUTUNE_TOOLS_BENCH_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

/* Calls `work` with each number below `processes`, each in its own process, except 0, which runs in this one. Results
 * must go to shared memory. Returns false if a process could not be started or failed. */
static inline bool share(size_t processes, void (*work)(const void *context, size_t process), const void *context)
{
    bool good = true;
    int status;
    for (size_t p = 1; p < processes; p++) {
        pid_t child = fork();
        if (child == 0) {
            work(context, p);
            _exit(0);
        }
        good &= child > 0;
    }
    work(context, 0);
    while (wait(&status) > 0)
        good &= status == 0;
    return good;
}

#endif
