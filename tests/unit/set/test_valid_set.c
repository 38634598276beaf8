#include <math.h>
#include <stdlib.h>

#include "../language/support.h"
#include "set/valid_set.h"

/* ---- Random small spaces. The oracle has the constraints as C functions, not as expressions. ---- */

enum { KINDS = 6, CONSTRAINTS_MAX = 4, PARAMETERS_MAX = 5 };

struct oracle_constraint {
    int kind;
    size_t a, b, c; /* parameters */
};

struct oracle {
    size_t parameters, constraints;
    uint32_t counts[PARAMETERS_MAX];
    int64_t first[PARAMETERS_MAX]; /* parameter p has the values first, first + 1, ... */
    struct oracle_constraint list[CONSTRAINTS_MAX];
};

static bool oracle_holds(const struct oracle_constraint *constraint, const int64_t *v)
{
    int64_t a = v[constraint->a], b = v[constraint->b], c = v[constraint->c];
    switch (constraint->kind) {
    case 0:
        return a % b == 0;
    case 1:
        return a + b <= c + 4;
    case 2:
        return a != b || c == 1;
    case 3:
        return a * b <= 12;
    case 4:
        return (a ^ c) != 3;
    default:
        return a < b ? c > 1 : c < 4;
    }
}

static const char *const kind_texts[KINDS] = {"P%zu %% P%zu == 0 + 0 * P%zu",  "P%zu + P%zu <= P%zu + 4",
                                              "P%zu != P%zu || P%zu == 1",     "P%zu * P%zu <= 12 + 0 * P%zu",
                                              "(P%zu + 0 * P%zu ^ P%zu) != 3", "P%zu < P%zu ? P%zu > 1 : P%zu < 4"};

static struct space *random_space(struct oracle *oracle, uint64_t seed)
{
    struct random random;
    struct text text = {0};
    random_seed(&random, seed);
    oracle->parameters = 1 + random_below(&random, PARAMETERS_MAX);
    oracle->constraints = random_below(&random, CONSTRAINTS_MAX + 1);
    text_printf(&text, "%s", SPACE_HEAD SPACE_SHAPE);
    for (size_t p = 0; p < oracle->parameters; p++) {
        oracle->counts[p] = 1 + (uint32_t)random_below(&random, 6);
        oracle->first[p] = 1 + (int64_t)random_below(&random, 3);
        text_printf(&text, "param P%zu = %d..%d\n", p, (int)oracle->first[p],
                    (int)(oracle->first[p] + oracle->counts[p] - 1));
    }
    for (size_t i = 0; i < oracle->constraints; i++) {
        struct oracle_constraint *constraint = &oracle->list[i];
        constraint->kind = (int)random_below(&random, KINDS);
        constraint->a = random_below(&random, oracle->parameters);
        constraint->b = random_below(&random, oracle->parameters);
        constraint->c = random_below(&random, oracle->parameters);
        text_printf(&text, "require ");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        text_printf(&text, kind_texts[constraint->kind], constraint->a, constraint->b, constraint->c, constraint->c);
#pragma GCC diagnostic pop
        text_printf(&text, "\n");
    }
    struct space *space = bound(text_string(&text), "", NULL);
    text_free(&text);
    return space;
}

static void oracle_choices(const struct oracle *oracle, size_t number, uint32_t *choices)
{
    for (size_t p = oracle->parameters; p-- > 0; number /= oracle->counts[p])
        choices[p] = (uint32_t)(number % oracle->counts[p]);
}

static bool oracle_valid(const struct oracle *oracle, const uint32_t *choices, double *removed)
{
    int64_t v[PARAMETERS_MAX];
    for (size_t p = 0; p < oracle->parameters; p++)
        v[p] = oracle->first[p] + choices[p];
    for (size_t i = 0; i < oracle->constraints; i++)
        if (!oracle_holds(&oracle->list[i], v)) {
            removed[i]++;
            return false;
        }
    return true;
}

