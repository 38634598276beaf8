#include "db/size_condition.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "db/choose_fit.h"

/* What a node does with its operands. `c`: the operator in C, or the function behind the prefix. */
enum kind {
    KIND_NUMBER,
    KIND_SIZE,
    KIND_NOT,
    KIND_CHOICE,
    KIND_OPERATORS,
    KIND_PLUS = KIND_OPERATORS,
    KIND_MINUS,
    KIND_TIMES,
    KIND_QUOTIENT,
    KIND_REMAINDER,
    KIND_SHIFT_LEFT, /* before < and <= */
    KIND_SHIFT_RIGHT,
    KIND_EQUAL,
    KIND_DIFFERENT,
    KIND_AT_MOST, /* before <, which it begins with */
    KIND_AT_LEAST,
    KIND_LESS,
    KIND_GREATER,
    KIND_AND,
    KIND_OR,
    KIND_BIT_AND, /* behind && */
    KIND_BIT_OR,
    KIND_BIT_XOR,
    KIND_FUNCTIONS,
    KIND_MIN = KIND_FUNCTIONS,
    KIND_MAX,
    KIND_CEILDIV,
    KIND_GCD,
    KIND_LCM,
    KIND_LOG2,
    KIND_COUNT
};

static const struct {
    const char *text, *function; /* in conditions, and in C behind the prefix */
} kinds[KIND_COUNT] = {
    [KIND_NOT] = {"!", "not"},
    [KIND_CHOICE] = {"?", "choice"},
    [KIND_PLUS] = {"+", "plus"},
    [KIND_MINUS] = {"-", "minus"},
    [KIND_TIMES] = {"*", "times"},
    [KIND_QUOTIENT] = {"/", "quotient"},
    [KIND_REMAINDER] = {"%", "remainder"},
    [KIND_SHIFT_LEFT] = {"<<", "shift_left"},
    [KIND_SHIFT_RIGHT] = {">>", "shift_right"},
    [KIND_EQUAL] = {"==", "equal"},
    [KIND_DIFFERENT] = {"!=", "different"},
    [KIND_AT_MOST] = {"<=", "at_most"},
    [KIND_AT_LEAST] = {">=", "at_least"},
    [KIND_LESS] = {"<", "less"},
    [KIND_GREATER] = {">", "greater"},
    [KIND_AND] = {"&&", "and"},
    [KIND_OR] = {"||", "or"},
    [KIND_BIT_AND] = {"&", "bit_and"},
    [KIND_BIT_OR] = {"|", "bit_or"},
    [KIND_BIT_XOR] = {"^", "bit_xor"},
    [KIND_MIN] = {"min", "min"},
    [KIND_MAX] = {"max", "max"},
    [KIND_CEILDIV] = {"ceildiv", "ceildiv"},
    [KIND_GCD] = {"gcd", "gcd"},
    [KIND_LCM] = {"lcm", "lcm"},
    [KIND_LOG2] = {"log2", "log2"},
};

/* Equal parts of a condition are one node. */
struct node {
    enum kind kind;
    int64_t number; /* or the number of the size */
    const struct node *operands[3];
    struct node *before; /* the one that was made before */
    uint16_t value;      /* its place among the values */
};

/* As many different parts as a condition may have: the place of each is a small number, and its value on the stack. */
enum { NODES_MAX = 2048 };

/* One operation: the values that it takes, in places where a value is already. */
struct step {
    uint16_t kind, operands[3];
};

/* Values are those of the numbers, of the sizes, and of each operation in turn. */
struct size_condition {
    const struct node *root;
    size_t number_count, size_count, step_count, result;
    const int64_t *numbers;
    const size_t *sizes;
    const struct step *steps;
};

/* ---- Parsing ---- */

enum { DEPTH_MAX = 64 };

