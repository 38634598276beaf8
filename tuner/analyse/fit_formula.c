#include "analyse/fit_formula.h"

#include <math.h>
#include <string.h>

#include "base/cholesky.h"
#include "base/statistics.h"

/* LIMITS: of the product of the sizes, above which it counts for itself. OWN_TERMS: blocks and waves of a
 * configuration. KNOWN_LEAST: sizes at which both of a pair have a time. CONFIGURATIONS: the first ones of a cover,
 * whose pairs have formulas. */
enum {
    LIMITS = 2,
    OWN_TERMS = 2,
    TERMS_MAX = 1 + 2 * SIZE_FIT_SIZES_MAX + LIMITS + 2 * OWN_TERMS,
    KNOWN_LEAST = 20,
    CONFIGURATIONS = 12,
    FORMULAS_MAX = CONFIGURATIONS * (CONFIGURATIONS - 1) / 2
};

/* Of the range of the product's logarithm. */
static const double limit_at[LIMITS] = {0.35, 0.65};
/* A size counts less by e for each further loss of this that the faster one of a pair has there, to a least weight. */
static const double loss_scale = 0.1;
static const double most_scales = 6;
/* Beyond it, more of a difference changes no decision. */
static const double difference_most = 1;
/* The weight of all sizes together that a standard deviation's weight costs. */
static const double ridge = 6e-5;
/* A term whose standard deviation changes times by less is left out: each takes a nanosecond. */
static const double weight_least = 0.003;

struct term {
    const char *text;
    const struct size_condition *value;
    double *at;         /* by position in the list of sizes */
    double mean, scale; /* of these, the scale a standard deviation; 0: it does not vary */
};

struct formulas {
    struct arena *arena;
    const struct fit_table *table;
    const struct fit_losses *losses;
    const struct fit_cover *cover;
    const size_t *sizes;
    size_t count;
    double *least; /* by position: the least loss of the cover */
    struct term shared[2 * SIZE_FIT_SIZES_MAX + LIMITS];
    size_t shared_count;
    struct term own[CONFIGURATIONS][OWN_TERMS];
    size_t own_count[CONFIGURATIONS];
    struct error *error;
};

/* ---- Terms ---- */

/* A text that is nested too deeply is no formula, and no error. */
static int parse(const struct formulas *formulas, const char *text, const struct size_condition **value)
{
    const struct fit_table *table = formulas->table;
    struct error own = {0};
    int code = text ? size_condition_parse(formulas->arena, text, table->names, table->name_count, value, &own)
                    : error_memory(formulas->error);
    if (code != ERROR_SYNTAX)
        return code ? error_memory(formulas->error) : 0;
    *value = NULL;
    return 0;
}

/* What varies less than integers do is the rounding of a mean. */
static void find_scale(const struct formulas *formulas, struct term *term)
{
    double squares = 0;
    term->mean = statistics_mean(term->at, formulas->count);
    for (size_t i = 0; i < formulas->count; i++)
        squares += (term->at[i] - term->mean) * (term->at[i] - term->mean) / (double)formulas->count;
    term->scale = squares > 1e-12 ? sqrt(squares) : 0;
}

/* A term without a scale if its text is nested too deeply. */
static int make_term(const struct formulas *formulas, const char *text, struct term *term)
{
    const struct fit_table *table = formulas->table;
    *term = (struct term){.text = text, .at = arena_array(formulas->arena, formulas->count + 1, sizeof *term->at)};
    int code = term->at ? parse(formulas, text, &term->value) : error_memory(formulas->error);
    for (size_t i = 0; i < formulas->count && !code; i++)
        term->at[i] = (double)size_condition_value(term->value, table->sizes + formulas->sizes[i] * table->name_count);
    if (!code)
        find_scale(formulas, term);
    return code;
}

static bool varies(const struct formulas *formulas, size_t name)
{
    const struct fit_table *table = formulas->table;
    for (size_t i = 1; i < formulas->count; i++)
        if (table->sizes[formulas->sizes[i] * table->name_count + name] !=
            table->sizes[formulas->sizes[0] * table->name_count + name])
            return true;
    return false;
}

static int add_shared(struct formulas *formulas, const char *text)
{
    return make_term(formulas, text, &formulas->shared[formulas->shared_count++]);
}

