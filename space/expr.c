#include "space/expr.h"

#include <string.h>

#include "space/private.h"

/* The code of the expression that is being compiled. Numbers and operators on them alone are evaluated at once. */
struct compiler {
    struct space *space;
    struct lexer *lexer;
    const struct expr_rules *rules;
    struct expr *expr;
    unsigned depth, stack;
    size_t barrier; /* a jump leads here: code before it cannot be folded with code behind it */
    size_t count, constant_count;
    struct instruction code[EXPR_CODE_MAX];
    struct expr_place places[EXPR_CODE_MAX];
    struct value constants[EXPR_CODE_MAX];
};

static const struct operator
{
    int sign;
    int precedence; /* higher binds tighter */
    enum operation operation;
}
operators[] = {
    {PUNCT('|', '|'), 1, OP_OR},
    {PUNCT('&', '&'), 2, OP_AND},
    {'|', 3, OP_BIT_OR},
    {'^', 4, OP_BIT_XOR},
    {'&', 5, OP_BIT_AND},
    {PUNCT('=', '='), 6, OP_EQUAL},
    {PUNCT('!', '='), 6, OP_NOT_EQUAL},
    {'<', 7, OP_LESS},
    {PUNCT('<', '='), 7, OP_LESS_EQUAL},
    {'>', 7, OP_GREATER},
    {PUNCT('>', '='), 7, OP_GREATER_EQUAL},
    {PUNCT('<', '<'), 8, OP_SHIFT_LEFT},
    {PUNCT('>', '>'), 8, OP_SHIFT_RIGHT},
    {'+', 9, OP_ADD},
    {'-', 9, OP_SUBTRACT},
    {'*', 10, OP_MULTIPLY},
    {'/', 10, OP_DIVIDE},
    {'%', 10, OP_REMAINDER},
};

static const struct function {
    const char *name;
    enum operation operation;
    bool binary, folds; /* takes two; takes more by applying itself again */
} functions[] = {
    {"min", OP_MIN, true, true},     {"max", OP_MAX, true, true},   {"ceildiv", OP_CEILDIV, true, false},
    {"log2", OP_LOG2, false, false}, {"abs", OP_ABS, false, false}, {"sizeof", OP_CONSTANT, false, false},
};
const char *const expr_functions[] = {"min", "max", "ceildiv", "log2", "abs", "sizeof"};
const size_t expr_function_count = sizeof expr_functions / sizeof *expr_functions;
_Static_assert(sizeof functions / sizeof *functions == sizeof expr_functions / sizeof *expr_functions,
               "functions[i] is named expr_functions[i]");

static int expression(struct compiler *compiler);

static int token_error(struct compiler *compiler, const struct token *token, const char *message)
{
    return source_error(compiler->lexer->source, token->line, token->column, compiler->lexer->error, ERROR_SYNTAX, "%s",
                        message);
}

static int emit(struct compiler *compiler, const struct token *token, enum operation operation, size_t operand)
{
    if (compiler->count == EXPR_CODE_MAX)
        return token_error(compiler, token, "the expression is too long: more than 1024 operators and operands");
    compiler->places[compiler->count] = (struct expr_place){token->line, token->column};
    compiler->code[compiler->count++] = (struct instruction){(uint16_t)operation, (uint16_t)operand};
    if (operation <= OP_LIMIT && ++compiler->stack > compiler->expr->stack) {
        if (compiler->stack > EXPR_STACK_MAX)
            return token_error(compiler, token,
                               "the expression is too complex: more than 256 values wait for operators");
        compiler->expr->stack = (uint16_t)compiler->stack;
    } else if (operation >= OP_BINARY_FIRST || operation == OP_JUMP_FALSE || operation == OP_AND ||
               operation == OP_OR) {
        compiler->stack--;
    }
    return 0;
}

static int emit_constant(struct compiler *compiler, const struct token *token, struct value value)
{
    if (compiler->constant_count == EXPR_CODE_MAX) /* folding can leave constants that no code uses any more */
        return token_error(compiler, token, "the expression is too long: more than 1024 constants");
    compiler->constants[compiler->constant_count++] = value;
    return emit(compiler, token, OP_CONSTANT, compiler->constant_count - 1);
}

