/* The grammar of expressions: operators by precedence, operands, calls and sets. */
#include <stdlib.h>
#include <string.h>

#include "expression/c_type.h"
#include "expression/compiler.h"
#include "expression/precedence.h"

const struct expr_operators expr_operators[] = {
    {"- ! ~", "sign, logical not, complement of all bits"},
    {"* / %", "product, quotient (of integers, rounded towards zero), remainder"},
    {"+ -", "sum, difference"},
    {"<< >>", "shifts"},
    {"< <= > >= in", "comparisons; `A in {1, 2, 8..64 step 8}` is 1 if the set contains A"},
    {"== !=", "equal, not equal; words may be compared, too"},
    {"&", "and of all bits"},
    {"^", "exclusive or of all bits"},
    {"|", "or of all bits"},
    {"&&", "logical and; evaluates the right side only if the left one is not 0"},
    {"||", "logical or; evaluates the right side only if the left one is 0"},
    {"?:", "`A ? B : C` is B if A is not 0, else C"},
    {"=>", "`A => B` is 1 if A is 0 or B is not 0; groups to the right"},
};
const size_t expr_operators_count = sizeof expr_operators / sizeof *expr_operators;

const struct expr_function expr_functions[] = {
    {"min", "min(A, B, ...)", "the least of two or more numbers", OP_MIN},
    {"max", "max(A, B, ...)", "the greatest of two or more numbers", OP_MAX},
    {"ceildiv", "ceildiv(A, B)", "A divided by B, rounded up", OP_CEILDIV},
    {"gcd", "gcd(A, B, ...)", "the greatest common divisor of two or more integers", OP_GCD},
    {"lcm", "lcm(A, B, ...)", "the least common multiple of two or more integers", OP_LCM},
    {"log2", "log2(A)", "the logarithm to base 2: an integer for a power of two, else a float", OP_LOG2},
    {"is_pow2", "is_pow2(A)", "1 if A is a power of two, else 0", OP_IS_POW2},
    {"abs", "abs(A)", "the absolute value", OP_ABS},
    {"sizeof", "sizeof(TYPE)", "the bytes of an element type", OP_CONSTANT},
};
const size_t expr_function_count = sizeof expr_functions / sizeof *expr_functions;

/* Skips a required sign. */
static int compiler_expect(struct compiler *compiler, int sign, const char *what)
{
    if (!lexer_at_sign(compiler->lexer, sign))
        return lexer_expected(compiler->lexer, what);
    return lexer_next(compiler->lexer);
}

/* Every recursive rule calls this first. */
/* ---- Operands ---- */

static int type_size(struct compiler *compiler, const struct token *token)
{
    struct lexer *lexer = compiler->lexer;
    const struct name *name = lexer->token.kind == TOKEN_NAME ? names_find(&compiler->space->private->names,
                                                                           lexer->token.start, lexer->token.length)
                                                              : NULL;
    TRY(c_type_refuse(compiler->space, lexer));
    if (!name || name->kind != NAME_TYPE) {
        const char *near = lexer->token.kind == TOKEN_NAME
                               ? names_nearest(&compiler->space->private->names, lexer->token.start,
                                               lexer->token.length, 1u << NAME_TYPE)
                               : NULL;
        int code = lexer_expected(lexer, "a type");
        if (near)
            error_hint(lexer->error, "did you mean '%s'?", near);
        const char *types = element_type_names(&compiler->space->arena);
        error_hint(lexer->error, "sizeof takes an element type: %s", types ? types : "sizeof(float)");
        return code;
    }
    TRY(emit_constant(compiler, token, (struct value){.kind = VALUE_INT, .integer = element_types[name->index].bytes}));
    TRY(lexer_next(lexer));
    return compiler_expect(compiler, ')', "')'");
}

