/* Runs of one kernel and problem side by side: each configuration once, with its measurement in every run. */
#ifndef CUTUNE_ANALYSE_COMPARISON_H
#define CUTUNE_ANALYSE_COMPARISON_H

#include <stdint.h>

#include "analyse/measured_run.h"
#include "base/roofline_time.h"
#include "base/text.h"

#define COMPARISON_NONE SIZE_MAX

struct comparison_parameter {
    const char *name;
    bool numbers; /* all values are numbers; false: words */
    uint32_t value_count;
    const char *const *values; /* ascending: numbers by size, words alphabetically */
};

/* The place of a configuration in a run's play-off (db/journal/winner.h). */
enum standing {
    STANDING_NONE,   /* not a finalist, or no play-off */
    STANDING_WINNER, /* the best of the run, even without a play-off */
    STANDING_TIED,   /* not measurably slower than the fastest */
    STANDING_LOST
};

struct comparison_run {
    const struct measured_run *measured_run;
    size_t number;                       /* of the measured run in its list */
    size_t best, default_;               /* configurations; COMPARISON_NONE: none was timed; the default is unknown */
    size_t finalists, tied;              /* of the decisive play-off, as in struct winner; 0: none */
    bool keeps_incumbent;                /* the winner is the play-off's incumbent */
    const enum standing *standings;      /* by configuration */
    size_t evaluated;                    /* number of configurations with a result */
    uint64_t counts[STATUS_COUNT];       /* of the evaluated ones, by status */
    const struct measurement *const *of; /* by configuration, read as in db/journal/outcomes.h; NULL: not evaluated */
    const struct measurement *const *searched; /* `evaluated` outcomes of the search, in the order of the file */
    const size_t *search_order;                /* their configurations */
};

struct comparison {
    const char *kernel, *title, *problem;
    const struct objective *objective; /* of all runs */
    size_t parameter_count, run_count, configuration_count;
    struct comparison_parameter *parameters;
    struct comparison_run *runs; /* in the order of the measured runs */
    const uint32_t *choices;     /* parameter_count per configuration: indices into the parameters' values */
};

struct comparisons {
    struct arena arena;
    size_t count;
    struct comparison *items;
};

/* Groups measured runs of the same kernel, problem and parameters (in any order). `kernel` NULL: all. The measured runs
 * must outlive the comparisons. The best of a run is its winner (db/journal/winner.h). */
int comparisons_make(struct comparisons *comparisons, const struct measured_runs *measured, const char *kernel,
                     struct error *error);
void comparisons_free(struct comparisons *comparisons);

enum cell {
    CELL_TIMED,
    CELL_EARLY,  /* timed from few samples, then stopped as too slow */
    CELL_FAILED, /* evaluated, but failed */
    CELL_UNKNOWN /* not evaluated */
};
/* Returns the state of a configuration in a run. *value (may be NULL): its value, or NaN. */
enum cell comparison_cell(const struct comparison *comparison, size_t configuration, size_t run, double *value);

/* Returns bytes, operations and roofline time of a configuration in a run, on the scale of its value; NaN: unknown. */
struct amounts comparison_amounts(const struct comparison *comparison, size_t configuration, size_t run);

/* Returns T_on(best of from) / T_on(best of on), with the state of the numerator in *cell. NaN if either time is
 * missing. */
double comparison_slowdown(const struct comparison *comparison, size_t from, size_t on, enum cell *cell);

/* Returns the best time of the run / the time of the configuration there: 0 if it fails there, NaN if unknown. */
double comparison_efficiency(const struct comparison *comparison, size_t configuration, size_t run);

/* Returns the harmonic mean of the efficiencies over all runs: 0 if the configuration fails in any run, else NaN if an
 * efficiency is unknown. An efficiency is relative to the best known on the device. (Pennycook, Sewall and Lee,
 * "Implications of a metric for performance portability", Future Generation Computer Systems 92, 2019.) */
double comparison_portability(const struct comparison *comparison, size_t configuration);

struct portable {
    size_t configuration;
    double portability;
};
/* Ranks the configurations that all runs have, the best first, at most `room`; returns their total number. */
size_t comparison_rank(const struct comparison *comparison, struct portable *ranking, size_t room);

/* Returns the configuration of "TILE=64 PAD=1", in any order; COMPARISON_NONE if no run has evaluated it. */
size_t comparison_find(const struct comparison *comparison, const char *configuration);

/* Appends "TILE=64 PAD=1". */
void comparison_text(const struct comparison *comparison, size_t configuration, struct text *text);

#endif
