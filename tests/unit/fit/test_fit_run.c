/* Fits over sizes with the synthetic evaluator, whose times do not depend on the size. */
#include "fit/fit_run.h"

#include "../session/session_world.h"
#include "base/file.h"

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

/* Every size has a time of every configuration that takes part; a second run measures nothing. */
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

/* A later run takes the sizes of earlier searches first, then those where the fit is least certain. */
static void takes_earlier(void)
{
    struct fit_world world;
    struct fit_result first;
    open_world(&world);
    world.request.sizes = 4 * SIZES;
    CU_ASSERT_EQUAL_FATAL(run(&world), 0);
    first = world.result;
    world.result = (struct fit_result){0};
    for (size_t sizes = 2; sizes <= 4 * SIZES; sizes += 2) {
        world.request.sizes = sizes;
        CU_ASSERT_EQUAL_FATAL(run(&world), 0);
        CU_ASSERT_EQUAL(world.result.table.size_count, sizes);
        CU_ASSERT_EQUAL(world.session.heard.fresh, 0);
    }
    CU_ASSERT_EQUAL(memcmp(world.result.table.sizes, first.table.sizes, 4 * SIZES * sizeof *first.table.sizes), 0);
    fit_result_free(&first);
    close_world(&world);
}

/* Number of configurations that the fit measured more than once at a size. */
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

/* Makes a second journal of the first size. */
static void copy_journal(const struct fit_world *world)
{
    struct text text = {0};
    struct error error = {0};
    char path[4096];
    snprintf(path, sizeof path, "%s/copy.csv", world->session.scratch.folder);
    CU_ASSERT_EQUAL_FATAL(file_read(world->result.journals.items[0]->path, SIZE_MAX, &text, &error), 0);
    CU_ASSERT_EQUAL_FATAL(file_replace(path, text_string(&text), text.length, &error), 0);
    text_free(&text);
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
                    ERROR_DATA); /* the database is not a journal */
    CU_ASSERT_EQUAL(remove(world.session.scratch.path), 0);
    fit_result_free(&world.result);
    world.session.error = (struct error){0};
    CU_ASSERT_EQUAL(fit_replay(&world.request, world.session.scratch.folder, &world.result, &world.session.error), 0);
    CU_ASSERT_EQUAL(world.result.table.size_count, SIZES);
    CU_ASSERT_EQUAL(world.result.table.configuration_count, configurations);
    CU_ASSERT_PTR_NULL(strstr(world.session.heard.notes, "left out"));
    copy_journal(&world);
    fit_result_free(&world.result);
    CU_ASSERT_EQUAL(fit_replay(&world.request, world.session.scratch.folder, &world.result, &world.session.error), 0);
    CU_ASSERT_EQUAL(world.result.table.size_count, SIZES);
    CU_ASSERT_PTR_NOT_NULL(strstr(world.session.heard.notes, "left out: another journal has these sizes"));
    fit_result_free(&world.result);
    world.request.where = "N == 4096";
    CU_ASSERT_EQUAL(fit_replay(&world.request, world.session.scratch.folder, &world.result, &world.session.error), 0);
    CU_ASSERT_EQUAL(world.result.table.size_count, 1);
    close_world(&world);
}

/* Even without time, it takes two sizes; with much time, it measures all. Without a limit, no search has one. */
static void keeps_its_time(void)
{
    static const struct {
        double max_time_s;
        size_t sizes;
    } rows[] = {{0.001, 2}, {100000, SIZES}, {0, SIZES}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct fit_world world;
        open_world(&world);
        world.request.max_time_s = rows[r].max_time_s;
        CU_ASSERT_EQUAL(run(&world), 0);
        CU_ASSERT_EQUAL(world.result.table.size_count, rows[r].sizes);
        CU_ASSERT_EQUAL(world.session.heard.limit_ns > 0, rows[r].max_time_s > 0);
        for (size_t i = 0; i < world.result.journals.count && rows[r].sizes == SIZES; i++)
            CU_ASSERT_EQUAL(world.result.journals.items[i]->search.outcomes.count, EVALUATIONS);
        close_world(&world);
    }
}

/* ---- Probes ---- */

enum { PROBES = 5 };

static void open_probing(struct fit_world *world)
{
    open_world(world);
    world->request.probes = PROBES;
}

static size_t probed_count(const struct fit_result *result)
{
    size_t probed = 0;
    for (size_t i = 0; i < result->journals.count; i++)
        probed += result->journals.items[i]->probed;
    return probed;
}