/* Compiles a call. The current token is the '(' behind the function's name, `token`. */
static int call(struct compiler *compiler, const struct expr_function *function, const struct token *token)
{
    struct lexer *lexer = compiler->lexer;
    const bool folds = operation_rows[function->operation].notation == NOTATION_FOLD;
    const bool two = operation_rows[function->operation].operands == 2;
    TRY(lexer_next(lexer));
    if (function->operation == OP_CONSTANT)
        return type_size(compiler, token);
    TRY(compile_expression(compiler));
    if (two) {
        do {
            if (!lexer_at_sign(lexer, ',')) {
                int code = lexer_expected(lexer, "','");
                error_hint(lexer->error, "%s takes two%s arguments", function->name, folds ? " or more" : "");
                return code;
            }
            const uint32_t left = compiler->node;
            TRY(lexer_next(lexer));
            TRY(compile_expression(compiler));
            TRY(emit_operator(compiler, token, function->operation, left));
        } while (folds && lexer_at_sign(lexer, ','));
    } else {
        TRY(emit_operator(compiler, token, function->operation, 0));
    }
    if (!lexer_at_sign(lexer, ')')) {
        int code = lexer_expected(lexer, folds ? "',' or ')'" : "')'");
        error_hint(lexer->error, "%s takes %s", function->name,
                   folds ? "two or more arguments"
                   : two ? "two arguments"
                         : "one argument");
        return code;
    }
    return lexer_next(lexer);
}

static int unknown_name(struct compiler *compiler, const struct token *token, bool called)
{
    const struct expr_rules *rules = compiler->rules;
    unsigned kinds = called ? 1u << NAME_FUNCTION
                            : (rules->parameters ? 1u << NAME_PARAMETER | 1u << NAME_COUNTER | 1u << NAME_FREE : 0) |
                                  1u << NAME_LET | (rules->problems ? 1u << NAME_PROBLEM : 0) |
                                  (rules->limits ? 1u << NAME_LIMIT : 0);
    const char *near = names_nearest(&compiler->space->private->names, token->start, token->length, kinds);
    int shown = token->length > SPACE_WORD_MAX ? SPACE_WORD_MAX : (int)token->length;
    int code = source_error(compiler->lexer->source, token->line, token->column, compiler->lexer->error, ERROR_SYNTAX,
                            "unknown %s '%.*s'", called ? "function" : "name", shown, token->start);
    if (near)
        error_hint(compiler->lexer->error, "did you mean '%s'?", near);
    else if (called)
        error_hint(compiler->lexer->error, "the functions are min, max, ceildiv, gcd, lcm, log2, is_pow2, abs and "
                                           "sizeof");
    else
        error_hint(compiler->lexer->error, "%s",
                   rules->why ? rules->why
                              : "names are parameters, their words, problem sizes, names from `let` and device limits "
                                "(`cutune devices` lists those)");
    return code;
}

static int forbidden_name(struct compiler *compiler, const struct token *token, const struct name *name)
{
    int code = source_error(compiler->lexer->source, token->line, token->column, compiler->lexer->error, ERROR_SYNTAX,
                            "'%s' is %s, which cannot be used in '%s'", name->text, name_kind_text(name->kind),
                            compiler->expr->what);
    error_hint(compiler->lexer->error, "%s",
               name->kind == NAME_BUFFER       ? "a buffer has no value: name it in `args`"
               : name->kind == NAME_TEXTURE    ? "a texture has no value: name it in `args`"
               : name->kind == NAME_SURFACE    ? "a surface has no value: name it in `args`"
               : name->kind == NAME_TENSOR_MAP ? "a tensor map has no value: name it in `args`"
               : name->kind == NAME_CHUNK && !compiler->rules->why
                   ? "`args` passes both, with a type; other statements may name chunk_length, of a space whose "
                     "`pipeline` has a split"
               : name->kind == NAME_TYPE     ? "write the size of a type as sizeof(TYPE)"
               : name->kind == NAME_FUNCTION ? "write a function's arguments in parentheses behind it"
                                             : compiler->rules->why);
    return code;
}

/* A name from `let` may occur wherever all names in its expression may. */
static int let_value(struct compiler *compiler, const struct token *token, const struct name *name)
{
    const struct expr_rules *rules = compiler->rules;
    const struct expr *named = compiler->space->private->lets[name->index];
    const char *with = (named->parameters || named->uses_words) && !rules->parameters ? "a parameter or a word"
                       : named->uses_problems && !rules->problems                     ? "a problem size"
                       : named->uses_limits && !rules->limits                         ? "a device limit"
                                                                                      : NULL;
    if (!with)
        return emit_inline(compiler, token, named);
    int code = source_error(compiler->lexer->source, token->line, token->column, compiler->lexer->error, ERROR_SYNTAX,
                            "'%s' is a named expression with %s, which cannot be used in '%s'", name->text, with,
                            compiler->expr->what);
    error_hint(compiler->lexer->error, "%s", rules->why);
    return code;
}

