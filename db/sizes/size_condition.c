#include "sizes/size_condition.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sizes/size_simplify.h"

struct size_condition {
    struct expression expression;
    const struct bound *bounds; /* bound of each node's value */
};

/* ---- Parsing ---- */

enum { DEPTH_MAX = 64 };

struct parser {
    struct expression_graph graph;
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

/* Returns a new node in *result, or ERROR_MEMORY if it is EXPRESSION_NONE. */
static int take_node(const struct parser *parser, uint32_t node, uint32_t *result)
{
    *result = node;
    return node == EXPRESSION_NONE ? error_memory(parser->error) : 0;
}

static int parse(struct parser *parser, uint32_t *result);

static size_t word_length(const char *at)
{
    size_t length = 0;
    while (text_is_letter(at[length]) || text_is_digit(at[length]) || at[length] == '_')
        length++;
    return length;
}

/* Finds the binary operation at the current position, the longest match; OP_COUNT: none. `length`: length of a
 * function's name; 0: an operator sign. */
static enum operation operation_at(const struct parser *parser, size_t length)
{
    enum operation found = OP_COUNT;
    for (enum operation i = OP_BINARY_FIRST; i < OP_CHOOSE; i++) {
        const struct operation_row *row = &operation_rows[i];
        const size_t own = strlen(row->text);
        if (*row->c && (row->notation == NOTATION_SIGN) == (length == 0) && (!length || length == own) &&
            strncmp(parser->at, row->text, own) == 0 && (found == OP_COUNT || own > strlen(operation_rows[found].text)))
            found = i;
    }
    return found;
}

/* Parses a size, or a call of a function with two operands. */
static int parse_word(struct parser *parser, uint32_t *result)
{
    size_t length = word_length(parser->at);
    uint32_t operands[2] = {0};
    for (uint32_t i = 0; i < parser->name_count; i++)
        if (strlen(parser->names[i]) == length && memcmp(parser->names[i], parser->at, length) == 0) {
            parser->at += length;
            return take_node(parser, expression_name(&parser->graph, i), result);
        }
    const enum operation operation = length ? operation_at(parser, length) : OP_COUNT;
    if (operation == OP_COUNT)
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
    return code ? code
                : take_node(parser, expression_node(&parser->graph, operation, operands[0], operands[1], 0), result);
}

static int parse_number(struct parser *parser, uint32_t *result)
{
    char *end;
    errno = 0;
    long long number = strtoll(parser->at, &end, 10);
    if (errno)
        return expected(parser, "a number of 64 bits");
    parser->at = end;
    return take_node(parser, expression_constant(&parser->graph, value_integer(number)), result);
}

/* Parses (a OPERATOR b) or (a ? b : c), after the opening parenthesis. */
static int parse_parentheses(struct parser *parser, uint32_t *result)
{
    uint32_t operands[3] = {0};
    int code = parse(parser, &operands[0]);
    if (code)
        return code;
    skip_spaces(parser);
    enum operation operation = operation_at(parser, 0);
    if (operation != OP_COUNT)
        parser->at += strlen(operation_rows[operation].text);
    else if (take(parser, "?"))
        operation = OP_CHOOSE;
    else
        return expected(parser, "an operator");
    code = parse(parser, &operands[1]);
    if (!code && operation == OP_CHOOSE) {
        code = take(parser, ":") ? 0 : expected(parser, ":");
        if (!code)
            code = parse(parser, &operands[2]);
    }
    if (!code && !take(parser, ")"))
        code = expected(parser, ")");
    return code ? code
                : take_node(parser, expression_node(&parser->graph, operation, operands[0], operands[1], operands[2]),
                            result);
}

static int parse(struct parser *parser, uint32_t *result)
{
    uint32_t operand;
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
        code = parse(parser, &operand);
        code = code ? code : take_node(parser, expression_node(&parser->graph, OP_NOT, operand, 0, 0), result);
    } else {
        code = parse_word(parser, result);
    }
    parser->depth--;
    return code;
}

