/* A kernel with T = 1, 2, 4 and U = a, b on three devices, computed by hand. */
#include <math.h>

#include "../scratch.h"
#include "analyse/findings.h"

/* Times are in ns; the interval is 1% around them. */
static const char *const journals[] = {
    /* A: best T=2 U=a (100); T=4 U=b is not feasible; T=1 U=a is measured twice, and the second time counts. */
    ("T,U,status,time_ns,low_ns,high_ns\n1,a,ok,500,495,505\n2,a,ok,100,99,101\n4,a,ok,200,198,202\n"
     "1,b,ok,400,396,404\n2,b,slower,125,123,127\n4,b,compile_error,,,\n1,a,ok,300,297,303\n"),
    /* B: columns in another order, numbers written differently; best T=4 U=a (40). */
    "U,T,status,time_ns,low_ns,high_ns\na,1.0,ok,80,79,81\na,2.0,ok,50,49,51\na,4.0,ok,40,39,41\nb,1.0,ok,100,99,101\n",
    /* C: best T=4 U=b (10); T=2 U=a fails. */
    "T,U,status,time_ns,low_ns,high_ns\n2,a,crashed,,,\n4,b,ok,10,9.9,10.1\n4,a,ok,20,19,21\n1,a,ok,30,29,31\n"};
static const char *const devices[] = {"A", "B", "C"};

struct world {
    struct scratch scratch;
    struct measured_runs measured;
    struct comparisons comparisons;
    struct error error;
};

/* The devices' journals, in one folder. */
static void open_world(struct world *world, size_t count)
{
    *world = (struct world){.scratch = scratch_open("")};
    for (size_t i = 0; i < count; i++) {
        struct text text = {0};
        char path[96];
        snprintf(path, sizeof path, "%s/%s.csv", world->scratch.folder, devices[i]);
        text_printf(&text, "# cutune journal 1\n# kernel = k\n# problem = N=8\n# device = %s\n# parameters = 2\n%s",
                    devices[i], journals[i]);
        CU_ASSERT_EQUAL_FATAL(file_replace(path, text_string(&text), text.length, NULL), 0);
        text_free(&text);
    }
    CU_ASSERT_EQUAL_FATAL(measured_runs_add(&world->measured, world->scratch.folder, &world->error), 0);
    CU_ASSERT_EQUAL_FATAL(comparisons_make(&world->comparisons, &world->measured, NULL, &world->error), 0);
}

/* Opens files with these texts, `middle` in place of %s. */
static void open_files(struct world *world, const char *format, const char *const *middles, size_t count)
{
    *world = (struct world){.scratch = scratch_open("runs.csv")};
    for (size_t i = 0; i < count; i++) {
        const char *place = strstr(format, "%s");
        struct text text = {0};
        text_append(&text, format, (size_t)(place - format));
        text_printf(&text, "%s%s", middles[i], place + 2);
        scratch_write(&world->scratch, text_string(&text));
        text_free(&text);
        CU_ASSERT_EQUAL_FATAL(measured_runs_add(&world->measured, world->scratch.path, &world->error), 0);
    }
    CU_ASSERT_EQUAL_FATAL(comparisons_make(&world->comparisons, &world->measured, NULL, &world->error), 0);
}

static void close_world(struct world *world)
{
    comparisons_free(&world->comparisons);
    measured_runs_free(&world->measured);
    scratch_close(&world->scratch);
}

static void check_text(const struct comparison *comparison, size_t configuration, const char *expected)
{
    struct text text = {0};
    CU_ASSERT_NOT_EQUAL_FATAL(configuration, COMPARISON_NONE);
    comparison_text(comparison, configuration, &text);
    CU_ASSERT_STRING_EQUAL(text_string(&text), expected);
    text_free(&text);
}

static void test_alignment(void)
{
    static const char *const values[2][3] = {{"1", "2", "4"}, {"a", "b", NULL}};
    struct world world;
    open_world(&world, 3);
    CU_ASSERT_EQUAL_FATAL(world.comparisons.count, 1);
    const struct comparison *comparison = &world.comparisons.items[0];
    CU_ASSERT_EQUAL(comparison->run_count, 3);
    CU_ASSERT_EQUAL(comparison->configuration_count, 6);
    CU_ASSERT(comparison->parameters[0].numbers && !comparison->parameters[1].numbers);
    for (size_t p = 0; p < 2; p++)
        for (uint32_t v = 0; v < comparison->parameters[p].value_count; v++)
            CU_ASSERT_STRING_EQUAL(comparison->parameters[p].values[v], values[p][v]);
    check_text(comparison, comparison->runs[0].best, "T=2 U=a");
    check_text(comparison, comparison->runs[1].best, "T=4 U=a");
    check_text(comparison, comparison->runs[2].best, "T=4 U=b");
    CU_ASSERT_EQUAL(comparison->runs[0].evaluated, 6);
    CU_ASSERT_EQUAL(comparison->runs[0].counts[STATUS_OK], 4);
    CU_ASSERT_EQUAL(comparison->runs[0].counts[STATUS_SLOWER], 1);
    CU_ASSERT_EQUAL(comparison->runs[0].counts[STATUS_COMPILE_ERROR], 1);
    close_world(&world);
}