/* A probed size has each candidate of the fit once, and no others. */
static void expect_probes(const struct fit_result *result)
{
    CU_ASSERT_EQUAL(result->journals.count, SIZES + PROBES);
    CU_ASSERT_EQUAL(probed_count(result), PROBES);
    CU_ASSERT_EQUAL(result->fit.size_count, SIZES);
    CU_ASSERT_EQUAL(result->fit.probed_count, PROBES);
    for (size_t i = 0; i < result->journals.count; i++) {
        const struct fit_journal *journal = result->journals.items[i];
        CU_ASSERT_EQUAL(measured_twice(journal->journal), 0);
        if (journal->probed)
            CU_ASSERT_EQUAL(journal_row_count(journal->journal), result->fit.candidate_count);
    }
}

/* Probed sizes are new ones, and change neither the participating configurations nor the cover. */
static void probes(void)
{
    struct fit_world world;
    open_world(&world);
    CU_ASSERT_EQUAL_FATAL(run(&world), 0);
    struct fit_result without = world.result;
    world.result = (struct fit_result){0};
    world.request.probes = PROBES;
    CU_ASSERT_EQUAL_FATAL(run(&world), 0);
    expect_probes(&world.result);
    CU_ASSERT_EQUAL(world.session.heard.fresh, 0); /* in the searches */
    CU_ASSERT_PTR_NOT_NULL(strstr(world.session.heard.notes, "probe 5 of 5: N="));
    CU_ASSERT_EQUAL(world.result.table.configuration_count, without.table.configuration_count);
    CU_ASSERT_EQUAL_FATAL(world.result.fit.sizes->configuration_count, without.fit.sizes->configuration_count);
    for (size_t i = 0; i < without.fit.sizes->configuration_count; i++)
        CU_ASSERT_EQUAL(world.result.fit.chosen[i], without.fit.chosen[i]);
    fit_result_free(&without);
    close_world(&world);
}

/* Requests a stop when the third probe begins. */
static int stop_at_third(void *context, const struct session_event *event, struct error *error)
{
    struct fit_world *world = context;
    int code = session_hear(&world->session, event, error);
    if (event->kind == SESSION_NOTE && strncmp(event->note, "probe 3", 7) == 0)
        world->session.stop = 1;
    return code;
}

static void probes_go_on(void)
{
    struct fit_world world;
    open_probing(&world);
    world.session.request.listener = stop_at_third;
    world.session.request.context = &world;
    CU_ASSERT_EQUAL(run(&world), ERROR_INTERRUPTED);
    CU_ASSERT_EQUAL(probed_count(&world.result), 2);
    world.session.request.listener = session_hear;
    world.session.request.context = &world.session;
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL_FATAL(run(&world), 0);
        expect_probes(&world.result);
        /* Sizes without need of a session start none. */
        CU_ASSERT_EQUAL(world.session.heard.started, SIZES + (i == 0 ? PROBES - 2 : 0));
    }
    close_world(&world);
}

/* Probes for another text of the space, or with another size beside the region's, do not count. */
static void probes_anew(void)
{
    static const struct {
        const char *over, *more, *define;
    } rows[] = {{"N=64..4096", "# other\n", "M=1"}, {"N=64..4096", "", "M=2"}, {"M=64..4096", "", "N=128"}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct fit_world world;
        struct text first = {0}, second = {0};
        text_printf(&first, "%sproblem M = 1\n", session_text);
        text_printf(&second, "%s%s", text_string(&first), rows[r].more);
        open_probing(&world);
        world.request.over = rows[r].over;
        world.session.request.space_text = text_string(&first);
        world.session.request.space_length = first.length;
        CU_ASSERT_EQUAL_FATAL(run(&world), 0);
        world.session.request.space_text = text_string(&second);
        world.session.request.space_length = second.length;
        world.session.request.defines = &rows[r].define;
        world.session.request.define_count = 1;
        CU_ASSERT_EQUAL_FATAL(run(&world), 0);
        expect_probes(&world.result);
        for (size_t i = 0; i < world.result.journals.count; i++) {
            const struct fit_journal *item = world.result.journals.items[i], *one = world.result.journals.items[0];
            CU_ASSERT_STRING_EQUAL(journal_get_header(item->journal)->provenance.space_hash,
                                   journal_get_header(one->journal)->provenance.space_hash);
            CU_ASSERT_EQUAL(item->sizes[1], one->sizes[1]);
        }
        close_world(&world);
        text_free(&first);
        text_free(&second);
    }
}

