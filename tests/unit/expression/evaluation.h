/* The value of an expression over a few names. */
#ifndef CUTUNE_TESTS_SPACE_EVALUATION_H
#define CUTUNE_TESTS_SPACE_EVALUATION_H

#include "../language/support.h"
#include "expression/expr.h"
#include "expression/lexer.h"
#include "space/config.h"

/* Parameters A=7 B=3 Z=0 F=2.5 W=red V=blue M=-9223372036854775808, problem N=100, the limits of an H200. */
static const char expr_space[] =
    SPACE_HEAD SPACE_SHAPE "problem N = 100\nparam A = 7\nparam B = 3\nparam Z = 0\nparam E = 1, 7\n"
                           "param F = 2.5\nparam W = red\nparam V = blue\n"
                           "param M = -9223372036854775808\n";

/* Returns the value as text, or the error's message; `hint`: of sizeof error.hint bytes, or NULL. */
static inline const char *evaluate_hint(struct space *space, const char *text, char *buffer, size_t room, char *hint)
{
    static const struct expr_rules rules = {true, true, true, true, ""};
    const struct expr *expr = NULL;
    struct error error = {0};
    struct value values[SPACE_PARAMETERS_MAX], value;
    uint32_t choices[SPACE_PARAMETERS_MAX];
    const struct expr_inputs inputs = {.space = space, .values = values};
    struct source_text *source = arena_alloc(&space->arena, sizeof *source);
    struct lexer lexer;
    *source = (struct source_text){.path = "expr", .text = text, .length = strlen(text)};
    space_default(space, choices);
    space_values(space, choices, values);
    lexer_start(&lexer, source, &error);
    if (lexer_next(&lexer) || expr_compile(space, &lexer, &rules, "test", &expr) ||
        expr_eval(expr, &inputs, &value, &error))
        snprintf(buffer, room, "%d:%d %s", error.line, error.column, error.message);
    else if (lexer.token.kind != TOKEN_END)
        snprintf(buffer, room, "rest: %.*s", (int)lexer.token.length, lexer.token.start);
    else
        value_text(&value, buffer, room);
    if (hint)
        strcpy(hint, error.hint);
    return buffer;
}

static inline const char *evaluate(struct space *space, const char *text, char *buffer, size_t room)
{
    return evaluate_hint(space, text, buffer, room, NULL);
}

struct expr_row {
    const char *text, *expected;
};

static inline void run_rows(const struct expr_row *rows, size_t count)
{
    struct device_limits limits = h200_limits();
    struct space *space = bound(expr_space, "", &limits);
    char buffer[2048];
    for (size_t i = 0; space && i < count; i++)
        expect_text(rows[i].text, evaluate(space, rows[i].text, buffer, sizeof buffer), rows[i].expected);
    space_free(space);
}

#endif