static void test_matrix(void)
{
    static const struct {
        double slowdown; /* 0: none */
        enum cell cell;
    } expected[3][3] = {{{1, CELL_TIMED}, {1.25, CELL_TIMED}, {0, CELL_FAILED}},
                        {{2, CELL_TIMED}, {1, CELL_TIMED}, {2, CELL_TIMED}},
                        {{0, CELL_FAILED}, {0, CELL_UNKNOWN}, {1, CELL_TIMED}}};
    struct world world;
    open_world(&world, 3);
    for (size_t from = 0; from < 3; from++)
        for (size_t on = 0; on < 3; on++) {
            enum cell cell;
            double slowdown = comparison_slowdown(&world.comparisons.items[0], from, on, &cell);
            CU_ASSERT_EQUAL(cell, expected[from][on].cell);
            if (expected[from][on].slowdown > 0)
                CU_ASSERT_DOUBLE_EQUAL(slowdown, expected[from][on].slowdown, 1e-12)
            else
                CU_ASSERT(isnan(slowdown));
        }
    close_world(&world);
}

static void test_portability(void)
{
    struct world world;
    struct portable ranking[8];
    open_world(&world, 3);
    const struct comparison *comparison = &world.comparisons.items[0];
    /* Known everywhere: T=4 U=a, 3 / (2 + 1 + 2); T=1 U=a, 3 / (3 + 2 + 3); T=2 U=a, which fails on C. */
    CU_ASSERT_EQUAL(comparison_rank(comparison, ranking, 8), 3);
    check_text(comparison, ranking[0].configuration, "T=4 U=a");
    CU_ASSERT_DOUBLE_EQUAL(ranking[0].portability, 0.6, 1e-12);
    check_text(comparison, ranking[1].configuration, "T=1 U=a");
    CU_ASSERT_DOUBLE_EQUAL(ranking[1].portability, 0.375, 1e-12);
    check_text(comparison, ranking[2].configuration, "T=2 U=a");
    CU_ASSERT_EQUAL(ranking[2].portability, 0);
    /* T=4 U=b fails on A, so that B does not matter; T=2 U=b is known on A only. */
    CU_ASSERT_EQUAL(comparison_portability(comparison, comparison->runs[2].best), 0);
    CU_ASSERT(isnan(comparison_portability(comparison, 4)));
    CU_ASSERT_EQUAL(comparison_rank(comparison, ranking, 1), 3); /* little room: the best is kept */
    check_text(comparison, ranking[0].configuration, "T=4 U=a");
    CU_ASSERT_EQUAL(comparison_rank(comparison, ranking, 0), 3);
    close_world(&world);
}

static void test_append(void)
{
    struct world world;
    struct measurement measurement = measurement_unknown(STATUS_OK);
    enum cell cell;
    measurement.value = 60;
    open_world(&world, 3);
    CU_ASSERT_EQUAL(measured_run_append(&world.measured, 1, "T=4 U=b", &measurement, &world.error), 0);
    comparisons_free(&world.comparisons);
    CU_ASSERT_EQUAL_FATAL(comparisons_make(&world.comparisons, &world.measured, "k", &world.error), 0);
    CU_ASSERT_DOUBLE_EQUAL(comparison_slowdown(&world.comparisons.items[0], 2, 1, &cell), 1.5, 1e-12);
    CU_ASSERT_EQUAL(cell, CELL_TIMED);
    comparisons_free(&world.comparisons);
    CU_ASSERT_EQUAL(comparisons_make(&world.comparisons, &world.measured, "other", &world.error), 0);
    CU_ASSERT_EQUAL(world.comparisons.count, 0);
    close_world(&world);
}

/* The winner of a play-off is the cheapest of the tied configurations, unless the search found a faster one afterwards.
 * `standings`: a letter per configuration: none, winner, tied or lost. */