/* The product of the sizes above limits between its least and its greatest value. */
static int add_limits(struct formulas *formulas, const char *product)
{
    struct term term;
    int code = make_term(formulas, product, &term);
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < formulas->count && !code; i++) {
        least = fmin(least, term.at[i]);
        most = fmax(most, term.at[i]);
    }
    for (size_t i = 0; i < LIMITS && !code; i++)
        code = add_shared(formulas, arena_printf(formulas->arena, "max((%s - %.0f), 0)", product,
                                                 least + limit_at[i] * (most - least)));
    return code;
}

static int make_shared(struct formulas *formulas)
{
    const struct fit_table *table = formulas->table;
    const char *product = NULL;
    int code = 0;
    for (size_t n = 0; n < table->name_count && !code; n++) {
        const char *name = table->names[n], *log = arena_printf(formulas->arena, "log2(%s, 64)", name);
        if (!varies(formulas, n))
            continue;
        product = product && log ? arena_printf(formulas->arena, "(%s + %s)", product, log) : log;
        code = product ? add_shared(formulas, log) : error_memory(formulas->error);
        if (!code)
            code = add_shared(formulas,
                              arena_printf(formulas->arena, "log2(((%s | 8) & (0 - (%s | 8))), 64)", name, name));
    }
    return code || !product ? code : add_limits(formulas, product);
}

/* The blocks of a configuration, and how many waves they come to. */
static int make_own(struct formulas *formulas, size_t number)
{
    const struct fit_table *table = formulas->table;
    const char *blocks = table->blocks ? table->blocks[formulas->cover->chosen[number]] : "";
    struct term *own = formulas->own[number];
    size_t *count = &formulas->own_count[number];
    int code = 0;
    if (*blocks)
        code = make_term(formulas, arena_printf(formulas->arena, "log2(%s, 64)", blocks), &own[(*count)++]);
    if (*blocks && table->sm_count > 0 && !code)
        code = make_term(formulas, arena_printf(formulas->arena, "log2(ceildiv(%s, %d), 64)", blocks, table->sm_count),
                         &own[(*count)++]);
    return code;
}

/* ---- Weights ---- */

struct regression {
    const struct term *terms[TERMS_MAX]; /* the first one is the constant: NULL */
    size_t count;
    double matrix[TERMS_MAX * TERMS_MAX], weights[TERMS_MAX];
};

static double loss_of(const struct formulas *formulas, size_t position, size_t number)
{
    return formulas->losses
        ->of[formulas->sizes[position] * formulas->losses->configuration_count + formulas->cover->chosen[number]];
}

/* What a size counts for a pair; 0: one of them has no time there. */
static double weight_of(const struct formulas *formulas, size_t position, size_t a, size_t b)
{
    double of_a = loss_of(formulas, position, a), of_b = loss_of(formulas, position, b);
    if (!isfinite(of_a) || !isfinite(of_b))
        return 0;
    double scales = (fmin(of_a, of_b) - formulas->least[position]) / loss_scale;
    double weight = formulas->losses->weights ? formulas->losses->weights[formulas->sizes[position]] : 1;
    return weight * exp(-fmin(scales, most_scales));
}

/* In standard deviations from the mean; the constant is 1. */
static double scaled(const struct term *term, size_t position)
{
    if (!term)
        return 1;
    return term->scale > 0 ? (term->at[position] - term->mean) / term->scale : 0;
}

/* Adds up the normal equations. Returns how many sizes count. */
static size_t add_sizes(const struct formulas *formulas, size_t a, size_t b, struct regression *regression)
{
    size_t known = 0, count = regression->count;
    double all = 0;
    for (size_t i = 0; i < formulas->count; i++) {
        double weight = weight_of(formulas, i, a, b), x[TERMS_MAX];
        if (!(weight > 0))
            continue;
        double difference = loss_of(formulas, i, a) - loss_of(formulas, i, b);
        difference = fmax(-difference_most, fmin(difference_most, difference));
        for (size_t t = 0; t < count; t++) {
            x[t] = scaled(regression->terms[t], i);
            regression->weights[t] += weight * x[t] * difference;
            for (size_t u = 0; u <= t; u++)
                regression->matrix[t * count + u] += weight * x[t] * x[u];
        }
        all += weight;
        known++;
    }
    for (size_t t = 0; t < count; t++)
        regression->matrix[t * count + t] += ridge * all;
    return known;
}

/* The sum of texts[0 .. count), nested as little as can be: readers have a limit. NULL: out of memory. */
static const char *write_sum(const struct formulas *formulas, const char *const *texts, size_t count)
{
    if (count == 1)
        return texts[0];
    const char *first = write_sum(formulas, texts, count / 2);
    const char *rest = write_sum(formulas, texts + count / 2, count - count / 2);
    return first && rest ? arena_printf(formulas->arena, "(%s + %s)", first, rest) : NULL;
}

