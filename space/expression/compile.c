/* Compiles expressions: begins and ends a compilation; grammar.c has the rules between. */
#include <string.h>

#include "expression/compiler.h"

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
    expr->text = source_one_line(arena, first->start, compiler->lexer->consumed);
    if (!places || !expr->text ||
        expression_finish(&compiler->graph, compiler->node, arena, &expr->expression)) /* within the limit */
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

/* Makes CONDITION || NAME == VALUE if the list contains the value, otherwise !CONDITION == (NAME == VALUE). */
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