/* Emits an operator on the last one or two values. When these are constants it is applied instead. */
static int emit_operator(struct compiler *compiler, const struct token *token, enum operation operation)
{
    size_t operands = operation >= OP_BINARY_FIRST ? 2 : 1;
    bool constant = compiler->count >= compiler->barrier + operands;
    for (size_t i = 1; constant && i <= operands; i++)
        constant = compiler->code[compiler->count - i].operation == OP_CONSTANT;
    if (!constant)
        return emit(compiler, token, operation, 0);
    struct value result, *a = &compiler->constants[compiler->code[compiler->count - operands].operand];
    struct value *b = &compiler->constants[compiler->code[compiler->count - 1].operand];
    expr_fault fault = operands == 2 ? expr_binary(operation, a, b, &result) : expr_unary(operation, a, &result);
    if (fault) {
        char text[2 * VALUE_TEXT_BYTES + 16];
        expr_operands_text(operation, a, b, text, sizeof text);
        return source_error(compiler->lexer->source, token->line, token->column, compiler->lexer->error, ERROR_VALUE,
                            "%s: %s", fault, text);
    }
    compiler->count -= operands;
    compiler->stack -= (unsigned)operands;
    compiler->constant_count -= operands == 2 && b == &compiler->constants[compiler->constant_count - 1];
    *a = result;
    compiler->stack++;
    compiler->count++;
    return 0;
}

/* Sets the operand of a jump to the place that comes next. */
static void land(struct compiler *compiler, size_t jump)
{
    compiler->code[jump].operand = (uint16_t)compiler->count;
    compiler->barrier = compiler->count;
}

static int expect(struct compiler *compiler, int sign, const char *what)
{
    if (!lexer_at_sign(compiler->lexer, sign))
        return lexer_expected(compiler->lexer, what);
    return lexer_next(compiler->lexer);
}

static int type_size(struct compiler *compiler, const struct token *token)
{
    struct lexer *lexer = compiler->lexer;
    const struct name *name = lexer->token.kind == TOKEN_NAME ? names_find(&compiler->space->private->names,
                                                                           lexer->token.start, lexer->token.length)
                                                              : NULL;
    if (!name || name->kind != NAME_TYPE) {
        const char *near = lexer->token.kind == TOKEN_NAME
                               ? names_nearest(&compiler->space->private->names, lexer->token.start,
                                               lexer->token.length, 1u << NAME_TYPE)
                               : NULL;
        int code = lexer_expected(lexer, "a type");
        if (near)
            error_hint(lexer->error, "did you mean '%s'?", near);
        error_hint(lexer->error, "sizeof takes an element type: sizeof(float)");
        return code;
    }
    TRY(emit_constant(compiler, token, (struct value){.kind = VALUE_INT, .integer = element_types[name->index].bytes}));
    TRY(lexer_next(lexer));
    return expect(compiler, ')', "')'");
}

/* The current token is the '(' behind the function's name, which is `token`. */
static int call(struct compiler *compiler, const struct function *function, const struct token *token)
{
    struct lexer *lexer = compiler->lexer;
    TRY(lexer_next(lexer));
    if (function->operation == OP_CONSTANT)
        return type_size(compiler, token);
    TRY(expression(compiler));
    if (function->binary) {
        do {
            if (!lexer_at_sign(lexer, ',')) {
                int code = lexer_expected(lexer, "','");
                error_hint(lexer->error, "%s takes two%s arguments", function->name, function->folds ? " or more" : "");
                return code;
            }
            TRY(lexer_next(lexer));
            TRY(expression(compiler));
            TRY(emit_operator(compiler, token, function->operation));
        } while (function->folds && lexer_at_sign(lexer, ','));
    } else {
        TRY(emit_operator(compiler, token, function->operation));
    }
    if (!lexer_at_sign(lexer, ')')) {
        int code = lexer_expected(lexer, function->folds ? "',' or ')'" : "')'");
        error_hint(lexer->error, "%s takes %s", function->name,
                   function->folds    ? "two or more arguments"
                   : function->binary ? "two arguments"
                                      : "one argument");
        return code;
    }
    return lexer_next(lexer);
}

