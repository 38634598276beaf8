/* Sessions from request to events and rows: on the synthetic evaluator, in replays and on the fake CUDA runtime. */
#include <math.h>

#include "base/clock.h"
#include "evaluate/eval_synth.h"
#include "session_world.h"

/* ---- Synthetic ---- */

/* The evaluator's optimum: buffers and noise have the seed 1, whatever the search's seed. */
static void find_optimum(const struct session_request *request, char *buffer, size_t room)
{
    struct error error = {0};
    struct space *space = NULL;
    struct valid_set *set = NULL;
    struct text text = {0};
    uint32_t choices[SPACE_PARAMETERS_MAX];
    CU_ASSERT_EQUAL_FATAL(
        space_parse_text(&space, request->space_path, request->space_text, request->space_length, NULL, &error), 0);
    for (size_t i = 0; i < request->set_count; i++)
        CU_ASSERT_EQUAL_FATAL(space_narrow(space, request->sets[i], &error), 0);
    CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, NULL, &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, space, VALID_SET_DEFAULT_BYTES, &error), 0);
    valid_set_get(set, synth_optimum(set, 1), choices);
    space_config_text(space, choices, &text);
    session_copy(buffer, room, text_string(&text));
    text_free(&text);
    valid_set_free(set);
    space_free(space);
}

static void searches(void)
{
    static const char *const some[] = {"A=1,2,3,4,5,6", "C=y"}, *const listed[] = {"C=y A=8 B=4", "A=4 B=1 C=x"};
    static const struct {
        const char *name, *strategy, *kinds, *used; /* used: the strategy as in the row */
        size_t sets, configurations, finalists;
        uint64_t max_evals, patience, evaluated; /* evaluated: 0 if unknown beforehand */
        bool optimum;
    } rows[] = {
        {"everything", NULL, "zsEfR", "exhaustive", 0, 0, 0, 0, 0, SESSION_VALID, true},
        {"with a play-off", NULL, "zsEfR", "exhaustive", 0, 0, 4, 0, 0, SESSION_VALID, true},
        {"some values", "random", "znsEfR", "random", 2, 0, 0, 0, 0, 10, true},
        {"a list", NULL, "znsEfR", "exhaustive", 0, 2, 0, 0, 0, 2, false},
        {"a budget", "surrogate", "zsEfR", "surrogate", 0, 0, 0, 9, 0, 9, false},
        {"patience", "random", "zsEfR", "random", 0, 0, 0, 0, 5, 0, false},
        {"options", "surrogate:initial=6", "zsEfR", "surrogate:initial=6", 0, 0, 0, 20, 0, 20, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct session_world world;
        char optimum[128];
        session_world_open(&world);
        world.request.strategy = rows[i].strategy;
        world.request.sets = some;
        world.request.set_count = rows[i].sets;
        world.request.configurations = listed;
        world.request.configuration_count = rows[i].configurations;
        world.request.max_evals = rows[i].max_evals;
        world.request.patience = rows[i].patience;
        world.request.finalists = rows[i].finalists;
        session_world_expect(&world, rows[i].name, 0, "");
        const struct heard *heard = &world.heard;
        find_optimum(&world.request, optimum, sizeof optimum);
        session_expect(rows[i].name, "the order of events", rows[i].kinds, heard->kinds);
        session_expect(rows[i].name, "the strategy", rows[i].used, heard->strategy);
        CU_ASSERT(rows[i].evaluated ? heard->evaluated == rows[i].evaluated
                                    : heard->evaluated > rows[i].patience && heard->evaluated < SESSION_VALID);
        CU_ASSERT(rows[i].finalists ? heard->fresh > rows[i].evaluated : heard->fresh == heard->evaluated);
        CU_ASSERT_EQUAL(heard->finalists > 0, rows[i].finalists > 0);
        if (rows[i].optimum)
            session_expect(rows[i].name, "the best", optimum, heard->configuration);
        CU_ASSERT(heard->saved && heard->outcome == DATABASE_ADDED && isnan(heard->previous_value));
        CU_ASSERT(!heard->replayed && !heard->interrupted && !heard->has_usage && isnan(heard->roofline_ns));
        session_world_close(&world);
    }
}

/* One folder, one session after the other: a budget, then the rest, then nothing new; other sizes begin with the
 * winner. */
static void goes_on(void)
{
    static const char *const sizes[] = {"N=128"};
    static const struct {
        const char *name;
        uint64_t max_evals, seed, evaluated, fresh;
        size_t defines, warm;
        enum database_outcome outcome;
        bool notes; /* notes that it resumes */
    } rows[] = {
        {"a budget", 20, 3, 20, 20, 0, 0, DATABASE_ADDED, false},
        {"the rest", 0, 5, SESSION_VALID, SESSION_VALID - 20 + 1, 0, 0, DATABASE_REPLACED, true}, /* the best again */
        {"nothing new", 0, 5, SESSION_VALID, 0, 0, 0, DATABASE_REPLACED, true},
        {"other sizes", 9, 3, 9, 9, 1, 1, DATABASE_ADDED, false},
    };
    struct session_world world;
    char best[128] = "";
    session_world_open(&world);
    world.request.strategy = "random";
    world.request.defines = sizes;
    world.request.warm_start = 8;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct heard *heard = &world.heard;
        world.request.max_evals = rows[i].max_evals;
        world.request.seed = rows[i].seed;
        world.request.define_count = rows[i].defines;
        session_world_expect(&world, rows[i].name, 0, "");
        session_expect(rows[i].name, "the order of events", rows[i].notes ? "znsEfR" : "zsEfR", heard->kinds);
        CU_ASSERT_EQUAL(strstr(heard->notes, " evaluations are already in ") != NULL, rows[i].notes);
        CU_ASSERT_EQUAL(heard->evaluated, rows[i].evaluated);
        CU_ASSERT_EQUAL(heard->fresh, rows[i].fresh);
        CU_ASSERT_EQUAL(heard->warm, rows[i].warm);
        CU_ASSERT(heard->saved && heard->outcome == rows[i].outcome);
        session_expect(rows[i].name, "the warm start", rows[i].warm ? best : "", heard->warm_start);
        session_copy(best, sizeof best, heard->configuration);
    }
    session_world_close(&world);
}

