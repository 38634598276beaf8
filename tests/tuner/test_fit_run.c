/* Fits over sizes with the synthetic evaluator, whose times do not depend on the size. */
#include "tuner/fit_run.h"

#include "session_world.h"

enum { SIZES = 6, EVALUATIONS = 12 };

struct fit_world {
    struct session_world session;
    struct fit_request request;
    struct fit_result result;
};

static void open_world(struct fit_world *world)
{
    memset(world, 0, sizeof *world);
    session_world_open(&world->session);
    world->session.request.max_evals = EVALUATIONS;
    world->session.request.finalists = 4;
    world->request = (struct fit_request){.session = &world->session.request, .over = "N=64..4096", .sizes = SIZES};
}

static int run(struct fit_world *world)
{
    struct heard *heard = &world->session.heard;
    char stop_at = heard->stop_at;
    *heard = (struct heard){.stop_at = stop_at};
    world->session.stop = 0;
    world->session.error = (struct error){0};
    fit_result_free(&world->result);
    return fit_run(&world->request, &world->result, &world->session.error);
}

static void close_world(struct fit_world *world)
{
    fit_result_free(&world->result);
    session_world_close(&world->session);
}

/* Every size has a time of every configuration that takes part; run again, nothing is measured. */
static void fits(void)
{
    struct fit_world world;
    struct fit_result first;
    open_world(&world);
    CU_ASSERT_EQUAL_FATAL(run(&world), 0);
    first = world.result;
    CU_ASSERT_EQUAL(first.table.size_count, SIZES);
    CU_ASSERT_EQUAL(world.session.heard.fresh > SIZES * EVALUATIONS / 2, true);
    for (size_t i = 0; i < first.table.size_count * first.table.configuration_count; i++)
        CU_ASSERT(first.table.times[i] > 0);
    for (size_t i = 0; i < first.journals.count; i++) {
        const char *missing[64];
        CU_ASSERT_EQUAL(fit_journals_missing(&first.journals, first.journals.items[i], missing), 0);
    }
    world.result = (struct fit_result){0};
    CU_ASSERT_EQUAL_FATAL(run(&world), 0);
    CU_ASSERT_EQUAL(world.session.heard.fresh, 0);
    CU_ASSERT_EQUAL_FATAL(world.result.table.configuration_count, first.table.configuration_count);
    CU_ASSERT_EQUAL(memcmp(world.result.table.sizes, first.table.sizes, SIZES * sizeof *first.table.sizes), 0);
    CU_ASSERT_EQUAL(memcmp(world.result.table.times, first.table.times,
                           SIZES * first.table.configuration_count * sizeof *first.table.times),
                    0);
    fit_result_free(&first);
    close_world(&world);
}

/* How many configurations the fit measured more than once at a size. */
static size_t measured_twice(const struct journal *journal)
{
    size_t twice = 0, count = journal_row_count(journal);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++) {
            struct journal_row a = journal_get_row(journal, i), b = journal_get_row(journal, j);
            bool same = a.measurement.proposer == PROPOSER_FIT && b.measurement.proposer == PROPOSER_FIT;
            for (size_t p = 0; p < journal_get_header(journal)->parameter_count; p++)
                same = same && strcmp(a.values[p], b.values[p]) == 0;
            twice += same;
        }
    return twice;
}

