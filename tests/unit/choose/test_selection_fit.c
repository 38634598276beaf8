/* Fits over sizes among the rows of a selection. */
#include "../devices.h"

#define FITS                                                                                                           \
    "schema,kernel,device,cc,sm_count,l2_bytes,problem,objective,time_ns,configuration,default_configuration,"         \
    "default_time_ns,source_hash,space_hash,date,fit,fit_quality\n"
#define FIT_A                                                                                                          \
    "2,k,A,90,100,1024000,M=1..100 N=1..1000,time,,T=2 U=1,T=1 U=1,,s,p,2026,fit 1; size N 1 1000; size M 1 100; "     \
    "take T=2 U=1 where ((N % 2) == 0); take U=1 T=3 where (M <= 50); if waves N 1 <= 2; order 0 1; order 1 0;,\n"
#define FIT_B                                                                                                          \
    "2,k,B,90,50,1024000,M=1..100 N=1..1000,time,,T=4 U=1,T=1 U=1,,s,p,2025,fit 1; size N 1 1000; size M 1 100; take " \
    "T=4 U=1; order 0;,\n"
#define ROW_A "1,k,A,90,100,1024000,M=10 N=10,time,10,T=5 U=1,T=1 U=1,20,s,p,2024,,\n"
#define ROW_C "1,k,C,80,100,1024000,M=10 N=10,time,10,T=6 U=1,T=1 U=1,20,s,p,2024,,\n"

/* Sizes in the order of the newest row: M, N. */
static void rules(void)
{
    static const struct {
        struct selection_device device;
        long double sizes[2];
        const char *text;
        enum choose_rule rule;
        bool extrapolates;
    } cases[] = {
        {{"A", 90, 100, 1024000, NULL}, {10, 10}, "T=5 U=1", CHOOSE_RULE_PROBLEM, false},
        {{"A", 90, 100, 1024000, NULL}, {10, 100}, "T=2 U=1", CHOOSE_RULE_FIT, false}, /* one wave */
        {{"A", 90, 100, 1024000, NULL}, {10, 400}, "T=3 U=1", CHOOSE_RULE_FIT, false},
        {{"A", 90, 100, 1024000, NULL}, {51, 400}, "T=2 U=1", CHOOSE_RULE_FIT, false},
        {{"A", 90, 100, 1024000, NULL}, {51, 401}, "T=5 U=1", CHOOSE_RULE_DEVICE, false}, /* none is valid */
        {{"A", 90, 100, 1024000, NULL}, {10, 10.5L}, "T=5 U=1", CHOOSE_RULE_DEVICE, false},
        {{"A", 90, 100, 1024000, NULL}, {10, 0x1p63L}, "T=5 U=1", CHOOSE_RULE_DEVICE, false},
        {{"A", 90, 100, 1024000, NULL}, {10, -0x1p63L}, "T=2 U=1", CHOOSE_RULE_FIT, true},
        {{"A", 90, 100, 1024000, NULL}, {10, 2000}, "T=3 U=1", CHOOSE_RULE_FIT, true},
        {{"A", 90, 100, 1024000, NULL}, {101, 2000}, "T=2 U=1", CHOOSE_RULE_FIT, true},
        {{"A", 0, 0, 0, NULL}, {10, 400}, "T=3 U=1", CHOOSE_RULE_FIT, false}, /* waves over the fit's own SMs */
        {{"A", 0, 0, 0, NULL}, {10, 200}, "T=2 U=1", CHOOSE_RULE_FIT, false},
        {{"X", 90, 60, 1024000, NULL}, {10, 400}, "T=4 U=1", CHOOSE_RULE_CC, false},  /* B is the nearest */
        {{"X", 90, 400, 1024000, NULL}, {10, 400}, "T=2 U=1", CHOOSE_RULE_CC, false}, /* A, with 400 SMs one wave */
        {{"X", 90, 100, 1024000, NULL}, {10, 10}, "T=5 U=1", CHOOSE_RULE_CC, false},  /* the very sizes come first */
        {{"X", 91, 60, 1024000, NULL}, {10, 2000}, "T=4 U=1", CHOOSE_RULE_MAJOR, true},
        {{"X", 86, 60, 1024000, NULL}, {10, 400}, "T=6 U=1", CHOOSE_RULE_MAJOR, false},
        {{"X", 120, 60, 1024000, NULL}, {10, 400}, "T=1 U=1", CHOOSE_RULE_COMMON, false},
    };
    struct world world;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(open_world(&world, FITS ROW_A FIT_A FIT_B ROW_C, NULL, 0, &error), 0);
    CU_ASSERT_EQUAL(world.selection->fit_count, 2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum choose_rule rule;
        size_t row = selection_choose(world.selection, &cases[i].device, cases[i].sizes, NULL, &rule);
        CU_ASSERT_FATAL(row < world.selection->row_count);
        CU_ASSERT_STRING_EQUAL(world.selection->rows[row].text, cases[i].text);
        CU_ASSERT_EQUAL(rule, cases[i].rule);
        CU_ASSERT_EQUAL(selection_extrapolates(world.selection, row, cases[i].sizes), cases[i].extrapolates);
    }
    close_world(&world);
}

