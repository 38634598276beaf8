/* Runs on one device compared with the first of them, and the regressions found. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "analyse/findings.h"
#include "base/file.h"

enum { RUNS_MAX = 4 };

struct world {
    char paths[RUNS_MAX][64];
    struct arena arena;
    struct measured_runs measured;
    struct comparisons comparisons;
    struct findings findings;
};

static void add_file(struct world *world, size_t run, const char *text)
{
    struct error error = {0};
    snprintf(world->paths[run], sizeof world->paths[run], "/tmp/cutune-findings-XXXXXX");
    int file = mkstemp(world->paths[run]);
    CU_ASSERT_FATAL(file >= 0);
    close(file);
    CU_ASSERT_EQUAL_FATAL(file_replace(world->paths[run], text, strlen(text), &error), 0);
    CU_ASSERT_EQUAL_FATAL(measured_runs_add(&world->measured, world->paths[run], &error), 0);
}

static void add_journal_of(struct world *world, size_t run, const char *device, const char *default_, const char *rows)
{
    struct text text = {0};
    text_printf(&text,
                "# cutune journal 1\n# kernel = k\n# default = %s\n# device = %s\n# parameters = 1\n"
                "T,status,time_ns,low_ns,high_ns\n%s",
                default_, device, rows);
    add_file(world, run, text_string(&text));
    text_free(&text);
}

static void add_journal(struct world *world, size_t run, const char *device, const char *rows)
{
    add_journal_of(world, run, device, "T=1", rows);
}

static void find(struct world *world)
{
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(comparisons_make(&world->comparisons, &world->measured, NULL, &error), 0);
    CU_ASSERT_EQUAL_FATAL(world->comparisons.count, 1);
    CU_ASSERT_EQUAL_FATAL(
        findings_make(&world->findings, &world->arena, &world->comparisons.items[0], 1, 0.01, NULL, &error), 0);
}

static void close_world(struct world *world)
{
    comparisons_free(&world->comparisons);
    measured_runs_free(&world->measured);
    arena_free(&world->arena);
    for (size_t i = 0; i < RUNS_MAX; i++)
        if (*world->paths[i])
            unlink(world->paths[i]);
}

/* Baseline: the default T=1 takes 200, the best T=2 100, T=3 150. */
#define BASELINE "1,ok,200,199,201\n2,ok,100,99.9,100.1\n3,ok,150,149,151\n"

