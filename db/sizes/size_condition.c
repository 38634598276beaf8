#include "sizes/size_condition.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* One operation: the values that it takes, in places where a value is already. */
struct step {
    uint16_t kind, operands[3];
};

/* A condition's values are those of its numbers, sizes and operations in turn. */
struct size_condition {
    struct size_node *root;
    size_t number_count, size_count, step_count;
    const int64_t *numbers;
    const size_t *sizes;
    const struct step *steps;
};

/* ---- Parsing ---- */

enum { DEPTH_MAX = 64 };

struct parser {
    struct size_graph graph;
    const char *text, *at;
    const char *const *names;
    size_t name_count, depth;
    struct error *error;
};

static int expected(const struct parser *parser, const char *what)
{
    error_set(parser->error, ERROR_SYNTAX, "character %zu of the condition '%.200s': %s is missing",
              (size_t)(parser->at - parser->text) + 1, parser->text, what);
    return ERROR_SYNTAX;
}

static void skip_spaces(struct parser *parser)
{
    while (*parser->at == ' ')
        parser->at++;
}

static bool take(struct parser *parser, const char *token)
{
    skip_spaces(parser);
    if (strncmp(parser->at, token, strlen(token)) != 0)
        return false;
    parser->at += strlen(token);
    return true;
}

/* The node of an operation, a number or a size. */
static int take_node(struct parser *parser, enum size_kind kind, int64_t number, struct size_node *const *operands,
                     struct size_node **result)
{
    *result = size_graph_node(&parser->graph, kind, number, operands[0], operands[1], operands[2]);
    return *result ? 0 : error_memory(parser->error);
}

static int parse(struct parser *parser, struct size_node **result);

static size_t word_length(const char *at)
{
    size_t length = 0;
    while (text_is_letter(at[length]) || text_is_digit(at[length]) || at[length] == '_')
        length++;
    return length;
}

/* A size, or a function with two operands. */
static int parse_word(struct parser *parser, struct size_node **result)
{
    size_t length = word_length(parser->at);
    enum size_kind kind = NODE_FUNCTIONS;
    struct size_node *operands[3] = {NULL, NULL, NULL};
    for (size_t i = 0; i < parser->name_count; i++)
        if (strlen(parser->names[i]) == length && memcmp(parser->names[i], parser->at, length) == 0) {
            parser->at += length;
            return take_node(parser, NODE_NAMED, (int64_t)i, operands, result);
        }
    while (kind < NODE_SIMPLER &&
           (strlen(size_kind_rows[kind].text) != length || memcmp(size_kind_rows[kind].text, parser->at, length) != 0))
        kind++;
    if (kind == NODE_SIMPLER)
        return expected(parser, "a number, a size, a function or (");
    parser->at += length;
    if (!take(parser, "("))
        return expected(parser, "(");
    int code = parse(parser, &operands[0]);
    if (!code && !take(parser, ","))
        code = expected(parser, ",");
    if (!code)
        code = parse(parser, &operands[1]);
    if (!code && !take(parser, ")"))
        code = expected(parser, ")");
    return code ? code : take_node(parser, kind, 0, operands, result);
}

static int parse_number(struct parser *parser, struct size_node **result)
{
    struct size_node *const none[3] = {NULL, NULL, NULL};
    char *end;
    errno = 0;
    long long number = strtoll(parser->at, &end, 10);
    if (errno)
        return expected(parser, "a number of 64 bits");
    parser->at = end;
    return take_node(parser, NODE_NUMBER, number, none, result);
}

