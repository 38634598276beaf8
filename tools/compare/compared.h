/* Reads and evaluates the files to compare: the input of `compare` and `report`. */
#ifndef CUTUNE_COMPARE_COMPARED_H
#define CUTUNE_COMPARE_COMPARED_H

#include "analyse/findings.h"

struct compared {
    bool fits_alone; /* set by the caller: accept files with fits over sizes only */
    struct arena arena;
    struct measured_runs measured;
    const char *const *files; /* borrowed: the sources of `measured` */
    struct comparisons comparisons;
    struct findings *findings; /* by comparison */
    struct work *work;         /* set by the caller: hears of the files and of the analysis; NULL: nobody listens */
};

/* Reads journals, databases and folders of them. `kernel` NULL: all. ERROR_NOT_FOUND if they have no results. */
int compared_load(struct compared *compared, const char *const *files, size_t count, const char *kernel,
                  struct error *error);

/* Computes the findings (findings_make). */
int compared_find(struct compared *compared, size_t top, double margin, struct error *error);

/* Warns on stderr about facts that affect the meaning of the numbers. */
void compared_warn(const struct compared *compared);

void compared_close(struct compared *compared);

#endif
