/* The configuration chosen for a device and a size, and the rule that chose it. */
#include "../devices.h"

static void rules(void)
{
    static const struct {
        struct selection_device device;
        long double size;
        const char *text;
        enum choose_rule rule;
    } cases[] = {
        {{"A", 90, 100, 1000, NULL}, 100, "T=2", CHOOSE_RULE_PROBLEM},
        {{"A", 90, 100, 1000, NULL}, 1000, "T=3", CHOOSE_RULE_PROBLEM},
        {{"A", 0, 0, 0, NULL}, 1000, "T=3", CHOOSE_RULE_PROBLEM},
        {{"A", 90, 100, 1000, NULL}, 300, "T=2", CHOOSE_RULE_DEVICE}, /* 3 times 100, 3.3 times less than 1000 */
        {{"A", 90, 100, 1000, NULL}, 330, "T=3", CHOOSE_RULE_DEVICE},
        {{"B", 90, 50, 1000, NULL}, 5000, "T=4", CHOOSE_RULE_DEVICE},
        {{"X", 90, 60, 1000, NULL}, 1000, "T=4", CHOOSE_RULE_CC}, /* nearer to 50 than to 100, whatever the size */
        {{"X", 90, 90, 1000, NULL}, 1000, "T=3", CHOOSE_RULE_CC},
        {{"X", 90, 90, 1000, NULL}, 100, "T=2", CHOOSE_RULE_CC},
        {{"X", 89, 90, 1000, NULL}, 100, "T=5", CHOOSE_RULE_MAJOR},
        {{"X", 120, 90, 1000, NULL}, 100, "T=1", CHOOSE_RULE_COMMON},
        {{NULL, 0, 0, 0, NULL}, 100, "T=1", CHOOSE_RULE_COMMON},
    };
    struct world world;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(open_world(&world, three, NULL, 0, &error), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum choose_rule rule;
        size_t row = selection_choose(world.selection, &cases[i].device, &cases[i].size, NULL, &rule);
        CU_ASSERT_FATAL(row < world.selection->row_count);
        CU_ASSERT_STRING_EQUAL(world.selection->rows[row].text, cases[i].text);
        CU_ASSERT_EQUAL(rule, cases[i].rule);
    }
    /* The next best row if one is excluded, and none if all are. */
    bool excluded[8] = {true};
    enum choose_rule rule;
    size_t row = selection_choose(world.selection, &(struct selection_device){"A", 90, 100, 1000, NULL},
                                  (long double[]){100}, excluded, &rule);
    CU_ASSERT_STRING_EQUAL(world.selection->rows[row].text, "T=3");
    CU_ASSERT_EQUAL(rule, CHOOSE_RULE_DEVICE);
    memset(excluded, true, sizeof excluded);
    excluded[world.selection->row_count - 1] = false;
    selection_choose(world.selection, &cases[0].device, (long double[]){100}, excluded, &rule);
    CU_ASSERT_EQUAL(rule, CHOOSE_RULE_DEFAULT);
    excluded[world.selection->row_count - 1] = true;
    CU_ASSERT_EQUAL(selection_choose(world.selection, &cases[0].device, (long double[]){100}, excluded, &rule),
                    world.selection->row_count);
    CU_ASSERT_EQUAL(rule, CHOOSE_RULE_NONE);
    close_world(&world);
}

static void wrong_rows(void)
{
    static const struct {
        const char *rows, *message;
    } cases[] = {
        {"1,k,A,90,100,1000,N=100,time,10,T=2,T=1,20,s,p,2024\n1,k,B,90,100,1000,M=100,time,10,T=2,T=1,20,s,p,2025\n",
         "problem sizes of k differ"},
        {"1,k,A,90,100,1000,N=100,time,10,U=2,T=1,20,s,p,2024\n1,k,B,90,100,1000,N=100,time,10,T=2,T=1,20,s,p,2025\n",
         "parameters of k differ"},
        {"1,k,A,90,100,1000,N=big,time,10,T=2,T=1,20,s,p,2024\n", "problem size N is not a number: 'big'"},
        {"1,k,A,10000,100,1000,N=1,time,10,T=2,T=1,20,s,p,2024\n", "from 0 to 9999"},
        {"1,k,A,90,2147483648,1000,N=1,time,10,T=2,T=1,20,s,p,2024\n", "from 0 to 2147483647"},
        {"1,k,A,90,100,1000,N=1,time,10,T=2,,20,s,p,2024\n", NULL}, /* the newest row stands in */
        {"1,k,A,90,100,1000,N=1,time,10,T=2,U=1,20,s,p,2024\n", "parameters of k differ"},
        {"1,k,A,9999,2147483647,1000,N=1,time,10,T=2,T=1,20,s,p,2024\n", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world world;
        struct error error = {0};
        char text[1024];
        snprintf(text, sizeof text, "%s%s", HEAD, cases[i].rows);
        CU_ASSERT_EQUAL(open_world(&world, text, NULL, 0, &error), cases[i].message ? ERROR_DATA : 0);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, cases[i].message ? cases[i].message : ""));
        close_world(&world);
    }
}

