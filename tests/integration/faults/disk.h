/* A disk that fails at the n-th operation. Linked into tests, which call disk_plan, or preloaded into a whole program
 * by LD_PRELOAD with the plan in the environment: CUTUNE_DISK="PATH AT FAULT ERRNO STICKY". */
#ifndef CUTUNE_TESTS_DISK_H
#define CUTUNE_TESTS_DISK_H

#include <stdbool.h>

enum disk_fault {
    DISK_FAILS, /* the operation does nothing and fails with the errno */
    DISK_HALF,  /* a write writes half of its bytes and succeeds; the next one fails. Other operations fail at once */
    DISK_KILLS, /* the process is killed before the operation */
    DISK_KILLS_HALF, /* the process is killed in the middle of a write, or before any other operation */
    DISK_SIGNALS     /* the process receives the signal `number` before the operation, which then succeeds */
};

struct disk_plan {
    const char *path; /* counts operations on paths that contain this; NULL: none */
    long at;          /* number of the failing operation, from 0; negative: none */
    enum disk_fault fault;
    int number;  /* the errno, or the signal */
    bool sticky; /* later operations fail as well, as on a full disk */
};

/* Sets the plan. Operations are open for writing, mkdir, write, ftruncate, fsync, fdatasync and rename. */
void disk_plan(const struct disk_plan *plan);

/* Number of operations since disk_plan. */
long disk_operations(void);

/* Operations since disk_plan, a letter each, as many as fit: O open for writing, M mkdir, W write, T ftruncate, S fsync
 * of a file, F fsync of a folder, D fdatasync, R rename. */
const char *disk_history(void);

#endif