/* Gives the database's row another configuration, as another process might. */
static void change_row(const struct session_world *world, const char *configuration)
{
    struct database *database = NULL;
    enum database_outcome outcome;
    CU_ASSERT_EQUAL_FATAL(database_open(&database, world->scratch.path, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(database_count(database), 1);
    struct best best = *database_get(database, 0);
    best.configuration = configuration;
    CU_ASSERT_EQUAL(database_put(world->scratch.path, &best, database_get(database, 0), &outcome, NULL, NULL), 0);
    CU_ASSERT_EQUAL(outcome, DATABASE_REPLACED);
    database_close(database);
}

/* One folder, one session after the other: the database's row defends itself, and --confirm plays again. */
static void defends_the_row(void)
{
    static const char *const without[] = {"A=1,2,3"};
    static const struct {
        const char *name, *changed; /* configuration that another process has put; "optimum"; NULL: none */
        bool confirm, narrowed;
        int code;
        const char *message;
        enum incumbent_verdict verdict;
        bool plays, optimum; /* optimum: wins */
    } rows[] = {
        {"nothing to confirm", NULL, true, false, ERROR_NOT_FOUND, "--confirm: ", INCUMBENT_NONE, false, false},
        {"a new row", NULL, false, false, 0, "", INCUMBENT_NONE, true, true},
        {"again", NULL, false, false, 0, "", INCUMBENT_HOLDS, false, true},
        {"confirmed", NULL, true, false, 0, "", INCUMBENT_HOLDS, true, true},
        {"a slower one", "A=4 B=2 C=x", false, false, 0, "", INCUMBENT_REPLACED, true, true},
        {"a slower one, confirmed", "A=4 B=2 C=x", true, false, 0, "", INCUMBENT_REPLACED, true, true},
        {"not in the set", "A=20 B=1 C=y", false, true, 0, "", INCUMBENT_NONE, true, false},
        {"not in the set, confirmed", "A=20 B=1 C=y", true, true, ERROR_NOT_FOUND, "--confirm: ", INCUMBENT_NONE, false,
         false},
        {"no configuration", "A=99", false, false, 0, "", INCUMBENT_NONE, false, true},
    };
    struct session_world world;
    char optimum[128];
    session_world_open(&world);
    world.request.finalists = 4;
    find_optimum(&world.request, optimum, sizeof optimum);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct heard *heard = &world.heard;
        if (rows[i].changed)
            change_row(&world, rows[i].changed);
        world.request.confirm = rows[i].confirm;
        world.request.sets = without;
        world.request.set_count = rows[i].narrowed;
        session_world_expect(&world, rows[i].name, rows[i].code, rows[i].message);
        if (heard->verdict != rows[i].verdict || (heard->fresh > 0) != rows[i].plays)
            fprintf(stderr, "\n%s: verdict %d, %zu measured\n", rows[i].name, heard->verdict, heard->fresh);
        CU_ASSERT_EQUAL(heard->verdict, rows[i].verdict);
        CU_ASSERT_EQUAL(heard->fresh > 0, rows[i].plays);
        if (heard->verdict)
            session_expect(rows[i].name, "the incumbent", rows[i].changed ? rows[i].changed : optimum,
                           heard->incumbent);
        if (heard->verdict)
            CU_ASSERT(heard->saved && heard->outcome == DATABASE_REPLACED);
        if (rows[i].optimum)
            session_expect(rows[i].name, "the best", optimum, heard->configuration);
    }
    session_world_close(&world);
}

/* The row that another process saves while a session runs. */
static struct {
    const struct database *database; /* of one row, whose answer it changes */
    const char *configuration;
    double value;
    size_t searched, played; /* how often it saves at the end of the search, and while a further play-off is held */
    bool late;
    size_t saved;
} other;

static void save_other(struct session_world *world, const struct session_event *event)
{
    char date[] = "2020-01-01T00:00:00Z";
    size_t *left = other.late ? &other.played : &other.searched;
    bool now = other.late ? event->kind == SESSION_WAIT : event->kind == SESSION_SEARCHED;
    if (now && *left) {
        struct best best = *database_get(other.database, 0);
        enum database_outcome outcome;
        date[18] += (char)other.saved++;
        --*left;
        best.configuration = other.configuration;
        best.value = best.low = best.high = other.value;
        best.provenance.date = date;
        CU_ASSERT_EQUAL(database_put(world->scratch.path, &best, NULL, &outcome, NULL, NULL), 0);
        CU_ASSERT(outcome == DATABASE_ADDED || outcome == DATABASE_REPLACED);
    }
    other.late |= event->kind == SESSION_SEARCHED;
}

/* Another process saves a row while a session searches: both give one answer. */
static void meets_another(void)
{
    static const char *const without[] = {"A=1,2,4,5,8,10,16"};
    static const struct {
        const char *name, *configuration; /* NULL: the best one */
        double value;                     /* of the best one's */
        size_t searched, played, finalists;
        bool narrowed;
        enum incumbent_verdict verdict;
        enum database_outcome outcome;
        bool same; /* the database has the answer */
    } rows[] = {
        {"the same", NULL, 1, 1, 0, 4, false, INCUMBENT_NONE, DATABASE_REPLACED, true},
        {"a slower one, as fast by its row", "A=4 B=2 C=x", 1, 1, 0, 4, false, INCUMBENT_REPLACED, DATABASE_REPLACED,
         true},
        {"a slower one, faster by its row", "A=4 B=2 C=x", 0.5, 1, 0, 4, false, INCUMBENT_REPLACED, DATABASE_REPLACED,
         true},
        {"a slower one, with fresh figures", "A=4 B=2 C=x", 0.5, 1, 1, 4, false, INCUMBENT_REPLACED, DATABASE_REPLACED,
         true},
        {"a slower one, by its row", "A=4 B=2 C=x", 2, 1, 0, 4, false, INCUMBENT_NONE, DATABASE_REPLACED, true},
        {"no play-off", "A=4 B=2 C=x", 0.5, 1, 0, 0, false, INCUMBENT_NONE, DATABASE_KEPT_FASTER, false},
        {"not in the set", "A=20 B=1 C=y", 0.5, 1, 0, 4, true, INCUMBENT_NONE, DATABASE_KEPT_FASTER, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct session_world world;
        struct database *saved = NULL, *now = NULL;
        const struct heard *heard = &world.heard;
        session_world_open(&world);
        world.request.finalists = rows[i].finalists;
        world.request.sets = without;
        world.request.set_count = rows[i].narrowed;
        session_world_expect(&world, rows[i].name, 0, "");
        const size_t fresh = heard->fresh;
        const uint64_t evaluated = heard->evaluated;
        CU_ASSERT_EQUAL_FATAL(database_open(&saved, world.scratch.path, NULL), 0);
        const struct best *best = database_get(saved, 0);
        memset(&other, 0, sizeof other);
        other.database = saved;
        other.configuration = rows[i].configuration ? rows[i].configuration : best->configuration;
        other.value = rows[i].value * best->value;
        other.searched = rows[i].searched;
        other.played = rows[i].played;
        world.meanwhile = save_other;
        CU_ASSERT_EQUAL(remove(world.scratch.path), 0);
        CU_ASSERT_EQUAL(remove(heard->journal), 0);
        session_world_expect(&world, rows[i].name, 0, "");
        CU_ASSERT_EQUAL(other.saved, rows[i].searched + rows[i].played);
        CU_ASSERT_EQUAL(heard->fresh, fresh);
        CU_ASSERT_EQUAL(heard->evaluated, evaluated);
        CU_ASSERT_EQUAL(heard->verdict, rows[i].verdict);
        CU_ASSERT_EQUAL(heard->outcome, rows[i].outcome);
        CU_ASSERT_EQUAL(strstr(heard->notes, "another run has saved A=") != NULL, rows[i].verdict != INCUMBENT_NONE);
        session_expect(rows[i].name, "the best", best->configuration, heard->configuration);
        CU_ASSERT_EQUAL_FATAL(database_open(&now, world.scratch.path, NULL), 0);
        session_expect(rows[i].name, "the row", rows[i].same ? best->configuration : other.configuration,
                       database_get(now, 0)->configuration);
        if (heard->verdict)
            session_expect(rows[i].name, "the incumbent", other.configuration, heard->incumbent);
        database_close(now);
        database_close(saved);
        session_world_close(&world);
    }
}

/* ---- Ends ---- */

/* Stops and errors of the listener, and the results saved nevertheless. */
static void ends(void)
{
    static const struct {
        const char *name;
        char refuse, stop_at;
        const char *kinds, *message;
        int code;
        bool saved;
    } rows[] = {
        {"an end before the search", 0, 'z', "zsf", "interrupted; all measurements are saved", ERROR_INTERRUPTED,
         false},
        {"an end in the search", 0, 'E', "zsEfR", "interrupted; all measurements are saved", ERROR_INTERRUPTED, true},
        {"nobody hears the sizes", 'z', 0, "z", "nobody listens", ERROR_IO, true},
        {"nobody hears an evaluation", 'E', 0, "zsE", "nobody listens", ERROR_IO, true},
        {"nobody hears the result", 'R', 0, "zsEfR", "nobody listens", ERROR_IO, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct session_world world;
        struct database *database = NULL;
        session_world_open(&world);
        world.heard.refuse = rows[i].refuse;
        world.heard.stop_at = rows[i].stop_at;
        session_world_expect(&world, rows[i].name, rows[i].code, rows[i].message);
        session_expect(rows[i].name, "the order of events", rows[i].kinds, world.heard.kinds);
        if (*world.heard.configuration)
            CU_ASSERT_EQUAL(world.heard.interrupted, rows[i].stop_at != 0);
        CU_ASSERT_EQUAL_FATAL(database_open(&database, world.scratch.path, NULL), 0);
        CU_ASSERT_EQUAL(database_count(database), rows[i].saved);
        database_close(database);
        session_world_close(&world);
    }
}

/* Without a listener and a stop flag. */
static void needs_no_listener(void)
{
    struct session_world world;
    session_world_open(&world);
    world.request.listener = NULL;
    world.request.stop = NULL;
    session_world_expect(&world, "no listener", 0, "");
    session_world_close(&world);
}

/* ---- Replays ---- */

static void replays(void)
{
    static const char *const some[] = {"C=x"};
    static const struct {
        const char *name, *kinds;
        bool alone;
        size_t sets;
        uint64_t evaluated;
        bool left_out;
    } rows[] = {
        {"with its space", "znsEfR", false, 0, 20, true},
        {"some of it", "znsEfR", false, 1, 0, true},
        {"alone", "zsEfR", true, 0, 20, false},
    };
    struct session_world world;
    char recorded[256], best[128];
    session_world_open(&world);
    world.request.strategy = "random";
    world.request.max_evals = 20;
    session_world_expect(&world, "recording", 0, "");
    session_copy(recorded, sizeof recorded, world.heard.journal);
    session_copy(best, sizeof best, world.heard.configuration);
    const struct session_request whole = world.request;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct heard *heard = &world.heard;
        world.request = whole;
        world.request.synthetic = false;
        world.request.strategy = NULL;
        world.request.max_evals = 0;
        world.request.replay = recorded;
        world.request.database = "/nonexistent/cutune.csv"; /* unused */
        world.request.sets = some;
        world.request.set_count = rows[i].sets;
        if (rows[i].alone)
            world.request.space_path = world.request.space_text = NULL;
        session_world_expect(&world, rows[i].name, 0, "");
        session_expect(rows[i].name, "the order of events", rows[i].kinds, heard->kinds);
        CU_ASSERT(heard->replayed && !heard->saved && !*heard->journal && !heard->interrupted);
        CU_ASSERT_EQUAL(strstr(heard->notes, " valid configurations are not in ") != NULL, rows[i].left_out);
        if (rows[i].evaluated) {
            CU_ASSERT_EQUAL(heard->evaluated, rows[i].evaluated);
            session_expect(rows[i].name, "the best", best, heard->configuration);
        } else {
            CU_ASSERT(heard->evaluated > 0 && heard->evaluated < 20);
            CU_ASSERT_PTR_NOT_NULL(strstr(heard->configuration, "C=x"));
        }
    }
    world.heard.stop_at = 'E';
    session_world_expect(&world, "an end of a replay", ERROR_INTERRUPTED, "interrupted; a replay saves nothing");
    CU_ASSERT(world.heard.replayed && world.heard.interrupted && !world.heard.saved);
    session_world_close(&world);
}

/* ---- Lists ---- */

/* Measures configurations for an existing journal, under its fingerprint only. */
static void measures_lists(void)
{
    static const char *const configurations[] = {"A=7 B=1 C=y", "A=5 B=8 C=x"};
    struct measurement measurements[2];
    bool done[2] = {false, false};
    struct session_world world;
    struct journal *journal = NULL;
    char path[256];
    session_world_open(&world);
    world.request.configurations = configurations;
    world.request.configuration_count = 1;
    session_world_expect(&world, "recording", 0, "");
    session_copy(path, sizeof path, world.heard.journal);
    world.request.configuration_count = 0;
    CU_ASSERT_EQUAL_FATAL(journal_read(&journal, path, NULL), 0);
    size_t rows = journal_row_count(journal);
    struct session_list list = {.journal = journal, .work = {configurations, 2, measurements, done}};
    world.request.list = &list;
    session_world_expect(&world, "a list", 0, "");
    session_expect("a list", "the order of events", "zsEf", world.heard.kinds);
    CU_ASSERT(done[0] && done[1]);
    CU_ASSERT_EQUAL(measurements[0].status, STATUS_OK);
    CU_ASSERT_EQUAL(measurements[1].status, STATUS_PRUNED_LIMIT);
    journal_close(journal, NULL);
    CU_ASSERT_EQUAL_FATAL(journal_read(&journal, path, NULL), 0);
    CU_ASSERT_EQUAL(journal_row_count(journal), rows + 2);
    list.journal = journal;
    world.request.conditions.samples++;
    session_world_expect(&world, "another fingerprint", ERROR_DATA, path);
    journal_close(journal, NULL);
    session_world_close(&world);
}

/* Where a fit has measured, be it the default alone, nothing more is measured for it. */
static void searches_no_further_for_a_fit(void)
{
    static const char *const configurations[] = {"A=4 B=2 C=x"};
    static const struct {
        const char *name;
        uint64_t searched; /* before the fit */
        bool fitted;
        uint64_t evaluated;
    } rows[] = {
        {"for a fit", 0, true, 1}, {"for a fit after a search", 5, true, 5}, {"otherwise", 0, false, SESSION_VALID}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct measurement measurement;
        bool done = false;
        struct session_world world;
        struct session_list list = {.work = {.configurations = configurations,
                                             .count = 1,
                                             .measurements = &measurement,
                                             .done = &done,
                                             .proposer = PROPOSER_FIT}};
        session_world_open(&world);
        world.request.max_evals = rows[i].searched;
        if (rows[i].searched)
            session_world_expect(&world, "a search", 0, "");
        world.request.max_evals = 0;
        world.request.list = &list;
        session_world_expect(&world, "the fit's measurement", 0, "");
        CU_ASSERT(done);
        world.request.list = NULL;
        world.request.fitted = rows[i].fitted;
        session_world_expect(&world, rows[i].name, 0, "");
        CU_ASSERT_EQUAL(world.heard.evaluated, rows[i].evaluated);
        session_world_close(&world);
    }
}

/* ---- The fake CUDA runtime ---- */

static void tunes_the_fake_device(void)
{
    static const char *const sets[] = {"TIME=5000,6000", "FAULT=none,broken", "FROM=1", "SHARED=0", "ASIDE=0"};
    static const struct {
        const char *name, *kinds;
        size_t fresh; /* 2 take part in the play-off */
        enum database_outcome outcome;
        bool has_log;
    } rows[] = {
        {"new", "zsEfR", 4, DATABASE_ADDED, true},
        {"again", "znsEfR", 0, DATABASE_REPLACED, false},
    };
    struct session_world world;
    struct text log = {0};
    char log_path[320];
    session_world_open_device(&world, sets, sizeof sets / sizeof *sets);
    world.request.jobs = 2;
    world.request.finalists = 2;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct heard *heard = &world.heard;
        session_world_expect(&world, rows[i].name, 0, "");
        session_expect(rows[i].name, "the order of events", rows[i].kinds, heard->kinds);
        session_expect(rows[i].name, "the best", "TIME=5000 FAULT=none FROM=1 ASIDE=0 SHARED=0", heard->configuration);
        CU_ASSERT_EQUAL(heard->evaluated, 4);
        CU_ASSERT_EQUAL(heard->failures, 2);
        CU_ASSERT(heard->fresh >= rows[i].fresh && (rows[i].fresh || !heard->fresh));
        CU_ASSERT(heard->value == 5000 && heard->saved && heard->outcome == rows[i].outcome && heard->has_usage);
        CU_ASSERT_EQUAL(heard->has_log, rows[i].has_log);
    }
    snprintf(log_path, sizeof log_path, "%s.log", world.heard.journal);
    CU_ASSERT_EQUAL_FATAL(file_read(log_path, 1 << 20, &log, NULL), 0);
    CU_ASSERT_EQUAL(strncmp(text_string(&log), "---- TIME=", 10), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&log), "a variant that does not compile"));
    text_free(&log);
    session_world_close(&world);
}