/* (a OPERATOR b) or (a ? b : c), behind the parenthesis. */
static int parse_parentheses(struct parser *parser, struct size_node **result)
{
    struct size_node *operands[3] = {NULL, NULL, NULL};
    enum size_kind kind = NODE_OPERATORS;
    int code = parse(parser, &operands[0]);
    if (code)
        return code;
    while (kind < NODE_FUNCTIONS && !take(parser, size_kind_rows[kind].text))
        kind++;
    if (kind == NODE_FUNCTIONS && take(parser, "?"))
        kind = NODE_CHOICE;
    if (kind == NODE_FUNCTIONS)
        return expected(parser, "an operator");
    code = parse(parser, &operands[1]);
    if (!code && kind == NODE_CHOICE) {
        code = take(parser, ":") ? 0 : expected(parser, ":");
        if (!code)
            code = parse(parser, &operands[2]);
    }
    if (!code && !take(parser, ")"))
        code = expected(parser, ")");
    return code ? code : take_node(parser, kind, 0, operands, result);
}

static int parse(struct parser *parser, struct size_node **result)
{
    struct size_node *operands[3] = {NULL, NULL, NULL};
    int code;
    if (++parser->depth > DEPTH_MAX)
        return expected(parser, "less nesting: an end to it");
    skip_spaces(parser);
    char c = *parser->at;
    if (text_is_digit(c) || (c == '-' && text_is_digit(parser->at[1]))) {
        code = parse_number(parser, result);
    } else if (take(parser, "(")) {
        code = parse_parentheses(parser, result);
    } else if (take(parser, "!")) {
        code = parse(parser, &operands[0]);
        code = code ? code : take_node(parser, NODE_NOT, 0, operands, result);
    } else {
        code = parse_word(parser, result);
    }
    parser->depth--;
    return code;
}

static int parse_condition(struct parser *parser, const char *text, struct size_node **root)
{
    parser->text = parser->at = text;
    parser->depth = 0;
    int code = parse(parser, root);
    skip_spaces(parser);
    return !code && *parser->at ? expected(parser, "the end") : code;
}

/* ---- Steps ---- */

/* Appends the nodes that are not listed yet to the first `count` ones, operands before what takes them; returns how
 * many. `nodes` NULL: counts alone. */
static size_t list_nodes(struct size_node *node, size_t mark, struct size_node **nodes, size_t count)
{
    if (node->mark == mark)
        return count;
    node->mark = mark;
    for (size_t i = 0; i < size_kind_operands(node->kind); i++)
        count = list_nodes(node->operands[i], mark, nodes, count);
    if (nodes)
        nodes[count] = node;
    return count + 1;
}

/* Moves the nodes of a kind of values behind the `done` ones that are in place already; returns how many these are. */
static size_t gather(struct size_node **nodes, size_t count, size_t done, bool (*is)(const struct size_node *node),
                     struct size_node **gathered)
{
    for (size_t i = 0; i < count; i++)
        if (is(nodes[i])) {
            nodes[i]->value = done;
            gathered[done++] = nodes[i];
        }
    return done;
}

static bool is_number(const struct size_node *node)
{
    return node->kind == NODE_NUMBER;
}

static bool is_size(const struct size_node *node)
{
    return node->kind == NODE_NAMED;
}

static bool is_operation(const struct size_node *node)
{
    return size_kind_operands(node->kind) > 0;
}

/* Lists what is to be done for a condition. */
static int make_steps(struct arena *arena, const char *text, struct size_condition *condition, struct error *error)
{
    const size_t count = list_nodes(condition->root, 1, NULL, 0);
    if (count > SIZE_CONDITION_PARTS_MAX)
        return error_set(error, ERROR_SYNTAX, "the condition '%.200s' has more than %d different parts", text,
                         SIZE_CONDITION_PARTS_MAX);
    struct size_node **listed = arena_array(arena, count, sizeof(struct size_node *));
    struct size_node **nodes = arena_array(arena, count, sizeof(struct size_node *));
    int64_t *numbers = arena_array(arena, count, sizeof *numbers);
    size_t *sizes = arena_array(arena, count, sizeof *sizes);
    struct step *steps = arena_array(arena, count, sizeof *steps);
    if (!listed || !nodes || !numbers || !sizes || !steps)
        return error_memory(error);
    list_nodes(condition->root, 2, listed, 0);
    size_t behind_numbers = gather(listed, count, 0, is_number, nodes);
    size_t behind_sizes = gather(listed, count, behind_numbers, is_size, nodes);
    gather(listed, count, behind_sizes, is_operation, nodes);
    for (size_t i = 0; i < behind_numbers; i++)
        numbers[i] = nodes[i]->number;
    for (size_t i = behind_numbers; i < behind_sizes; i++)
        sizes[i - behind_numbers] = (size_t)nodes[i]->number;
    for (size_t i = behind_sizes; i < count; i++) {
        struct step *step = &steps[i - behind_sizes];
        step->kind = (uint16_t)nodes[i]->kind;
        for (size_t o = 0; o < size_kind_operands(nodes[i]->kind); o++)
            step->operands[o] = (uint16_t)nodes[i]->operands[o]->value;
    }
    condition->number_count = behind_numbers;
    condition->size_count = behind_sizes - behind_numbers;
    condition->step_count = count - behind_sizes;
    condition->numbers = numbers;
    condition->sizes = sizes;
    condition->steps = steps;
    return 0;
}

