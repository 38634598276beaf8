/* Configurations that take part in a fit over sizes. */
#include "fit/fit_proposals.h"
#include "fit_world.h"

/* Lists the configurations that take part, "A=1 B=1, A=2 B=1, ". */
static void list_taking_part(const struct world *world, struct text *proposed)
{
    for (size_t c = 0; c < world->journals.configuration_count; c++)
        text_printf(proposed, "%s, ", world->journals.configurations[c]);
}

static void list_proposed(struct world *world, const struct space *space, struct text *proposed)
{
    CU_ASSERT_EQUAL_FATAL(fit_journals_propose(&world->journals, space, &world->error), 0);
    list_taking_part(world, proposed);
}

/* Only the first few take part of many that are tied with the winner. */
static void proposes_few(void)
{
    struct world world;
    struct text rows = {0};
    bool same;
    open_world(&world);
    text_printf(&rows, "1,1,ok,500,499,501,9,default,,\n");
    for (int i = 2; i <= 9; i++)
        text_printf(&rows, "%d,2,ok,40%d,399,411,9,strategy,,\n", i, i);
    for (int i = 2; i <= 9; i++)
        text_printf(&rows, "%d,2,ok,40%d,399,411,9,strategy,%s,\n", i, i, i == 2 ? "leader" : "tied");
    text_printf(&rows, "1,1,ok,500,499,501,9,default,lost,\n");
    CU_ASSERT_EQUAL_FATAL(add(&world, "a", "k", "N=8", text_string(&rows), &same), 0);
    CU_ASSERT_EQUAL_FATAL(fit_journals_propose(&world.journals, NULL, &world.error), 0);
    CU_ASSERT_EQUAL(world.journals.configuration_count, 2 + FIT_TIED_MAX);
    text_free(&rows);
    close_world(&world);
}

/* With the space, the fastest that are valid next to a size take part, too, stopped early or not. */
static void proposes_beside(void)
{
    static const char even[] = "1,1,ok,500,499,501,9,default,,\n4,1,ok,400,399,401,9,strategy,,\n"
                               "2,1,slower,460,450,470,2,strategy,,\n2,2,slower,450,440,460,2,strategy,,\n"
                               "3,1,slower,480,470,490,2,strategy,,\n3,2,wrong_result,,,,,strategy,,bad\n"
                               "1,2,ok,1,1,1,9,fit,,\n";
    static const struct {
        bool space, varies;
        const char *proposed;                                         /* "A=1 B=1, ..." */
    } rows[] = {{false, true, "A=1 B=1, A=4 B=1, A=1 B=2, "},         /* the last one was measured by a fit */
                {true, true, "A=1 B=1, A=4 B=1, A=3 B=1, A=2 B=2, "}, /* neighbours of 8: 9 and 10 */
                {true, false, "A=1 B=1, A=4 B=1, "}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct world world;
        struct space *space = NULL;
        struct text proposed = {0};
        bool same;
        open_world(&world);
        CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", space_text, strlen(space_text), "A", NULL), 0);
        CU_ASSERT_EQUAL_FATAL(add(&world, "a", "k", "N=8", even, &same), 0);
        if (rows[i].varies)
            CU_ASSERT_EQUAL_FATAL(add(&world, "b", "k", "N=9", "1,1,ok,900,899,901,9,default,,\n", &same), 0);
        list_proposed(&world, rows[i].space ? space : NULL, &proposed);
        CU_ASSERT_STRING_EQUAL(text_string(&proposed), rows[i].proposed);
        text_free(&proposed);
        space_free(space);
        close_world(&world);
    }
}

/* With the space, configurations with the least average loss over the sizes that timed them take part, too: the first
 * few. */
