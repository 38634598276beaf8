/* Launches completed by the answers of a compiler command. */
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "../language/support.h"
#include "evaluate/assemble.h"

enum { PARAMETERS = 8 };

static void describe_argument(const struct launch *launch, const struct launch_argument *argument, struct text *text)
{
    if (argument->buffer >= 0)
        text_printf(text, " b%d+%llu", argument->buffer, (unsigned long long)argument->offset_bytes);
    else if (argument->role == ARGUMENT_WORKSPACE)
        text_printf(text, " w%llu", (unsigned long long)argument->offset_bytes);
    else
        text_printf(text, " %llu:%u", (unsigned long long)launch->words[argument->word].bits,
                    (unsigned)argument->bytes);
    for (uint32_t w = 1; argument->part_count && w < LAUNCH_WORDS(argument->bytes); w++)
        text_printf(text, ",%llu", (unsigned long long)launch->words[argument->word + w].bits);
    for (uint32_t p = 0; p < argument->part_count; p++) {
        const struct launch_argument *part = &launch->parts[argument->part_first + p];
        text_printf(text, " [%u", (unsigned)part->at);
        describe_argument(launch, part, text);
        text_printf(text, "]");
    }
}

/* "block/grid/cluster shared flags: arguments" of each call; an argument is its buffer and offset, the place of its
 * workspace, or its value with "[place part]" of each part. */
static void describe(const struct launch *launch, struct text *text)
{
    struct launch *own = calloc(1, sizeof *own);
    CU_ASSERT_PTR_NOT_NULL_FATAL(own);
    for (size_t c = 0; c < launch_call_count(launch); c++) {
        const struct launch_call call = launch_call_at(launch, c);
        space_launch_copy(own, launch);
        launch_enter(own, &call);
        const struct launch_step *step = &own->steps[call.step];
        text_printf(text, "%s%u,%u,%u/%u,%u,%u", c ? " | " : "", step->block[0], step->block[1], step->block[2],
                    step->grid[0], step->grid[1], step->grid[2]);
        if (step->cluster[0])
            text_printf(text, "/%u,%u,%u", step->cluster[0], step->cluster[1], step->cluster[2]);
        text_printf(text, " %llu%s%s:", (unsigned long long)step->shared_bytes, step->cooperative ? " cooperative" : "",
                    step->programmatic ? " programmatic" : "");
        for (uint32_t a = 0; a < step->argument_count; a++)
            describe_argument(own, &own->arguments[step->argument_first + a], text);
    }
    if (launch->workspace_bytes)
        text_printf(text, " of %llu", (unsigned long long)launch->workspace_bytes);
    free(own);
}

