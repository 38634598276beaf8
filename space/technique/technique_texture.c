/* texture: a texture object over a buffer, passed to the kernel as an argument. */
#include <stdio.h>

#include "base/text.h"
#include "expression/c_type.h"
#include "language/clauses.h"
#include "language/techniques.h"
#include "technique/texture.h"

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
        TRY(setting_parse_word(parser, &texture_address_words, &texture->address[texture->address_count++]));
        if (!lexer_at_sign(&parser->lexer, ','))
            return 0;
        TRY(lexer_next(&parser->lexer));
    }
}

static int parse_coordinates(struct parser *parser, void *statement)
{
    struct texture_statement *texture = statement;
    texture->coordinates_place = parser->lexer.token;
    return setting_parse_word(parser, &texture_unit_words, &texture->coordinates);
}

static int parse_read(struct parser *parser, void *statement)
{
    struct texture_statement *texture = statement;
    texture->read_place = parser->lexer.token;
    return setting_parse_word(parser, &texture_unit_words, &texture->read);
}

static int parse_memory(struct parser *parser, void *statement)
{
    struct texture_statement *texture = statement;
    texture->memory_place = parser->lexer.token;
    return setting_parse_word(parser, &texture_memory_words, &texture->memory);
}

static const struct clause clauses[] = {
    {"address", false, parse_address, 0, NULL,
     "beyond the edges is: `clamp` the element at the edge, `wrap` the texture again, `mirror` the texture reversed, "
     "`border` zero; one mode for all dimensions, or one for each; by default `clamp`"},
    {"coordinates", false, parse_coordinates, 0, NULL,
     "`elements`: from 0 to WIDTH, HEIGHT and DEPTH; `normalized`: from 0 to 1; by default `elements`"},
    {"read", false, parse_read, 0, NULL,
     "`elements`: the values in the buffer; `normalized`: integers of 1 or 2 bytes become a `float` from 0 to 1, or "
     "from -1 if they are signed; by default `elements`"},
    {"memory", false, parse_memory, 0, NULL,
     "`buffer`: the texture reads the buffer's own memory; `array`: it reads a copy from the start of the run in a "
     "CUDA array; by default `buffer`, and `array` with DEPTH or `layers`"},
    {"layers", false, texture_parse_layers, 0, NULL,
     "number of textures of one or two dimensions, which are one behind the other in the buffer; no filter or mode "
     "combines layers"},
};
enum { CLAUSES = sizeof clauses / sizeof *clauses };

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

/* A texture of one dimension over a buffer has no coordinates, which modes and filters apply to. */
static int check_line(struct parser *parser, const struct texture_statement *texture)
{
    const struct {
        const struct token *place;
        const char *what, *cure;
        bool used;
    } rows[] = {
        {&texture->filter_place, "cannot be filtered", "linear", texture_may_be(&texture->filter, FILTER_LINEAR)},
        {&texture->address_place, "has no address mode", "address clamp", texture->address_count > 0},
        {&texture->coordinates_place, "has no coordinates", "coordinates normalized",
         texture_may_be(&texture->coordinates, UNIT_NORMALIZED)}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!rows[i].used)
            continue;
        int code = parser_error(parser, rows[i].place, ERROR_SYNTAX, "a texture of one dimension %s", rows[i].what);
        error_hint(parser->error, "it is fetched by index; add `memory array`, or a height: %s, 1 %s",
                   texture->extents[0]->text, rows[i].cure);
        return code;
    }
    return 0;
}

static int check_elements(struct parser *parser, const struct texture_statement *texture)
{
    const struct element_type *type = texture->type;
    if (texture_may_be(&texture->read, UNIT_NORMALIZED) && !has_fractions(type)) {
        int code = parser_error(parser, &texture->read_place, ERROR_SYNTAX,
                                "elements of type %s cannot be read as normalized", type->name);
        error_hint(parser->error, "`read normalized` is for char, short, their unsigned types and their vectors");
        return code;
    }
    if (!texture_may_be(&texture->filter, FILTER_LINEAR) || type->family == FAMILY_FLOAT ||
        texture_may_be(&texture->read, UNIT_NORMALIZED))
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
    if (texture->address_count > 1 && texture->address_count != texture->rank) {
        int code = parser_error(parser, &texture->address_place, ERROR_SYNTAX, "%zu address modes for %u dimension%s",
                                texture->address_count, texture->rank, texture->rank == 1 ? "" : "s");
        error_hint(parser->error, "give one for all dimensions, or one for each");
        return code;
    }
    bool repeats = false;
    for (size_t i = 0; i < texture->address_count; i++) {
        const struct setting *address = &texture->address[i];
        repeats |= !address->value && (address->word == ADDRESS_WRAP || address->word == ADDRESS_MIRROR);
    }
    if (!repeats || texture_may_be(&texture->coordinates, UNIT_NORMALIZED))
        return 0;
    int code = parser_error(parser, &texture->address_place, ERROR_SYNTAX,
                            "`wrap` and `mirror` are for normalized coordinates only");
    error_hint(parser->error, "add `coordinates normalized`, and fetch at (x + 0.5f) / WIDTH");
    return code;
}

