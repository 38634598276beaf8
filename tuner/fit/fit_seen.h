/* A fit over sizes as the database has it, and what the journals of sizes say of it: how good its choice is at each. */
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
    bool sample;          /* the fit was made from it; false: the fit has not seen it */
    size_t taken;         /* configuration of the fit; SIZE_MAX: none is valid */
    double quality;       /* best time / time of what is taken; 0: it fails; NaN: not measured */
    double held;          /* of a sample: the same when cross-validation holds it out; NaN: not known */
};

struct fit_seen {
    struct arena arena;
    const struct best *row; /* borrowed */
    struct size_fit fit;
    size_t count, sample_count;
    struct fit_seen_size *sizes; /* the samples first; each part by the product of its sizes */
    size_t *rules;               /* by configuration: how many samples and probed sizes take it */
    struct fit_quality unseen;   /* on the sizes that the fit has not seen */
    size_t left_out;             /* journals of its sizes, of another version or measured in another way */
    bool whole;                  /* there is a journal of each sample */
};

/* Reads those of the journals that are of the row's kernel, device and FIT_IDENTITY and of sizes of its region; of
 * equal sizes the first counts. A size is a sample if the fit has measured there. Probed sizes
 * (tuner/fit/fit_journals.h) are not among the sizes: which configuration is the best there is not known. What each is
 * worth when it is held out comes from the row, if there are all samples. ERROR_SYNTAX for a row whose fit cannot be
 * read, else the errors of reading journals. */
int fit_seen_make(struct fit_seen *seen, const struct best *row, const char *const *paths, size_t count,
                  struct error *error);
void fit_seen_free(struct fit_seen *seen);

/* A number of the row's quality, "mean" or "held_mean"; NaN: it is not there. */
double fit_seen_number(const struct best *row, const char *name);

#endif
