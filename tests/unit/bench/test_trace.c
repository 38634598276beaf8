#include "tools/bench/trace.h"

#include "../scratch.h"

/* Compiling and measuring times in ns: 1 compiles long, 3 and 5 never reach the device. 2 and 5 are equally fast. */
static const char timed[] = "# cutune journal 1\n# parameters = 1\nA,status,time_ns,compile_ns,measure_ns\n"
                            "1,ok,10,1000,100\n2,ok,20,200,300\n3,compile_error,,400,0\n4,ok,40,100,100\n5,ok,20,0,0\n";
static const char untimed[] = "# cutune journal 1\n# parameters = 1\nA,status,time_ns,compile_ns,measure_ns\n"
                              "1,ok,10,1000,100\n2,ok,20,,\n";
static const char failed[] = "# cutune journal 1\n# parameters = 1\nA,status,time_ns\n1,compile_error,\n";

enum { MOST = 5 };
static const uint32_t none = UINT32_MAX;

static int open_text(struct landscape **landscape, const char *text, struct error *error)
{
    struct scratch scratch = scratch_open("j.csv");
    scratch_write(&scratch, text);
    int code = landscape_open(landscape, scratch.path, error);
    scratch_close(&scratch);
    return code;
}

static void landscapes(void)
{
    static const uint32_t ranks[] = {0, 1, UINT32_MAX, 3, 1};
    struct landscape *landscape;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(open_text(&landscape, timed, &error), 0);
    CU_ASSERT_EQUAL(landscape->count, 5);
    CU_ASSERT_EQUAL(landscape->worked, 4);
    CU_ASSERT(landscape->timed);
    for (size_t i = 0; i < 5; i++)
        CU_ASSERT_EQUAL(landscape->rank[i], ranks[i]);
    CU_ASSERT_DOUBLE_EQUAL(landscape->score.mean_s, 1800e-9 / 4 + 400e-9 / 5, 1e-18);
    CU_ASSERT_DOUBLE_EQUAL(landscape->score.median_s, 400e-9, 1e-18);
    landscape_close(landscape);
    CU_ASSERT_EQUAL_FATAL(open_text(&landscape, untimed, &error), 0);
    CU_ASSERT(!landscape->timed);
    CU_ASSERT_EQUAL(landscape->score.mean_s, 1);
    CU_ASSERT_EQUAL(landscape->score.median_s, 1);
    landscape_close(landscape);
    CU_ASSERT_EQUAL(open_text(&landscape, failed, &error), ERROR_DATA);
    landscape_close(landscape);
    landscape_close(NULL);
}

/* `exhaustive` proposes in order: one at a time, in batches, or on four compilers and one device, which takes the first
 * finished compilation. */
static void evaluations_end_in_order(void)
{
    static const struct {
        size_t jobs, batch, least, most;
        double least_s;
        size_t count;
        uint32_t best[MOST];
        double at_ns[MOST];
    } rows[] = {
        {0, 1, 5, 5, 0, 5, {0, 0, 0, 0, 0}, {1100, 1600, 2000, 2200, 2200}},
        {0, 3, 5, 5, 0, 5, {0, 0, 0, 0, 0}, {1100, 1600, 2000, 2200, 2200}},
        {0, 3, 4, 4, 0, 4, {0, 0, 0, 0}, {1100, 1600, 2000, 2200}},
        {0, 1, 2, 5, 0, 2, {0, 0}, {1100, 1600}},
        {0, 1, 2, 5, 1e6, 5, {0, 0, 0, 0, 0}, {1100, 1600, 2000, 2200, 2200}},
        {4, 1, 4, 4, 0, 4, {3, 3, 1, 0}, {200, 400, 500, 1100}},
        {4, 1, 4, 5, 1e6, 5, {1, 1, 1, 1, 0}, {100, 200, 400, 500, 1100}},
    };
    struct landscape *landscape;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(open_text(&landscape, timed, &error), 0);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        uint32_t best[MOST];
        float at_s[MOST], own_s[MOST];
        struct trace trace = {.best = best, .at_s = at_s, .own_s = own_s};
        struct trace_setup setup = {.landscape = landscape,
                                    .strategy = "exhaustive",
                                    .jobs = rows[r].jobs,
                                    .batch = rows[r].batch,
                                    .least = rows[r].least,
                                    .least_s = rows[r].least_s,
                                    .most = rows[r].most};
        CU_ASSERT_EQUAL(trace_run(&setup, &trace, &error), 0);
        CU_ASSERT_EQUAL_FATAL(trace.count, rows[r].count);
        for (size_t i = 0; i < trace.count; i++) {
            CU_ASSERT_EQUAL(best[i], rows[r].best[i]);
            CU_ASSERT_DOUBLE_EQUAL(at_s[i], rows[r].at_ns[i] * 1e-9, 1e-12);
            CU_ASSERT(own_s[i] > 0 && (i == 0 || own_s[i] >= own_s[i - 1]));
        }
    }
    landscape_close(landscape);
}

/* Without a feasible configuration there is no best; a run ends after enough simulated seconds. */
static void ends(void)
{
    static const char text[] = "# cutune journal 1\n# parameters = 1\nA,status,time_ns,compile_ns,measure_ns\n"
                               "1,compile_error,,9000000000,0\n2,ok,10,9000000000,0\n3,ok,5,9000000000,0\n";
    uint32_t best[MOST];
    float at_s[MOST], own_s[MOST];
    struct landscape *landscape;
    struct error error = {0};
    struct trace trace = {.best = best, .at_s = at_s, .own_s = own_s};
    CU_ASSERT_EQUAL_FATAL(open_text(&landscape, text, &error), 0);
    for (size_t jobs = 0; jobs < 2; jobs++) {
        struct trace_setup setup = {
            .landscape = landscape, .strategy = "exhaustive", .batch = 1, .jobs = jobs, .least = 1, .most = 3};
        setup.least_s = 17; /* reached after the second */
        CU_ASSERT_EQUAL(trace_run(&setup, &trace, &error), 0);
        CU_ASSERT(trace.count >= 2);
        CU_ASSERT(jobs || trace.count == 2);
        CU_ASSERT_EQUAL(best[0], none);
        CU_ASSERT_EQUAL(best[1], 1);
        CU_ASSERT_DOUBLE_EQUAL(at_s[1], 18, 1e-6);
    }
    landscape_close(landscape);
}

static void refusals(void)
{
    uint32_t best[MOST];
    float at_s[MOST], own_s[MOST];
    struct landscape *landscape;
    struct error error = {0};
    struct trace trace = {.best = best, .at_s = at_s, .own_s = own_s};
    CU_ASSERT_EQUAL_FATAL(open_text(&landscape, untimed, &error), 0);
    struct trace_setup setup = {.landscape = landscape, .strategy = "nosuch", .batch = 1, .least = 2, .most = 2};
    CU_ASSERT_EQUAL(trace_run(&setup, &trace, &error), ERROR_USAGE);
    setup.strategy = "exhaustive";
    setup.jobs = 2;
    error = (struct error){0};
    CU_ASSERT_EQUAL(trace_run(&setup, &trace, &error), ERROR_DATA);
    landscape_close(landscape);
}

CU_TestInfo tests_trace[] = {
    {"a journal as a landscape", landscapes},
    {"evaluations end in the simulated order", evaluations_end_in_order},
    {"a search ends by evaluations and seconds", ends},
    {"what cannot be run", refusals},
    CU_TEST_INFO_NULL,
};
