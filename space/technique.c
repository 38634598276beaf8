/* The statements about memory techniques. Tables describe clauses: keyword, value, and destination. */
#include <stdio.h>
#include <string.h>

#include "space/parse.h"

const struct word_list hit_words = {"an L2 property", 3, {"normal", "streaming", "persisting"}};
const struct word_list miss_words = {"an L2 property of misses", 2, {"normal", "streaming"}};
const struct word_list order_words = {"an order", 2, {"depth", "breadth"}};
const struct word_list placement_words = {"a placement", 2, {"before", "overlapped"}};
const struct word_list allocation_words = {"a way of allocation", 3, {"reuse", "each", "pool"}};
const struct word_list filter_words = {"a filter", 2, {"point", "linear"}};
const struct word_list host_memory_words = {
    "a kind of host memory", HOST_COUNT, {"pageable", "pinned", "registered", "write_combined", "mapped", "managed"}};

enum clause_kind { CLAUSE_NUMBER, CLAUSE_WORD, CLAUSE_SPLIT, CLAUSE_COPY_IN, CLAUSE_COPY_OUT };

struct clause {
    const char *keyword;
    enum clause_kind kind;
    bool required;
    size_t offset;                 /* offset of the struct setting in the statement's struct */
    const struct word_list *words; /* CLAUSE_WORD */
};

enum { CLAUSES_MAX = 16 };

static const struct clause window_clauses[] = {
#define CLAUSE(name, kind, required, words)                                                                            \
    {                                                                                                                  \
#name, kind, required, offsetof(struct window_statement, name), words                                          \
    }
    CLAUSE(bytes, CLAUSE_NUMBER, true, NULL),      CLAUSE(set_aside, CLAUSE_NUMBER, true, NULL),
    CLAUSE(hit_ratio, CLAUSE_NUMBER, false, NULL), CLAUSE(hit, CLAUSE_WORD, false, &hit_words),
    CLAUSE(miss, CLAUSE_WORD, false, &miss_words),
#undef CLAUSE
};

static const struct clause pipeline_clauses[] = {
#define CLAUSE(name, kind, words)                                                                                      \
    {                                                                                                                  \
#name, kind, false, offsetof(struct pipeline_statement, name), words                                           \
    }
    {"copy_in", CLAUSE_COPY_IN, false, 0, NULL},
    {"copy_out", CLAUSE_COPY_OUT, false, 0, NULL},
    CLAUSE(split, CLAUSE_SPLIT, NULL),
    CLAUSE(streams, CLAUSE_NUMBER, NULL),
    CLAUSE(order, CLAUSE_WORD, &order_words),
    CLAUSE(host_memory, CLAUSE_WORD, &host_memory_words),
    CLAUSE(pieces, CLAUSE_NUMBER, NULL),
    CLAUSE(packed, CLAUSE_NUMBER, NULL),
    CLAUSE(host_work, CLAUSE_NUMBER, NULL),
    CLAUSE(placement, CLAUSE_WORD, &placement_words),
    CLAUSE(allocation, CLAUSE_WORD, &allocation_words),
#undef CLAUSE
};

/* ---- Values of clauses ---- */

/* Formats "depth or breadth"; "a, b or c". */
static const char *list_words(const struct word_list *words, char *buffer, size_t room)
{
    size_t at = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < words->count && at < room; i++)
        at += (size_t)snprintf(buffer + at, room - at, "%s%s",
                               i == 0                 ? ""
                               : i + 1 < words->count ? ", "
                                                      : " or ",
                               words->words[i]);
    return buffer;
}

int technique_word_find(const struct word_list *words, const char *word)
{
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->words[i], word) == 0)
            return (int)i;
    return -1;
}

void technique_word_hint(const struct word_list *words, const char *word, struct error *error)
{
    char list[256];
    const char *near = text_nearest(word, words->words, words->count);
    if (near)
        error_hint(error, "did you mean '%s'?", near);
    else
        error_hint(error, "%s is %s", words->what, list_words(words, list, sizeof list));
}

