/* The internals of a session: events (session_events.c), opening (session_open.c) and recording (session_record.c).
 * Private to these and tuner/session/session.c. */
#ifndef CUTUNE_SESSION_SESSION_STATE_H
#define CUTUNE_SESSION_SESSION_STATE_H

#include "base/arena.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/text.h"
#include "evaluate/eval_corrected.h"
#include "evaluate/evaluators.h"
#include "evaluate/kept_samples.h"
#include "journal/journal.h"
#include "search/strategy.h"
#include "session/process_pool.h"
#include "session/session.h"

struct session {
    const struct session_request *request;
    struct error *error; /* for the listener */
    int told;            /* the listener's first error code */
    struct arena arena;
    struct space *space;
    struct valid_set *set;
    struct process_pool own, *process_pool; /* in use: the request's, or the session's own */
    struct journal *recorded;               /* the replayed journal */
    struct journal *journal;                /* the journal to append to */
    const struct device_limits *limits;
    struct device_limits synthetic; /* for an evaluator without a device */
    struct device_limits assumed;   /* limits of the last run */
    bool rehearsing;                /* opening for `assumed`: events are suppressed */
    bool amiss;                     /* an event was suppressed */
    bool rehearsed;                 /* open for `assumed` */
    struct conditions conditions;   /* those of the request, but a warm cache for a space with an L2 window */
    struct strategy_choice strategy;
    struct evaluator_setup setup; /* of the evaluator that measures */
    struct corrected_setup corrected;
    struct evaluator measuring; /* the evaluator behind `evaluator`, if there are several devices */
    struct evaluator evaluator;
    struct evaluator alone; /* with a team: the evaluator of this process */
    struct team_setup team;
    struct kept_samples kept;
    struct text files;         /* of a job, that agents may lack: "HASH BYTES PATH" */
    struct search_run *opened; /* the run; NULL: none */
    struct run_progress run;
    bool searched; /* the search has ended */
    struct session_first first[STATUS_COUNT];
    struct session_subject subject;
    struct learned learned;
    struct warm_start warm_start;
    bool has_incumbent;
    uint64_t incumbent;                /* index of the database's or, in a replay, the recorded configuration */
    const struct best *incumbent_row;  /* of the database; NULL in a replay. warm_start or `newcomer` owns it */
    struct warm_start newcomer;        /* the database as it was after the search, without configurations */
    struct text other_devices;         /* names of other devices with journals */
    const struct objective *objective; /* of the search */
    struct provenance provenance;      /* complete once the journal is open */
    struct text problem, options;
    char data_hash[HASH_HEX_BYTES], fingerprint[HASH_HEX_BYTES], date[CLOCK_UTC_BYTES];
    bool has_log;
    struct journal_library library; /* the comparison of the winner with a library; name NULL: none */
    const struct objective *objectives[OBJECTIVE_COUNT]; /* asked for */
    size_t objective_count;
    struct session_energy *energy; /* NULL: no objective needs it */
    int64_t begin_ns;
    const char *why; /* for session_result; NULL: not requested */
    int64_t explain_ns;
};

/* ---- session_events.c: the listener ---- */

/* Adds the subject to the event and passes it on, unless there is no listener or it returned an error before. During a
 * rehearsal, notes only that there was an event. */
