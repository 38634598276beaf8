/* Terms: the value of each operation, and the terms of a space's constraints. */
#include "space/terms.h"
#include "support.h"

static const struct value zero = {.kind = VALUE_INT, .integer = 0}, one = {.kind = VALUE_INT, .integer = 1},
                          two = {.kind = VALUE_INT, .integer = 2}, large = {.kind = VALUE_INT, .integer = INT64_MAX},
                          none = {.kind = VALUE_FLOAT, .real = 0}, half = {.kind = VALUE_FLOAT, .real = 0.5},
                          red = {.kind = VALUE_WORD, .word = "red"}, fault = {.kind = (enum value_kind)VALUE_FAULT};

static const char *term_text(const struct value *value, char *buffer, size_t room)
{
    return (int)value->kind == VALUE_FAULT ? "fault" : value_text(value, buffer, room);
}

/* A fault matters only if the operation needs the operand. */
static void values(void)
{
    static const struct {
        unsigned operation;
        const struct value *a, *b, *c;
        const char *expected;
    } rows[] = {
        {TERM_AND, &one, &two, &fault, "1"},        {TERM_AND, &one, &zero, &fault, "0"},
        {TERM_AND, &half, &none, &fault, "0"},      {TERM_AND, &zero, &fault, &fault, "0"},
        {TERM_AND, &none, &fault, &fault, "0"},     {TERM_AND, &one, &fault, &fault, "fault"},
        {TERM_AND, &fault, &zero, &zero, "fault"},  {TERM_AND, &red, &zero, &zero, "fault"},
        {TERM_AND, &one, &red, &zero, "fault"},     {TERM_OR, &zero, &two, &fault, "1"},
        {TERM_OR, &zero, &none, &fault, "0"},       {TERM_OR, &none, &half, &fault, "1"},
        {TERM_OR, &two, &fault, &fault, "1"},       {TERM_OR, &zero, &fault, &fault, "fault"},
        {TERM_OR, &fault, &one, &one, "fault"},     {TERM_OR, &red, &one, &one, "fault"},
        {TERM_CHOOSE, &one, &two, &fault, "2"},     {TERM_CHOOSE, &half, &red, &fault, "red"},
        {TERM_CHOOSE, &zero, &fault, &half, "0.5"}, {TERM_CHOOSE, &none, &fault, &two, "2"},
        {TERM_CHOOSE, &fault, &one, &one, "fault"}, {TERM_CHOOSE, &red, &one, &one, "fault"},
        {OP_TRUTH, &two, &fault, &fault, "1"},      {OP_TRUTH, &none, &fault, &fault, "0"},
        {OP_TRUTH, &red, &one, &one, "fault"},      {OP_NOT, &two, &fault, &fault, "0"},
        {OP_NEGATE, &two, &fault, &fault, "-2"},    {OP_NEGATE, &fault, &one, &one, "fault"},
        {OP_IS_POW2, &two, &fault, &fault, "1"},    {OP_LOG2, &zero, &one, &one, "fault"},
        {OP_ADD, &one, &two, &fault, "3"},          {OP_ADD, &one, &half, &fault, "1.5"},
        {OP_ADD, &one, &fault, &one, "fault"},      {OP_ADD, &fault, &one, &one, "fault"},
        {OP_MULTIPLY, &large, &two, &one, "fault"}, {OP_DIVIDE, &one, &zero, &one, "fault"},
        {OP_LCM, &two, &fault, &one, "fault"},      {OP_EQUAL, &red, &red, &fault, "1"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char buffer[VALUE_TEXT_BYTES], row[32];
        const struct term term = {.operation = (uint16_t)rows[i].operation};
        const struct value value = term_value(&term, rows[i].a, rows[i].b, rows[i].c);
        snprintf(row, sizeof row, "row %zu", i);
        expect_text(row, term_text(&value, buffer, sizeof buffer), rows[i].expected);
    }
}

static void put_term(const struct terms *terms, uint32_t number, struct text *text)
{
    static const char *const names[] = {
        [OP_TRUTH] = "truth", [OP_NOT] = "!",        [OP_ADD] = "+",      [OP_DIVIDE] = "/",  [OP_REMAINDER] = "%",
        [OP_EQUAL] = "==",    [OP_NOT_EQUAL] = "!=", [OP_LESS] = "<",     [OP_GREATER] = ">", [OP_MAX] = "max",
        [TERM_AND] = "&&",    [TERM_OR] = "||",      [TERM_CHOOSE] = "?:"};
    const struct term *term = &terms->terms[number];
    char buffer[VALUE_TEXT_BYTES];
    if (term->operation == TERM_CONSTANT) {
        text_printf(text, "%s", term_text(&term->constant, buffer, sizeof buffer));
    } else if (term->operation == TERM_PARAMETER) {
        text_printf(text, "p%u", term->parameter);
    } else {
        text_printf(text, "(%s ", names[term->operation]);
        put_term(terms, term->a, text);
        if (term->operation >= OP_BINARY_FIRST) {
            text_printf(text, " ");
            put_term(terms, term->b, text);
        }
        if (term->operation == TERM_CHOOSE) {
            text_printf(text, " ");
            put_term(terms, term->c, text);
        }
        text_printf(text, ")");
    }
}

/* Equal terms are shared; each link of a chain of && is a root; known values become constants. */
static void roots(void)
{
    static const struct {
        const char *constraints, *expected; /* of each root: its constraint, parameters and term */
        size_t count;                       /* number of terms */
    } rows[] = {
        {"require A % B == 0", "0 3 (== (% p0 p1) 0)", 5},
        {"require A % B == 0\nrequire B == A % B", "0 3 (== (% p0 p1) 0) | 1 3 (== p1 (% p0 p1))", 6},
        {"require A == 0\nrequire A == 0.0", "0 1 (== p0 0) | 1 1 (== p0 0.0)", 5},
        {"require A == 1\nrequire A == 2\nrequire B == 1", "0 1 (== p0 1) | 1 1 (== p0 2) | 2 2 (== p1 1)", 7},
        {"require A < B && B < C && A != C\nrequire A > 1",
         "0 3 (< p0 p1) | 0 6 (< p1 p2) | 0 5 (!= p0 p2) | 1 1 (> p0 1)", 10},
        {"require A < B || A < C && B < C", "0 7 (|| (< p0 p1) (&& (< p0 p2) (< p1 p2)))", 8},
        {"require A || B", "0 3 (|| p0 (truth p1))", 4},
        {"require A || !B", "0 3 (|| p0 (! p1))", 4},
        {"require A || (B && C)", "0 7 (|| p0 (&& p1 (truth p2)))", 6},
        {"require A ? B : C", "0 7 (?: p0 p1 p2)", 4},
        {"require (A ? B + 1 : C) > 2", "0 7 (> (?: p0 (+ p1 1) p2) 2)", 8},
        {"require max(A, ONE) > ONE + 1", "0 1 (> (max p0 1) 2)", 5},
        {"require 1 / (ONE - 1) == A\nrequire 2 / (ONE - 1) == A", "0 1 (== fault p0) | 1 1 (== fault p0)", 6},
        {"require ONE == 1", "0 0 1", 1},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char file[1024];
        struct terms terms = {0};
        struct error error = {0};
        struct text text = {0};
        snprintf(file, sizeof file,
                 SPACE_HEAD SPACE_SHAPE "param A = 0..3\nparam B = 1, 2\nparam C = 0..2\nparam ONE = 1\n%s\n",
                 rows[i].constraints);
        struct space *space = bound(file, "", NULL);
        CU_ASSERT_EQUAL_FATAL(terms_build(&terms, space, space->constraint_count, &error), 0);
        for (size_t r = 0; r < terms.root_count; r++) {
            const struct root *root = &terms.roots[r];
            text_printf(&text, "%s%u %llx ", r ? " | " : "", root->constraint,
                        (unsigned long long)terms.terms[root->term].parameters);
            put_term(&terms, root->term, &text);
        }
        expect_text(rows[i].constraints, text_string(&text), rows[i].expected);
        if (terms.count != rows[i].count)
            fprintf(stderr, "\n%s: %zu terms", rows[i].constraints, terms.count);
        CU_ASSERT_EQUAL(terms.count, rows[i].count);
        text_free(&text);
        terms_free(&terms);
        CU_ASSERT(terms.count == 0 && terms.root_count == 0);
        space_free(space);
    }
}

/* More terms and roots than the initial capacity; only the requested constraints. */
static void many(void)
{
    struct text text = {0};
    struct terms terms = {0};
    struct error error = {0};
    text_printf(&text, "%sparam A = 0..3\n", SPACE_HEAD SPACE_SHAPE);
    for (int i = 0; i < 200; i++)
        text_printf(&text, "require A != %d\n", i);
    struct space *space = bound(text_string(&text), "", NULL);
    CU_ASSERT_EQUAL(terms_build(&terms, space, 150, &error), 0);
    CU_ASSERT_EQUAL(terms.count, 1 + 2 * 150);
    CU_ASSERT_EQUAL_FATAL(terms.root_count, 150);
    for (uint32_t r = 0; r < 150; r++) {
        const struct term *term = &terms.terms[terms.roots[r].term];
        CU_ASSERT_EQUAL(terms.roots[r].constraint, r);
        CU_ASSERT_EQUAL(terms.terms[term->b].constant.integer, r);
    }
    terms_free(&terms);
    space_free(space);
    text_free(&text);
}

CU_TestInfo tests_terms[] = {{"values", values}, {"roots", roots}, {"many", many}, CU_TEST_INFO_NULL};
