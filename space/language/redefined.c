#include "language/redefined.h"

#include <string.h>

#include "language/code.h"
#include "language/override.h"

/* ---- Constants ---- */

/* Context of a token outside directives. */
struct surroundings {
    unsigned parentheses, braces, namespaces; /* braces: except those of namespaces and enumerations */
    bool constant;                            /* the declaration declares constants */
    bool global, kernel; /* global: the declaration is a kernel; kernel: the enclosing function is one */
    bool opens;          /* the next brace opens a namespace or enumeration */
    struct code_token before;
};

static bool is_any(const struct code_token *token, const char *const *words)
{
    while (*words && !code_is(token, *words))
        words++;
    return *words != NULL;
}

static void enter_brace(struct surroundings *at)
{
    if (at->opens && !at->braces)
        at->namespaces++;
    else if (at->braces++ == 0)
        at->kernel = at->global;
    at->constant &= at->opens;
    at->opens = at->global = false;
}

static void follow_sign(struct surroundings *at, char sign)
{
    if (sign == '(' || sign == ')') {
        at->parentheses += sign == '(' ? 1u : at->parentheses ? -1u : 0u;
        at->constant = false;
    } else if (sign == '{') {
        enter_brace(at);
    } else if (sign == '}' || sign == ';') {
        if (sign == '}' && at->braces)
            at->braces--;
        else if (sign == '}' && at->namespaces)
            at->namespaces--;
        at->parentheses = 0;
        at->constant = at->opens = at->global = false;
    }
}

static void follow(struct surroundings *at, const struct code_token *token)
{
    static const char *const constants[] = {"const", "constexpr", "__constant__", "enum", NULL};
    static const char *const opening[] = {"namespace", "enum", NULL};
    if (token->kind == CODE_SIGN)
        follow_sign(at, *token->start);
    at->constant |= is_any(token, constants);
    at->global |= !at->braces && code_is(token, "__global__");
    if (token->kind == CODE_WORD && at->before.kind == CODE_STRING)
        at->opens = false; /* extern "C" void ... */
    at->opens |= is_any(token, opening) || (token->kind == CODE_STRING && code_is(&at->before, "extern"));
    at->before = *token;
}

/* True for a number, or numbers with operators, up to the end of the directive or declarator. */
static bool is_constant(struct code code)
{
    static const char *const types[] = {"int",    "unsigned", "long",        "short",  "char", "float",
                                        "double", "size_t",   "static_cast", "sizeof", NULL};
    size_t numbers = 0;
    for (unsigned depth = 0;;) {
        const struct code_token token = code_next(&code);
        bool closes = code_is_sign(&token, ')') || code_is_sign(&token, '}');
        if (token.kind == CODE_LINE_END || token.kind == CODE_END || code_is_sign(&token, ';') ||
            (depth == 0 && (closes || code_is_sign(&token, ','))))
            return numbers > 0;
        if (token.kind == CODE_STRING || (token.kind == CODE_WORD && !is_any(&token, types)))
            return false;
        depth += code_is_sign(&token, '(') || code_is_sign(&token, '{');
        depth -= closes;
        numbers += token.kind == CODE_NUMBER;
    }
}

/* True for a size of the space that the source does not get. */
static const struct name *shadowed(const struct space *space, const struct code_token *word)
{
    size_t number;
    const struct name *name =
        word->kind == CODE_WORD ? names_find(&space->private->names, word->start, word->length) : NULL;
    return name && (name->kind == NAME_PROBLEM || name->kind == NAME_LET) && !code_macro(space, word, &number) ? name
                                                                                                               : NULL;
}

/* True if the token is the sign behind a constant's name, and the value follows at `code`. */
static bool begins_value(const struct surroundings *at, const struct code_token *token, struct code code)
{
    if (!at->constant || at->parentheses || (at->braces && !at->kernel))
        return false;
    struct code ahead = code;
    const struct code_token next = code_next(&ahead);
    return (code_is_sign(token, '=') && !code_is_sign(&next, '=') && is_constant(code)) ||
           (code_is_sign(token, '{') && is_constant(code));
}

/* ---- Errors ---- */

