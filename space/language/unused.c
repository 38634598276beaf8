#include "language/unused.h"

#include <string.h>

#include "base/text.h"
#include "language/code.h"
#include "language/effects.h"

struct macro {
    const char *name;
    size_t length;
    const struct source_text *source; /* of its statement */
    int line;
    bool option; /* of an `option` or `compiler` statement */
    bool found;
};

struct unused {
    struct macro *macros;
    size_t count;
};

/* ---- The macros ---- */

/* Returns the macro that an option defines, "ROWS=64" or "ROWS"; NULL: none. `before`: the option before it, or
 * NULL. */
static const char *defined_by(const char *option, const char *before)
{
    static const char *const spellings[] = {"-D", "--define-macro"};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        size_t length = strlen(spellings[i]);
        if (before && strcmp(before, spellings[i]) == 0)
            return option;
        if (strncmp(option, spellings[i], length) == 0 && option[length])
            return option + length + (i && option[length] == '=');
    }
    return NULL;
}

static void add(struct unused *unused, struct macro macro)
{
    macro.length = strcspn(macro.name, "=( \t");
    unused->macros[unused->count++] = macro;
}

int unused_begin(struct space *space, struct error *error)
{
    struct space_private *private = space->private;
    struct unused *unused = arena_alloc(&space->arena, sizeof *unused);
    struct macro *macros = arena_array(&space->arena, private->define_count + space->option_count + 1, sizeof *macros);
    if (!unused || !macros)
        return error_memory(error);
    *unused = (struct unused){.macros = macros};
    for (size_t i = 0; i < private->define_count; i++) {
        const struct define *define = &private->defines[i];
        add(unused, (struct macro){.name = define->name, .source = define->value->source, .line = define->value->line});
    }
    for (size_t i = 0; i < space->option_count; i++) {
        const struct compile_option *option = &space->options[i];
        const char *name = defined_by(option->prefix, i && !option[-1].value ? option[-1].prefix : NULL);
        if (name && lexer_is_name_start(*name))
            add(unused, (struct macro){
                            .name = name, .source = option->place.source, .line = option->place.line, .option = true});
    }
    private->unused = unused;
    return 0;
}

static void mark(struct unused *unused, const struct code_token *word)
{
    for (size_t i = 0; i < unused->count; i++) {
        struct macro *macro = &unused->macros[i];
        macro->found |= macro->length == word->length && memcmp(macro->name, word->start, word->length) == 0;
    }
}

void unused_mark(struct space *space, const char *text, size_t length)
{
    struct unused *unused = space->private->unused;
    const struct source_text source = {.text = text, .length = length};
    struct code code = code_start(&source);
    bool pragma = false;
    if (!unused->count)
        return;
    for (struct code_token token = code_next(&code); token.kind != CODE_END; token = code_next(&code)) {
        if (token.kind == CODE_WORD)
            mark(unused, &token);
        else if (token.kind == CODE_STRING && pragma) /* the string is code */
            unused_mark(space, token.start + 1, token.length - 1);
        pragma = code_is(&token, "_Pragma") || (pragma && code_is_sign(&token, '('));
    }
}

/* ---- The notes ---- */

/* True for a declaration in the space's own file: a shared include may declare more than one space needs. */
static bool is_own(const struct space *space, const struct source_text *source)
{
    return source && strcmp(source->path, space->path) == 0;
}

/* A header that cutune does not read may use any macro; in that case, notes only a name that resembles one of the
 * source. */
static size_t note_macro(const struct space *space, const struct macro *macro, struct text *notes)
{
    struct arena arena = {0};
    const char *name = arena_copy(&arena, macro->name, macro->length);
    const char *near = name ? effects_nearest_word(space, name, &arena) : NULL;
    bool read = !macro->option || (!space->nvcc && !*space->toolkit_hash);
    if (name && (near || read)) {
        text_printf(notes, "%s:%d: %s does not use the macro '%s'", space->path, macro->line, space->source_path, name);
        if (near)
            text_printf(notes, "; did you mean '%s'?", near);
        text_append(notes, "", 1);
    }
    arena_free(&arena);
    return near || read;
}

static bool is_macro(const struct unused *unused, const char *name)
{
    for (size_t i = 0; unused && i < unused->count; i++)
        if (!unused->macros[i].option && strcmp(unused->macros[i].name, name) == 0)
            return true;
    return false;
}

static size_t note_name(const struct space *space, const struct name *name, struct text *notes)
{
    const char *statement = name->kind == NAME_LET ? "let" : "problem";
    /* A command reads the sizes from its environment. */
    if (name->used || is_macro(space->private->unused, name->text) || !is_own(space, name->source) ||
        (name->kind != NAME_LET && (name->kind != NAME_PROBLEM || space->reference_command || space->accept_command ||
                                    space->source_problems >> name->index & 1u)))
        return 0;
    text_printf(notes, "%s:%d: no statement uses '%s %s'", space->path, name->line, statement, name->text);
    if (space->kernel)
        text_printf(notes, "; `define %s` makes it a macro of %s", name->text, space->source_path);
    text_append(notes, "", 1);
    return 1;
}

size_t space_unused(const struct space *space, struct text *notes)
{
    const struct space_private *private = space->private;
    const struct unused *unused = private->unused;
    size_t count = 0;
    for (size_t i = 0; i < private->names.count; i++)
        count += note_name(space, &private->names.entries[i], notes);
    for (size_t i = 0; unused && i < unused->count && !space->source_unknown && !space->source_command; i++)
        if (!unused->macros[i].found && is_own(space, unused->macros[i].source))
            count += note_macro(space, &unused->macros[i], notes);
    return notes->failed ? 0 : count;
}
