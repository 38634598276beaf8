/* texture: a texture object over a buffer, passed to the kernel as an argument. */
#include "expression/c_type.h"
#include "language/clauses.h"
#include "language/techniques.h"

struct texture_statements {
    size_t count;
    struct texture_statement {
        const char *name;
        uint32_t buffer;
        const struct element_type *type;
        const struct expr *width, *height; /* elements; height NULL: one-dimensional */
        struct setting filter;
        int line;
    } rows[SPACE_TEXTURES_MAX];
};

static const struct word_list filter_words = {"a filter", 2, {"point", "linear"}};

static int texture_element(struct parser *parser, const struct element_type **type)
{
    const struct token token = parser->lexer.token;
    const struct name *name =
        token.kind == TOKEN_NAME ? names_find(&parser->space->private->names, token.start, token.length) : NULL;
    TRY(c_type_refuse(parser->space, &parser->lexer));
    if (!name || name->kind != NAME_TYPE) {
        int code = lexer_expected(&parser->lexer, "the type of the texture's elements");
        if (token.kind == TOKEN_NAME)
            parser_suggest(parser, &token, 1u << NAME_TYPE);
        return code;
    }
    *type = &element_types[name->index];
    if (!(*type)->texture) {
        int code = parser_error(parser, NULL, ERROR_SYNTAX, "a texture cannot have elements of type %s", (*type)->name);
        error_hint(
            parser->error,
            "textures read components of 1, 2 or 4 bytes: char, short, int, half, float, and their vectors of 2 or 4");
        return code;
    }
    return lexer_next(&parser->lexer);
}

static int parse(struct parser *parser)
{
    struct texture_statements *all = technique_make(parser, TECHNIQUE_texture, sizeof *all);
    if (!all)
        return ERROR_MEMORY;
    struct texture_statement *texture = &all->rows[all->count];
    *texture = (struct texture_statement){.line = parser->keyword.line}; /* a faulty statement may have filled it */
    TRY(parser_declare(parser, NAME_TEXTURE, all->count, &texture->name));
    TRY(parser_expect(parser, '=', "'='"));
    TRY(technique_filled_buffer(parser, &texture->buffer));
    TRY(texture_element(parser, &texture->type));
    TRY(parser_expression(parser, &parser_rules, &texture->width));
    if (lexer_at_sign(&parser->lexer, ',')) {
        TRY(lexer_next(&parser->lexer));
        TRY(parser_expression(parser, &parser_rules, &texture->height));
    }
    struct token token = parser->lexer.token;
    if (token.kind != TOKEN_END)
        TRY(setting_parse_word(parser, &filter_words, &texture->filter));
    all->count++;
    bool may_be_linear = texture->filter.value || texture->filter.word == FILTER_LINEAR;
    if (may_be_linear && texture->type->family != FAMILY_FLOAT) {
        int code =
            parser_error(parser, &token, ERROR_SYNTAX, "elements of type %s cannot be filtered", texture->type->name);
        error_hint(parser->error, "linear filtering is for half, float and their vectors");
        return code;
    }
    if (may_be_linear && !texture->height) {
        int code = parser_error(parser, &token, ERROR_SYNTAX, "a texture of one dimension cannot be filtered");
        error_hint(parser->error, "it is fetched by index; with a height it is two-dimensional: %s, 1 linear",
                   texture->width->text);
        return code;
    }
    return 0;
}

static int check(struct parser *parser)
{
    const struct texture_statements *all = technique_data(parser->space, TECHNIQUE_texture);
    for (size_t i = 0; i < all->count; i++)
        TRY(technique_check_passed(parser, ARGUMENT_TEXTURE, i, all->rows[i].name, all->rows[i].width,
                                   all->rows[i].line));
    return 0;
}

static bool holds(const struct space *space, size_t at, uint32_t *buffer)
{
    const struct texture_statements *all = technique_data(space, TECHNIQUE_texture);
    if (at < all->count)
        *buffer = all->rows[at].buffer;
    return at < all->count;
}

/* ---- As an argument ---- */

static int parse_argument(struct parser *parser, const struct name *name, struct argument *argument)
{
    return technique_parse_view(parser, name, ARGUMENT_TEXTURE, argument);
}

/* ---- Evaluating a configuration ---- */

