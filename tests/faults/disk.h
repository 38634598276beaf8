/* A disk that fails at the n-th operation: for tests, linked into them (the plan is set by disk_plan), or as a library
 * that LD_PRELOAD puts into the whole program (the plan is in the environment: CUTUNE_DISK="PATH AT FAULT ERRNO
 * STICKY"). */
#ifndef CUTUNE_TESTS_DISK_H
#define CUTUNE_TESTS_DISK_H

#include <stdbool.h>

enum disk_fault {
    DISK_FAILS, /* the operation does nothing and fails with the errno */
    DISK_HALF,  /* a write writes half of its bytes and says so; the next one fails. Other operations fail at once */
    DISK_KILLS, /* the process is killed before the operation */
    DISK_KILLS_HALF, /* the process is killed in the middle of a write, before any other operation */
    DISK_SIGNALS     /* the process gets the signal `number` before the operation, which is then done */
};

struct disk_plan {
    const char *path; /* operations on paths that contain this count; NULL: none does */
    long at;          /* number of the operation that fails, from 0; below zero: none */
    enum disk_fault fault;
    int number;  /* the errno, or the signal */
    bool sticky; /* all later operations fail too, as on a full disk */
};

/* The plan from now on. The operations are open for writing, mkdir, write, ftruncate, fsync, fdatasync and rename. */
void disk_plan(const struct disk_plan *plan);

/* How many operations there were since then. */
long disk_operations(void);

/* Which they were, a letter each, as far as there is room: O open for writing, M mkdir, W write, T ftruncate, S fsync
 * of a file, F fsync of a folder, D fdatasync, R rename. */
const char *disk_history(void);

#endif