static int named_value(struct compiler *compiler, const struct token *token)
{
    const struct expr_rules *rules = compiler->rules;
    struct name *name = names_find(&compiler->space->private->names, token->start, token->length);
    bool called = lexer_at_sign(compiler->lexer, '(');
    if (called && name && name->kind == NAME_FUNCTION)
        return call(compiler, &expr_functions[name->index], token);
    if (called)
        return unknown_name(compiler, token, true);
    if (name && name->word_line && rules->parameters) {
        compiler->expr->uses_words = true;
        return emit_constant(compiler, token, (struct value){.kind = VALUE_WORD, .word = name->text});
    }
    if (!name || name->kind == NAME_FREE || name->kind == NAME_FAULTY)
        return unknown_name(compiler, token, false);
    name->used = true;
    switch (name->kind) {
    case NAME_PARAMETER:
        if (!rules->parameters)
            break;
        return emit_name(compiler, token, EXPR_PARAMETER, name->index);
    case NAME_PROBLEM:
        if (!rules->problems)
            break;
        compiler->expr->uses_problems = true;
        return emit_name(compiler, token, EXPR_PROBLEM, name->index);
    case NAME_LIMIT:
        if (!rules->limits)
            break;
        compiler->expr->uses_limits = true;
        return emit_name(compiler, token, EXPR_LIMIT, name->index);
    case NAME_COUNTER:
        if (!rules->parameters)
            break;
        compiler->expr->counters |= 1u << name->index;
        return emit_name(compiler, token, EXPR_COUNTER, name->index);
    case NAME_CHUNK:
        if (!rules->chunk || name->index != ARGUMENT_CHUNK_LENGTH || !compiler->space->private->chunk_length)
            break;
        return emit_inline(compiler, token, compiler->space->private->chunk_length);
    case NAME_LET:
        return let_value(compiler, token, name);
    case NAME_TRUTH:
        return emit_constant(compiler, token, (struct value){.kind = VALUE_INT, .integer = name->index});
    default:
        break;
    }
    return forbidden_name(compiler, token, name);
}

static int compile_primary(struct compiler *compiler)
{
    struct lexer *lexer = compiler->lexer;
    struct token token = lexer->token;
    switch (token.kind) {
    case TOKEN_INT:
        if (token.integer > INT64_MAX)
            return compiler_error(compiler, &token, "the number is too large for an integer of 64 bits");
        TRY(lexer_next(lexer));
        return emit_constant(compiler, &token, (struct value){.kind = VALUE_INT, .integer = (int64_t)token.integer});
    case TOKEN_FLOAT:
        TRY(lexer_next(lexer));
        return emit_constant(compiler, &token, (struct value){.kind = VALUE_FLOAT, .real = token.real});
    case TOKEN_NAME:
        TRY(lexer_next(lexer));
        return named_value(compiler, &token);
    default:
        if (!lexer_at_sign(lexer, '('))
            return lexer_expected(lexer, "a value");
        TRY(lexer_next(lexer));
        TRY(compile_expression(compiler));
        return compiler_expect(compiler, ')', "an operator or ')'");
    }
}

/* ---- The braces of an `in` ---- */

struct set_items {
    struct value_set_item *items;
    size_t count, capacity;
};

static int add_item(struct compiler *compiler, struct set_items *list, const struct value_set_item *item)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 16;
        struct value_set_item *items = realloc(list->items, capacity * sizeof *items);
        if (!items)
            return error_memory(compiler->lexer->error);
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = *item;
    return 0;
}

static int set_word(struct compiler *compiler, struct value *value)
{
    struct token token = compiler->lexer->token;
    const struct name *name = names_find(&compiler->space->private->names, token.start, token.length);
    if (name && (name->word_line || name->kind == NAME_TRUTH)) {
        *value = name->kind == NAME_TRUTH ? (struct value){.kind = VALUE_INT, .integer = name->index}
                                          : (struct value){.kind = VALUE_WORD, .word = name->text};
        return lexer_next(compiler->lexer);
    }
    int shown = token.length > SPACE_WORD_MAX ? SPACE_WORD_MAX : (int)token.length;
    const char *near = names_nearest(&compiler->space->private->names, token.start, token.length, 1u << NAME_FREE);
    int code = source_error(compiler->lexer->source, token.line, token.column, compiler->lexer->error, ERROR_SYNTAX,
                            "'%.*s' is a value of no parameter", shown, token.start);
    if (near)
        error_hint(compiler->lexer->error, "did you mean '%s'?", near);
    else
        error_hint(compiler->lexer->error, "braces contain numbers, ranges (8..64 step 8, 1..64 times 2) and words");
    return code;
}