void session_tell(struct session *session, struct session_event event);
/* Sends a SESSION_WAIT, but not in a rehearsal. */
void session_wait(struct session *session, const char *waits);
/* Sends a SESSION_NOTE; drops it when out of memory. */
void session_note(struct session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- session_open.c: opening ---- */

/* Opens space, device or recorded journal, valid set and evaluator. */
int session_open(struct session *session, struct error *error);

/* ---- session_energy.c ---- */

/* Reads the request's objectives. ERROR_USAGE for one that this session cannot measure. */
int session_energy_read(const struct session_request *request, const struct objective **objectives, size_t *count,
                        struct error *error);
/* Sets the objectives: the request's, or those of the parsed space. ERROR_USAGE if the request has a front of energies
 * that none of them needs. */
int session_energy_choose(struct session *session, struct error *error);
/* Fails with ERROR_NO_DEVICE if an objective needs energies and the device cannot count them. Call once the evaluator
 * and the journal are open. */
int session_energy_begin(struct session *session, struct error *error);
/* Finds the front and the best of each objective, and saves their rows. */
int session_energy_save(struct session *session, struct error *error);

/* ---- session.c: a run's events, and closing ---- */

/* The listener of a run: keeps logs, and passes the other events on. */
int session_hear_run(void *context, const struct run_event *event, struct error *error);

void session_close(struct session *session);

/* ---- session_team.c: agents on other hosts ---- */

/* Sends the job to all agents of the request. */
int session_ask_team(struct session *session, struct error *error);
/* Awaits the answers of agents, sends missing files, and makes the evaluator a team of all agents that fit. Leaves out
 * silent or unfit agents with a note. */
int session_join_team(struct session *session, struct error *error);
/* Ends the job of agents outside a team: the session failed before. */
void session_end_team(struct session *session);
/* Describes the evaluations of the session's open evaluator. */
int session_describe_ready(struct session *session, const struct evaluator *evaluator, struct remote_ready *ready,
                           struct error *error);

/* ---- session_explain.c: explaining ---- */

/* Collects evidence about winner, default and neighbours for at most SESSION_EXPLAIN_S, records it, and sets `why` and
 * `explain_ns`. Notes every failure, without further effect. */
void session_explain(struct session *session);
/* Collects evidence about the configurations of the request's list. */
int session_explain_list(struct session *session, struct error *error);

/* ---- session_judge.c: judging candidates ---- */

/* Adds the candidates of a judgement to the space. */
int session_admit(struct session *session, struct error *error);
/* Restricts the set to the configurations of a judgement. */
int session_judged_set(struct session *session, struct error *error);

/* ---- session_library.c: comparison with a library ---- */

/* Compares the winner with the space's library, unless the journal has the comparison; records it, and sets `library`.
 * Notes every failure, without further effect. */
void session_library(struct session *session);

/* ---- session_time.c: a time limit for everything ---- */

/* Time for saving results and ending processes. */
enum { SESSION_CLOSING_NS = 300000000 };

/* Returns the time left before closing; INT64_MAX: no limit. */
int64_t session_left_ns(const struct session *session);
/* Divides the time between search, play-off and comparison with the library: sets the run's limits. ERROR_NOTHING_VALID
 * if nothing is left for a search. */
int session_share_time(const struct session *session, struct run_setup *setup, struct error *error);
/* Reports that the time was over before a configuration was measured. */
int session_report_time(const struct session *session, struct error *error);

/* ---- session_record.c: recording ---- */

/* Asks for the compiler's version, unless it is known. */
int session_ask_compiler(struct session *session, struct error *error);
/* Opens or resumes the journal to append to. */
int session_open_journal(struct session *session, struct error *error);
/* Appends the compiler's whole log of RUN_LOG to JOURNAL.log: the journal has only the first error. Drops it without a
 * journal. */
int session_keep_log(struct session *session, const struct run_event *event, struct error *error);
/* Reads prior runs for the strategy, the winners to evaluate first, except those of prior runs, and the incumbent.
 * ERROR_NOT_FOUND if the request confirms a row that is missing. */
int session_start_warm(struct session *session, struct error *error);
/* Finds the incumbent again, in what the database has now. */
int session_find_incumbent(struct session *session, struct error *error);
/* Finds the efficiencies of finalists in the journals of other devices and sizes (tuner/prior/prior_runs.h), as far as
 * the session's journal has columns for them. `context` is the session. */
int session_ask_elsewhere(void *context, const uint64_t *indices, size_t count, struct measurement *finals,
                          struct error *error);
/* Finds configurations of concurrent runs to try during the search (struct run_setup). session_exchanges: true if the
 * session does that. */
bool session_exchanges(const struct session *session);
int session_exchange(void *context, uint64_t *indices, size_t room, size_t *count, struct error *error);
/* Formats a configuration in memory of the session; UINT64_MAX: the space's default, "" without a default. */
const char *session_config(struct session *session, uint64_t index);
/* Sets the provenance of a replay: the journal's, except for the parts that the space determines. */
void session_describe_replay(struct session *session);
/* Returns the row of a winner for the database, without states and library. Borrows from `session`. */
struct best session_best_row(struct session *session, const struct winner *winner, uint64_t index);
/* Returns the best row for the database. Borrows from `session`. */
struct best session_best(struct session *session);

#endif
