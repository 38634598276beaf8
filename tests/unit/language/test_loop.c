/* Loops: the order of the launches, their numbers in each round, and conditions that end a loop. */
#include "support.h"

#define HEAD                                                                                                           \
    "space 2\nkernel k \"k.cu\"\nproblem N = 64\nparam T = 2, 4\nparam W = 0, 1\n"                                     \
    "buffer a float[N] random inout\nbuffer b float[N] random inout\nbuffer flag int[4] zero inout\n"                  \
    "buffer rest double[1] zero inout\n"
#define REFERENCE "reference r args a, b, flag, rest block 1 grid 1\n"
#define ALL       "launch all args a, b, flag, rest block 1 grid 1\n"

static void put_call(const struct launch *launch, const struct launch_step *step, const char *const *kernels,
                     struct text *text)
{
    text_printf(text, "%s", kernels[launch->kernels[step->kernel]]);
    for (uint32_t i = 0; i < step->argument_count; i++) {
        const struct launch_argument *argument = &launch->arguments[step->argument_first + i];
        for (size_t w = 0; argument->buffer < 0 && w < LAUNCH_WORDS(argument->bytes); w++)
            text_printf(text, " %d", (int)launch->words[argument->word + w].bits);
        for (uint32_t p = 0; p < argument->part_count; p++)
            text_printf(text, " @%u", (unsigned)launch->parts[argument->part_first + p].offset_bytes);
        if (argument->buffer >= 0 && argument->offset_bytes)
            text_printf(text, " +%u", (unsigned)argument->offset_bytes);
    }
    if (step->block[0] * step->grid[0] > 1)
        text_printf(text, " %u*%u", step->grid[0], step->block[0]);
    if (step->shared_bytes)
        text_printf(text, " shared %u", (unsigned)step->shared_bytes);
    if (step->repeat > 1)
        text_printf(text, " repeat %u", step->repeat);
    text_printf(text, "; ");
}

/* The answers to a walk's questions, '0' or '1'; the last one is repeated. */
struct answers {
    const char *at;
    struct text *text;
};

static int answer(void *context, const struct launch_until *until, bool *holds)
{
    struct answers *answers = context;
    (void)until;
    *holds = *answers->at == '1';
    text_printf(answers->text, "%c ", *answers->at);
    answers->at += answers->at[1] != '\0';
    return 0;
}

static void walk_all(const struct space *space, struct launch *launch, const char *const *kernels, const char *answers,
                     struct text *text)
{
    struct launch_walk walk;
    struct answers asked = {answers, text};
    const struct launch_until *over = NULL;
    launch_walk_start(&walk, launch);
    for (size_t calls = 0; walk.call.step != LAUNCH_WALK_END && calls < 100; calls++) {
        launch_enter(launch, &walk.call);
        put_call(launch, &launch->steps[walk.call.step], kernels, text);
        CU_ASSERT_EQUAL(launch_walk_next(&walk, launch, answer, &asked, &over), 0);
    }
    if (over)
        text_printf(text, "over: %s %s", space->buffers[over->buffer].name, until_signs[over->sign]);
}

struct loop_row {
    const char *statements, *answers, *expected;
    size_t calls, loops; /* in the launch */
};

static void run_rows(const struct loop_row *rows, size_t count, bool reference)
{
    for (size_t i = 0; i < count; i++) {
        char file[2048];
        const uint32_t choices[] = {1, 1};
        struct text text = {0};
        struct error error = {0};
        struct launch launch;
        snprintf(file, sizeof file, "%s%s%s", HEAD, rows[i].statements, reference ? ALL : REFERENCE);
        struct space *space = bound(file, "", NULL);
        if (!space)
            continue;
        int code = reference ? space_reference_launch(space, 0, &launch, &error)
                             : space_launch(space, choices, &launch, &error);
        CU_ASSERT_EQUAL(code, 0);
        if (code)
            fprintf(stderr, "\n%s%s\n", rows[i].statements, error.message);
        else
            walk_all(space, &launch, reference ? space->reference_kernels : space->kernels, rows[i].answers, &text);
        expect_text(rows[i].statements, text_string(&text), rows[i].expected);
        CU_ASSERT_EQUAL(launch.call_count, rows[i].calls);
        CU_ASSERT_EQUAL(launch.loop_count, rows[i].loops);
        text_free(&text);
        space_free(space);
    }
}

#define A(more) "args a, b, flag, rest" more " block 1 grid 1"

