/* Journals of a fit: missing evaluations, and the table of times. */
#include <math.h>

#include "fit/fit_proposals.h"
#include "fit_world.h"

/* The play-off of N=8 has a tie; N=9 has a configuration measured for a fit, and faster than its winner. */
static const char small[] = "1,1,ok,500,499,501,9,default,,\n1,2,ok,400,399,401,9,strategy,,\n"
                            "2,1,ok,402,401,403,9,strategy,,\n2,2,wrong_result,,,,,strategy,,bad\n"
                            "1,2,ok,410,400,420,9,strategy,leader,\n2,1,ok,411,401,421,9,strategy,tied,\n"
                            "1,1,ok,500,499,501,9,default,lost,\n";
static const char large[] = "1,1,ok,900,899,901,9,default,,\n2,2,ok,700,699,701,9,strategy,,\n"
                            "1,2,slower,950,940,960,2,strategy,,\n2,1,ok,600,599,601,9,fit,,\n"
                            "2,2,ok,710,709,711,9,fit,,\n";

static void makes_the_table(void)
{
    static const char *const proposed[] = {"A=1 B=1", "A=1 B=2", "A=2 B=1", "A=2 B=2"};
    /* By N=8 and 9: of the play-off, of the fit, and of censored evaluations. */
    static const double times[] = {500, 410, 411, INFINITY, 900, 950, 600, 710};
    struct world world;
    struct fit_table table;
    const char *missing[4];
    bool same;
    open_world(&world);
    CU_ASSERT_EQUAL_FATAL(add(&world, "a", "k", "M=3 N=8", small, &same), 0);
    CU_ASSERT_EQUAL_FATAL(add(&world, "b", "k", "M=3 N=9", large, &same), 0);
    CU_ASSERT(!same);
    CU_ASSERT_EQUAL_FATAL(fit_journals_propose(&world.journals, NULL, &world.error), 0);
    CU_ASSERT_EQUAL_FATAL(world.journals.configuration_count, 4);
    for (size_t i = 0; i < 4; i++)
        CU_ASSERT_STRING_EQUAL(world.journals.configurations[i], proposed[i]);
    CU_ASSERT_EQUAL(fit_journals_missing(&world.journals, world.journals.items[0], missing), 4);
    CU_ASSERT_EQUAL(fit_journals_missing(&world.journals, world.journals.items[1], missing), 2);
    CU_ASSERT_STRING_EQUAL(missing[1], "A=1 B=2");
    CU_ASSERT_EQUAL_FATAL(fit_journals_table(&world.journals, &table, &world.error), 0);
    CU_ASSERT_EQUAL(table.size_count, 2);
    CU_ASSERT_EQUAL(table.configuration_count, 4);
    CU_ASSERT_EQUAL(table.sizes[1], 9);
    for (size_t c = 0; c < 4; c++)
        CU_ASSERT_STRING_EQUAL(table.configurations[c], proposed[c]);
    CU_ASSERT_EQUAL(table.sm_count, 7);
    CU_ASSERT_EQUAL(table.l2_bytes, 4096);
    for (size_t i = 0; i < 8; i++)
        CU_ASSERT_EQUAL(table.times[i], times[i]);
    close_world(&world);
}

/* A journal with further measurements of the fit proposes the same as before. */
static void reads_again(void)
{
    struct world world;
    struct space *space = NULL;
    struct text longer = {0};
    bool same;
    open_world(&world);
    CU_ASSERT_EQUAL_FATAL(add(&world, "a", "k", "N=8", small, &same), 0);
    text_printf(&longer, "%s2,2,ok,1,1,1,9,fit,,\n1,2,ok,400,399,401,9,fit,,\n", small);
    CU_ASSERT_EQUAL_FATAL(add(&world, "a", "k", "N=8", text_string(&longer), &same), 0);
    CU_ASSERT_EQUAL(world.journals.count, 1);
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", space_text, strlen(space_text), "A", NULL), 0);
    CU_ASSERT_EQUAL_FATAL(fit_journals_propose(&world.journals, space, &world.error), 0);
    CU_ASSERT_EQUAL(world.journals.configuration_count, 3);
    CU_ASSERT_EQUAL_FATAL(fit_journals_propose(&world.journals, NULL, &world.error), 0);
    CU_ASSERT_EQUAL(world.journals.configuration_count, 4);
    space_free(space);
    text_free(&longer);
    CU_ASSERT_EQUAL(add(&world, "b", "k", "N=7", large, &same), 0);
    CU_ASSERT(!same);
    for (size_t i = 7; i <= 8; i++) { /* in any order */
        CU_ASSERT_EQUAL(add(&world, "c", "k", i == 7 ? "N=7" : "N=8", large, &same), 0);
        CU_ASSERT(same);
    }
    CU_ASSERT_EQUAL(world.journals.count, 2);
    close_world(&world);
}

