#include "analyse/fit_formula.h"

#include <math.h>
#include <string.h>

#include "analyse/fit_parts.h"

/* KNOWN_LEAST: sizes at which both of a pair have a time. CONFIGURATIONS: the first ones of a cover, whose pairs have
 * formulas. TERMS_MOST: of a formula. */
enum { KNOWN_LEAST = 20, CONFIGURATIONS = 12, TERMS_MOST = 6 };

/* Of the range of the product's logarithm. */
static const double limit_at[FIT_FORMULA_LIMITS] = {0.35, 0.65};
/* A size counts less by e for each further loss of this that the faster one of a pair has there, to a least weight. */
static const double loss_scale = 0.1;
static const double most_scales = 6;
/* Beyond it, more of a difference changes no decision. */
static const double difference_most = 1;
/* The weight of all sizes together that a standard deviation's weight costs. */
static const double ridge = 1e-4;
/* A term that explains less of the variance of differences is left out: each takes a nanosecond. */
static const double variance_least = 1e-6;
/* What is left of a term's variance beside those that are taken, if it tells anything else. */
static const double left_least = 1e-4;

struct fit_term {
    const char *text;
    int64_t *at; /* by size of the table */
};

struct fit_formulas {
    struct arena *arena;
    const struct fit_table *table;
    const struct fit_losses *losses;
    const struct fit_cover *cover;
    double *least; /* by size: the least loss of the cover */
    struct fit_term shared[FIT_FORMULA_SHARED];
    size_t shared_count;
    struct fit_term own[CONFIGURATIONS][FIT_FORMULA_OWN];
    size_t own_count[CONFIGURATIONS];
    struct error *error;
};

/* ---- Terms ---- */

/* A text that is nested too deeply is no formula, and no error. */
static int parse(const struct fit_formulas *formulas, const char *text, const struct size_condition **value)
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

/* Adds a term, unless its text is nested too deeply. */
static int add_term(const struct fit_formulas *formulas, const char *text, struct fit_term *terms, size_t *count)
{
    const struct fit_table *table = formulas->table;
    const struct size_condition *value = NULL;
    struct fit_term term = {text, arena_array(formulas->arena, table->size_count + 1, sizeof *term.at)};
    int code = term.at ? parse(formulas, text, &value) : error_memory(formulas->error);
    if (code || !value)
        return code;
    for (size_t s = 0; s < table->size_count; s++)
        term.at[s] = size_condition_value(value, table->sizes + s * table->name_count);
    terms[(*count)++] = term;
    return 0;
}

static bool varies(const struct fit_formulas *formulas, size_t name)
{
    const struct fit_table *table = formulas->table;
    for (size_t s = 1; s < table->size_count; s++)
        if (table->sizes[s * table->name_count + name] != table->sizes[name])
            return true;
    return false;
}

static int add_shared(struct fit_formulas *formulas, const char *text)
{
    return add_term(formulas, text, formulas->shared, &formulas->shared_count);
}

/* The product of the sizes above limits between its least and its greatest value. */
static int add_limits(struct fit_formulas *formulas, const char *product)
{
    struct fit_term term = {0};
    size_t known = 0;
    int code = add_term(formulas, product, &term, &known);
    double least = INFINITY, most = -INFINITY;
    for (size_t s = 0; s < formulas->table->size_count && known; s++) {
        least = fmin(least, (double)term.at[s]);
        most = fmax(most, (double)term.at[s]);
    }
    for (size_t i = 0; i < FIT_FORMULA_LIMITS && known && !code; i++)
        code = add_shared(formulas, arena_printf(formulas->arena, "max((%s - %.0f), 0)", product,
                                                 least + limit_at[i] * (most - least)));
    return code;
}

static int make_shared(struct fit_formulas *formulas)
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

/* The blocks of a configuration, how many waves they come to, and its traits. */
static int make_own(struct fit_formulas *formulas, size_t number)
{
    const struct fit_table *table = formulas->table;
    size_t chosen = formulas->cover->chosen[number], *count = &formulas->own_count[number];
    const char *blocks = table->blocks ? table->blocks[chosen] : "";
    struct fit_term *own = formulas->own[number];
    int code = 0;
    if (*blocks)
        code = add_term(formulas, arena_printf(formulas->arena, "log2(%s, 64)", blocks), own, count);
    for (size_t w = 0; w < FIT_WAVES && *blocks && table->sm_count > 0 && !code; w++)
        code = add_term(formulas,
                        arena_printf(formulas->arena, "log2(ceildiv(%s, %lld), 64)", blocks,
                                     (long long)table->sm_count * fit_waves[w]),
                        own, count);
    for (size_t t = 0; t < table->trait_count && *count < FIT_FORMULA_OWN && !code; t++) {
        const char *trait = table->traits[t * table->configuration_count + chosen];
        if (*trait)
            code = add_term(formulas, arena_printf(formulas->arena, "log2((%s + 1), 64)", trait), own, count);
    }
    return code;
}