/* If the expression is just a parameter, checks all its values now. */
static int check_values(struct parser *parser, const struct token *token, const struct word_list *words,
                        const struct expr *expr)
{
    if (expr->code_count != 1 || expr->code[0].operation != OP_PARAMETER)
        return 0;
    const struct parameter *parameter = &parser->space->parameters[expr->code[0].operand];
    for (size_t i = 0; i < parameter->value_count; i++) {
        char text[VALUE_TEXT_BYTES];
        const struct value *value = &parameter->values[i];
        value_text(value, text, sizeof text);
        if (value->kind == VALUE_WORD && technique_word_find(words, text) >= 0)
            continue;
        int code = parser_error(parser, token, ERROR_SYNTAX, "%s can be %s, which is not %s", parameter->name, text,
                                words->what);
        technique_word_hint(words, text, parser->error);
        return code;
    }
    return 0;
}

/* Reads one of the words, or an expression whose value is one. */
static int word_setting(struct parser *parser, const struct word_list *words, struct setting *setting)
{
    const struct token token = parser->lexer.token;
    const struct name *name = NULL;
    if (token.kind == TOKEN_NAME && token.length <= SPACE_WORD_MAX) {
        char word[SPACE_WORD_MAX + 1];
        snprintf(word, sizeof word, "%.*s", (int)token.length, token.start);
        name = names_find(&parser->space->private->names, token.start, token.length);
        bool stands_for = name && (name->kind == NAME_PARAMETER || name->kind == NAME_LET);
        int found = stands_for ? -1 : technique_word_find(words, word);
        if (found >= 0) {
            setting->word = found;
            return lexer_next(&parser->lexer);
        }
        if (!name || name->kind == NAME_FREE) {
            int code =
                parser_error(parser, &token, ERROR_SYNTAX, "'%s' is neither %s nor a parameter", word, words->what);
            technique_word_hint(words, word, parser->error);
            return code;
        }
    }
    TRY(parser_expression(parser, &parser_rules, &setting->value));
    return check_values(parser, &token, words, setting->value);
}

static int buffer_name(struct parser *parser, uint32_t *index)
{
    const struct token token = parser->lexer.token;
    const struct name *name =
        token.kind == TOKEN_NAME ? names_find(&parser->space->private->names, token.start, token.length) : NULL;
    if (!name || name->kind != NAME_BUFFER) {
        int code = lexer_expected(&parser->lexer, "a buffer");
        if (token.kind == TOKEN_NAME)
            parser_suggest(parser, &token, 1u << NAME_BUFFER);
        return code;
    }
    *index = name->index;
    return lexer_next(&parser->lexer);
}

/* "1..8" is a range */
static int filled_buffer(struct parser *parser, uint32_t *index)
{
    const struct token token = parser->lexer.token;
    TRY(buffer_name(parser, index));
    const struct buffer *buffer = &parser->space->buffers[*index];
    if (buffer->fill != FILL_NONE)
        return 0;
    int code = parser_error(parser, &token, ERROR_SYNTAX, "'%s' holds nothing before the kernel runs", buffer->name);
    error_hint(parser->error, "take a buffer that is filled: "
#define FILL(NAME, name, zeros) #name ", "
#include "lists/fills.def"
#undef FILL
                              "file(\"NAME\")");
    return code;
}

static struct pipeline_copy *find_copy(struct pipeline_statement *pipeline, uint32_t buffer)
{
    for (size_t i = 0; i < pipeline->copy_count; i++)
        if (pipeline->copies[i].buffer == buffer)
            return &pipeline->copies[i];
    return NULL;
}

/* Reads BUFFER, BUFFER, ... */
static int copies(struct parser *parser, bool out, struct pipeline_statement *pipeline)
{
    for (;;) {
        uint32_t buffer = 0;
        const struct token token = parser->lexer.token;
        TRY(buffer_name(parser, &buffer));
        struct pipeline_copy *copy = find_copy(pipeline, buffer);
        const struct buffer *named = &parser->space->buffers[buffer];
        if (copy && (out ? copy->out : copy->in))
            return parser_error(parser, &token, ERROR_SYNTAX, "'%s' is given twice", named->name);
        if (out && !named->output) {
            int code = parser_error(parser, &token, ERROR_SYNTAX, "'%s' is not an output", named->name);
            error_hint(parser->error, "what is copied out is compared with the reference's: buffer %s ... output",
                       named->name);
            return code;
        }
        if (!copy && pipeline->copy_count == SPACE_COPIES_MAX)
            return parser_error(parser, &token, ERROR_SYNTAX, "more than %d buffers", SPACE_COPIES_MAX);
        if (!copy) {
            copy = &pipeline->copies[pipeline->copy_count++];
            copy->buffer = buffer;
        }
        *(out ? &copy->out : &copy->in) = true;
        if (!lexer_at_sign(&parser->lexer, ','))
            return 0;
        TRY(lexer_next(&parser->lexer));
    }
}

