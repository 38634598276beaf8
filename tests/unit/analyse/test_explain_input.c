/* Configurations that explain a winner, and their evidence in the journal. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "analyse/explain_input.h"
#include "base/file.h"

struct world {
    char path[64];
    struct measured_runs measured;
    struct comparisons comparisons;
};

static void open_world(struct world *world, const char *rows)
{
    struct text text = {0};
    *world = (struct world){.path = "/tmp/cutune-explained-XXXXXX"};
    int file = mkstemp(world->path);
    CU_ASSERT_FATAL(file >= 0);
    close(file);
    text_printf(&text,
                "# cutune journal 1\n# kernel = k\n# default = A=1 B=1 C=1\n# parameters = 3\n"
                "B,A,C,status,time_ns,low_ns,high_ns,message\n%s",
                rows);
    CU_ASSERT_EQUAL_FATAL(file_replace(world->path, text_string(&text), text.length, NULL), 0);
    text_free(&text);
    CU_ASSERT_EQUAL_FATAL(measured_runs_add(&world->measured, world->path, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(comparisons_make(&world->comparisons, &world->measured, NULL, NULL), 0);
}

static void close_world(struct world *world)
{
    comparisons_free(&world->comparisons);
    measured_runs_free(&world->measured);
    unlink(world->path);
}

#define EVIDENCE(b, a, c, text) b "," a "," c ",evidence,,,," text "\n"
static const char rows[] =
    "1,1,1,ok,300,299,301,\n"
    "2,2,2,ok,100,99,101,\n"
    "1,2,2,ok,110,109,111,\n"
    "3,2,2,ok,150,149,151,\n"
    "4,2,2,ok,50000,49999,50001,\n"
    "2,2,1,ok,120,119,121,\n"
    "2,1,2,slower,400,399,401,\n"
    "2,3,2,crashed,,,,\n"
    "2,4,2,duplicate,100,99,101,the same machine code and launch as B=2 A=2 C=2: \n"
    "1,1,2,ok,105,104,106,\n" EVIDENCE("2", "2", "2", "launch=0 blocks=7 ceiling_l2=5")
        EVIDENCE("2", "2", "2", "launch=1 cycles=9 ceiling_l2=6")
            EVIDENCE("1.0", "1", "1", "launch=0 cycles=8 ceiling_fma=4") EVIDENCE("9", "9", "9", "launch=0 blocks=1");

/* Focus, default and the path between them; then, for each parameter, the largest effect first. Leaves out failures and
 * duplicates. */
static void choice(void)
{
    static const char *const wanted[] = {"B=2 A=2 C=2", "B=1 A=1 C=1", "B=1 A=1 C=2", "B=1 A=2 C=2",
                                         "B=4 A=2 C=2", "B=2 A=1 C=2", "B=2 A=2 C=1", "B=3 A=2 C=2"};
    static const size_t way[] = {1, 2, 3, 0};
    struct world world;
    struct explain_input explained;
    open_world(&world, rows);
    CU_ASSERT_EQUAL_FATAL(explain_input_open(&explained, world.comparisons.items, 0, COMPARISON_NONE, NULL, 0, NULL),
                          0);
    CU_ASSERT_EQUAL_FATAL(explained.input.count, sizeof wanted / sizeof *wanted);
    CU_ASSERT_EQUAL(explained.input.default_, 1);
    CU_ASSERT_EQUAL(explained.named, 2);
    CU_ASSERT_EQUAL(explained.wanted, 4);
    CU_ASSERT_EQUAL_FATAL(explained.way_count, sizeof way / sizeof *way);
    CU_ASSERT_EQUAL(memcmp(explained.way, way, sizeof way), 0);
    for (size_t i = 0; i < explained.input.count; i++)
        CU_ASSERT_STRING_EQUAL(explained.configurations[i].configuration, wanted[i]);
    explain_input_close(&explained);
    close_world(&world);
}

static void others(void)
{
    struct world world;
    struct explain_input explained;
    struct error error = {0};
    open_world(&world, rows);
    const struct comparison *comparison = world.comparisons.items;
    size_t focus = comparison_find(comparison, "C=1 B=1 A=1");
    const size_t named[] = {comparison_find(comparison, "A=1 B=1 C=2"), comparison_find(comparison, "A=2 B=2 C=2"),
                            comparison_find(comparison, "A=3 B=2 C=2")};
    CU_ASSERT_EQUAL(comparison_find(comparison, "A=3 B=2"), COMPARISON_NONE);
    CU_ASSERT_EQUAL(comparison_find(comparison, "A=3 B=3 C=2"), COMPARISON_NONE);
    CU_ASSERT_EQUAL_FATAL(explain_input_open(&explained, comparison, 0, focus, named, 2, NULL), 0);
    CU_ASSERT_EQUAL(explained.input.default_, 0);
    CU_ASSERT_EQUAL(explained.named, 3);
    CU_ASSERT_STRING_EQUAL(explained.configurations[1].configuration, "B=1 A=1 C=2");
    CU_ASSERT_EQUAL(explained.input.count, 3); /* the only neighbour was requested */
    CU_ASSERT_EQUAL_FATAL(explain_input_make(&explained, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(explained.asked_count, 1); /* one of the requested ones has evidence and is not a neighbour */
    CU_ASSERT_EQUAL(explained.asked[0].parameter_count, 3);
    explain_input_close(&explained);
    CU_ASSERT_EQUAL(explain_input_open(&explained, comparison, 0, focus, named, 3, &error), ERROR_NOT_FOUND);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "has no time of B=2 A=3 C=2: crashed"));
    explain_input_close(&explained);
    close_world(&world);
}