/* All with T=4 W=1. */
static const struct loop_row rows[] = {
    /* the counter in arguments */
    {"loop i = 0..2\nlaunch k " A(", int i, int T * i") "\nend\n", "", "k 0 0; k 1 4; k 2 8; ", 3, 0},
    {"loop i = T..T - 2 step -1\nlaunch k " A(", int i") "\nend\n", "", "k 4; k 3; k 2; ", 3, 0},
    {"loop i = 1..9 step T\nlaunch k " A(", int i") "\nend\n", "", "k 1; k 5; k 9; ", 3, 0},
    {"loop i = 1..T * 2 times 2\nlaunch k " A(", int i") "\nend\n", "", "k 1; k 2; k 4; k 8; ", 4, 0},
    {"loop i = 9223372036854775806..9223372036854775807 times 3\nlaunch k " A(", int (i >> 61)") "\nend\n", "", "k 3; ",
     1, 0},
    /* an empty range between launches */
    {"launch f " A("") "\nloop i = 1..0\nlaunch k " A(", int i") "\nend\nlaunch g " A("") "\n", "", "f; g; ", 2, 0},
    /* sizes, offsets, shared memory, repetitions and conditions */
    {"loop i = 0..2\nlaunch k args a + i, b, flag, rest block 8 >> i grid 1 + i shared i * 4 repeat 1 + i\nend\n", "",
     "k 1*8; k +4 2*4 shared 4 repeat 2; k +8 3*2 shared 8 repeat 3; ", 3, 0},
    {"loop i = 0..3\nlaunch k " A(", int i") " when i % 2\nlaunch f " A("") " when i == 2\nend\n", "", "k 1; f; k 3; ",
     3, 0},
    /* structs: addresses and numbers */
    {"loop i = 0..2\nlaunch k " A(", struct { a + i, int T * i }") "\nend\n", "", "k 0 0 @0; k 0 4 @4; k 0 8 @8; ", 3,
     0},
    {"launch f " A(", struct { b + 1, int 5 }") "\nloop i = 1..2\nlaunch k " A(
         ", struct { int i, struct { a, b + i } }, int 9") "\nlaunch g " A(", struct { b + T * i }") "\nend\n",
     "", "f 0 5 @4; k 1 0 0 @0 @4 9; g 0 @16; k 2 0 0 @0 @8 9; g 0 @32; ", 5, 0},
    {"loop i = 1..3\nlaunch k " A(", struct { a + 1, int T }") "\nend\n", "", "k 0 4 @4; k 0 4 @4; k 0 4 @4; ", 1, 1},
    /* loops in loops; a loop whose launches are all the same stays a loop */
    {"loop i = 1..3\nloop j = 0..i - 1\nlaunch k " A(", int i, int j") "\nend\nlaunch f " A("") "\nend\n", "",
     "k 1 0; f; k 2 0; k 2 1; f; k 3 0; k 3 1; k 3 2; f; ", 9, 0},
    {"loop i = 0..1\nlaunch k " A(", int i") "\nloop j = 0..2\nlaunch f " A(", int 7") "\nend\nend\n", "",
     "k 0; f 7; f 7; f 7; k 1; f 7; f 7; f 7; ", 4, 2},
    {"loop i = 1..2\nlaunch k " A("") "\nloop j = 1..2\nlaunch f " A("") "\nend\nend\nlaunch g " A("") "\n", "",
     "k; f; f; k; f; f; g; ", 3, 2},
    {"loop i = 1..2\nloop j = 1..2\nlaunch f " A(", int j") "\nend\nend\n", "", "f 1; f 2; f 1; f 2; ", 2, 1},
    /* conditions */
    {"loop i = 0..9 until flag == 0\nlaunch k " A("") "\nlaunch f " A("") "\nend\nlaunch g " A("") "\n", "001",
     "k; f; 0 k; f; 0 k; f; 1 g; ", 3, 1},
    {"loop i = 0..3 until rest <= 1e-3\nlaunch k " A(", int i") "\nend\nlaunch g " A("") "\n", "01",
     "k 0; 0 k 1; 1 g; ", 5, 4},
    {"loop i = 0..2 until flag != T\nlaunch k " A("") "\nend\nlaunch g " A("") "\n", "0",
     "k; 0 k; 0 k; 0 over: flag !=", 2, 1},
    {"loop i = 0..1 until flag > 3\nlaunch k " A(", int i") "\nend\nlaunch g " A("") "\n", "0",
     "k 0; 0 k 1; 0 over: flag >", 3, 2},
    {"loop i = 0..0 until flag >= 3\nlaunch k " A("") "\nend\n", "0", "k; 0 over: flag >=", 1, 1},
    {"loop i = 0..1\nloop j = 0..9 until flag < i\nlaunch k " A("") "\nend\nlaunch f " A("") "\nend\n", "0110",
     "k; 0 k; 1 f; k; 1 f; ", 4, 2},
    {"loop i = 0..9 until flag == 1\nloop j = 0..9 until flag == 2\nlaunch k " A("") "\nend\nend\n", "0101",
     "k; 0 k; 1 0 k; 1 1 ", 1, 2},
    {"loop i = 0..9 until flag == 1\nloop j = 0..1\nlaunch k " A(", int j") "\nend\nend\nlaunch g " A("") "\n", "01",
     "k 0; k 1; 0 k 0; k 1; 1 g; ", 3, 1},
};

static void loops(void)
{
    run_rows(rows, COUNT(rows), false);
}

static void references(void)
{
    static const struct loop_row sequences[] = {
        {"reference f " A("") " repeat 3\nreference g " A(", int T") " when W == 0\nreference f " A("") " when W\n", "",
         "f repeat 3; g 2; ", 0, 0},
        {"loop i = 1..2\nreference f " A(", int i") "\nreference g " A("") "\nend\nreference f " A(", int 9") "\n", "",
         "f 1; g; f 2; g; f 9; ", 5, 0},
        {"loop i = 1..8 until flag == 1\nreference f " A("") "\nend\n", "01", "f; 0 f; 1 ", 1, 1},
    };
    run_rows(sequences, COUNT(sequences), true);
}