static int set_item(struct compiler *compiler, struct set_items *list)
{
    struct lexer *lexer = compiler->lexer;
    struct token token = lexer->token;
    struct value_set_item item = {.one = true};
    if (token.kind == TOKEN_NAME)
        TRY(set_word(compiler, &item.value));
    else
        TRY(list_number(lexer, &item.value));
    item.one = !lexer_at_sign(lexer, PUNCT('.', '.'));
    if (!item.one) {
        TRY(list_range(lexer, &token, &item.value, &item.range));
        if (item.range.times) { /* few: they at least double */
            item.one = true;
            do
                TRY(add_item(compiler, list, &item));
            while (list_range_next(&item.range, &item.value.integer));
            return 0;
        }
    }
    return add_item(compiler, list, &item);
}

static int set_items(struct compiler *compiler, struct set_items *list)
{
    for (;;) {
        TRY(set_item(compiler, list));
        if (!lexer_at_sign(compiler->lexer, ','))
            return compiler_expect(compiler, '}', "',' or '}'");
        TRY(lexer_next(compiler->lexer));
    }
}

/* Compiles the set of an `in`. The current token is the '{'; the last node is the left operand of the `in`. */
static int compile_set(struct compiler *compiler, const struct token *in)
{
    struct arena *arena = &compiler->space->arena;
    struct set_items list = {0};
    int code = compiler_expect(compiler, '{', "'{'");
    if (!code)
        code = set_items(compiler, &list);
    error_hint(code ? compiler->lexer->error : NULL, "for example: TILE in {16, 32, 64..256 step 64}");
    if (!code) {
        struct value_set *set = arena_alloc(arena, sizeof *set);
        struct value_set_item *items = arena_array(arena, list.count, sizeof *items);
        if (set && items) {
            memcpy(items, list.items, list.count * sizeof *items);
            *set = (struct value_set){list.count, items};
            code = emit_constant(compiler, in, (struct value){.kind = VALUE_SET, .set = set});
        } else {
            code = error_memory(compiler->lexer->error);
        }
    }
    free(list.items);
    return code;
}

/* ---- Operators ---- */

static int enter(struct compiler *compiler)
{
    if (++compiler->depth > EXPR_DEPTH_MAX) {
        int code = compiler_error(compiler, &compiler->lexer->token, "the expression is nested too deeply");
        error_hint(compiler->lexer->error, "nest at most %d parentheses, signs, `?:` and `=>`", EXPR_DEPTH_MAX);
        return code;
    }
    return 0;
}

/* Records an error for `=` in place of `==`, and for Python's operators, at the current token. */
static bool is_foreign(struct compiler *compiler)
{
    static const struct {
        const char *text, *instead;
    } rows[] = {{"and", "write A && B"},
                {"or", "write A || B"},
                {"not", "write !A; for `not in`, !(A in {...})"},
                {"is", "write A == B"},
                {"if", "write CONDITION ? A : B"},
                {"True", "write true"},
                {"False", "write false"},
                {"**", "write a product, or 1 << N for a power of 2"}};
    const struct lexer *lexer = compiler->lexer;
    const struct token token = lexer->token;
    if (lexer_at_sign(lexer, '=')) {
        compiler_error(compiler, &token, "'=' gives a name its value, and '==' compares");
        error_hint(lexer->error, "write A == B");
        return true;
    }
    const struct name *name = names_find(&compiler->space->private->names, token.start, token.length);
    if (token.kind != TOKEN_SIGN &&
        (token.kind != TOKEN_NAME || (name && (name->kind != NAME_FREE || name->word_line))))
        return false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t length = strlen(rows[i].text);
        if (token.kind == TOKEN_NAME ? !lexer_at_word(lexer, rows[i].text)
                                     : strncmp(token.start, rows[i].text, length) != 0)
            continue;
        source_error(lexer->source, token.line, token.column, lexer->error, ERROR_SYNTAX,
                     "'%s' is Python, and expressions are written as in C", rows[i].text);
        error_hint(lexer->error, "%s", rows[i].instead);
        return true;
    }
    return false;
}