static void test_verdicts(void)
{
    static const struct {
        const char *rows;
        enum verdict verdicts[CHANGE_COUNT]; /* best, best of the first, default */
        const char *regressed, *strict;      /* by change: '-' or 'x' */
    } cases[] = {
        {"1,ok,200,199.9,200.1\n2,ok,100,99.9,100.1\n", {VERDICT_SAME, VERDICT_SAME, VERDICT_SAME}, "---", "---"},
        {"1,ok,200,190,210\n2,ok,90,89.9,90.1\n", {VERDICT_FASTER, VERDICT_FASTER, VERDICT_AMBIGUOUS}, "---", "--x"},
        {"1,ok,300,299,301\n2,ok,100,99.9,100.1\n", {VERDICT_SAME, VERDICT_SAME, VERDICT_SLOWER}, "--x", "--x"},
        {"1,ok,200,199.9,200.1\n2,ok,120,119,121\n3,ok,100,99.9,100.1\n",
         {VERDICT_SAME, VERDICT_SLOWER, VERDICT_SAME},
         "-x-",
         "-x-"},
        {"1,ok,200,199.9,200.1\n2,wrong_result,,,\n3,ok,100,99.9,100.1\n",
         {VERDICT_SAME, VERDICT_BROKEN, VERDICT_SAME},
         "-x-",
         "-x-"},
        {"1,timeout,,,\n2,ok,100,99.9,100.1\n", {VERDICT_SAME, VERDICT_SAME, VERDICT_BROKEN}, "--x", "--x"},
        {"2,ok,100,99.9,100.1\n", {VERDICT_SAME, VERDICT_SAME, VERDICT_MISSING}, "--x", "--x"},
        {"1,ok,200,199.9,200.1\n", {VERDICT_SLOWER, VERDICT_MISSING, VERDICT_SAME}, "xx-", "xx-"},
        {"1,crashed,,,\n2,crashed,,,\n", {VERDICT_MISSING, VERDICT_BROKEN, VERDICT_BROKEN}, "xxx", "xxx"},
        {"1,ok,200,199.9,200.1\n2,ok,101,,\n", {VERDICT_SAME, VERDICT_SAME, VERDICT_SAME}, "---", "---"},
        {"1,ok,200,199.9,200.1\n2,ok,102,,\n", {VERDICT_SLOWER, VERDICT_SLOWER, VERDICT_SAME}, "xx-", "xx-"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world world = {0};
        add_journal(&world, 0, "A", BASELINE);
        add_journal(&world, 1, "A", cases[i].rows);
        find(&world);
        CU_ASSERT_EQUAL_FATAL(world.findings.change_count, 1);
        const struct change *change = &world.findings.changes[0];
        for (enum change_what what = 0; what < CHANGE_COUNT; what++) {
            CU_ASSERT_STRING_EQUAL(verdict_name(change->rows[what].ratio.verdict),
                                   verdict_name(cases[i].verdicts[what]));
            CU_ASSERT_EQUAL(change_regressed(change, what, false), cases[i].regressed[what] == 'x');
            CU_ASSERT_EQUAL(change_regressed(change, what, true), cases[i].strict[what] == 'x');
        }
        close_world(&world);
    }
}

/* Failures in the baseline cannot regress; a baseline without any time cannot be compared. */
static void test_failed_baseline(void)
{
    static const struct {
        const char *rows, *regressed;
    } cases[] = {{"1,wrong_result,,,\n2,ok,100,99,101\n", "---"}, {"1,crashed,,,\n2,crashed,,,\n", "x--"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world world = {0};
        add_journal(&world, 0, "A", cases[i].rows);
        add_journal(&world, 1, "A", "1,wrong_result,,,\n2,ok,90,89,91\n");
        find(&world);
        for (enum change_what what = 0; what < CHANGE_COUNT; what++)
            CU_ASSERT_EQUAL(change_regressed(&world.findings.changes[0], what, true), cases[i].regressed[what] == 'x');
        CU_ASSERT_EQUAL(world.findings.changes[0].rows[CHANGE_DEFAULT].ratio.verdict, VERDICT_UNKNOWN);
        close_world(&world);
    }
}

/* The first run on a device is the baseline of all later ones; other devices are irrelevant. */
static void test_baseline(void)
{
    struct world world = {0};
    add_journal(&world, 0, "A", BASELINE);
    add_journal(&world, 1, "B", "1,ok,20,19,21\n");
    add_journal(&world, 2, "A", "1,ok,200,199.9,200.1\n2,ok,50,49.9,50.1\n");
    add_journal(&world, 3, "A", "1,ok,200,199.9,200.1\n2,ok,100,99.9,100.1\n3,crashed,,,\n4,ok,300,299,301\n");
    find(&world);
    CU_ASSERT_EQUAL_FATAL(world.findings.change_count, 2);
    for (size_t i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(world.findings.changes[i].before, 0);
        CU_ASSERT_EQUAL(world.findings.changes[i].now, 2 + i);
    }
    /* Twice as slow as the previous run, but equal to the baseline. */
    CU_ASSERT_EQUAL(world.findings.changes[1].rows[CHANGE_BEST].ratio.verdict, VERDICT_SAME);
    static const size_t counts[2][VERDICT_COUNT] = {
        {[VERDICT_SAME] = 1, [VERDICT_FASTER] = 1, [VERDICT_MISSING] = 1, [VERDICT_UNKNOWN] = 1},
        {[VERDICT_SAME] = 2, [VERDICT_BROKEN] = 1, [VERDICT_UNKNOWN] = 1}};
    for (size_t i = 0; i < 2; i++)
        for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
            CU_ASSERT_EQUAL(world.findings.changes[i].counts[verdict], counts[i][verdict]);
    close_world(&world);
}

/* Times of other conditions or amounts of work, or the same results, allow no conclusion. */
static void test_apart(void)
{
#define ROWS  "1,ok,200,199,201,2\n2,ok,100,99.9,100.1,4\n"
#define LATER "1,ok,200,199,201,2\n2,ok,120,119,121,4\n"
    static const struct {
        const char *head, *later_head, *later;
        const char *apart; /* part of the reason; NULL: none */
    } cases[] = {
        {"", "", LATER, NULL},
        {"", "", ROWS, "same results"},
        {"# created = 1\n", "# created = 2\n", ROWS, NULL},
        {"# created = 1\n", "# created = 1\n", ROWS, "same results"},
        {"", "", "1,ok,200,199,201,2\n2,ok,100,99.9,100.2,4\n", NULL},
        {"", "", "1,ok,200,199,201,2\n2,ok,100,99.8,100.1,4\n", NULL},
        {"", "", "1,ok,200,199,201,2\n2,ok,100.05,99.9,100.1,4\n", NULL},
        {"", "", "1,slower,200,199,201,2\n2,ok,100,99.9,100.1,4\n", NULL},
        {"", "", "1,ok,200,199,201,2\n", NULL},
        {"# options = cache=cold timeout=3\n", "# options = timeout=4 cache=cold\n", LATER, NULL},
        {"# options = cache=cold\n", "# options = cache=warm\n", LATER, "L2 cache in another state"},
        {"# options = cache=warm\n", "# options = cache=cold\n", LATER, "L2 cache in another state"},
        {"# options = cache=cold\n", "", LATER, NULL},
        {"# data_hash = aa\n", "# data_hash = ab\n", LATER, "other data"},
        {"# data_hash = aa\n", "# data_hash = aa\n", LATER, NULL},
        {"# data_hash = aa\n", "", LATER, NULL},
        {"", "", "1,ok,200,199,201,3\n2,ok,120,119,121,4\n", "amounts of work differ"},
        {"", "", "1,ok,200,199,201,\n2,ok,120,119,121,4\n", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world world = {0};
        for (size_t run = 0; run < 2; run++) {
            struct text text = {0};
            text_printf(&text,
                        "# cutune journal 1\n# kernel = k\n# default = T=1\n# device = A\n# parameters = 1\n%s"
                        "T,status,time_per_work_ns,low_per_work_ns,high_per_work_ns,work\n%s",
                        run ? cases[i].later_head : cases[i].head, run ? cases[i].later : ROWS);
            add_file(&world, run, text_string(&text));
            text_free(&text);
        }
        find(&world);
        CU_ASSERT_EQUAL_FATAL(world.findings.change_count, 1);
        const struct change *change = &world.findings.changes[0];
        bool apart = change->apart != NULL,
             right = cases[i].apart ? apart && strstr(change->apart, cases[i].apart) : !apart;
        if (!right)
            printf("\n    case %zu: %s", i, apart ? change->apart : "");
        CU_ASSERT(right);
        CU_ASSERT_EQUAL(change->rows[CHANGE_BEST].ratio.verdict == VERDICT_UNKNOWN, apart);
        CU_ASSERT(!apart || change_regressed(change, CHANGE_BEST, false));
        CU_ASSERT_EQUAL(change->counts[VERDICT_UNKNOWN] == world.comparisons.items[0].configuration_count, apart);
        close_world(&world);
    }
}

/* The baseline has the same conditions, if there is such a run. */
static void test_alike(void)
{
    static const char *const options[] = {"cache=warm", "cache=cold", "cache=cold", "cache=warm"};
    static const size_t baselines[] = {0, 1, 0};
    struct world world = {0};
    for (size_t run = 0; run < 4; run++) {
        struct text text = {0};
        text_printf(&text,
                    "# cutune journal 1\n# kernel = k\n# options = %s\n# device = A\n# parameters = 1\n"
                    "T,status,time_ns,low_ns,high_ns\n1,ok,%zu,99,109\n",
                    options[run], 100 + run);
        add_file(&world, run, text_string(&text));
        text_free(&text);
    }
    find(&world);
    CU_ASSERT_EQUAL_FATAL(world.findings.change_count, 3);
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(world.findings.changes[i].now, i + 1);
        CU_ASSERT_EQUAL(world.findings.changes[i].before, baselines[i]);
        CU_ASSERT_EQUAL(world.findings.changes[i].apart != NULL, i == 0);
    }
    close_world(&world);
}

/* The default is the baseline's, or the later run's if the baseline has none. */
static void test_default(void)
{
    static const struct {
        const char *before, *now;
        double ratio;
    } cases[] = {{"T=1", "T=1", 1.1}, {"T=1", "T=3", 1.1}, {"", "T=3", 1.3}, {"T=1", "", 1.1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world world = {0};
        add_journal_of(&world, 0, "A", cases[i].before, "1,ok,100,99,101\n2,ok,100,99,101\n3,ok,100,99,101\n");
        add_journal_of(&world, 1, "A", cases[i].now, "1,ok,110,109,111\n2,ok,120,119,121\n3,ok,130,129,131\n");
        find(&world);
        CU_ASSERT_DOUBLE_EQUAL(world.findings.changes[0].rows[CHANGE_DEFAULT].ratio.ratio, cases[i].ratio, 1e-12);
        /* Too few rows to estimate importance. */
        CU_ASSERT_EQUAL(world.findings.importance[1].rows, 3);
        CU_ASSERT(isnan(world.findings.importance[1].shares[0]));
        close_world(&world);
    }
}

/* A database keeps two configurations of a run: others are not missing. Its default has no interval. */
static void test_database(void)
{
    struct world world = {0};
    add_journal(&world, 0, "A", BASELINE);
    add_file(&world, 1,
             "schema,kernel,device,problem,objective,time_ns,low_ns,high_ns,samples,configuration,"
             "default_configuration,default_time_ns\n1,k,A,,time,100,99.9,100.1,5,T=3,T=1,206\n");
    find(&world);
    const struct change_row *rows = world.findings.changes[0].rows;
    CU_ASSERT_EQUAL(rows[CHANGE_BEST].ratio.verdict, VERDICT_SAME);
    CU_ASSERT_EQUAL(rows[CHANGE_DEPLOYED].ratio.verdict, VERDICT_UNKNOWN);
    CU_ASSERT(!change_regressed(&world.findings.changes[0], CHANGE_DEPLOYED, true));
    CU_ASSERT_EQUAL(rows[CHANGE_DEFAULT].ratio.verdict, VERDICT_SLOWER);
    CU_ASSERT(rows[CHANGE_DEFAULT].ratio.by_medians);
    close_world(&world);
}

/* The ranking has the requested length, or the number of configurations. */
static void test_ranking(void)
{
    for (size_t top = 0; top < 4; top++) {
        struct world world = {0};
        struct error error = {0};
        add_journal(&world, 0, "A", BASELINE);
        add_journal(&world, 1, "B", "1,ok,20,19,21\n2,ok,10,9,11\n");
        CU_ASSERT_EQUAL_FATAL(comparisons_make(&world.comparisons, &world.measured, NULL, &error), 0);
        CU_ASSERT_EQUAL_FATAL(
            findings_make(&world.findings, &world.arena, &world.comparisons.items[0], top, 0, NULL, &error), 0);
        CU_ASSERT_EQUAL(world.findings.known, 2);
        CU_ASSERT_EQUAL(world.findings.ranked, top < 2 ? top : 2);
        close_world(&world);
    }
}

CU_TestInfo tests_findings[] = {{"a regression is slower, broken or missing", test_verdicts},
                                {"what failed before cannot break", test_failed_baseline},
                                {"the first run of a device is its baseline", test_baseline},
                                {"runs that cannot be compared", test_apart},
                                {"a baseline is measured in the same way", test_alike},
                                {"the default is the baseline's", test_default},
                                {"a database lacks nothing", test_database},
                                {"the ranking has the length that was asked for", test_ranking},
                                CU_TEST_INFO_NULL};
