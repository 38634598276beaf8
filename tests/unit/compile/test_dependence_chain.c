/* Dependence chains. */
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "compile/dependence_chain.h"

enum { MOST = 8 };

/* Reads instructions, one per line; loads have length 0. */
static size_t read_steps(const char *text, struct dependence_chain_step steps[MOST])
{
    size_t count = 0;
    while (*text) {
        struct listing_line line = {{0}, {0}, {0}, {0}};
        size_t length = strcspn(text, "\n");
        if (*text == '@') {
            line.predicate = (struct listing_part){text + 1, strcspn(text, " ") - 1};
            text += line.predicate.length + 2;
            length -= line.predicate.length + 2;
        }
        line.operation = (struct listing_part){text, strcspn(text, " ")};
        line.operands = (struct listing_part){text + line.operation.length, length - line.operation.length};
        steps[count++] = (struct dependence_chain_step){operands_of(&line), *text != 'L'};
        text += length + (text[length] == '\n');
    }
    return count;
}

static void lengths(void)
{
    static const struct {
        const char *code;
        double loop, once;
    } rows[] = {
        {"", 0, 0},
        {"FFMA R7, R7, R4, 0.25", 1, 1},
        {"FFMA R7, R7, R4, 0.25\nFFMA R7, R7, R4, 0.25\nFFMA R7, R7, R4, 0.25", 3, 3},
        {"FFMA R1, R1, R4, 0.25\nFFMA R2, R2, R4, 0.25\nFFMA R3, R3, R4, 0.25", 1, 1},
        /* No dependence between iterations; two registers that are swapped. */
        {"MOV R1, 0x1\nFADD R2, R1, R9\nFADD R3, R2, R9", 0, 3},
        {"FADD R3, R1, R9\nFMUL R1, R2, R9\nMOV R2, R3", 1.5, 2},
        /* A chain that starts again in each iteration does not count beside a short one that continues. */
        {"MOV R1, 0x1\nFADD R1, R1, R9\nFADD R1, R1, R9\nFADD R1, R1, R9\nIADD3 R5, R5, 0x1, RZ", 1, 4},
        /* Through a load, and through a predicate. */
        {"IMAD.WIDE R2, R4, 0x4, R6\nLDG.E R4, [R2.64]", 1, 1},
        {"ISETP.NE.AND P0, PT, R1, RZ, PT\n@P0 FADD R1, R2, R3", 2, 2},
        {"@P0 FADD R1, R1, R3\n@!P0 FMUL R1, R2, R3", 1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct dependence_chain_step steps[MOST];
        size_t count = read_steps(rows[i].code, steps);
        double loop = dependence_chain_of_loop(steps, count), once = dependence_chain_of_code(steps, count);
        if (loop != rows[i].loop || once != rows[i].once)
            fprintf(stderr, "row %zu: %g %g\n", i, loop, once);
        CU_ASSERT_EQUAL(loop, rows[i].loop);
        CU_ASSERT_EQUAL(once, rows[i].once);
    }
}

static void cycles(void)
{
    static const struct {
        const char *code; /* results take 4 cycles, loaded ones 30 */
        double loop, once;
    } rows[] = {
        {"", 0, 0},
        {"FFMA R1, R1, R4, 0.25\nFFMA R2, R2, R4, 0.25\nFFMA R3, R3, R4, 0.25\nFFMA R5, R5, R4, 0.25\nFFMA R6, R6, R4, "
         "0.25",
         5, 5},
        {"FFMA R1, R1, R4, 0.25\nFFMA R2, R2, R4, 0.25", 4, 2},
        {"FFMA R7, R7, R4, 0.25\nFFMA R7, R7, R4, 0.25\nFFMA R7, R7, R4, 0.25", 12, 9},
        /* A chain that starts again in each iteration: the next iteration waits behind it. */
        {"MOV R1, 0x1\nFADD R1, R1, R9\nFADD R1, R1, R9", 9, 9},
        {"LDG.E R1, [R2.64]\nFADD R4, R4, R1", 31, 31},
        {"LDG.E R1, [R2.64]\nLDG.E R5, [R2.64]\nFADD R4, R4, R1\nFADD R4, R4, R5", 35, 35},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct dependence_chain_step steps[MOST];
        size_t count = read_steps(rows[i].code, steps);
        for (size_t s = 0; s < count; s++)
            steps[s].length = steps[s].length > 0 ? 4 : 30;
        double loop = dependence_chain_cycles(steps, count, true), once = dependence_chain_cycles(steps, count, false);
        if (loop != rows[i].loop || once != rows[i].once)
            fprintf(stderr, "row %zu: %g %g\n", i, loop, once);
        CU_ASSERT_EQUAL(loop, rows[i].loop);
        CU_ASSERT_EQUAL(once, rows[i].once);
    }
}

static void control(void)
{
    static const struct {
        const char *code;
        size_t control; /* the latch is the last instruction */
    } rows[] = {
        {"FADD R1, R1, R2\nBRA `(.L)", 1},
        {"FADD R1, R1, R2\nIADD3 R5, R5, 0x1, RZ\nISETP.LT.AND P0, PT, R5, R6, PT\n@P0 BRA `(.L)", 3},
        /* The counter changes behind the test; the register holds another value in between. */
        {"ISETP.LT.AND P0, PT, R5, R6, PT\nIADD3 R5, R5, 0x1, RZ\n@P0 BRA `(.L)", 3},
        {"FADD R5, R1, R2\nFMUL R1, R5, R2\nMOV R5, R7\nISETP.LT.AND P0, PT, R5, R6, PT\n@P0 BRA `(.L)", 3},
        {"FADD R5, R1, R2\n@P1 MOV R5, R7\nISETP.LT.AND P0, PT, R5, R6, PT\n@P0 BRA `(.L)", 4},
        /* Not beyond the result of a load. */
        {"IADD3 R2, R2, 0x4, RZ\nLDG.E R5, [R2.64]\nISETP.NE.AND P0, PT, R5, RZ, PT\n@P0 BRA `(.L)", 2},
        {"IADD3 R4, R5, 0x1, RZ\nIADD3 R5, R4, 0x1, RZ\nISETP.NE.AND P0, PT, R4, RZ, PT\n@P0 BRA `(.L)", 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct dependence_chain_step steps[MOST];
        size_t count = read_steps(rows[i].code, steps), found = dependence_chain_control(steps, count, count - 1);
        if (found != rows[i].control)
            fprintf(stderr, "row %zu: %zu\n", i, found);
        CU_ASSERT_EQUAL(found, rows[i].control);
    }
}

CU_TestInfo tests_dependence_chain[] = {
    {"lengths", lengths}, {"cycles", cycles}, {"control", control}, CU_TEST_INFO_NULL};