struct parser {
    struct arena *arena;
    const char *text, *at;
    const char *const *names;
    size_t name_count, depth, node_count;
    struct node *last;
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

static bool same(const struct node *a, const struct node *b)
{
    return a->kind == b->kind && a->number == b->number && a->operands[0] == b->operands[0] &&
           a->operands[1] == b->operands[1] && a->operands[2] == b->operands[2];
}

/* The node that is as the one given: an earlier one, or a copy. */
static int intern(struct parser *parser, struct node node, const struct node **result)
{
    for (const struct node *earlier = parser->last; earlier; earlier = earlier->before)
        if (same(earlier, &node)) {
            *result = earlier;
            return 0;
        }
    if (parser->node_count == NODES_MAX)
        return error_set(parser->error, ERROR_SYNTAX, "the condition '%.200s' has more than %d different parts",
                         parser->text, NODES_MAX);
    struct node *made = arena_alloc(parser->arena, sizeof *made);
    if (!made)
        return error_memory(parser->error);
    *made = node;
    made->before = parser->last;
    *result = parser->last = made;
    parser->node_count++;
    return 0;
}

static int parse(struct parser *parser, const struct node **result);

static size_t word_length(const char *at)
{
    size_t length = 0;
    while (text_is_letter(at[length]) || text_is_digit(at[length]) || at[length] == '_')
        length++;
    return length;
}

/* A size, or a function with two operands. */
static int parse_word(struct parser *parser, const struct node **result)
{
    size_t length = word_length(parser->at);
    enum kind kind = KIND_FUNCTIONS;
    struct node node = {0};
    for (size_t i = 0; i < parser->name_count; i++)
        if (strlen(parser->names[i]) == length && memcmp(parser->names[i], parser->at, length) == 0) {
            parser->at += length;
            return intern(parser, (struct node){.kind = KIND_SIZE, .number = (int64_t)i}, result);
        }
    while (kind < KIND_COUNT &&
           (strlen(kinds[kind].text) != length || memcmp(kinds[kind].text, parser->at, length) != 0))
        kind++;
    if (kind == KIND_COUNT)
        return expected(parser, "a number, a size, a function or (");
    parser->at += length;
    node.kind = kind;
    if (!take(parser, "("))
        return expected(parser, "(");
    int code = parse(parser, &node.operands[0]);
    if (!code && !take(parser, ","))
        code = expected(parser, ",");
    if (!code)
        code = parse(parser, &node.operands[1]);
    if (!code && !take(parser, ")"))
        code = expected(parser, ")");
    return code ? code : intern(parser, node, result);
}

static int parse_number(struct parser *parser, const struct node **result)
{
    char *end;
    errno = 0;
    long long number = strtoll(parser->at, &end, 10);
    if (errno)
        return expected(parser, "a number of 64 bits");
    parser->at = end;
    return intern(parser, (struct node){.kind = KIND_NUMBER, .number = number}, result);
}

/* (a OPERATOR b) or (a ? b : c), behind the parenthesis. */
static int parse_parentheses(struct parser *parser, const struct node **result)
{
    struct node node = {.kind = KIND_OPERATORS};
    int code = parse(parser, &node.operands[0]);
    if (code)
        return code;
    while (node.kind < KIND_FUNCTIONS && !take(parser, kinds[node.kind].text))
        node.kind++;
    if (node.kind == KIND_FUNCTIONS && take(parser, "?"))
        node.kind = KIND_CHOICE;
    if (node.kind == KIND_FUNCTIONS)
        return expected(parser, "an operator");
    code = parse(parser, &node.operands[1]);
    if (!code && node.kind == KIND_CHOICE) {
        code = take(parser, ":") ? 0 : expected(parser, ":");
        if (!code)
            code = parse(parser, &node.operands[2]);
    }
    if (!code && !take(parser, ")"))
        code = expected(parser, ")");
    return code ? code : intern(parser, node, result);
}

static int parse(struct parser *parser, const struct node **result)
{
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
        struct node node = {.kind = KIND_NOT};
        code = parse(parser, &node.operands[0]);
        code = code ? code : intern(parser, node, result);
    } else {
        code = parse_word(parser, result);
    }
    parser->depth--;
    return code;
}

