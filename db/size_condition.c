#include "db/size_condition.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* One operation: the values that it takes, in places where a value is already. */
struct step {
    uint16_t kind, operands[3];
};

/* A condition's values are those that another one has left, then of its own numbers, sizes and operations in turn. */
struct size_condition {
    struct size_node *root;
    const struct size_condition *after; /* whose values come before; NULL: none */
    size_t first, number_count, size_count, step_count;
    const int64_t *numbers;
    const size_t *sizes;
    const struct step *steps;
    struct size_node **nodes; /* of its values */
    size_t result;            /* the place of its value */
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

static size_t value_count(const struct size_condition *condition)
{
    return condition->number_count + condition->size_count + condition->step_count;
}

/* Marks the nodes whose values are there when a condition is evaluated, and gives them their places. */
static void mark_values(const struct size_condition *after, size_t mark)
{
    for (; after; after = after->after)
        for (size_t i = 0; i < value_count(after); i++) {
            after->nodes[i]->mark = mark;
            after->nodes[i]->value = after->first + i;
        }
}

/* Appends the nodes that have no mark to the first `count` ones, operands before what takes them; returns how many. */
static size_t list_nodes(struct size_node *node, size_t mark, struct size_node **nodes, size_t count)
{
    if (node->mark == mark)
        return count;
    node->mark = mark;
    for (size_t i = 0; i < size_kind_operands(node->kind); i++)
        count = list_nodes(node->operands[i], mark, nodes, count);
    nodes[count] = node;
    return count + 1;
}

/* Moves the nodes of a kind of values behind the `done` ones that are in place already; returns how many these are. */
static size_t gather(struct size_node **nodes, size_t count, size_t done, size_t first,
                     bool (*is)(const struct size_node *node), struct size_node **gathered)
{
    for (size_t i = 0; i < count; i++)
        if (is(nodes[i])) {
            nodes[i]->value = first + done;
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

/* Lists what is to be done for a condition. `nodes`: room for all of the graph. `mark`: one that no node has. */
static int make_steps(struct arena *arena, const char *text, struct size_node **nodes, size_t mark,
                      struct size_condition *condition, struct error *error)
{
    const struct size_condition *after = condition->after;
    condition->first = after ? after->first + value_count(after) : 0;
    mark_values(after, mark);
    const size_t count = list_nodes(condition->root, mark, nodes, 0);
    if (condition->first + count > SIZE_CONDITION_PARTS_MAX)
        return error_set(error, ERROR_SYNTAX, "the condition '%.200s' has more than %d different parts", text,
                         SIZE_CONDITION_PARTS_MAX);
    condition->nodes = arena_array(arena, count, sizeof(struct size_node *));
    int64_t *numbers = arena_array(arena, count, sizeof *numbers);
    size_t *sizes = arena_array(arena, count, sizeof *sizes);
    struct step *steps = arena_array(arena, count, sizeof *steps);
    if (!condition->nodes || !numbers || !sizes || !steps)
        return error_memory(error);
    size_t behind_numbers = gather(nodes, count, 0, condition->first, is_number, condition->nodes);
    size_t behind_sizes = gather(nodes, count, behind_numbers, condition->first, is_size, condition->nodes);
    gather(nodes, count, behind_sizes, condition->first, is_operation, condition->nodes);
    for (size_t i = 0; i < count; i++) {
        const struct size_node *node = condition->nodes[i];
        if (i < behind_numbers)
            numbers[condition->number_count++] = node->number;
        else if (i < behind_sizes)
            sizes[condition->size_count++] = (size_t)node->number;
        else {
            struct step *step = &steps[condition->step_count++];
            step->kind = (uint16_t)node->kind;
            for (size_t o = 0; o < size_kind_operands(node->kind); o++)
                step->operands[o] = (uint16_t)node->operands[o]->value;
        }
    }
    condition->numbers = numbers;
    condition->sizes = sizes;
    condition->steps = steps;
    condition->result = condition->root->value;
    return 0;
}

static int make_all_steps(const struct size_graph *graph, const char *const *texts, size_t count,
                          struct size_condition *made, struct error *error)
{
    size_t node_count = 0;
    int code = 0;
    for (const struct size_node *node = graph->last; node; node = node->before)
        node_count++;
    struct size_node **nodes = arena_array(graph->arena, node_count, sizeof(struct size_node *));
    if (!nodes)
        return error_memory(error);
    for (size_t i = 0; i < count && !code; i++)
        if (made[i].root)
            code = make_steps(graph->arena, texts[i], nodes, i + 1, &made[i], error);
    return code;
}

/* Conditions from the roots of their parsed texts; NULL: none. */
static int make_conditions(struct arena *arena, const struct size_conditions *of, struct size_node *const *roots,
                           size_t count, const struct size_condition **conditions, struct error *error)
{
    struct size_graph simpler = {.arena = arena};
    struct size_condition *made = arena_array(arena, count, sizeof *made);
    if (!made)
        return error_memory(error);
    for (size_t i = 0; i < count; i++) {
        made[i].root = roots[i] ? size_simplify(&simpler, roots[i], of->ranges) : NULL;
        made[i].after = of->after && of->after[i] < i && made[of->after[i]].root ? &made[of->after[i]] : NULL;
    }
    int code = simpler.failed ? error_memory(error) : make_all_steps(&simpler, of->texts, count, made, error);
    for (size_t i = 0; i < count; i++)
        conditions[i] = !code && made[i].root ? &made[i] : NULL;
    return code;
}

int size_conditions_parse(struct arena *arena, const struct size_conditions *of, size_t count,
                          const struct size_condition **conditions, struct error *error)
{
    struct parser parser = {.graph.arena = arena, .names = of->names, .name_count = of->name_count, .error = error};
    struct size_node **roots = arena_array(arena, count, sizeof(struct size_node *));
    int code = roots ? 0 : error_memory(error);
    for (size_t i = 0; i < count; i++)
        conditions[i] = NULL;
    for (size_t i = 0; i < count && !code; i++)
        code = *of->texts[i] ? parse_condition(&parser, of->texts[i], &roots[i]) : 0;
    return code ? code : make_conditions(arena, of, roots, count, conditions, error);
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
    const char *const texts[] = {text, text};
    const struct size_conditions of = {.texts = texts, .names = names, .name_count = name_count};
    struct parser parser = {.graph.arena = arena, .names = names, .name_count = name_count, .error = error};
    struct size_node *root = NULL, *roots[2] = {NULL, NULL};
    const struct size_condition *conditions[2] = {NULL, NULL};
    int code = *text ? parse_condition(&parser, text, &root) : 0;
    for (size_t i = 0; i < 2 && root && !code; i++)
        roots[i] = take_parts(&parser.graph, root, first, i == 0);
    if (!code && parser.graph.failed)
        code = error_memory(error);
    if (!code)
        code = make_conditions(arena, &of, roots, 2, conditions, error);
    *with = conditions[0];
    *without = conditions[1];
    return code;
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

int size_condition_parse(struct arena *arena, const char *text, const char *const *names, size_t name_count,
                         const struct size_condition **condition, struct error *error)
{
    const struct size_conditions of = {.texts = &text, .names = names, .name_count = name_count};
    return size_conditions_parse(arena, &of, 1, condition, error);
}

/* ---- Evaluating ---- */

int64_t size_evaluation_value(struct size_evaluation *evaluation, const struct size_condition *condition)
{
    if (!condition)
        return 1;
    int64_t *values = evaluation->values, *value = values + condition->first;
    memcpy(value, condition->numbers, condition->number_count * sizeof *value);
    value += condition->number_count;
    for (size_t i = 0; i < condition->size_count; i++)
        *value++ = evaluation->sizes[condition->sizes[i]];
    for (size_t i = 0; i < condition->step_count; i++) {
        const uint16_t *operands = condition->steps[i].operands;
        *value++ =
            size_kind_apply(condition->steps[i].kind, values[operands[0]], values[operands[1]], values[operands[2]]);
    }
    return values[condition->result];
}

void size_evaluation_begin(struct size_evaluation *evaluation, const int64_t *sizes)
{
    evaluation->sizes = sizes;
}

int64_t size_condition_value(const struct size_condition *condition, const int64_t *sizes)
{
    struct size_evaluation evaluation;
    size_evaluation_begin(&evaluation, sizes);
    return size_evaluation_value(&evaluation, condition);
}

bool size_condition_holds(const struct size_condition *condition, const int64_t *sizes)
{
    return size_condition_value(condition, sizes) != 0;
}

/* ---- As C ---- */

static void print_c(struct size_printer *printer, struct size_node *node, struct text *text);

static void print_operation(struct size_printer *printer, const struct size_node *node, struct text *text)
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

static void print_part(struct size_printer *printer, struct size_node *node)
{
    struct text own = {0};
    print_operation(printer, node, &own);
    text_printf(printer->parts, "%*sconst long long part_%zu = %s;\n", printer->indent, "", printer->count,
                text_string(&own));
    printer->parts->failed |= own.failed;
    text_free(&own);
    node->part = ++printer->count;
    node->part_before = printer->last;
    printer->last = node;
}

static void print_c(struct size_printer *printer, struct size_node *node, struct text *text)
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
    node->uses = 0;
    for (size_t i = 0; i < size_kind_operands(node->kind); i++)
        forget_uses(node->operands[i]);
}

void size_printer_put(struct size_printer *printer, const struct size_condition *condition,
                      const struct size_condition *const *later, size_t later_count, struct text *text)
{
    if (!condition) {
        text_printf(text, "1");
        return;
    }
    count_uses(condition->root);
    for (size_t i = 0; i < later_count; i++)
        if (later[i])
            count_uses(later[i]->root);
    print_c(printer, condition->root, text);
    forget_uses(condition->root);
    for (size_t i = 0; i < later_count; i++)
        if (later[i])
            forget_uses(later[i]->root);
}

void size_printer_leave(struct size_printer *printer, struct size_node *last)
{
    while (printer->last != last) {
        struct size_node *node = printer->last;
        printer->last = node->part_before;
        node->part = 0;
        node->part_before = NULL;
    }
}
