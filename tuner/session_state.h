/* The inside of a session: what is opened for it (session_open.c) and what is kept of it (session_record.c). Shared by
 * these and tuner/session.c; no other file includes it. */
#ifndef CUTUNE_TUNER_SESSION_STATE_H
#define CUTUNE_TUNER_SESSION_STATE_H

#include "base/arena.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/text.h"
#include "compile/cache.h"
#include "compile/pool.h"
#include "db/journal.h"
#include "device/device.h"
#include "evaluate/eval_gpu.h"
#include "evaluate/eval_replay.h"
#include "evaluate/eval_synth.h"
#include "search/strategy.h"
#include "tuner/session.h"

struct session {
    const struct session_request *request;
    struct error *error; /* of the listener */
    int told;            /* the listener's first error code */
    struct arena arena;
    struct space *space;
    struct valid_set *set;
    struct device *device;
    struct journal *recorded; /* the one that is replayed */
    struct journal *journal;  /* the one that this session appends to */
    const struct device_limits *limits;
    struct device_limits synthetic; /* where the evaluator needs no device */
    struct conditions conditions;   /* those of the request; warm where the space has an L2 window */
    struct strategy_choice strategy;
    struct compile_cache cache;
    struct gpu_setup gpu; /* of the evaluator that is used */
    struct replay_setup replay;
    struct synth_setup synth;
    struct evaluator evaluator;
    struct run_progress run;
    struct session_first first[STATUS_COUNT];
    struct session_subject subject;
    struct warm_start warm_start;
    const struct objective *objective; /* what is searched for */
    struct provenance provenance;      /* complete once the journal is open */
    struct text problem, options;
    struct nvrtc_version nvrtc;
    char data_hash[HASH_HEX_BYTES], fingerprint[HASH_HEX_BYTES], date[CLOCK_UTC_BYTES];
    bool has_log;
};

/* ---- session.c ---- */

void session_tell(struct session *session, struct session_event event);
void session_note(struct session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- session_open.c: what is tuned, and on what ---- */

/* Opens space, device or recorded journal, valid set and evaluator. */
int session_open(struct session *session, struct error *error);

/* ---- session_record.c: what is kept ---- */

/* Opens the journal that this session appends to; one that exists is resumed. */
int session_open_journal(struct session *session, struct error *error);
/* Appends the compiler's whole log of a configuration that does not compile to JOURNAL.log: the journal has the first
 * error only. `context` is the session. */
int session_keep_log(void *context, uint64_t index, const char *log, struct error *error);
/* A configuration as text, in memory of the session; UINT64_MAX: the space's default. "" when it has none. */
const char *session_config(struct session *session, uint64_t index);
/* The provenance of a replay: the journal's, but for what the space says. */
void session_describe_replay(struct session *session);
/* The best row as the database has it. Borrows from `session`. */
struct best session_best(struct session *session);

#endif
