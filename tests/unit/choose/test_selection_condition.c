/* Conditions of rows: the choice if a row is not valid. */
#include "../devices.h"
#include "base/architecture.h"
#include "choose/selection_condition.h"

#define COLUMNS                                                                                                        \
    "schema,kernel,device,cc,sm_count,l2_bytes,problem,objective,time_ns,configuration,default_configuration,"         \
    "default_time_ns,source_hash,space_hash,date,condition,fit,fit_quality\n"
#define ROW(device, cc, sms, problem, configuration, condition)                                                        \
    "1,k," device "," cc "," sms ",1000," problem ",time,10," configuration ",T=1,,s,p,2024," condition ",,\n"

/* For other devices, the next valid row by the rules is chosen, else the default. */
static void rules(void)
{
    static const struct {
        struct selection_device device;
        long double size;
        const char *text;
        enum choose_rule rule;
    } cases[] = {
        {{"A", 80, 100, 1000, NULL}, 64, "T=2", CHOOSE_RULE_PROBLEM},
        {{"A", 80, 100, 1000, NULL}, 100, "T=2", CHOOSE_RULE_DEVICE},
        {{"A", 80, 100, 1000, NULL}, 101, "T=4", CHOOSE_RULE_MAJOR}, /* not an even number */
        {{"X", 80, 100, 1000, NULL}, 64, "T=2", CHOOSE_RULE_CC},
        {{"X", 80, 100, 1000, NULL}, 65, "T=4", CHOOSE_RULE_MAJOR},
        {{"X", 86, 60, 1000, NULL}, 64, "T=4", CHOOSE_RULE_CC}, /* T=2 needs too much shared memory there */
        {{"X", 89, 100, 1000, NULL}, 64, "T=4", CHOOSE_RULE_MAJOR},
        {{"X", 90, 200, 1000, NULL}, 64, "T=3", CHOOSE_RULE_CC},
        {{"X", 90, 0, 1000, NULL}, 64, "T=1", CHOOSE_RULE_DEFAULT},  /* an unknown number of multiprocessors */
        {{"X", 90, 10, 1000, NULL}, 64, "T=1", CHOOSE_RULE_DEFAULT}, /* too few */
        {{"C", 90, 0, 0, NULL}, 65, "T=3", CHOOSE_RULE_DEVICE},      /* the row's own device has them */
        {{"C", 0, 0, 0, NULL}, 65, "T=3", CHOOSE_RULE_DEVICE},
        {{"X", 100, 200, 1000, NULL}, 64, "T=1", CHOOSE_RULE_DEFAULT},
        {{NULL, 0, 0, 0, NULL}, 64, "T=1", CHOOSE_RULE_DEFAULT},
    };
    struct world world;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(
        open_world(&world,
                   COLUMNS ROW("A", "80", "100", "N=64", "T=2", "(((N % 2) == 0) && (150000 <= shared_limit))")
                       ROW("B", "86", "60", "N=64", "T=4", "1") ROW("C", "90", "132", "N=64", "T=3", "(N <= sm_count)"),
                   NULL, 0, &error),
        0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum choose_rule rule;
        size_t row = selection_choose(world.selection, &cases[i].device, &cases[i].size, NULL, &rule);
        CU_ASSERT_FATAL(row < world.selection->row_count);
        CU_ASSERT_STRING_EQUAL(world.selection->rows[row].text, cases[i].text);
        CU_ASSERT_EQUAL(rule, cases[i].rule);
        if (rule != cases[i].rule || strcmp(world.selection->rows[row].text, cases[i].text) != 0)
            printf("case %zu: %s by rule %d\n", i, world.selection->rows[row].text, rule);
    }
    close_world(&world);
}