static void check_neighbours(const struct valid_set *set, const struct oracle *oracle, uint64_t index)
{
    uint32_t own[PARAMETERS_MAX], other[PARAMETERS_MAX];
    uint64_t found[64];
    valid_set_get(set, index, own);
    for (int kind = NEIGHBOURS_ANY; kind <= NEIGHBOURS_ADJACENT; kind++) {
        size_t count = valid_set_neighbours(set, index, (enum neighbourhood)kind, found, COUNT(found)), expected = 0;
        for (uint64_t i = 0; i < valid_set_count(set); i++) {
            size_t differences = 0;
            bool adjacent = true;
            valid_set_get(set, i, other);
            for (size_t p = 0; p < oracle->parameters; p++)
                if (own[p] != other[p]) {
                    differences++;
                    adjacent = own[p] + 1 == other[p] || other[p] + 1 == own[p];
                }
            if (differences != 1 || (kind == NEIGHBOURS_ADJACENT && !adjacent))
                continue;
            bool there = false;
            for (size_t n = 0; n < count; n++)
                there |= found[n] == i;
            CU_ASSERT_TRUE(there);
            expected++;
        }
        CU_ASSERT_EQUAL(count, expected);
        uint64_t one[1] = {UINT64_MAX};
        CU_ASSERT_EQUAL(valid_set_neighbours(set, index, (enum neighbourhood)kind, one, 0), count);
        CU_ASSERT_EQUAL(one[0], UINT64_MAX);
    }
}

/* The walk visits every configuration once, in the order of the indices, and reports the changes. */
static void check_walk(const struct valid_set *set, size_t parameters)
{
    struct valid_walk walk;
    const uint32_t *choices;
    uint32_t before[PARAMETERS_MAX] = {0}, own[PARAMETERS_MAX];
    size_t changed;
    uint64_t index = 0;
    valid_walk_start(set, &walk);
    while (valid_walk_next(&walk, &choices, &changed)) {
        size_t first = 0;
        CU_ASSERT_FATAL(index < valid_set_count(set));
        valid_set_get(set, index, own);
        CU_ASSERT_EQUAL(memcmp(own, choices, parameters * sizeof *own), 0);
        while (index && own[first] == before[first])
            first++;
        CU_ASSERT(changed <= first);
        memcpy(before, own, sizeof before);
        index++;
    }
    CU_ASSERT_EQUAL(index, valid_set_count(set));
}

static void check_space(uint64_t seed)
{
    struct oracle oracle;
    struct valid_set *set = NULL;
    struct error error = {0};
    double removed[CONSTRAINTS_MAX] = {0};
    uint32_t choices[PARAMETERS_MAX], back[PARAMETERS_MAX];
    size_t cartesian = 1;
    uint64_t valid = 0, index;
    struct space *space = random_space(&oracle, seed);
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, space, 1 << 20, &error), 0);
    for (size_t p = 0; p < oracle.parameters; p++)
        cartesian *= oracle.counts[p];
    unsigned *times = calloc(cartesian, sizeof *times);
    CU_ASSERT_EQUAL(valid_set_cartesian(set), cartesian);
    CU_ASSERT_EQUAL(valid_set_parameter_count(set), oracle.parameters);
    for (size_t number = 0; number < cartesian; number++) {
        oracle_choices(&oracle, number, choices);
        bool is_valid = oracle_valid(&oracle, choices, removed);
        CU_ASSERT_EQUAL_FATAL(valid_set_find(set, choices, &index), is_valid);
        if (!is_valid)
            continue;
        CU_ASSERT_FATAL(index < valid_set_count(set));
        times[index]++;
        valid_set_get(set, index, back);
        CU_ASSERT_EQUAL(memcmp(choices, back, oracle.parameters * sizeof *back), 0);
        valid++;
    }
    CU_ASSERT_EQUAL(valid_set_count(set), valid);
    CU_ASSERT_EQUAL(valid_set_count_real(set), (double)valid);
    for (uint64_t i = 0; i < valid; i++)
        CU_ASSERT_EQUAL(times[i], 1);
    for (size_t i = 0; i < oracle.constraints; i++)
        CU_ASSERT_EQUAL(valid_set_removed(set, i), removed[i]);
    for (uint64_t i = 0; i < valid; i += 1 + valid / 20)
        check_neighbours(set, &oracle, i);
    check_walk(set, oracle.parameters);
    free(times);
    valid_set_free(set);
    space_free(space);
}

