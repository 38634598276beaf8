#include "db/size_fit.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pairs.h"
#include "db/choose_fit.h"

const struct size_feature_row size_feature_rows[SIZE_FEATURE_COUNT] = {
#define FEATURE(name, sizes, first, last, meaning) [SIZE_FEATURE_##name] = {#name, sizes, first, last, meaning},
#include "db/size_features.def"
#undef FEATURE
};

/* ---- Parsing ---- */

struct reader {
    struct arena *arena;
    struct size_fit *fit;
    struct error *error;
    const char *text, *at, *end;         /* the statement's rest: at .. end */
    size_t trees;                        /* subtrees that must follow */
    size_t open[SIZE_FIT_DEPTH_MAX + 1]; /* nodes whose second subtree must follow */
    size_t depth;
};

static int wrong(const struct reader *reader, const char *what)
{
    return error_set(reader->error, ERROR_SYNTAX, "character %zu of the fit: %s",
                     (size_t)(reader->at - reader->text) + 1, what);
}

/* The next word of the statement, copied; NULL: none, or out of memory. */
static const char *next_word(struct reader *reader)
{
    size_t length = 0;
    while (reader->at < reader->end && *reader->at == ' ')
        reader->at++;
    while (reader->at + length < reader->end && reader->at[length] != ' ')
        length++;
    const char *word = length ? arena_copy(reader->arena, reader->at, length) : NULL;
    reader->at += length;
    return word;
}

static int read_integer(struct reader *reader, int64_t least, int64_t most, int64_t *number)
{
    const char *word = next_word(reader);
    char *end;
    errno = 0;
    *number = word ? strtoll(word, &end, 10) : 0;
    if (!word || errno || *end || end == word || *number < least || *number > most)
        return wrong(reader, "an integer is missing here, or it is out of range");
    return 0;
}

static int find_size(struct reader *reader, unsigned *size)
{
    const char *word = next_word(reader);
    for (*size = 0; word && *size < reader->fit->size_count; ++*size)
        if (strcmp(reader->fit->sizes[*size].name, word) == 0)
            return 0;
    return wrong(reader, "not a size of this fit");
}

static int read_size(struct reader *reader)
{
    struct size_fit *fit = reader->fit;
    struct size_fit_size *size = &fit->sizes[fit->size_count];
    if (fit->size_count == SIZE_FIT_SIZES_MAX || fit->configuration_count)
        return wrong(reader, "too many sizes, or one behind the configurations");
    size->name = next_word(reader);
    if (!size->name || !pairs_identifier(size->name, strlen(size->name)))
        return wrong(reader, "the name of a size is missing");
    for (size_t i = 0; i < fit->size_count; i++)
        if (strcmp(fit->sizes[i].name, size->name) == 0)
            return wrong(reader, "the second size of this name");
    int code = read_integer(reader, INT64_MIN, INT64_MAX, &size->least);
    if (!code)
        code = read_integer(reader, size->least, INT64_MAX, &size->most);
    fit->size_count++;
    return code;
}

static int read_condition(struct reader *reader, struct size_fit_configuration *configuration)
{
    while (reader->at < reader->end && *reader->at == ' ')
        reader->at++;
    configuration->where = arena_copy(reader->arena, reader->at, (size_t)(reader->end - reader->at));
    if (!configuration->where)
        return error_memory(reader->error);
    if (!*configuration->where)
        return wrong(reader, "the condition is missing");
    reader->at = reader->end;
    return 0;
}

static int read_configuration(struct reader *reader)
{
    struct size_fit *fit = reader->fit;
    struct size_fit_configuration *configuration = &fit->configurations[fit->configuration_count];
    struct pairs pairs;
    const char *word;
    if (fit->configuration_count == SIZE_FIT_CONFIGURATIONS_MAX || fit->node_count)
        return wrong(reader, "too many configurations, or one behind the tree");
    const char *start = reader->at + (reader->at < reader->end), *end = start;
    *configuration = (struct size_fit_configuration){.where = ""};
    while ((word = next_word(reader)) && strcmp(word, "where") != 0)
        end = reader->at;
    configuration->text = arena_copy(reader->arena, start, (size_t)(end - start));
    if (!configuration->text)
        return error_memory(reader->error);
    int code = pairs_read(reader->arena, configuration->text, &pairs, reader->error);
    if (!code && word)
        code = read_condition(reader, configuration);
    fit->configuration_count++;
    return code;
}

