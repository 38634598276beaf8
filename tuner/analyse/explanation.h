/* Why a configuration is as fast as it is: the resource that binds it, and the effect of a change of one parameter. A
 * pure function of recorded measurements and evidence; rules.def lists the rules, which see no names of parameters or
 * kernels.
 *
 * The strength of a cause is the share of the slower configuration's time that it costs, by a model of the resource
 * that the fault loads: strengths of different causes compare. */
#ifndef CUTUNE_ANALYSE_EXPLANATION_H
#define CUTUNE_ANALYSE_EXPLANATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/measurement.h"
#include "base/provenance.h"

struct evidence; /* base/evidence.h */

enum resource {
#define RESOURCE(id, name, unit) RESOURCE_##id,
#include "analyse/resources.def"
#undef RESOURCE
    RESOURCE_COUNT,
    RESOURCE_LATENCY = RESOURCE_COUNT, /* no resource is near its ceiling: waiting or idle multiprocessors bind */
    RESOURCE_UNKNOWN                   /* no measurements */
};
/* "DRAM", "L1 and shared memory", ..., "latency", "unknown". */
const char *resource_name(enum resource resource);
/* "bytes/s", ...; "" for RESOURCE_LATENCY and RESOURCE_UNKNOWN. */
const char *resource_unit(enum resource resource);

/* ---- Input, all borrowed: the explanation points to it ---- */

struct explanation_configuration {
    const char *configuration;             /* as in "TILE=32 PAD=1" */
    const struct measurement *measurement; /* the best known one (OUTCOME_KNOWN_AS) */
    const struct evidence *launches;       /* of each launch, in order; NULL with count 0: none */
    size_t launch_count;
};

#define EXPLANATION_NONE SIZE_MAX

struct explanation_input {
    const struct explanation_configuration *configurations;
    size_t count;
    size_t focus;                        /* the configuration to explain, usually the winner; EXPLANATION_NONE: none */
    size_t default_;                     /* the space's default; EXPLANATION_NONE: not among them */
    const struct provenance *provenance; /* device, copy ceiling, least bytes and operations */
    const struct evidence *ceilings;     /* evidence with the ceilings (source CEILING); NULL: unknown */
};

/* ---- Output, in memory of the arena. NaN: unknown ---- */

/* Use of a resource, averaged over a run. */
struct explain_input_resource {
    double used, ceiling; /* in resource_unit */
    double share;         /* used / ceiling */
};

/* A point of the instruction roofline (Ding and Williams, "An Instruction Roofline Model for GPUs", PMBS 2019), which
 * also places kernels without floating-point operations. One for each memory level: DRAM, L2 and L1. */
struct roofline_point {
    enum resource level;
    double intensity;    /* warp instructions per byte that the level moves */
    double instructions; /* warp instructions per second */
    double slope;        /* the level's ceiling, bytes/s: the roof is min(slope * intensity, ceiling of ISSUE) */
};
enum { ROOFLINE_LEVELS = 3 };

struct explain_input_configuration {
    bool counters;       /* hardware counters are known */
    bool pipeline;       /* stages instead of a launch alone */
    enum resource binds; /* the resource with the largest share */
    double share;        /* its share; for RESOURCE_LATENCY: the largest share of any resource */
    struct explain_input_resource resources[RESOURCE_COUNT];
    double bytes_moved;  /* by DRAM, in a run */
    double bytes_needed; /* least bytes of a run; NaN: unknown to the space */
    double occupancy;    /* resident warps / maximum, of the longest launch: achieved, else possible */
    struct roofline_point points[ROOFLINE_LEVELS];
    const char *sentence; /* "DRAM binds: 94% of the copy ceiling; DRAM moves 1.02 times the bytes needed" */
};

struct explain_input_cause {
    const char *id;      /* "bank_conflicts_load" */
    const char *title;   /* "bank conflicts of shared loads" */
    bool counters;       /* from hardware counters or the times of a pipeline's stages; false: static */
    const char *gone;    /* phrase for its absence: "bank conflicts gone" */
    double strength;     /* share of the slower one's time that it costs, 0..1; NaN: unknown from static evidence */
    const char *numbers; /* "shared load conflicts 65.7 M -> 0.1 M", in the direction of the change */
    const char *source;  /* of the rule: section of a manual, or a measurement */
};

enum change_answer {
    CHANGE_EXPLAINED,      /* causes[0] is the reason: a fault of the slower configuration */
    CHANGE_LESS_WORK,      /* no known fault; the faster one moves or executes less. No causes */
    CHANGE_SAME,           /* the times do not differ measurably. No causes */
    CHANGE_NEEDS_COUNTERS, /* static evidence does not show the cause. No causes */
    CHANGE_NOT_KNOWN       /* no rule applies. No causes */
};
/* "explained", "less_work", "same", "needs_counters", "not_known". */
const char *change_answer_name(enum change_answer answer);

/* A change between two configurations, in the requested direction. Causes are faults of the slower one. */
struct explain_input_change {
    size_t from, to;        /* configurations of the input */
    size_t parameter_count; /* number of parameters that differ */
    const char *parameters; /* "PAD 0 -> 1"; several are separated by ", " */
    double speedup;         /* cost of `from` / cost of `to`; below 1: the change costs time */
    enum change_answer answer;
    struct explain_input_cause *causes; /* the most likely one first */
    size_t cause_count;
    const char *sentence; /* "PAD 0 -> 1: shared load conflicts 65.7 M -> 0.1 M; 2.0 times faster: the limit was bank
                             conflicts of shared loads" */
};

struct explanation {
    const struct explanation_input *input;
    struct explain_input_configuration *configurations; /* as in the input */
    struct explain_input_change *changes; /* to the focus, from all with evidence that differ from it in one parameter,
                                         the largest effect first */
    size_t change_count;
    struct explain_input_change *overall; /* from default to focus; NULL: equal, or without evidence */
    const char *why; /* "bank conflicts gone (PAD=1); now DRAM-bound at 94% of the copy ceiling"; "": no
                        focus */
};

/* Explains the configurations with evidence; the others get a `binds` of RESOURCE_UNKNOWN and take part in no change.
 * The only errors are ERROR_MEMORY, and ERROR_DATA for a configuration that is not NAME=VALUE text. */
int explanation_make(struct explanation *explanation, struct arena *arena, const struct explanation_input *input,
                     struct error *error);

/* Explains one change between two configurations of the input, which may differ in several parameters. Both must have
 * times. */
int explanation_change(struct explain_input_change *change, struct arena *arena, const struct explanation_input *input,
                       size_t from, size_t to, struct error *error);

#endif
