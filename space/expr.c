#include <string.h>

#include "space/compiler.h"
#include "space/effects.h"
#include "space/precedence.h"

static const struct binary_operator {
    int sign;
    int precedence; /* higher binds tighter */
    enum operation operation;
} operators[] = {
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
enum { IN_PRECEDENCE = 7 };

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

int compiler_expect(struct compiler *compiler, int sign, const char *what)
{
    if (!lexer_at_sign(compiler->lexer, sign))
        return lexer_expected(compiler->lexer, what);
    return lexer_next(compiler->lexer);
}

/* Every recursive rule calls this first. */
static int enter(struct compiler *compiler)
{
    if (++compiler->depth > EXPR_DEPTH_MAX) {
        int code = compiler_error(compiler, &compiler->lexer->token, "the expression is nested too deeply");
        error_hint(compiler->lexer->error, "nest at most %d parentheses, signs, `?:` and `=>`", EXPR_DEPTH_MAX);
        return code;
    }
    return 0;
}

/* Recognises `=` for `==`, and what Python writes in another way than C, at the current token, and records an error. */
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
            return emit_operator(compiler, &token, signs[i].operation);
        }
    if (is_foreign(compiler))
        return ERROR_SYNTAX;
    TRY(compile_primary(compiler));
    compiler->shape = shape_operand(compiler, &token);
    return 0;
}

static int binary(struct compiler *compiler, int precedence);

/* Compiles `&&`, `||`, and `=>`, whose left side has been negated. The right side is evaluated only if the left one
 * does not decide. The operator is the current token. */
static int shortcut(struct compiler *compiler, enum operation operation, int precedence)
{
    struct token token = compiler->lexer->token;
    size_t jump = compiler->count;
    TRY(emit(compiler, &token, operation, 0));
    TRY(lexer_next(compiler->lexer));
    TRY(precedence ? binary(compiler, precedence) : compile_expression(compiler));
    TRY(emit(compiler, &token, OP_TRUTH, 0));
    emit_land(compiler, jump);
    return 0;
}

/* Compiles operators of at least this precedence, all left-associative. */
static int binary(struct compiler *compiler, int precedence)
{
    struct lexer *lexer = compiler->lexer;
    TRY(unary(compiler));
    for (;;) {
        const struct binary_operator *found = NULL;
        struct token token = lexer->token;
        struct shape left = compiler->shape, right;
        if (is_foreign(compiler))
            return ERROR_SYNTAX;
        if (precedence <= IN_PRECEDENCE && lexer_at_word(lexer, "in")) {
            TRY(lexer_next(lexer));
            right = (struct shape){.start = lexer->token.start, .operation = OP_COUNT};
            TRY(compile_set(compiler, &token));
            right.end = lexer->consumed;
            TRY(shape_binary(compiler, &token, OP_IN, &left, &right));
            compiler->shape = left;
            continue;
        }
        for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
            if (lexer_at_sign(lexer, operators[i].sign) && operators[i].precedence >= precedence)
                found = &operators[i];
        if (!found)
            return 0;
        if (found->operation == OP_AND || found->operation == OP_OR) {
            TRY(shortcut(compiler, found->operation, found->precedence + 1));
            TRY(shape_binary(compiler, &token, found->operation, &left, &compiler->shape));
            compiler->shape = left;
            continue;
        }
        TRY(lexer_next(lexer));
        TRY(binary(compiler, found->precedence + 1));
        right = compiler->shape;
        TRY(shape_binary(compiler, &token, found->operation, &left, &right));
        compiler->shape = left;
        TRY(emit_operator(compiler, &token, found->operation));
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
        size_t otherwise = compiler->count;
        TRY(emit(compiler, &token, OP_JUMP_FALSE, 0));
        TRY(lexer_next(lexer));
        TRY(compile_expression(compiler));
        const struct shape then = compiler->shape;
        size_t end = compiler->count;
        TRY(emit(compiler, &token, OP_JUMP, 0));
        TRY(compiler_expect(compiler, ':', "an operator or the ':' of '?'"));
        emit_land(compiler, otherwise);
        compiler->stack--; /* only one of both values will exist */
        TRY(conditional(compiler));
        emit_land(compiler, end);
        TRY(shape_conditional(compiler, &token, &shape, &then, &compiler->shape));
        compiler->shape = shape;
    }
    compiler->depth--;
    return 0;
}

int compile_expression(struct compiler *compiler)
{
    TRY(conditional(compiler));
    const struct token token = compiler->lexer->token;
    struct shape left = compiler->shape;
    if (!lexer_at_sign(compiler->lexer, PUNCT('=', '>')))
        return 0;
    TRY(enter(compiler));
    TRY(emit_operator(compiler, &token, OP_NOT));
    TRY(shortcut(compiler, OP_OR, 0));
    TRY(shape_implication(compiler, &token, &left, &compiler->shape));
    compiler->shape = left;
    compiler->depth--;
    return 0;
}

