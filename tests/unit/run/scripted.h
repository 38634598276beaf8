/* A scripted run on a device: eight configurations, A=1 the default. */
#ifndef CUTUNE_TESTS_TUNER_SCRIPTED_H
#define CUTUNE_TESTS_TUNER_SCRIPTED_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "base/file.h"
#include "evaluate/kept_samples.h"
#include "journal/outcomes.h"
#include "run/run.h"

enum { COUNT = 8, ASKED_MAX = 64 };
static const int64_t WAIT_NS = 1000000000, PLAYOFF_NS = 10000000000;

static const char space_text[] =
    "space 2\nkernel k \"k.cu\"\nproblem N = 1\nparam A = 1..8\nbuffer out float[N] output\n"
    "args out\nblock 32\ngrid 1\nreference r block 32 grid 1\ndefault A=1\n";

/* The script of a configuration; zeroed: measured in 2 us. */
struct part {
    double value;
    int duplicate;      /* A of the configuration with the same code; 0: none */
    enum status status; /* result of the search */
    enum status final;  /* result of a play-off */
    double final_ns;    /* 0: time_ns */
    int64_t registers;
    int64_t compile_ns, measure_ns;
    bool tied;           /* ties with the leader of the play-off */
    bool bare;           /* the time has no interval */
    const char *samples; /* of a run that keeps them; NULL: none */
    double correction;   /* of the measurement; 0: none */
};

struct scripted {
    const struct part *parts;
    double speed;        /* factor on times */
    double incumbent_ns; /* last incumbent passed on */
    uint32_t discarded;  /* of each measurement */
    bool learner;        /* the strategy learns at once */
    bool hesitates;      /* every other wait has no outcome */
    size_t waits;
    int64_t now_ns; /* a wait lasts WAIT_NS, a play-off PLAYOFF_NS */
    unsigned room, queued;
    struct {
        uint64_t index;
        bool exact;
        double incumbent_ns;
    } asked[ASKED_MAX]; /* A - 1 in order of submission */
    size_t count, playoffs;
    size_t unplayed;            /* play-offs without a result, before others */
    uint64_t played[ASKED_MAX]; /* of the last play-off */
    struct kept_samples *kept;  /* NULL: the run keeps none */
    size_t played_count;
};

/* ---- The scripted device ---- */

static inline double time_of(const struct scripted *scripted, uint64_t index, bool final)
{
    const struct part *part = &scripted->parts[index];
    double value = final && part->final_ns > 0 ? part->final_ns : part->value;
    return scripted->speed * (value > 0 ? value : 2000);
}

static inline struct measurement timed(double value)
{
    struct measurement measurement = measurement_unknown(STATUS_OK);
    measurement.value = value;
    measurement.low = 0.99 * value;
    measurement.high = 1.01 * value;
    measurement.samples = 5;
    measurement.verified = VERIFIED_TIMED;
    return measurement;
}

static inline size_t room(void *state, bool learns_at_once)
{
    const struct scripted *scripted = state;
    CU_ASSERT_EQUAL(learns_at_once, scripted->learner);
    return 1 - scripted->queued;
}

static inline double busy_s(const void *state, double compile_s, double measure_s)
{
    (void)state;
    return fmax(compile_s, measure_s);
}

static inline int submit(void *state, uint64_t index, bool exact, size_t device, struct error *error)
{
    struct scripted *scripted = state;
    (void)device, (void)error;
    CU_ASSERT_FATAL(scripted->count < ASKED_MAX && !scripted->queued);
    scripted->asked[scripted->count].index = index;
    scripted->asked[scripted->count].exact = exact;
    scripted->asked[scripted->count++].incumbent_ns = scripted->incumbent_ns;
    scripted->queued = 1;
    return 0;
}

