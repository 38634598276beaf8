#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../scratch.h"
#include "base/text.h"
#include "language/statement.h"
#include "same.h"

static void named_expressions(void)
{
    expect_same("param A = 1..8\nparam B = 1..8\nlet QUOTIENT = A / B\nrequire QUOTIENT in {2, 3} && A % B == 0",
                "param A = 1..8\nparam B = 1..8\nrequire (A / B == 2 || A / B == 3) && A % B == 0");
    /* usable as an operand, whatever its expression */
    expect_same("param A = 1..8\nlet SUM = A + 1\nrequire SUM * 2 > 9 && -SUM < -5",
                "param A = 1..8\nrequire (A + 1) * 2 > 9 && -(A + 1) < -5");
    expect_same("param A = 1..8\nlet PICK = A > 3 ? 10 : 20\nrequire 1 + PICK == 21 || PICK + A > 17",
                "param A = 1..8\nrequire 1 + (A > 3 ? 10 : 20) == 21 || (A > 3 ? 10 : 20) + A > 17");
    expect_same("param A = 1..8\nlet BOTH = A > 2 && A < 7\nlet ODD = A % 2 == 1\nrequire BOTH => ODD",
                "param A = 1..8\nrequire !(A > 2 && A < 7) || A % 2 == 1");
    expect_same("param W = red, blue\nparam A = 1..3\nlet WANTED = A == 2 ? blue : red\nrequire W == WANTED",
                "param W = red, blue\nparam A = 1..3\nrequire A == 2 ? W == blue : W == red");
    expect_same("let KILO = 1024\nproblem N = 4 * KILO\nlet HALF = N / 2\nparam A = 512, 2048, 4096\n"
                "require A <= HALF && A <= 2 * warp * warp",
                "param A = 512, 2048, 4096\nrequire A <= 2048");
    /* uses names where they are known */
    const char *text =
        SPACE_HEAD "let KILO = 1024\nproblem N = KILO\nlet BYTES = N * sizeof(float)\nparam T = 32, 64\n"
                   "let THREADS = T * 2\nbuffer b float[BYTES] zero\nblock THREADS\ngrid 1\nshared BYTES\n"
                   "bytes BYTES * 2\ntolerance rel 1.0 / KILO\n";
    const char *const given[] = {"N=2048"};
    struct space *space = parsed(text, "THREADS KILO");
    struct device_limits limits = h200_limits();
    struct error error = {0};
    if (!space)
        return;
    CU_ASSERT_EQUAL(space_bind(space, given, 1, &limits, &error), 0);
    CU_ASSERT_EQUAL(space->buffers[1].count, 8192);
    CU_ASSERT_EQUAL(space->bytes, 16384);
    CU_ASSERT_EQUAL(space->buffers[0].tolerance.relative, 1.0 / 1024);
    struct launch launch;
    const uint32_t choices[] = {1};
    CU_ASSERT_EQUAL(space_launch(space, choices, &launch, &error), 0);
    CU_ASSERT_EQUAL(launch.steps[0].block[0], 128);
    CU_ASSERT_EQUAL(launch.steps[0].shared_bytes, 8192);
    /* not a macro of the source */
    struct text options = {0};
    size_t count = 7;
    CU_ASSERT_EQUAL(space_compile_options(space, choices, &options, &count, &error), 0);
    CU_ASSERT_EQUAL(count, 0);
    text_free(&options);
    space_free(space);
}

/* ---- The examples of the manual ---- */

/* Statements that an example may use. */
static const char *const frame[] = {"space 2",
                                    "kernel transpose \"transpose.cu\"",
                                    "problem ROWS = 8192",
                                    "problem COLS = 8192",
                                    "param TILE = 16, 32, 64",
                                    "param BLOCK_ROWS = 2, 4, 8",
                                    "buffer in float[ROWS * COLS] random",
                                    "buffer out float[COLS * ROWS] output",
                                    "args out, in, int ROWS, int COLS",
                                    "block TILE, BLOCK_ROWS",
                                    "grid ceildiv(COLS, TILE), ceildiv(ROWS, TILE)",
                                    "reference transpose_naive block 32, 8 grid ceildiv(COLS, 32), ceildiv(ROWS, 8)"};

/* True if a line of the example replaces `line`: the same statement or, if there may be several, the same name. */
static bool replaced(const char *example, const char *line)
{
    size_t keyword = strcspn(line, " "), name = keyword + 1 + strcspn(line + keyword + 1, " ");
    for (size_t i = 0; i < statement_count; i++) {
        if (strncmp(statements[i]->keyword, line, keyword) != 0 || statements[i]->keyword[keyword])
            continue;
        if (statements[i]->flags & STATEMENT_SINGLE && strstr(example, "launch "))
            return true;
        size_t length = statements[i]->most == 1 ? keyword : name;
        for (const char *at = example; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
            if (strncmp(at, line, length) == 0 && (at[length] == ' ' || !at[length] || at[length] == '\n'))
                return true;
    }
    return false;
}

/* Each statement's example is a part of a valid space. */
static void examples(void)
{
    static const char source[] = "#define UNROLL 2\n__constant__ float COEFF[256]; __constant__ int SHAPE[2]; "
                                 "__device__ unsigned next_tile; __device__ float *SOURCE; struct { float *a; int "
                                 "b[2]; } __device__ LIMITS; TILE BLOCK_ROWS warp is_permutation";
    char folder[] = "/tmp/cutune_examples_XXXXXX", path[64];
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/test.space", folder);
    write_inside(folder, "common.space", "require TILE > 0\n");
    for (size_t i = 0; i < statement_count; i++) {
        const char *example = statements[i]->example;
        struct space *space = NULL;
        struct text text = {0};
        struct error error = {0};
        char message[4096];
        for (size_t f = 0; f < COUNT(frame); f++)
            if (f == 0 || !replaced(example, frame[f]))
                text_printf(&text, "%s\n", frame[f]);
        if (strcmp(statements[i]->keyword, "space") != 0)
            text_printf(&text, "%s\n", example);
        int code = space_parse_text(&space, path, text_string(&text), text.length, source, &error);
        CU_ASSERT_EQUAL(code, 0);
        if (code)
            printf("\n%s%s", text_string(&text), error_format(&error, message, sizeof message));
        CU_ASSERT_PTR_NOT_NULL(strstr(example, statements[i]->keyword));
        space_free(space);
        text_free(&text);
    }
    snprintf(path, sizeof path, "%s/common.space", folder);
    unlink(path);
    rmdir(folder);
}

CU_TestInfo tests_statements[] = {{"named expressions", named_expressions}, {"examples", examples}, CU_TEST_INFO_NULL};