/* Adds the next node in preorder, which is the second subtree of the innermost node that lacks one. */
static int add_node(struct reader *reader, struct size_fit_node **node)
{
    struct size_fit *fit = reader->fit;
    if (!fit->configuration_count)
        return wrong(reader, "the tree begins before there is a configuration");
    if (reader->trees == 0)
        return wrong(reader, "a node behind the tree's end");
    if (fit->node_count == SIZE_FIT_NODES_MAX)
        return wrong(reader, "too many nodes");
    *node = &fit->nodes[fit->node_count++];
    **node = (struct size_fit_node){0};
    return 0;
}

/* The statement's last "<="; the expression of a formula may have others. */
static const char *last_comparison(const struct reader *reader)
{
    const char *found = NULL;
    for (const char *at = reader->at; at + 4 <= reader->end; at++)
        if (memcmp(at, " <= ", 4) == 0)
            found = at;
    return found;
}

static int read_formula(struct reader *reader, struct size_fit_node *node)
{
    const char *behind;
    const int64_t last = (int64_t)reader->fit->configuration_count - 1;
    int64_t a, b = 0;
    int code = read_integer(reader, 0, last, &a);
    if (!code)
        code = read_integer(reader, 0, last, &b);
    if (code)
        return code;
    if (!(behind = last_comparison(reader)) || reader->at + 1 >= behind)
        return wrong(reader, "a formula and <= are missing");
    node->a = (unsigned)a;
    node->b = (unsigned)b;
    node->formula = arena_copy(reader->arena, reader->at + 1, (size_t)(behind - reader->at - 1));
    if (!node->formula)
        return error_memory(reader->error);
    reader->at = behind;
    return 0;
}

static int read_feature(struct reader *reader, struct size_fit_node *node, const char *word)
{
    int64_t by = 0;
    int code = 0;
    while (word && node->feature < SIZE_FEATURE_COUNT && strcmp(size_feature_rows[node->feature].name, word) != 0)
        node->feature++;
    if (!word || node->feature == SIZE_FEATURE_COUNT)
        return wrong(reader, "no feature has this name");
    const struct size_feature_row *row = &size_feature_rows[node->feature];
    if (row->sizes > 0)
        code = find_size(reader, &node->a);
    if (!code && row->sizes > 1)
        code = find_size(reader, &node->b);
    if (!code && row->last)
        code = read_integer(reader, row->first, row->last, &by);
    node->by = (int)by;
    return code;
}

static int read_if(struct reader *reader)
{
    struct size_fit_node *node;
    int code = add_node(reader, &node);
    if (code)
        return code;
    if (reader->depth == SIZE_FIT_DEPTH_MAX)
        return wrong(reader, "the tree is too deep");
    const char *word = next_word(reader);
    code = word && strcmp(word, "formula") == 0 ? read_formula(reader, node) : read_feature(reader, node, word);
    word = code ? NULL : next_word(reader);
    if (!code && (!word || strcmp(word, "<=") != 0))
        code = wrong(reader, "<= is missing");
    if (!code)
        code = read_integer(reader, INT64_MIN, INT64_MAX, &node->most);
    reader->open[reader->depth++] = reader->fit->node_count - 1;
    reader->trees++;
    return code;
}

static int read_order(struct reader *reader)
{
    struct size_fit *fit = reader->fit;
    struct size_fit_node *node;
    bool seen[SIZE_FIT_CONFIGURATIONS_MAX] = {false};
    int64_t number;
    int code = add_node(reader, &node);
    if (code)
        return code;
    node->leaf = true;
    for (size_t i = 0; i < fit->configuration_count; i++) {
        if ((code = read_integer(reader, 0, (int64_t)fit->configuration_count - 1, &number)))
            return code;
        if (seen[number])
            return wrong(reader, "the second time that this leaf has this configuration");
        seen[number] = true;
        node->order[i] = (uint8_t)number;
    }
    /* The leaf ends all subtrees whose second half it is; the next node begins the half that is missing. */
    reader->trees--;
    while (reader->depth && fit->nodes[reader->open[reader->depth - 1]].high)
        reader->depth--;
    if (reader->depth)
        fit->nodes[reader->open[reader->depth - 1]].high = fit->node_count;
    return 0;
}

static int read_statement(struct reader *reader)
{
    static const struct {
        const char *name;
        int (*read)(struct reader *reader);
    } statements[] = {{"size", read_size}, {"take", read_configuration}, {"if", read_if}, {"order", read_order}};
    const char *word = next_word(reader);
    size_t i = 0, count = sizeof statements / sizeof *statements;
    while (word && i < count && strcmp(statements[i].name, word) != 0)
        i++;
    if (!word || i == count)
        return wrong(reader, "size, take, if or order is missing");
    int code = statements[i].read(reader);
    if (!code && next_word(reader))
        code = wrong(reader, "; is missing");
    return code;
}