/* The condition of a parsed text; NULL: of none. */
static int make_condition(struct arena *arena, const char *text, struct size_node *root,
                          const struct size_range *ranges, const struct size_condition **condition, struct error *error)
{
    struct size_graph simpler = {.arena = arena};
    struct size_condition *made = root ? arena_alloc(arena, sizeof *made) : NULL;
    *condition = NULL;
    if (!root)
        return 0;
    if (!made || !(made->root = size_simplify(&simpler, root, ranges)) || simpler.failed)
        return error_memory(error);
    int code = make_steps(arena, text, made, error);
    *condition = code ? NULL : made;
    return code;
}

int size_condition_parse_between(struct arena *arena, const char *text, const char *const *names, size_t name_count,
                                 const struct size_range *ranges, const struct size_condition **condition,
                                 struct error *error)
{
    struct parser parser = {.graph.arena = arena, .names = names, .name_count = name_count, .error = error};
    struct size_node *root = NULL;
    int code = *text ? parse_condition(&parser, text, &root) : 0;
    *condition = NULL;
    return code ? code : make_condition(arena, text, root, ranges, condition, error);
}

int size_condition_parse(struct arena *arena, const char *text, const char *const *names, size_t name_count,
                         const struct size_condition **condition, struct error *error)
{
    return size_condition_parse_between(arena, text, names, name_count, NULL, condition, error);
}

static bool has_names(const struct size_node *node, size_t first)
{
    bool has = node->kind == NODE_NAMED && (size_t)node->number < first;
    for (size_t i = 0; i < size_kind_operands(node->kind) && !has; i++)
        has = has_names(node->operands[i], first);
    return has;
}

/* The parts of a conjunction that have one of the first names, or have none; NULL: there are none, or the graph has
 * failed. */
static struct size_node *take_parts(struct size_graph *graph, struct size_node *node, size_t first, bool with)
{
    if (node->kind != NODE_AND)
        return has_names(node, first) == with ? node : NULL;
    struct size_node *a = take_parts(graph, node->operands[0], first, with);
    struct size_node *b = take_parts(graph, node->operands[1], first, with);
    return a && b ? size_graph_node(graph, NODE_AND, 0, a, b, NULL) : a ? a : b;
}

int size_condition_split(struct arena *arena, const char *text, const char *const *names, size_t name_count,
                         size_t first, const struct size_condition **with, const struct size_condition **without,
                         struct error *error)
{
    struct parser parser = {.graph.arena = arena, .names = names, .name_count = name_count, .error = error};
    struct size_node *root = NULL, *parts[2] = {NULL, NULL};
    int code = *text ? parse_condition(&parser, text, &root) : 0;
    *with = *without = NULL;
    for (size_t i = 0; i < 2 && root && !code; i++)
        parts[i] = take_parts(&parser.graph, root, first, i == 0);
    if (!code && parser.graph.failed)
        code = error_memory(error);
    if (!code)
        code = make_condition(arena, text, parts[0], NULL, with, error);
    return code ? code : make_condition(arena, text, parts[1], NULL, without, error);
}

