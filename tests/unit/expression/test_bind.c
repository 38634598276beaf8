/* Bound expressions have the values and errors of unbound ones. */
#include "bound_expression.h"
#include "random_expression.h"

static void random_expressions(void)
{
    static const char *const leaves[] = {"A", "B", "W",   "F",  "M",    "N", "ZERO", "X", "warp", "HALF", "PICK",
                                         "0", "1", "2.5", "-3", "blue", "A", "B",    "A", "B",    "7"};
    struct device_limits limits = h200_limits();
    struct random random;
    size_t made = 0, narrower = 0;
    random_seed(&random, 7);
    for (int i = 0; i < 20; i++) {
        struct space *space = bound(bind_space, "", i % 2 ? &limits : NULL);
        struct text texts[40] = {0};
        for (size_t j = 0; space && j < COUNT(texts); j++) {
            struct error error = {0};
            const struct expr *plain, *folded = NULL;
            put_expression(&random, leaves, COUNT(leaves), 4, &texts[j]);
            plain = compiled(space, text_string(&texts[j]), &error);
            if (!plain) { /* constants without a value are errors of the text */
                CU_ASSERT_EQUAL(error.code, ERROR_VALUE);
                continue;
            }
            CU_ASSERT_EQUAL_FATAL(expr_bind(space, plain, &folded, &error), 0);
            CU_ASSERT_EQUAL(folded->parameters & ~plain->parameters, 0);
            CU_ASSERT_FALSE(folded->uses_problems);
            CU_ASSERT_FALSE(folded->uses_limits && space->has_limits);
            compare_everywhere(space, plain, folded);
            made++;
            narrower += folded->parameters != plain->parameters;
        }
        for (size_t j = 0; j < COUNT(texts); j++)
            text_free(&texts[j]);
        space_free(space);
    }
    CU_ASSERT(made > 400);
    CU_ASSERT(narrower > 5);
}

static void what_is_decided(void)
{
    static const struct {
        const char *text;
        size_t count; /* number of nodes */
        uint64_t parameters;
    } rows[] = {
        {"N % 7 == 2", 1, 0},           {"A % (N / 25) == 0", 5, 1},
        {"N > 50 || A / B == 1", 1, 0}, {"N < 50 || A == 1", 3, 1},
        {"N < 50 || A", 3, 1}, /* the truth of the right side */
        {"N > 50 ? A : F", 1, 1},       {"N > 50 ? N > 60 ? 1 : A : B", 1, 0},
        {"ZERO == 0 => A == 1", 3, 1},  {"(A ? N : 2) + 3", 6, 1},
        {"A && 1 / ZERO", 3, 1},                             /* an error only where A is not 0 */
        {"W == red ? A : B", 6, 7},     {"A + B + A", 4, 3}, /* equal parts share a node */
    };
    struct device_limits limits = h200_limits();
    struct space *space = bound(bind_space, "", &limits);
    for (size_t i = 0; space && i < COUNT(rows); i++) {
        struct error error = {0};
        const struct expr *plain = compiled(space, rows[i].text, &error), *folded = NULL;
        CU_ASSERT_PTR_NOT_NULL_FATAL(plain);
        CU_ASSERT_EQUAL_FATAL(expr_bind(space, plain, &folded, &error), 0);
        if (folded->expression.count != rows[i].count || folded->parameters != rows[i].parameters)
            fprintf(stderr, "\n%s: %zu nodes, parameters %llx", rows[i].text, folded->expression.count,
                    (unsigned long long)folded->parameters);
        CU_ASSERT_EQUAL(folded->expression.count, rows[i].count);
        CU_ASSERT_EQUAL(folded->parameters, rows[i].parameters);
        compare_everywhere(space, plain, folded);
    }
    space_free(space);
}

/* space_bind binds the constraints. */
static void constraints_are_bound(void)
{
    struct space *space =
        bound(SPACE_HEAD SPACE_SHAPE "problem N = 8\nparam A = 1, 2\nparam B = 1, 2\nrequire N > 4 || A == B\n"
                                     "require B <= N\n",
              "", NULL);
    if (!space)
        return;
    CU_ASSERT_EQUAL(space->constraints[0].condition->parameters, 0);
    CU_ASSERT_EQUAL(space->constraints[1].condition->parameters, 2);
    expect_text("text", space->constraints[0].condition->text, "N > 4 || A == B");
    space_free(space);
}

/* The message of an error is cut where the configuration does not fit into it. */
static void long_configurations(void)
{
    enum { PARAMETERS = 20 };
    static const char begin[] = "1:3 division by zero: 1 / 0, in test at P0=aaaaaaaa";
    char word[64] = "", message[2048];
    struct text text = {0};
    text_printf(&text, SPACE_HEAD SPACE_SHAPE);
    memset(word, 'a', sizeof word - 1);
    for (int p = 0; p < PARAMETERS; p++)
        text_printf(&text, "param P%d = %s\n", p, word);
    text_printf(&text, "param Z = 0\n");
    struct space *space = bound(text_string(&text), "", NULL);
    struct value values[SPACE_PARAMETERS_MAX];
    const struct expr_inputs inputs = {.space = space, .values = values, .bound = PARAMETERS + 1};
    struct error error = {0};
    space_values(space, (const uint32_t[SPACE_PARAMETERS_MAX]){0}, values);
    outcome(compiled(space, "1 / Z", &error), &inputs, message, sizeof message);
    CU_ASSERT_EQUAL(strncmp(message, begin, sizeof begin - 1), 0);
    CU_ASSERT_EQUAL(strlen(message), strlen("1:3 ") + sizeof error.message - 1);
    space_free(space);
    text_free(&text);
}

CU_TestInfo tests_bind[] = {{"random expressions", random_expressions},
                            {"what is decided", what_is_decided},
                            {"constraints are bound", constraints_are_bound},
                            {"long configurations", long_configurations},
                            CU_TEST_INFO_NULL};
