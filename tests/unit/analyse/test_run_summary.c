/* One run of 100 configurations, P = 0..49 and Q = 0, 1; time 1000 + 10 P + Q, slowest first; two fail, one stops
 * early. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "analyse/run_summary.h"

#define JOURNAL_TEXT "# cutune journal 1\n# parameters = 1\nP,status,time_ns\n"
enum { VALUES = 50, COUNT = 2 * VALUES };

struct world {
    struct measured_run measured_run;
    struct comparison comparison;
    struct comparison_run run;
    struct comparison_parameter parameters[2];
    const char *values[VALUES];
    char texts[VALUES][8];
    uint32_t choices[2 * COUNT];
    struct measurement measurements[COUNT];
    const struct measurement *of[COUNT];
    size_t order[COUNT];
};

static struct journal *journal; /* without rows: only marks the run as one of a journal */

static void make(struct world *world)
{
    memset(world, 0, sizeof *world);
    for (uint32_t v = 0; v < VALUES; v++) {
        snprintf(world->texts[v], sizeof world->texts[v], "%u", v);
        world->values[v] = world->texts[v];
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t p = VALUES - 1 - i / 2, q = 1 - i % 2;
        world->choices[2 * i] = p;
        world->choices[2 * i + 1] = q;
        world->measurements[i] = measurement_unknown(STATUS_OK);
        world->measurements[i].value = 1000 + 10 * p + q;
        world->of[i] = &world->measurements[i];
        world->order[i] = i;
    }
    for (uint32_t i = 0; i < 2; i++) { /* P=49 */
        world->measurements[i] = measurement_unknown(STATUS_COMPILE_ERROR);
        measurement_explain(&world->measurements[i], "line %u: too large", i + 9);
    }
    world->measurements[2].status = STATUS_SLOWER; /* P=48 Q=1 */
    if (!journal)
        CU_ASSERT_EQUAL_FATAL(journal_parse(&journal, "j.csv", JOURNAL_TEXT, sizeof JOURNAL_TEXT - 1, NULL), 0);
    world->measured_run.journal = journal;
    world->measured_run.provenance = provenance_unknown();
    world->measured_run.provenance.options = "cache=cold";
    world->parameters[0] = (struct comparison_parameter){"P", true, VALUES, world->values};
    world->parameters[1] = (struct comparison_parameter){"Q", true, 2, world->values};
    world->run = (struct comparison_run){.measured_run = &world->measured_run,
                                         .best = COUNT - 1,
                                         .evaluated = COUNT,
                                         .of = world->of,
                                         .searched = world->of,
                                         .search_order = world->order};
    world->comparison = (struct comparison){.objective = &objective_row_time,
                                            .parameter_count = 2,
                                            .run_count = 1,
                                            .configuration_count = COUNT,
                                            .parameters = world->parameters,
                                            .runs = &world->run,
                                            .choices = world->choices};
}

static void test_convergence(void)
{
    static struct world world;
    struct run_summary_step steps[COUNT];
    size_t total;
    make(&world);
    /* Each except the failures and the early one is better than all before. */
    CU_ASSERT_EQUAL(run_summary_convergence(&world.comparison, 0, steps, COUNT, &total), COUNT - 3);
    CU_ASSERT_EQUAL(total, COUNT);
    CU_ASSERT_EQUAL(steps[0].evaluation, 4);
    CU_ASSERT_EQUAL(steps[0].value, 1480);
    /* Equal to the best so far is not a step. */
    world.measurements[30].value = world.measurements[29].value;
    CU_ASSERT_EQUAL(run_summary_convergence(&world.comparison, 0, steps, COUNT, &total), COUNT - 4);
    CU_ASSERT_EQUAL(total, COUNT);
    CU_ASSERT_EQUAL(steps[COUNT - 5].evaluation, COUNT);
    make(&world);
    for (size_t room = 2; room < 20; room++) {
        size_t count = run_summary_convergence(&world.comparison, 0, steps, room, &total);
        CU_ASSERT(count <= room && count >= 2);
        CU_ASSERT_EQUAL(steps[count - 1].evaluation, COUNT);
        CU_ASSERT_EQUAL(steps[count - 1].value, 1000);
        for (size_t i = 1; i < count; i++)
            CU_ASSERT(steps[i].evaluation > steps[i - 1].evaluation &&
                      steps[i].evaluation <= steps[i - 1].evaluation + COUNT / (room - 1) + 2);
        CU_ASSERT(count + 1 >= room);
    }
}