static int unknown_name(struct compiler *compiler, const struct token *token, bool called)
{
    const struct expr_rules *rules = compiler->rules;
    unsigned kinds = called ? 1u << NAME_FUNCTION
                            : (rules->parameters ? 1u << NAME_PARAMETER | 1u << NAME_FREE : 0) |
                                  (rules->problems ? 1u << NAME_PROBLEM : 0) | (rules->limits ? 1u << NAME_LIMIT : 0);
    const char *near = names_nearest(&compiler->space->private->names, token->start, token->length, kinds);
    int shown = token->length > SPACE_WORD_MAX ? SPACE_WORD_MAX : (int)token->length;
    int code = source_error(compiler->lexer->source, token->line, token->column, compiler->lexer->error, ERROR_SYNTAX,
                            "unknown %s '%.*s'", called ? "function" : "name", shown, token->start);
    if (near)
        error_hint(compiler->lexer->error, "did you mean '%s'?", near);
    else if (called)
        error_hint(compiler->lexer->error, "the functions are min, max, ceildiv, log2, abs and sizeof");
    else if (rules->parameters)
        error_hint(compiler->lexer->error,
                   "names are parameters, their words, problem sizes and device limits (`cutune devices` lists those)");
    else
        error_hint(compiler->lexer->error, "%s", rules->why);
    return code;
}

static int forbidden_name(struct compiler *compiler, const struct token *token, const struct name *name)
{
    int code = source_error(compiler->lexer->source, token->line, token->column, compiler->lexer->error, ERROR_SYNTAX,
                            "'%s' is %s, which cannot be used in '%s'", name->text, name_kind_text(name->kind),
                            compiler->expr->what);
    error_hint(compiler->lexer->error, "%s",
               name->kind == NAME_BUFFER     ? "a buffer has no value: it is named in `args`"
               : name->kind == NAME_TYPE     ? "the size of a type is written sizeof(TYPE)"
               : name->kind == NAME_FUNCTION ? "a function is followed by its arguments in parentheses"
                                             : compiler->rules->why);
    return code;
}

static int named_value(struct compiler *compiler, const struct token *token)
{
    const struct expr_rules *rules = compiler->rules;
    const struct name *name = names_find(&compiler->space->private->names, token->start, token->length);
    bool called = lexer_at_sign(compiler->lexer, '(');
    if (called && name && name->kind == NAME_FUNCTION)
        return call(compiler, &functions[name->index], token);
    if (called)
        return unknown_name(compiler, token, true);
    if (name && name->word_line && rules->parameters)
        return emit_constant(compiler, token, (struct value){.kind = VALUE_WORD, .word = name->text});
    if (!name || name->kind == NAME_FREE)
        return unknown_name(compiler, token, false);
    switch (name->kind) {
    case NAME_PARAMETER:
        if (!rules->parameters)
            break;
        compiler->expr->parameters |= (uint64_t)1 << name->index;
        return emit(compiler, token, OP_PARAMETER, name->index);
    case NAME_PROBLEM:
        if (!rules->problems)
            break;
        return emit(compiler, token, OP_PROBLEM, name->index);
    case NAME_LIMIT:
        if (!rules->limits)
            break;
        compiler->expr->uses_limits = true;
        return emit(compiler, token, OP_LIMIT, name->index);
    default:
        break;
    }
    return forbidden_name(compiler, token, name);
}

static int primary(struct compiler *compiler)
{
    struct lexer *lexer = compiler->lexer;
    struct token token = lexer->token;
    switch (token.kind) {
    case TOKEN_INT:
        if (token.integer > INT64_MAX)
            return token_error(compiler, &token, "the number is too large for an integer of 64 bits");
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
        TRY(expression(compiler));
        return expect(compiler, ')', "an operator or ')'");
    }
}

/* Every way into recursion passes here. */
static int enter(struct compiler *compiler)
{
    if (++compiler->depth > EXPR_DEPTH_MAX) {
        int code = token_error(compiler, &compiler->lexer->token, "the expression is nested too deeply");
        error_hint(compiler->lexer->error, "at most %d parentheses, signs and `?:` within one another", EXPR_DEPTH_MAX);
        return code;
    }
    return 0;
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
            return emit_operator(compiler, &token, signs[i].operation);
        }
    return primary(compiler);
}