static void proposes_general(void)
{
    static const struct {
        const char *first, *second; /* in addition to the default, 100 at either, and the winner, 10 */
        const char *proposed;       /* in addition to these */
    } rows[] = {                    /* At one size only: another one may be bad at other sizes. */
                {"3,2,ok,11,11,11,9,strategy,,\n", "", ""},
                {"3,2,ok,11,11,11,9,strategy,,\n", "3,2,slower,30,30,30,2,strategy,,\n", "A=3 B=2, "},
                {"3,2,ok,11,11,11,9,strategy,,\n1,2,ok,14,14,14,9,strategy,,\n",
                 "3,2,ok,30,30,30,9,strategy,,\n1,2,ok,15,15,15,9,strategy,,\n", "A=1 B=2, A=3 B=2, "},
                /* Ties are in the order of their texts. */
                {"3,2,ok,20,20,20,9,strategy,,\n1,2,ok,20,20,20,9,strategy,,\n",
                 "1,2,ok,20,20,20,9,strategy,,\n3,2,ok,20,20,20,9,strategy,,\n", "A=1 B=2, A=3 B=2, "},
                /* A configuration that failed once was timed once. */
                {"3,2,ok,11,11,11,9,strategy,,\n", "3,2,wrong_result,,,,,strategy,,bad\n", ""},
                /* Measurements of the fit do not count. */
                {"3,2,ok,11,11,11,9,strategy,,\n", "3,2,ok,11,11,11,9,fit,,\n", ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct world world;
        struct space *space = NULL;
        struct text proposed = {0}, wanted = {0};
        const char *const of[] = {rows[i].first, rows[i].second};
        bool same;
        open_world(&world);
        CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", space_text, strlen(space_text), "A", NULL), 0);
        for (size_t s = 0; s < 2; s++) {
            struct text table = {0};
            text_printf(&table, "1,1,ok,100,99,101,9,default,,\n3,1,ok,10,9,11,9,strategy,,\n%s", of[s]);
            CU_ASSERT_EQUAL_FATAL(add(&world, s ? "b" : "a", "k", s ? "N=16" : "N=8", text_string(&table), &same), 0);
            text_free(&table);
        }
        text_printf(&wanted, "A=1 B=1, A=3 B=1, %s", rows[i].proposed);
        list_proposed(&world, space, &proposed);
        CU_ASSERT_STRING_EQUAL(text_string(&proposed), text_string(&wanted));
        text_free(&wanted);
        text_free(&proposed);
        space_free(space);
        close_world(&world);
    }
}

/* Few of them. A configuration timed at many sizes comes before one timed at two, and is as slow there. */
static void proposes_few_general(void)
{
    struct world world;
    struct space *space = NULL;
    struct text text = {0}, proposed = {0};
    bool same;
    open_world(&world);
    text_printf(&text,
                "space 2\nkernel k \"k.cu\"\nproblem N = 8\nparam A = 1..20\nparam B = 1, 2\nbuffer out float[N] "
                "output\nargs out\nblock 32\ngrid 1\nreference r block 32 grid 1\n");
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", text_string(&text), text.length, "A", &world.error), 0);
    for (int s = 0; s < 3; s++) {
        char name[8], problem[16];
        text_clear(&text);
        text_printf(&text, "1,1,ok,1000,999,1001,9,default,,\n2,1,ok,10,9,11,9,strategy,,\n");
        for (int a = 3; a <= 20 && s < 2; a++)
            text_printf(&text, "%d,1,ok,%d,9,11,9,strategy,,\n", a, 10 + a);
        text_printf(&text, "20,2,ok,20,19,21,9,strategy,,\n"); /* at three sizes, as slow as A=10 */
        snprintf(name, sizeof name, "%d", s);
        snprintf(problem, sizeof problem, "N=%d", 8 << s);
        CU_ASSERT_EQUAL_FATAL(add(&world, name, "k", problem, text_string(&text), &same), 0);
    }
    list_proposed(&world, space, &proposed);
    CU_ASSERT_EQUAL(world.journals.configuration_count, 2 + FIT_GENERAL_MAX);
    CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&proposed), "A=20 B=2, "));
    CU_ASSERT_PTR_NULL(strstr(text_string(&proposed), "A=10 B=1, "));
    text_free(&text);
    text_free(&proposed);
    space_free(space);
    close_world(&world);
}

/* Configurations that no fit measured anywhere are left out, unless no fit measured anything. */
static void keeps_fitted(void)
{
    static const struct {
        const char *more, *kept; /* rows of the second size */
    } rows[] = {{"", "A=1 B=1, A=2 B=1, A=1 B=2, "},
                {"2,1,ok,10,9,11,9,fit,,\n", "A=2 B=1, "},
                {"1,2,ok,10,9,11,9,fit,,\n1,1,ok,10,9,11,9,fit,,\n", "A=1 B=1, A=1 B=2, "}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct world world;
        struct text table = {0}, proposed = {0};
        bool same;
        open_world(&world);
        CU_ASSERT_EQUAL_FATAL(
            add(&world, "a", "k", "N=8", "1,1,ok,100,99,101,9,default,,\n2,1,ok,10,9,11,9,strategy,,\n", &same), 0);
        text_printf(&table, "1,1,ok,100,99,101,9,default,,\n1,2,ok,10,9,11,9,strategy,,\n%s", rows[i].more);
        CU_ASSERT_EQUAL_FATAL(add(&world, "b", "k", "N=16", text_string(&table), &same), 0);
        CU_ASSERT_EQUAL_FATAL(fit_journals_propose(&world.journals, NULL, &world.error), 0);
        fit_journals_keep_fitted(&world.journals);
        list_taking_part(&world, &proposed);
        CU_ASSERT_STRING_EQUAL(text_string(&proposed), rows[i].kept);
        text_free(&table);
        text_free(&proposed);
        close_world(&world);
    }
}

CU_TestInfo tests_fit_proposals[] = {
    {"few of those that are tied", proposes_few}, {"valid configurations beside a size", proposes_beside},
    {"what serves many sizes", proposes_general}, {"few of these", proposes_few_general},
    {"what a fit measured", keeps_fitted},        CU_TEST_INFO_NULL};