/* Reads EXPRESSION over EXPRESSION. From here on, statements can use the chunk's length. */
static int split(struct parser *parser, struct pipeline_statement *pipeline)
{
    struct space *space = parser->space;
    TRY(parser_expression(parser, &parser_rules, &pipeline->split.value));
    if (!lexer_at_word(&parser->lexer, "over"))
        return lexer_expected(&parser->lexer, "an operator or 'over'");
    TRY(lexer_next(&parser->lexer));
    TRY(parser_expression(parser, &parser_rules, &pipeline->chunks.value));
    const char *text =
        arena_printf(&space->arena, "ceildiv((%s), (%s))", pipeline->split.value->text, pipeline->chunks.value->text);
    return expr_compile_made(space, text, pipeline->split.value, "chunk_length", &space->private->chunk_length,
                             parser->error);
}

static int clause_value(struct parser *parser, const struct clause *clause, void *statement)
{
    struct setting *setting = (struct setting *)((char *)statement + clause->offset);
    switch (clause->kind) {
    case CLAUSE_NUMBER:
        return parser_expression(parser, &parser_rules, &setting->value);
    case CLAUSE_WORD:
        return word_setting(parser, clause->words, setting);
    case CLAUSE_SPLIT:
        return split(parser, statement);
    case CLAUSE_COPY_IN:
        return copies(parser, false, statement);
    case CLAUSE_COPY_OUT:
        return copies(parser, true, statement);
    }
    return 0;
}

static int unknown_clause(struct parser *parser, const struct clause *clauses, size_t count)
{
    char list[512], word[SPACE_WORD_MAX + 1];
    const char *candidates[CLAUSES_MAX];
    const struct token token = parser->lexer.token;
    size_t at = 0;
    list[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        candidates[i] = clauses[i].keyword;
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%s", i ? ", " : "", clauses[i].keyword);
    }
    int code = lexer_expected(&parser->lexer, "an operator or a clause");
    snprintf(word, sizeof word, "%.*s", (int)(token.length < sizeof word ? token.length : SPACE_WORD_MAX), token.start);
    const char *near = token.kind == TOKEN_NAME ? text_nearest(word, candidates, count) : NULL;
    if (near)
        error_hint(parser->error, "did you mean '%s'?", near);
    else
        error_hint(parser->error, "the clauses are %s", list);
    return code;
}

/* Reads KEYWORD VALUE KEYWORD VALUE ..., in any order, each at most once. */
static int clauses(struct parser *parser, const struct clause *rows, size_t count, void *statement)
{
    bool seen[CLAUSES_MAX] = {false};
    while (parser->lexer.token.kind != TOKEN_END) {
        size_t row = 0;
        while (row < count && !lexer_at_word(&parser->lexer, rows[row].keyword))
            row++;
        if (row == count)
            return unknown_clause(parser, rows, count);
        if (seen[row])
            return parser_error(parser, NULL, ERROR_SYNTAX, "'%s' is given twice", rows[row].keyword);
        seen[row] = true;
        TRY(lexer_next(&parser->lexer));
        TRY(clause_value(parser, &rows[row], statement));
    }
    for (size_t i = 0; i < count; i++)
        if (rows[i].required && !seen[i])
            return parser_error(parser, &parser->keyword, ERROR_SYNTAX, "there is no '%s'", rows[i].keyword);
    return 0;
}

/* ---- The statements ---- */

