/* Sequences of launches: the launches of a configuration, their order, and the places of their results. */
#include "support.h"

#define HEAD                                                                                                           \
    "space 2\nkernel k \"k.cu\"\nproblem N = 64\nparam T = 2, 4, 8\nparam W = 0, 1\n"                                  \
    "buffer in float[N] random\nbuffer a float[N] random inout\nbuffer b float[N] output\nbuffer c float[N] output\n"  \
    "buffer d float[N] output\nreference r args a, b, c, d, in block 1 grid 1\n"
#define ALL "launch all args a, b, c, d block 1 grid 1\n"

static void describe(const struct space *space, const struct launch *launch, struct text *text)
{
    uint32_t places[SPACE_ARGUMENTS_MAX];
    for (size_t s = 0; s < launch->step_count; s++) {
        const struct launch_step *step = &launch->steps[s];
        text_printf(text, "%s", space->kernels[launch->kernels[step->kernel]]);
        for (uint32_t i = 0; i < step->argument_count; i++) {
            const struct launch_argument *argument = &launch->arguments[step->argument_first + i];
            if (argument->buffer >= 0)
                text_printf(text, "%c%s", i ? ' ' : '(', space->buffers[argument->buffer].name);
            else
                text_printf(text, "%c%d", i ? ' ' : '(', (int)launch->words[argument->word].bits);
        }
        text_printf(text, ") %u*%u", step->grid[0], step->block[0]);
        if (step->shared_bytes)
            text_printf(text, " shared %u", (unsigned)step->shared_bytes);
        if (step->cluster[0])
            text_printf(text, " cluster %u", step->cluster[0]);
        text_printf(text, "%s", step->cooperative ? " cooperative" : "");
        if (step->repeat > 1)
            text_printf(text, " repeat %u", step->repeat);
        for (uint32_t i = 0; i < step->swap_count; i++)
            text_printf(text, " swap %s %s", space->buffers[launch->swaps[step->swap_first + i].a].name,
                        space->buffers[launch->swaps[step->swap_first + i].b].name);
        text_printf(text, "; ");
    }
    space_launch_places(launch, space->buffer_count, places);
    for (size_t b = 0; b < space->buffer_count; b++)
        if (places[b] != b)
            text_printf(text, "%s in %s ", space->buffers[b].name, space->buffers[places[b]].name);
}