static int evaluate_one(const struct texture_statement *statement, const struct expr_inputs *inputs,
                        struct launch_texture *texture, struct error *error)
{
    const struct space *space = inputs->space;
    const struct buffer *buffer = &space->buffers[statement->buffer];
    int64_t width, height = 0;
    TRY(expr_integer(statement->width, inputs, "a texture's width", 1, UINT32_MAX, &width, error));
    if (statement->height)
        TRY(expr_integer(statement->height, inputs, "a texture's height", 1, UINT32_MAX, &height, error));
    texture->buffer = statement->buffer;
    texture->type = (uint16_t)(statement->type - element_types);
    texture->width = (uint64_t)width;
    texture->height = (uint64_t)height;
    double texture_bytes = (double)width * (double)(height ? height : 1) * statement->type->bytes;
    double bytes = (double)buffer->count * buffer->type->bytes;
    if (texture_bytes > bytes)
        return expr_error(statement->width, inputs, error, "the texture needs %.0f bytes, but '%s' has %.0f",
                          texture_bytes, buffer->name, bytes);
    return setting_word(&statement->filter, inputs, &filter_words, &texture->filter, error);
}

static int evaluate(const struct expr_inputs *inputs, struct launch *launch, struct error *error)
{
    const struct texture_statements *all = technique_data(inputs->space, TECHNIQUE_texture);
    launch->texture_count = (uint16_t)all->count;
    for (size_t i = 0; i < all->count; i++)
        TRY(evaluate_one(&all->rows[i], inputs, &launch->textures[i], error));
    return 0;
}

/* Device files may have some limits as 0: unknown. */
static int demand_one(struct demand_list *list, const struct texture_statement *texture)
{
    const char *width = texture->width->text, *height = texture->height ? texture->height->text : "1";
    const char *pitch = demand_text(list, "(%s) * %u", width, (unsigned)texture->type->bytes);
    const char *bytes = pitch ? demand_text(list, "(%s) * %s", height, pitch) : NULL;
    const char *all = demand_buffer_bytes(list, texture->buffer);
    list->place = texture->width;
    if (!pitch || !bytes || !all)
        return error_memory(list->error);
    DEMAND(list, demand_text(list, "%s <= %s", bytes, all),
           demand_text(list, "the texture needs $ bytes, but '%s' has $", list->space->buffers[texture->buffer].name),
           bytes, all);
    if (!texture->height) {
        DEMAND(list, demand_text(list, "texture_width == 0 || (%s) <= texture_width", width),
               "a texture of $ elements, the device allows $", width, "texture_width");
        return 0;
    }
    DEMAND(list, demand_text(list, "(%s) <= texture_width_2d && (%s) <= texture_height_2d", width, height),
           "a texture of $ x $ elements, the device allows $ x $", width, height, "texture_width_2d",
           "texture_height_2d");
    DEMAND(list, demand_text(list, "texture_pitch == 0 || %s <= texture_pitch", pitch),
           "a texture's rows of $ bytes, the device allows $", pitch, "texture_pitch");
    DEMAND(list,
           demand_text(list, "(%s) <= 1 || texture_pitch_alignment == 0 || %s %% max(texture_pitch_alignment, 1) == 0",
                       height, pitch),
           "a texture's rows of $ bytes are not a multiple of the device's $", pitch, "texture_pitch_alignment");
    return 0;
}

static int demand(struct demand_list *list)
{
    const struct texture_statements *all = technique_data(list->space, TECHNIQUE_texture);
    for (size_t i = 0; all && i < all->count; i++)
        TRY(demand_one(list, &all->rows[i]));
    return 0;
}

const struct technique technique_texture = {
    .statement =
        {
            .keyword = "texture",
            .most = SPACE_TEXTURES_MAX,
            .phase = PHASE_VIEWS,
            .flags = STATEMENT_BUFFERS | STATEMENT_DECLARES,
            .parse = parse,
            .usage = "texture NAME = BUFFER TYPE WIDTH   or: texture NAME = BUFFER TYPE WIDTH, HEIGHT point|linear",
            .summary = "a texture object over a buffer",
            .text = "`args` passes it by its name. With WIDTH alone the kernel reads it by "
                    "`tex1Dfetch<TYPE>(NAME, i)`; with WIDTH and HEIGHT by "
                    "`tex2D<TYPE>(NAME, x + 0.5f, y + 0.5f)`, clamped at the edges. "
                    "`linear` filters, `point` does not. The buffer needs a fill.",
            .example = "texture plane = in float COLS, ROWS point\n"
                       "args out, plane, int ROWS, int COLS",
        },
    .reference = true,
    .argument_names = 1u << NAME_TEXTURE,
    .argument_roles = 1u << ARGUMENT_TEXTURE,
    .parse_argument = parse_argument,
    .evaluate_argument = technique_evaluate_view,
    .check = check,
    .holds = holds,
    .evaluate = evaluate,
    .demand = demand,
};