static void against_brute_force(void)
{
    for (uint64_t seed = 1; seed <= 200; seed++)
        check_space(seed);
}

/* ---- */

/* Twenty million combinations, most of which prefixes exclude; more than a million are valid. */
static void divisibility_chain(void)
{
    struct space *space;
    struct valid_set *set = built(SPACE_HEAD SPACE_SHAPE "param A = 1..1000\nparam B = 1..1000\nparam C = 1..20\n"
                                                         "require A % B == 0\nrequire B % C == 0\n",
                                  &space, NULL);
    uint64_t expected = 0;
    for (int a = 1; a <= 1000; a++)
        for (int b = 1; b <= a; b++)
            for (int c = 1; c <= 20 && a % b == 0; c++)
                expected += b % c == 0;
    CU_ASSERT_EQUAL(valid_set_count(set), expected);
    CU_ASSERT_EQUAL(valid_set_cartesian(set), 20000000);
    CU_ASSERT_EQUAL(valid_set_removed(set, 0) + valid_set_removed(set, 1) + (double)expected, 20000000.0);
    uint32_t choices[3];
    uint64_t index = 0;
    valid_set_get(set, expected - 1, choices);
    CU_ASSERT(choices[0] == 999 && choices[1] == 999 && choices[2] == 19);
    CU_ASSERT_TRUE(valid_set_find(set, choices, &index));
    CU_ASSERT_EQUAL(index, expected - 1);
    choices[1] = 998;
    CU_ASSERT_FALSE(valid_set_find(set, choices, &index));
    choices[1] = 1000;
    CU_ASSERT_FALSE(valid_set_find(set, choices, &index));
    valid_set_free(set);
    space_free(space);
}