/* Rows of a database, and of an imported journal, have no order of evaluation. */
static void no_order(void)
{
    static struct world world;
    struct run_summary_step steps[COUNT];
    size_t total;
    make(&world);
    CU_ASSERT(run_summary_convergence(&world.comparison, 0, steps, COUNT, &total) > 0);
    world.measured_run.journal = NULL;
    CU_ASSERT_EQUAL(run_summary_convergence(&world.comparison, 0, steps, COUNT, &total), 0);
    world.measured_run.journal = journal;
    world.measured_run.provenance.options = "";
    CU_ASSERT_EQUAL(run_summary_convergence(&world.comparison, 0, steps, COUNT, &total), 0);
    CU_ASSERT_EQUAL(total, COUNT);
}

static void test_warm_start(void)
{
    static struct world world;
    struct run_summary_step steps[COUNT];
    size_t fastest, total;
    make(&world);
    CU_ASSERT_EQUAL(run_summary_warm_start(&world.comparison, 0, &fastest), 0);
    CU_ASSERT_EQUAL(fastest, COMPARISON_NONE);
    /* A failure, an early stop, then a time, and a faster one. */
    static const size_t more[] = {0, 2, 10, 30};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        world.measurements[more[i]].proposer = PROPOSER_WARM_START;
        CU_ASSERT_EQUAL(run_summary_warm_start(&world.comparison, 0, &fastest), i + 1);
        CU_ASSERT_EQUAL(fastest, i < 2 ? COMPARISON_NONE : more[i]);
    }
    world.measurements[40].proposer = PROPOSER_STRATEGY;
    CU_ASSERT_EQUAL(run_summary_warm_start(&world.comparison, 0, &fastest), 4);
    run_summary_convergence(&world.comparison, 0, steps, COUNT, &total);
    for (size_t i = 0; i < COUNT - 3; i++)
        CU_ASSERT_EQUAL(steps[i].proposer, world.measurements[steps[i].evaluation - 1].proposer);
}

static void test_times(void)
{
    static struct world world;
    struct run_summary_histogram histogram;
    double values[5];
    size_t timed = 0, early = 0;
    make(&world);
    run_summary_histogram(&world.comparison, 0, &histogram);
    CU_ASSERT_EQUAL(histogram.bins, RUN_SUMMARY_BINS);
    CU_ASSERT_EQUAL(histogram.low, 1000);
    CU_ASSERT_EQUAL(histogram.high, 1481);
    for (size_t b = 0; b < histogram.bins; b++) {
        timed += histogram.timed[b];
        early += histogram.early[b];
    }
    CU_ASSERT_EQUAL(timed, COUNT - 3);
    CU_ASSERT_EQUAL(histogram.early[RUN_SUMMARY_BINS - 1], 1);
    CU_ASSERT_EQUAL(early, 1);
    CU_ASSERT_EQUAL(histogram.timed[0], 2); /* 1000 and 1001 are below 1000 * 1.481^(1/40) = 1009.87 */
    CU_ASSERT_DOUBLE_EQUAL(run_summary_edge(&histogram, 40), 1481, 1e-9);
    CU_ASSERT_EQUAL(run_summary_ranks(&world.comparison, 0, values, 5), 5);
    CU_ASSERT_EQUAL(values[0], 1000);
    CU_ASSERT_EQUAL(values[4], 1481);
    for (size_t i = 0; i < COUNT; i++)
        world.of[i] = i ? NULL : world.of[COUNT - 1];
    run_summary_histogram(&world.comparison, 0, &histogram);
    CU_ASSERT_EQUAL(histogram.bins, 1);
    CU_ASSERT_EQUAL(histogram.timed[0], 1);
    CU_ASSERT_EQUAL(run_summary_ranks(&world.comparison, 0, values, 5), 1);
}

