#include "sizes/size_fit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/pairs.h"
#include "sizes/choose_fit.h"

const struct size_feature_row size_feature_rows[SIZE_FEATURE_COUNT] = {
#define FEATURE(name, of, count, first, last, meaning)                                                                 \
    [SIZE_FEATURE_##name] = {#name, SIZE_FEATURE_OF_##of, count, first, last, meaning},
#include "sizes/size_features.def"
#undef FEATURE
};

/* ---- Parsing ---- */

/* Earlier programs also read texts without blocks. Texts with blocks have the last version. */
enum { VERSION_PLAIN = 1, VERSION_LAST = 2 };

struct reader {
    struct arena *arena;
    struct size_fit *fit;
    struct error *error;
    const char *text, *at, *end;         /* the rest of the statement: at .. end */
    size_t trees;                        /* subtrees that must follow */
    size_t open[SIZE_FIT_DEPTH_MAX + 1]; /* nodes whose second subtree must follow */
    size_t depth;
};

static int wrong(const struct reader *reader, const char *what)
{
    return error_set(reader->error, ERROR_SYNTAX, "character %zu of the fit: %s",
                     (size_t)(reader->at - reader->text) + 1, what);
}

/* Copies the next word of the statement; NULL at the end or when out of memory. */
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

/* Reads the number of a configuration with blocks. */
static int find_blocks(struct reader *reader, unsigned *configuration)
{
    int64_t number;
    int code = read_integer(reader, 0, (int64_t)reader->fit->configuration_count - 1, &number);
    *configuration = code ? 0 : (unsigned)number;
    return code || *reader->fit->configurations[number].blocks
               ? code
               : wrong(reader, "the blocks of this configuration are missing");
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

/* Reads the rest of the statement. */
static int read_expression(struct reader *reader, const char **expression)
{
    while (reader->at < reader->end && *reader->at == ' ')
        reader->at++;
    *expression = arena_copy(reader->arena, reader->at, (size_t)(reader->end - reader->at));
    if (!*expression)
        return error_memory(reader->error);
    if (!**expression)
        return wrong(reader, "an expression is missing");
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
    *configuration = (struct size_fit_configuration){.where = "", .blocks = ""};
    while ((word = next_word(reader)) && strcmp(word, "where") != 0)
        end = reader->at;
    configuration->text = arena_copy(reader->arena, start, (size_t)(end - start));
    if (!configuration->text)
        return error_memory(reader->error);
    int code = pairs_read(reader->arena, configuration->text, &pairs, reader->error);
    if (!code && word)
        code = read_expression(reader, &configuration->where);
    fit->configuration_count++;
    return code;
}

static int read_blocks(struct reader *reader)
{
    struct size_fit *fit = reader->fit;
    int64_t number;
    if (fit->node_count)
        return wrong(reader, "blocks behind the tree");
    int code = read_integer(reader, 0, (int64_t)fit->configuration_count - 1, &number);
    return code ? code : read_expression(reader, &fit->configurations[number].blocks);
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

static int read_feature(struct reader *reader, struct size_fit_node *node, const char *word)
{
    int64_t by = 0;
    int code = 0;
    while (word && node->feature < SIZE_FEATURE_COUNT && strcmp(size_feature_rows[node->feature].name, word) != 0)
        node->feature++;
    if (!word || node->feature == SIZE_FEATURE_COUNT)
        return wrong(reader, "no feature has this name");
    const struct size_feature_row *row = &size_feature_rows[node->feature];
    int (*find)(struct reader * reader, unsigned *number) = row->of == SIZE_FEATURE_OF_sizes ? find_size : find_blocks;
    if (row->count > 0)
        code = find(reader, &node->a);
    if (!code && row->count > 1)
        code = find(reader, &node->b);
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
    if (reader->fit->earlier && word && strcmp(word, "formula") == 0) {
        reader->at = reader->end;
    } else {
        code = read_feature(reader, node, word);
        word = code ? NULL : next_word(reader);
        if (!code && (!word || strcmp(word, "<=") != 0))
            code = wrong(reader, "<= is missing");
        if (!code)
            code = read_integer(reader, INT64_MIN, INT64_MAX, &node->most);
    }
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
    /* The leaf ends all subtrees whose second half contains it; the next node begins the missing half. */
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
    } statements[] = {{"size", read_size},
                      {"take", read_configuration},
                      {"blocks", read_blocks},
                      {"if", read_if},
                      {"order", read_order}};
    const char *word = next_word(reader);
    size_t i = 0, count = sizeof statements / sizeof *statements;
    while (word && i < count && strcmp(statements[i].name, word) != 0)
        i++;
    if (!word || i == count)
        return wrong(reader, "size, take, blocks, if or order is missing");
    int code = statements[i].read(reader);
    if (!code && next_word(reader))
        code = wrong(reader, "; is missing");
    return code;
}

/* Reads the version, which determines the meaning of the other statements. */
static int read_version(struct reader *reader)
{
    const char *word = next_word(reader);
    int64_t version;
    if (!word || strcmp(word, "fit") != 0)
        return wrong(reader, "a fit begins with its version: fit 1;");
    if (read_integer(reader, 1, INT64_MAX, &version))
        return ERROR_SYNTAX;
    if (version > VERSION_LAST) {
        error_set(reader->error, ERROR_SCHEMA, "a fit of version %lld; this cutune reads version %d and earlier ones",
                  (long long)version, VERSION_LAST);
        error_hint(reader->error, "use a newer cutune");
        return ERROR_SCHEMA;
    }
    return 0;
}

/* Parses an expression for both places. */
static int prepare(struct arena *arena, const struct size_fit *fit, const char *text,
                   const struct size_condition **parsed, struct error *error)
{
    const char *names[SIZE_FIT_SIZES_MAX];
    struct bound ranges[SIZE_FIT_SIZES_MAX];
    for (size_t i = 0; i < fit->size_count; i++) {
        names[i] = fit->sizes[i].name;
        ranges[i] = (struct bound){fit->sizes[i].least, fit->sizes[i].most, true};
    }
    int code = size_condition_parse(arena, text, names, fit->size_count, &parsed[SIZE_FIT_ANYWHERE], error);
    return code ? code
                : size_condition_parse_between(arena, text, names, fit->size_count, ranges, &parsed[SIZE_FIT_INSIDE],
                                               error);
}

int size_fit_prepare(struct arena *arena, struct size_fit *fit, struct error *error)
{
    int code = 0;
    for (size_t i = 0; i < fit->configuration_count && !code; i++) {
        struct size_fit_configuration *configuration = &fit->configurations[i];
        code = prepare(arena, fit, configuration->where, configuration->conditions, error);
        if (!code)
            code = prepare(arena, fit, configuration->blocks, configuration->block_counts, error);
    }
    return code;
}

bool size_fit_is_earlier(const char *text)
{
    return strstr(text, "; if formula ") != NULL;
}

int size_fit_parse(struct arena *arena, const char *text, struct size_fit *fit, struct error *error)
{
    struct error own = {0};
    struct reader reader = {
        .arena = arena, .fit = fit, .error = error ? error : &own, .text = text, .at = text, .trees = 1};
    int code = 0;
    *fit = (struct size_fit){.earlier = size_fit_is_earlier(text)};
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
    if (fit->earlier)
        fit->node_count = 0;
    return code ? code : size_fit_prepare(arena, fit, reader.error);
}

/* ---- Printing ---- */

static void put_operand(const struct size_fit *fit, const struct size_feature_row *row, unsigned operand,
                        struct text *text)
{
    if (row->of == SIZE_FEATURE_OF_sizes)
        text_printf(text, "%s", fit->sizes[operand].name);
    else
        text_printf(text, "%u", operand);
}

void size_fit_print(const struct size_fit *fit, struct text *text)
{
    bool plain = true;
    for (size_t i = 0; i < fit->configuration_count; i++)
        plain = plain && !*fit->configurations[i].blocks;
    text_printf(text, "fit %d;", plain ? VERSION_PLAIN : VERSION_LAST);
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
    for (size_t i = 0; i < fit->configuration_count; i++)
        if (*fit->configurations[i].blocks)
            text_printf(text, " blocks %zu %s;", i, fit->configurations[i].blocks);
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
        text_printf(text, " if %s", row->name);
        for (unsigned i = 0; i < row->count; i++) {
            text_printf(text, " ");
            put_operand(fit, row, i ? node->b : node->a, text);
        }
        if (row->last)
            text_printf(text, " %d", node->by);
        text_printf(text, " <= %lld;", (long long)node->most);
    }
}

/* Appends the feature's meaning, with `$a`, `$b` and `#` replaced. */
void size_fit_decision(const struct size_fit *fit, const struct size_fit_node *node, struct text *text)
{
    const struct size_feature_row *row = &size_feature_rows[node->feature];
    for (const char *c = row->meaning; *c; c++)
        if (*c == '$')
            put_operand(fit, row, *++c == 'a' ? node->a : node->b, text);
        else if (*c == '#')
            text_printf(text, "%d", node->by);
        else
            text_append(text, c, 1);
    text_printf(text, " <= %lld", (long long)node->most);
}

/* ---- Choosing ---- */

int64_t size_feature_value(const struct size_fit_node *node, int64_t a, int64_t b, int64_t all, int sm_count,
                           int64_t l2_bytes)
{
    switch (node->feature) {
#define FEATURE(name, of, count, first, last, meaning)                                                                 \
    case SIZE_FEATURE_##name:                                                                                          \
        return choose_of_##name(a, b, all, node->by, sm_count, l2_bytes);
#include "sizes/size_features.def"
#undef FEATURE
    default:
        return 0;
    }
}

int64_t size_fit_volume(const int64_t *sizes, size_t count)
{
    int64_t all = 1;
    for (size_t i = 0; i < count; i++)
        all = choose_times(all, sizes[i]);
    return all;
}

static enum size_fit_place find_place(const struct size_fit *fit, const int64_t *sizes)
{
    return size_fit_extrapolates(fit, sizes) ? SIZE_FIT_ANYWHERE : SIZE_FIT_INSIDE;
}

/* Returns the value of an operand: a size, or the blocks of a configuration. */
static int64_t operand_of(const struct size_fit *fit, enum size_fit_place place, const struct size_fit_node *node,
                          unsigned operand, const int64_t *sizes)
{
    if (size_feature_rows[node->feature].of == SIZE_FEATURE_OF_sizes)
        return fit->size_count ? sizes[operand] : 0;
    return size_condition_value(fit->configurations[operand].block_counts[place], sizes);
}

static const struct size_fit_node *find_leaf(const struct size_fit *fit, enum size_fit_place place,
                                             const int64_t *sizes, int sm_count, int64_t l2_bytes)
{
    const struct size_fit_node *node = fit->nodes;
    const int64_t all = size_fit_volume(sizes, fit->size_count);
    while (!node->leaf) {
        int64_t value = size_feature_value(node, operand_of(fit, place, node, node->a, sizes),
                                           operand_of(fit, place, node, node->b, sizes), all, sm_count, l2_bytes);
        node = value <= node->most ? node + 1 : fit->nodes + node->high;
    }
    return node;
}

void size_fit_list(const struct size_fit_node *leaf, size_t count, uint64_t *list)
{
    memset(list, 0, SIZE_FIT_LISTS * sizeof *list);
    for (size_t i = 0; i < count; i++)
        list[i / 12] |= (uint64_t)leaf->order[i] << i % 12 * 5;
}

size_t size_fit_choose(const struct size_fit *fit, const int64_t *sizes, int sm_count, int64_t l2_bytes,
                       uint32_t allowed)
{
    const enum size_fit_place place = find_place(fit, sizes);
    const int count = (int)fit->configuration_count;
    uint64_t list[SIZE_FIT_LISTS];
    if (!fit->node_count)
        return SIZE_MAX;
    size_fit_list(find_leaf(fit, place, sizes, sm_count, l2_bytes), fit->configuration_count, list);
    for (;;) {
        int number = choose_first(list[0], list[1], list[2], count, allowed);
        if (number < 0)
            return SIZE_MAX;
        if (size_condition_holds(fit->configurations[number].conditions[place], sizes))
            return (size_t)number;
        allowed &= ~(1U << number);
    }
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
