#include "tools/bench/synthetic.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/statistics.h"

enum { SAMPLES = 8000, SEARCH = 400 };
static const double FAILURES = 0.025; /* in a region, and as many at random */

static const char text[] = "space 2\n"
                           "problem SIZE = 2\n"
                           "param BLOCK_X = 8..512 times 2\n"
                           "param BLOCK_Y = 1..64 times 2\n"
                           "param WORK_X = 1, 2, 3, 4, 6, 8, 12, 16\n"
                           "param WORK_Y = 1, 2, 3, 4, 6, 8\n"
                           "param DEPTH = 4..64 step 4\n"
                           "param STAGES = 1..5\n"
                           "param VEC = 1, 2, 4, 8\n"
                           "param UNROLL = 1, 2, 3, 4, 6, 8, 12, 16, 24, 32\n"
                           "param PAD = 0..8\n"
                           "param LAYOUT = rows, columns, tiles, swizzled\n"
                           "param CACHE = all, global, streaming\n"
                           "param GROUP = 1..64 times 2\n"
                           "param REGISTERS = 32, 64, 96, 128, 168, 255\n"
                           "require BLOCK_X * BLOCK_Y >= 32 && BLOCK_X * BLOCK_Y <= 1024\n"
                           "require WORK_X % VEC == 0\n"
                           "require DEPTH % UNROLL == 0\n"
                           "require STAGES * DEPTH * (BLOCK_X * WORK_X + BLOCK_Y * WORK_Y) <= 57344\n"
                           "require REGISTERS * BLOCK_X * BLOCK_Y <= 65536\n"
                           "require SIZE >= 2 || PAD == 0 && CACHE == all && GROUP == 1 && LAYOUT == rows\n"
                           "require SIZE >= 2 || REGISTERS == 64 && STAGES == 2\n"
                           "require SIZE >= 1 || DEPTH == 32\n";

enum kind { LEVELS, TABLE, VALLEY, REGIONS, CLIFF, KINDS };

/* Instances take turns. By kind of term: the number of terms (0: one for each parameter), their number of parameters
 * and their weight. `order`: share of a single parameter's effect that follows the order of its values. */
static const struct style {
    double random_reaches; /* after SEARCH evaluations */
    double order;
    struct {
        size_t terms, parameters;
        double weight;
    } kinds[KINDS];
} styles[] = {
    {0.50, 2.0, {{0, 1, 0.5}, {4, 2, 0.3}, {6, 2, 0.8}, {6, 3, 0.6}, {3, 2, 0.8}}},
    {0.55, 1.0, {{0, 1, 0.3}, {8, 2, 0.5}, {6, 2, 0.4}, {9, 3, 0.8}, {3, 3, 0.8}}},
    {0.40, 0.5, {{0, 1, 0.5}, {4, 2, 0.5}, {10, 2, 0.8}, {9, 3, 0.5}, {4, 3, 1.0}}},
};

static const struct style *style_of(const struct synthetic *synthetic)
{
    return &styles[synthetic->seed % (sizeof styles / sizeof *styles)];
}

/* Position of a parameter's value, 0 to 1; words in an order of the instance's own. */
static double position(const struct synthetic *synthetic, size_t parameter, uint32_t choice)
{
    uint32_t count = valid_set_value_count(synthetic->set, parameter);
    if (synthetic->space->parameters[parameter].values[0].kind != VALUE_INT)
        choice = (uint32_t)random_permute(random_mix(synthetic->seed, parameter), count, choice);
    return count > 1 ? (double)choice / (count - 1) : 0;
}

static double unit(uint64_t a, uint64_t b)
{
    return (double)(random_mix(a, b) >> 11) * 0x1p-53;
}

/* Effect of a term, not negative and 0 at the optimum. */
static double effect(const struct synthetic *synthetic, const struct synthetic_term *term, const uint32_t *choices)
{
    double sum = 0;
    uint64_t cell = 0, best_cell = 0;
    for (size_t i = 0; i < term->count; i++) {
        size_t p = term->parameters[i];
        double u = position(synthetic, p, choices[p]), best = position(synthetic, p, synthetic->best[p]);
        bool regions = term->kind == REGIONS;
        sum += term->kind == CLIFF ? u : term->slope[i] * (u - best);
        cell = random_mix(cell, regions ? (uint64_t)(u * 2.999) : choices[p]);
        best_cell = random_mix(best_cell, regions ? (uint64_t)(best * 2.999) : synthetic->best[p]);
    }
    if (term->kind == CLIFF)
        return sum > term->limit ? term->weight : 0;
    if (term->kind == VALLEY)
        return term->weight * fabs(sum);
    if (cell == best_cell)
        return 0;
    return term->weight *
           (unit(term->seed, cell) + (term->kind == LEVELS ? style_of(synthetic)->order * fabs(sum) : 0));
}

