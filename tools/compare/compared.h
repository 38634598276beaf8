/* Files to compare, read and worked out: what `compare` and `report` start from. */
#ifndef CUTUNE_COMPARE_COMPARED_H
#define CUTUNE_COMPARE_COMPARED_H

#include "analyse/findings.h"

struct compared {
    struct arena arena;
    struct measured_runs measured;
    struct comparisons comparisons;
    struct findings *findings; /* by comparison */
};

/* Reads journals, databases and folders of them. `kernel` NULL: all. Nothing found is ERROR_NOT_FOUND. */
int compared_load(struct compared *compared, const char *const *files, size_t count, const char *kernel,
                  struct error *error);

/* Works out the findings (findings_make). */
int compared_find(struct compared *compared, size_t top, double margin, struct error *error);

/* Writes to stderr what a reader of the numbers must know. */
void compared_warn(const struct compared *compared);

void compared_close(struct compared *compared);

#endif