/* A probed size has rows of a fit and none of a search; it proposes nothing, and does not determine the varying
 * sizes. */
static void tells_probed(void)
{
    static const struct {
        const char *rows;
        bool probed;
        size_t configurations; /* number that take part with a searched size of one */
    } rows[] = {{"", false, 1},
                {"1,2,ok,400,399,401,9,fit,,\n4,1,ok,300,299,301,9,fit,,\n", true, 1},
                {"1,2,ok,400,399,401,9,fit,,\n4,1,ok,300,299,301,9,,,\n", true, 1}, /* measured to explain */
                {"4,1,ok,300,299,301,9,,,\n", false, 2},
                {"1,2,ok,400,399,401,9,fit,,\n4,1,ok,300,299,301,9,strategy,,\n", false, 2},
                {"1,2,ok,400,399,401,9,fit,,\n1,1,ok,300,299,301,9,default,,\n", false, 1},
                {"1,2,pruned_limit,,,,,fit,,not valid\n", true, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct world world;
        struct space *space = NULL;
        struct fit_table table;
        bool same;
        open_world(&world);
        CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", space_text, strlen(space_text), "A", NULL), 0);
        CU_ASSERT_EQUAL_FATAL(
            add(&world, "a", "k", "N=8", "1,1,ok,9,9,9,9,default,,\n2,2,slower,10,9,11,2,strategy,,\n", &same), 0);
        CU_ASSERT_EQUAL_FATAL(add(&world, "b", "k", "N=13", rows[i].rows, &same), 0);
        CU_ASSERT_EQUAL(journal_is_probed(world.journals.items[1]->journal), rows[i].probed);
        CU_ASSERT_EQUAL_FATAL(fit_journals_propose(&world.journals, space, &world.error), 0);
        CU_ASSERT_EQUAL(world.journals.configuration_count, rows[i].configurations);
        CU_ASSERT_EQUAL_FATAL(fit_journals_require(&world.journals, space, &world.error), 0);
        CU_ASSERT_EQUAL_FATAL(fit_journals_table(&world.journals, &table, &world.error), 0);
        CU_ASSERT_EQUAL(table.probed[0], false);
        CU_ASSERT_EQUAL(table.probed[1], rows[i].probed);
        space_free(space);
        close_world(&world);
    }
}

/* Blocks of the main launch, if they are a number. */
static void knows_blocks(void)
{
    static const struct {
        const char *launches, *blocks; /* of A=2 B=1 */
    } rows[] = {
        {"args out\nblock 32\ngrid ceildiv(N, A * 32)\nreference r block 32 grid 1\n", "ceildiv(N, 64)"},
        {"args out\nblock 32\ngrid N, A, N + 1\nreference r block 32 grid 1\n", "((N * 2) * (N + 1))"},
        {"args out\nblock 32\ngrid A\nreference r block 32 grid 1\n", "2"},
        {"args out\nblock 32\ngrid resident\nreference r block 32 grid 1\n", ""},
        {"args out\nblock 32\ngrid log2(N)\nreference r block 32 grid 1\n", ""},
        {"launch k args out block 32 grid 3 * N\nlaunch z args out block 32 grid 5\nreference r args out block 32 grid "
         "1\n",
         "(3 * N)"},
        {"launch y args out block 32 grid 3 * N\nlaunch z args out block 32 grid N / 5\nreference r args out block 32 "
         "grid 1\n",
         "(N / 5)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct world world;
        struct text text = {0};
        struct space *space = NULL;
        struct fit_table table;
        bool same;
        open_world(&world);
        text_printf(&text,
                    "space 2\nkernel k \"k.cu\"\nproblem N = 8\nparam A = 1..4\nparam B = 1, 2\nbuffer out float[N] "
                    "output\n%s",
                    rows[i].launches);
        CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", text_string(&text), text.length, "A", &world.error),
                              0);
        CU_ASSERT_EQUAL_FATAL(add(&world, "a", "k", "N=8", "2,1,ok,9,9,9,9,default,,\n", &same), 0);
        CU_ASSERT_EQUAL_FATAL(fit_journals_propose(&world.journals, NULL, &world.error), 0);
        CU_ASSERT_EQUAL_FATAL(fit_journals_require(&world.journals, space, &world.error), 0);
        CU_ASSERT_EQUAL_FATAL(fit_journals_table(&world.journals, &table, &world.error), 0);
        size_t c = 0;
        while (strcmp(table.configurations[c], "A=2 B=1") != 0)
            c++;
        CU_ASSERT_STRING_EQUAL(table.blocks[c], rows[i].blocks);
        text_free(&text);
        space_free(space);
        close_world(&world);
    }
}

/* Static shared memory is the rows' total minus the dynamic part, if that is the same at all sizes. */
static void knows_static_shared(void)
{
    static const char columns[] = "A,B,status,time_ns,low_ns,high_ns,samples,shared_bytes,proposer,playoff,message\n";
    static const char *const texts[] = {
        "space 2\nkernel k \"k.cu\"\nproblem N = 8\nparam A = 1..4\nparam B = 1, 2\nbuffer out float[N] output\nargs "
        "out\n"
        "block 32\ngrid 1\nshared 4 * N * A\nreference r block 32 grid 1\n",
        "space 2\nkernel k \"k.cu\"\nproblem N = 8\nparam A = 1..4\nparam B = 1, 2\nbuffer out float[N] output\n"
        "launch j args out block 32 grid 1 shared 4 * N * A\nlaunch k args out block 32 grid 1\n"
        "reference r args out block 32 grid 1\n"};
    static const struct {
        const char *first, *second; /* of A=2 B=1, at N=8 and N=9 */
        size_t space;
        const char *condition;
    } rows[] = {{"ok,9,9,9,9,80", "ok,9,9,9,9,88", 0, "(((4 * N) * 2) <= 984)"},
                {"ok,9,9,9,9,80", "wrong_result,,,,,90", 0, "(((4 * N) * 2) <= 984)"},
                {"ok,9,9,9,9,64", "ok,9,9,9,9,72", 0, "(((4 * N) * 2) <= 1000)"},
                {"ok,9,9,9,9,80", "ok,9,9,9,9,90", 0, "(((4 * N) * 2) <= 1000)"}, /* the sizes differ */
                {"ok,9,9,9,9,", "ok,9,9,9,9,", 0, "(((4 * N) * 2) <= 1000)"},     /* unknown */
                {"ok,9,9,9,9,80", "ok,9,9,9,9,88", 1, "(((4 * N) * 2) <= 1000)"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *of[] = {rows[i].first, rows[i].second}, *const text = texts[rows[i].space];
        struct world world;
        struct space *space = NULL;
        bool same;
        open_world(&world);
        CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", text, strlen(text), "A", NULL), 0);
        for (size_t s = 0; s < 2; s++) {
            struct text table = {0};
            text_printf(&table, "1,1,ok,99,99,99,9,,default,,\n2,1,%s,strategy,,\n", of[s]);
            CU_ASSERT_EQUAL_FATAL(
                add_table(&world, s ? "b" : "a", "k", s ? "N=9" : "N=8", columns, text_string(&table), &same), 0);
            text_free(&table);
        }
        CU_ASSERT_EQUAL_FATAL(fit_journals_propose(&world.journals, NULL, &world.error), 0);
        CU_ASSERT_EQUAL_FATAL(fit_journals_require(&world.journals, space, &world.error), 0);
        CU_ASSERT_STRING_EQUAL_FATAL(world.journals.configurations[1], "A=2 B=1");
        CU_ASSERT_PTR_NOT_NULL(strstr(world.journals.texts[1], rows[i].condition));
        space_free(space);
        close_world(&world);
    }
}

/* Configurations allowed by the conditions at a point; all, if sizes outside the region differ. */
static void lists_valid(void)
{
    static const char *const names[] = {"N", "M"};
    static const struct {
        const char *other; /* problem of the second journal */
        int64_t n;
        const char *valid;
    } rows[] = {
        {"M=3 N=9", 12, "A=1 B=1, A=4 B=1, "}, {"M=3 N=9", 10, "A=1 B=1, "}, {"M=4 N=9", 10, "A=1 B=1, A=4 B=1, "}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct world world;
        struct space *space = NULL;
        struct text text = {0};
        const size_t configurations[] = {0, 1};
        const char *valid[2];
        bool same;
        open_world(&world);
        world.journals.names = names;
        world.journals.name_count = 2;
        CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", space_text, strlen(space_text), "A", NULL), 0);
        CU_ASSERT_EQUAL_FATAL(
            add(&world, "a", "k", "M=3 N=8", "1,1,ok,9,9,9,9,default,,\n4,1,ok,8,8,8,9,strategy,,\n", &same), 0);
        CU_ASSERT_EQUAL_FATAL(add(&world, "b", "k", rows[i].other, "1,1,ok,9,9,9,9,default,,\n", &same), 0);
        CU_ASSERT_EQUAL_FATAL(fit_journals_propose(&world.journals, NULL, &world.error), 0);
        CU_ASSERT_EQUAL_FATAL(fit_journals_require(&world.journals, space, &world.error), 0);
        size_t count = fit_journals_valid(&world.journals, &rows[i].n, 1, configurations, 2, valid);
        for (size_t c = 0; c < count; c++)
            text_printf(&text, "%s, ", valid[c]);
        CU_ASSERT_STRING_EQUAL(text_string(&text), rows[i].valid);
        text_free(&text);
        space_free(space);
        close_world(&world);
    }
}

/* Journals are in the order of their sizes; the first size is the most significant. */
static void orders(void)
{
    static const char *const names[] = {"N", "M"};
    static const int64_t sizes[][2] = {{8, 3}, {8, 4}, {9, 1}, {10, 0}};
    static const size_t added[] = {2, 1, 3, 0};
    struct world world;
    open_world(&world);
    world.journals.names = names;
    world.journals.name_count = 2;
    for (size_t i = 0; i < 4; i++) {
        char name[8], problem[32];
        bool same;
        snprintf(name, sizeof name, "%zu", i);
        snprintf(problem, sizeof problem, "M=%d N=%d", (int)sizes[added[i]][1], (int)sizes[added[i]][0]);
        CU_ASSERT_EQUAL_FATAL(add(&world, name, "k", problem, small, &same), 0);
    }
    for (size_t i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(memcmp(world.journals.items[i]->sizes, sizes[i], sizeof sizes[i]), 0);
    close_world(&world);
}

static void refuses(void)
{
    static const struct {
        const char *kernel, *problem, *message;
    } rows[] = {{"other", "N=9", "another kernel"},
                {"k", "M=9", "its problem, M=9, has no size N"},
                {"k", "N=9.5", "has no size N"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct world world;
        bool same;
        open_world(&world);
        CU_ASSERT_EQUAL_FATAL(add(&world, "a", "k", "N=8", small, &same), 0);
        CU_ASSERT_EQUAL(add(&world, "b", rows[i].kernel, rows[i].problem, large, &same), ERROR_DATA);
        CU_ASSERT_PTR_NOT_NULL(strstr(world.error.message, rows[i].message));
        CU_ASSERT_EQUAL(world.journals.count, 1);
        close_world(&world);
    }
}

CU_TestInfo tests_fit_journals[] = {{"blocks", knows_blocks},
                                    {"makes the table", makes_the_table},
                                    {"reads a journal again", reads_again},
                                    {"tells probed sizes", tells_probed},
                                    {"knows static shared memory", knows_static_shared},
                                    {"lists valid configurations at a point", lists_valid},
                                    {"orders journals", orders},
                                    {"refuses what does not fit together", refuses},
                                    CU_TEST_INFO_NULL};