/* Excluded rows leave the fit's next configuration, then the other rules. */
static void exclusion(void)
{
    static const char *const texts[] = {"T=2 U=1", "T=3 U=1", "T=5 U=1"};
    const struct selection_device device = {"A", 90, 100, 1024000, NULL};
    const long double sizes[] = {10, 100};
    bool excluded[16] = {false};
    struct world world;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(open_world(&world, FITS ROW_A FIT_A FIT_B, NULL, 0, &error), 0);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t row = selection_choose(world.selection, &device, sizes, excluded, NULL);
        CU_ASSERT_FATAL(row < world.selection->row_count);
        CU_ASSERT_STRING_EQUAL(world.selection->rows[row].text, texts[i]);
        excluded[row] = true;
    }
    close_world(&world);
}

/* A database of fits alone: they have the names of the sizes, and the default. */
static void alone(void)
{
    struct world world;
    struct error error = {0};
    long double sizes[2] = {0};
    CU_ASSERT_EQUAL_FATAL(open_world(&world, FITS FIT_A FIT_B, NULL, 0, &error), 0);
    CU_ASSERT_EQUAL(selection_sizes(world.selection, "N=3 M=4", sizes, &error), 0);
    CU_ASSERT_EQUAL(sizes[0], 4);
    CU_ASSERT_EQUAL(sizes[1], 3);
    CU_ASSERT_EQUAL(selection_sizes(world.selection, "N=3", sizes, &error), ERROR_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.hint, "within 'M=1..100 N=1..1000'"));
    CU_ASSERT_EQUAL(selection_sizes(world.selection, "N=-3 M=4", sizes, &error), ERROR_USAGE);
    CU_ASSERT_EQUAL(world.selection->row_count, 4); /* the default is last */
    CU_ASSERT_STRING_EQUAL(world.selection->rows[3].text, "T=1 U=1");
    close_world(&world);
}

static void negative(void)
{
    struct world world;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(open_world(&world,
                                     FITS "2,k,A,90,1,1,N=-4..4,time,,T=2,T=1,,s,p,2026,fit 1; size N -4 4; take T=2; "
                                          "order 0;,\n",
                                     NULL, 0, &error),
                          0);
    CU_ASSERT(selection_may_be_negative(world.selection, 0));
    close_world(&world);
}

/* If the L2 cache of a device is unknown, the fit assumes its own. */
static void l2_caches(void)
{
    static const struct {
        int64_t l2_bytes;
        long double size;
        const char *text;
    } cases[] = {{0, 10000, "T=2"}, {0, 11000, "T=3"}, {2048000, 11000, "T=2"}, {512000, 10000, "T=3"}};
    struct world world;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(open_world(&world,
                                     FITS "2,k,A,90,100,1024000,N=1..100000,time,,T=2,T=1,,s,p,2026,fit 1; size N 1 "
                                          "100000; take T=2; take T=3; if l2 <= 10; order 0 1; order 1 0;,\n",
                                     NULL, 0, &error),
                          0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct selection_device device = {"A", 90, 100, cases[i].l2_bytes, NULL};
        size_t row = selection_choose(world.selection, &device, &cases[i].size, NULL, NULL);
        CU_ASSERT_FATAL(row < world.selection->row_count);
        CU_ASSERT_STRING_EQUAL(world.selection->rows[row].text, cases[i].text);
    }
    close_world(&world);
}

