#include "language/macro.h"

#include <string.h>

#include "base/text.h"
#include "language/code.h"
#include "language/kernel_names.h"
#include "language/own_kernel.h"

/* ---- The clause ---- */

static bool is_identifier(const char *text)
{
    size_t length = 0;
    while (lexer_is_name_part(text[length]))
        length++;
    return length && length <= SPACE_WORD_MAX && !text[length] && lexer_is_name_start(*text);
}

int macro_parse(struct parser *parser, struct parameter *parameter)
{
    parameter->macro = parameter->name;
    parameter->macro_place = parser_place(parser);
    if (!lexer_at_word(&parser->lexer, "as"))
        return 0;
    TRY(lexer_next(&parser->lexer));
    const struct token token = parser->lexer.token;
    parameter->macro_place = parser_place(parser);
    TRY(parser_string(parser, "the name of a macro in quotes", false, &parameter->macro));
    if (is_identifier(parameter->macro))
        return 0;
    int code = parser_error(parser, &token, ERROR_SYNTAX, "'%.60s' is not the name of a macro", parameter->macro);
    error_hint(parser->error, "a name has letters, digits and _, up to %d, and no digit first", SPACE_WORD_MAX);
    return code;
}

/* ---- Equal names ---- */

static int same_macro(struct parser *parser, const struct parameter *parameter, const char *statement, const char *name)
{
    error_set(parser->error, ERROR_SYNTAX, "the macro '%s' of the parameter %s is that of `%s %s`, too",
              parameter->macro, parameter->name, statement, name);
    space_put_place(&parameter->macro_place, parser->error);
    error_hint(parser->error, "give one of them another macro: param %s as \"NAME\" = ...", parameter->name);
    return parser_keep_error(parser, NULL, ERROR_SYNTAX);
}

static int check_equal(struct parser *parser)
{
    const struct space *space = parser->space;
    const struct space_private *private = space->private;
    for (size_t p = 0; p < space->parameter_count; p++) {
        const struct parameter *parameter = &space->parameters[p];
        if (parameter->macro == parameter->name)
            continue;
        for (size_t o = 0; o < space->parameter_count; o++)
            if (o != p && (o < p || space->parameters[o].macro == space->parameters[o].name) &&
                strcmp(space->parameters[o].macro, parameter->macro) == 0)
                TRY(same_macro(parser, parameter, "param", space->parameters[o].name));
        for (size_t d = 0; d < private->define_count; d++)
            if (strcmp(private->defines[d].name, parameter->macro) == 0)
                TRY(same_macro(parser, parameter, "define", private->defines[d].name));
    }
    return 0;
}

/* ---- Names of kernels ---- */

static const struct parameter *find_renamed(const struct space *space, const char *text, size_t length)
{
    for (size_t p = 0; p < space->parameter_count; p++) {
        const struct parameter *parameter = &space->parameters[p];
        if (parameter->macro != parameter->name && strlen(parameter->name) == length &&
            memcmp(parameter->name, text, length) == 0)
            return parameter;
    }
    return NULL;
}

/* Replaces parameters in a name expression, except in the kernel's own name and behind `::`. */
static int rename_in(struct space *space, const char **kernel, struct error *error)
{
    const char *symbol, *text = *kernel;
    size_t symbol_length;
    struct text renamed = {0};
    bool changed = false;
    kernel_symbol(text, &symbol, &symbol_length);
    for (size_t at = 0; text[at];) {
        size_t length = 0;
        while (lexer_is_name_part(text[at + length]))
            length++;
        bool member = at >= 2 && text[at - 1] == ':' && text[at - 2] == ':';
        const struct parameter *parameter =
            length && text + at != symbol && !member ? find_renamed(space, text + at, length) : NULL;
        if (parameter)
            text_printf(&renamed, "%s", parameter->macro);
        else
            text_append(&renamed, text + at, length ? length : 1);
        changed |= parameter != NULL;
        at += length ? length : 1;
    }
    if (changed)
        *kernel = renamed.failed ? NULL : arena_copy(&space->arena, renamed.bytes, renamed.length);
    text_free(&renamed);
    return *kernel ? 0 : error_memory(error);
}

int macros_check(struct parser *parser)
{
    struct space *space = parser->space;
    struct own_kernel *own;
    bool renamed = false;
    for (size_t p = 0; p < space->parameter_count; p++)
        renamed |= space->parameters[p].macro != space->parameters[p].name;
    if (!renamed)
        return 0;
    TRY(check_equal(parser));
    for (size_t s = 0; s < space->step_count; s++)
        TRY(rename_in(space, &space->steps[s].kernel, parser->error));
    for (size_t s = 0; s < space->reference_count; s++)
        TRY(rename_in(space, &space->reference[s].kernel, parser->error));
    for (size_t at = 0; (own = own_kernel_next(space, &at));) {
        TRY(rename_in(space, &own->step.kernel, parser->error));
        kernel_symbol(own->step.kernel, &own->symbol, &own->symbol_length);
    }
    return 0;
}