static void test_parameters(void)
{
    static struct world world;
    struct run_summary_group groups[RUN_SUMMARY_GROUPS];
    static double best_value[RUN_SUMMARY_GROUPS][RUN_SUMMARY_GROUPS];
    make(&world);
    CU_ASSERT_EQUAL(run_summary_parameter(&world.comparison, 0, 1, groups), 2);
    CU_ASSERT_EQUAL(groups[0].timed, 49);
    CU_ASSERT_EQUAL(groups[0].failed, 1);
    CU_ASSERT_EQUAL(groups[0].best_value, 1000);
    CU_ASSERT_EQUAL(groups[0].median_value, 1240);
    CU_ASSERT_EQUAL(groups[1].best_value, 1001);
    /* 50 values are too many: 32 groups of one or two. */
    CU_ASSERT_EQUAL(run_summary_parameter(&world.comparison, 0, 0, groups), RUN_SUMMARY_GROUPS);
    CU_ASSERT_EQUAL(groups[0].first, 0);
    CU_ASSERT_EQUAL(groups[0].last, 1);
    CU_ASSERT_EQUAL(groups[0].timed, 4);
    CU_ASSERT_EQUAL(groups[0].median_value, 1005.5);
    CU_ASSERT_EQUAL(groups[RUN_SUMMARY_GROUPS - 1].last, VALUES - 1);
    CU_ASSERT(isnan(groups[RUN_SUMMARY_GROUPS - 1].best_value) || groups[RUN_SUMMARY_GROUPS - 1].first < VALUES - 1);
    for (size_t g = 1; g < RUN_SUMMARY_GROUPS; g++)
        CU_ASSERT_EQUAL(groups[g].first, groups[g - 1].last + 1);
    run_summary_pair(&world.comparison, 0, 1, 0, best_value);
    CU_ASSERT_EQUAL(best_value[1][0], 1001);
    CU_ASSERT(isnan(best_value[2][0]));
}

/* Values of a fact and their times. Failures count nowhere; an unknown fact is no value. */
static void levels(void)
{
    static struct world world;
    struct run_summary_level levels[RUN_SUMMARY_GROUPS];
    make(&world);
    for (int fact = 0; fact < RUN_SUMMARY_FACTS; fact++)
        CU_ASSERT_EQUAL(run_summary_levels(&world.comparison, 0, (enum run_summary_fact)fact, levels), 0);
    for (size_t i = 0; i < COUNT; i++) {
        world.measurements[i].registers = i % 3 ? 40 : 24;
        world.measurements[i].occupancy = 0.5;
        world.measurements[i].clock_mhz = 1000 + (int64_t)i;
    }
    world.measurements[COUNT - 1].registers = -1;
    CU_ASSERT_EQUAL_FATAL(run_summary_levels(&world.comparison, 0, RUN_SUMMARY_REGISTERS, levels), 2);
    CU_ASSERT_EQUAL(levels[0].low, 24);
    CU_ASSERT_EQUAL(levels[0].high, 24);
    CU_ASSERT_EQUAL(levels[0].timed, 32); /* 3, 6 .. 96 of 2 .. 98 */
    CU_ASSERT_EQUAL(levels[0].best_value, world.measurements[96].value);
    CU_ASSERT_EQUAL(levels[0].median_value, (world.measurements[48].value + world.measurements[51].value) / 2);
    CU_ASSERT_EQUAL(levels[1].timed, 65);
    CU_ASSERT_EQUAL(levels[1].best_value, world.measurements[98].value);
    CU_ASSERT_EQUAL(run_summary_levels(&world.comparison, 0, RUN_SUMMARY_OCCUPANCY, levels), 1);
    CU_ASSERT_EQUAL(levels[0].low, 0.5);
    CU_ASSERT_EQUAL(levels[0].timed, COUNT - 2);
    /* 98 values: neighbours share a level. */
    CU_ASSERT_EQUAL_FATAL(run_summary_levels(&world.comparison, 0, RUN_SUMMARY_CLOCK, levels), RUN_SUMMARY_GROUPS);
    CU_ASSERT_EQUAL(levels[0].low, 1002);
    CU_ASSERT_EQUAL(levels[RUN_SUMMARY_GROUPS - 1].high, 1000 + COUNT - 1);
    size_t timed = levels[0].timed;
    for (size_t g = 1; g < RUN_SUMMARY_GROUPS; g++) {
        CU_ASSERT_EQUAL(levels[g].low, levels[g - 1].high + 1);
        timed += levels[g].timed;
    }
    CU_ASSERT_EQUAL(timed, COUNT - 2);
}

