#include "language/effects.h"

#include <string.h>

#include "base/text.h"
#include "language/code.h"

/* ---- Uses that have an effect ---- */

int parse_host(struct parser *parser)
{
    for (;;) {
        uint32_t index;
        TRY(parser_parameter(parser, &index));
        parser->space->private->effective |= (uint64_t)1 << index;
        if (!lexer_at_sign(&parser->lexer, ','))
            return 0;
        TRY(lexer_next(&parser->lexer));
    }
}

static void note(struct space *space, const struct code_token *word)
{
    struct space_private *private = space->private;
    size_t number;
    if (!code_macro(space, word, &number))
        return;
    private->effective |= number < SPACE_PARAMETERS_MAX
                              ? (uint64_t)1 << number
                              : private->defines[number - SPACE_PARAMETERS_MAX].value->parameters;
}

/* The text of a _Pragma is code. */
static void note_pragma(struct space *space, const struct code_token *string)
{
    const struct source_text text = {.text = string->start + 1, .length = string->length - 1};
    struct code code = code_start(&text);
    for (struct code_token token = code_next(&code); token.kind != CODE_END; token = code_next(&code))
        note(space, &token);
}

/* Notes the words of a directive; defined(NAME) is no use. */
static void note_line(struct space *space, struct code code)
{
    bool asks = false;
    for (struct code_token token = code_next(&code); token.kind != CODE_LINE_END && token.kind != CODE_END;
         token = code_next(&code)) {
        if (asks && code_is_sign(&token, '('))
            continue;
        if (!asks)
            note(space, &token);
        asks = code_is(&token, "defined");
    }
}

void effects_of_source(struct space *space, const struct source_text *source)
{
    struct code_walk walk;
    struct code_item item;
    bool pragma = false;
    code_walk_start(&walk, space, source);
    for (code_walk_next(&walk, &item); item.kind != ITEM_END; code_walk_next(&walk, &item)) {
        if (item.certainty == CODE_NEVER || item.kind == ITEM_UNDEF)
            continue;
        if (item.kind != ITEM_TOKEN) {
            note_line(space, item.rest);
            continue;
        }
        if (pragma && item.token.kind == CODE_STRING)
            note_pragma(space, &item.token);
        pragma = code_is(&item.token, "_Pragma") || (pragma && code_is_sign(&item.token, '('));
        note(space, &item.token);
    }
}

/* ---- The check ---- */

const char *effects_nearest_word(const struct space *space, const char *wanted, struct arena *arena)
{
    const struct source_text source = {.text = space->source, .length = space->source_length};
    struct code code = code_start(&source);
    const char *nearest = NULL;
    for (struct code_token token = code_next(&code); token.kind != CODE_END; token = code_next(&code)) {
        char word[SPACE_WORD_MAX + 1];
        const char *const both[] = {nearest ? nearest : word, word};
        if (token.kind != CODE_WORD || token.length > SPACE_WORD_MAX ||
            names_find(&space->private->names, token.start, token.length))
            continue;
        memcpy(word, token.start, token.length);
        word[token.length] = '\0';
        if (text_nearest(wanted, both, 2) == word)
            nearest = arena_copy(arena, word, token.length);
    }
    return nearest;
}

int space_check_effects(const struct space *space, struct error *error)
{
    for (size_t p = 0; p < space->parameter_count && space->kernel && !space->source_unknown; p++) {
        const struct parameter *parameter = &space->parameters[p];
        if (parameter->value_count < 2 || space->private->effective >> p & 1u)
            continue;
        struct arena arena = {0};
        const struct name *name = names_find(&space->private->names, parameter->name, strlen(parameter->name));
        const char *near = effects_nearest_word(space, parameter->macro, &arena);
        const char *renamed = parameter->macro == parameter->name ? "" : parameter->macro;
        int code = source_error(name->source, name->line, 1, error, ERROR_DATA,
                                "no value of '%s' changes anything: %s%s%s %s %s", parameter->name,
                                *renamed ? "its macro '" : "it", renamed, *renamed ? "'" : "",
                                parameter->in_source ? "is not in the code of" : "occurs neither in",
                                parameter->in_source ? space->source_path : "the source nor in a launch");
        if (near)
            error_hint(error, "did you mean '%s', which %s has? Otherwise remove it, or write `host %s`", near,
                       space->source_path, parameter->name);
        else
            error_hint(error, "remove it, or write `host %s` if it is for code that cutune does not see",
                       parameter->name);
        arena_free(&arena);
        return code;
    }
    return 0;
}