static int unary(struct compiler *compiler)
{
    static const struct {
        int sign;
        enum operation operation;
    } signs[] = {{'-', OP_NEGATE}, {'!', OP_NOT}, {'~', OP_COMPLEMENT}};
    struct token token = compiler->lexer->token;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (lexer_at_sign(compiler->lexer, signs[i].sign)) {
            TRY(lexer_next(compiler->lexer));
            TRY(enter(compiler));
            TRY(unary(compiler));
            compiler->depth--;
            TRY(shape_unary(compiler, &token, signs[i].operation, &compiler->shape));
            return emit_operator(compiler, &token, signs[i].operation, 0);
        }
    if (is_foreign(compiler))
        return ERROR_SYNTAX;
    TRY(compile_primary(compiler));
    compiler->shape = shape_operand(compiler, &token);
    return 0;
}

/* Returns the binary operation of a sign or `in` at the current token; OP_COUNT: not a binary operator. */
static enum operation operation_at(const struct lexer *lexer)
{
    for (enum operation i = OP_BINARY_FIRST; i < OP_CHOOSE; i++) {
        const struct operation_row *row = &operation_rows[i];
        const char *sign = row->text;
        if (row->precedence && (i == OP_IN ? lexer_at_word(lexer, sign)
                                           : lexer_at_sign(lexer, sign[1] ? PUNCT(sign[0], sign[1]) : sign[0])))
            return i;
    }
    return OP_COUNT;
}

/* Compiles operators of at least this precedence, all left-associative. */
static int binary(struct compiler *compiler, int precedence)
{
    struct lexer *lexer = compiler->lexer;
    TRY(unary(compiler));
    for (;;) {
        struct token token = lexer->token;
        struct shape left_shape = compiler->shape, right;
        const uint32_t left = compiler->node;
        if (is_foreign(compiler))
            return ERROR_SYNTAX;
        const enum operation operation = operation_at(lexer);
        if (operation == OP_COUNT || operation_rows[operation].precedence < precedence)
            return 0;
        TRY(lexer_next(lexer));
        if (operation == OP_IN) {
            right = (struct shape){.start = lexer->token.start, .operation = OP_COUNT};
            TRY(compile_set(compiler, &token));
            right.end = lexer->consumed;
        } else {
            TRY(binary(compiler, operation_rows[operation].precedence + 1));
            right = compiler->shape;
        }
        TRY(shape_binary(compiler, &token, operation, &left_shape, &right));
        compiler->shape = left_shape;
        TRY(operation >= OP_AND ? emit_node(compiler, &token, operation, left, compiler->node)
                                : emit_operator(compiler, &token, operation, left));
    }
}

static int conditional(struct compiler *compiler)
{
    struct lexer *lexer = compiler->lexer;
    TRY(enter(compiler));
    TRY(binary(compiler, 1));
    if (lexer_at_sign(lexer, '?')) {
        struct token token = lexer->token;
        struct shape shape = compiler->shape;
        const uint32_t condition = compiler->node;
        TRY(lexer_next(lexer));
        TRY(compile_expression(compiler));
        const struct shape then_shape = compiler->shape;
        const uint32_t then = compiler->node;
        TRY(compiler_expect(compiler, ':', "an operator or the ':' of '?'"));
        TRY(conditional(compiler));
        TRY(shape_conditional(compiler, &token, &shape, &then_shape, &compiler->shape));
        compiler->shape = shape;
        TRY(emit_node(compiler, &token, OP_CHOOSE, condition, then));
    }
    compiler->depth--;
    return 0;
}

int compile_expression(struct compiler *compiler)
{
    TRY(conditional(compiler));
    const struct token token = compiler->lexer->token;
    struct shape left_shape = compiler->shape;
    if (!lexer_at_sign(compiler->lexer, PUNCT('=', '>')))
        return 0;
    TRY(enter(compiler));
    TRY(emit_operator(compiler, &token, OP_NOT, 0));
    const uint32_t left = compiler->node;
    TRY(lexer_next(compiler->lexer));
    TRY(compile_expression(compiler));
    TRY(shape_implication(compiler, &token, &left_shape, &compiler->shape));
    compiler->shape = left_shape;
    compiler->depth--;
    return emit_node(compiler, &token, OP_OR, left, compiler->node);
}
