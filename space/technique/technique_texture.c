/* texture: a texture object over a buffer, passed to the kernel as an argument. */
#include <stdio.h>

#include "base/text.h"
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
        struct setting filter, coordinates, read;
        struct setting address[TEXTURE_RANK_MAX];
        size_t address_count; /* 0: no such clause */
        /* The first tokens of the values, for errors. */
        struct token filter_place, address_place, coordinates_place, read_place;
        int line;
    } rows[SPACE_TEXTURES_MAX];
};

static const struct word_list filter_words = {"a filter", 2, {"point", "linear"}};
static const struct word_list address_words = {"an address mode", ADDRESS_COUNT, {"clamp", "wrap", "mirror", "border"}};
static const struct word_list unit_words = {"a unit of textures", 2, {"elements", "normalized"}};

/* True if the setting is the word in some configuration, as far as the statement tells. */
static bool may_be(const struct setting *setting, int word)
{
    return setting->value || setting->word == word;
}

/* True if textures can read the components as fractions of their type's range. */
static bool has_fractions(const struct element_type *type)
{
    return type->family != FAMILY_FLOAT && type->bytes / type->components <= 2;
}

/* ---- Parsing ---- */

static int parse_address(struct parser *parser, void *statement)
{
    struct texture_statement *texture = statement;
    texture->address_place = parser->lexer.token;
    for (;;) {
        if (texture->address_count == TEXTURE_RANK_MAX)
            return parser_error(parser, NULL, ERROR_SYNTAX, "a texture has at most %d dimensions", TEXTURE_RANK_MAX);
        TRY(setting_parse_word(parser, &address_words, &texture->address[texture->address_count++]));
        if (!lexer_at_sign(&parser->lexer, ','))
            return 0;
        TRY(lexer_next(&parser->lexer));
    }
}

static int parse_coordinates(struct parser *parser, void *statement)
{
    struct texture_statement *texture = statement;
    texture->coordinates_place = parser->lexer.token;
    return setting_parse_word(parser, &unit_words, &texture->coordinates);
}

static int parse_read(struct parser *parser, void *statement)
{
    struct texture_statement *texture = statement;
    texture->read_place = parser->lexer.token;
    return setting_parse_word(parser, &unit_words, &texture->read);
}

static const struct clause clauses[] = {
    {"address", false, parse_address, 0, NULL,
     "beyond the edges is: `clamp` the element at the edge, `wrap` the texture again, `mirror` the texture reversed, "
     "`border` zero; one mode for all dimensions, or one for each; by default `clamp`"},
    {"coordinates", false, parse_coordinates, 0, NULL,
     "`elements`: from 0 to WIDTH and HEIGHT; `normalized`: from 0 to 1; by default `elements`"},
    {"read", false, parse_read, 0, NULL,
     "`elements`: the values in the buffer; `normalized`: integers of 1 or 2 bytes become a `float` from 0 to 1, or "
     "from -1 if they are signed; by default `elements`"},
};
enum { CLAUSES = sizeof clauses / sizeof *clauses };

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

/* True at the keyword of a clause, or at a misspelled one. */
static bool at_clause(const struct parser *parser)
{
    const struct token *token = &parser->lexer.token;
    const char *keywords[CLAUSES];
    char word[SPACE_WORD_MAX + 1];
    for (size_t i = 0; i < CLAUSES; i++)
        keywords[i] = clauses[i].keyword;
    for (size_t i = 0; i < CLAUSES; i++)
        if (lexer_at_word(&parser->lexer, keywords[i]))
            return true;
    if (token->kind != TOKEN_NAME || names_find(&parser->space->private->names, token->start, token->length))
        return false;
    snprintf(word, sizeof word, "%.*s", (int)(token->length < sizeof word ? token->length : SPACE_WORD_MAX),
             token->start);
    return text_nearest(word, keywords, CLAUSES);
}

/* Only textures of two dimensions have coordinates, which modes and filters apply to. */
static int check_line(struct parser *parser, const struct texture_statement *texture)
{
    const struct {
        const struct token *place;
        const char *what, *cure;
        bool used;
    } rows[] = {{&texture->filter_place, "cannot be filtered", "linear", may_be(&texture->filter, FILTER_LINEAR)},
                {&texture->address_place, "has no address mode", "address clamp", texture->address_count > 0},
                {&texture->coordinates_place, "has no coordinates", "coordinates normalized",
                 may_be(&texture->coordinates, UNIT_NORMALIZED)}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!rows[i].used)
            continue;
        int code = parser_error(parser, rows[i].place, ERROR_SYNTAX, "a texture of one dimension %s", rows[i].what);
        error_hint(parser->error, "it is fetched by index; with a height it is two-dimensional: %s, 1 %s",
                   texture->width->text, rows[i].cure);
        return code;
    }
    return 0;
}

