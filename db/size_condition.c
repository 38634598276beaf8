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

/* Equal parts are one node, also of different conditions that are parsed together. */
struct node {
    enum kind kind;
    int64_t number; /* or the number of the size */
    const struct node *operands[3];
    struct node *before, *in_bucket; /* the one that was made before, at all and with this hash */
    size_t condition;                /* which has it; SHARED: several have */
    uint16_t value;                  /* its place among the values */
};

#define SHARED SIZE_MAX

/* One operation: the values that it takes, in places where a value is already. */
struct step {
    uint16_t kind, operands[3];
};

/* Parts that are evaluated together. Values are those of the numbers, of the sizes, and of each operation in turn. */
struct size_parts {
    size_t number_count, size_count, step_count;
    const int64_t *numbers;
    const size_t *sizes;
    const struct step *steps;
};

struct size_condition {
    const struct node *root;
    const struct size_parts *shared; /* with the conditions parsed together; their values come first */
    struct size_parts own;
    size_t result;
};

/* ---- Parsing ---- */

enum { DEPTH_MAX = 64, BUCKETS = 1024 };

struct parser {
    struct arena *arena;
    const char *text, *at; /* of the condition with that number */
    size_t condition;
    const char *const *names;
    size_t name_count, depth;
    struct node *last, *buckets[BUCKETS];
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

static size_t bucket_of(const struct node *node)
{
    uint64_t bits = (uint64_t)node->number * KIND_COUNT + node->kind;
    for (size_t i = 0; i < 3; i++)
        bits = (bits ^ (uintptr_t)node->operands[i]) * 0x9e3779b97f4a7c15;
    return bits >> 32 & (BUCKETS - 1);
}

/* The node that is as the one given: an earlier one, or a copy. */
static int intern(struct parser *parser, struct node node, const struct node **result)
{
    struct node **bucket = &parser->buckets[bucket_of(&node)];
    for (struct node *earlier = *bucket; earlier; earlier = earlier->in_bucket)
        if (same(earlier, &node)) {
            if (earlier->condition != parser->condition)
                earlier->condition = SHARED;
            *result = earlier;
            return 0;
        }
    struct node *made = arena_alloc(parser->arena, sizeof *made);
    if (!made)
        return error_memory(parser->error);
    *made = node;
    made->condition = parser->condition;
    made->before = parser->last;
    made->in_bucket = *bucket;
    *result = parser->last = *bucket = made;
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

/* Lists those of the nodes, which are in the order they were made in, that `condition` has: operands come before what
 * takes them. Gives each its place among the values, from `first` on. */
static int list_parts(const struct parser *parser, struct node *const *nodes, size_t count, size_t condition,
                      size_t first, struct size_parts *parts)
{
    size_t number_count = 0, size_count = 0, step_count = 0;
    for (size_t i = 0; i < count; i++)
        if (nodes[i]->condition == condition) {
            number_count += nodes[i]->kind == KIND_NUMBER;
            size_count += nodes[i]->kind == KIND_SIZE;
            step_count += nodes[i]->kind != KIND_NUMBER && nodes[i]->kind != KIND_SIZE;
        }
    int64_t *numbers = arena_array(parser->arena, number_count, sizeof *numbers);
    size_t *sizes = arena_array(parser->arena, size_count, sizeof *sizes);
    struct step *steps = arena_array(parser->arena, step_count, sizeof *steps);
    if (!numbers || !sizes || !steps)
        return error_memory(parser->error);
    if (first + number_count + size_count + step_count > SIZE_CONDITION_PARTS_MAX)
        return error_set(parser->error, ERROR_SYNTAX, "the condition '%.200s' has more than %d different parts",
                         parser->text, SIZE_CONDITION_PARTS_MAX);
    *parts = (struct size_parts){.numbers = numbers, .sizes = sizes, .steps = steps};
    for (size_t i = 0; i < count; i++) {
        struct node *node = nodes[i];
        if (node->condition != condition)
            continue;
        if (node->kind == KIND_NUMBER) {
            node->value = (uint16_t)(first + parts->number_count);
            numbers[parts->number_count++] = node->number;
        } else if (node->kind == KIND_SIZE) {
            node->value = (uint16_t)(first + number_count + parts->size_count);
            sizes[parts->size_count++] = (size_t)node->number;
        } else {
            struct step *step = &steps[parts->step_count];
            *step = (struct step){.kind = (uint16_t)node->kind};
            for (size_t o = 0; o < 3 && node->operands[o]; o++)
                step->operands[o] = node->operands[o]->value;
            node->value = (uint16_t)(first + number_count + size_count + parts->step_count++);
        }
    }
    return 0;
}

static int parse_condition(struct parser *parser, const char *text, const struct node **root)
{
    parser->text = parser->at = text;
    parser->depth = 0;
    int code = parse(parser, root);
    skip_spaces(parser);
    return !code && *parser->at ? expected(parser, "the end") : code;
}

static size_t part_count(const struct size_parts *parts)
{
    return parts->number_count + parts->size_count + parts->step_count;
}

/* The nodes in the order in which they were made; NULL: out of memory. */
static struct node **list_nodes(const struct parser *parser, size_t *count)
{
    size_t at = *count = 0;
    for (const struct node *node = parser->last; node; node = node->before)
        ++*count;
    struct node **nodes = arena_array(parser->arena, at = *count, sizeof(struct node *));
    for (struct node *node = parser->last; nodes && node; node = node->before)
        nodes[--at] = node;
    return nodes;
}

/* Lists what is to be done for each of the conditions and, before, for all. */
static int make_steps(struct parser *parser, const char *const *texts, size_t count, struct size_condition *made)
{
    struct size_parts *shared = arena_alloc(parser->arena, sizeof *shared);
    size_t node_count;
    struct node **nodes = list_nodes(parser, &node_count);
    int code = shared && nodes ? list_parts(parser, nodes, node_count, SHARED, 0, shared) : error_memory(parser->error);
    for (size_t i = 0; i < count && !code; i++) {
        parser->text = texts[i];
        made[i].shared = shared;
        code = list_parts(parser, nodes, node_count, i, part_count(shared), &made[i].own);
        made[i].result = made[i].root ? made[i].root->value : 0;
    }
    return code;
}

int size_conditions_parse(struct arena *arena, const char *const *texts, size_t count, const char *const *names,
                          size_t name_count, const struct size_condition **conditions, struct error *error)
{
    struct parser parser = {.arena = arena, .names = names, .name_count = name_count, .error = error};
    struct size_condition *made = arena_array(arena, count, sizeof *made);
    int code = made ? 0 : error_memory(error);
    for (size_t i = 0; i < count && !code; i++)
        if (*texts[i]) {
            parser.condition = i;
            code = parse_condition(&parser, texts[i], &made[i].root);
        }
    if (!code)
        code = make_steps(&parser, texts, count, made);
    for (size_t i = 0; i < count; i++)
        conditions[i] = !code && made[i].root ? &made[i] : NULL;
    return code;
}

int size_condition_parse(struct arena *arena, const char *text, const char *const *names, size_t name_count,
                         const struct size_condition **condition, struct error *error)
{
    return size_conditions_parse(arena, &text, 1, names, name_count, condition, error);
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

static void evaluate(const struct size_parts *parts, const int64_t *sizes, int64_t *values, int64_t *value)
{
    memcpy(value, parts->numbers, parts->number_count * sizeof *value);
    value += parts->number_count;
    for (size_t i = 0; i < parts->size_count; i++)
        *value++ = sizes[parts->sizes[i]];
    for (size_t i = 0; i < parts->step_count; i++)
        *value++ = apply(&parts->steps[i], values);
}

void size_evaluation_begin(struct size_evaluation *evaluation, const int64_t *sizes)
{
    evaluation->sizes = sizes;
    evaluation->shared = NULL;
}

int64_t size_evaluation_value(struct size_evaluation *evaluation, const struct size_condition *condition)
{
    int64_t *values = evaluation->values;
    if (!condition)
        return 1;
    if (evaluation->shared != condition->shared)
        evaluate(condition->shared, evaluation->sizes, values, values);
    evaluation->shared = condition->shared;
    evaluate(&condition->own, evaluation->sizes, values, values + part_count(condition->shared));
    return values[condition->result];
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
