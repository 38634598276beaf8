/* Constraints without a value (a division by zero), compared with brute force: an error if nothing else excludes the
 * configuration, whatever its group of parameters. */
#include "base/random.h"
#include "set/valid_set.h"
#include "support.h"

enum { FAULT_KINDS = 5, CONSTRAINTS_MAX = 4, PARAMETERS_MAX = 4 };

struct oracle_constraint {
    int kind;
    size_t a, b; /* parameters */
};

struct oracle {
    size_t parameters, constraints, cartesian;
    uint32_t counts[PARAMETERS_MAX];
    int64_t first[PARAMETERS_MAX]; /* parameter p has the values first, first + 1, ... */
    struct oracle_constraint list[CONSTRAINTS_MAX];
};

/* 1: holds, 0: excludes, -1: has no value. */
static int holds(const struct oracle_constraint *constraint, const int64_t *v)
{
    int64_t a = v[constraint->a], b = v[constraint->b];
    switch (constraint->kind) {
    case 0:
        return a == 2 ? -1 : 6 / (a - 2) > 0;
    case 1:
        return b == 3 ? -1 : a % (b - 3) == 0;
    case 2:
        return a + b <= 5;
    case 3:
        return a != 3;
    default:
        return a <= 1 || b != 2;
    }
}

static const char *const fault_texts[FAULT_KINDS] = {"6 / (P%zu - 2) > 0 * P%zu", "P%zu %% (P%zu - 3) == 0",
                                                     "P%zu + P%zu <= 5", "P%zu != 3 + 0 * P%zu",
                                                     "P%zu <= 1 || P%zu != 2"};

static struct space *random_space(struct oracle *oracle, uint64_t seed)
{
    struct random random;
    struct text text = {0};
    random_seed(&random, seed);
    oracle->parameters = 1 + random_below(&random, PARAMETERS_MAX);
    oracle->constraints = 1 + random_below(&random, CONSTRAINTS_MAX);
    oracle->cartesian = 1;
    text_printf(&text, "%s", SPACE_HEAD SPACE_SHAPE);
    for (size_t p = 0; p < oracle->parameters; p++) {
        oracle->counts[p] = 1 + (uint32_t)random_below(&random, 3);
        oracle->first[p] = 1 + (int64_t)random_below(&random, 3);
        oracle->cartesian *= oracle->counts[p];
        text_printf(&text, "param P%zu = %d..%d\n", p, (int)oracle->first[p],
                    (int)(oracle->first[p] + oracle->counts[p] - 1));
    }
    for (size_t i = 0; i < oracle->constraints; i++) {
        struct oracle_constraint *constraint = &oracle->list[i];
        constraint->kind = (int)random_below(&random, FAULT_KINDS);
        constraint->a = random_below(&random, oracle->parameters);
        constraint->b = random_below(&random, oracle->parameters);
        text_printf(&text, "require ");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        text_printf(&text, fault_texts[constraint->kind], constraint->a, constraint->b);
#pragma GCC diagnostic pop
        text_printf(&text, "\n");
    }
    struct space *space = bound(text_string(&text), "", NULL);
    text_free(&text);
    return space;
}

/* Counts valid configurations; *faulted: a configuration with a fault is not excluded. */
static uint64_t look_at_all(const struct oracle *oracle, bool *faulted)
{
    uint64_t valid = 0;
    for (size_t number = 0; number < oracle->cartesian; number++) {
        int64_t v[PARAMETERS_MAX];
        bool excluded = false, fault = false;
        size_t rest = number;
        for (size_t p = 0; p < oracle->parameters; rest /= oracle->counts[p++])
            v[p] = oracle->first[p] + (int64_t)(rest % oracle->counts[p]);
        for (size_t i = 0; i < oracle->constraints; i++) {
            int result = holds(&oracle->list[i], v);
            excluded |= result == 0;
            fault |= result < 0;
        }
        *faulted |= fault && !excluded;
        valid += !fault && !excluded;
    }
    return valid;
}

static void against_brute_force(void)
{
    enum { SPACES = 600 };
    size_t faults = 0;
    for (uint64_t seed = 1; seed <= SPACES; seed++) {
        struct oracle oracle = {0};
        struct error error = {0};
        struct valid_set *set = NULL;
        bool faulted = false;
        struct space *space = random_space(&oracle, seed);
        uint64_t valid = look_at_all(&oracle, &faulted);
        CU_ASSERT_EQUAL(valid_set_build(&set, space, 1 << 20, &error), faulted ? ERROR_VALUE : 0);
        if (set)
            CU_ASSERT_EQUAL(valid_set_count(set), valid);
        if (faulted)
            CU_ASSERT(strstr(error.message, "zero") != NULL && error.line > 0);
        faults += faulted;
        valid_set_free(set);
        space_free(space);
    }
    CU_ASSERT(faults > SPACES / 10 && faults < SPACES / 2);
}

/* The error names a configuration that the other groups allow: their defaults if valid. */
static void what_is_named(void)
{
    static const struct {
        const char *tail, *at;
    } rows[] = {
        {"param A = 1, 2\nparam B = 1, 2, 3\nrequire 4 / (A - 2) != 0\nrequire B != 1\n", "at A=2 B=2"},
        {"param A = 1, 2\nparam B = 1, 2, 3\nrequire 4 / (A - 2) != 0\nrequire B != 1\ndefault A=1 B=3\n",
         "at A=2 B=3"},
        {"param A = 1, 2\nparam B = 1, 2, 3\nparam C = 1, 2\nrequire 4 / (A - 2) != 0\nrequire B > C\n"
         "default A=1 B=2 C=2\n",
         "at A=2 B=3 C=2"},
        {"param A = 1\nparam B = 1, 2\nrequire B > 1\nrequire 4 / (A - 1) != 0\n", "at A=1 B=2"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[1024];
        struct error error = {0};
        struct valid_set *set = NULL;
        snprintf(text, sizeof text, "%s%s", SPACE_HEAD SPACE_SHAPE, rows[i].tail);
        struct space *space = bound(text, "", NULL);
        CU_ASSERT_EQUAL(valid_set_build(&set, space, 1 << 20, &error), ERROR_VALUE);
        const char *at = strstr(error.message, "at A");
        expect_text(rows[i].tail, at ? at : error.message, rows[i].at);
        space_free(space);
    }
}

CU_TestInfo tests_faults[] = {
    {"against brute force", against_brute_force}, {"what is named", what_is_named}, CU_TEST_INFO_NULL};