static int check_memory(struct parser *parser, const struct texture_statement *texture)
{
    bool said = texture->memory_place.start, solid = texture->rank == TEXTURE_RANK_MAX;
    TRY(texture_check_layers(parser, texture));
    if (!texture_needs_array(texture) || !said || (!texture->memory.value && texture->memory.word == MEMORY_ARRAY))
        return 0;
    int code = parser_error(parser, &texture->memory_place, ERROR_SYNTAX, "a texture %s is always an array",
                            solid ? "of three dimensions" : "with layers");
    error_hint(parser->error, "leave out `memory`");
    return code;
}

static int parse(struct parser *parser)
{
    struct texture_statements *all = technique_make(parser, TECHNIQUE_texture, sizeof *all);
    if (!all)
        return ERROR_MEMORY;
    struct texture_statement *texture = &all->rows[all->count];
    *texture =
        (struct texture_statement){.what = "texture", .line = parser->keyword.line}; /* may be filled by a faulty one */
    TRY(parser_declare(parser, NAME_TEXTURE, all->count, &texture->name));
    TRY(parser_expect(parser, '=', "'='"));
    TRY(technique_filled_buffer(parser, &texture->buffer));
    TRY(texture_parse_shape(parser, texture));
    texture->filter_place = parser->lexer.token;
    if (texture->filter_place.kind != TOKEN_END && !at_clause(parser))
        TRY(setting_parse_word(parser, &texture_filter_words, &texture->filter));
    TRY(clauses_parse(parser, clauses, CLAUSES, texture));
    all->count++;
    TRY(check_memory(parser, texture));
    TRY(check_elements(parser, texture));
    if (texture->rank == 1 && !texture_needs_array(texture) && !texture_may_be(&texture->memory, MEMORY_ARRAY))
        return check_line(parser, texture);
    return check_address(parser, texture);
}

static int check(struct parser *parser)
{
    const struct texture_statements *all = technique_data(parser->space, TECHNIQUE_texture);
    for (size_t i = 0; i < all->count; i++)
        TRY(technique_check_passed(parser, ARGUMENT_TEXTURE, i, all->rows[i].name, all->rows[i].extents[0],
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
    TRY(texture_evaluate_shape(statement, inputs, texture, error));
    TRY(setting_word(&statement->memory, inputs, &texture_memory_words, &texture->memory, error));
    if (texture_needs_array(statement))
        texture->memory = MEMORY_ARRAY;
    for (size_t i = 0; i < statement->rank && statement->address_count; i++) {
        const struct setting *address = &statement->address[statement->address_count > 1 ? i : 0];
        TRY(setting_word(address, inputs, &texture_address_words, &texture->address[i], error));
    }
    TRY(setting_word(&statement->coordinates, inputs, &texture_unit_words, &texture->coordinates, error));
    TRY(setting_word(&statement->read, inputs, &texture_unit_words, &texture->read, error));
    return setting_word(&statement->filter, inputs, &texture_filter_words, &texture->filter, error);
}

static int evaluate(const struct expr_inputs *inputs, struct launch *launch, struct error *error)
{
    const struct texture_statements *all = technique_data(inputs->space, TECHNIQUE_texture);
    launch->texture_count = (uint16_t)(launch->texture_count + all->count);
    for (size_t i = 0; i < all->count; i++)
        TRY(evaluate_one(&all->rows[i], inputs, &launch->textures[i], error));
    return 0;
}

static int demand(struct demand_list *list)
{
    const struct texture_statements *all = technique_data(list->space, TECHNIQUE_texture);
    for (size_t i = 0; all && i < all->count; i++)
        TRY(texture_demand(list, &all->rows[i]));
    return 0;
}

const struct technique technique_texture = {
    .statement =
        {
            .keyword = "texture",
            .most = TEXTURES_EACH_MAX,
            .phase = PHASE_VIEWS,
            .flags = STATEMENT_BUFFERS | STATEMENT_DECLARES,
            .parse = parse,
            .usage = "texture NAME = BUFFER TYPE WIDTH   or: texture NAME = BUFFER TYPE WIDTH, HEIGHT point|linear   "
                     "or: texture NAME = BUFFER TYPE WIDTH, HEIGHT, DEPTH point|linear   "
                     "(then perhaps address, coordinates, read, memory, layers)",
            .summary = "a texture object over a buffer",
            .text =
                "`args` passes it by its name. With WIDTH alone the kernel reads it by "
                "`tex1Dfetch<TYPE>(NAME, i)`, or `tex1D<TYPE>(NAME, x + 0.5f)` from an array; with WIDTH and HEIGHT by "
                "`tex2D<TYPE>(NAME, x + 0.5f, y + 0.5f)`; with DEPTH by "
                "`tex3D<TYPE>(NAME, x + 0.5f, y + 0.5f, z + 0.5f)`; with layers by "
                "`tex2DLayered<TYPE>(NAME, x + 0.5f, y + 0.5f, layer)` or, without HEIGHT, `tex1DLayered`. `linear` "
                "filters, `point` does not. The buffer needs a fill.\n"
                "Normalized coordinates are `(x + 0.5f) / WIDTH` and so on. The address modes `wrap` and `mirror` need "
                "them, and integers need `read normalized` to be filtered. The clauses may come in any order; a word "
                "may also be the value of a parameter. Where parameters combine words that do not work together, the "
                "configuration becomes `pruned_limit`.",
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