static inline int wait(void *state, int64_t until_ns, struct evaluation *done, size_t space, size_t *count,
                       struct error *error)
{
    struct scripted *scripted = state;
    (void)until_ns, (void)error, (void)space;
    scripted->now_ns += WAIT_NS;
    *count = scripted->hesitates && scripted->waits++ % 2 == 0 ? 0 : scripted->queued;
    if (!*count)
        return 0;
    scripted->queued = 0;
    uint64_t index = scripted->asked[scripted->count - 1].index;
    const struct part *part = &scripted->parts[index];
    struct measurement measurement =
        timed(time_of(scripted, part->duplicate ? (uint64_t)part->duplicate - 1 : index, false));
    if (part->bare)
        measurement.low = measurement.high = NAN;
    measurement.registers = part->registers;
    measurement.discarded = scripted->discarded;
    if (part->status != STATUS_OK) {
        measurement = measurement_unknown(part->status);
    } else if (!scripted->asked[scripted->count - 1].exact && measurement.low > scripted->incumbent_ns) {
        measurement.status = STATUS_SLOWER;
    } else if (part->duplicate) {
        measurement.status = STATUS_DUPLICATE;
    }
    uint64_t original = OUTCOME_NO_DUPLICATE;
    if (part->duplicate && measurement_has_value(&measurement)) {
        char duplicate[8];
        original = (uint64_t)part->duplicate - 1;
        snprintf(duplicate, sizeof duplicate, "A=%d", part->duplicate);
        measurement_explain_duplicate(&measurement, duplicate, "");
    }
    measurement.compile_ns = part->compile_ns;
    measurement.measure_ns = part->measure_ns;
    if (part->correction > 0)
        measurement.correction = part->correction;
    CU_ASSERT_EQUAL(kept_samples_put(scripted->kept, index, 0, part->samples ? part->samples : "", error), 0);
    *done = (struct evaluation){.index = index,
                                .original = original,
                                .measurement = measurement,
                                .log = part->status == STATUS_COMPILE_ERROR ? "the whole log" : NULL};
    return 0;
}

static inline void incumbent(void *state, size_t device, double high)
{
    (void)device;
    ((struct scripted *)state)->incumbent_ns = high;
}

static inline int playoff(void *state, const uint64_t *indices, size_t count, struct measurement *finals, bool *played,
                          struct error *error)
{
    struct scripted *scripted = state;
    size_t leader = 0;
    bool broken = false;
    (void)error;
    scripted->playoffs++;
    scripted->now_ns += PLAYOFF_NS;
    scripted->played_count = count;
    if (scripted->unplayed) {
        scripted->unplayed--;
        for (size_t i = 0; i < count; i++)
            finals[i] = measurement_unknown(STATUS_TIMEOUT);
        measurement_explain(&finals[count - 1], "not finished");
        *played = false;
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        const struct part *part = &scripted->parts[indices[i]];
        scripted->played[i] = indices[i];
        finals[i] = timed(time_of(scripted, indices[i], true));
        finals[i].registers = part->registers;
        if (part->final != STATUS_OK) {
            finals[i] = measurement_unknown(part->final);
            broken = true;
        }
        finals[i].discarded = scripted->discarded;
        if (finals[i].value < finals[leader].value)
            leader = i;
    }
    for (size_t i = 0; i < count; i++)
        if (finals[i].status == STATUS_OK) {
            finals[i].playoff = i == leader                        ? PLAYOFF_LEADER
                                : scripted->parts[indices[i]].tied ? PLAYOFF_TIED
                                                                   : PLAYOFF_LOST;
            if (broken)
                finals[i].value = finals[i].low = finals[i].high = NAN;
        }
    *played = true;
    return 0;
}

static inline int64_t now(void *state)
{
    return ((struct scripted *)state)->now_ns;
}

static const struct evaluator_ops scripted_ops = {.room = room,
                                                  .busy_s = busy_s,
                                                  .submit = submit,
                                                  .wait = wait,
                                                  .stops_early = true,
                                                  .incumbent = incumbent,
                                                  .now = now,
                                                  .playoff = playoff};

/* ---- A run ---- */

struct stage {
    char folder[32], path[64];
};