bool size_condition_always(const struct size_condition *condition)
{
    return !condition || (condition->root->kind == NODE_NUMBER && condition->root->number);
}

bool size_condition_asks(const struct size_condition *condition, size_t name)
{
    for (size_t i = 0; condition && i < condition->size_count; i++)
        if (condition->sizes[i] == name)
            return true;
    return false;
}

/* ---- Evaluating ---- */

int64_t size_condition_value(const struct size_condition *condition, const int64_t *sizes)
{
    int64_t values[SIZE_CONDITION_PARTS_MAX], *value = values;
    if (!condition)
        return 1;
    memcpy(value, condition->numbers, condition->number_count * sizeof *value);
    value += condition->number_count;
    for (size_t i = 0; i < condition->size_count; i++)
        *value++ = sizes[condition->sizes[i]];
    for (size_t i = 0; i < condition->step_count; i++) {
        const uint16_t *operands = condition->steps[i].operands;
        *value++ =
            size_kind_apply(condition->steps[i].kind, values[operands[0]], values[operands[1]], values[operands[2]]);
    }
    return value[-1];
}

bool size_condition_holds(const struct size_condition *condition, const int64_t *sizes)
{
    return size_condition_value(condition, sizes) != 0;
}

/* ---- As C ---- */

struct printer {
    const char *prefix;
    const char *const *names;
    int indent;
    size_t count; /* of constants until now */
    struct text *parts;
};

static void print_c(struct printer *printer, struct size_node *node, struct text *text);

static void print_operation(struct printer *printer, const struct size_node *node, struct text *text)
{
    const bool plain = node->kind >= NODE_PLAIN && node->kind < NODE_PLAIN_END;
    const size_t count = size_kind_operands(node->kind);
    if (!plain)
        text_printf(text, "%s%s", printer->prefix, size_kind_rows[node->kind].function);
    text_printf(text, "(");
    for (size_t i = 0; i < count; i++) {
        if (i)
            text_printf(text, plain ? " %s " : ", ", i == 2 ? "*" : size_kind_rows[node->kind].text);
        print_c(printer, node->operands[i], text);
    }
    text_printf(text, ")");
}

static void print_part(struct printer *printer, struct size_node *node)
{
    struct text own = {0};
    print_operation(printer, node, &own);
    text_printf(printer->parts, "%*sconst long long part_%zu = %s;\n", printer->indent, "", printer->count,
                text_string(&own));
    printer->parts->failed |= own.failed;
    text_free(&own);
    node->part = ++printer->count;
}

static void print_c(struct printer *printer, struct size_node *node, struct text *text)
{
    bool operation = size_kind_operands(node->kind) > 0;
    if (operation && printer->parts && !node->part && node->uses > 1)
        print_part(printer, node);
    if (node->part)
        text_printf(text, "part_%zu", node->part - 1);
    else if (operation)
        print_operation(printer, node, text);
    else if (node->kind == NODE_NAMED)
        text_printf(text, "%s", printer->names[node->number]);
    else if (node->number == INT64_MIN)
        text_printf(text, "(-%lldLL - 1)", (long long)INT64_MAX);
    else
        text_printf(text, node->number < 0 ? "(%lldLL)" : "%lldLL", (long long)node->number);
}

static void count_uses(struct size_node *node)
{
    if (node->uses++ == 0)
        for (size_t i = 0; i < size_kind_operands(node->kind); i++)
            count_uses(node->operands[i]);
}

static void forget_uses(struct size_node *node)
{
    if (node->uses == 0)
        return;
    node->uses = node->part = 0;
    for (size_t i = 0; i < size_kind_operands(node->kind); i++)
        forget_uses(node->operands[i]);
}

void size_condition_print(const struct size_condition *condition, const char *prefix, const char *const *names,
                          int indent, struct text *parts, struct text *text)
{
    struct printer printer = {.prefix = prefix, .names = names, .indent = indent, .parts = parts};
    if (!condition) {
        text_printf(text, "1");
        return;
    }
    count_uses(condition->root);
    print_c(&printer, condition->root, text);
    forget_uses(condition->root);
}