/* Gives each node its place among the values, operands before what takes them, and lists what is to be done. */
static int make_steps(const struct parser *parser, struct size_condition *made)
{
    size_t count = parser->node_count, at = count;
    struct node **nodes = arena_array(parser->arena, count, sizeof *nodes);
    int64_t *numbers = arena_array(parser->arena, count, sizeof *numbers);
    size_t *sizes = arena_array(parser->arena, count, sizeof *sizes);
    struct step *steps = arena_array(parser->arena, count, sizeof *steps);
    if (!nodes || !numbers || !sizes || !steps)
        return error_memory(parser->error);
    for (struct node *node = parser->last; node; node = node->before)
        nodes[--at] = node;
    for (size_t i = 0; i < count; i++)
        if (nodes[i]->kind == KIND_NUMBER) {
            nodes[i]->value = (uint16_t)made->number_count;
            numbers[made->number_count++] = nodes[i]->number;
        }
    for (size_t i = 0; i < count; i++)
        if (nodes[i]->kind == KIND_SIZE) {
            nodes[i]->value = (uint16_t)(made->number_count + made->size_count);
            sizes[made->size_count++] = (size_t)nodes[i]->number;
        }
    for (size_t i = 0; i < count; i++)
        if (nodes[i]->kind != KIND_NUMBER && nodes[i]->kind != KIND_SIZE) {
            struct step *step = &steps[made->step_count];
            *step = (struct step){.kind = (uint16_t)nodes[i]->kind};
            for (size_t o = 0; o < 3 && nodes[i]->operands[o]; o++)
                step->operands[o] = nodes[i]->operands[o]->value;
            nodes[i]->value = (uint16_t)(made->number_count + made->size_count + made->step_count++);
        }
    made->numbers = numbers;
    made->sizes = sizes;
    made->steps = steps;
    made->result = made->root->value;
    return 0;
}

int size_condition_parse(struct arena *arena, const char *text, const char *const *names, size_t name_count,
                         const struct size_condition **condition, struct error *error)
{
    struct parser parser = {
        .arena = arena, .text = text, .at = text, .names = names, .name_count = name_count, .error = error};
    struct size_condition *made = NULL;
    const struct node *root;
    *condition = NULL;
    if (!*text)
        return 0;
    int code = parse(&parser, &root);
    skip_spaces(&parser);
    if (!code && *parser.at)
        code = expected(&parser, "the end");
    if (!code && !(made = arena_alloc(arena, sizeof *made)))
        code = error_memory(error);
    if (!code) {
        *made = (struct size_condition){.root = root};
        code = make_steps(&parser, made);
    }
    *condition = code ? NULL : made;
    return code;
}

/* ---- Evaluating ---- */

static int64_t apply(const struct step *step, const int64_t *values)
{
    int64_t a = values[step->operands[0]], b = values[step->operands[1]];
    switch ((enum kind)step->kind) {
    case KIND_NOT:
        return !a;
    case KIND_CHOICE:
        return a ? b : values[step->operands[2]];
    case KIND_PLUS:
        return choose_plus(a, b);
    case KIND_MINUS:
        return choose_minus(a, b);
    case KIND_TIMES:
        return choose_times(a, b);
    case KIND_QUOTIENT:
        return choose_quotient(a, b);
    case KIND_REMAINDER:
        return choose_remainder(a, b);
    case KIND_SHIFT_LEFT:
        return choose_shift_left(a, b);
    case KIND_SHIFT_RIGHT:
        return choose_shift_right(a, b);
    case KIND_EQUAL:
        return choose_equal(a, b);
    case KIND_DIFFERENT:
        return choose_different(a, b);
    case KIND_AT_MOST:
        return choose_at_most(a, b);
    case KIND_AT_LEAST:
        return choose_at_least(a, b);
    case KIND_LESS:
        return choose_less(a, b);
    case KIND_GREATER:
        return choose_greater(a, b);
    case KIND_AND:
        return choose_and(a, b);
    case KIND_OR:
        return choose_or(a, b);
    case KIND_BIT_AND:
        return choose_bit_and(a, b);
    case KIND_BIT_OR:
        return choose_bit_or(a, b);
    case KIND_BIT_XOR:
        return choose_bit_xor(a, b);
    case KIND_MIN:
        return choose_min(a, b);
    case KIND_MAX:
        return choose_max(a, b);
    case KIND_CEILDIV:
        return choose_ceildiv(a, b);
    case KIND_GCD:
        return choose_gcd(a, b);
    case KIND_LCM:
        return choose_lcm(a, b);
    case KIND_LOG2:
        return choose_log2(a, b);
    default:
        return 0;
    }
}