/* The best is P=0 Q=0 at COUNT - 1; `default_`: another configuration. */
static void causes(void)
{
    static const struct {
        double fit, shares[2];
        size_t default_, count, parameters[2];
    } cases[] = {
        {0.9, {0.6, 0.3}, 0, 2, {0, 1}},
        {0.9, {0.3, 0.6}, 0, 2, {1, 0}},
        {0.9, {0.6, 0.29}, 0, 1, {0, 0}},              /* less than half as much */
        {0.9, {0.1, 0.8}, COUNT - 3, 1, {0, 0}},       /* Q has the default's value */
        {0.9, {0.1, 0.8}, COUNT - 2, 1, {1, 0}},       /* P has the default's value */
        {0.9, {0.6, 0.3}, COUNT - 1, 0, {0, 0}},       /* the default is the best */
        {0.9, {0.6, 0.3}, COMPARISON_NONE, 2, {0, 1}}, /* unknown */
        {0.9, {0, 0}, 0, 0, {0, 0}},
        {0.49, {0.6, 0.3}, 0, 0, {0, 0}},
        {NAN, {NAN, NAN}, 0, 0, {0, 0}},
    };
    static struct world world;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double shares[2] = {cases[i].shares[0], cases[i].shares[1]};
        const struct importance importance = {.fit = cases[i].fit, .shares = shares};
        size_t parameters[RUN_SUMMARY_CAUSES];
        make(&world);
        world.run.default_ = cases[i].default_;
        size_t count = run_summary_causes(&world.comparison, 0, &importance, parameters);
        CU_ASSERT_EQUAL(count, cases[i].count);
        for (size_t p = 0; p < count && p < cases[i].count; p++)
            CU_ASSERT_EQUAL(parameters[p], cases[i].parameters[p]);
        world.run.best = COMPARISON_NONE;
        CU_ASSERT_EQUAL(run_summary_causes(&world.comparison, 0, &importance, parameters), 0);
    }
}

static void test_reasons(void)
{
    static struct world world;
    struct run_summary_reason reasons[2];
    size_t others, top[3];
    make(&world);
    CU_ASSERT_EQUAL(run_summary_reasons(&world.comparison, 0, STATUS_COMPILE_ERROR, reasons, 2, &others), 1);
    CU_ASSERT_EQUAL(reasons[0].count, 2); /* "line 9" and "line 10" are the same reason */
    CU_ASSERT_STRING_EQUAL(reasons[0].message, "line 9: too large");
    CU_ASSERT_EQUAL(others, 0);
    measurement_explain(&world.measurements[1], "something else");
    CU_ASSERT_EQUAL(run_summary_reasons(&world.comparison, 0, STATUS_COMPILE_ERROR, reasons, 1, &others), 1);
    CU_ASSERT_EQUAL(others, 1);
    CU_ASSERT_EQUAL(run_summary_reasons(&world.comparison, 0, STATUS_CRASHED, reasons, 1, &others), 0);
    CU_ASSERT_EQUAL(run_summary_top(&world.comparison, 0, top, 3), 3);
    CU_ASSERT_EQUAL(top[0], COUNT - 1);
    CU_ASSERT_EQUAL(top[1], COUNT - 2);
}

CU_TestInfo tests_run_summary[] = {{"the best so far", test_convergence},
                                   {"rows without an order", no_order},
                                   {"what came first", test_warm_start},
                                   {"the distribution of times", test_times},
                                   {"what parameters do", test_parameters},
                                   {"what registers, occupancy and clock do", levels},
                                   {"what made the best faster", causes},
                                   {"why there is no time, and the best", test_reasons},
                                   CU_TEST_INFO_NULL};