/* The journal's evidence is found for any order of columns and notation of numbers. */
static void known(void)
{
    struct world world;
    struct explain_input explained;
    struct evidence launch = evidence_unknown();
    open_world(&world, rows);
    CU_ASSERT_EQUAL_FATAL(explain_input_open(&explained, world.comparisons.items, 0, COMPARISON_NONE, NULL, 0, NULL),
                          0);
    CU_ASSERT_EQUAL_FATAL(explained.configurations[0].launch_count, 2);
    CU_ASSERT_EQUAL(explained.configurations[0].launches[0].blocks, 7);
    CU_ASSERT_EQUAL_FATAL(explained.configurations[1].launch_count, 1);
    CU_ASSERT(!explain_input_lacks(&explained, 0, false) && explain_input_lacks(&explained, 0, true));
    CU_ASSERT(!explain_input_lacks(&explained, 1, false) && !explain_input_lacks(&explained, 1, true));
    CU_ASSERT(explain_input_lacks(&explained, 2, false) && explain_input_lacks(&explained, 2, true));
    CU_ASSERT_EQUAL(explained.ceilings.ceiling_l2, 5); /* the first known */
    CU_ASSERT_EQUAL(explained.ceilings.ceiling_fma, 4);
    CU_ASSERT(isnan(explained.ceilings.ceiling_dram));
    launch.cycles = 5;
    launch.ceiling_dram = 3;
    CU_ASSERT_EQUAL(explain_input_put(&explained, 2, &launch, 1, NULL), 0);
    launch.cycles = 6;
    CU_ASSERT_EQUAL(explained.configurations[2].launches[0].cycles, 5); /* a copy */
    CU_ASSERT_EQUAL(explained.ceilings.ceiling_dram, 3);
    CU_ASSERT(!explain_input_lacks(&explained, 2, true));
    CU_ASSERT_EQUAL(explain_input_forget_counters(&explained, NULL), 0);
    CU_ASSERT(explain_input_lacks(&explained, 2, true) && explain_input_lacks(&explained, 1, true));
    CU_ASSERT_EQUAL(explained.configurations[0].launches[0].blocks, 7);
    CU_ASSERT_EQUAL(explained.configurations[0].launch_count, 2);
    explain_input_close(&explained);
    close_world(&world);
}

/* Steps lead from one configuration with evidence to the next. */
static void steps(void)
{
    struct world world;
    struct explain_input explained;
    struct evidence launch = evidence_unknown();
    open_world(&world, rows);
    CU_ASSERT_EQUAL_FATAL(explain_input_open(&explained, world.comparisons.items, 0, COMPARISON_NONE, NULL, 0, NULL),
                          0);
    CU_ASSERT_EQUAL_FATAL(explain_input_make(&explained, NULL), 0);
    CU_ASSERT_EQUAL(explained.step_count, 0); /* it would be the overall change */
    CU_ASSERT_EQUAL(explain_input_put(&explained, 2, &launch, 1, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(explain_input_make(&explained, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(explained.step_count, 2);
    CU_ASSERT_STRING_EQUAL(explained.steps[0].parameters, "C 1 -> 2");
    CU_ASSERT_EQUAL(explained.steps[1].parameter_count, 2);
    CU_ASSERT_EQUAL(explain_input_put(&explained, 3, &launch, 1, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(explain_input_make(&explained, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(explained.step_count, 3);
    CU_ASSERT_STRING_EQUAL(explained.steps[2].parameters, "B 1 -> 2");
    explain_input_close(&explained);
    close_world(&world);
}

/* A path ends if no nearer configuration has a time; a neighbour needs no path. */
static void short_ways(void)
{
    static const struct {
        const char *rows;
        size_t count;
    } cases[] = {
        {"1,1,1,ok,300,299,301,\n2,2,2,ok,100,99,101,\n2,2,1,crashed,,,,\n", 2},
        {"1,1,1,ok,300,299,301,\n1,1,2,ok,100,99,101,\n", 0},
        {"1,1,1,ok,100,99,101,\n2,2,2,ok,300,299,301,\n", 0},
        {"1,1,1,crashed,,,,\n2,2,2,ok,300,299,301,\n2,1,1,ok,400,399,401,\n", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world world;
        struct explain_input explained;
        open_world(&world, cases[i].rows);
        CU_ASSERT_EQUAL_FATAL(
            explain_input_open(&explained, world.comparisons.items, 0, COMPARISON_NONE, NULL, 0, NULL), 0);
        CU_ASSERT_EQUAL(explained.way_count, cases[i].count);
        explain_input_close(&explained);
        close_world(&world);
    }
}

static void nothing_works(void)
{
    struct world world;
    struct explain_input explained;
    struct error error = {0};
    open_world(&world, "1,1,1,crashed,,,,\n");
    CU_ASSERT_EQUAL(explain_input_open(&explained, world.comparisons.items, 0, COMPARISON_NONE, NULL, 0, &error),
                    ERROR_NOT_FOUND);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "nothing to explain"));
    explain_input_close(&explained);
    close_world(&world);
}

CU_TestInfo tests_explain_input[] = {{"which configurations", choice},
                                     {"configurations that were asked for", others},
                                     {"evidence of the journal", known},
                                     {"steps", steps},
                                     {"short ways", short_ways},
                                     {"nothing works", nothing_works},
                                     CU_TEST_INFO_NULL};
