/* The diagram: comparison with brute force for random conditions, the order of its levels, and its limits. */
#include "../expression/random_expression.h"
#include "../language/support.h"
#include "set/build.h"
#include "set/valid_set.h"

/* ---- Comparison with brute force ---- */

enum { PARAMETERS = 4, CONSTRAINTS_MAX = 3 };

static struct space *random_space(struct random *random)
{
    static const char *const leaves[] = {"A", "B", "C", "D", "A", "B", "C", "D", "A", "B", "F", "W", "0", "1", "2"};
    struct text text = {0};
    struct space *space = NULL;
    struct error error = {0};
    text_printf(&text, "%s",
                SPACE_HEAD SPACE_SHAPE "param A = 0..4\nparam B = 1..5\nparam C = -2..2\nparam D = 3, 1, 2\n"
                                       "problem F = 2\nproblem W = 1\n");
    uint64_t constraints = 1 + random_below(random, CONSTRAINTS_MAX);
    for (uint64_t i = 0; i < constraints; i++) {
        text_printf(&text, "require ");
        put_expression(random, leaves, COUNT(leaves), 3, &text);
        text_printf(&text, " != 0\n"); /* otherwise && would yield conditions that exclude on their own */
    }
    /* A constant part without a value is an error of the text. */
    if (space_parse_text(&space, "test.space", text_string(&text), text.length, "", &error) ||
        space_bind(space, NULL, 0, NULL, &error)) {
        space_free(space);
        space = NULL;
    }
    text_free(&text);
    return space;
}

/* Returns 1 for a valid configuration, 0 if a constraint excludes it, and -1 if none excludes it but some constraint
 * has no value. */
static int look_at(const struct space *space, const uint32_t *choices)
{
    struct value values[SPACE_PARAMETERS_MAX];
    const struct expr_inputs inputs = {.space = space, .values = values, .bound = space->parameter_count};
    int valid = 1;
    for (size_t p = 0; p < space->parameter_count; p++)
        values[p] = space->parameters[p].values[choices[p]];
    for (size_t i = 0; i < space->constraint_count; i++) {
        bool holds = true;
        if (expr_true(space->constraints[i].condition, &inputs, &holds, NULL))
            valid = -1;
        else if (!holds)
            return 0;
    }
    return valid;
}

static bool next_choices(const struct space *space, uint32_t *choices)
{
    for (size_t p = 0; p < space->parameter_count; p++) {
        if (++choices[p] < space->parameters[p].value_count)
            return true;
        choices[p] = 0;
    }
    return false;
}

static void against_brute_force(void)
{
    struct random random;
    size_t made = 0, faulted = 0;
    random_seed(&random, 11);
    for (int i = 0; i < 600; i++) {
        struct space *space = random_space(&random);
        struct valid_set *set = NULL;
        struct error error = {0};
        uint32_t choices[PARAMETERS] = {0};
        uint64_t valid = 0, wrong = 0, faults = 0;
        if (!space)
            continue;
        int code = valid_set_build(&set, space, 1 << 20, &error);
        do {
            int expected = look_at(space, choices);
            valid += expected == 1;
            faults += expected == -1;
            wrong += set && valid_set_find(set, choices, NULL) != (expected == 1);
        } while (next_choices(space, choices));
        CU_ASSERT_EQUAL(code, faults ? ERROR_VALUE : 0);
        CU_ASSERT_EQUAL(wrong, 0);
        if (set)
            CU_ASSERT_EQUAL(valid_set_count(set), valid);
        if (wrong || (set && valid_set_count(set) != valid) || code != (faults ? ERROR_VALUE : 0))
            for (size_t c = 0; c < space->constraint_count; c++)
                fprintf(stderr, "\nrequire %s", space->constraints[c].condition->text);
        made++;
        faulted += faults > 0;
        valid_set_free(set);
        space_free(space);
    }
    CU_ASSERT(made > 400);
    CU_ASSERT(faulted > made / 10 && faulted < made * 9 / 10);
}

/* ---- Diagrams of single components ---- */