/* Operators of at least this precedence, all left-associative. */
static int binary(struct compiler *compiler, int precedence)
{
    struct lexer *lexer = compiler->lexer;
    TRY(unary(compiler));
    for (;;) {
        const struct operator* found = NULL;
        for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
            if (lexer_at_sign(lexer, operators[i].sign) && operators[i].precedence >= precedence)
                found = &operators[i];
        if (!found)
            return 0;
        struct token token = lexer->token;
        size_t jump = compiler->count;
        bool shortcut = found->operation == OP_AND || found->operation == OP_OR;
        if (shortcut)
            TRY(emit(compiler, &token, found->operation, 0));
        TRY(lexer_next(lexer));
        TRY(binary(compiler, found->precedence + 1));
        if (shortcut) {
            TRY(emit(compiler, &token, OP_TRUTH, 0));
            land(compiler, jump);
        } else {
            TRY(emit_operator(compiler, &token, found->operation));
        }
    }
}

static int expression(struct compiler *compiler)
{
    struct lexer *lexer = compiler->lexer;
    TRY(enter(compiler));
    TRY(binary(compiler, 1));
    if (lexer_at_sign(lexer, '?')) {
        struct token token = lexer->token;
        size_t otherwise = compiler->count;
        TRY(emit(compiler, &token, OP_JUMP_FALSE, 0));
        TRY(lexer_next(lexer));
        TRY(expression(compiler));
        size_t end = compiler->count;
        TRY(emit(compiler, &token, OP_JUMP, 0));
        TRY(expect(compiler, ':', "an operator or the ':' of '?'"));
        land(compiler, otherwise);
        compiler->stack--; /* only one of the two values will be there */
        TRY(expression(compiler));
        land(compiler, end);
    }
    compiler->depth--;
    return 0;
}

/* The expression's text with every run of white space and continued lines as one space. */
static char *one_line(struct arena *arena, const char *start, const char *end)
{
    char *copy = arena_copy(arena, start, (size_t)(end - start)), *out = copy;
    if (!copy)
        return NULL;
    for (const char *at = copy; *at; at++) {
        if (!strchr(" \t\r\n\\", *at))
            *out++ = *at;
        else if (out > copy && out[-1] != ' ')
            *out++ = ' ';
    }
    while (out > copy && out[-1] == ' ')
        out--;
    *out = '\0';
    return copy;
}

int expr_compile(struct space *space, struct lexer *lexer, const struct expr_rules *rules, const char *what,
                 const struct expr **result, struct error *error)
{
    struct compiler compiler;
    struct arena *arena = &space->arena;
    struct expr *expr = arena_alloc(arena, sizeof *expr);
    if (!expr)
        return error_memory(error);
    struct token first = lexer->token;
    expr->what = what;
    expr->line = first.line;
    expr->column = first.column;
    expr->source = lexer->source;
    compiler.space = space;
    compiler.lexer = lexer;
    compiler.rules = rules;
    compiler.expr = expr;
    compiler.depth = compiler.stack = 0;
    compiler.barrier = compiler.count = compiler.constant_count = 0;
    TRY(expression(&compiler));
    struct instruction *code = arena_array(arena, compiler.count, sizeof *code);
    struct expr_place *places = arena_array(arena, compiler.count, sizeof *places);
    struct value *constants = arena_array(arena, compiler.constant_count, sizeof *constants);
    expr->text = one_line(arena, first.start, lexer->consumed);
    if (!code || !places || !constants || !expr->text)
        return error_memory(error);
    memcpy(code, compiler.code, compiler.count * sizeof *code);
    memcpy(places, compiler.places, compiler.count * sizeof *places);
    memcpy(constants, compiler.constants, compiler.constant_count * sizeof *constants);
    expr->code = code;
    expr->places = places;
    expr->constants = constants;
    expr->code_count = (uint16_t)compiler.count;
    *result = expr;
    return 0;
}