static int check_elements(struct parser *parser, const struct texture_statement *texture)
{
    const struct element_type *type = texture->type;
    if (may_be(&texture->read, UNIT_NORMALIZED) && !has_fractions(type)) {
        int code = parser_error(parser, &texture->read_place, ERROR_SYNTAX,
                                "elements of type %s cannot be read as normalized", type->name);
        error_hint(parser->error, "`read normalized` is for char, short, their unsigned types and their vectors");
        return code;
    }
    if (!may_be(&texture->filter, FILTER_LINEAR) || type->family == FAMILY_FLOAT ||
        may_be(&texture->read, UNIT_NORMALIZED))
        return 0;
    int code = parser_error(parser, &texture->filter_place, ERROR_SYNTAX, "elements of type %s cannot be filtered",
                            type->name);
    if (has_fractions(type))
        error_hint(parser->error, "linear filtering needs `read normalized` for integers");
    else
        error_hint(parser->error, "linear filtering is for half, float and their vectors");
    return code;
}

static int check_address(struct parser *parser, const struct texture_statement *texture)
{
    bool repeats = false;
    for (size_t i = 0; i < texture->address_count; i++) {
        const struct setting *address = &texture->address[i];
        repeats |= !address->value && (address->word == ADDRESS_WRAP || address->word == ADDRESS_MIRROR);
    }
    if (!repeats || may_be(&texture->coordinates, UNIT_NORMALIZED))
        return 0;
    int code = parser_error(parser, &texture->address_place, ERROR_SYNTAX,
                            "`wrap` and `mirror` are for normalized coordinates only");
    error_hint(parser->error, "add `coordinates normalized`, and fetch at (x + 0.5f) / WIDTH");
    return code;
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
    texture->filter_place = parser->lexer.token;
    if (texture->filter_place.kind != TOKEN_END && !at_clause(parser))
        TRY(setting_parse_word(parser, &filter_words, &texture->filter));
    TRY(clauses_parse(parser, clauses, CLAUSES, texture));
    all->count++;
    TRY(check_elements(parser, texture));
    return texture->height ? check_address(parser, texture) : check_line(parser, texture);
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
    for (size_t i = 0; i < TEXTURE_RANK_MAX && statement->address_count; i++) {
        const struct setting *address = &statement->address[statement->address_count > 1 ? i : 0];
        TRY(setting_word(address, inputs, &address_words, &texture->address[i], error));
    }
    TRY(setting_word(&statement->coordinates, inputs, &unit_words, &texture->coordinates, error));
    TRY(setting_word(&statement->read, inputs, &unit_words, &texture->read, error));
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

/* Rules that parameters may break; those that every configuration breaks are errors of the statement. */
static int demand_settings(struct demand_list *list, const struct texture_statement *texture)
{
    const char *normalized = technique_is_word(list, &texture->coordinates, &unit_words, UNIT_NORMALIZED);
    for (size_t i = 0; i < texture->address_count; i++) {
        if (!texture->coordinates.value && !texture->address[i].value)
            continue;
        const char *wrap = technique_is_word(list, &texture->address[i], &address_words, ADDRESS_WRAP);
        const char *mirror = technique_is_word(list, &texture->address[i], &address_words, ADDRESS_MIRROR);
        if (!wrap || !mirror || !normalized)
            return error_memory(list->error);
        DEMAND(list, demand_text(list, "%s || !(%s || %s)", normalized, wrap, mirror),
               "`wrap` and `mirror` are for normalized coordinates only");
    }
    if (!texture->read.value || !may_be(&texture->filter, FILTER_LINEAR))
        return 0;
    const char *fractions = technique_is_word(list, &texture->read, &unit_words, UNIT_NORMALIZED);
    const char *linear = technique_is_word(list, &texture->filter, &filter_words, FILTER_LINEAR);
    if (!fractions || !linear)
        return error_memory(list->error);
    DEMAND(list, demand_text(list, "%s || !%s", fractions, linear),
           demand_text(list, "elements of type %s can be filtered only if they are read as normalized",
                       texture->type->name));
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
    TRY(demand_settings(list, texture));
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
            .usage = "texture NAME = BUFFER TYPE WIDTH   or: texture NAME = BUFFER TYPE WIDTH, HEIGHT point|linear   "
                     "(then perhaps address, coordinates, read)",
            .summary = "a texture object over a buffer",
            .text = "`args` passes it by its name. With WIDTH alone the kernel reads it by "
                    "`tex1Dfetch<TYPE>(NAME, i)`; with WIDTH and HEIGHT by "
                    "`tex2D<TYPE>(NAME, x + 0.5f, y + 0.5f)`, clamped at the edges, or with normalized coordinates by "
                    "`tex2D<TYPE>(NAME, (x + 0.5f) / WIDTH, (y + 0.5f) / HEIGHT)`. "
                    "`linear` filters, `point` does not. The buffer needs a fill.\n"
                    "The address modes `wrap` and `mirror` need normalized coordinates, and integers need `read "
                    "normalized` "
                    "to be filtered. The clauses may come in any order; a word may also be the value of a parameter. "
                    "Where parameters "
                    "combine words that do not work together, the configuration becomes `pruned_limit`.",
            .example = "buffer pixels uchar[ROWS * COLS] random\n"
                       "param EDGE = clamp, border\n"
                       "texture plane = in float COLS, ROWS point\n"
                       "texture image = pixels uchar COLS, ROWS linear address EDGE read normalized\n"
                       "args out, plane, image, int ROWS, int COLS",
            .clauses = clauses,
            .clause_count = CLAUSES,
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