/* All with T=4 W=1. */
static void sequences(void)
{
    static const struct {
        const char *statements, *expected;
    } rows[] = {
        {ALL, "all(a b c d) 1*1; "},
        {ALL "launch f args a, int T block T * 8 grid ceildiv(N, T), 2 shared T * 4 cluster 2\n",
         "all(a b c d) 1*1; f(a 4) 16*32 shared 16 cluster 2; "},
        {ALL "launch f args a block 1 grid 1 cluster 1, W\n", "all(a b c d) 1*1; f(a) 1*1; "},
        {ALL "launch f args a block 1 grid resident cooperative\n", "all(a b c d) 1*1; f(a) 0*1 cooperative; "},
        {ALL "launch f args b block 1 grid 1 when W\nlaunch g args b block 1 grid 1 when !W\n",
         "all(a b c d) 1*1; f(b) 1*1; "},
        {ALL "launch f args b block 1 grid 1 repeat T - 4\nlaunch g args b block 2 grid 1 repeat T\n",
         "all(a b c d) 1*1; g(b) 1*2 repeat 4; "},
        /* a skipped launch is not evaluated */
        {ALL "launch f args b, int 1 / (T - 4) block T - 4 grid 1 when T > 4\n", "all(a b c d) 1*1; "},
        /* an odd number of swaps */
        {ALL "launch f args b, a block 1 grid 1 repeat 3 swap a, b\n",
         "all(a b c d) 1*1; f(b a) 1*1 repeat 3 swap a b; a in b b in a "},
        {ALL "launch f args b, a block 1 grid 1 repeat 4 swap a, b\n",
         "all(a b c d) 1*1; f(b a) 1*1 repeat 4 swap a b; "},
        {ALL "launch f args b, a block 1 grid 1 swap a, b, c, d\n",
         "all(a b c d) 1*1; f(b a) 1*1 swap a b swap c d; a in b b in a c in d d in c "},
        /* a name is the buffer in its new place */
        {ALL "launch f args b block 1 grid 1 swap a, b\nlaunch g args b block 1 grid 1 swap b, c\n",
         "all(a b c d) 1*1; f(b) 1*1 swap a b; g(b) 1*1 swap b c; a in b b in c c in a "},
        /* each kernel in use once */
        {"launch f args a block 1 grid 1 when !W\nlaunch g<T> args a, b block 1 grid 1\n"
         "launch f args c block 1 grid 1\nlaunch g<T> args d block 1 grid 1\n",
         "g<T>(a b) 1*1; f(c) 1*1; g<T>(d) 1*1; "},
        {ALL "launch f args a block 1 grid 0\n",
         "a grid's size must be from 1 to 4294967295, not 0, in launch at T=4 W=1"},
        {ALL "launch f args a block 1 grid 1 cluster W - 1\n",
         "a cluster's size must be from 1 to 4294967295, not 0, in launch at T=4 W=1"},
        {ALL "launch f args a block 1 grid 1 repeat 0 - T\n",
         "the number of repeated launches must be from 0 to 1000000, not -4, in launch at T=4 W=1"},
        {ALL "launch f args a block 1 grid 1 repeat 1000001\n",
         "the number of repeated launches must be from 0 to 1000000, not 1000001, in launch at T=4 W=1"},
        /* the configuration's own sizes */
        {"buffer s float[T * 16] scratch\nbuffer t float[64] scratch\n" ALL
         "launch f args s, t block 1 grid 1 swap s, t, a, b\n",
         "all(a b c d) 1*1; f(s t) 1*1 swap s t swap a b; a in b b in a s in t t in s "},
        {"buffer s float[T * 32] scratch\n" ALL "launch f args s block 1 grid 1 swap a, s\n",
         "'a' and 's' cannot be swapped: they have 256 and 512 bytes, in buffer at T=4 W=1"},
        {"launch all args a, b, c, d block 1 grid 1 when T < 4\nlaunch f args a block 1 grid 1 repeat T - 4\n",
         "nothing is launched, in launch at T=4 W=1; exclude such configurations with `require`"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char file[2048];
        const uint32_t choices[] = {1, 1};
        struct text text = {0};
        struct error error = {0};
        struct launch launch;
        snprintf(file, sizeof file, "%s%s", HEAD, rows[i].statements);
        struct space *space = bound(file, "", NULL);
        if (!space)
            continue;
        if (space_launch(space, choices, &launch, &error))
            text_printf(&text, "%s%s%s", error.message, *error.hint ? "; " : "", error.hint);
        else
            describe(space, &launch, &text);
        expect_text(rows[i].statements, text_string(&text), rows[i].expected);
        text_free(&text);
        space_free(space);
    }
}

static void numbers(void)
{
    const uint32_t choices[] = {1, 0};
    struct text names = {0};
    struct error error = {0};
    struct launch launch;
    struct space *space =
        bound(HEAD ALL "launch f<T> args a block 1 grid 1 repeat 10\nlaunch all args a block 1 grid 1\n", "", NULL);
    CU_ASSERT_EQUAL(space_launch(space, choices, &launch, &error), 0);
    CU_ASSERT_EQUAL(space_launch_count(&launch), 12);
    CU_ASSERT_EQUAL(space->kernel_count, 2);
    space_launch_kernels(space, &launch, &names);
    CU_ASSERT_EQUAL_FATAL(names.length, 9);
    CU_ASSERT_EQUAL(memcmp(names.bytes, "all\0f<T>", 9), 0);
    text_free(&names);
    CU_ASSERT_EQUAL(space_reference_launch(space, 0, &launch, &error), 0);
    CU_ASSERT_EQUAL(launch.step_count, 1);
    CU_ASSERT_EQUAL(launch.argument_count, 5);
    space_free(space);
}

/* The reference's clauses, and the arguments of the single launch. */
static void references(void)
{
    static const struct {
        const char *statements;
        uint32_t arguments, grid, cluster, cooperative;
    } rows[] = {{"args out\nblock 1\ngrid 1\nreference r block 1 grid 4", 1, 4, 0, 0},
                {"args out\nblock 1\ngrid 1\nreference r grid 8 args out, int 3, int 4 block 1 cluster 2", 3, 8, 2, 0},
                {"launch f args out block 1 grid 1\nreference r block 1 grid resident cooperative", 1, 0, 0, 1}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char file[512];
        struct launch launch;
        struct error error = {0};
        snprintf(file, sizeof file, "space 2\nkernel k \"k.cu\"\nparam T = 1\nbuffer out float[16] output\n%s\n",
                 rows[i].statements);
        struct space *space = bound(file, "", NULL);
        CU_ASSERT_EQUAL(space_reference_launch(space, 0, &launch, &error), 0);
        CU_ASSERT_EQUAL(launch.steps[0].argument_count, rows[i].arguments);
        CU_ASSERT_EQUAL(launch.steps[0].grid[0], rows[i].grid);
        CU_ASSERT_EQUAL(launch.steps[0].cluster[0], rows[i].cluster);
        CU_ASSERT_EQUAL(launch.steps[0].cooperative, rows[i].cooperative);
        space_free(space);
    }
}

/* Macros of a launch replace those of parameters and of `define`. Launches with the same macros are compiled together.
 */
static void macros(void)
{
    static const struct {
        const char *statements, *parts, *titles;
    } rows[] = {
        {ALL "launch f args a block 1 grid 1\n", "all f: T=4 W=1 D=5; ", "all; f; "},
        {ALL "launch f args a block 1 grid 1 define T = 1\n", "all: T=4 W=1 D=5; f: W=1 D=5 T=1; ",
         "all; f with T=1; "},
        {ALL "launch f args a block 1 grid 1 define X = T * 2, D = 0\n", "all: T=4 W=1 D=5; f: T=4 W=1 X=8 D=0; ",
         "all; f with X=T * 2, D=0; "},
        /* the same kernel in two parts, and two launches of one part */
        {ALL "launch all args a, b block 1 grid 1 define T = 8\nlaunch f args a block 1 grid 1 define T = 8\n"
             "launch all args a, b block 2 grid 1 define T = 8\n",
         "all: T=4 W=1 D=5; all f: W=1 D=5 T=8; ", "all; all with T=8; f with T=8; "},
        {"launch all args a, b, c, d block 1 grid 1 define T = 8\n", "all: W=1 D=5 T=8; ", "all with T=8; "},
        /* a part that the configuration skips */
        {ALL "launch f args a block 1 grid 1 define T = 1 when !W\n", "all: T=4 W=1 D=5; ", "all; f with T=1; "},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char file[2048];
        const uint32_t choices[] = {1, 1};
        struct text options = {0}, parts = {0}, titles = {0};
        struct error error = {0};
        struct launch launch;
        struct bundle_plan plan;
        snprintf(file, sizeof file, "%sdefine D = T + 1\n%s", HEAD, rows[i].statements);
        struct space *space = bound(file, "T W D X", NULL);
        if (!space)
            continue;
        CU_ASSERT_EQUAL(space_launch(space, choices, &launch, &error), 0);
        CU_ASSERT_EQUAL(space_launch_options(space, &launch, choices, "-last", &options, &plan, &error), 0);
        const char *option = text_string(&options);
        for (uint32_t p = 0; p < plan.part_count; p++) {
            const char *gap = "";
            for (size_t k = 0; k < launch.kernel_count; k++)
                if (plan.of[k] == p) {
                    text_printf(&parts, "%s%s", gap, space->kernels[launch.kernels[k]]);
                    gap = " ";
                }
            text_printf(&parts, ":");
            for (size_t o = 0; o + 1 < plan.option_counts[p]; o++, option += strlen(option) + 1)
                text_printf(&parts, " %s", option + 2);
            CU_ASSERT_STRING_EQUAL(option, "-last");
            option += strlen(option) + 1;
            text_printf(&parts, "; ");
        }
        for (size_t k = 0; k < space->kernel_count; k++)
            text_printf(&titles, "%s; ", space->kernel_titles[k]);
        expect_text(rows[i].statements, text_string(&parts), rows[i].parts);
        expect_text(rows[i].statements, text_string(&titles), rows[i].titles);
        text_free(&titles);
        text_free(&parts);
        text_free(&options);
        space_free(space);
    }
}

/* The device's limits hold for every executed launch. A declared word `resident` is not the keyword. */
static void limits(void)
{
    static const struct {
        const char *statements;
        uint64_t valid;
    } rows[] = {
        {"launch f args a, b, c, d block T * 256 grid 1", 4},
        {"launch f args a, b, c, d block 1 grid 1\nlaunch g args a block T * 256 grid 1", 4},
        {"launch f args a, b, c, d block 1 grid 1\nlaunch g args a block T * 256 grid 1 when W", 5},
        {"launch f args a, b, c, d block 1 grid 1\nlaunch g args a block 1 grid 1 shared T << 16", 2},
        {"launch f args a, b, c, d block 1 grid 1, T << 14", 2},
        {"param resident = 0, 1\nlaunch f args a, b, c, d block 1 grid resident", 6},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char file[2048];
        struct device_limits h200 = h200_limits();
        struct valid_set *set = NULL;
        struct error error = {0};
        snprintf(file, sizeof file, "%s%s\n", HEAD, rows[i].statements);
        struct space *space = bound(file, "", &h200);
        CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, space, 1 << 20, &error), 0);
        if (valid_set_count(set) != rows[i].valid)
            fprintf(stderr, "\n%s: %llu\n", rows[i].statements, (unsigned long long)valid_set_count(set));
        CU_ASSERT_EQUAL(valid_set_count(set), rows[i].valid);
        valid_set_free(set);
        space_free(space);
    }
}

/* An output that kernels store to only through a view counts as passed. */
static void viewed_output(void)
{
    struct device_limits h200 = h200_limits();
    struct launch launch;
    struct error error = {0};
    uint32_t choices[SPACE_PARAMETERS_MAX];
    struct space *space = bound("space 2\nkernel k \"k.cu\"\nparam T = 16, 32\nbuffer in float[4096] random\n"
                                "buffer out float[4096] output\ntensor_map to over out size 64, 64 box T, 1\n"
                                "args in, to, int T\nblock 32\ngrid 1\nreference r args out, in block 1 grid 1\n",
                                "", &h200);
    space_default(space, choices);
    CU_ASSERT_EQUAL(space_launch(space, choices, &launch, &error), 0);
    CU_ASSERT_EQUAL(launch.tensor_maps[launch.arguments[1].view].buffer, 1);
    space_free(space);
}

CU_TestInfo tests_step[] = {{"sequences", sequences}, {"numbers", numbers}, {"references", references},
                            {"macros", macros},       {"limits", limits},   {"outputs through views", viewed_output},
                            CU_TEST_INFO_NULL};