/* A later run that searches more sizes takes none of the probed sizes, however many there are. */
static void searches_others(void)
{
    static const size_t rows[] = {PROBES, 120};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fit_world world;
        open_probing(&world);
        world.request.probes = rows[i];
        CU_ASSERT_EQUAL_FATAL(run(&world), 0);
        world.request.sizes = 2 * SIZES;
        world.request.probes = PROBES;
        CU_ASSERT_EQUAL_FATAL(run(&world), 0);
        CU_ASSERT_EQUAL(world.result.fit.size_count, 2 * SIZES);
        CU_ASSERT_EQUAL(world.result.fit.probed_count, PROBES);
        close_world(&world);
    }
}

static void replays_probes(void)
{
    struct fit_world world;
    struct best row, again;
    open_probing(&world);
    CU_ASSERT_EQUAL_FATAL(run(&world), 0);
    CU_ASSERT_EQUAL(fit_result_row(&world.result, &world.session.request, &row, &world.session.error), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(row.fit_quality, "sizes=6 probed=5 mean="));
    struct fit_result measured = world.result;
    world.result = (struct fit_result){0};
    CU_ASSERT_EQUAL(remove(world.session.scratch.path), 0);
    CU_ASSERT_EQUAL_FATAL(fit_replay(&world.request, world.session.scratch.folder, &world.result, &world.session.error),
                          0);
    CU_ASSERT_EQUAL(fit_result_row(&world.result, &world.session.request, &again, &world.session.error), 0);
    CU_ASSERT_STRING_EQUAL(again.fit, row.fit);
    CU_ASSERT_STRING_EQUAL(again.fit_quality, row.fit_quality);
    fit_result_free(&measured);
    close_world(&world);
}

/* Probes begin while there is time, for all sizes of a small region, or none if none is requested. */
static void probes_in_time(void)
{
    enum { REGION = 12 };
    static const struct {
        double seconds;
        size_t asked, searched, probed;
    } rows[] = {{0.001, PROBES, 2, 0}, {100000, PROBES, SIZES, REGION - SIZES}, {100000, 0, SIZES, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fit_world world;
        open_probing(&world);
        world.request.over = "N=64..75";
        world.request.max_time_s = rows[i].seconds;
        world.request.probes = rows[i].asked;
        CU_ASSERT_EQUAL_FATAL(run(&world), 0);
        CU_ASSERT_EQUAL(world.result.fit.size_count, rows[i].searched);
        CU_ASSERT_EQUAL(probed_count(&world.result), rows[i].probed);
        CU_ASSERT_EQUAL(strstr(world.session.heard.notes, "probe 1: ") != NULL, rows[i].probed > 0);
        close_world(&world);
    }
}

/* Sizes at which no configuration of the fit, or none at all, is valid are left out. */
static void leaves_out_probes(void)
{
    static const char *const requires[] = {"require A < 3 || N % 2 == 0\nrequire A > 2 || N % 2 != 0\n",
                                           "require N % 2 == 0\n"};
    for (size_t i = 0; i < sizeof requires / sizeof *requires; i++) {
        struct fit_world world;
        char text[sizeof session_text + 128];
        open_probing(&world);
        snprintf(text, sizeof text, "%s%s", session_text, requires[i]);
        world.session.request.space_text = text;
        world.session.request.space_length = strlen(text);
        world.request.sizes = 2;
        CU_ASSERT_EQUAL_FATAL(run(&world), 0);
        CU_ASSERT(world.result.left_out > 0);
        CU_ASSERT_EQUAL(probed_count(&world.result), world.result.fit.probed_count);
        CU_ASSERT(world.result.fit.probed_count > 0);
        if (i == 0)
            CU_ASSERT_PTR_NOT_NULL(strstr(world.session.heard.notes, "left out: no configuration of the fit is valid"));
        close_world(&world);
    }
}

/* All sizes are in the region; three fifths of them come before the first fit. */
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
    CU_ASSERT_EQUAL(world.result.journals.name_count, 2);
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

/* Spaces without a possible fit. */
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
                               {"takes what was searched", takes_earlier},
                               {"stops and goes on", stops_and_goes_on},
                               {"fits journals alone", replays},
                               {"keeps its time", keeps_its_time},
                               {"no size with a result", finds_nothing},
                               {"takes sizes of the region", takes_sizes},
                               {"probes", probes},
                               {"probes go on", probes_go_on},
                               {"probes anew", probes_anew},
                               {"probed sizes are not searched", searches_others},
                               {"fits journals with probes", replays_probes},
                               {"probes while there is time", probes_in_time},
                               {"leaves out probes", leaves_out_probes},
                               {"refuses", refuses},
                               CU_TEST_INFO_NULL};
