/* The statement `per`: sets of expected results, and the configurations that compute them. */
#include "language/own_kernel.h"
#include "support.h"

#define HEAD                                                                                                           \
    "space 2\nkernel k \"k.cu\"\nproblem N = 64\nparam STEPS = 1, 2, 4\nparam TILE = 8, 16\nparam MODE = slow, fast\n" \
    "buffer in float[N] random\nbuffer a float[N] output\nargs a, in, int STEPS\nblock TILE\ngrid 1\n"                 \
    "reference r args a, in, int STEPS, int TILE block STEPS grid TILE\ndefault STEPS=2 TILE=16 MODE=slow\n"

/* Each configuration's set, and the reference's launch and macros for it. */
static void sets(void)
{
    static const struct {
        const char *statement, *configuration;
        uint32_t set;
        const char *text, *reference;
        uint32_t block, grid;
        const char *options;
    } rows[] = {
        {"", "STEPS=4 TILE=8 MODE=fast", 0, "", "STEPS=2 TILE=16 MODE=slow", 2, 16, "-DSTEPS=2 -DMODE=slow "},
        {"per STEPS\n", "STEPS=2 TILE=8 MODE=fast", 0, "STEPS=2", "STEPS=2 TILE=16 MODE=slow", 2, 16,
         "-DSTEPS=2 -DMODE=slow "},
        {"per STEPS\n", "STEPS=4 TILE=8 MODE=fast", 1, "STEPS=4", "STEPS=4 TILE=16 MODE=slow", 4, 16,
         "-DSTEPS=4 -DMODE=slow "},
        {"per STEPS\n", "STEPS=1 TILE=16 MODE=slow", 2, "STEPS=1", "STEPS=1 TILE=16 MODE=slow", 1, 16,
         "-DSTEPS=1 -DMODE=slow "},
        {"per MODE, STEPS\n", "STEPS=1 TILE=8 MODE=slow", 2, "MODE=slow STEPS=1", "STEPS=1 TILE=16 MODE=slow", 1, 16,
         "-DSTEPS=1 -DMODE=slow "},
        {"per MODE, STEPS\n", "STEPS=2 TILE=8 MODE=fast", 3, "MODE=fast STEPS=2", "STEPS=2 TILE=16 MODE=fast", 2, 16,
         "-DSTEPS=2 -DMODE=fast "},
        {"per MODE, STEPS\n", "STEPS=1 TILE=8 MODE=fast", 5, "MODE=fast STEPS=1", "STEPS=1 TILE=16 MODE=fast", 1, 16,
         "-DSTEPS=1 -DMODE=fast "},
        {"per TILE\n", "STEPS=1 TILE=8 MODE=fast", 1, "TILE=8", "STEPS=2 TILE=8 MODE=slow", 2, 8,
         "-DSTEPS=2 -DMODE=slow "},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char file[1024];
        uint32_t choices[SPACE_PARAMETERS_MAX];
        struct text text = {0}, options = {0}, macros = {0}, reference = {0};
        struct launch launch;
        struct error error = {0};
        size_t count = 0;
        snprintf(file, sizeof file, "%s%s", HEAD, rows[i].statement);
        struct space *space = bound(file, "STEPS MODE", NULL);
        CU_ASSERT_EQUAL_FATAL(space_config_parse(space, rows[i].configuration, choices, &error), 0);
        uint32_t set = space_set(space, choices);
        CU_ASSERT_EQUAL(set, rows[i].set);
        space_set_text(space, set, &text);
        expect_text(rows[i].configuration, text_string(&text), rows[i].text);
        space_set_choices(space, set, choices);
        CU_ASSERT_EQUAL(space_set(space, choices), set);
        space_config_text(space, choices, &reference);
        expect_text(rows[i].configuration, text_string(&reference), rows[i].reference);
        CU_ASSERT_EQUAL(space_reference_launch(space, set, &launch, &error), 0);
        CU_ASSERT_EQUAL(launch.steps[0].block[0], rows[i].block);
        CU_ASSERT_EQUAL(launch.steps[0].grid[0], rows[i].grid);
        CU_ASSERT_EQUAL(space_step_options(space, space->reference, set, &options, &count, &error), 0);
        const char *option = text_string(&options);
        for (size_t o = 0; o < count; o++, option += strlen(option) + 1)
            text_printf(&macros, "%s ", option);
        expect_text(rows[i].configuration, text_string(&macros), rows[i].options);
        text_free(&text);
        text_free(&options);
        text_free(&macros);
        text_free(&reference);
        space_free(space);
    }
}

/* The accept kernel and `reference default` depend on the set, too. */
static void others(void)
{
    static const struct {
        const char *reference;
        bool accept;
    } rows[] = {{"accept check args a, int STEPS block STEPS grid 1\n", true}, {"reference default\n", false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char file[1024];
        struct launch launch;
        struct error error = {0};
        snprintf(file, sizeof file,
                 "space 2\nkernel k \"k.cu\"\nparam STEPS = 1, 2, 4\nbuffer a float[8] output\nargs a, int "
                 "STEPS\nblock STEPS\n"
                 "grid 1\nper STEPS\n%s",
                 rows[i].reference);
        struct space *space = bound(file, "check", NULL);
        for (uint32_t set = 0; set < 3; set++) {
            CU_ASSERT_EQUAL(
                (rows[i].accept ? space_accept_launch : space_reference_launch)(space, set, &launch, &error), 0);
            CU_ASSERT_EQUAL(launch.steps[0].block[0], 1u << set);
        }
        space_free(space);
    }
}

/* The greatest number of sets, each with its own index. */
static void most_sets(void)
{
    for (int more = 0; more < 2; more++) {
        char file[1024];
        bool seen[SPACE_SETS_MAX] = {false};
        struct space *space = NULL;
        struct error error = {0};
        snprintf(file, sizeof file,
                 "space 2\nkernel k \"k.cu\"\nparam A = 1..16\nparam B = 0..%d\nbuffer a float[8] output\nargs a, int "
                 "A, int B\n"
                 "block 1\ngrid 1\nreference r block 1 grid 1\nper A, B\ndefault A=7 B=3\n",
                 15 + more);
        int code = space_parse_text(&space, "k.space", file, strlen(file), "k r", &error);
        CU_ASSERT_EQUAL(code, more ? ERROR_SYNTAX : 0);
        expect_text("message", error.message, more ? "these parameters have more than 256 combinations of values" : "");
        for (uint32_t a = 0; a < 16 && !code; a++)
            for (uint32_t b = 0; b < 16; b++) {
                const uint32_t choices[] = {a, b};
                uint32_t back[SPACE_PARAMETERS_MAX], set = space_set(space, choices);
                CU_ASSERT_FATAL(set < SPACE_SETS_MAX && !seen[set]);
                seen[set] = true;
                CU_ASSERT_EQUAL(set == 0, a == 6 && b == 3);
                space_set_choices(space, set, back);
                CU_ASSERT(back[0] == a && back[1] == b);
            }
        space_free(space);
    }
}

CU_TestInfo tests_per[] = {{"sets", sets}, {"others", others}, {"most sets", most_sets}, CU_TEST_INFO_NULL};