/* The version, which must be known before anything else means something. */
static int read_version(struct reader *reader)
{
    const char *word = next_word(reader);
    int64_t version;
    if (!word || strcmp(word, "fit") != 0)
        return wrong(reader, "a fit begins with its version: fit 1;");
    if (read_integer(reader, 1, INT64_MAX, &version))
        return ERROR_SYNTAX;
    if (version != 1) {
        error_set(reader->error, ERROR_SCHEMA, "a fit of version %lld; this cutune reads version 1",
                  (long long)version);
        error_hint(reader->error, "use a newer cutune");
        return ERROR_SCHEMA;
    }
    return 0;
}

/* A formula takes the values of those above it, of which `above` is the nearest. */
static void list_above(const struct size_fit *fit, size_t at, size_t above, size_t *after)
{
    const struct size_fit_node *node = &fit->nodes[at];
    const size_t number = fit->configuration_count + at;
    after[number] = above;
    if (node->leaf)
        return;
    list_above(fit, at + 1, node->formula ? number : above, after);
    list_above(fit, node->high, node->formula ? number : above, after);
}

int size_fit_prepare(struct arena *arena, struct size_fit *fit, struct error *error)
{
    enum { MOST = SIZE_FIT_CONFIGURATIONS_MAX + SIZE_FIT_NODES_MAX };
    const char *names[SIZE_FIT_SIZES_MAX], *texts[MOST];
    const struct size_condition *parsed[MOST];
    struct size_range ranges[SIZE_FIT_SIZES_MAX];
    size_t after[MOST], count = 0;
    int code = 0;
    for (size_t i = 0; i < fit->size_count; i++) {
        names[i] = fit->sizes[i].name;
        ranges[i] = (struct size_range){fit->sizes[i].least, fit->sizes[i].most};
    }
    for (size_t i = 0; i < fit->configuration_count; i++) {
        after[count] = SIZE_MAX;
        texts[count++] = fit->configurations[i].where;
    }
    for (size_t n = 0; n < fit->node_count; n++)
        texts[count++] = fit->nodes[n].formula ? fit->nodes[n].formula : "";
    list_above(fit, 0, SIZE_MAX, after);
    for (enum size_fit_place place = 0; place < SIZE_FIT_PLACES && !code; place++) {
        const struct size_conditions of = {.texts = texts,
                                           .names = names,
                                           .name_count = fit->size_count,
                                           .ranges = place == SIZE_FIT_INSIDE ? ranges : NULL,
                                           .after = after};
        code = size_conditions_parse(arena, &of, count, parsed, error);
        for (size_t i = 0; i < fit->configuration_count; i++)
            fit->configurations[i].conditions[place] = parsed[i];
        for (size_t n = 0; n < fit->node_count; n++)
            fit->nodes[n].values[place] = parsed[fit->configuration_count + n];
    }
    return code;
}

int size_fit_parse(struct arena *arena, const char *text, struct size_fit *fit, struct error *error)
{
    struct error own = {0};
    struct reader reader = {
        .arena = arena, .fit = fit, .error = error ? error : &own, .text = text, .at = text, .trees = 1};
    int code = 0;
    *fit = (struct size_fit){0};
    for (bool first = true; !code && (first || *reader.at); first = false) {
        reader.end = strchr(reader.at, ';');
        if (!reader.end) {
            reader.at += strlen(reader.at);
            return wrong(&reader, "it ends before a ;");
        }
        code = first ? read_version(&reader) : read_statement(&reader);
        reader.at = reader.end + 1;
        reader.at += strspn(reader.at, " ");
    }
    if (!code && reader.trees > 0)
        code = wrong(&reader, "the tree has no end");
    return code ? code : size_fit_prepare(arena, fit, reader.error);
}

/* ---- Printing ---- */

void size_fit_print(const struct size_fit *fit, struct text *text)
{
    text_printf(text, "fit 1;");
    for (size_t i = 0; i < fit->size_count; i++)
        text_printf(text, " size %s %lld %lld;", fit->sizes[i].name, (long long)fit->sizes[i].least,
                    (long long)fit->sizes[i].most);
    for (size_t i = 0; i < fit->configuration_count; i++) {
        const struct size_fit_configuration *configuration = &fit->configurations[i];
        text_printf(text, " take%s%s", *configuration->text ? " " : "", configuration->text);
        if (*configuration->where)
            text_printf(text, " where %s", configuration->where);
        text_printf(text, ";");
    }
    for (size_t n = 0; n < fit->node_count; n++) {
        const struct size_fit_node *node = &fit->nodes[n];
        const struct size_feature_row *row = &size_feature_rows[node->feature];
        if (node->leaf) {
            text_printf(text, " order");
            for (size_t i = 0; i < fit->configuration_count; i++)
                text_printf(text, " %u", node->order[i]);
            text_printf(text, ";");
            continue;
        }
        if (node->formula) {
            text_printf(text, " if formula %u %u %s <= %lld;", node->a, node->b, node->formula, (long long)node->most);
            continue;
        }
        text_printf(text, " if %s", row->name);
        if (row->sizes > 0)
            text_printf(text, " %s", fit->sizes[node->a].name);
        if (row->sizes > 1)
            text_printf(text, " %s", fit->sizes[node->b].name);
        if (row->last)
            text_printf(text, " %d", node->by);
        text_printf(text, " <= %lld;", (long long)node->most);
    }
}

