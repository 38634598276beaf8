/* Text to tree. The grammar is that of Python's reference, section 6, without what spaces do not need. */
#include <stdio.h>
#include <string.h>

#include "exchange/python_lex.h"

/* The current token is this sign or word. */
static bool at_token(const struct parser *parser, const char *text)
{
    return (parser->kind == TOKEN_SIGN || parser->kind == TOKEN_NAME) && parser->size == strlen(text) &&
           memcmp(parser->text + parser->start, text, parser->size) == 0;
}

static int expected(struct parser *parser, const char *what)
{
    int shown = parser->size > 40 ? 40 : (int)parser->size;
    if (parser->kind == TOKEN_END)
        return python_fail(parser->python, parser->start, "expected %s, but the expression ends here", what);
    int code = python_fail(parser->python, parser->start, "expected %s, not '%.*s'", what, shown,
                           parser->text + parser->start);
    if (at_token(parser, "&&") || at_token(parser, "||") || at_token(parser, "!") || at_token(parser, "?"))
        error_hint(parser->python->error, "the expressions of T1 are Python: and, or, not, X if C else Y");
    return code;
}

static int expect(struct parser *parser, const char *text, const char *what)
{
    return at_token(parser, text) ? python_next(parser) : expected(parser, what);
}

/* ---- Nodes ---- */

static struct python_node *new_node(struct parser *parser, enum python_node_kind kind, size_t at)
{
    struct python_node *node = arena_alloc(parser->python->arena, sizeof *node);
    if (!node) {
        error_memory(parser->python->error);
        return NULL;
    }
    node->kind = kind;
    node->at = at;
    node->depth = 1;
    return node;
}

/* Room doubles at powers of two; what is given up is freed with the arena. */
static int add_child(struct parser *parser, struct python_node *node, struct python_node *child)
{
    if ((node->count & (node->count - 1)) == 0) {
        struct python_node **children =
            arena_array(parser->python->arena, node->count ? node->count * 2 : 1, sizeof *children);
        if (!children)
            return error_memory(parser->python->error);
        if (node->count)
            memcpy(children, node->children, node->count * sizeof *children);
        node->children = children;
    }
    node->children[node->count++] = child;
    if (child->depth >= node->depth)
        node->depth = child->depth + 1;
    if (node->depth > PYTHON_DEPTH_MAX)
        return python_fail(parser->python, node->at, "the expression is nested too deeply, or too long");
    return 0;
}

static int expression(struct parser *parser, struct python_node **node);
static int or_test(struct parser *parser, struct python_node **node);

/* `for NAME in LIST if CONDITION ...` behind the item that `*node` is. */
static int clauses(struct parser *parser, struct python_node **node)
{
    struct python_node *all = new_node(parser, NODE_COMPREHEND, (*node)->at), *clause, *child;
    if (!all)
        return ERROR_MEMORY;
    TRY(add_child(parser, all, *node));
    while (at_token(parser, "for") || at_token(parser, "if")) {
        bool loop = at_token(parser, "for");
        if (!(clause = new_node(parser, loop ? NODE_FOR : NODE_WHEN, parser->start)))
            return ERROR_MEMORY;
        TRY(python_next(parser));
        if (loop) {
            if (parser->kind != TOKEN_NAME)
                return expected(parser, "a variable");
            clause->name = arena_copy(parser->python->arena, parser->text + parser->start, parser->size);
            if (!clause->name)
                return error_memory(parser->python->error);
            TRY(python_next(parser));
            TRY(expect(parser, "in", "'in'"));
        }
        TRY(or_test(parser, &child));
        TRY(add_child(parser, clause, child));
        TRY(add_child(parser, all, clause));
    }
    *node = all;
    return 0;
}

/* Items up to the closing sign, which is passed over: a literal (`tuple` says whether there was a comma), or a
 * comprehension as the only child. */
static int items(struct parser *parser, const char *close, struct python_node *list, bool *comma)
{
    struct python_node *item;
    char what[32];
    *comma = false;
    snprintf(what, sizeof what, "an operator, ',' or '%s'", close);
    while (!at_token(parser, close)) {
        TRY(expression(parser, &item));
        if (at_token(parser, "for"))
            TRY(list->count == 0 ? clauses(parser, &item) : expected(parser, what));
        TRY(add_child(parser, list, item));
        if (at_token(parser, close))
            break;
        if (!at_token(parser, ",") || item->kind == NODE_COMPREHEND)
            return expected(parser, what);
        *comma = true;
        TRY(python_next(parser));
    }
    return python_next(parser);
}

static int bracketed(struct parser *parser, bool round, struct python_node **node)
{
    bool comma;
    struct python_node *list = new_node(parser, NODE_LIST, parser->start);
    if (!list)
        return ERROR_MEMORY;
    TRY(python_next(parser));
    size_t at = parser->start;
    TRY(items(parser, round ? ")" : "]", list, &comma));
    if (round && list->count == 0)
        return python_fail(parser->python, at, "expected a value, not ')'");
    bool comprehends = list->count == 1 && list->children[0]->kind == NODE_COMPREHEND && !comma;
    *node = (round && !comma && list->count == 1) || comprehends ? list->children[0] : list;
    return 0;
}