static int redefinition(const struct source_text *source, const struct code_token *name, const struct space *space,
                        struct error *error)
{
    int length = (int)name->length;
    size_t number;
    code_macro(space, name, &number);
    error_set(error, ERROR_DATA, "'%.*s' is %s, whose values this #define replaces", length, name->start,
              number < SPACE_PARAMETERS_MAX ? "a parameter" : "a macro of the space");
    source_place(source, name->line, name->column, error);
    error_hint(error,
               "delete the line, put `#ifndef %.*s` before it and `#endif` behind it, or write `override %.*s` in the "
               "space",
               length, name->start, (int)strlen(code_macro_name(space, number)), code_macro_name(space, number));
    return ERROR_DATA;
}

static int shadow(const struct source_text *source, const struct code_token *at, const struct name *name, bool guarded,
                  struct error *error)
{
    error_set(error, ERROR_DATA,
              "'%s' is %s (line %d of %s), which this constant of the source shadows: the source "
              "computes with a value of its own",
              name->text, name_kind_text(name->kind), name->line, name->source->path);
    source_place(source, at->line, at->column, error);
    error_hint(error, "write `define %s` in the space, so that both have the same value%s", name->text,
               guarded ? "; or rename one of them" : ", and delete this line, or rename one of them");
    return ERROR_DATA;
}

/* ---- Checks ---- */

/* Notes the file of a directive: "FILE" or <FILE>. */
static int note_included(struct redefined *redefined, struct code rest, struct error *error)
{
    const struct code_token token = code_next(&rest);
    const char *end = code_is_sign(&token, '<')   ? memchr(token.start, '>', (size_t)(rest.end - token.start))
                      : token.kind == CODE_STRING ? token.start + token.length - 1
                                                  : NULL;
    if (!end || end <= token.start)
        return 0;
    const char *name = arena_copy(&redefined->names, token.start + 1, (size_t)(end - token.start - 1));
    const char **place = name ? text_set_place(&redefined->included, name) : NULL;
    if (!place)
        return error_memory(error);
    *place = name;
    return 0;
}

static int check_define(const struct redefined *redefined, const struct source_text *source,
                        const struct code_item *item, bool guarded, bool reference, struct error *error)
{
    const struct code_token *name = &item->token;
    const struct name *size = shadowed(redefined->space, name);
    size_t number;
    bool function = item->rest.at < item->rest.end && *item->rest.at == '(';
    if (!reference && code_macro(redefined->space, name, &number) &&
        (function || !override_has(redefined->space, number)))
        return redefinition(source, name, redefined->space, error);
    return size && !function && is_constant(item->rest) ? shadow(source, name, size, guarded, error) : 0;
}

static bool is_sure(const struct redefined *redefined, const char *name)
{
    for (size_t i = 0; i < redefined->included.count && *name; i++)
        if (strcmp(redefined->included.texts[i], name) == 0)
            return true;
    return !*name;
}

int redefined_check(struct redefined *redefined, const char *name, const struct source_text *source, bool reference,
                    struct error *error)
{
    struct code_walk walk;
    struct code_item item;
    struct surroundings at = {0};
    if (!is_sure(redefined, name))
        return 0;
    code_walk_start(&walk, redefined->space, source);
    for (code_walk_next(&walk, &item); item.kind != ITEM_END; code_walk_next(&walk, &item)) {
        const struct name *size =
            item.kind == ITEM_TOKEN && item.certainty == CODE_SURELY ? shadowed(redefined->space, &at.before) : NULL;
        if (item.certainty == CODE_SURELY && item.kind == ITEM_DEFINE)
            TRY(check_define(redefined, source, &item, walk.depth > 0, reference, error));
        if (item.certainty == CODE_SURELY && item.kind == ITEM_INCLUDE)
            TRY(note_included(redefined, item.rest, error));
        if (size && begins_value(&at, &item.token, walk.code))
            return shadow(source, &at.before, size, false, error);
        if (item.kind == ITEM_TOKEN)
            follow(&at, &item.token);
    }
    return 0;
}

void redefined_free(struct redefined *redefined)
{
    text_set_free(&redefined->included);
    arena_free(&redefined->names);
}