int parse_window(struct parser *parser)
{
    struct window_statement *window = arena_alloc(&parser->space->arena, sizeof *window);
    if (!window)
        return error_memory(parser->error);
    *window = (struct window_statement){.hit = {NULL, L2_PERSISTING}, .miss = {NULL, L2_STREAMING}};
    TRY(buffer_name(parser, &window->buffer));
    TRY(clauses(parser, window_clauses, sizeof window_clauses / sizeof *window_clauses, window));
    parser->space->window = window;
    return 0;
}

int parse_pipeline(struct parser *parser)
{
    struct pipeline_statement *pipeline = arena_alloc(&parser->space->arena, sizeof *pipeline);
    if (!pipeline)
        return error_memory(parser->error);
    *pipeline = (struct pipeline_statement){.host_memory = {NULL, HOST_PINNED}};
    TRY(clauses(parser, pipeline_clauses, sizeof pipeline_clauses / sizeof *pipeline_clauses, pipeline));
    if (pipeline->copy_count == 0)
        return parser_error(parser, &parser->keyword, ERROR_SYNTAX,
                            "the pipeline copies nothing: there is neither "
                            "'copy_in' nor 'copy_out'");
    parser->space->pipeline = pipeline;
    return 0;
}

int parse_carveout(struct parser *parser)
{
    return parser_expression(parser, &parser_rules, &parser->space->carveout);
}

int parse_cluster(struct parser *parser)
{
    return parse_dimensions(parser, &parser_rules, parser->space->cluster);
}

/* The symbol belongs to the source, where a macro of the same name would replace it. */
int parse_constant(struct parser *parser)
{
    struct space *space = parser->space;
    struct constant_statement *constant = &space->constants[space->constant_count];
    const struct token token = parser->lexer.token;
    if (token.kind != TOKEN_NAME || token.length > SPACE_WORD_MAX)
        return lexer_expected(&parser->lexer, "the name of a __constant__ variable");
    const struct name *name = names_find(&space->private->names, token.start, token.length);
    if (name && (name->kind == NAME_PARAMETER || name->kind == NAME_PROBLEM)) {
        int code = parser_error(parser, NULL, ERROR_SYNTAX, "'%s' is %s, a macro in the source", name->text,
                                name_kind_text(name->kind));
        error_hint(parser->error, "rename one of them: the variable would not be found under its name");
        return code;
    }
    for (size_t i = 0; i < space->constant_count; i++)
        if (lexer_at_word(&parser->lexer, space->constants[i].symbol))
            return parser_error(parser, NULL, ERROR_SYNTAX, "%s is filled twice", space->constants[i].symbol);
    constant->symbol = arena_copy(&space->arena, token.start, token.length);
    if (!constant->symbol)
        return error_memory(parser->error);
    space->private->constant_places[space->constant_count] =
        (struct constant_place){.source = parser->lexer.source, .place = {token.line, token.column}};
    TRY(lexer_next(&parser->lexer));
    TRY(parser_expect(parser, '=', "'='"));
    TRY(filled_buffer(parser, &constant->buffer));
    space->constant_count++;
    return 0;
}

static bool texture_type(const struct element_type *type)
{
    return type->texture;
}

static int texture_element(struct parser *parser, const struct element_type **type)
{
    const struct token token = parser->lexer.token;
    const struct name *name =
        token.kind == TOKEN_NAME ? names_find(&parser->space->private->names, token.start, token.length) : NULL;
    if (!name || name->kind != NAME_TYPE) {
        int code = lexer_expected(&parser->lexer, "the type of the texture's elements");
        if (token.kind == TOKEN_NAME)
            parser_suggest(parser, &token, 1u << NAME_TYPE);
        return code;
    }
    *type = &element_types[name->index];
    if (!texture_type(*type)) {
        int code = parser_error(parser, NULL, ERROR_SYNTAX, "a texture cannot have elements of type %s", (*type)->name);
        error_hint(parser->error, "textures read components of 1, 2 or 4 bytes: char, short, int, half, float, float4");
        return code;
    }
    return lexer_next(&parser->lexer);
}