static inline void set_up(struct stage *stage)
{
    strcpy(stage->folder, "/tmp/cutune-again-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(stage->folder));
    snprintf(stage->path, sizeof stage->path, "%s/j.csv", stage->folder);
}

static inline void clear(const struct stage *stage)
{
    unlink(stage->path);
    rmdir(stage->folder);
}

struct limits {
    size_t finalists;
    uint64_t max_evals;
    const char *values;                  /* of A, as for --set; NULL: all */
    const struct strategy_ops *strategy; /* NULL: exhaustive */
    bool exact;
    double target;
    const uint64_t *first; /* as in struct run_setup */
    size_t first_count;
    const uint64_t *incumbent; /* likewise */
    const uint64_t *newcomer;  /* plays after the run; NULL: none */
    bool confirms;
    int (*on)(void *context, const struct run_event *event, struct error *error);
    int code; /* of the run */
    int (*elsewhere)(void *context, const uint64_t *indices, size_t count, struct measurement *finals,
                     struct error *error);
    void *seen; /* the context of both */
};

/* Makes a session on the journal: another call resumes it. The index of A=a in a full set is a - 1; in a narrowed one,
 * the script uses the values. */
static inline void session(const struct stage *stage, struct scripted *scripted, const struct limits *limits,
                           struct run_progress *progress)
{
    struct space *space = NULL;
    struct valid_set *set = NULL;
    struct journal *journal = NULL;
    struct search_run *run = NULL;
    struct error error = {0};
    struct evaluator evaluator = {&scripted_ops, scripted};
    struct journal_header header = journal_header_unknown();
    header.provenance.fingerprint = "f";
    header.provenance.kernel = "k";
    header.parameter_count = 1;
    header.parameters = (const char *const[]){"A"};
    header.extras = journal_samples_column;
    header.extra_count = scripted->kept != NULL;
    scripted->count = scripted->playoffs = scripted->queued = 0;
    scripted->incumbent_ns = INFINITY;
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", space_text, strlen(space_text), "A", &error), 0);
    if (limits->values)
        CU_ASSERT_EQUAL_FATAL(space_narrow(space, limits->values, &error), 0);
    CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, NULL, &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, space, VALID_SET_DEFAULT_BYTES, &error), 0);
    CU_ASSERT_EQUAL_FATAL(journal_open(&journal, stage->path, &header, &error), 0);
    int code = run_open(&run,
                        &(struct run_setup){.space = space,
                                            .set = set,
                                            .strategy = limits->strategy ? limits->strategy : &strategy_exhaustive,
                                            .evaluator = &evaluator,
                                            .journal = journal,
                                            .kept = scripted->kept,
                                            .max_evals = limits->max_evals,
                                            .exact = limits->exact,
                                            .target = limits->target,
                                            .first = limits->first,
                                            .first_count = limits->first_count,
                                            .incumbent = limits->incumbent,
                                            .confirms = limits->confirms,
                                            .on = limits->on,
                                            .finalists = limits->finalists,
                                            .elsewhere = limits->elsewhere,
                                            .context = limits->seen},
                        progress, &error);
    if (!code && limits->newcomer)
        code = run_play_again(run, *limits->newcomer, &error);
    run_close(run);
    CU_ASSERT_EQUAL(code, limits->code);
    CU_ASSERT_EQUAL(journal_close(journal, &error), 0);
    valid_set_free(set);
    space_free(space);
}

/* Checks the submissions, as "A=3! A=5" ('!': to be timed to the end). */
static inline void check_asked(const struct scripted *scripted, const char *expected)
{
    struct text text = {0};
    for (size_t i = 0; i < scripted->count; i++)
        text_printf(&text, "%sA=%d%s", i ? " " : "", (int)scripted->asked[i].index + 1,
                    scripted->asked[i].exact ? "!" : "");
    if (strcmp(text_string(&text), expected) != 0)
        printf("\n    asked for %s, not %s\n", text_string(&text), expected);
    CU_ASSERT_STRING_EQUAL(text_string(&text), expected);
    text_free(&text);
}

#endif