/* A feature's meaning, with `$a`, `$b` and `#` replaced. A formula is too long to read: people get what it says. */
void size_fit_decision(const struct size_fit *fit, const struct size_fit_node *node, struct text *text)
{
    if (node->formula) {
        char times[40];
        text_format(times, sizeof times, "%.3g", exp((double)node->most / SIZE_FIT_FORMULA_ONE));
        text_printf(text, "%u should take at most %s times as long as %u", node->a, times, node->b);
        return;
    }
    for (const char *c = size_feature_rows[node->feature].meaning; *c; c++)
        if (*c == '$')
            text_printf(text, "%s", fit->sizes[*++c == 'a' ? node->a : node->b].name);
        else if (*c == '#')
            text_printf(text, "%d", node->by);
        else
            text_append(text, c, 1);
    text_printf(text, " <= %lld", (long long)node->most);
}

/* ---- Choosing ---- */

int64_t size_fit_feature(const struct size_fit_node *node, const int64_t *sizes, size_t count, int sm_count,
                         int64_t l2_bytes)
{
    long long all = 1, a = count ? sizes[node->a] : 0, b = count ? sizes[node->b] : 0;
    for (size_t i = 0; i < count; i++)
        all = choose_times(all, sizes[i]);
    switch (node->feature) {
#define FEATURE(name, sizes, first, last, meaning)                                                                     \
    case SIZE_FEATURE_##name:                                                                                          \
        return choose_of_##name(a, b, all, node->by, sm_count, l2_bytes);
#include "db/size_features.def"
#undef FEATURE
    default:
        return 0;
    }
}

static enum size_fit_place find_place(const struct size_fit *fit, const int64_t *sizes)
{
    return size_fit_extrapolates(fit, sizes) ? SIZE_FIT_ANYWHERE : SIZE_FIT_INSIDE;
}

static const struct size_fit_node *find_leaf(const struct size_fit *fit, enum size_fit_place place,
                                             struct size_evaluation *evaluation, int sm_count, int64_t l2_bytes)
{
    const struct size_fit_node *node = fit->nodes;
    while (!node->leaf) {
        int64_t value = node->formula ? size_evaluation_value(evaluation, node->values[place])
                                      : size_fit_feature(node, evaluation->sizes, fit->size_count, sm_count, l2_bytes);
        node = value <= node->most ? node + 1 : fit->nodes + node->high;
    }
    return node;
}

const struct size_fit_node *size_fit_leaf(const struct size_fit *fit, const int64_t *sizes, int sm_count,
                                          int64_t l2_bytes)
{
    struct size_evaluation evaluation;
    size_evaluation_begin(&evaluation, sizes);
    return find_leaf(fit, find_place(fit, sizes), &evaluation, sm_count, l2_bytes);
}

size_t size_fit_choose(const struct size_fit *fit, const int64_t *sizes, int sm_count, int64_t l2_bytes,
                       const bool *excluded)
{
    const enum size_fit_place place = find_place(fit, sizes);
    struct size_evaluation evaluation;
    size_evaluation_begin(&evaluation, sizes);
    const struct size_fit_node *leaf = find_leaf(fit, place, &evaluation, sm_count, l2_bytes);
    for (size_t i = 0; i < fit->configuration_count; i++) {
        size_t number = leaf->order[i];
        if (!(excluded && excluded[number]) &&
            size_evaluation_value(&evaluation, fit->configurations[number].conditions[place]))
            return number;
    }
    return SIZE_MAX;
}

bool size_fit_serves_all(const struct size_fit_configuration *configuration)
{
    return size_condition_always(configuration->conditions[SIZE_FIT_INSIDE]);
}

bool size_fit_extrapolates(const struct size_fit *fit, const int64_t *sizes)
{
    for (size_t i = 0; i < fit->size_count; i++)
        if (sizes[i] < fit->sizes[i].least || sizes[i] > fit->sizes[i].most)
            return true;
    return false;
}