int64_t size_condition_value(const struct size_condition *condition, const int64_t *sizes)
{
    int64_t values[NODES_MAX];
    if (!condition)
        return 1;
    memcpy(values, condition->numbers, condition->number_count * sizeof *values);
    int64_t *value = values + condition->number_count;
    for (size_t i = 0; i < condition->size_count; i++)
        *value++ = sizes[condition->sizes[i]];
    for (size_t i = 0; i < condition->step_count; i++)
        *value++ = apply(&condition->steps[i], values);
    return values[condition->result];
}

bool size_condition_holds(const struct size_condition *condition, const int64_t *sizes)
{
    return size_condition_value(condition, sizes) != 0;
}

/* ---- As C ---- */

/* No value is farther from 0. */
static double farthest(const struct node *of)
{
    static const double any = 0x1p64, powers = 64; /* of two, below an integer */
    if (of->kind == KIND_NUMBER)
        return fabs((double)of->number);
    if (of->kind == KIND_SIZE || of->kind == KIND_NOT || of->kind == KIND_CHOICE)
        return any;
    double a = farthest(of->operands[0]), b = farthest(of->operands[1]);
    switch (of->kind) {
    case KIND_PLUS:
    case KIND_MINUS:
        return a + b;
    case KIND_TIMES:
        return a * b;
    case KIND_MIN:
    case KIND_MAX:
        return fmax(a, b);
    case KIND_LOG2:
        return powers * b;
    default:
        return any;
    }
}

/* The operator in C, if the result of the node cannot overflow. NULL: it can, or is no sum. */
static const char *plain_operator(const struct node *of)
{
    bool sum = of->kind == KIND_PLUS || of->kind == KIND_MINUS || of->kind == KIND_TIMES;
    return sum && farthest(of) < 0x1p62 ? kinds[of->kind].text : NULL;
}

static void print_c(const struct node *node, const char *prefix, const char *const *names, struct text *text)
{
    const struct node *const *operands = node->operands;
    const char *operator= plain_operator(node);
    if (node->kind == KIND_NUMBER && node->number == INT64_MIN) {
        text_printf(text, "(-%lldLL - 1)", (long long)INT64_MAX);
    } else if (node->kind == KIND_NUMBER) {
        text_printf(text, node->number < 0 ? "(%lldLL)" : "%lldLL", (long long)node->number);
    } else if (node->kind == KIND_SIZE) {
        text_printf(text, "%s", names[node->number]);
    } else if (operator) {
        text_printf(text, "(");
        print_c(operands[0], prefix, names, text);
        text_printf(text, " %s ", operator);
        print_c(operands[1], prefix, names, text);
        text_printf(text, ")");
    } else {
        size_t count = node->kind == KIND_NOT ? 1 : node->kind == KIND_CHOICE ? 3 : 2;
        text_printf(text, "%s%s(", prefix, kinds[node->kind].function);
        for (size_t i = 0; i < count; i++) {
            text_printf(text, "%s", i ? ", " : "");
            print_c(operands[i], prefix, names, text);
        }
        text_printf(text, ")");
    }
}

void size_condition_c(const struct size_condition *condition, const char *prefix, const char *const *names,
                      struct text *text)
{
    if (condition)
        print_c(condition->root, prefix, names, text);
    else
        text_printf(text, "1");
}
