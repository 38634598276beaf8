#include "space/bound.h"

#include "base/random.h"
#include "support.h"

static const unsigned operations[] = {OP_ADD,     OP_SUBTRACT, OP_MULTIPLY,   OP_DIVIDE, OP_REMAINDER,
                                      OP_CEILDIV, OP_MIN,      OP_MAX,        OP_EQUAL,  OP_NOT_EQUAL,
                                      OP_LESS,    OP_GREATER,  OP_LESS_EQUAL, OP_NOT,    OP_GREATER_EQUAL,
                                      TERM_AND,   TERM_OR,     TERM_CHOOSE,   OP_NEGATE, OP_BIT_XOR};

/* For all operands within their bounds, the value is within the term's bound; a known bound has no fault. */
static void values_are_within(void)
{
    struct random random;
    size_t known = 0, tight = 0;
    random_seed(&random, 3);
    for (size_t i = 0; i < 20000; i++) {
        struct bound bounds[3];
        for (int k = 0; k < 3; k++) {
            int64_t low = (int64_t)random_below(&random, 12) - 4;
            bounds[k] = (struct bound){low, low + (int64_t)random_below(&random, 4), true};
        }
        const struct term term = {.operation = (uint16_t)operations[i % COUNT(operations)]};
        struct bound whole = bound_of_term(&term, bounds[0], bounds[1], bounds[2]);
        int64_t least = INT64_MAX, most = INT64_MIN;
        for (int64_t a = bounds[0].low; a <= bounds[0].high; a++)
            for (int64_t b = bounds[1].low; b <= bounds[1].high; b++)
                for (int64_t c = bounds[2].low; c <= bounds[2].high; c++) {
                    const struct value x = {.kind = VALUE_INT, .integer = a}, y = {.kind = VALUE_INT, .integer = b},
                                       z = {.kind = VALUE_INT, .integer = c};
                    struct value value = term_value(&term, &x, &y, &z);
                    CU_ASSERT(!whole.known || value.kind == VALUE_INT);
                    least = value.integer < least ? value.integer : least;
                    most = value.integer > most ? value.integer : most;
                }
        CU_ASSERT(!whole.known || (whole.low <= least && most <= whole.high));
        CU_ASSERT(!bound_surely(whole, true) || least > 0 || most < 0);
        CU_ASSERT(!bound_surely(whole, false) || (least == 0 && most == 0));
        known += whole.known;
        tight += whole.known && whole.low == least && whole.high == most;
    }
    CU_ASSERT(known > 14000 && tight > known / 2);
}

static void at_the_ends(void)
{
    const struct bound large = {INT64_MAX - 1, INT64_MAX, true}, one = {1, 1, true}, two = {2, 2, true};
    const struct bound unknown = {0, 0, false}, zero = {0, 0, true}, some = {0, 5, true};
    static const struct {
        unsigned operation;
        int a, b; /* into `operands` */
        bool known;
        int64_t low, high;
    } rows[] = {{OP_ADD, 0, 1, false, 0, 0},
                {OP_MULTIPLY, 0, 2, false, 0, 0},
                {OP_SUBTRACT, 0, 1, true, INT64_MAX - 2, INT64_MAX - 1},
                {OP_DIVIDE, 0, 4, false, 0, 0},
                {OP_DIVIDE, 5, 2, true, 0, 2},
                {OP_CEILDIV, 5, 2, true, 0, 3},
                {OP_REMAINDER, 5, 2, true, 0, 1},
                {OP_ADD, 3, 1, false, 0, 0},
                {TERM_OR, 1, 3, true, 1, 1},
                {TERM_OR, 3, 1, false, 0, 0},
                {TERM_AND, 4, 3, true, 0, 0},
                {TERM_AND, 5, 4, true, 0, 0},
                {TERM_AND, 5, 1, true, 0, 1},
                {OP_NOT, 4, 3, true, 1, 1},
                {OP_EQUAL, 1, 1, true, 1, 1},
                {OP_LESS, 1, 2, true, 1, 1},
                {OP_LESS, 5, 5, true, 0, 1}};
    const struct bound operands[] = {large, one, two, unknown, zero, some};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct term term = {.operation = (uint16_t)rows[i].operation};
        struct bound bound = bound_of_term(&term, operands[rows[i].a], operands[rows[i].b], unknown);
        CU_ASSERT_EQUAL(bound.known, rows[i].known);
        CU_ASSERT(!rows[i].known || (bound.low == rows[i].low && bound.high == rows[i].high));
    }
}

static void of_values(void)
{
    static const struct value values[] = {{.kind = VALUE_INT, .integer = 4},
                                          {.kind = VALUE_INT, .integer = -3},
                                          {.kind = VALUE_INT, .integer = 9},
                                          {.kind = VALUE_FLOAT, .real = 1}};
    struct bound bound = bound_of_values(values, 3);
    CU_ASSERT(bound.known && bound.low == -3 && bound.high == 9);
    CU_ASSERT_FALSE(bound_of_values(values, 4).known);
}

/* Every value of an expression is within its bound, whose ends are values here. */
static void of_expressions(void)
{
    static const struct {
        const char *condition;
        bool known;
        int64_t low, high;
    } rows[] = {{"A * B + 1", true, 4, 13},
                {"max(A, 2 * B)", true, 6, 8},
                {"A - B", true, -3, 0},
                {"A > 5 ? A / 0 : ceildiv(7, A)", true, 3, 7},
                {"A > 2 ? A / 0 : 7", false, 0, 0},
                {"7", true, 7, 7},
                {"A ^ B", false, 0, 0},
                {"W == x", false, 0, 0}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[300];
        struct error error = {0};
        struct bound bounds;
        snprintf(text, sizeof text, "space 2\nparam A = 1..3\nparam B = 3, 4\nparam W = x, y\nrequire %s\n",
                 rows[i].condition);
        struct space *space = bound(text, "", NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(space);
        CU_ASSERT_EQUAL(bound_of_expr(space, space->constraints[0].condition, &bounds, &error), 0);
        if (bounds.known != rows[i].known)
            fprintf(stderr, "\n%s", rows[i].condition);
        CU_ASSERT_EQUAL(bounds.known, rows[i].known);
        CU_ASSERT(!rows[i].known || (bounds.low == rows[i].low && bounds.high == rows[i].high));
        space_free(space);
    }
}

CU_TestInfo tests_bound[] = {{"values are within", values_are_within},
                             {"at the ends", at_the_ends},
                             {"of values", of_values},
                             {"of expressions", of_expressions},
                             CU_TEST_INFO_NULL};