int parse_texture(struct parser *parser)
{
    struct space *space = parser->space;
    struct texture_statement *texture = &space->textures[space->texture_count];
    *texture = (struct texture_statement){.line = parser->keyword.line}; /* a statement with an error may have filled
                                                                            it */
    TRY(parser_declare(parser, NAME_TEXTURE, space->texture_count, &texture->name));
    TRY(parser_expect(parser, '=', "'='"));
    TRY(filled_buffer(parser, &texture->buffer));
    TRY(texture_element(parser, &texture->type));
    TRY(parser_expression(parser, &parser_rules, &texture->width));
    if (lexer_at_sign(&parser->lexer, ',')) {
        TRY(lexer_next(&parser->lexer));
        TRY(parser_expression(parser, &parser_rules, &texture->height));
    }
    struct token token = parser->lexer.token;
    if (token.kind != TOKEN_END)
        TRY(word_setting(parser, &filter_words, &texture->filter));
    space->texture_count++;
    bool may_be_linear = texture->filter.value || texture->filter.word == FILTER_LINEAR;
    if (may_be_linear && texture->type->family != FAMILY_FLOAT) {
        int code =
            parser_error(parser, &token, ERROR_SYNTAX, "elements of type %s cannot be filtered", texture->type->name);
        error_hint(parser->error, "linear filtering is for half, float, float2 and float4");
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

int parse_chunk_argument(struct parser *parser, enum argument_role role, struct argument *argument)
{
    const struct pipeline_statement *pipeline = parser->space->pipeline;
    if (!parser->space->private->chunk_length) {
        int code = parser_error(parser, NULL, ERROR_SYNTAX, "there are no chunks");
        error_hint(parser->error, pipeline ? "add to the pipeline: split N over CHUNKS"
                                           : "a chunk is a part of a pipeline: pipeline ... split N over CHUNKS");
        return code;
    }
    if (argument->type->family == FAMILY_FLOAT) {
        int code = parser_error(parser, NULL, ERROR_SYNTAX, "a chunk's offset and length are integers, not %s",
                                argument->type->name);
        error_hint(parser->error, "for example: long chunk_offset");
        return code;
    }
    argument->role = role;
    TRY(lexer_next(&parser->lexer));
    if (parser->lexer.token.kind != TOKEN_END && !lexer_at_sign(&parser->lexer, ',')) {
        int code = lexer_expected(&parser->lexer, "',' or the end of the statement");
        error_hint(parser->error, "the names of a chunk are passed as they are; the kernel can calculate with them");
        return code;
    }
    return 0;
}

/* ---- Checks across statements ---- */

static int texture_unused(struct parser *parser)
{
    const struct space *space = parser->space;
    for (size_t i = 0; i < space->texture_count; i++) {
        const struct texture_statement *texture = &space->textures[i];
        bool passed = false;
        for (size_t a = 0; a < space->argument_count; a++)
            passed |= space->arguments[a].role == ARGUMENT_TEXTURE && space->arguments[a].texture == i;
        if (!passed) {
            int code = source_error(texture->width->source, texture->line, 1, parser->error, ERROR_SYNTAX,
                                    "the texture '%s' is not passed to the kernel", texture->name);
            error_hint(parser->error, "name it in `args`");
            return code;
        }
    }
    return 0;
}

/* A pipeline moves its buffers in memory: nothing else may hold their addresses. */
static int in_pipeline(struct parser *parser, uint32_t buffer, const char *statement)
{
    const struct space *space = parser->space;
    for (size_t i = 0; space->pipeline && i < space->pipeline->copy_count; i++)
        if (space->pipeline->copies[i].buffer == buffer) {
            int code = source_error(space->buffers[buffer].size->source, space->buffers[buffer].line, 1, parser->error,
                                    ERROR_SYNTAX, "'%s' is in a pipeline and in a '%s' statement",
                                    space->buffers[buffer].name, statement);
            error_hint(parser->error, "a pipeline's buffers change their place: take another buffer for '%s'",
                       statement);
            return code;
        }
    return 0;
}

int check_techniques(struct parser *parser)
{
    const struct space *space = parser->space;
    TRY(texture_unused(parser));
    for (size_t i = 0; i < space->texture_count; i++)
        TRY(in_pipeline(parser, space->textures[i].buffer, "texture"));
    for (size_t i = 0; i < space->constant_count; i++)
        TRY(in_pipeline(parser, space->constants[i].buffer, "constant"));
    if (space->window)
        TRY(in_pipeline(parser, space->window->buffer, "l2_window"));
    return 0;
}
