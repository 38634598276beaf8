/* Simplified expressions: their form, and equal values. */
#include <CUnit/Basic.h>

#include "../base/random_expression.h"
#include "sizes/size_condition.h"
#include "sizes/size_simplify.h"

static const char *const names[] = {"A", "B"};

/* A lies between 64 and 4096, B between 1 and 1000. */
static void test_rules(void)
{
    static const struct bound ranges[] = {{64, 4096, true}, {1, 1000, true}};
    static const struct {
        const char *text, *c;
    } cases[] = {
        /* Numbers, and expressions with a single possible value. */
        {"((2 ? 3 : 4) - 1)", "2LL"},
        {"(A >= 64)", "1LL"},
        {"(A > 4096)", "0LL"},
        {"(A == B)", "k_equal(A, B)"},
        {"(A == (B + 5000))", "0LL"},
        {"(A != (B + 5000))", "1LL"},
        {"!A", "0LL"},
        {"!(B - 1)", "k_not((B - 1LL))"},
        {"((A > 5000) && (B > 5))", "0LL"},
        {"((A > 50) && (B > 5))", "k_greater(B, 5LL)"},
        {"((B > 5) && (A > 50))", "k_greater(B, 5LL)"},
        {"(B && (A > 100))", "k_greater(A, 100LL)"},
        {"((A > 50) && (B - 1))", "k_and(1LL, (B - 1LL))"},
        {"((A > 5000) || (B > 5))", "k_greater(B, 5LL)"},
        {"((A > 5000) || (B - 5))", "k_or(0LL, (B - 5LL))"},
        {"((A > 50) || (B > 5))", "1LL"},
        {"(0 * A)", "0LL"},
        {"(5 / A)", "0LL"},
        {"(gcd(A, B) >= 1)", "1LL"},
        {"(gcd(A, B) <= 1000)", "1LL"},
        {"(gcd(A, (B - 1)) <= 4096)", "1LL"},
        {"(gcd(A, (B - 1)) >= 1)", "1LL"},
        {"(gcd((B - 1), (B - 1)) >= 1)", "k_at_least(k_gcd((B - 1LL), (B - 1LL)), 1LL)"},
        {"(lcm(A, B) >= 0)", "1LL"},
        {"((A | B) <= 8191)", "1LL"},
        {"((A | B) >= 64)", "1LL"},
        {"((A ^ B) <= 8191)", "1LL"},
        {"((A ^ B) >= 0)", "1LL"},
        {"((A & B) <= 1000)", "1LL"},
        {"((A & (B - 5)) <= 4096)", "1LL"},
        {"(((B - 5) & A) >= 0)", "1LL"},
        {"((A % B) < 1000)", "1LL"},
        {"((A % B) <= 998)", "k_at_most(k_remainder(A, B), 998LL)"},
        {"(((B - 5) % A) >= -4095)", "1LL"},
        {"((A << B) > 0)", "k_greater(k_shift_left(A, B), 0LL)"},
        {"((B << 3) <= 8000)", "1LL"},
        /* Neutral operands. */
        {"(A + 0)", "A"},
        {"(0 + A)", "A"},
        {"(A - 0)", "A"},
        {"(A * 1)", "A"},
        {"(1 * A)", "A"},
        {"(A / 1)", "A"},
        {"ceildiv(A, 1)", "A"},
        {"(A << 0)", "A"},
        {"(A >> 0)", "A"},
        {"(A | 0)", "A"},
        {"(0 ^ A)", "A"},
        {"(A / A)", "k_small_quotient(A, A)"},
        {"((A > 99) && (B > 9))", "(k_greater(A, 99LL) & k_greater(B, 9LL))"},
        {"((A > 99) || (B > 9))", "(k_greater(A, 99LL) | k_greater(B, 9LL))"},
        {"((A > 99) && (B - 9))", "k_and(k_greater(A, 99LL), (B - 9LL))"},
        {"((B - 1) || (B - 1))", "k_or((B - 1LL), (B - 1LL))"},
        {"((A > 99) != 0)", "k_greater(A, 99LL)"},
        {"((A > 99) == 0)", "k_not(k_greater(A, 99LL))"},
        {"!!(A > 99)", "k_greater(A, 99LL)"},
        {"!!(B - 1)", "k_not(k_not((B - 1LL)))"},
        {"max(A, 9000)", "9000LL"},
        {"max(A, B)", "k_max(A, B)"},
        {"max(1000, B)", "1000LL"},
        /* Divisions. */
        {"(A / 32)", "(A >> 5LL)"},
        {"(A >> B)", "k_shift_right(A, B)"},
        {"((B - 9) >> 3)", "k_shift_right((B - 9LL), 3LL)"},
        {"(A % 32)", "k_bit_and(A, 31LL)"},
        {"(B % A)", "k_remainder(B, A)"},
        {"(B % 1001)", "B"},
        {"ceildiv(A, 32)", "((A + 31LL) >> 5LL)"},
        {"(A / 33)", "k_small_quotient(A, 33LL)"},
        {"(A % 33)", "k_remainder(A, 33LL)"},
        {"ceildiv(A, B)", "k_small_ceildiv(A, B)"},
        {"(A / (B - 1))", "k_quotient(A, (B - 1LL))"},
        {"((B - 2) / 32)", "k_quotient((B - 2LL), 32LL)"},
        {"((A * 10000000) / 33)", "k_quotient((A * 10000000LL), 33LL)"},
        {"(33 / (A * 10000000))", "0LL"},
        {"ceildiv((A * 1000000), 198967295)", "k_small_ceildiv((A * 1000000LL), 198967295LL)"},
        {"ceildiv((A * 1000000), 198967297)", "k_ceildiv((A * 1000000LL), 198967297LL)"}, /* a sum of 33 bits */
        {"gcd(A, 8)", "k_low_bit(A, 8LL)"},
        {"gcd(8, A)", "k_low_bit(A, 8LL)"},
        {"gcd(A, 6)", "k_gcd(A, 6LL)"},
        /* Sums. */
        {"((A * 3) + (B * 5))", "((A * 3LL) + (B * 5LL))"},
        {"((A * B) * 9000000000000000)", "k_times((A * B), 9000000000000000LL)"},
        /* Choices. */
        {"((A > 99) ? 1 : 0)", "k_greater(A, 99LL)"},
        {"((A > 99) ? 0 : 1)", "k_not(k_greater(A, 99LL))"},
        {"((B - 1) ? 1 : 0)", "k_choice((B - 1LL), 1LL, 0LL)"},
        {"((A > 9) ? A : B)", "A"},
        {"((A > 9999) ? A : B)", "B"},
        {"((A > 99) ? B : B)", "B"},
        {"(!(A > 99) ? A : B)", "k_choice(k_greater(A, 99LL), B, A)"},
        {"(((A > 99) ? B : 2) > 1000)", "0LL"},
        {"(((A > 99) ? A : 100) >= 100)", "1LL"}, /* each side is bounded by the condition's constant */
        {"(((A >= 99) ? A : 99) >= 99)", "1LL"},
        {"(((A < 99) ? A : 5) <= 98)", "1LL"},
        {"(((A <= 99) ? A : 5) <= 99)", "1LL"},
        {"(((A < 99) ? 99 : A) >= 99)", "1LL"},
        {"(((A > 99) ? 5 : A) > 99)", "0LL"}, /* A is at most 99 there */
        {"(((A == 99) ? A : 100) <= 99)", "k_at_most(k_choice(k_equal(A, 99LL), A, 100LL), 99LL)"},
        /* Cases: conditions that hold whether or not a launch is skipped. */
        {"(!(A > 99) || (((A > 99) ? A : 0) >= 1))", "1LL"},
        {"(!((A > 99) || (B > 9)) || (1 <= (((A > 99) ? A : 0) + ((B > 9) ? B : 0))))", "1LL"},
        {"((((A > 99) ? B : (B - 1)) + (B * 5)) > 3000)",
         "k_greater((k_choice(k_greater(A, 99LL), B, (B - 1LL)) + (B * 5LL)), 3000LL)"},
        {"((((A > 99) ? B : (B - 1)) + (B * 5)) > -7)", "1LL"},
        {"(((((A > 91) + (A > 92)) + ((A > 93) + (A > 94))) + (A > 95)) == 3)", /* more cases than are tried */
         "k_equal((((k_greater(A, 91LL) + k_greater(A, 92LL)) + (k_greater(A, 93LL) + k_greater(A, 94LL))) + "
         "k_greater(A, 95LL)), 3LL)"},
        /* Other truth values, one of which occurs in three conditions, are tried first. */
        {"(((((B > 20) ? A : B) > ((B > 30) ? A : B)) && (((B > 30) ? B : A) > ((B > 30) ? A : 5))) && "
         "(!(A > 99) || (((A > 99) ? A : 0) >= 1)))",
         "(k_greater(k_choice(k_greater(B, 20LL), A, B), k_choice(k_greater(B, 30LL), A, B)) & "
         "k_greater(k_choice(k_greater(B, 30LL), B, A), k_choice(k_greater(B, 30LL), A, 5LL)))"},
        {"(!((A > 99) || (B > 9)) || (2 <= (((A > 99) ? 1 : 0) * ((B > 9) ? B : 0))))",
         "(k_not((k_greater(A, 99LL) | k_greater(B, 9LL))) | "
         "k_at_most(2LL, (k_greater(A, 99LL) * k_choice(k_greater(B, 9LL), B, 0LL))))"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        struct text text = {0};
        const struct size_condition *condition;
        CU_ASSERT_EQUAL_FATAL(size_condition_parse_between(&arena, cases[i].text, names, 2, ranges, &condition, NULL),
                              0);
        size_condition_print(condition, "k_", names, 0, NULL, &text);
        CU_ASSERT_STRING_EQUAL(text_string(&text), cases[i].c);
        text_free(&text);
        arena_free(&arena);
    }
}

static struct bound draw_range(struct random *random)
{
    int64_t a = draw_integer(random), b = draw_integer(random);
    return (struct bound){a < b ? a : b, a < b ? b : a, true};
}

/* Draws an end of the range, or a number between. */
static int64_t draw_size(struct random *random, struct bound range)
{
    uint64_t width = (uint64_t)range.high - (uint64_t)range.low, which = random_below(random, 4);
    uint64_t step = which == 0 ? 0 : which == 1 ? width : random_u64(random);
    return (int64_t)((uint64_t)range.low + (width == UINT64_MAX ? step : step % (width + 1)));
}

/* Random expressions keep their values. */
static void test_random(void)
{
    struct random random;
    random_seed(&random, 1);
    for (int i = 0; i < 60000; i++) {
        struct expression_graph graph = {0}, simpler = {0};
        const uint32_t root = draw_expression(&random, &graph, true);
        const struct bound ranges[] = {draw_range(&random), draw_range(&random)};
        const uint32_t simple = size_simplify(&simpler, &graph, root, i % 8 ? ranges : NULL);
        CU_ASSERT_FATAL(simple != EXPRESSION_NONE);
        for (int s = 0; s < 4; s++) {
            const struct value sizes[] = {value_integer(draw_size(&random, ranges[0])),
                                          value_integer(draw_size(&random, ranges[1]))};
            if (direct_value(graph.nodes, root, OVERFLOW_SATURATES, sizes).integer !=
                direct_value(simpler.nodes, simple, OVERFLOW_SATURATES, sizes).integer)
                CU_FAIL_FATAL("another value");
        }
        expression_graph_free(&graph);
        expression_graph_free(&simpler);
    }
}

CU_TestInfo tests_size_simplify[] = {{"rules", test_rules}, {"random", test_random}, CU_TEST_INFO_NULL};