static double sum_of(const struct synthetic *synthetic, const uint32_t *choices)
{
    double sum = 0;
    for (size_t t = 0; t < synthetic->term_count; t++)
        sum += effect(synthetic, &synthetic->terms[t], choices);
    return sum;
}

/* ---- Instances ---- */

/* Adds a term of `count` different parameters with more than one value each. */
static void add_term(struct synthetic *synthetic, struct random *random, enum kind kind, size_t count, double weight)
{
    struct synthetic_term *term = &synthetic->terms[synthetic->term_count++];
    size_t parameters = valid_set_parameter_count(synthetic->set);
    *term = (struct synthetic_term){.kind = kind, .count = count, .seed = random_u64(random)};
    term->weight = weight * exp(0.7 * random_normal(random));
    for (size_t i = 0; i < count; i++) {
        bool again = true;
        while (again) {
            size_t p = random_below(random, parameters);
            again = false;
            for (size_t j = 0; j < i; j++)
                again = again || term->parameters[j] == p;
            term->parameters[i] = p;
        }
        term->slope[i] = (0.4 + 0.6 * random_unit(random)) * (random_below(random, 2) ? 1 : -1);
        term->limit += position(synthetic, term->parameters[i], synthetic->best[term->parameters[i]]);
    }
    term->limit += 0.1 + 0.3 * random_unit(random);
}

static void make_terms(struct synthetic *synthetic, struct random *random)
{
    const struct style *style = style_of(synthetic);
    size_t parameters = valid_set_parameter_count(synthetic->set);
    for (size_t p = 0; p < parameters; p++) {
        add_term(synthetic, random, LEVELS, 1, style->kinds[LEVELS].weight);
        synthetic->terms[synthetic->term_count - 1].parameters[0] = p;
    }
    for (int kind = LEVELS + 1; kind < KINDS; kind++)
        for (size_t i = 0; i < style->kinds[kind].terms; i++)
            add_term(synthetic, random, kind, style->kinds[kind].parameters, style->kinds[kind].weight);
}

/* Sum of three positions, far from the best: above `doomed`, the configuration fails. */
static double doom(const struct synthetic *synthetic, const uint32_t *choices)
{
    double sum = 0;
    for (size_t i = 0; i < 3; i++) {
        size_t p = (size_t)(random_mix(synthetic->seed, 77) + 4 * i) % valid_set_parameter_count(synthetic->set);
        sum += fabs(position(synthetic, p, choices[p]) - position(synthetic, p, synthetic->best[p]));
    }
    return sum;
}

/* Scales the effects and bounds the failing region, by a sample. */
static void calibrate(struct synthetic *synthetic, struct random *random)
{
    static double sums[SAMPLES], dooms[SAMPLES];
    uint32_t choices[SPACE_PARAMETERS_MAX];
    for (size_t i = 0; i < SAMPLES; i++) {
        valid_set_get(synthetic->set, valid_set_sample(synthetic->set, random), choices);
        sums[i] = sum_of(synthetic, choices);
        dooms[i] = doom(synthetic, choices);
    }
    statistics_sort(sums, SAMPLES);
    statistics_sort(dooms, SAMPLES);
    synthetic->scale = -log(style_of(synthetic)->random_reaches) / sums[SAMPLES / SEARCH];
    synthetic->doomed = dooms[(size_t)(SAMPLES * (1 - FAILURES))];
}

int synthetic_open(struct synthetic *synthetic, enum synthetic_size size, uint64_t seed, struct error *error)
{
    struct random random;
    static const char *const sizes[] = {"SIZE=0", "SIZE=1", "SIZE=2"};
    *synthetic = (struct synthetic){.seed = seed};
    int code = space_parse_text(&synthetic->space, "synthetic.space", text, sizeof text - 1, "", error);
    if (!code)
        code = space_bind(synthetic->space, &sizes[size], 1, NULL, error);
    if (!code)
        code = valid_set_build(&synthetic->set, synthetic->space, VALID_SET_DEFAULT_BYTES, error);
    if (code)
        return code;
    random_seed(&random, seed);
    synthetic->optimum = valid_set_sample(synthetic->set, &random);
    valid_set_get(synthetic->set, synthetic->optimum, synthetic->best);
    make_terms(synthetic, &random);
    calibrate(synthetic, &random);
    return 0;
}

void synthetic_close(struct synthetic *synthetic)
{
    valid_set_free(synthetic->set);
    space_free(synthetic->space);
    memset(synthetic, 0, sizeof *synthetic);
}

double synthetic_time(const struct synthetic *synthetic, uint64_t index)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    valid_set_get(synthetic->set, index, choices);
    bool fails = unit(synthetic->seed + 1, index) < FAILURES || doom(synthetic, choices) > synthetic->doomed;
    return fails && index != synthetic->optimum ? NAN : exp(synthetic->scale * sum_of(synthetic, choices));
}