static int named(struct parser *parser, struct python_node **node)
{
    static const char *const refused[] = {"and", "or",   "in",     "is", "if",   "else",
                                          "for", "None", "lambda", "as", "from", "import"};
    static const struct {
        const char *name;
        bool json;
        int64_t value;
    } constants[] = {{"True", false, 1}, {"False", false, 0}, {"true", true, 1}, {"false", true, 0}};
    struct python_node *made = new_node(parser, NODE_NAME, parser->start);
    bool comma;
    if (!made)
        return ERROR_MEMORY;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (at_token(parser, refused[i]))
            return expected(parser, "a value");
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (at_token(parser, constants[i].name) && (parser->python->json || !constants[i].json)) {
            made->kind = NODE_CONSTANT;
            made->value = (struct python_value){.kind = PYTHON_BOOL, .integer = constants[i].value};
            *node = made;
            return python_next(parser);
        }
    made->name = arena_copy(parser->python->arena, parser->text + parser->start, parser->size);
    if (!made->name)
        return error_memory(parser->python->error);
    *node = made;
    TRY(python_next(parser));
    if (at_token(parser, ".") || at_token(parser, "["))
        return python_fail(parser->python, parser->start, "attributes and subscripts are not understood");
    if (!at_token(parser, "("))
        return 0;
    made->kind = NODE_CALL;
    TRY(python_next(parser));
    return items(parser, ")", made, &comma);
}

static int atom(struct parser *parser, struct python_node **node)
{
    if (parser->kind == TOKEN_NUMBER || parser->kind == TOKEN_STRING) {
        if (!(*node = new_node(parser, NODE_CONSTANT, parser->start)))
            return ERROR_MEMORY;
        (*node)->value = parser->value;
        return python_next(parser);
    }
    if (parser->kind == TOKEN_NAME)
        return named(parser, node);
    if (at_token(parser, "(") || at_token(parser, "["))
        return bracketed(parser, at_token(parser, "("), node);
    return expected(parser, "a value");
}

/* Every way into recursion passes here. */
static int enter(struct parser *parser)
{
    if (++parser->depth <= PYTHON_DEPTH_MAX)
        return 0;
    return python_fail(parser->python, parser->start, "the expression is nested too deeply");
}

/* An operator of one operand, or a power: -x ** -y is -(x ** (-y)). */
static int factor(struct parser *parser, struct python_node **node)
{
    static const struct {
        const char *sign;
        enum python_operation operation;
    } signs[] = {{"-", PYTHON_NEGATE}, {"+", PYTHON_PLUS}, {"~", PYTHON_INVERT}};
    struct python_node *made, *operand;
    TRY(enter(parser));
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (at_token(parser, signs[i].sign)) {
            if (!(made = new_node(parser, NODE_UNARY, parser->start)))
                return ERROR_MEMORY;
            made->operation = signs[i].operation;
            TRY(python_next(parser));
            TRY(factor(parser, &operand));
            TRY(add_child(parser, made, operand));
            parser->depth--;
            *node = made;
            return 0;
        }
    TRY(atom(parser, node));
    if (at_token(parser, "**")) {
        if (!(made = new_node(parser, NODE_BINARY, parser->start)))
            return ERROR_MEMORY;
        made->operation = PYTHON_POWER;
        TRY(python_next(parser));
        TRY(factor(parser, &operand));
        TRY(add_child(parser, made, *node));
        TRY(add_child(parser, made, operand));
        *node = made;
    }
    parser->depth--;
    return 0;
}

static const struct {
    const char *sign;
    int precedence; /* higher binds tighter */
    enum python_operation operation;
} operators[] = {
    {"|", 1, PYTHON_BIT_OR},        {"^", 2, PYTHON_BIT_XOR},      {"&", 3, PYTHON_BIT_AND},
    {"<<", 4, PYTHON_SHIFT_LEFT},   {">>", 4, PYTHON_SHIFT_RIGHT}, {"+", 5, PYTHON_ADD},
    {"-", 5, PYTHON_SUBTRACT},      {"*", 6, PYTHON_MULTIPLY},     {"/", 6, PYTHON_DIVIDE},
    {"//", 6, PYTHON_FLOOR_DIVIDE}, {"%", 6, PYTHON_REMAINDER},
};

static int arithmetic(struct parser *parser, int precedence, struct python_node **node)
{
    struct python_node *made, *right;
    TRY(factor(parser, node));
    for (;;) {
        size_t found = 0, count = sizeof operators / sizeof *operators;
        while (found < count && !(at_token(parser, operators[found].sign) && operators[found].precedence >= precedence))
            found++;
        if (found == count)
            return 0;
        if (!(made = new_node(parser, NODE_BINARY, parser->start)))
            return ERROR_MEMORY;
        made->operation = operators[found].operation;
        TRY(python_next(parser));
        TRY(arithmetic(parser, operators[found].precedence + 1, &right));
        TRY(add_child(parser, made, *node));
        TRY(add_child(parser, made, right));
        *node = made;
    }
}

