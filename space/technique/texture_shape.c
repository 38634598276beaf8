/* The shape of textures and surfaces: the type and number of the elements in each dimension and the layers. */
#include <stdio.h>

#include "expression/c_type.h"
#include "language/techniques.h"
#include "technique/texture.h"

/* ---- Parsing ---- */

static int parse_type(struct parser *parser, struct texture_statement *texture)
{
    const struct token token = parser->lexer.token;
    const struct name *name =
        token.kind == TOKEN_NAME ? names_find(&parser->space->private->names, token.start, token.length) : NULL;
    TRY(c_type_refuse(parser->space, &parser->lexer));
    if (!name || name->kind != NAME_TYPE) {
        char expected[64];
        snprintf(expected, sizeof expected, "the type of the %s's elements", texture->what);
        int code = lexer_expected(&parser->lexer, expected);
        if (token.kind == TOKEN_NAME)
            parser_suggest(parser, &token, 1u << NAME_TYPE);
        return code;
    }
    texture->type = &element_types[name->index];
    if (!texture->type->texture) {
        int code = parser_error(parser, NULL, ERROR_SYNTAX, "a %s cannot have elements of type %s", texture->what,
                                texture->type->name);
        error_hint(parser->error, "textures and surfaces have components of 1, 2 or 4 bytes: char, short, int, half, "
                                  "float, and their vectors of 2 or 4");
        return code;
    }
    return lexer_next(&parser->lexer);
}

int texture_parse_shape(struct parser *parser, struct texture_statement *texture)
{
    TRY(parse_type(parser, texture));
    for (;;) {
        TRY(parser_expression(parser, &parser_rules, &texture->extents[texture->rank++]));
        if (!lexer_at_sign(&parser->lexer, ','))
            return 0;
        if (texture->rank == TEXTURE_RANK_MAX)
            return parser_error(parser, NULL, ERROR_SYNTAX, "a %s has at most %d dimensions", texture->what,
                                TEXTURE_RANK_MAX);
        TRY(lexer_next(&parser->lexer));
    }
}

int texture_parse_layers(struct parser *parser, void *statement)
{
    struct texture_statement *texture = statement;
    texture->layers_place = parser->lexer.token;
    return parser_expression(parser, &parser_rules, &texture->layers.value);
}

int texture_check_layers(struct parser *parser, const struct texture_statement *texture)
{
    if (texture->rank < TEXTURE_RANK_MAX || !texture->layers.value)
        return 0;
    int code = parser_error(parser, &texture->layers_place, ERROR_SYNTAX, "a %s of three dimensions has no layers",
                            texture->what);
    error_hint(parser->error, "leave out the depth or `layers`");
    return code;
}

/* ---- Evaluating a configuration ---- */

int texture_evaluate_shape(const struct texture_statement *statement, const struct expr_inputs *inputs,
                           struct launch_texture *texture, struct error *error)
{
    static const char *const names[TEXTURE_RANK_MAX] = {"width", "height", "depth"};
    const struct buffer *buffer = &inputs->space->buffers[statement->buffer];
    uint64_t *const extents[TEXTURE_RANK_MAX] = {&texture->width, &texture->height, &texture->depth};
    double elements = 1;
    for (unsigned i = 0; i < statement->rank; i++) {
        const struct setting extent = {statement->extents[i], 0};
        char thing[32];
        snprintf(thing, sizeof thing, "a %s's %s", statement->what, names[i]);
        TRY(setting_number(&extent, inputs, thing, 1, UINT32_MAX, extents[i], error));
        elements *= (double)*extents[i];
    }
    if (statement->layers.value) {
        TRY(setting_number(&statement->layers, inputs, "the number of layers", 1, UINT32_MAX, &texture->layers, error));
        elements *= (double)texture->layers;
    }
    texture->buffer = statement->buffer;
    texture->type = (uint16_t)(statement->type - element_types);
    double texture_bytes = elements * statement->type->bytes, bytes = (double)buffer->count * buffer->type->bytes;
    if (texture_bytes <= bytes)
        return 0;
    return expr_error(statement->extents[0], inputs, error, "the %s needs %.0f bytes, but '%s' has %.0f",
                      statement->what, texture_bytes, buffer->name, bytes);
}