/* Answers and arguments of a kernel with a buffer float[2, 3], another, and a number. */
static void answers(void)
{
#define PLAIN "args a, out, int 7\n"
#define FULL  PLAIN "block 32\ngrid 5, 2\nshared 64\n"
#define LEFT  PLAIN "block compiler\ngrid compiler 100, 7\nshared compiler\n"
    static const struct {
        const char *statements;
        struct kernel_answer answer;
        struct answer_parameter parameters[PARAMETERS];
        const char *launch, *why;
    } rows[] = {
        /* The space says all; the answer may agree. */
        {FULL, {.shared_bytes = -1}, {{0}}, "32,1,1/5,2,1 64: b0+0 b1+0 7:4", ""},
        {FULL, {.block = {32, 1, 1}, .shared_bytes = 64}, {{0}}, "32,1,1/5,2,1 64: b0+0 b1+0 7:4", ""},
        {FULL,
         {.block = {64, 1, 1}, .shared_bytes = 64},
         {{0}},
         "",
         "kernel 'k': the block is 32, 1, 1 in the space, but 64, 1, 1 for the compiler"},
        {FULL,
         {.block = {32, 2, 1}, .shared_bytes = -1},
         {{0}},
         "",
         "kernel 'k': the block is 32, 1, 1 in the space, but 32, 2, 1 for the compiler"},
        {FULL,
         {.shared_bytes = 0},
         {{0}},
         "",
         "kernel 'k': the dynamic shared memory is 64 bytes in the space, but 0 for the compiler"},
        {FULL "cluster 1, 2\n",
         {.cluster = {2, 1, 1}, .shared_bytes = -1},
         {{0}},
         "",
         "kernel 'k': the cluster is 1, 2, 1 in the space, but 2, 1, 1 for the compiler"},
        {FULL "cluster 5, 2\n",
         {.cluster = {5, 2, 1}, .shared_bytes = -1},
         {{0}},
         "32,1,1/5,2,1/5,2,1 64: b0+0 b1+0 7:4",
         ""},
        /* A cluster of the compiler's multiplies the grid. */
        {FULL,
         {.cluster = {2, 1, 1}, .shared_bytes = -1, .cooperative = 1, .programmatic = 1},
         {{0}},
         "32,1,1/10,2,1/2,1,1 64 cooperative programmatic: b0+0 b1+0 7:4",
         ""},
        {FULL, {.cluster = {1, 1, 1}, .shared_bytes = -1}, {{0}}, "32,1,1/5,2,1 64: b0+0 b1+0 7:4", ""},
        /* The compiler decides. */
        {LEFT,
         {.block = {8, 4, 1}, .grid = {32, 7, 1}, .shared_bytes = 96},
         {{0}},
         "8,4,1/4,1,1 96: b0+0 b1+0 7:4",
         ""},
        {LEFT,
         {.block = {8, 1, 1}, .grid = {100, 1, 1}, .cluster = {1, 2, 1}},
         {{0}},
         "8,1,1/1,14,1/1,2,1 0: b0+0 b1+0 7:4",
         ""},
        {LEFT, {.grid = {1, 1, 1}}, {{0}}, "", "kernel 'k': the compiler does not say the block: give it in the space"},
        {LEFT,
         {.block = {8, 1, 1}, .grid = {1, 1, 1}, .shared_bytes = -1},
         {{0}},
         "",
         "kernel 'k': the compiler does not say the dynamic shared memory: give it in the space"},
        {LEFT,
         {.block = {8, 1, 1}},
         {{0}},
         "",
         "kernel 'k': the compiler does not say the elements of a block: give the grid in the space"},
        {PLAIN "block 8\ngrid compiler\n",
         {.grid = {5, 6, 7}, .cluster = {1, 2, 1}, .shared_bytes = -1},
         {{0}},
         "8,1,1/5,6,7/1,2,1 0: b0+0 b1+0 7:4",
         ""},
        {PLAIN "block 8\ngrid compiler\n",
         {.shared_bytes = -1},
         {{0}},
         "",
         "kernel 'k': the compiler does not say the grid: give the grid in the space"},
        /* Parameters. */
        {FULL, {.shared_bytes = -1, .lists = 1}, {{0}}, "32,1,1/5,2,1 64:", ""},
        {FULL,
         {.shared_bytes = -1, .lists = 1, .parameter_count = 5},
         {{.kind = ANSWER_ARGUMENT, .argument = 2},
          {.kind = ANSWER_ARGUMENT, .argument = 0},
          {.kind = ANSWER_EXTENT, .argument = 0, .dimension = 1, .bytes = 8},
          {.kind = ANSWER_STRIDE, .argument = 0, .dimension = 0, .bytes = 4},
          {.kind = ANSWER_NULL, .bytes = 8}},
         "32,1,1/5,2,1 64: 7:4 b0+0 3:8 3:4 0:8",
         ""},
        {FULL,
         {.shared_bytes = -1, .lists = 1, .parameter_count = 3},
         {{.kind = ANSWER_VALUE, .value = 12, .bytes = 8},
          {.kind = ANSWER_VALUE, .value = -1, .bytes = 4},
          {.kind = ANSWER_VALUE, .value = -1, .bytes = 8}},
         "32,1,1/5,2,1 64: 12:8 4294967295:4 18446744073709551615:8",
         ""},
        {FULL,
         {.shared_bytes = -1, .lists = 1, .parameter_count = 3},
         {{.kind = ANSWER_SCRATCH, .scratch_bytes = 100, .alignment = 64},
          {.kind = ANSWER_SCRATCH, .scratch_bytes = 0, .alignment = 1},
          {.kind = ANSWER_SCRATCH, .scratch_bytes = 4, .alignment = 4}},
         "32,1,1/5,2,1 64: w0 0:8 w1280 of 1320",
         ""},
        {FULL,
         {.shared_bytes = -1, .cluster = {2, 1, 1}, .lists = 1, .parameter_count = 1},
         {{.kind = ANSWER_SCRATCH, .scratch_bytes = 16, .alignment = 16}},
         "32,1,1/10,2,1/2,1,1 64: w0 of 320",
         ""},
        {PLAIN "block 32\ngrid resident\n",
         {.shared_bytes = -1, .lists = 1, .parameter_count = 1},
         {{.kind = ANSWER_SCRATCH, .scratch_bytes = 16, .alignment = 16}},
         "",
         "kernel 'k': the compiler wants scratch memory for each block, but the grid is resident: give its size"},
        {FULL,
         {.shared_bytes = -1, .lists = 1, .parameter_count = 1},
         {{.kind = ANSWER_SCRATCH, .scratch_bytes = UINT64_MAX / 4, .alignment = 1}},
         "",
         "kernel 'k': the compiler wants more than 2^64 bytes of scratch memory"},
        {FULL,
         {.shared_bytes = -1, .lists = 1, .parameter_count = 1},
         {{.kind = ANSWER_ARGUMENT, .argument = 3}},
         "",
         "kernel 'k': the answer names an argument that the launch has not"},
        {FULL,
         {.shared_bytes = -1, .lists = 1, .parameter_count = 1},
         {{.kind = ANSWER_EXTENT, .argument = 2, .bytes = 4}},
         "",
         "kernel 'k': the extent of dimension 0 of '7' is unknown"},
        {"buffer b char[2, 2147483648] zero\nargs a, b, out\nblock 32\ngrid 1\n",
         {.shared_bytes = -1, .lists = 1, .parameter_count = 1},
         {{.kind = ANSWER_EXTENT, .argument = 1, .dimension = 1, .bytes = 4}},
         "",
         "kernel 'k': the extent 2147483648 of 'b' does not fit 4 bytes"},
        {"buffer b char[2, 2147483647] zero\nargs a, b, out\nblock 32\ngrid 1\n",
         {.shared_bytes = -1, .lists = 1, .parameter_count = 2},
         {{.kind = ANSWER_EXTENT, .argument = 1, .dimension = 1, .bytes = 4},
          {.kind = ANSWER_EXTENT, .argument = 1, .dimension = 1, .bytes = 8}},
         "32,1,1/1,1,1 0: 2147483647:4 2147483647:8",
         ""},
        {PLAIN "block 32\ngrid compiler\n",
         {.grid = {5, 2, 1}, .shared_bytes = -1, .lists = 1, .parameter_count = 1},
         {{.kind = ANSWER_SCRATCH, .scratch_bytes = 16, .alignment = 16}},
         "32,1,1/5,2,1 0: w0 of 160",
         ""},
        {FULL,
         {.shared_bytes = -1, .lists = 1, .parameter_count = SPACE_ARGUMENTS_MAX + 1},
         {{0}},
         "",
         "kernel 'k': the answer has more than 64 parameters"},
        /* Structs. */
        {FULL,
         {.shared_bytes = -1, .lists = 1, .parameter_count = 8},
         {{.kind = ANSWER_STRUCT, .members = 5},
          {.kind = ANSWER_VALUE, .value = 5, .bytes = 4},
          {.kind = ANSWER_NULL, .bytes = 12},
          {.kind = ANSWER_ARGUMENT, .argument = 0},
          {.kind = ANSWER_EXTENT, .argument = 0, .dimension = 1, .bytes = 4},
          {.kind = ANSWER_ARGUMENT, .argument = 2},
          {.kind = ANSWER_STRUCT, .members = 1},
          {.kind = ANSWER_VALUE, .value = -1, .bytes = 8}},
         "32,1,1/5,2,1 64: 5:32,0,0,3 [16 b0+0] [28 7:4] 18446744073709551615:8",
         ""},
        {FULL,
         {.shared_bytes = -1, .lists = 1, .parameter_count = 2},
         {{.kind = ANSWER_STRUCT, .members = 1}, {.kind = ANSWER_ARGUMENT, .argument = 3}},
         "",
         "kernel 'k': the answer names an argument that the launch has not"},
        {FULL,
         {.shared_bytes = -1, .lists = 1, .parameter_count = 2},
         {{.kind = ANSWER_STRUCT, .members = 2}, {.kind = ANSWER_ARGUMENT}},
         "",
         "kernel 'k': the answer has a struct without its members"},
        {FULL,
         {.shared_bytes = -1, .lists = 1, .parameter_count = 2},
         {{.kind = ANSWER_STRUCT, .members = 1}, {.kind = ANSWER_STRIDE, .argument = 2, .bytes = 4}},
         "",
         "kernel 'k': the stride of dimension 0 of '7' is unknown"},
        {"args a, struct { out, int 7 }\nblock 32\ngrid 1\n",
         {.shared_bytes = -1, .lists = 1, .parameter_count = 2},
         {{.kind = ANSWER_STRUCT, .members = 1}, {.kind = ANSWER_ARGUMENT, .argument = 1}},
         "",
         "kernel 'k': the answer has a struct of the space within a struct"},
        /* Rounds of a loop. */
        {"loop i = 0..1\nlaunch k args a + i, out, int i block 4 grid 1\nend\n",
         {.shared_bytes = -1, .lists = 1, .parameter_count = 4},
         {{.kind = ANSWER_STRUCT, .members = 2},
          {.kind = ANSWER_ARGUMENT, .argument = 2},
          {.kind = ANSWER_ARGUMENT, .argument = 0},
          {.kind = ANSWER_ARGUMENT, .argument = 1}},
         "4,1,1/1,1,1 0: 0:12,0 [0 0:4] [4 b0+0] b1+0 | 4,1,1/1,1,1 0: 0:12,0 [0 1:4] [4 b0+4] b1+0",
         ""},
        {"loop i = 0..1\nlaunch k args a + i, out, int i block 4 grid 1\nend\n",
         {.shared_bytes = -1, .lists = 1, .parameter_count = 3},
         {{.kind = ANSWER_STRUCT, .members = 1}, {.kind = ANSWER_ARGUMENT}, {.kind = ANSWER_ARGUMENT}},
         "",
         "kernel 'k': the answer has 'a' twice, in a loop that changes addresses"},
        {"loop i = 0..1\nlaunch k args a + i, out, int i block compiler grid compiler 8 + 8 * i\nend\n",
         {.block = {4, 1, 1},
          .grid = {8, 1, 1},
          .cluster = {3, 1, 1},
          .shared_bytes = -1,
          .lists = 1,
          .parameter_count = 2},
         {{.kind = ANSWER_ARGUMENT, .argument = 2}, {.kind = ANSWER_ARGUMENT, .argument = 0}},
         "4,1,1/3,1,1/3,1,1 0: 0:4 b0+0 | 4,1,1/6,1,1/3,1,1 0: 1:4 b0+4",
         ""},
        {"loop i = 0..1\nlaunch k args a + i, out, int i block compiler grid 1\nend\n",
         {.block = {4, 1, 1}, .shared_bytes = -1, .lists = 1, .parameter_count = 2},
         {{.kind = ANSWER_ARGUMENT, .argument = 0}, {.kind = ANSWER_ARGUMENT, .argument = 0}},
         "",
         "kernel 'k': the answer has 'a' twice, in a loop that changes addresses"},
        {"loop i = 1..2\nlaunch k args a, out, int i block 32 * i grid 1\nend\n",
         {.block = {32, 1, 1}, .shared_bytes = -1},
         {{0}},
         "",
         "kernel 'k': the block is 32, 1, 1 for the compiler, but differs from round to round of a loop"},
        {"loop i = 1..2\nlaunch k args a, out, int i block 32 grid 1 shared 32 * i\nend\n",
         {.shared_bytes = 32},
         {{0}},
         "",
         "kernel 'k': the shared memory is 32 bytes for the compiler, but differs from round to round of a loop"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[2048], why[256] = "";
        const uint32_t choices[] = {0};
        struct error error = {0};
        struct text found = {0};
        struct launch *launch = calloc(1, sizeof *launch);
        struct compile_result *result = calloc(1, sizeof *result);
        snprintf(text, sizeof text,
                 "space 2\nkernel k\ncompiler command \"c\"\nparam T = 1\nbuffer a float[2, 3] zero\nbuffer out "
                 "float[8] output\n"
                 "reference default\n%s",
                 rows[i].statements);
        struct space *space = bound(text, NULL, NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(space);
        CU_ASSERT_PTR_NOT_NULL_FATAL(launch);
        CU_ASSERT_PTR_NOT_NULL_FATAL(result);
        result->answer_count = 1;
        result->answers[0] = rows[i].answer;
        memcpy(result->parameters, rows[i].parameters, sizeof rows[i].parameters);
        CU_ASSERT_EQUAL(space_launch(space, choices, launch, &error), 0);
        CU_ASSERT_EQUAL(assemble_launch(space, choices, launch, result, why, sizeof why), !*rows[i].why);
        expect_text(rows[i].statements, why, rows[i].why);
        if (!*why)
            describe(launch, &found);
        expect_text(rows[i].statements, text_string(&found), rows[i].launch);
        CU_ASSERT_EQUAL(*why || launch->steps[0].undecided == 0, 1);
        text_free(&found);
        free(result);
        free(launch);
        space_free(space);
    }
}

/* Each kernel has its own part of the parameters; without answers, nothing changes. */
static void kernels(void)
{
    static const struct {
        size_t answers;
        const char *launch;
    } rows[] = {
        {2, "1,1,1/1,1,1 0: b1+0 | 2,1,1/1,1,1 0: b0+0 0:8 | 1,1,1/1,1,1 0: b0+0"},
        {0, "1,1,1/1,1,1 0: b0+0 b1+0 | 2,1,1/1,1,1 0: b0+0 | 1,1,1/1,1,1 0: b1+0 b0+0"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const uint32_t choices[] = {0};
        struct error error = {0};
        char why[256] = "";
        struct text found = {0};
        struct launch *launch = calloc(1, sizeof *launch);
        struct compile_result *result = calloc(1, sizeof *result);
        struct space *space =
            bound("space 2\nkernel k\ncompiler command \"c\"\nparam T = 1\nbuffer a float[6] zero inout\n"
                  "buffer out float[8] output\nreference default\nlaunch k args a, out block 1 grid 1\n"
                  "launch j args a block 2 grid 1\nlaunch k args out, a block 1 grid 1\n",
                  NULL, NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(space);
        CU_ASSERT_PTR_NOT_NULL_FATAL(launch);
        CU_ASSERT_PTR_NOT_NULL_FATAL(result);
        result->answer_count = rows[i].answers;
        result->answers[0] = (struct kernel_answer){.shared_bytes = -1, .lists = 1, .parameter_count = 1};
        result->answers[1] = (struct kernel_answer){.shared_bytes = -1, .lists = 1, .parameter_count = 2};
        result->parameters[0] = (struct answer_parameter){.kind = ANSWER_ARGUMENT, .argument = 1};
        result->parameters[1] = (struct answer_parameter){.kind = ANSWER_ARGUMENT};
        result->parameters[2] = (struct answer_parameter){.kind = ANSWER_NULL, .bytes = 8};
        CU_ASSERT_EQUAL(space_launch(space, choices, launch, &error), 0);
        CU_ASSERT_TRUE(assemble_launch(space, choices, launch, result, why, sizeof why));
        describe(launch, &found);
        expect_text("launches", text_string(&found), rows[i].launch);
        text_free(&found);
        free(result);
        free(launch);
        space_free(space);
    }
}

/* The answer decides the box and the swizzle of a tensor map; the space's own map stays for other kernels. */
static void tensor_maps(void)
{
    static const struct {
        const char *clauses; /* of the statement tensor_map */
        struct answer_parameter parameter;
        const char *found, *why;
    } rows[] = {
        {"", {.kind = ANSWER_MAP, .box = {8, 64}, .swizzle = 128}, "map 1 of 2: 64 x 8, 128 64 128 1", ""},
        {"", {.kind = ANSWER_MAP, .box = {16, 32}, .swizzle = 0}, "map 0 of 1: 32 x 16, 128 64 128 1", ""},
        {" swizzle 64", {.kind = ANSWER_MAP, .box = {16, 32}, .swizzle = 64}, "map 0 of 1: 32 x 16, 128 64 128 1", ""},
        {" swizzle 64",
         {.kind = ANSWER_MAP, .box = {8, 64}, .swizzle = 128},
         "",
         "kernel 'k': the swizzle of 'm' is 64 in the space, but 128 for the compiler"},
        {" when T == 2",
         {.kind = ANSWER_MAP, .box = {8, 64}, .swizzle = 128},
         "",
         "kernel 'k': the answer gives 'm' a box, but it is no tensor map"},
        {"",
         {.kind = ANSWER_MAP, .argument = 1, .box = {8, 64}},
         "",
         "kernel 'k': the answer gives 'out' a box, but it is no tensor map"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[1024], why[256] = "", found[256] = "";
        const uint32_t choices[] = {0};
        struct error error = {0};
        struct launch *launch = calloc(1, sizeof *launch);
        struct compile_result *result = calloc(1, sizeof *result);
        snprintf(text, sizeof text,
                 "space 2\nkernel k\ncompiler command \"c\"\nparam T = 1\nbuffer a half[64, 128] zero\n"
                 "buffer out float[8] output\nreference default\ntensor_map m over a size 128, 64 box 32, 16%s\n"
                 "args m, out\nblock 32\ngrid 1\n",
                 rows[i].clauses);
        struct space *space = bound(text, NULL, NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(space);
        CU_ASSERT_PTR_NOT_NULL_FATAL(launch);
        CU_ASSERT_PTR_NOT_NULL_FATAL(result);
        result->answer_count = 1;
        result->answers[0] = (struct kernel_answer){.shared_bytes = -1, .lists = 1, .parameter_count = 5};
        result->parameters[0] = rows[i].parameter;
        for (uint32_t p = 0; p < 4; p++)
            result->parameters[1 + p] = (struct answer_parameter){
                .kind = p < 2 ? ANSWER_EXTENT : ANSWER_STRIDE, .dimension = 1 - p % 2, .bytes = 8};
        CU_ASSERT_EQUAL(space_launch(space, choices, launch, &error), 0);
        CU_ASSERT_EQUAL(assemble_launch(space, choices, launch, result, why, sizeof why), !*rows[i].why);
        expect_text(rows[i].clauses, why, rows[i].why);
        const struct launch_argument *arguments = &launch->arguments[launch->steps[0].argument_first];
        const struct launch_tensor_map *map = &launch->tensor_maps[arguments->view];
        if (!*why)
            snprintf(found, sizeof found, "map %u of %u: %u x %u, %llu %llu %llu %llu", (unsigned)arguments->view,
                     (unsigned)launch->tensor_map_count, (unsigned)map->box[0], (unsigned)map->box[1],
                     (unsigned long long)launch->words[arguments[1].word].bits,
                     (unsigned long long)launch->words[arguments[2].word].bits,
                     (unsigned long long)launch->words[arguments[4].word].bits,
                     (unsigned long long)launch->words[arguments[3].word].bits);
        if (!*why)
            CU_ASSERT_EQUAL(map->swizzle, rows[i].parameter.swizzle);
        expect_text(rows[i].clauses, found, rows[i].found);
        free(result);
        free(launch);
        space_free(space);
    }
}

CU_TestInfo tests_assemble[] = {
    {"answers", answers}, {"kernels", kernels}, {"tensor maps", tensor_maps}, CU_TEST_INFO_NULL};
