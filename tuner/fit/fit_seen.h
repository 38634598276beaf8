/* A fit over sizes from the database, and the quality of its choice at each size that has a journal. */
#ifndef CUTUNE_FIT_FIT_SEEN_H
#define CUTUNE_FIT_FIT_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "database/database.h"
#include "fit/fit.h"
#include "sizes/size_fit.h"

struct fit_seen_size {
    const int64_t *sizes; /* by size of the fit */
    bool sample;          /* the fit was made from it; false: unseen */
    size_t taken;         /* configuration of the fit; SIZE_MAX: none is valid */
    double quality;       /* best time / time of `taken`; 0: it fails; NaN: not measured */
    double held;          /* of a sample: quality when cross-validation holds it out; NaN: unknown */
};

struct fit_seen {
    struct arena arena;
    const struct best *row; /* borrowed */
    struct size_fit fit;
    size_t count, sample_count;
    struct fit_seen_size *sizes; /* the samples first; each part in the order of the product of its sizes */
    size_t *rules;               /* by configuration: number of samples and probed sizes that take it */
    struct fit_quality unseen;   /* over the unseen sizes */
    size_t left_out;             /* journals of its sizes that cannot be compared with it */
    bool whole;                  /* each sample has a journal */
};

/* Reads the journals of the row's kernel, device and FIT_IDENTITY with sizes of its region; of equal sizes the first
 * counts. A size is a sample if the fit has measured there. Leaves out probed sizes (tuner/fit/fit_journals.h): their
 * best configuration is unknown. Held-out qualities come from the row, if all samples have journals. `work`: a step for
 * each path; may be NULL. ERROR_SYNTAX for a row whose fit cannot be read, else the errors of reading journals. */
int fit_seen_make(struct fit_seen *seen, const struct best *row, const char *const *paths, size_t count,
                  struct work *work, struct error *error);
void fit_seen_free(struct fit_seen *seen);

/* Returns a number of the row's quality, "mean" or "held_mean"; NaN: missing. */
double fit_seen_number(const struct best *row, const char *name);

#endif
