/* A session does everything from a request to the saved row: identifies the run, opens or resumes its journal, takes a
 * warm start from the database, searches, plays off and saves the best row. It prints nothing, but reports events. */
#ifndef CUTUNE_SESSION_SESSION_H
#define CUTUNE_SESSION_SESSION_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyse/front.h"
#include "base/error.h"
#include "database/database.h"
#include "device/choice.h"
#include "evaluate/eval_team.h"
#include "evaluate/evaluator.h"
#include "prior/learn.h"
#include "prior/warm_start.h"
#include "run/list.h"
#include "run/run.h"
#include "session/conditions.h"

/* ---- Events ---- */

enum session_event_kind {
    SESSION_NOTE,     /* see `note` */
    SESSION_WAIT,     /* the next event may take seconds: `waits` says why */
    SESSION_SIZES,    /* the problem sizes are known: `subject`, without its set */
    SESSION_STARTED,  /* the search begins; from here, stop through `stop`, so that results are saved */
    SESSION_RUN,      /* an event of the run, except for logs and waits: `run` */
    SESSION_SEARCHED, /* search and play-off have ended */
    SESSION_RESULT    /* the best configuration, once saved: `result` */
};

/* The subject of a tuning session. */
struct session_subject {
    const struct space *space;
    const struct valid_set *set;
    const char *problem;                 /* "ROWS=8192 COLS=8192" */
    const struct provenance *provenance; /* NULL until the search starts */
    const char *journal;                 /* path; NULL before the search and in a replay */
    uint64_t best_known;                 /* of a judgement: the configuration that the database has; UINT64_MAX: none */
};

/* The first configuration with a given status. */
struct session_first {
    uint64_t index;
    char message[MEASUREMENT_MESSAGE_BYTES]; /* its reason */
};

/* The best configuration by an objective that needs energies. */
struct session_energy_best {
    const struct objective *objective;
    size_t number, tied; /* of run_energy; number of equal ones, 1: only this one */
    struct best row;     /* for the database */
    enum database_outcome outcome;
    double previous_value; /* of the replaced row; NaN: none */
};

struct session_energy {
    struct run_energy run;
    struct front_point front[ENERGY_CANDIDATES_MAX]; /* of each candidate */
    struct session_energy_best best[OBJECTIVE_COUNT];
    size_t best_count;
};

struct session_result {
    const struct best *best; /* row for the database, saved or not */
    const struct run_progress *run;
    const struct session_first *first; /* by status; undefined where the count is 0 */
    const char *journal;               /* path; NULL: none */
    bool has_log;                      /* this session wrote compile logs to JOURNAL.log */
    const char *database;              /* path; NULL: not saved */
    enum database_outcome outcome;
    double previous_value;                 /* of the replaced row; NaN: none */
    const char *replayed;                  /* path of the replayed journal; NULL: measured on the device */
    const char *recorded;                  /* date of the replayed journal */
    double confidence;                     /* of the interval */
    const struct evaluator_usage *usage;   /* NULL: no processes */
    const struct learned *learned;         /* prior runs of the strategy */
    const struct warm_start *warm_start;   /* configurations evaluated first */
    const char *incumbent;                 /* configuration that run->verdict is about; "": no verdict */
    const struct journal_library *library; /* that the winner was compared with; NULL: none */
    const char *other_devices;             /* those that decided between tied configurations; "": none, or unknown */
    const char *censored;                  /* configuration of run->censored; "": all are settled */
    const struct session_energy *energy;   /* NULL: not asked for, or no candidate has a number */
    const char *why;                       /* why the best is the fastest, in a line; "": unknown */
    int64_t explain_ns;                    /* duration of the explanation */
    bool interrupted;
};

/* Everything is borrowed and valid only during the call. */
struct session_event {
    enum session_event_kind kind;
    const struct session_subject *subject;
    const char *note;
    const char *waits; /* "the device" */
    const struct run_event *run;
    const struct session_result *result;
};

/* Returns 0 or an error. After an error, the listener receives no further event; the session continues to its end,
 * saves its results and returns the error. */
typedef int session_listener(void *context, const struct session_event *event, struct error *error);

/* ---- The request ---- */

struct process_pool; /* tuner/session/process_pool.h */

enum { SESSION_EXPLAIN_S = 3, SESSION_FRONT_PERCENT = 5 };

/* Receives the evidence about configuration `number` of the list. `no_counters` as in struct evaluator_evidence.
 * Returns 0 or an error, which ends the session. */
typedef int session_take_evidence(void *context, size_t number, const struct evidence *launches, size_t count,
                                  const char *no_counters, struct error *error);

struct measured_runs; /* analyse/measured_run.h */
struct comparisons;   /* analyse/comparison.h */

/* Replaces the search: measures exactly these configurations, each to its end, and records them in a journal. */
struct session_list {
    /* Read, not open; ERROR_DATA if its fingerprint is not the session's. NULL: the session's own journal, created if
     * missing; configurations with rows of the work's proposer are not measured again. */
    struct journal *journal;
    struct list_work work;
    /* If not NULL, collects evidence about the configurations of `journal` instead; `work` is only read. With `replay`,
     * which names the journal's file, the evidence comes from compiling for its device, without a device, and is not
     * recorded. */
    session_take_evidence *evidence;
    void *context;
    /* If not NULL, the configuration to explain. Measures missing configurations: up to `neighbours` that differ from
     * it in one parameter (0: none), and those on the way to it from the default, one parameter after the other. Then
     * collects evidence about these and the configurations of `work`. All goes to the journal, in the file and in
     * memory; `evidence` receives only the reason for missing counters. */
    const char *focus;
    size_t neighbours;
    /* With a focus: the journal's run, which receives new measurements, and the comparison of this run alone: empty
     * before, with all measurements after. */
    struct measured_runs *measured;
    size_t run;
    struct comparisons *comparisons;
};