int fit_formulas_open(struct arena *arena, const struct fit_table *table, const struct fit_losses *losses,
                      const struct fit_cover *cover, struct fit_formulas **opened, struct error *error)
{
    struct fit_formulas *formulas = *opened = arena_alloc(arena, sizeof *formulas);
    size_t width = losses->configuration_count;
    if (!formulas)
        return error_memory(error);
    *formulas = (struct fit_formulas){.arena = arena, .table = table, .losses = losses, .cover = cover, .error = error};
    formulas->least = arena_array(arena, table->size_count + 1, sizeof *formulas->least);
    int code = formulas->least ? make_shared(formulas) : error_memory(error);
    for (size_t s = 0; s < table->size_count && !code; s++) {
        formulas->least[s] = INFINITY;
        for (size_t c = 0; c < cover->count; c++)
            if (isfinite(losses->of[s * width + cover->chosen[c]]))
                formulas->least[s] = fmin(formulas->least[s], losses->of[s * width + cover->chosen[c]]);
    }
    for (size_t c = 0; c < cover->count && c < CONFIGURATIONS && !code; c++)
        code = make_own(formulas, c);
    return code;
}

size_t fit_formulas_configurations(const struct fit_formulas *formulas)
{
    return formulas->cover->count < CONFIGURATIONS ? formulas->cover->count : CONFIGURATIONS;
}

/* ---- Weights ---- */

struct regression {
    const struct fit_term *terms[FIT_FORMULA_TERMS + 1]; /* the first one is the constant: NULL */
    double means[FIT_FORMULA_TERMS + 1];
    double scales[FIT_FORMULA_TERMS + 1]; /* standard deviations; 0: it does not vary */
    size_t count;
    double all; /* the weight of all sizes */
    double matrix[(FIT_FORMULA_TERMS + 1) * (FIT_FORMULA_TERMS + 1)], weights[FIT_FORMULA_TERMS + 1];
};

static double loss_of(const struct fit_formulas *formulas, size_t size, size_t number)
{
    return formulas->losses->of[size * formulas->losses->configuration_count + formulas->cover->chosen[number]];
}

/* What a size counts for a pair; 0: one of them has no time there. */
static double weight_of(const struct fit_formulas *formulas, size_t size, size_t a, size_t b)
{
    double of_a = loss_of(formulas, size, a), of_b = loss_of(formulas, size, b);
    if (!isfinite(of_a) || !isfinite(of_b))
        return 0;
    double scales = (fmin(of_a, of_b) - formulas->least[size]) / loss_scale;
    double weight = formulas->losses->weights ? formulas->losses->weights[size] : 1;
    return weight * exp(-fmin(scales, most_scales));
}

/* Adds a term, unless the other configuration has the same one or it does not vary: what varies less than integers do
 * is the rounding of a mean. */
static void take_term(struct regression *regression, const struct fit_term *term, const size_t *sizes, size_t count)
{
    double mean = 0, squares = 0;
    for (size_t t = 1; t < regression->count; t++)
        if (!strcmp(regression->terms[t]->text, term->text))
            return;
    for (size_t i = 0; i < count; i++)
        mean += (double)term->at[sizes[i]] / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += ((double)term->at[sizes[i]] - mean) * ((double)term->at[sizes[i]] - mean) / (double)count;
    if (!(squares > 1e-12))
        return;
    regression->terms[regression->count] = term;
    regression->means[regression->count] = mean;
    regression->scales[regression->count++] = sqrt(squares);
}

static void take_terms(const struct fit_formulas *formulas, const size_t *pair, const size_t *sizes, size_t count,
                       struct regression *regression)
{
    *regression = (struct regression){.count = 1};
    for (size_t t = 0; t < formulas->shared_count; t++)
        take_term(regression, &formulas->shared[t], sizes, count);
    for (size_t i = 0; i < 2; i++)
        for (size_t t = 0; t < formulas->own_count[pair[i]]; t++)
            take_term(regression, &formulas->own[pair[i]][t], sizes, count);
}

/* Adds up the normal equations, the terms in standard deviations from their means. Returns how many sizes count. */
static size_t add_sizes(const struct fit_formulas *formulas, const size_t *pair, const size_t *sizes, size_t size_count,
                        struct regression *regression)
{
    size_t known = 0, count = regression->count;
    for (size_t i = 0; i < size_count; i++) {
        double weight = weight_of(formulas, sizes[i], pair[0], pair[1]), x[FIT_FORMULA_TERMS + 1] = {1};
        if (!(weight > 0))
            continue;
        double difference = loss_of(formulas, sizes[i], pair[0]) - loss_of(formulas, sizes[i], pair[1]);
        difference = fmax(-difference_most, fmin(difference_most, difference));
        for (size_t t = 1; t < count; t++)
            x[t] = ((double)regression->terms[t]->at[sizes[i]] - regression->means[t]) / regression->scales[t];
        for (size_t t = 0; t < count; t++) {
            regression->weights[t] += weight * x[t] * difference;
            for (size_t u = 0; u < count; u++)
                regression->matrix[t * count + u] += weight * x[t] * x[u];
        }
        regression->all += weight;
        known++;
    }
    for (size_t t = 0; t < count; t++)
        regression->matrix[t * count + t] += ridge * regression->all;
    return known;
}