/* Parses a text. *root is EXPRESSION_NONE for an empty text. */
static int parse_condition(struct parser *parser, const char *text, uint32_t *root)
{
    parser->text = parser->at = text;
    *root = EXPRESSION_NONE;
    if (!*text)
        return 0;
    int code = parse(parser, root);
    skip_spaces(parser);
    return !code && *parser->at ? expected(parser, "the end") : code;
}

/* ---- Conditions ---- */

/* Computes the bounds of all nodes. */
static int find_bounds(struct arena *arena, struct size_condition *condition, const struct bound *ranges,
                       struct error *error)
{
    const struct expression_node *nodes = condition->expression.nodes;
    struct bound *bounds = arena_array(arena, condition->expression.count, sizeof *bounds);
    for (size_t n = 0; n < condition->expression.count && bounds; n++) {
        const uint32_t *of = nodes[n].operands;
        if (nodes[n].operation == OP_CONSTANT)
            bounds[n] = bound_of_values(&nodes[n].constant, 1);
        else if (nodes[n].operation == OP_NAME)
            bounds[n] = size_bound(ranges, of[0]);
        else
            bounds[n] =
                bound_of_node(nodes, &nodes[n], (const struct bound[]){bounds[of[0]], bounds[of[1]], bounds[of[2]]},
                              OVERFLOW_SATURATES);
    }
    condition->bounds = bounds;
    return bounds ? 0 : error_memory(error);
}

/* Makes the condition of a node of a parsed text; NULL for EXPRESSION_NONE. */
static int make_condition(struct arena *arena, const struct parser *parser, uint32_t root, const struct bound *ranges,
                          const struct size_condition **condition)
{
    struct expression_graph simpler = {0};
    struct size_condition *made = root == EXPRESSION_NONE ? NULL : arena_alloc(arena, sizeof *made);
    *condition = NULL;
    if (root == EXPRESSION_NONE)
        return 0;
    int code = ERROR_MEMORY;
    if (made)
        code = expression_finish(&simpler, size_simplify(&simpler, &parser->graph, root, ranges), arena,
                                 &made->expression);
    expression_graph_free(&simpler);
    if (code == ERROR_MEMORY)
        return error_memory(parser->error);
    if (code)
        return error_set(parser->error, ERROR_SYNTAX, "the condition '%.200s' has more than %d different parts",
                         parser->text, EXPRESSION_NODES_MAX);
    code = find_bounds(arena, made, ranges, parser->error);
    *condition = code ? NULL : made;
    return code;
}

int size_condition_parse_between(struct arena *arena, const char *text, const char *const *names, size_t name_count,
                                 const struct bound *ranges, const struct size_condition **condition,
                                 struct error *error)
{
    struct parser parser = {.names = names, .name_count = name_count, .error = error};
    uint32_t root;
    int code = parse_condition(&parser, text, &root);
    *condition = NULL;
    code = code ? code : make_condition(arena, &parser, root, ranges, condition);
    expression_graph_free(&parser.graph);
    return code;
}

int size_condition_parse(struct arena *arena, const char *text, const char *const *names, size_t name_count,
                         const struct size_condition **condition, struct error *error)
{
    return size_condition_parse_between(arena, text, names, name_count, NULL, condition, error);
}

static bool has_names(const struct expression_graph *graph, uint32_t number, size_t first)
{
    const struct expression_node *node = &graph->nodes[number];
    bool has = node->operation == OP_NAME && node->operands[0] < first;
    for (size_t i = 0; i < expression_operands(node) && !has; i++)
        has = has_names(graph, node->operands[i], first);
    return has;
}

