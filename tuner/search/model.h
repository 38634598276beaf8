/* The surrogate's model: the archive's outcomes as observations of a Gaussian process over log times, and its
 * predictions for the candidates. */
#ifndef CUTUNE_SEARCH_MODEL_H
#define CUTUNE_SEARCH_MODEL_H

#include "search/candidates.h"
#include "search/gp.h"
#include "search/transfer.h"

/* All borrowed. */
struct model_setup {
    struct archive *archive;
    struct candidates *candidates;
    const struct encoding *encoding;
    const struct strategy_setup *elsewhere; /* learn from its landscapes, too; NULL: not. Needed by model_open only */
    size_t observations;                    /* learn from at most this many: the best and the latest */
    double growth;                          /* fit length scales again once observations have grown by this factor */
    /* What to expect, each 0 for what gp_open expects. */
    double length, length_stddev; /* median of the length scales, stddev of their logarithm */
    double additive;              /* share of the additive part; landscapes elsewhere have terms for effects instead */
};

struct model {
    struct model_setup setup;
    struct gp gp;
    double best;       /* logarithm of the least time of a configuration that worked; where none has, the least mean */
    double clip;       /* logarithm of the time that configurations slower than most, and failed ones, count with */
    size_t *row_entry; /* by row of the process: its entry in the archive */
    bool *failed;      /* by row */
    size_t row_room, followed; /* followed: entries processed, with or without a row */
    size_t choose_at, fit_at;  /* numbers of outcomes: rows are chosen again, and length scales fitted then */
    bool fitted;
    size_t seen; /* outcomes at the last fit or weighing */
    /* What is known elsewhere; all empty if nothing is. */
    struct transfer transfer;
    float *terms;       /* by term and candidate */
    float *entry_terms; /* by entry of the archive and term */
    float *row_terms;   /* by row and term */
};

/* The encoding, the archive and the candidates must be open. */
int model_open(struct model *model, const struct model_setup *setup, struct error *error);
void model_close(struct model *model);

/* The prior of replaced candidates (candidates_setup.replaced); the context is the model. */
void model_replaced(void *context, size_t block);

/* Makes the process and the posterior of the candidates follow the archive, which has `told` outcomes; fits length
 * scales again and draws the candidates when due. False if memory is out. */
bool model_keep_up(struct model *model, size_t told);

#endif
