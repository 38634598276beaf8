/* Evaluates expressions in unbound and bound form. */
#ifndef CUTUNE_TESTS_SPACE_BOUND_EXPRESSION_H
#define CUTUNE_TESTS_SPACE_BOUND_EXPRESSION_H

#include "../language/support.h"
#include "expression/expr.h"
#include "expression/lexer.h"
#include "space/config.h"

static const char bind_space[] =
    SPACE_HEAD SPACE_SHAPE "problem N = 100\nproblem ZERO = 0\nproblem X = 1.5\nparam A = -3, 0, 1, 8, 12\n"
                           "param B = 0, 2, 3\nparam W = red, blue\nparam F = 0.5, 2, red\n"
                           "param M = -9223372036854775808, 4294967296, 5\nlet HALF = N / 2\n"
                           "let PICK = A > 1 ? B : W == red ? N : ZERO\n";

static inline const struct expr *compiled(struct space *space, const char *text, struct error *error)
{
    static const struct expr_rules rules = {true, true, true, true, NULL};
    const struct expr *expr = NULL;
    struct lexer lexer;
    struct source_text *source = arena_alloc(&space->arena, sizeof *source);
    *source = (struct source_text){.path = "bind", .text = text, .length = strlen(text)};
    lexer_start(&lexer, source, error);
    if (lexer_next(&lexer) || expr_compile(space, &lexer, &rules, "test", &expr))
        return NULL;
    CU_ASSERT_EQUAL(lexer.token.kind, TOKEN_END);
    return expr;
}

/* Formats the value, or the error with its position. */
static inline void outcome(const struct expr *expr, const struct expr_inputs *inputs, char *buffer, size_t room)
{
    struct error error = {0};
    struct value value;
    if (expr_eval(expr, inputs, &value, &error))
        snprintf(buffer, room, "%d:%d %s", error.line, error.column, error.message);
    else
        value_text(&value, buffer, room);
}

static inline void compare_everywhere(struct space *space, const struct expr *plain, const struct expr *bound)
{
    struct value values[SPACE_PARAMETERS_MAX];
    const struct expr_inputs inputs = {.space = space, .values = values, .bound = space->parameter_count};
    uint32_t choices[SPACE_PARAMETERS_MAX] = {0};
    for (size_t p = 0; p < space->parameter_count;) {
        char expected[2048], actual[2048];
        space_values(space, choices, values);
        outcome(plain, &inputs, expected, sizeof expected);
        outcome(bound, &inputs, actual, sizeof actual);
        expect_text(plain->text, actual, expected);
        for (p = 0; p < space->parameter_count && ++choices[p] == space->parameters[p].value_count; p++)
            choices[p] = 0;
    }
}

#endif