const char *expr_one_line(struct arena *arena, const char *start, const char *end)
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

static int start(struct compiler *compiler, struct space *space, struct lexer *lexer, const struct expr_rules *rules,
                 const char *what)
{
    struct expr *expr = arena_alloc(&space->arena, sizeof *expr);
    if (!expr)
        return error_memory(lexer->error);
    expr->what = what;
    expr->line = lexer->token.line;
    expr->column = lexer->token.column;
    expr->source = lexer->source;
    compiler->space = space;
    compiler->lexer = lexer;
    compiler->rules = rules;
    compiler->expr = expr;
    compiler->depth = compiler->stack = 0;
    compiler->barrier = compiler->count = compiler->constant_count = 0;
    return 0;
}

/* `first`: the expression's first token. */
static int finish(struct compiler *compiler, const struct token *first, const struct expr **result)
{
    struct arena *arena = &compiler->space->arena;
    struct expr *expr = compiler->expr;
    struct instruction *code = arena_array(arena, compiler->count, sizeof *code);
    struct expr_place *places = arena_array(arena, compiler->count, sizeof *places);
    struct value *constants = arena_array(arena, compiler->constant_count, sizeof *constants);
    expr->text = expr_one_line(arena, first->start, compiler->lexer->consumed);
    if (!code || !places || !constants || !expr->text)
        return error_memory(compiler->lexer->error);
    memcpy(code, compiler->code, compiler->count * sizeof *code);
    memcpy(places, compiler->places, compiler->count * sizeof *places);
    memcpy(constants, compiler->constants, compiler->constant_count * sizeof *constants);
    expr->code = code;
    expr->places = places;
    expr->constants = constants;
    expr->code_count = (uint16_t)compiler->count;
    *result = expr;
    return 0;
}

int expr_compile(struct space *space, struct lexer *lexer, const struct expr_rules *rules, const char *what,
                 const struct expr **result)
{
    struct compiler compiler;
    struct token first = lexer->token;
    TRY(start(&compiler, space, lexer, rules, what));
    TRY(compile_expression(&compiler));
    effects_of_expression(space, compiler.expr);
    return finish(&compiler, &first, result);
}

int expr_compile_made(struct space *space, const char *text, const struct expr *place, const char *what,
                      const struct expr **expr, struct error *error)
{
    static const struct expr_rules rules = {true, true, true, true, NULL};
    struct source_text *source = arena_alloc(&space->arena, sizeof *source);
    struct lexer lexer;
    if (!source || !text)
        return error_memory(error);
    *source = (struct source_text){.text = text,
                                   .length = strlen(text),
                                   .origin = place->source,
                                   .origin_line = place->line,
                                   .origin_column = place->column};
    lexer_start(&lexer, source, error);
    TRY(lexer_next(&lexer));
    return expr_compile(space, &lexer, &rules, what, expr);
}

int expr_compile_when(struct space *space, struct lexer *lexer, size_t parameter, const struct value *otherwise,
                      bool listed, const struct expr **result)
{
    static const struct expr_rules rules = {true, true, true, true, NULL};
    struct compiler compiler;
    struct token first = lexer->token;
    TRY(start(&compiler, space, lexer, &rules, "when"));
    TRY(compile_expression(&compiler));
    if (compiler.expr->parameters >> parameter & 1u) {
        int code = compiler_error(&compiler, &first, "the condition names the parameter itself");
        error_hint(lexer->error, "the condition may use other parameters, problem sizes and device limits");
        return code;
    }
    size_t jump = compiler.count;
    if (listed) { /* CONDITION || NAME == VALUE */
        TRY(emit(&compiler, &first, OP_OR, 0));
        TRY(emit(&compiler, &first, OP_PARAMETER, parameter));
        TRY(emit_constant(&compiler, &first, *otherwise));
        TRY(emit_operator(&compiler, &first, OP_EQUAL));
        TRY(emit(&compiler, &first, OP_TRUTH, 0));
        emit_land(&compiler, jump);
    } else { /* !CONDITION == (NAME == VALUE) */
        TRY(emit_operator(&compiler, &first, OP_NOT));
        TRY(emit(&compiler, &first, OP_PARAMETER, parameter));
        TRY(emit_constant(&compiler, &first, *otherwise));
        TRY(emit(&compiler, &first, OP_EQUAL, 0));
        TRY(emit(&compiler, &first, OP_EQUAL, 0));
    }
    compiler.expr->parameters |= (uint64_t)1 << parameter;
    return finish(&compiler, &first, result);
}