static void stops_and_goes_on(void)
{
    struct fit_world world;
    open_world(&world);
    world.session.heard.stop_at = 'f';
    for (int i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(run(&world), ERROR_INTERRUPTED);
    world.session.heard.stop_at = 0;
    CU_ASSERT_EQUAL_FATAL(run(&world), 0);
    CU_ASSERT_EQUAL(world.result.table.size_count, SIZES);
    for (size_t i = 0; i < world.result.journals.count; i++)
        CU_ASSERT_EQUAL(measured_twice(world.result.journals.items[i]->journal), 0);
    close_world(&world);
}

static void replays(void)
{
    struct fit_world world;
    size_t configurations;
    open_world(&world);
    CU_ASSERT_EQUAL_FATAL(run(&world), 0);
    configurations = world.result.table.configuration_count;
    fit_result_free(&world.result);
    CU_ASSERT_EQUAL(fit_replay(&world.request, world.session.scratch.folder, &world.result, &world.session.error),
                    ERROR_DATA); /* the database is no journal */
    CU_ASSERT_EQUAL(remove(world.session.scratch.path), 0);
    fit_result_free(&world.result);
    world.session.error = (struct error){0};
    CU_ASSERT_EQUAL(fit_replay(&world.request, world.session.scratch.folder, &world.result, &world.session.error), 0);
    CU_ASSERT_EQUAL(world.result.table.size_count, SIZES);
    CU_ASSERT_EQUAL(world.result.table.configuration_count, configurations);
    fit_result_free(&world.result);
    world.request.where = "N == 4096";
    CU_ASSERT_EQUAL(fit_replay(&world.request, world.session.scratch.folder, &world.result, &world.session.error), 0);
    CU_ASSERT_EQUAL(world.result.table.size_count, 1);
    close_world(&world);
}

/* Without time, two sizes are taken all the same; with much, all is measured. */
static void keeps_its_time(void)
{
    struct fit_world world;
    open_world(&world);
    world.request.max_time_s = 0.001;
    CU_ASSERT_EQUAL(run(&world), 0);
    CU_ASSERT_EQUAL(world.result.table.size_count, 2);
    close_world(&world);
    open_world(&world);
    world.request.max_time_s = 100000;
    CU_ASSERT_EQUAL(run(&world), 0);
    CU_ASSERT_EQUAL(world.result.table.size_count, SIZES);
    for (size_t i = 0; i < world.result.journals.count; i++)
        CU_ASSERT_EQUAL(world.result.journals.items[i]->search.outcomes.count, EVALUATIONS);
    close_world(&world);
}

/* All sizes are of the region; three fifths of them come before the first fit. */
static void takes_sizes(void)
{
    struct fit_world world;
    struct text text = {0};
    open_world(&world);
    text_printf(&text, "%sproblem M = 1\n", session_text);
    world.session.request.space_text = text_string(&text);
    world.session.request.space_length = text.length;
    world.request.over = "N=64..128, M=1024..2048";
    world.request.sizes = 5;
    CU_ASSERT_EQUAL_FATAL(run(&world), 0);
    CU_ASSERT_EQUAL(world.result.journals.count, 5);
    for (size_t i = 0; i < world.result.journals.count; i++) {
        const int64_t *sizes = world.result.journals.items[i]->sizes;
        CU_ASSERT(sizes[0] >= 64 && sizes[0] <= 128 && sizes[1] >= 1024 && sizes[1] <= 2048);
    }
    const char *first = strstr(world.session.heard.notes, "measuring ");
    CU_ASSERT_PTR_NOT_NULL_FATAL(first);
    first = strstr(first, " configurations at ");
    CU_ASSERT(first && strncmp(first, " configurations at 3 sizes\n", 27) == 0);
    text_free(&text);
    close_world(&world);
}

/* The row names the configuration that most sizes take. */
static void makes_a_row(void)
{
    static const char text[] =
        "fit 1; size N 64 4096; take A=1 B=1 C=x; take A=2 B=1 C=x; take A=4 B=1 C=x; order 1 0 2;";
    static const struct {
        size_t rules[3];
        const char *configuration;
    } rows[] = {{{2, 3, 1}, "A=2 B=1 C=x"}, {{4, 1, 1}, "A=1 B=1 C=x"}, {{2, 2, 3}, "A=4 B=1 C=x"}};
    struct fit_world world;
    struct size_fit fit;
    struct arena arena = {0};
    open_world(&world);
    CU_ASSERT_EQUAL_FATAL(run(&world), 0);
    CU_ASSERT_EQUAL_FATAL(size_fit_parse(&arena, text, &fit, &world.session.error), 0);
    const struct fit made = world.result.fit;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct best row = {0};
        world.result.fit.sizes = &fit;
        world.result.fit.rules = rows[i].rules;
        CU_ASSERT_EQUAL(fit_result_row(&world.result, &world.session.request, &row, &world.session.error), 0);
        CU_ASSERT_STRING_EQUAL(row.configuration, rows[i].configuration);
        CU_ASSERT_PTR_NOT_NULL_FATAL(row.fit);
        CU_ASSERT_STRING_EQUAL(row.fit, text);
        CU_ASSERT_STRING_EQUAL(row.provenance.problem, "N=64..4096");
    }
    world.result.fit = made;
    arena_free(&arena);
    close_world(&world);
}

static void finds_nothing(void)
{
    struct fit_world world;
    char text[sizeof session_text + 32];
    open_world(&world);
    snprintf(text, sizeof text, "%srequire N > 9000\n", session_text);
    world.session.request.space_text = text;
    world.session.request.space_length = strlen(text);
    CU_ASSERT_EQUAL(run(&world), ERROR_NOTHING_VALID);
    CU_ASSERT_PTR_NOT_NULL(strstr(world.session.error.message, "no size of the region has a result"));
    CU_ASSERT(world.result.left_out > SIZES);
    close_world(&world);
}

/* Spaces that nothing can be fitted of. */
static void refuses(void)
{
    static const struct {
        const char *text, *message;
        int code;
    } rows[] = {{"space 2\nproblem N = 64\nparam A = 1\n", "has no kernel: there is nothing to fit", ERROR_DATA},
                {"space 2\nproblem N = \n", "", ERROR_SYNTAX}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fit_world world;
        open_world(&world);
        world.session.request.space_text = rows[i].text;
        world.session.request.space_length = strlen(rows[i].text);
        CU_ASSERT_EQUAL(run(&world), rows[i].code);
        CU_ASSERT_PTR_NOT_NULL(strstr(world.session.error.message, rows[i].message));
        close_world(&world);
    }
}

CU_TestInfo tests_fit_run[] = {{"fits, and measures nothing again", fits},
                               {"stops and goes on", stops_and_goes_on},
                               {"fits journals alone", replays},
                               {"keeps its time", keeps_its_time},
                               {"no size with a result", finds_nothing},
                               {"takes sizes of the region", takes_sizes},
                               {"makes a row", makes_a_row},
                               {"refuses", refuses},
                               CU_TEST_INFO_NULL};
