/* Conditions on sizes, in the form of a fit, against the spaces of the templates. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/random.h"
#include "database/limits_file.h"
#include "expression/expr.h"
#include "language/condition.h"
#include "set/valid_set.h"
#include "sizes/size_condition.h"

enum { CONFIGURATIONS = 4, ROUNDS = 8 };

struct checks {
    size_t valid, invalid, complete, missed, launches, untold;
};

/* True if a run would measure the configuration of a bound space. */
static bool fits(const struct space *space, const uint32_t *choices)
{
    static struct launch launch;
    char why[256];
    return !space_launch(space, choices, &launch, NULL) &&
           space_launch_fits(space, LAUNCH_OF_RUN, choices, why, sizeof why);
}

/* True if a bound space allows the configuration. */
static bool allows(const struct space *space, const uint32_t *choices)
{
    struct value values[SPACE_PARAMETERS_MAX];
    const struct expr_inputs inputs = {.space = space, .values = values, .bound = space->parameter_count};
    bool holds = true;
    for (size_t p = 0; p < space->parameter_count; p++)
        values[p] = space->parameters[p].values[choices[p]];
    for (size_t c = 0; c < space->constraint_count && holds; c++)
        if (expr_true(space->constraints[c].condition, &inputs, &holds, NULL))
            return false;
    return holds && fits(space, choices);
}

/* True if the condition for any device holds for this one. */
static bool requirement_holds(const struct space *parsed, const struct device_limits *limits, const uint32_t *choices,
                              const char *const *names, const int64_t *sizes)
{
    struct arena arena = {0};
    struct text text = {0};
    const struct size_condition *condition = NULL;
    const char *all[SPACE_PROBLEMS_MAX + 64];
    int64_t values[SPACE_PROBLEMS_MAX + 64];
    size_t count = parsed->problem_count;
    memcpy(all, names, count * sizeof *all);
    memcpy(values, sizes, count * sizeof *values);
    for (size_t l = 0; l < limit_count; l++) {
        all[count] = limit_rows[l].name;
        values[count++] = limit_get(limits, &limit_rows[l]);
    }
    space_requirement(parsed, choices, false, &text);
    CU_ASSERT_EQUAL_FATAL(size_condition_parse(&arena, text_string(&text), all, count, &condition, NULL), 0);
    bool holds = size_condition_holds(condition, values);
    text_free(&text);
    arena_free(&arena);
    return holds;
}

/* Returns the value of a launch's expression from its text; `none` without one, -1 if it has no text. */
static int64_t told(const struct space *parsed, const struct expr *expr, int64_t none,
                    const struct device_limits *limits, const uint32_t *choices, const char *const *names,
                    const int64_t *sizes)
{
    struct arena arena = {0};
    struct text text = {0};
    const struct size_condition *condition;
    int64_t value = expr ? -1 : none;
    if (expr && space_expression(parsed, expr, limits, choices, &text)) {
        CU_ASSERT_EQUAL_FATAL(
            size_condition_parse(&arena, text_string(&text), names, parsed->problem_count, &condition, NULL), 0);
        value = size_condition_value(condition, sizes);
    }
    text_free(&text);
    arena_free(&arena);
    return value;
}

/* Compares the launches of a bound space with the texts of their expressions. */
static void compare_launch(const struct space *parsed, const struct space *bound, const uint32_t *choices,
                           const char *const *names, const int64_t *sizes, struct checks *checks)
{
    static struct launch launch;
    size_t at = 0;
    if (space_launch(bound, choices, &launch, NULL))
        return;
    for (size_t s = 0; s < parsed->step_count; s++) {
        const struct step *from = &parsed->steps[s];
        const struct launch_step *step = &launch.steps[at];
#define TOLD(expr, none) told(parsed, expr, none, &bound->limits, choices, names, sizes)
        int64_t repeat = TOLD(from->repeat, 1), when = TOLD(from->when, 1), shared = TOLD(from->shared, 0);
        if (!repeat || !when)
            continue;
        checks->untold += repeat < 0 || when < 0 || shared < 0;
        if (++at > launch.step_count || repeat < 0 || when < 0)
            return;
        checks->launches++;
        CU_ASSERT_EQUAL(repeat, step->repeat);
        CU_ASSERT(shared < 0 || (uint64_t)shared == step->shared_bytes);
        for (int d = 0; d < 3; d++) {
            int64_t block = TOLD(from->block[d], 1), grid = TOLD(from->grid[d], 1);
            checks->untold += block < 0 || grid < 0;
            CU_ASSERT(block < 0 || block == step->block[d]);
            CU_ASSERT(grid < 0 || from->resident || grid == step->grid[d]);
            CU_ASSERT(!step->cluster[0] || TOLD(from->cluster[d], 1) == step->cluster[d]);
        }
#undef TOLD
    }
    CU_ASSERT_EQUAL(at, launch.step_count);
}