/* Passes over a comparison operator. */
static int comparator(struct parser *parser, enum python_operation *operation, bool *found)
{
    static const struct {
        const char *sign;
        enum python_operation operation;
    } signs[] = {{"==", PYTHON_EQUAL},  {"!=", PYTHON_NOT_EQUAL},     {"<=", PYTHON_LESS_EQUAL}, {"<", PYTHON_LESS},
                 {">", PYTHON_GREATER}, {">=", PYTHON_GREATER_EQUAL}, {"in", PYTHON_IN}};
    *found = true;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (at_token(parser, signs[i].sign)) {
            *operation = signs[i].operation;
            return python_next(parser);
        }
    if (at_token(parser, "not")) {
        TRY(python_next(parser));
        *operation = PYTHON_NOT_IN;
        return expect(parser, "in", "'in'");
    }
    if (at_token(parser, "is")) {
        int code = python_fail(parser->python, parser->start, "'is' asks for the same object, not for equality");
        error_hint(parser->python->error, "write == or !=");
        return code;
    }
    *found = false;
    return 0;
}

static int comparison(struct parser *parser, struct python_node **node)
{
    enum { CHAIN_MAX = 32 };
    enum python_operation operations[CHAIN_MAX];
    struct python_node *first, *other, *made = NULL;
    bool found;
    TRY(arithmetic(parser, 1, &first));
    *node = first;
    for (size_t count = 0;; count++) {
        size_t at = parser->start;
        enum python_operation operation = PYTHON_EQUAL;
        TRY(comparator(parser, &operation, &found));
        if (!found)
            break;
        if (count == CHAIN_MAX)
            return python_fail(parser->python, at, "more than %d comparisons in a row", CHAIN_MAX);
        operations[count] = operation;
        if (!made) {
            if (!(made = new_node(parser, NODE_COMPARE, at)))
                return ERROR_MEMORY;
            TRY(add_child(parser, made, first));
        }
        TRY(arithmetic(parser, 1, &other));
        TRY(add_child(parser, made, other));
    }
    if (!made)
        return 0;
    enum python_operation *copy = arena_array(parser->python->arena, made->count, sizeof *copy);
    if (!copy)
        return error_memory(parser->python->error);
    memcpy(copy, operations, (made->count - 1) * sizeof *copy);
    made->operations = copy;
    *node = made;
    return 0;
}

static int not_test(struct parser *parser, struct python_node **node)
{
    struct python_node *made, *operand;
    if (!at_token(parser, "not"))
        return comparison(parser, node);
    TRY(enter(parser));
    if (!(made = new_node(parser, NODE_NOT, parser->start)))
        return ERROR_MEMORY;
    TRY(python_next(parser));
    TRY(not_test(parser, &operand));
    parser->depth--;
    *node = made;
    return add_child(parser, made, operand);
}

static int junction(struct parser *parser, const char *word, enum python_node_kind kind,
                    int (*operand)(struct parser *, struct python_node **), struct python_node **node)
{
    struct python_node *made = NULL, *other;
    TRY(operand(parser, node));
    while (at_token(parser, word)) {
        if (!made) {
            if (!(made = new_node(parser, kind, parser->start)))
                return ERROR_MEMORY;
            TRY(add_child(parser, made, *node));
        }
        TRY(python_next(parser));
        TRY(operand(parser, &other));
        TRY(add_child(parser, made, other));
    }
    *node = made ? made : *node;
    return 0;
}

static int and_test(struct parser *parser, struct python_node **node)
{
    return junction(parser, "and", NODE_AND, not_test, node);
}

static int or_test(struct parser *parser, struct python_node **node)
{
    return junction(parser, "or", NODE_OR, and_test, node);
}

static int expression(struct parser *parser, struct python_node **node)
{
    struct python_node *made, *condition, *otherwise;
    TRY(enter(parser));
    TRY(or_test(parser, node));
    if (at_token(parser, "if")) {
        if (!(made = new_node(parser, NODE_IF, parser->start)))
            return ERROR_MEMORY;
        TRY(python_next(parser));
        TRY(or_test(parser, &condition));
        TRY(expect(parser, "else", "an operator or 'else'"));
        TRY(expression(parser, &otherwise));
        TRY(add_child(parser, made, condition));
        TRY(add_child(parser, made, *node));
        TRY(add_child(parser, made, otherwise));
        *node = made;
    }
    parser->depth--;
    return 0;
}

int python_parse(struct python *python, const char *text, size_t length, struct python_node **node)
{
    struct parser parser = {.python = python, .text = text, .length = length};
    TRY(python_next(&parser));
    TRY(expression(&parser, node));
    return parser.kind == TOKEN_END ? 0 : expected(&parser, "an operator or the end");
}