/* Eliminates a term from what the others have to explain. */
static void eliminate(struct regression *regression, size_t term)
{
    size_t count = regression->count;
    double *matrix = regression->matrix, *rest = regression->weights, pivot = matrix[term * count + term];
    for (size_t t = 0; t < count; t++) {
        double share = matrix[t * count + term] / pivot;
        if (t == term || share == 0)
            continue;
        rest[t] -= share * rest[term];
        for (size_t u = 0; u < count; u++)
            matrix[t * count + u] -= share * matrix[term * count + u];
    }
}

/* Takes one term after the other, each time the one that explains most of what is left over (forward selection; Miller,
 * "Subset Selection in Regression", 2002). Each one that is taken is eliminated from all others, so that the system is
 * solved at the end: the weights of those that are taken are the solution, the others are 0. */
static void solve(struct regression *regression)
{
    size_t count = regression->count;
    double *matrix = regression->matrix, *rest = regression->weights;
    bool taken[FIT_FORMULA_TERMS + 1] = {true};
    eliminate(regression, 0);
    for (size_t turn = 0; turn < TERMS_MOST; turn++) {
        size_t best = 0;
        double most = variance_least * regression->all;
        for (size_t t = 1; t < count; t++) {
            double left = matrix[t * count + t];
            if (taken[t] || left < left_least * regression->all || rest[t] * rest[t] <= most * left)
                continue;
            most = rest[t] * rest[t] / left;
            best = t;
        }
        if (!best)
            break;
        taken[best] = true;
        eliminate(regression, best);
    }
    for (size_t t = 0; t < count; t++)
        rest[t] = taken[t] ? rest[t] / matrix[t * count + t] : 0;
}

/* The terms that were taken and their weights, and the constant, which makes up for their means. */
static void round_weights(const struct regression *regression, struct fit_formula *formula)
{
    double constant = regression->weights[0] * SIZE_FIT_FORMULA_ONE;
    formula->count = 0;
    for (size_t t = 1; t < regression->count; t++) {
        if (regression->weights[t] == 0)
            continue;
        double weight = round(regression->weights[t] / regression->scales[t] * SIZE_FIT_FORMULA_ONE);
        constant -= weight * regression->means[t];
        formula->terms[formula->count] = regression->terms[t];
        formula->weights[formula->count++] = (int64_t)weight;
    }
    formula->constant = (int64_t)round(constant);
}

bool fit_formula_learn(const struct fit_formulas *formulas, size_t a, size_t b, const size_t *sizes, size_t count,
                       struct fit_formula *formula)
{
    const size_t pair[] = {a, b};
    struct regression regression;
    take_terms(formulas, pair, sizes, count, &regression);
    if (add_sizes(formulas, pair, sizes, count, &regression) < KNOWN_LEAST)
        return false;
    solve(&regression);
    formula->a = (unsigned)a;
    formula->b = (unsigned)b;
    round_weights(&regression, formula);
    return true;
}

/* ---- Formulas ---- */

int64_t fit_formula_value(const struct fit_formula *formula, size_t size)
{
    int64_t sum = formula->constant;
    for (size_t t = 0; t < formula->count; t++)
        sum += formula->weights[t] * formula->terms[t]->at[size];
    return sum;
}

/* The sum of texts[0 .. count), nested as little as can be: readers have a limit. NULL: out of memory. */
static const char *write_sum(struct arena *arena, const char *const *texts, size_t count)
{
    if (count == 1)
        return texts[0];
    const char *first = write_sum(arena, texts, count / 2);
    const char *rest = write_sum(arena, texts + count / 2, count - count / 2);
    return first && rest ? arena_printf(arena, "(%s + %s)", first, rest) : NULL;
}

int fit_formula_write(const struct fit_formulas *formulas, const struct fit_formula *formula,
                      struct size_fit_node *node)
{
    const char *texts[FIT_FORMULA_TERMS + 1] = {arena_printf(formulas->arena, "%lld", (long long)formula->constant)};
    bool written = texts[0];
    for (size_t t = 0; t < formula->count && written; t++)
        written = (texts[t + 1] = arena_printf(formulas->arena, "(%s * %lld)", formula->terms[t]->text,
                                               (long long)formula->weights[t])) != NULL;
    *node = (struct size_fit_node){.a = formula->a, .b = formula->b};
    node->formula = written ? write_sum(formulas->arena, texts, formula->count + 1) : NULL;
    return parse(formulas, node->formula, &node->values[SIZE_FIT_ANYWHERE]);
}