/* Compares both for one configuration and random sizes. */
static void compare(const char *path, const struct space *parsed, const struct device_limits *limits,
                    const uint32_t *choices, struct random *random, struct checks *checks)
{
    struct arena arena = {0};
    struct text text = {0};
    struct space *bound = NULL;
    const struct size_condition *condition = NULL;
    struct error error = {0};
    const char *names[SPACE_PROBLEMS_MAX], *overrides[SPACE_PROBLEMS_MAX];
    int64_t sizes[SPACE_PROBLEMS_MAX];
    for (size_t i = 0; i < parsed->problem_count; i++) {
        int64_t now = parsed->problems[i].value.kind == VALUE_INT ? parsed->problems[i].value.integer : 1;
        names[i] = parsed->problems[i].name;
        sizes[i] = random_below(random, 3) ? now + (int64_t)random_below(random, 40) : now << random_below(random, 12);
        overrides[i] = parsed->problems[i].value.kind == VALUE_INT
                           ? arena_printf(&arena, "%s=%lld", names[i], (long long)sizes[i])
                           : arena_printf(&arena, "%s=1.5", names[i]);
    }
    bool complete = space_condition(parsed, limits, choices, 0, &text);
    CU_ASSERT_EQUAL_FATAL(
        size_condition_parse(&arena, text_string(&text), names, parsed->problem_count, &condition, &error), 0);
    int code = space_parse(&bound, path, &error);
    /* A space may refuse sizes for all configurations. */
    if (!code && !space_bind(bound, overrides, parsed->problem_count, limits, NULL)) {
        bool valid = allows(bound, choices), holds = size_condition_holds(condition, sizes);
        if (valid && !holds) {
            fprintf(stderr, "\n%s: %s is valid, but the condition is %s", path, overrides[0], text_string(&text));
            CU_FAIL("the condition is not the space's");
        }
        CU_ASSERT(!valid || requirement_holds(parsed, limits, choices, names, sizes));
        CU_ASSERT(!complete || holds || !requirement_holds(parsed, limits, choices, names, sizes));
        if (valid)
            compare_launch(parsed, bound, choices, names, sizes, checks);
        checks->missed += complete && holds && !valid;
        checks->valid += valid;
        checks->invalid += !valid && !holds;
        checks->complete += complete && text.length;
    }
    space_free(bound);
    text_free(&text);
    arena_free(&arena);
}

static void test_templates(void)
{
    struct device_limits limits;
    struct checks checks = {0};
    struct random random;
    glob_t files;
    random_seed(&random, 5);
    CU_ASSERT_EQUAL_FATAL(limits_read(SOURCE_FOLDER "/space/devices/H200.csv", &limits, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(glob(SOURCE_FOLDER "/templates/*.space", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        struct space *parsed = NULL, *bound = NULL;
        struct valid_set *set = NULL;
        CU_ASSERT_EQUAL_FATAL(space_parse(&parsed, files.gl_pathv[i], NULL), 0);
        CU_ASSERT_EQUAL_FATAL(space_parse(&bound, files.gl_pathv[i], NULL), 0);
        CU_ASSERT_EQUAL_FATAL(space_bind(bound, NULL, 0, &limits, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, bound, VALID_SET_DEFAULT_BYTES, NULL), 0);
        for (size_t c = 0; c < CONFIGURATIONS && parsed->problem_count; c++) {
            uint32_t choices[SPACE_PARAMETERS_MAX];
            valid_set_get(set, random_below(&random, valid_set_count(set)), choices);
            for (size_t round = 0; round < ROUNDS; round++)
                compare(files.gl_pathv[i], parsed, &limits, choices, &random, &checks);
        }
        valid_set_free(set);
        space_free(bound);
        space_free(parsed);
    }
    globfree(&files);
    CU_ASSERT(checks.valid > 400);
    CU_ASSERT(checks.invalid > 50); /* and the condition is false */
    CU_ASSERT(checks.complete > 400);
    /* Shared memory of cluster_stencil and scratch buffers of radix_sort depend on the sizes. */
    CU_ASSERT(checks.missed * 10 < checks.invalid);
    CU_ASSERT(checks.launches > 400);
    CU_ASSERT_EQUAL(checks.untold, 0);
}

CU_TestInfo tests_valid_sizes[] = {{"templates", test_templates}, CU_TEST_INFO_NULL};
