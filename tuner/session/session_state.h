/* The internals of a session: what it tells (session_events.c), opens (session_open.c) and records (session_record.c).
 * Private to these and tuner/session/session.c. */
#ifndef CUTUNE_SESSION_SESSION_STATE_H
#define CUTUNE_SESSION_SESSION_STATE_H

#include "base/arena.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/text.h"
#include "evaluate/eval_corrected.h"
#include "evaluate/evaluators.h"
#include "journal/journal.h"
#include "search/strategy.h"
#include "session/session.h"
#include "session/workshop.h"

struct session {
    const struct session_request *request;
    struct error *error; /* for the listener */
    int told;            /* the listener's first error code */
    struct arena arena;
    struct space *space;
    struct valid_set *set;
    struct workshop own, *workshop; /* in use: the request's, or the session's own */
    struct journal *recorded;       /* the replayed journal */
    struct journal *journal;        /* the journal that this session appends to */
    const struct device_limits *limits;
    struct device_limits synthetic; /* for an evaluator without a device */
    struct device_limits assumed;   /* those of the last run */
    bool rehearsing;                /* opening for `assumed`: nothing is told */
    bool amiss;                     /* something would have been */
    bool rehearsed;                 /* open for `assumed` */
    struct conditions conditions;   /* those of the request, but warm for a space with an L2 window */
    struct strategy_choice strategy;
    struct evaluator_setup setup; /* of the evaluator that measures */
    struct corrected_setup corrected;
    struct evaluator measuring; /* behind `evaluator`, if there are several devices */
    struct evaluator evaluator;
    struct evaluator alone; /* with a team: this process's part of it */
    struct team_setup team;
    struct text files; /* that agents may lack: "HASH BYTES PATH" */
    struct run_progress run;
    struct session_first first[STATUS_COUNT];
    struct session_subject subject;
    struct learned learned;
    struct warm_start warm_start;
    struct text elsewhere;             /* names of the other devices whose journals are known */
    const struct objective *objective; /* of the search */
    struct provenance provenance;      /* complete once the journal is open */
    struct text problem, options;
    char data_hash[HASH_HEX_BYTES], fingerprint[HASH_HEX_BYTES], date[CLOCK_UTC_BYTES];
    bool has_log;
    struct journal_library library; /* that the winner was compared with; name NULL: none */
    const char *why;                /* of session_result; NULL: not asked for */
    int64_t explain_ns;
};

/* ---- session_events.c: what the listener hears ---- */

/* Adds the subject to the event and passes it on, unless there is no listener or it returned an error before. In a
 * rehearsal, notes only that something would have been told. */
void session_tell(struct session *session, struct session_event event);
/* Tells a SESSION_NOTE; drops it when out of memory. */
void session_note(struct session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- session_open.c: opening ---- */

/* Opens space, device or recorded journal, valid set and evaluator. */
int session_open(struct session *session, struct error *error);

/* ---- session.c: closing ---- */

void session_close(struct session *session);

/* ---- session_team.c: agents on other hosts ---- */

/* Sends the job to all agents of the request. */
int session_ask_team(struct session *session, struct error *error);
/* Awaits their answers, sends the files that they lack, and makes the evaluator one of all that fit. Agents that do not
 * answer or do not fit are left out with a note. */
int session_join_team(struct session *session, struct error *error);
/* Ends the job of agents that are in no team: the session failed before. */
void session_end_team(struct session *session);
/* What the session's evaluator evaluates, once it is open. */
int session_describe_ready(struct session *session, const struct evaluator *evaluator, struct remote_ready *ready,
                           struct error *error);

/* ---- session_explain.c: explaining ---- */

/* Collects evidence about winner, default and neighbours for at most SESSION_EXPLAIN_S, records it, and sets `why` and
 * `explain_ns`. Whatever fails is noted and changes nothing else. */
void session_explain(struct session *session);
/* Collects evidence about the configurations of the request's list. */
int session_explain_list(struct session *session, struct error *error);

/* ---- session_library.c: the library beside the winner ---- */

/* Compares the winner with the space's library, unless the journal knows the comparison, records it, and sets
 * `library`. Whatever fails is noted and changes nothing else. */
void session_library(struct session *session);

/* ---- session_record.c: recording ---- */

/* Asks which compiler is used, unless it is known. */
int session_ask_compiler(struct session *session, struct error *error);
/* Opens or resumes the journal that this session appends to. */
int session_open_journal(struct session *session, struct error *error);
/* Appends the compiler's whole log of a configuration that does not compile to JOURNAL.log: the journal has the first
 * error only. `context` is the session. */
int session_keep_log(void *context, uint64_t index, const char *log, struct error *error);
/* Reads what the strategy learns from, and the winners to evaluate first, without those of journals that it learns
 * from. */
int session_start_warm(struct session *session, struct error *error);
/* Looks finalists up in the journals of other devices (tuner/prior/elsewhere.h). `context` is the session. */
int session_look_elsewhere(void *context, const uint64_t *indices, size_t count, double *efficiencies,
                           struct error *error);
/* Whether, and which, configurations of other models are tried while it searches (struct run_setup). */
bool session_exchanges(const struct session *session);
int session_exchange(void *context, uint64_t *indices, size_t room, size_t *count, struct error *error);
/* Formats a configuration in memory of the session; UINT64_MAX: the space's default, "" if there is none. */
const char *session_config(struct session *session, uint64_t index);
/* Sets the provenance of a replay: the journal's, except for what the space determines. */
void session_describe_replay(struct session *session);
/* The best row as in the database. Borrows from `session`. */
struct best session_best(struct session *session);

#endif
