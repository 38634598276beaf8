/* Names of a header that macros of a program may collide with, and checks that say so instead of errors in the middle
 * of the header. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text_set.h"
#include "emit/emit_model.h"

enum { LINE_CHARACTERS = 110 };

/* Names that programs cannot or do not replace: words of the languages, and functions of string.h, which may be macros.
 */
static bool is_word(const char *name)
{
    static const char words[] =
        " break case char const constexpr continue default do double else enum for if inline int long memset return "
        "short size_t sizeof static static_cast strcmp struct switch unsigned void while ";
    const size_t length = strlen(name);
    for (const char *at = words; (at = strstr(at, name)); at += length)
        if (at[-1] == ' ' && at[length] == ' ')
            return true;
    return strncmp(name, "__", 2) == 0;
}

static bool begins(const char *name, const char *prefix, const char *behind)
{
    const size_t length = strlen(prefix);
    return strncmp(name, prefix, length) == 0 && strncmp(name + length, behind, strlen(behind)) == 0;
}

/* True for names of the header's own prefixes, and for parameters, whose macros it saves. */
static bool is_own(const struct emit_model *model, const char *name)
{
    bool own = begins(name, model->shared, "") || begins(name, model->shared_upper, "");
    for (size_t m = 0; m < model->count && !own; m++) {
        const struct emit_model *of = &model->all[m];
        own = begins(name, of->prefix, "_tuned") || begins(name, of->upper, "_TUNED_");
        for (size_t i = 0; i < of->selection->parameters->count && !own; i++)
            own = strcmp(of->parameters[i].field, name) == 0;
    }
    return own;
}

/* Returns the length of the comment, literal, directive or number at `at`, in which names do not count; 0: none. */
static size_t skipped_length(const char *at, bool first_of_line)
{
    const char *end = at;
    if (strncmp(at, "/*", 2) == 0)
        return (size_t)(strstr(at, "*/") + 2 - at);
    if (*at == '#' && first_of_line)
        return strcspn(at, "\n");
    if (*at == '"' || *at == '\'') {
        for (end++; *end != *at; end++)
            end += *end == '\\';
        return (size_t)(end + 1 - at);
    }
    while (text_is_digit(*at) && (text_is_digit(*end) || text_is_letter(*end) || *end == '.'))
        end++;
    return (size_t)(end - at);
}

static bool is_part(char c)
{
    return text_is_letter(c) || text_is_digit(c) || c == '_';
}

/* Collects the names of a text. */
static void collect(const struct emit_model *model, const struct text *text, struct arena *arena,
                    struct text_set *names, bool *failed)
{
    bool first_of_line = true;
    size_t length;
    for (const char *at = text_string(text); *at && !*failed; at += length) {
        length = skipped_length(at, first_of_line);
        first_of_line = *at == '\n' || (first_of_line && *at == ' ');
        if (length)
            continue;
        while (is_part(at[length]))
            length++;
        if (!length) {
            length = 1;
            continue;
        }
        const char *name = arena_copy(arena, at, length);
        if (name && (is_word(name) || is_own(model, name)))
            continue;
        const char **place = name ? text_set_place(names, name) : NULL;
        if (place)
            *place = name;
        *failed |= !place;
    }
}

/* Appends an error unless none of the names is a macro. */
static void put_check(const char *const *names, size_t count, const char *message, struct text *text)
{
    size_t column = 0;
    for (size_t i = 0; i < count; i++) {
        if (column > LINE_CHARACTERS)
            text_printf(text, " \\\n   "), column = 0;
        text_printf(text, "%s defined %s", i ? " ||" : "#if", names[i]);
        column += strlen(names[i]) + strlen(" || defined ");
    }
    if (count)
        text_printf(text, "\n#error \"%s\"\n#endif\n", message);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The macros of parameters that the header defines. */
static void put_constants(const struct emit_model *model, struct arena *arena, struct text *text)
{
    for (size_t m = 0; m < model->count; m++) {
        const struct emit_model *of = &model->all[m];
        const size_t count = of->selection->parameters->count;
        const char **macros = arena_array(arena, count + 1, sizeof *macros);
        for (size_t i = 0; macros && i < count; i++) {
            macros[i] = arena_printf(arena, "%s_%s", of->upper, of->parameters[i].name);
            text->failed |= !macros[i];
        }
        text->failed |= !macros;
        if (!text->failed)
            put_check(macros, count,
                      "a constant of this header is a macro already: #undef it, or emit the header with --prefix NAME",
                      text);
    }
}

void emit_name_checks(const struct emit_model *model, const struct text *body, struct text *text)
{
    struct arena arena = {0};
    struct text_set names = {0};
    bool failed = body->failed;
    if (!failed)
        collect(model, body, &arena, &names, &failed);
    if (!failed) {
        qsort(names.texts, names.count, sizeof *names.texts, by_name);
        put_check(
            names.texts, names.count,
            "a macro has a name that this header uses: include the header before the macro is defined, or #undef it",
            text);
        put_constants(model, &arena, text);
        text_append(text, "\n", 1);
    }
    text->failed |= failed;
    text_set_free(&names);
    arena_free(&arena);
}