/* Limits of the caller precede the architecture's table. */
static void limits(void)
{
    int64_t given[64];
    struct world world;
    struct error error = {0};
    const struct selection_device device = {"X", 86, 100, 1000, given};
    const long double size = 64;
    CU_ASSERT_EQUAL_FATAL(
        open_world(&world, COLUMNS ROW("A", "80", "100", "N=64", "T=2", "(150000 <= shared_limit)"), NULL, 0, &error),
        0);
    for (size_t l = 0; l < limit_count; l++)
        given[l] = LIMIT_UNKNOWN;
    for (int64_t shared = 149999; shared <= 150000; shared++) {
        given[limit_find("shared_limit") - limit_rows] = shared;
        size_t row = selection_choose(world.selection, &device, &size, NULL, NULL);
        CU_ASSERT_STRING_EQUAL(world.selection->rows[row].text, shared < 150000 ? "T=1" : "T=2");
    }
    close_world(&world);
}

/* A device without a compute capability has that of its row. */
static void own_limits(void)
{
    struct world world;
    struct error error = {0};
    const struct selection_device device = {"A", 0, 0, 0, NULL};
    CU_ASSERT_EQUAL_FATAL(
        open_world(&world, COLUMNS ROW("A", "80", "100", "N=64", "T=2", "(N <= shared_limit)"), NULL, 0, &error), 0);
    for (int large = 0; large < 2; large++) {
        const long double size = large ? 1e9L : 64;
        size_t row = selection_choose(world.selection, &device, &size, NULL, NULL);
        CU_ASSERT_STRING_EQUAL(world.selection->rows[row].text, large ? "T=1" : "T=2");
    }
    close_world(&world);
}

/* T=2 belongs to the fit, T=3 has no answer, T=4's is invalid, and the default is never asked. */
static bool answer(const void *context, const char *configuration, bool of_limits, struct text *text)
{
    CU_ASSERT_EQUAL(of_limits, strcmp(configuration, "T=2") == 0);
    CU_ASSERT_STRING_NOT_EQUAL(configuration, "T=1");
    CU_ASSERT_PTR_NULL(context);
    text_printf(text, strcmp(configuration, "T=4") == 0 ? "(M <= 1)" : "(N <= 50)");
    return strcmp(configuration, "T=3") != 0;
}

/* The space's condition replaces the row's. */
static void required(void)
{
    static const struct {
        struct selection_device device;
        long double size;
        const char *text;
    } cases[] = {
        {{"X", 90, 100, 1000, NULL}, 50, "T=2"},   {{"X", 90, 100, 1000, NULL}, 51, "T=1"},
        {{"C", 80, 100, 1000, NULL}, 100, "T=3"},  {{"D", 100, 100, 1000, NULL}, 100, "T=4"},
        {{"B", 120, 100, 1000, NULL}, 101, "T=1"}, {{"B", 120, 100, 1000, NULL}, 50, "T=5"},
    };
    struct world world;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(
        open_world(&world,
                   COLUMNS "2,k,A,90,100,1000,N=1..100,time,,T=2,T=1,,s,p,2026,(N <= 9);,fit 1; size "
                           "N 1 100; take T=2; order 0;,\n" ROW("B", "120", "100", "N=100", "T=5", "1")
                               ROW("C", "80", "100", "N=100", "T=3", "1") ROW("D", "100", "100", "N=100", "T=4", "1"),
                   NULL, 0, &error),
        0);
    CU_ASSERT_EQUAL(selection_require(world.selection, answer, NULL, &error), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t row = selection_choose(world.selection, &cases[i].device, &cases[i].size, NULL, NULL);
        CU_ASSERT_STRING_EQUAL(world.selection->rows[row].text, cases[i].text);
        if (strcmp(world.selection->rows[row].text, cases[i].text) != 0)
            printf("case %zu: %s\n", i, world.selection->rows[row].text);
    }
    close_world(&world);
}

/* An unknown limit forbids a row on other devices, but not where it was measured. */
static void unknown(void)
{
    struct world world;
    struct error error = {0};
    const long double size = 65;
    CU_ASSERT_EQUAL_FATAL(
        open_world(&world, COLUMNS ROW("A", "80", "100", "N=64", "T=2", "(N <= l2_persisting_bytes)"), NULL, 0, &error),
        0);
    for (int own = 0; own < 2; own++) {
        const struct selection_device device = {own ? "A" : "X", 80, 100, 1000, NULL};
        size_t row = selection_choose(world.selection, &device, &size, NULL, NULL);
        CU_ASSERT_STRING_EQUAL(world.selection->rows[row].text, own ? "T=2" : "T=1");
    }
    close_world(&world);
}