static void wrong_fits(void)
{
    static const struct {
        const char *row;
        enum error_code code;
        const char *message;
    } cases[] = {
        {"2,k,A,90,1,1,N=1..4,time,,T=2,T=1,,s,p,2026,fit 1; size N 1 4; take T=2;,\n", ERROR_SYNTAX, "no end"},
        {"2,k,A,90,1,1,N=1..4,time,,T=2,T=1,,s,p,2026,fit 3; size N 1 4; take T=2; order 0;,\n", ERROR_SCHEMA,
         "version 3"},
        {"2,k,A,90,1,1,N=1..4,time,,T=2,T=1,,s,p,2026,fit 1; size M 1 4; take T=2; order 0;,\n", ERROR_DATA,
         "other problem sizes than its region 'N=1..4'"},
        {"2,k,A,90,1,1,M=1 N=1..4,time,,T=2,T=1,,s,p,2026,fit 1; size M 1 4; take T=2; order 0;,\n", ERROR_DATA,
         "other problem sizes"},
        {"2,k,A,90,1,1,N=1..4,time,,T=2,T=1,,s,p,2026,fit 1; size N 1 4; take T=2; take U=2; order 0 1;,\n", ERROR_DATA,
         "parameters of k differ"},
        {"2,k,A,90,1,1,N=1..4,time,,T=2,T=1,,s,p,2026,fit 1; size N 1 4; take T=2; order 0;,\n"
         "1,k,B,90,1,1,M=1,time,10,T=2,T=1,,s,p,2025,,\n",
         ERROR_DATA, "problem sizes of k differ"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world world;
        struct error error = {0};
        char text[1024];
        snprintf(text, sizeof text, "%s%s", FITS, cases[i].row);
        CU_ASSERT_EQUAL(open_world(&world, text, NULL, 0, &error), (int)cases[i].code);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, cases[i].message));
        close_world(&world);
    }
}

/* The fit of an earlier program, which decides by formulas, is skipped: the next rule answers. It may be the newest
 * row, and the only one. */
static void earlier(void)
{
    static const char fit[] =
        "2,k,A,90,100,1024000,M=1..100 N=1..1000,time,,T=2 U=1,T=1 U=1,,s,p,2027," /* the fit */ "\"fit 1; size N 1 "
        "1000; size M 1 100; take T=2 U=1 where ((N % 2) == 0); take U=1 T=3; if formula 0 1 "
        "((log2(N, 64) * 3) + 5) <= 9; order 0 1; order 1 0;\",\n";
    static const struct {
        const char *rows, *device, *text;
        enum choose_rule rule;
    } cases[] = {
        {ROW_A, "A", "T=5 U=1", CHOOSE_RULE_DEVICE}, {FIT_B, "A", "T=4 U=1", CHOOSE_RULE_CC},
        {FIT_B, "X", "T=4 U=1", CHOOSE_RULE_CC},     {"", "A", "T=1 U=1", CHOOSE_RULE_DEFAULT},
        {"", "X", "T=1 U=1", CHOOSE_RULE_DEFAULT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct selection_device device = {cases[i].device, 90, 100, 1024000, NULL};
        const long double sizes[] = {20, 100};
        struct world world;
        struct error error = {0};
        enum choose_rule rule;
        char text[2048];
        snprintf(text, sizeof text, "%s%s%s", FITS, cases[i].rows, fit);
        CU_ASSERT_EQUAL_FATAL(open_world(&world, text, NULL, 0, &error), 0);
        size_t row = selection_choose(world.selection, &device, sizes, NULL, &rule);
        CU_ASSERT_FATAL(row < world.selection->row_count);
        CU_ASSERT_STRING_EQUAL(world.selection->rows[row].text, cases[i].text);
        CU_ASSERT_EQUAL(rule, cases[i].rule);
        CU_ASSERT_FALSE(selection_extrapolates(world.selection, row, sizes));
        close_world(&world);
    }
}

CU_TestInfo tests_selection_fit[] = {{"fits of earlier programs are skipped", earlier},
                                     {"a fit answers for all sizes of its device", rules},
                                     {"a fit has further configurations", exclusion},
                                     {"a database of fits alone", alone},
                                     {"negative sizes", negative},
                                     {"L2 caches", l2_caches},
                                     {"wrong fits are refused", wrong_fits},
                                     CU_TEST_INFO_NULL};