static void test_playoff(void)
{
    static const struct {
        const char *rows, *best, *standings;
    } cases[] = {
        {"1,ok,100,99,101,10,0,\n2,ok,99.9,99,101,10,0,\n2,ok,101,100,102,10,0,leader\n", "T=2", "nw"},
        {"1,ok,90,89,91,10,0,\n2,ok,100,99,101,10,0,\n2,ok,101,100,102,10,0,leader\n", "T=1", "wn"},
        {"2,ok,101,100,102,30,0,leader\n3,ok,102,101,103,20,0,tied\n4,ok,103,102.5,104,10,0,lost\n", "T=3", "twl"},
        {"2,ok,101,100,102,30,0,leader\n3,ok,102,101,103,30,8,tied\n", "T=2", "wt"},
        {"2,ok,101,100,102,30,0,leader\n3,ok,102,101,103,30,0,tied\n", "T=2", "wt"}, /* as cheap, but not faster */
        {"1,ok,101,100,102,20,0,lost\n2,ok,101,100,102,30,0,leader\n", "T=2", "lw"}, /* equal by its median only */
        {"1,ok,100,99,101,20,0,lost\n2,ok,101,100,102,30,0,leader\n", "T=2", "lw"},  /* its median is of one process */
        {"1,ok,101,100,102,20,0,unsteady\n2,ok,101,100,102,30,0,leader\n", "T=2", "lw"},
        {"2,ok,101,100,102,30,0,leader\n3,ok,110,109,111,20,0,tied\n", "T=2", "wl"}, /* tied with another leader */
        {"2,ok,101,100,102,30,0,leader\n2,crashed,,,,30,0,lost\n3,ok,110,109,111,20,0,\n", "T=3", "nw"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world world;
        open_files(&world,
                   "# cutune journal 1\n# kernel = k\n# parameters = 1\n"
                   "T,status,time_ns,low_ns,high_ns,registers,shared_bytes,playoff\n%s",
                   &cases[i].rows, 1);
        const struct comparison *comparison = &world.comparisons.items[0];
        const struct comparison_run *run = &comparison->runs[0];
        check_text(comparison, run->best, cases[i].best);
        CU_ASSERT_EQUAL_FATAL(comparison->configuration_count, strlen(cases[i].standings));
        for (size_t c = 0; cases[i].standings[c]; c++)
            CU_ASSERT_EQUAL("nwtl"[run->standings[c]], cases[i].standings[c]);
        close_world(&world);
    }
}

/* Runs of two journals are grouped by kernel, problem and parameters; the title is the first one found. */
static void test_groups(void)
{
    static const struct {
        const char *headers[2];
        size_t count;
        const char *title;
    } cases[] = {{{"# title = one\n# problem = N=8\n", "# title = two\n# problem = N=8\n"}, 1, "one"},
                 {{"# title = \n# problem = N=8\n", "# title = two\n# problem = N=8\n"}, 1, "two"},
                 {{"# problem = N=8 M=16\n", "# problem = M=16 N=8\n"}, 1, ""},
                 {{"# problem = N=8\n", "# problem = N=80\n"}, 2, ""},
                 {{"# problem = N=8 M=8\n", "# problem = N=8 M=9\n"}, 2, ""},
                 {{"# problem = N=8\n", "# problem = N=8 M=8\n"}, 2, ""},
                 {{"# problem = N=8 M=8\n", "# problem = N=8\n"}, 2, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world world;
        open_files(&world, "# cutune journal 1\n# kernel = k\n%s# parameters = 1\nT,status,time_ns\n1,ok,5\n",
                   cases[i].headers, 2);
        CU_ASSERT_EQUAL(world.comparisons.count, cases[i].count);
        CU_ASSERT_STRING_EQUAL(world.comparisons.items[0].title, cases[i].title);
        close_world(&world);
    }
}

/* The default of the journal's header, if the run has evaluated it. */
static void test_standard(void)
{
    static const struct {
        const char *text;
        bool known;
    } cases[] = {{"BLOCK_ROWS_OF_A_RATHER_LONG_NAME=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa U=2", true},
                 {"U=2.0 BLOCK_ROWS_OF_A_RATHER_LONG_NAME=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", true},
                 {"BLOCK_ROWS_OF_A_RATHER_LONG_NAME=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa U=3", false},
                 {"BLOCK_ROWS_OF_A_RATHER_LONG_NAME=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa U=2", false},
                 {"BLOCK_ROWS_OF_A_RATHER_LONG_NAME=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false},
                 {"BLOCK_ROWS_OF_A_RATHER_LONG_NAME=b U=2", false}, /* both values are known, but not together */
                 {"UU=2", false},
                 {"", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world world;
        open_files(&world,
                   "# cutune journal 1\n# kernel = k\n# default = %s\n# parameters = 2\n"
                   "BLOCK_ROWS_OF_A_RATHER_LONG_NAME,U,status,time_ns\nb,1,ok,7\n"
                   "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,2,ok,5\n",
                   &cases[i].text, 1);
        CU_ASSERT_EQUAL(world.comparisons.items[0].runs[0].default_, cases[i].known ? 1 : COMPARISON_NONE);
        close_world(&world);
    }
}

/* A database's row is a run of two configurations. */
static void test_database(void)
{
    struct measured_runs measured = {0};
    struct comparisons comparisons = {0};
    struct error error = {0};
    double value;
    CU_ASSERT_EQUAL_FATAL(measured_runs_add(&measured, TEST_FOLDER "/unit/formats/database-1.csv", &error), 0);
    CU_ASSERT_EQUAL_FATAL(comparisons_make(&comparisons, &measured, "transpose", &error), 0);
    CU_ASSERT_FATAL(comparisons.count > 0);
    const struct comparison *comparison = &comparisons.items[0];
    CU_ASSERT(!comparison->runs[0].measured_run->journal);
    CU_ASSERT_EQUAL(comparison_cell(comparison, comparison->runs[0].best, 0, &value), CELL_TIMED);
    CU_ASSERT_EQUAL(comparison_cell(comparison, comparison->runs[0].default_, 0, &value), CELL_TIMED);
    CU_ASSERT_EQUAL(comparison->runs[0].evaluated, 2);
    comparisons_free(&comparisons);
    measured_runs_free(&measured);
}

/* Amounts are on the scale of the value: of a unit of work in a journal with `work`. A database has only those of the
 * winner. */
static void test_amounts(void)
{
    static const struct {
        const char *file;
        double best_bytes, best_roofline, default_bytes;
    } rows[] = {{"journal-1-work.csv", 2, 0.002, 4}, {"database-1-work.csv", 2, 0.002, NAN}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct measured_runs measured = {0};
        struct comparisons comparisons = {0};
        struct error error = {0};
        char path[512];
        snprintf(path, sizeof path, "%s/unit/formats/%s", TEST_FOLDER, rows[i].file);
        CU_ASSERT_EQUAL_FATAL(measured_runs_add(&measured, path, &error), 0);
        CU_ASSERT_EQUAL_FATAL(comparisons_make(&comparisons, &measured, NULL, &error), 0);
        const struct comparison *comparison = &comparisons.items[0];
        struct amounts best = comparison_amounts(comparison, comparison->runs[0].best, 0);
        struct amounts default_ = comparison_amounts(comparison, comparison->runs[0].default_, 0);
        struct amounts none = comparison_amounts(comparison, COMPARISON_NONE, 0);
        CU_ASSERT_EQUAL(best.bytes, rows[i].best_bytes);
        CU_ASSERT_DOUBLE_EQUAL(best.roofline_ns, rows[i].best_roofline, 1e-6);
        CU_ASSERT(isnan(rows[i].default_bytes) ? isnan(default_.bytes) : default_.bytes == rows[i].default_bytes);
        CU_ASSERT(isnan(none.bytes) && isnan(none.roofline_ns));
        CU_ASSERT_PTR_EQUAL(comparison->objective, &objective_row_time_per_work);
        comparisons_free(&comparisons);
        measured_runs_free(&measured);
    }
}

/* A default without a time was not measured, which differs from a failure. */
static void test_database_without_default(void)
{
    static const struct {
        const char *time;
        enum cell cell;
    } cases[] = {{"7", CELL_TIMED}, {"", CELL_UNKNOWN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world world;
        open_files(
            &world,
            "schema,kernel,device,problem,objective,time_ns,configuration,default_configuration,default_time_ns\n"
            "1,k,d,N=1,time,5,T=2,T=1,%s\n",
            &cases[i].time, 1);
        const struct comparison *comparison = &world.comparisons.items[0];
        CU_ASSERT_EQUAL(comparison_cell(comparison, comparison->runs[0].default_, 0, NULL), cases[i].cell);
        CU_ASSERT_EQUAL(comparison->runs[0].evaluated, cases[i].cell == CELL_TIMED ? 2 : 1);
        close_world(&world);
    }
}

CU_TestInfo tests_comparison[] = {{"knows amounts of work", test_amounts},
                                  {"lines configurations up by name and value", test_alignment},
                                  {"makes the portability matrix", test_matrix},
                                  {"finds the configuration that is best over all", test_portability},
                                  {"takes rows that were measured later", test_append},
                                  {"crowns the winner of the play-off", test_playoff},
                                  {"groups runs of one problem", test_groups},
                                  {"finds the default", test_standard},
                                  {"reads databases", test_database},
                                  {"a default without a time was not measured", test_database_without_default},
                                  CU_TEST_INFO_NULL};
