/* Messages between a run and its agents. An agent is a process, on this host or another, that owns devices and
 * compilers and evaluates for the run (evaluate/agent.h, evaluate/eval_team.h). Every message's id is the number of the
 * job, so that late messages are recognised. */
#ifndef CUTUNE_EVALUATE_REMOTE_MESSAGES_H
#define CUTUNE_EVALUATE_REMOTE_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/limits.h"
#include "base/measurement.h"
#include "base/pack.h"
#include "evaluate/evaluator.h"

enum remote_kind {
    /* ---- To the agent ---- */
    REMOTE_JOB = 1,   /* struct remote_job */
    REMOTE_FILE,      /* struct remote_part: a part of a file that the agent lacks */
    REMOTE_SUBMIT,    /* struct remote_submit */
    REMOTE_INCUMBENT, /* struct remote_incumbent */
    REMOTE_LEAVE_OUT, /* u64: a device */
    REMOTE_WITHDRAW,  /* u64: enum evaluation_stage */
    REMOTE_END,       /* end of the job */
    /* ---- From the agent ---- */
    REMOTE_LACKS,   /* u64s: the numbers of the files that the agent lacks, if any */
    REMOTE_READY,   /* struct remote_ready: the job is open */
    REMOTE_REFUSED, /* string: why the job ended or cannot be opened */
    REMOTE_DONE,    /* struct remote_done */
    REMOTE_ALIVE    /* struct remote_state: at least every second while a job is open */
};

/* A job without the contents of its files. */
struct remote_job {
    bool synthetic, no_cache;
    bool keep_samples;
    uint64_t space_memory_bytes;
    const char *folder;     /* start of relative paths */
    const char *space_path; /* "": none */
    const char *replay;     /* a journal to replay; "": none */
    const char *space_text;
    uint64_t space_length;
    const char *conditions;                                            /* from conditions_text */
    const char *part;                                                  /* "": all */
    const char *defines, *sets, *configurations, *files;               /* consecutive strings */
    uint64_t define_count, set_count, configuration_count, file_count; /* files: "HASH BYTES PATH" */
};
extern const struct pack_table remote_job_table;

struct remote_part {
    uint64_t file, offset, total, length;
    const void *bytes;
};
extern const struct pack_table remote_part_table;

/* Load of an agent. */
struct remote_state {
    uint64_t capacity[2]; /* useful number of configurations in flight, by `learns_at_once` */
    struct evaluator_usage usage;
};
extern const struct pack_table remote_state_table;

/* An agent's description of itself and its space. */
struct remote_ready {
    char version[32];            /* of cutune */
    struct device_limits limits; /* of its first device */
    uint64_t devices;
    uint64_t configurations; /* valid ones */
    char compiler[64];       /* build of the compiler command; "": none */
    char text_hash[HASH_HEX_BYTES], source_hash[HASH_HEX_BYTES], data_hash[HASH_HEX_BYTES];
    struct remote_state state;
};
extern const struct pack_table remote_ready_table;

/* Describes the first difference that makes outcomes incomparable: "it has driver 570.1, the first rank 580.2". False:
 * they are comparable. */
bool remote_differs(const struct remote_ready *first, const struct remote_ready *other, char *why, size_t room);

struct remote_submit {
    uint64_t index;
    uint64_t device; /* number of the agent's device; UINT64_MAX: any */
    bool exact;
};
extern const struct pack_table remote_submit_table;

struct remote_incumbent {
    uint64_t device; /* number of the agent's device; UINT64_MAX: all */
    double value;
};
extern const struct pack_table remote_incumbent_table;

struct remote_done {
    uint64_t index, device; /* device UINT64_MAX: none */
    bool withdrawn;         /* as in struct evaluation */
    uint64_t original;      /* as in struct evaluation */
    struct measurement measurement;
    const char *log;     /* "": none */
    const char *samples; /* base/samples_text.h; "": none, or they are not kept */
    struct remote_state state;
};
extern const struct pack_table remote_done_table;

#endif