/* Collects the parts of a conjunction that have (`with`), or lack, one of the first names; EXPRESSION_NONE: none. */
static int take_parts(struct parser *parser, uint32_t number, size_t first, bool with, uint32_t *part)
{
    const struct expression_node *node = &parser->graph.nodes[number];
    const uint32_t operands[] = {node->operands[0], node->operands[1]};
    uint32_t a = EXPRESSION_NONE, b = EXPRESSION_NONE;
    if (node->operation != OP_AND) {
        *part = has_names(&parser->graph, number, first) == with ? number : EXPRESSION_NONE;
        return 0;
    }
    int code = take_parts(parser, operands[0], first, with, &a);
    code = code ? code : take_parts(parser, operands[1], first, with, &b);
    if (code || a == EXPRESSION_NONE || b == EXPRESSION_NONE) {
        *part = a == EXPRESSION_NONE ? b : a;
        return code;
    }
    return take_node(parser, expression_node(&parser->graph, OP_AND, a, b, 0), part);
}

int size_condition_split(struct arena *arena, const char *text, const char *const *names, size_t name_count,
                         size_t first, const struct size_condition **with, const struct size_condition **without,
                         struct error *error)
{
    struct parser parser = {.names = names, .name_count = name_count, .error = error};
    const struct size_condition **const conditions[2] = {without, with};
    uint32_t root;
    int code = parse_condition(&parser, text, &root);
    *with = *without = NULL;
    for (size_t i = 0; i < 2 && root != EXPRESSION_NONE && !code; i++) {
        uint32_t part;
        code = take_parts(&parser, root, first, i == 1, &part);
        code = code ? code : make_condition(arena, &parser, part, NULL, conditions[i]);
    }
    expression_graph_free(&parser.graph);
    return code;
}

static const struct expression_node *root_of(const struct size_condition *condition)
{
    return &condition->expression.nodes[condition->expression.count - 1];
}

bool size_condition_always(const struct size_condition *condition)
{
    return !condition || (root_of(condition)->operation == OP_CONSTANT && root_of(condition)->constant.integer);
}

bool size_condition_asks(const struct size_condition *condition, size_t name)
{
    for (size_t i = 0; condition && i < condition->expression.count; i++) {
        const struct expression_node *node = &condition->expression.nodes[i];
        if (node->operation == OP_NAME && node->operands[0] == name)
            return true;
    }
    return false;
}

static bool size_named(const void *sizes, uint32_t name, struct value *value)
{
    *value = value_integer(((const int64_t *)sizes)[name]);
    return true;
}

int64_t size_condition_value(const struct size_condition *condition, const int64_t *sizes)
{
    return condition ? expression_value(&condition->expression, OVERFLOW_SATURATES, size_named, sizes).integer : 1;
}

bool size_condition_holds(const struct size_condition *condition, const int64_t *sizes)
{
    return size_condition_value(condition, sizes) != 0;
}

/* ---- As C ---- */

struct printer {
    const struct size_condition *condition;
    const char *prefix;
    const char *const *names;
    int indent;
    uint16_t uses[EXPRESSION_NODES_MAX], part[EXPRESSION_NODES_MAX]; /* part: constant's number, from 1 */
    uint16_t count;                                                  /* number of constants so far */
    struct text *parts;
};

static bool is_power(const struct expression_node *node)
{
    const int64_t number = node->constant.integer;
    return node->operation == OP_CONSTANT && number > 0 && (number & (number - 1)) == 0;
}

/* Spelling of an operation: an operator of C, or a function of db/sizes/choose_fit.h. */
struct form {
    const char *sign, *function; /* exactly one is set */
    bool swaps;                  /* the second operand comes first */
};