/* The order of the levels and the size of the diagram. */
static void orders(void)
{
    static const struct {
        const char *tail, *expected;
    } rows[] = {
        {"param A = 1..9\nparam B = 1..9\nparam C = 1..9\nrequire A % B == 0 && B % C == 0\n",
         "A B C 21 nodes, 44 valid"},
        {"param A = 1..9\nparam B = 1..9\nparam C = 1..9\nparam D = 1..9\nrequire A < C\nrequire B < D\n",
         "A C B D 20 nodes, 1296 valid"},
        {"param A = 1..9\nparam B = 1..9\nparam C = 1..9\nparam D = 1..9\nrequire A % D == 0\nrequire D % B == 0\n"
         "require B % C == 0\n",
         "A D B C 30 nodes, 73 valid"},
        {"param A = 1..4\nparam B = 1..9\nparam C = 1..9\nrequire B * C % 7 == A\n", "A B C 13 nodes, 44 valid"},
        {"param A = 1..9\nparam B = 1..9\nparam C = 1..9\nrequire A * B > C * B\n", "A B C 19 nodes, 324 valid"},
        {"param A = 1..9\nparam B = 1..9\nparam C = 1..9\nrequire (A == 3 ? B : 1) < C\n", "A C B 14 nodes, 612 valid"},
        {"param A = 1..9\nparam B = 1..9\nparam C = 1..9\nparam D = 1..9\nrequire (A > 3) + (B > 3) > (C > 3) + D\n",
         "A C B D 6 nodes, 108 valid"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char file[512];
        struct roots roots = {0};
        struct diagram diagram = {0};
        struct component component = {0};
        struct error error = {0};
        struct text text = {0};
        snprintf(file, sizeof file, "%s%s", SPACE_HEAD SPACE_SHAPE, rows[i].tail);
        struct space *space = bound(file, "", NULL);
        const struct build_setup setup = {.space = space, .roots = &roots, .diagram = &diagram, .max_bytes = 1 << 20};
        CU_ASSERT_EQUAL_FATAL(roots_find(&roots, space, space->constraint_count, &error), 0);
        component.count = space->parameter_count;
        for (size_t p = 0; p < component.count; p++)
            component.parameters[p] = (uint16_t)p;
        CU_ASSERT_EQUAL(build_component(&setup, &component, &error), 0);
        for (size_t l = 0; l < component.count; l++)
            text_printf(&text, "%s ", space->parameters[component.parameters[l]].name);
        text_printf(&text, "%zu nodes, %llu valid", diagram.node_count, (unsigned long long)component.configurations);
        expect_text(rows[i].tail, text_string(&text), rows[i].expected);
        text_free(&text);
        diagram_free(&diagram);
        roots_free(&roots);
        space_free(space);
    }
}

/* Errors name the responsible constraints, with the position of the last one. */
static void limits(void)
{
    static const struct {
        const char *tail, *message;
        int line;
    } rows[] = {
        {"param A = 1..9\nparam B = 1..9\nrequire A % B == 0\n",
         "the space is too entangled: its diagram needs more than 0.000 B, because of: A % B == 0", 10},
        {"param A = 1..9\nparam B = 1..9\nrequire A != B && (A ^ B) != 3\nrequire A + B > 3\n",
         "the space is too entangled: its diagram needs more than 0.000 B, because of: A != B && (A ^ B) != 3; A + B > "
         "3",
         11},
        {"param A = 1..9\nrequire A > 1\n", "the space is too entangled: its diagram needs more than 0.000 B", 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char file[512];
        struct valid_set *set = NULL;
        struct error error = {0};
        snprintf(file, sizeof file, "%s%s", SPACE_HEAD SPACE_SHAPE, rows[i].tail);
        struct space *space = bound(file, "", NULL);
        CU_ASSERT_EQUAL(valid_set_build(&set, space, 0, &error), ERROR_MEMORY);
        expect_text(rows[i].tail, error.message, rows[i].message);
        CU_ASSERT_EQUAL(error.line, rows[i].line);
        expect_text("source", error.source, "test.space");
        space_free(space);
    }
}

CU_TestInfo tests_build[] = {
    {"against brute force", against_brute_force}, {"orders", orders}, {"limits", limits}, CU_TEST_INFO_NULL};