/* The time limit ends a set-up whose reference never ends. */
static void ends_in_time(void)
{
    static const char *const sets[] = {"TIME=6000", "FAULT=none", "SHARED=0", "ASIDE=0"};
    struct session_world world;
    session_world_open_device(&world, sets, sizeof sets / sizeof *sets);
    char *fault = strstr(strstr(world.text.bytes, "default TIME"), "none");
    memcpy(fault, "spin", 4);
    world.request.end_ns = clock_now_ns() + 2 * INT64_C(1000000000);
    session_world_expect(&world, "a reference that spins", ERROR_NOTHING_VALID,
                         "the time limit was over before a configuration");
    session_world_close(&world);
}

/* A limit of the whole command leaves the search what saving and the play-off do not need. The play-off takes at most a
 * quarter of the time. It may take more for two finalists alone, and then at most half. */
static void shares_its_time(void)
{
    static const struct {
        const char *name, *state;
        double total_s, search_s; /* search_s: at most */
        size_t finalists;
    } rows[] = {
        {"no play-off", "burst", 2.35, 2.05, 0},
        {"enough for everything", "burst", 30, 22.75, 8},
        {"a quarter for a play-off under load", "sustained", 30, 22.25, 8},
        {"more than a quarter for two", "burst", 2.9, 1.85, 8},
        {"half for two", "burst", 1.5, 0.65, 8},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double opening_s = 0.5;
        struct session_world world;
        session_world_open(&world);
        world.request.conditions.state = rows[i].state;
        world.request.finalists = rows[i].finalists;
        world.request.playoff_processes = 6;
        world.request.end_ns = clock_now_ns() + (int64_t)(rows[i].total_s * 1e9);
        session_world_expect(&world, rows[i].name, 0, "");
        double search_s = (double)world.heard.limit_ns * 1e-9;
        CU_ASSERT(search_s <= rows[i].search_s && search_s > rows[i].search_s - opening_s);
        session_world_close(&world);
    }
}

CU_TestInfo tests_session[] = {{"searches", searches},
                               {"goes on", goes_on},
                               {"defends the row", defends_the_row},
                               {"meets another", meets_another},
                               {"ends", ends},
                               {"needs no listener", needs_no_listener},
                               {"replays", replays},
                               {"measures lists", measures_lists},
                               {"searches no further for a fit", searches_no_further_for_a_fit},
                               {"ends in time", ends_in_time},
                               {"shares its time", shares_its_time},
                               {"tunes the fake device", tunes_the_fake_device},
                               CU_TEST_INFO_NULL};