/* Replaces the search: measures candidates beside the space's own kernels, each to its end, with the default
 * configuration and the one that the database has. Nothing is saved or learned but the journal. Without candidates, it
 * measures the default alone, which the space's library is compared with; only this measuring is not guarded. */
struct session_judgement {
    const char *const *paths; /* of the candidates (space_admit) */
    size_t path_count;
    const char *configuration; /* of the candidates; NULL: the space's default */
    bool shares_process;       /* struct guarding: `shared` */
    bool special;              /* struct sampling: `special` */
};

/* Everything is borrowed. Zero or NULL selects the default in the comment. */
struct session_request {
    /* ---- Subject ---- */
    const char *space_path, *space_text; /* NULL: with `replay`, the space of its journal */
    size_t space_length;                 /* bytes of the text */
    const char *const *defines;          /* "NAME=VALUE" of problem sizes */
    size_t define_count;
    const char *const *sets; /* "NAME=VALUE,...": restricts a parameter to these values */
    size_t set_count;
    const char *const *configurations; /* "NAME=VALUE NAME=VALUE": restricts the set to these configurations, each
                                          measured to its end; none: all */
    size_t configuration_count;
    const char *part;          /* "K/N": restricts the set to part K of N; NULL: all */
    size_t space_memory_bytes; /* limit for building the valid set; 0: VALID_SET_DEFAULT_BYTES */

    /* ---- Evaluation ---- */
    bool synthetic;                   /* use the formula of eval_synth.h, for tests, instead of a journal or device */
    const char *device;               /* one or several of a kind, as in device/choice.h; NULL: "0" */
    struct device_share device_share; /* this process's share of these devices */
    const char *replay;               /* journal to search instead of measuring, without saving; NULL: none */
    struct conditions conditions;
    /* Processes that several requests use in turn, with the same devices, compilers, cache and time limit. The caller
     * closes it. NULL: the session starts and ends its own. */
    struct process_pool *process_pool;
    size_t jobs;         /* compiler processes; 0: usable cores less one, in a replay 1 */
    size_t core_sharers; /* processes that divide the usable cores; 0: only this one */
    bool no_cache;       /* compile everything and bypass the cubin cache */

    /* Agents on other hosts (session_serve) at the other ends of `links`, which several sessions may use in turn. */
    struct team_link *links;
    size_t link_count;
    double silence_s; /* an agent that is silent for longer is left out */

    /* ---- Search ---- */
    const char *strategy; /* "NAME" or "NAME:OPTION=VALUE,..."; NULL: "auto" */
    uint64_t seed;
    const char *learn_from; /* journal or folder of journals; "none"; NULL: the folder `journal`, in a replay none */
    bool together; /* other device models are tuned at the same time: try the best of their journals, unless learn_from
                      is "none" */
    size_t warm_start;        /* maximum of winners from the database to evaluate first; 0: none */
    uint64_t max_evals;       /* 0: no limit */
    double max_time_s;        /* limit of the search; 0: none */
    int64_t end_ns;           /* on clock_now_ns(): everything ends by then; 0: no limit, and none in a replay */
    double target_percent;    /* percentage of the speed at the roofline time that ends the search; 0: none */
    uint64_t patience;        /* number of outcomes in a row without improvement that ends the search; 0: none */
    size_t finalists;         /* maximum; 0: no play-off */
    size_t playoff_processes; /* of the play-off, at most PLAYOFF_PROCESSES_MAX (evaluate/process_medians.h); 0 or 1:
                                 that of the search */
    bool playoff_extends;     /* in more processes while intervals are wide (struct evaluator_setup) */
    bool confirm;             /* hold the play-off again, with the database's row as incumbent, which must exist */
    bool exact;               /* stop no evaluation early */
    bool keep_samples;        /* the journal gets the samples of each timed configuration */
    const char
        *objectives; /* "time,energy", as energy_read_objectives reads it; NULL: the space's, or the time alone */
    const double *front_percent; /* energy is measured of configurations within this distance of the best time; NULL:
                                    SESSION_FRONT_PERCENT */
    bool explain;                /* explain why the winner is the fastest, within SESSION_EXPLAIN_S */
    /* The session belongs to a fit over sizes: a journal with rows of a fit (PROPOSER_FIT) is complete, without further
     * search or play-off, and the winner is not compared with a library. */
    bool fitted;
    const struct session_list *list;           /* NULL: a search */
    const struct session_judgement *judgement; /* NULL: a search, or a list */

    /* ---- Results ---- */
    const char *database; /* file; NULL: the session only evaluates (session_agent.h) */
    const char *journal;  /* folder */

    const volatile sig_atomic_t *stop; /* 0: continue; 1: end in order; 2: end at once */
    session_listener *listener;        /* may be NULL */
    void *context;                     /* for the listener */
};

/* ERROR_USAGE for a contradictory request, whatever files and devices exist. session_run checks this first; of the
 * space, it considers only whether there is one. */
int session_check(const struct session_request *request, struct error *error);

/* Runs the session. Saves and reports the best also when the session ends early. ERROR_INTERRUPTED after a stop,
 * ERROR_NO_DEVICE without a GPU, ERROR_NOT_FOUND without a row to confirm, ERROR_NOTHING_VALID if no configuration is
 * valid or none worked, and the errors of session_check and of reading and writing. */
int session_run(const struct session_request *request, struct error *error);

#endif
