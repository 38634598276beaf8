#include <string.h>

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
            return emit_operator(compiler, &token, signs[i].operation, 0);
        }
    if (is_foreign(compiler))
        return ERROR_SYNTAX;
    TRY(compile_primary(compiler));
    compiler->shape = shape_operand(compiler, &token);
    return 0;
}

/* The operation of a sign or `in` between two values, at the current token; OP_COUNT: there is none. */
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
    compiler->depth = 0;
    compiler->count = 0;
    compiler->graph = (struct expression_graph){0};
    return 0;
}

/* Makes the expression of the last node. `first`: its first token. */
static int finish(struct compiler *compiler, const struct token *first, const struct expr **result)
{
    struct arena *arena = &compiler->space->arena;
    struct expr *expr = compiler->expr;
    struct expr_place *places = arena_array(arena, compiler->count, sizeof *places);
    expr->text = expr_one_line(arena, first->start, compiler->lexer->consumed);
    if (!places || !expr->text ||
        expression_finish(&compiler->graph, compiler->node, arena, &expr->expression)) /* it is short enough */
        return error_memory(compiler->lexer->error);
    memcpy(places, compiler->places, compiler->count * sizeof *places);
    expr->places = places;
    expr->part_count = compiler->count;
    expr->parameters = expr_root(expr)->names;
    *result = expr;
    return 0;
}

/* Notes the parameters of an expression in the space's text, unless its statement only restricts the valid set or
 * affects how results are shown. */
static void note_effects(struct space *space, const struct expr *expr)
{
    /* A `let` counts at its uses, a `define` at its uses in the source. References and accept kernels get the default
     * configuration. */
    static const char *const without[] = {"require", "when",  "let",  "define",    "default",
                                          "bytes",   "flops", "work", "reference", "accept"};
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        if (strcmp(expr->what, without[i]) == 0)
            return;
    if (!space->private->sources_read) /* later expressions are derived from these */
        space->private->effective |= expr->parameters;
}

int expr_compile(struct space *space, struct lexer *lexer, const struct expr_rules *rules, const char *what,
                 const struct expr **result)
{
    struct compiler compiler;
    struct token first = lexer->token;
    TRY(start(&compiler, space, lexer, rules, what));
    int code = compile_expression(&compiler);
    code = code ? code : finish(&compiler, &first, result);
    expression_graph_free(&compiler.graph);
    if (!code)
        note_effects(space, *result);
    return code;
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

/* CONDITION || NAME == VALUE if the list has the value, too; otherwise !CONDITION == (NAME == VALUE). */
static int compile_when(struct compiler *compiler, const struct token *first, size_t parameter,
                        const struct value *otherwise, bool listed)
{
    TRY(compile_expression(compiler));
    if (compiler->graph.nodes[compiler->node].names >> parameter & 1u) {
        int code = compiler_error(compiler, first, "the condition names the parameter itself");
        error_hint(compiler->lexer->error, "the condition may use other parameters, problem sizes and device limits");
        return code;
    }
    if (!listed)
        TRY(emit_operator(compiler, first, OP_NOT, 0));
    const uint32_t condition = compiler->node;
    TRY(emit_name(compiler, first, EXPR_PARAMETER, parameter));
    const uint32_t name = compiler->node;
    TRY(emit_constant(compiler, first, *otherwise));
    TRY(emit_node(compiler, first, OP_EQUAL, name, compiler->node));
    return emit_node(compiler, first, listed ? OP_OR : OP_EQUAL, condition, compiler->node);
}

int expr_compile_when(struct space *space, struct lexer *lexer, size_t parameter, const struct value *otherwise,
                      bool listed, const struct expr **result)
{
    static const struct expr_rules rules = {true, true, true, true, NULL};
    struct compiler compiler;
    struct token first = lexer->token;
    TRY(start(&compiler, space, lexer, &rules, "when"));
    int code = compile_when(&compiler, &first, parameter, otherwise, listed);
    code = code ? code : finish(&compiler, &first, result);
    expression_graph_free(&compiler.graph);
    return code;
}