/* Forty-eight launches, with swaps and without them. */
static void many_launches(void)
{
    static const struct {
        const char *statements;
        uint64_t count, first;
        bool swapped;
    } lengths[] = {
        {"loop pass = 0..15\nlaunch f " A(", int pass") "\nlaunch g " A("") "\nlaunch h " A("") " swap a, b\nend\n", 48,
         16, false},
        {"loop pass = 0..14\nlaunch f " A(", int pass") "\nlaunch g " A("") "\nlaunch h " A("") " swap a, b\nend\n", 45,
         15, true},
        {"loop i = 1..1000\nlaunch f " A("") " repeat 3 swap a, b\nend\n", 3000, 3000, false},
        {"loop i = 1..999\nlaunch f " A("") " repeat i swap a, b\nend\n", 499500, 499500, false},
        {"loop i = 1..7 until flag == 0\nlaunch f " A("") " swap a, b\nend\n", 7, 7, true},
    };
    for (size_t i = 0; i < COUNT(lengths); i++) {
        char file[2048];
        const uint32_t choices[] = {0, 0};
        uint32_t places[SPACE_ARGUMENTS_MAX];
        struct error error = {0};
        struct launch launch;
        snprintf(file, sizeof file, "%s%s%s", HEAD, lengths[i].statements, REFERENCE);
        struct space *space = bound(file, "", NULL);
        CU_ASSERT_EQUAL_FATAL(space_launch(space, choices, &launch, &error), 0);
        CU_ASSERT_EQUAL(space_launch_count(&launch), lengths[i].count);
        CU_ASSERT_EQUAL(space_step_count(&launch, 0), lengths[i].first);
        space_launch_places(&launch, space->buffer_count, places);
        CU_ASSERT_EQUAL(places[0], lengths[i].swapped ? 1 : 0);
        CU_ASSERT_EQUAL(space_launch_moves(&launch), launch.until_count > 0);
        space_free(space);
    }
}

/* The device's limits hold for the sizes that are the same in all rounds. */
static void limits(void)
{
    static const struct {
        const char *statements;
        uint64_t valid;
    } limited[] = {
        {"loop i = 1..2\nlaunch f args a, b, flag, rest block T * 512 grid 1\nend\n", 2},
        {"loop i = 1..2\nlaunch f args a, b, flag, rest block T * 512 * i grid 1\nend\n", 4},
        {"loop i = 1..2\nlaunch f args a, b, flag, rest, int i block 1 grid 1 shared T << 16\nend\n", 2},
        {ALL "loop i = 1..W\nlaunch f args a, b, flag, rest block T * 512 grid 1\nend\n", 3},
        {ALL "loop i = 1..2\nlaunch f args a, b, flag, rest block T * 512 grid 1 when i > 2\nend\n", 4},
    };
    for (size_t i = 0; i < COUNT(limited); i++) {
        char file[2048];
        struct device_limits h200 = h200_limits();
        struct valid_set *set = NULL;
        struct error error = {0};
        snprintf(file, sizeof file, "%s%s%s", HEAD, limited[i].statements, REFERENCE);
        struct space *space = bound(file, "", &h200);
        CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, space, 1 << 20, &error), 0);
        if (valid_set_count(set) != limited[i].valid)
            fprintf(stderr, "\n%s: %llu\n", limited[i].statements, (unsigned long long)valid_set_count(set));
        CU_ASSERT_EQUAL(valid_set_count(set), limited[i].valid);
        valid_set_free(set);
        space_free(space);
    }
}

/* A launch with loops as bytes, and a copy of it, are the same launch. */
static void copies(void)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        char file[2048];
        const uint32_t choices[] = {1, 1};
        struct error error = {0};
        struct text packed = {0}, again = {0};
        struct launch launch, back, copy;
        snprintf(file, sizeof file, "%s%s%s", HEAD, rows[i].statements, REFERENCE);
        struct space *space = bound(file, "", NULL);
        CU_ASSERT_EQUAL_FATAL(space_launch(space, choices, &launch, &error), 0);
        space_pack_launch(&packed, &launch);
        struct unpack unpack = unpack_start(packed.bytes, packed.length);
        CU_ASSERT(space_unpack_launch(&unpack, &back) && unpack_finished(&unpack));
        space_launch_copy(&copy, &back);
        space_pack_launch(&again, &copy);
        CU_ASSERT_EQUAL_FATAL(packed.length, again.length);
        CU_ASSERT_EQUAL(memcmp(packed.bytes, again.bytes, packed.length), 0);
        text_free(&packed);
        text_free(&again);
        space_free(space);
    }
}

CU_TestInfo tests_loop[] = {{"loops", loops},   {"references", references}, {"many launches", many_launches},
                            {"limits", limits}, {"copies", copies},         CU_TEST_INFO_NULL};