static struct form form_of(const struct size_condition *condition, uint32_t number)
{
    const struct expression_node *nodes = condition->expression.nodes, *node = &nodes[number];
    const struct bound bound = condition->bounds[number];
    const struct bound a = condition->bounds[node->operands[0]], b = condition->bounds[node->operands[1]];
    const struct form plain = {.sign = operation_rows[node->operation].text};
    const bool is_short = bound_within(a, 0, UINT32_MAX) && bound_within(b, 1, UINT32_MAX);
    switch (node->operation) {
    case OP_ADD:
    case OP_SUBTRACT:
    case OP_MULTIPLY:
        if (bound_within(bound, INT64_MIN + 1, INT64_MAX - 1)) /* a saturated result is INT64_MIN or INT64_MAX */
            return plain;
        break;
    case OP_SHIFT_RIGHT:
        if (a.low >= 0 && bound_within(b, 0, 62))
            return plain;
        break;
    case OP_AND:
    case OP_OR:
        if (bound_within(a, 0, 1) && bound_within(b, 0, 1))
            return (struct form){.sign = node->operation == OP_AND ? "&" : "|"};
        break;
    case OP_DIVIDE:
        if (is_short)
            return (struct form){.function = "small_quotient"};
        break;
    case OP_CEILDIV:
        if (is_short && b.high <= UINT32_MAX - a.high)
            return (struct form){.function = "small_ceildiv"};
        break;
    case OP_GCD:
        if (is_power(&nodes[node->operands[1]]) || is_power(&nodes[node->operands[0]]))
            return (struct form){.function = "low_bit", .swaps = !is_power(&nodes[node->operands[1]])};
        break;
    default:
        break;
    }
    return (struct form){.function = operation_rows[node->operation].c};
}

static void print_c(struct printer *printer, uint32_t number, struct text *text);

static void print_operation(struct printer *printer, uint32_t number, struct text *text)
{
    const struct expression_node *node = &printer->condition->expression.nodes[number];
    const struct form form = form_of(printer->condition, number);
    if (form.function)
        text_printf(text, "%s%s", printer->prefix, form.function);
    text_printf(text, "(");
    for (size_t i = 0; i < expression_operands(node); i++) {
        if (i)
            text_printf(text, form.sign ? " %s " : ", ", form.sign);
        print_c(printer, node->operands[form.swaps ? 1 - i : i], text);
    }
    text_printf(text, ")");
}

static void print_part(struct printer *printer, uint32_t number)
{
    struct text own = {0};
    print_operation(printer, number, &own);
    text_printf(printer->parts, "%*sconst long long part_%d = %s;\n", printer->indent, "", printer->count,
                text_string(&own));
    printer->parts->failed |= own.failed;
    text_free(&own);
    printer->part[number] = ++printer->count;
}

static void print_c(struct printer *printer, uint32_t number, struct text *text)
{
    const struct expression_node *node = &printer->condition->expression.nodes[number];
    const bool operation = expression_operands(node) > 0;
    const long long constant = node->constant.integer;
    if (operation && printer->parts && !printer->part[number] && printer->uses[number] > 1)
        print_part(printer, number);
    if (printer->part[number])
        text_printf(text, "part_%d", printer->part[number] - 1);
    else if (operation)
        print_operation(printer, number, text);
    else if (node->operation == OP_NAME)
        text_printf(text, "%s", printer->names[node->operands[0]]);
    else if (constant == INT64_MIN)
        text_printf(text, "(-%lldLL - 1)", (long long)INT64_MAX);
    else
        text_printf(text, constant < 0 ? "(%lldLL)" : "%lldLL", constant);
}

void size_condition_print(const struct size_condition *condition, const char *prefix, const char *const *names,
                          int indent, struct text *parts, struct text *text)
{
    struct printer printer = {
        .condition = condition, .prefix = prefix, .names = names, .indent = indent, .parts = parts};
    if (!condition) {
        text_printf(text, "1");
        return;
    }
    for (size_t n = 0; n < condition->expression.count; n++)
        for (size_t i = 0; i < expression_operands(&condition->expression.nodes[n]); i++)
            printer.uses[condition->expression.nodes[n].operands[i]]++;
    print_c(&printer, (uint32_t)condition->expression.count - 1, text);
}
