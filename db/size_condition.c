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

struct size_condition {
    enum kind kind;
    int64_t number; /* or the number of the size */
    const struct size_condition *operands[3];
};

/* ---- Parsing ---- */

enum { DEPTH_MAX = 64 };

struct parser {
    struct arena *arena;
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

static struct size_condition *make(const struct parser *parser, enum kind kind, int64_t number)
{
    struct size_condition *made = arena_alloc(parser->arena, sizeof *made);
    if (made)
        *made = (struct size_condition){.kind = kind, .number = number};
    return made;
}

static int parse(struct parser *parser, const struct size_condition **result);

static int parse_operand(struct parser *parser, struct size_condition *made, size_t operand)
{
    return made ? parse(parser, &made->operands[operand]) : error_memory(parser->error);
}

static size_t word_length(const char *at)
{
    size_t length = 0;
    while (text_is_letter(at[length]) || text_is_digit(at[length]) || at[length] == '_')
        length++;
    return length;
}

/* A size, or a function with two operands. */
static int parse_word(struct parser *parser, const struct size_condition **result)
{
    size_t length = word_length(parser->at);
    struct size_condition *made = NULL;
    for (size_t i = 0; i < parser->name_count; i++)
        if (strlen(parser->names[i]) == length && memcmp(parser->names[i], parser->at, length) == 0) {
            parser->at += length;
            *result = make(parser, KIND_SIZE, (int64_t)i);
            return *result ? 0 : error_memory(parser->error);
        }
    for (enum kind kind = KIND_FUNCTIONS; kind < KIND_COUNT && !made; kind++)
        if (strlen(kinds[kind].text) == length && memcmp(kinds[kind].text, parser->at, length) == 0 &&
            !(made = make(parser, kind, 0)))
            return error_memory(parser->error);
    if (!made)
        return expected(parser, "a number, a size, a function or (");
    parser->at += length;
    if (!take(parser, "("))
        return expected(parser, "(");
    int code = parse_operand(parser, made, 0);
    if (!code && !take(parser, ","))
        code = expected(parser, ",");
    if (!code)
        code = parse_operand(parser, made, 1);
    if (!code && !take(parser, ")"))
        code = expected(parser, ")");
    *result = made;
    return code;
}

static int parse_number(struct parser *parser, const struct size_condition **result)
{
    char *end;
    errno = 0;
    long long number = strtoll(parser->at, &end, 10);
    if (errno)
        return expected(parser, "a number of 64 bits");
    parser->at = end;
    *result = make(parser, KIND_NUMBER, number);
    return *result ? 0 : error_memory(parser->error);
}

/* (a OPERATOR b) or (a ? b : c), behind the parenthesis. */
static int parse_parentheses(struct parser *parser, const struct size_condition **result)
{
    const struct size_condition *first;
    int code = parse(parser, &first);
    if (code)
        return code;
    enum kind kind = KIND_OPERATORS;
    while (kind < KIND_FUNCTIONS && !take(parser, kinds[kind].text))
        kind++;
    if (kind == KIND_FUNCTIONS && take(parser, "?"))
        kind = KIND_CHOICE;
    if (kind == KIND_FUNCTIONS)
        return expected(parser, "an operator");
    struct size_condition *made = make(parser, kind, 0);
    if (made)
        made->operands[0] = first;
    code = parse_operand(parser, made, 1);
    if (!code && kind == KIND_CHOICE) {
        code = take(parser, ":") ? 0 : expected(parser, ":");
        if (!code)
            code = parse_operand(parser, made, 2);
    }
    if (!code && !take(parser, ")"))
        code = expected(parser, ")");
    *result = made;
    return code;
}

static int parse(struct parser *parser, const struct size_condition **result)
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
        struct size_condition *made = make(parser, KIND_NOT, 0);
        code = parse_operand(parser, made, 0);
        *result = made;
    } else {
        code = parse_word(parser, result);
    }
    parser->depth--;
    return code;
}

int size_condition_parse(struct arena *arena, const char *text, const char *const *names, size_t name_count,
                         const struct size_condition **condition, struct error *error)
{
    struct parser parser = {
        .arena = arena, .text = text, .at = text, .names = names, .name_count = name_count, .error = error};
    *condition = NULL;
    if (!*text)
        return 0;
    int code = parse(&parser, condition);
    skip_spaces(&parser);
    return code || !*parser.at ? code : expected(&parser, "the end");
}

/* ---- Evaluating ---- */

static int64_t evaluate(const struct size_condition *of, const int64_t *sizes);

/* Most operands are numbers and sizes, for which a call would take longest. */
static inline int64_t value_of(const struct size_condition *of, const int64_t *sizes)
{
    return of->kind == KIND_NUMBER ? of->number : of->kind == KIND_SIZE ? sizes[of->number] : evaluate(of, sizes);
}

static int64_t evaluate(const struct size_condition *of, const int64_t *sizes)
{
    int64_t a = value_of(of->operands[0], sizes);
    if (of->kind == KIND_NOT)
        return !a;
    if (of->kind == KIND_CHOICE)
        return value_of(of->operands[a ? 1 : 2], sizes);
    int64_t b = value_of(of->operands[1], sizes);
    switch (of->kind) {
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
    return condition ? value_of(condition, sizes) : 1;
}

bool size_condition_holds(const struct size_condition *condition, const int64_t *sizes)
{
    return size_condition_value(condition, sizes) != 0;
}

/* ---- As C ---- */

/* No value is farther from 0. */
static double farthest(const struct size_condition *of)
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
static const char *plain_operator(const struct size_condition *of)
{
    bool sum = of->kind == KIND_PLUS || of->kind == KIND_MINUS || of->kind == KIND_TIMES;
    return sum && farthest(of) < 0x1p62 ? kinds[of->kind].text : NULL;
}

void size_condition_c(const struct size_condition *condition, const char *prefix, const char *const *names,
                      struct text *text)
{
    const struct size_condition *const *operands = condition ? condition->operands : NULL;
    const char *operator= condition ? plain_operator(condition) : NULL;
    if (!condition) {
        text_printf(text, "1");
    } else if (condition->kind == KIND_NUMBER && condition->number == INT64_MIN) {
        text_printf(text, "(-%lldLL - 1)", (long long)INT64_MAX);
    } else if (condition->kind == KIND_NUMBER) {
        text_printf(text, condition->number < 0 ? "(%lldLL)" : "%lldLL", (long long)condition->number);
    } else if (condition->kind == KIND_SIZE) {
        text_printf(text, "%s", names[condition->number]);
    } else if (operator) {
        text_printf(text, "(");
        size_condition_c(operands[0], prefix, names, text);
        text_printf(text, " %s ", operator);
        size_condition_c(operands[1], prefix, names, text);
        text_printf(text, ")");
    } else {
        size_t count = condition->kind == KIND_NOT ? 1 : condition->kind == KIND_CHOICE ? 3 : 2;
        text_printf(text, "%s%s(", prefix, kinds[condition->kind].function);
        for (size_t i = 0; i < count; i++) {
            text_printf(text, "%s", i ? ", " : "");
            size_condition_c(operands[i], prefix, names, text);
        }
        text_printf(text, ")");
    }
}
