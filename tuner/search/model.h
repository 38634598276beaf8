/* The surrogate's model: a Gaussian process over log times with the archive's outcomes as observations, and its
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
    const struct strategy_setup *prior_runs; /* prior runs to learn from; NULL: none. Used by model_open only */
    size_t observations;                     /* maximum of observations: the best and the latest */
    double growth; /* growth factor of the observations after which length scales are fitted again */
    /* Priors; 0: those of gp_open. */
    double length, length_stddev; /* median of the length scales, stddev of their logarithm */
    double additive;              /* share of the additive part; with prior runs, terms for effects replace it */
};

struct model {
    struct model_setup setup;
    struct gp gp;
    double best;               /* logarithm of the least feasible time; without any, the least mean */
    double clip;               /* logarithm of the time for failures and for configurations slower than most */
    size_t *row_entry;         /* by row of the process: its entry in the archive */
    bool *failed;              /* by row */
    size_t row_room, followed; /* followed: number of processed entries, with or without a row */
    size_t choose_at, fit_at;  /* numbers of outcomes at which rows are chosen, or length scales fitted, again */
    bool fitted;
    size_t seen; /* outcomes at the last fit or weighing */
    /* Prior runs; all empty without any. */
    struct transfer transfer;
    float *terms;       /* by term and candidate */
    float *entry_terms; /* by entry of the archive and term */
    float *row_terms;   /* by row and term */
};

/* The encoding, the archive and the candidates must be open. */
int model_open(struct model *model, const struct model_setup *setup, struct error *error);
void model_close(struct model *model);

/* Sets the prior of replaced candidates (candidates_setup.replaced); the context is the model. */
void model_replaced(void *context, size_t block);

/* Updates the process and the posterior of the candidates from the archive, which has `told` outcomes; fits length
 * scales again and draws the candidates when due. False if memory is out. */
bool model_keep_up(struct model *model, size_t told);

#endif