/* A configuration measured on several devices is the common one; its condition is that of their rows. */
static void common(void)
{
    struct world world;
    struct error error = {0};
    const long double size = 64;
    CU_ASSERT_EQUAL_FATAL(open_world(&world,
                                     COLUMNS ROW("A", "90", "100", "N=64", "T=2", "(cc >= 90)")
                                         ROW("B", "100", "100", "N=64", "T=2", ""),
                                     NULL, 0, &error),
                          0);
    for (int cc = 80; cc <= 120; cc += 40) {
        const struct selection_device device = {"X", cc, 100, 1000, NULL};
        enum choose_rule rule;
        size_t row = selection_choose(world.selection, &device, &size, NULL, &rule);
        CU_ASSERT_STRING_EQUAL(world.selection->rows[row].text, cc < 90 ? "T=1" : "T=2");
        CU_ASSERT_EQUAL(rule, cc < 90 ? CHOOSE_RULE_DEFAULT : CHOOSE_RULE_COMMON);
    }
    close_world(&world);
}

/* A fit has a condition for each configuration. Its own device needs none. */
static void fits(void)
{
    static const struct {
        struct selection_device device;
        const char *text;
        enum choose_rule rule;
    } cases[] = {
        {{"A", 80, 100, 1000, NULL}, "T=2", CHOOSE_RULE_FIT},
        {{"X", 80, 100, 1000, NULL}, "T=2", CHOOSE_RULE_CC},
        {{"X", 86, 100, 1000, NULL}, "T=3", CHOOSE_RULE_MAJOR},
        {{"X", 90, 100, 1000, NULL}, "T=1", CHOOSE_RULE_DEFAULT},
    };
    struct world world;
    struct error error = {0};
    const long double size = 64;
    CU_ASSERT_EQUAL_FATAL(open_world(&world,
                                     COLUMNS "2,k,A,80,100,1000,N=1..100,time,,T=2,T=1,,s,p,2026,(150000 <= "
                                             "shared_limit); 1;,fit 1; size N 1 100; take T=2; take T=3; order 0 1;,\n",
                                     NULL, 0, &error),
                          0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum choose_rule rule;
        size_t row = selection_choose(world.selection, &cases[i].device, &size, NULL, &rule);
        CU_ASSERT_STRING_EQUAL(world.selection->rows[row].text, cases[i].text);
        CU_ASSERT_EQUAL(rule, cases[i].rule);
    }
    close_world(&world);
}

static void wrong(void)
{
    static const struct {
        const char *rows, *message;
    } cases[] = {
        {COLUMNS ROW("A", "80", "100", "N=64", "T=2", "(N <="), "character 6 of the condition"},
        {COLUMNS ROW("A", "80", "100", "N=64", "T=2", "(M <= 2)"), "character 2 of the condition"},
        {COLUMNS "2,k,A,80,100,1000,N=1..100,time,,T=2,T=1,,s,p,2026,1;,fit 1; size N 1 100; take T=2; take T=3; order "
                 "0 1;,\n",
         "for some of its configurations only"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world world;
        struct error error = {0};
        CU_ASSERT_EQUAL(open_world(&world, cases[i].rows, NULL, 0, &error), ERROR_DATA);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, cases[i].message));
        CU_ASSERT_PTR_NOT_NULL(strstr(error.hint, "in the row of A, N="));
        close_world(&world);
    }
}

CU_TestInfo tests_selection_condition[] = {{"rules", rules},
                                           {"limits of the caller", limits},
                                           {"limits of its own", own_limits},
                                           {"required", required},
                                           {"unknown", unknown},
                                           {"common", common},
                                           {"fits", fits},
                                           {"wrong", wrong},
                                           CU_TEST_INFO_NULL};