/* The terms times their weights, without those that hardly count, and the constant, which makes up for their means.
 * NULL: out of memory. */
static const char *write_formula(const struct formulas *formulas, const struct regression *regression)
{
    const char *texts[TERMS_MAX];
    size_t count = 1;
    double constant = regression->weights[0] * SIZE_FIT_FORMULA_ONE;
    for (size_t t = 1; t < regression->count; t++) {
        const struct term *term = regression->terms[t];
        if (!(term->scale > 0) || fabs(regression->weights[t]) < weight_least)
            continue;
        double weight = round(regression->weights[t] / term->scale * SIZE_FIT_FORMULA_ONE);
        constant -= weight * term->mean;
        texts[count] = arena_printf(formulas->arena, "(%s * %.0f)", term->text, weight);
        if (!texts[count++])
            return NULL;
    }
    texts[0] = arena_printf(formulas->arena, "%.0f", constant);
    return texts[0] ? write_sum(formulas, texts, count) : NULL;
}

static int make_pair(const struct formulas *formulas, size_t a, size_t b, struct size_fit_node *nodes,
                     size_t *node_count)
{
    struct regression regression = {.count = 1};
    const size_t pair[] = {a, b};
    for (size_t t = 0; t < formulas->shared_count; t++)
        regression.terms[regression.count++] = &formulas->shared[t];
    for (size_t i = 0; i < 2; i++)
        for (size_t t = 0; t < formulas->own_count[pair[i]]; t++)
            regression.terms[regression.count++] = &formulas->own[pair[i]][t];
    if (add_sizes(formulas, a, b, &regression) < KNOWN_LEAST ||
        !cholesky_factor(regression.matrix, regression.count, regression.count, NULL))
        return 0;
    cholesky_forward(regression.matrix, regression.count, regression.count, regression.weights);
    cholesky_back(regression.matrix, regression.count, regression.count, regression.weights);
    struct size_fit_node node = {.a = (unsigned)a, .b = (unsigned)b, .formula = write_formula(formulas, &regression)};
    int code = parse(formulas, node.formula, &node.value);
    if (!code && node.value)
        nodes[(*node_count)++] = node;
    return code;
}

/* Nodes: room for FORMULAS_MAX. */
static int make_all(struct arena *arena, const struct fit_table *table, const struct fit_losses *losses,
                    const struct fit_cover *cover, const size_t *sizes, size_t count, struct size_fit_node *nodes,
                    size_t *node_count, struct error *error)
{
    struct formulas *formulas = arena_alloc(arena, sizeof *formulas);
    size_t chosen = cover->count < CONFIGURATIONS ? cover->count : CONFIGURATIONS;
    *node_count = 0;
    if (!formulas)
        return error_memory(error);
    *formulas = (struct formulas){.arena = arena,
                                  .table = table,
                                  .losses = losses,
                                  .cover = cover,
                                  .sizes = sizes,
                                  .count = count,
                                  .error = error};
    formulas->least = arena_array(arena, count + 1, sizeof *formulas->least);
    int code = formulas->least ? make_shared(formulas) : error_memory(error);
    for (size_t i = 0; i < count && !code; i++) {
        formulas->least[i] = INFINITY;
        for (size_t c = 0; c < cover->count; c++)
            if (isfinite(loss_of(formulas, i, c)))
                formulas->least[i] = fmin(formulas->least[i], loss_of(formulas, i, c));
    }
    for (size_t c = 0; c < chosen && !code; c++)
        code = make_own(formulas, c);
    for (size_t a = 0; a < chosen && !code; a++)
        for (size_t b = a + 1; b < chosen && !code; b++)
            code = make_pair(formulas, a, b, nodes, node_count);
    return code;
}

int fit_formulas_extend(struct arena *arena, const struct fit_table *table, const struct fit_losses *losses,
                        const struct fit_cover *cover, const size_t *sizes, size_t count, struct fit_features *features,
                        struct error *error)
{
    struct size_fit_node nodes[FORMULAS_MAX];
    size_t node_count;
    int code = make_all(arena, table, losses, cover, sizes, count, nodes, &node_count, error);
    return code ? code
                : fit_features_extend(arena, table->sizes, table->size_count, table->name_count, table->sm_count,
                                      table->l2_bytes, nodes, node_count, features, error);
}