/* Sizes in any order, each once. */
static void sizes(void)
{
    static const struct {
        const char *text;
        long double numbers[2];
        const char *message; /* NULL: valid */
    } cases[] = {{"N=8 M=16", {8, 16}, NULL},
                 {"M=16 N=8", {8, 16}, NULL},
                 {"N=1e3 M=0.5", {1000, 0.5}, NULL},
                 {"N=8 M=-1", {0}, "the problem size M cannot be negative: -1"},
                 {"N=8 M=-0.5", {0}, "the problem size M cannot be negative: -0.5"},
                 {"N=9223372036854775808 M=1", {0}, "not a number"},
                 {"N=9223372036854775807 M=9007199254740993", {9223372036854775807, 9007199254740993}, NULL},
                 {"N=+8 M=0", {8, 0}, NULL},
                 {"N=+-8 M=1", {0}, "not a number"},
                 {"N=- M=1", {0}, "not a number"},
                 {"N=1e999 M=1", {0}, "not a number"},
                 {"N=8", {0}, "does not give each problem size of k once"},
                 {"N=8 M=16 L=1", {0}, "does not give each problem size of k once"},
                 {"N=8 M=16 N=8", {0}, "does not give each problem size of k once"},
                 {"N=8 MM=16", {0}, "does not give each problem size of k once"},
                 {" N=8  M=16 ", {8, 16}, NULL},
                 {"N=8 M=", {0}, "the problem size M is not a number: ''"},
                 {"N=8 M=x", {0}, "the problem size M is not a number: 'x'"},
                 {"N=inf M=1", {0}, "not a number"},
                 {"N=0x10 M=1", {0}, "not a number"}};
    struct world world;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(
        open_world(&world, HEAD "1,k,A,90,100,1000,N=1 M=2,time,10,T=2,T=1,20,s,p,2024\n", NULL, 0, &error), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        long double numbers[2] = {0};
        error = (struct error){0};
        CU_ASSERT_EQUAL(selection_sizes(world.selection, cases[i].text, numbers, &error),
                        cases[i].message ? ERROR_USAGE : 0);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, cases[i].message ? cases[i].message : ""));
        for (int s = 0; s < 2 && !cases[i].message; s++)
            CU_ASSERT_EQUAL(numbers[s], cases[i].numbers[s]);
    }
    close_world(&world);
}

/* A size may be negative only if some row has one. */
static void negative_sizes(void)
{
    struct world world;
    struct error error = {0};
    long double numbers[2] = {0};
    CU_ASSERT_EQUAL_FATAL(open_world(&world,
                                     HEAD "1,k,A,90,100,1000,N=1 M=2,time,10,T=2,T=1,20,s,p,2024\n"
                                          "1,k,B,90,100,1000,N=0 M=-2,time,10,T=2,T=1,20,s,p,2024\n",
                                     NULL, 0, &error),
                          0);
    CU_ASSERT_FALSE(selection_may_be_negative(world.selection, 0));
    CU_ASSERT(selection_may_be_negative(world.selection, 1));
    CU_ASSERT_EQUAL(selection_sizes(world.selection, "N=8 M=-3", numbers, &error), 0);
    CU_ASSERT_EQUAL(numbers[1], -3);
    CU_ASSERT_EQUAL(selection_sizes(world.selection, "N=-8 M=3", numbers, &error), ERROR_USAGE);
    close_world(&world);
}

/* Rows with another source or space than the newest row are stale. */
static void fresh(void)
{
    struct world world;
    struct error error = {0};
    const struct best *kept[8];
    CU_ASSERT_EQUAL_FATAL(open_world(&world,
                                     HEAD "1,k,A,90,100,1000,N=1,time,10,T=2,T=1,20,s,p,2024\n"
                                          "1,k,B,90,100,1000,N=1,time,10,T=2,T=1,20,t,p,2026\n"
                                          "1,k,C,90,100,1000,N=1,time,10,T=2,T=1,20,t,q,2025\n"
                                          "1,k,D,90,100,1000,N=1,time,10,T=2,T=1,20,t,p,2023\n",
                                     NULL, 0, &error),
                          0);
    CU_ASSERT_STRING_EQUAL(selection_newest(world.rows, world.count)->provenance.device.name, "B");
    CU_ASSERT_EQUAL_FATAL(selection_fresh(world.rows, world.count, kept), 2);
    CU_ASSERT_STRING_EQUAL(kept[0]->provenance.device.name, "B");
    CU_ASSERT_STRING_EQUAL(kept[1]->provenance.device.name, "D");
    CU_ASSERT_EQUAL(selection_fresh(world.rows, 0, kept), 0);
    close_world(&world);
}

CU_TestInfo tests_selection[] = {{"a row is chosen by the first rule that fits", rules},
                                 {"wrong rows are refused", wrong_rows},
                                 {"sizes are read in any order", sizes},
                                 {"negative sizes", negative_sizes},
                                 {"stale rows are omitted", fresh},
                                 CU_TEST_INFO_NULL};