static void default_is_found(void)
{
    static const struct {
        const char *tail;
        bool found;
    } cases[] = {{"param A = 1, 2, 3\ndefault A=2\n", true},
                 {"param A = 1, 2, 3\nrequire A != 2\ndefault A=2\n", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        struct space *space;
        uint64_t index = 7;
        uint32_t choices[1];
        snprintf(text, sizeof text, "%s%s", SPACE_HEAD SPACE_SHAPE, cases[i].tail);
        struct valid_set *set = built(text, &space, NULL);
        CU_ASSERT_EQUAL(valid_set_find_default(set, space, &index), cases[i].found);
        if (cases[i].found) {
            valid_set_get(set, index, choices);
            CU_ASSERT_EQUAL(choices[0], 1);
        } else {
            CU_ASSERT_EQUAL(index, UINT64_MAX);
        }
        space->no_default = true;
        CU_ASSERT(!valid_set_find_default(set, space, &index) && index == UINT64_MAX);
        valid_set_free(set);
        space_free(space);
    }
}

static void a_million(void)
{
    struct space *space;
    struct valid_set *set = built(SPACE_HEAD SPACE_SHAPE "param A = 1..100\nparam B = 1..100\nparam C = 1..100\n"
                                                         "require (A * B) % C == 0\n",
                                  &space, NULL);
    uint64_t expected = 0;
    for (int a = 1; a <= 100; a++)
        for (int b = 1; b <= 100; b++)
            for (int c = 1; c <= 100; c++)
                expected += a * b % c == 0;
    CU_ASSERT_EQUAL(valid_set_count(set), expected);
    valid_set_free(set);
    space_free(space);
}

static void device_limits(void)
{
    static const char text[] = "space 2\nkernel k \"k.cu\"\nparam X = 0, 32, 1024, 1000000000000000000\n"
                               "param Y = 1, 2, 1000000000000000000\nparam S = -1, 0, 232448, 232449\n"
                               "buffer o int[4] output\nargs o\nblock X, Y\ngrid 1\nshared S\n"
                               "reference r block 1 grid 1\n";
    struct device_limits limits = h200_limits();
    struct space *space;
    struct valid_set *set = built(text, &space, &limits);
    CU_ASSERT_EQUAL(valid_set_count(set), 6);         /* 32x1 32x2 1024x1, with 0 and 232448 bytes */
    static const double removed[] = {24, 8, 4, 0, 6}; /* of max_block_x, max_block_y, max_threads, max_grid_x, shared */
    for (size_t i = 0; i < COUNT(removed); i++)
        CU_ASSERT_EQUAL(valid_set_removed(set, i), removed[i]);
    valid_set_free(set);
    space_free(space);
}

/* Constraints without parameters, and a set without members. */
static void constants(void)
{
    struct space *space;
    struct valid_set *set =
        built(SPACE_HEAD SPACE_SHAPE "problem N = 3\nparam A = 1..5\nparam B = 1..4\nrequire N == 4\n", &space, NULL);
    uint32_t choices[2] = {0, 0};
    uint64_t index;
    CU_ASSERT_EQUAL(valid_set_count(set), 0);
    CU_ASSERT_EQUAL(valid_set_removed(set, 0), 20);
    CU_ASSERT_FALSE(valid_set_find(set, choices, &index));
    valid_set_free(set);
    space_free(space);
}

/* Every prefix is a different state, and none can be dropped before the end. */
static void too_large(void)
{
    static const struct {
        const char *params;
        size_t max_bytes;
        const char *message;
    } rows[] = {
        {"param A = 1..4000\nparam B = 1..4000\nparam C = 1..4000\nrequire (A ^ C) * 7 % 11 != (B ^ C) % 13\n", 1 << 22,
         "the space is too entangled: its diagram needs more than 4.000 MiB, because of: (A ^ C) * 7 % 11 != (B ^ C) % "
         "13"},
        {"param A = 1..1000\nparam B = 1..1000\nrequire A % B == 0\n", 0,
         "the space is too entangled: its diagram needs more than 0.000 B, because of: A % B == 0"},
        {"param A = 1..400\nparam B = 1..400\nparam C = 1..400\nrequire (A ^ B) % 3 != 1\nrequire (A * 7 ^ B * 3) % 5 "
         "!= 1 && A % (B + C) < 5\nrequire (A ^ C) % 13 != 1 \nrequire (B ^ C) % 13 != 1\nrequire (A * C ^ B) % 19 != "
         "1\n",
         1 << 20,
         "the space is too entangled: its diagram needs more than 1.000 MiB, because of: (A * 7 ^ B * 3) % 5 != 1 && A "
         "% (B + C) < 5; (A ^ C) % 13 != 1; (B ^ C) % 13 != 1"},

    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[512];
        struct error error = {0};
        struct valid_set *set = NULL;
        snprintf(text, sizeof text, "%s%s", SPACE_HEAD SPACE_SHAPE, rows[i].params);
        struct space *space = bound(text, "", NULL);
        CU_ASSERT_EQUAL(valid_set_build(&set, space, rows[i].max_bytes, &error), ERROR_MEMORY);
        expect_text(rows[i].params, error.message, rows[i].message);
        CU_ASSERT_PTR_NULL(set);
        CU_ASSERT(error.hint[0]);
        space_free(space);
    }
}

/* A constraint without a value is an error if nothing else excludes the configuration, in any order of constraints. */
static void faults(void)
{
    static const struct {
        const char *constraints, *message; /* NULL: no error */
        uint64_t count;
    } rows[] = {
        {"require A % B == 0\n", "division by zero: 1 % 0, in require at A=1 B=0", 0},
        {"require A % B == 0\nrequire B > 0\n", NULL, 7},
        {"require B > 0 && A % B == 0\n", NULL, 7},
        {"require B == 0 || A % B == 0\n", NULL, 11},
        {"require B ? A % B == 0 : A == 2\n", NULL, 8},
        {"require A * 9223372036854775807 > B\n",
         "overflow of a 64-bit integer: 2 * 9223372036854775807, in require at A=2 B=0", 0},
        {"require 1 / (A - A) == B\n", "division by zero: 1 / 0, in require at A=1 B=0", 0},
        {"require A / B > 5\nrequire A + B < 0\n", NULL, 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[512];
        struct error error = {0};
        struct valid_set *set = NULL;
        snprintf(text, sizeof text, "%sparam A = 1..4\nparam B = 0..3\n%s", SPACE_HEAD SPACE_SHAPE,
                 rows[i].constraints);
        struct space *space = bound(text, "", NULL);
        int code = valid_set_build(&set, space, 1 << 20, &error);
        expect_text(rows[i].constraints, error.message, rows[i].message ? rows[i].message : "");
        CU_ASSERT_EQUAL(code, rows[i].message ? ERROR_VALUE : 0);
        if (set)
            CU_ASSERT_EQUAL(valid_set_count(set), rows[i].count);
        valid_set_free(set);
        space_free(space);
    }
}

/* More configurations than 64 bits can count: the count saturates, but drawing still reaches all. */
static void saturation(void)
{
    struct text text = {0};
    struct space *space;
    struct random random;
    uint64_t index;
    text_printf(&text, "%s", SPACE_HEAD SPACE_SHAPE);
    for (int i = 0; i < 8; i++)
        text_printf(&text, "param P%d = 1..1000\n", i);
    text_printf(&text, "require P0 + P1 + P2 + P3 + P4 + P5 + P6 + P7 > 8\n");
    struct valid_set *set = built(text_string(&text), &space, NULL);
    CU_ASSERT_EQUAL(valid_set_count(set), UINT64_MAX);
    CU_ASSERT_DOUBLE_EQUAL(valid_set_count_real(set) / 1e24, 1, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(valid_set_removed(set, 0) / 1e24, 0, 1e-9);
    random_seed(&random, 5);
    unsigned above[8] = {0};
    for (int i = 0; i < 4000; i++) {
        uint32_t choices[8];
        valid_set_draw(set, &random, choices);
        CU_ASSERT_TRUE(valid_set_find(set, choices, &index));
        for (int p = 0; p < 8; p++)
            above[p] += choices[p] >= 500;
    }
    for (int p = 0; p < 8; p++) /* 2000 of 4000, stddev 32 */
        CU_ASSERT(above[p] > 1840 && above[p] < 2160);
    valid_set_free(set);
    space_free(space);
    text_free(&text);
}

/* Neighbours differ: 200 * 199^8 configurations in one group, counted over all nodes. */
static void real_count(void)
{
    struct text text = {0};
    struct space *space;
    double expected = 200;
    text_printf(&text, "%sparam P0 = 1..200\n", SPACE_HEAD SPACE_SHAPE);
    for (int i = 1; i < 9; i++) {
        text_printf(&text, "param P%d = 1..200\nrequire P%d != P%d\n", i, i - 1, i);
        expected *= 199;
    }
    struct valid_set *set = built(text_string(&text), &space, NULL);
    CU_ASSERT_EQUAL(valid_set_count(set), UINT64_MAX);
    CU_ASSERT_DOUBLE_EQUAL(valid_set_count_real(set) / expected, 1, 1e-12);
    valid_set_free(set);
    space_free(space);
    text_free(&text);
}

/* Lists of values of all lengths, whose long ones are stored as runs: each index has its own configuration. */
static void lists_of_every_length(void)
{
    static const struct {
        const char *tail;
        uint64_t count;
    } rows[] = {
        {"param A = 1..400\nparam B = 1..400\nparam C = 1..3\nrequire A + B != C + 100\n",
         400 * 400 * 3 - 100 - 101 - 102},
        {"param A = 1..300\nparam B = 1..5\nparam C = 1..300\nrequire (A - B) % 50 != 0 || C > A\n", 446160},
        {"param A = 1..3\nparam B = 1..300\nrequire A != 2 || B % 2 == 0\n", 300 + 150 + 300},
        {"param A = 1..2\nparam B = 1..16\nparam C = 1..17\nrequire A * B != C\n", 2 * 16 * 17 - 16 - 8},
        {"param A = 1..300\nparam B = 1..2\nrequire A == 7 || A == 299\nrequire A + B != 300\n", 3},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[512];
        struct space *space;
        size_t wrong = 0;
        snprintf(text, sizeof text, "%s%s", SPACE_HEAD SPACE_SHAPE, rows[i].tail);
        struct valid_set *set = built(text, &space, NULL);
        CU_ASSERT_EQUAL(valid_set_count(set), rows[i].count);
        for (uint64_t index = 0; index < valid_set_count(set); index++) {
            uint32_t choices[3];
            uint64_t back = UINT64_MAX;
            valid_set_get(set, index, choices);
            wrong += !valid_set_find(set, choices, &back) || back != index;
        }
        CU_ASSERT_EQUAL(wrong, 0);
        valid_set_free(set);
        space_free(space);
    }
}

/* The product exceeds 64 bits; the first parameter's constraint excludes everything. */
static void huge_product(void)
{
    struct text text = {0};
    struct space *space;
    text_printf(&text, "%s", SPACE_HEAD SPACE_SHAPE);
    for (int i = 0; i < 64; i++)
        text_printf(&text, "param P%d = 1..1000\n", i);
    text_printf(&text, "require P0 == 0\n");
    struct valid_set *set = built(text_string(&text), &space, NULL);
    CU_ASSERT_EQUAL(valid_set_count(set), 0);
    CU_ASSERT_EQUAL(valid_set_cartesian(set), UINT64_MAX);
    CU_ASSERT_DOUBLE_EQUAL(valid_set_removed(set, 0) / 1e192, 1, 1e-9);
    valid_set_free(set);
    space_free(space);
    text_free(&text);
}

static void from_list(void)
{
    static const uint32_t rows[][2] = {{2, 299}, {0, 1}, {2, 299}, {1, 256}, {0, 1}, {1, 255}, {2, 0}};
    static const uint32_t sorted[][2] = {{0, 1}, {1, 255}, {1, 256}, {2, 0}, {2, 299}};
    static const uint32_t wrong[][2] = {{0, 0}, {3, 0}};
    struct space *space = bound(SPACE_HEAD SPACE_SHAPE "param A = 1..3\nparam B = 1..300\nrequire A > 1\n", "", NULL);
    struct valid_set *set = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL(valid_set_from_list(&set, space, &rows[0][0], COUNT(rows), &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_count(set), COUNT(sorted));
    for (uint64_t i = 0; i < COUNT(sorted); i++) {
        uint32_t choices[2];
        uint64_t index = 99;
        valid_set_get(set, i, choices);
        CU_ASSERT_EQUAL(memcmp(choices, sorted[i], sizeof choices), 0);
        CU_ASSERT_TRUE(valid_set_find(set, choices, &index));
        CU_ASSERT_EQUAL(index, i);
    }
    CU_ASSERT_EQUAL(valid_set_value_count(set, 1), 300);
    CU_ASSERT(isnan(valid_set_removed(set, 0)));
    valid_set_free(set);
    CU_ASSERT_EQUAL(valid_set_from_list(&set, space, NULL, 0, &error), 0);
    CU_ASSERT_EQUAL(valid_set_count(set), 0);
    valid_set_free(set);
    CU_ASSERT_EQUAL(valid_set_from_list(&set, space, &wrong[0][0], 2, &error), ERROR_DATA);
    CU_ASSERT_PTR_NULL(set);
    space_free(space);
}

static void not_bound(void)
{
    struct space *space = parsed(SPACE_HEAD SPACE_SHAPE "param A = 1\n", "");
    struct valid_set *set = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL(valid_set_build(&set, space, 1 << 20, &error), ERROR_USAGE);
    valid_set_free(NULL);
    space_free(space);
    space_free(NULL);
}

CU_TestInfo tests_valid_set[] = {{"against brute force", against_brute_force},
                                 {"the default is found", default_is_found},
                                 {"a divisibility chain", divisibility_chain},
                                 {"a million combinations", a_million},
                                 {"device limits", device_limits},
                                 {"constants", constants},
                                 {"lists of every length", lists_of_every_length},
                                 {"too large", too_large},
                                 {"constraints without a value", faults},
                                 {"beyond 64 bits", saturation},
                                 {"the count beyond 64 bits", real_count},
                                 {"a huge product", huge_product},
                                 {"from a list", from_list},
                                 {"not bound", not_bound},
                                 CU_TEST_INFO_NULL};
