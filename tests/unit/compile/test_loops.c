/* Loops of code that is written as letters: the kind of each instruction, and its target. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/text.h"
#include "compile/loops.h"

enum { MOST = 16 };

/* "n": next; "b3": branch to 3; "j3": jump to 3; "e": end. */
static size_t read_steps(const char *text, struct flow_step steps[MOST])
{
    size_t count = 0;
    for (; *text; count++) {
        char letter = *text++;
        steps[count] = (struct flow_step){FLOW_NEXT, LOOPS_NONE};
        steps[count].flow = letter == 'b'   ? FLOW_BRANCH
                            : letter == 'j' ? FLOW_JUMP
                            : letter == 'e' ? FLOW_END
                                            : FLOW_NEXT;
        if (*text >= '0' && *text <= '9')
            steps[count].target = (size_t)strtoul(text, (char **)&text, 10);
        text += *text == ' ';
    }
    return count;
}

static void found(void)
{
    static const struct {
        const char *code, *shown; /* loops: parent, depth, latch, instructions; then the loop of each instruction */
    } rows[] = {
        {"", ""},
        {"n n e", "..."},
        {"n b0 e", "[- 0 1 2] 00."},
        {"b0 e", "[- 0 0 1] 0."},
        {"n n b1 n b0 e", "[- 0 4 3][0 1 2 2] 01100."},
        {"n b0 n b2 e", "[- 0 1 2][- 0 3 2] 0011."},
        /* A loop with an exit in its middle, and one with a condition in it. */
        {"b3 n j0 e", "[- 0 2 3] 000."},
        {"n b3 n b0 e", "[- 0 3 4] 0000."},
        /* Two branches back to one place; a branch around a condition is not a loop. */
        {"n b0 n b0 e", "[- 0 3 4] 0000."},
        {"b2 j3 n e", "...."},
        /* Code behind the end that branches back into the loop belongs to it; outside of loops, a branch back is not
         * a loop. */
        {"n b4 b0 e n j2", "[- 0 2 5] 000.00"},
        {"b3 n e n j1", "....."},
        /* A jump to an unknown place, and one out of the code. */
        {"e n b1 e", "[- 0 2 2] .00."},
        {"j9 n b1 e", "[- 0 2 2] .00."},
        {"b9 b0", "[- 0 1 2] 00"},
        {"n n n b2 b1 b0", "[- 0 5 2][0 1 4 2][1 2 3 2] 012210"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct flow_step steps[MOST];
        struct arena arena = {0};
        struct loops loops;
        struct error error = {0};
        struct text text = {0};
        size_t count = read_steps(rows[i].code, steps);
        CU_ASSERT_EQUAL(loops_find(steps, count, &arena, &loops, &error), 0);
        for (size_t l = 0; l < loops.count; l++) {
            const struct loop *loop = &loops.all[l];
            text_printf(&text, loop->parent == LOOPS_NONE ? "[-" : "[%zu", loop->parent);
            text_printf(&text, " %zu %zu %zu]", loop->depth, loop->latch, loop->instructions);
        }
        text_printf(&text, loops.count ? " " : "");
        for (size_t s = 0; s < count; s++)
            text_printf(&text, loops.of[s] == LOOPS_NONE ? "." : "%zu", loops.of[s]);
        if (strcmp(text_string(&text), rows[i].shown) != 0)
            fprintf(stderr, "row %zu: %s\n", i, text_string(&text));
        CU_ASSERT_STRING_EQUAL(text_string(&text), rows[i].shown);
        text_free(&text);
        arena_free(&arena);
    }
}

CU_TestInfo tests_loops[] = {{"found", found}, CU_TEST_INFO_NULL};
