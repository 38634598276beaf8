#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "draft/draft.h"
#include "expression/expr.h"

static bool is_language_word(const char *name)
{
    static const char *const words[] = {"true", "false", "null", "chunk_offset", "chunk_length"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], name) == 0)
            return true;
    for (size_t i = 0; i < limit_count; i++)
        if (strcmp(limit_rows[i].name, name) == 0)
            return true;
    for (size_t i = 0; i < expr_function_count; i++)
        if (strcmp(expr_functions[i].name, name) == 0)
            return true;
    for (size_t i = 0; i < element_type_count; i++)
        if (strcmp(element_types[i].name, name) == 0)
            return true;
    return false;
}

static bool in_kernel(const struct scan_kernels *kernels, size_t token)
{
    for (size_t k = 0; k < kernels->count; k++)
        if (token >= kernels->items[k].body.begin && token < kernels->items[k].body.end)
            return true;
    return false;
}

/* True if the source may have a constant of that name for its kernels: a macro, or `NAME = ...` outside functions of
 * the host. */
static bool has_value(const struct draft *draft, const char *name)
{
    const struct scan *scan = &draft->scan;
    size_t depth = 0;
    for (size_t i = 1; i < scan->directive_count; i++)
        if (code_is(&scan->directives[i], name) && code_is(&scan->directives[i - 1], "define"))
            return true;
    for (size_t i = 0; i < scan->count; i++) {
        const struct code_token *token = &scan->tokens[i];
        depth += code_is_sign(token, '{');
        depth -= depth && code_is_sign(token, '}');
        if (code_is(token, name) && code_is_sign(token + 1, '=') && (!depth || in_kernel(&draft->kernels, i)))
            return true;
    }
    return false;
}

static bool is_free(const struct draft *draft, const char *name, enum draft_name kind)
{
    for (size_t i = 0; i < draft->name_count; i++)
        if (strcmp(draft->names[i], name) == 0)
            return false;
    return !is_language_word(name) && strlen(name) <= SPACE_WORD_MAX &&
           !(kind == DRAFT_MACRO && scan_has_word(&draft->scan, name)) &&
           !(kind == DRAFT_SIZE && has_value(draft, name));
}

/* "gridSize" is GRID_SIZE. */
static char *capital_name(struct arena *arena, const char *base)
{
    struct text text = {0};
    for (const char *c = base; *c; c++) {
        bool begins = c > base && *c >= 'A' && *c <= 'Z' && c[-1] >= 'a' && c[-1] <= 'z';
        const char letter = text_upper(*c);
        text_append(&text, "_", begins);
        text_append(&text, &letter, 1);
    }
    char *name = text.failed ? NULL : arena_copy(arena, text_string(&text), text.length);
    text_free(&text);
    return name;
}

const char *draft_name(struct draft *draft, const char *base, enum draft_name kind)
{
    static const char *const endings[] = {"", "_VALUE", "_OF_KERNEL"};
    enum { ENDINGS = sizeof endings / sizeof *endings, LONGEST = 40 };
    const char *name = arena_copy(&draft->arena, base, strnlen(base, LONGEST));
    name = name && kind != DRAFT_BUFFER ? capital_name(&draft->arena, name) : name;
    const char *made = name;
    for (size_t i = 1; made && !is_free(draft, made, kind); i++)
        made = kind == DRAFT_BUFFER && i == 1        ? arena_printf(&draft->arena, "%s_buffer", name)
               : kind != DRAFT_BUFFER && i < ENDINGS ? arena_printf(&draft->arena, "%s%s", name, endings[i])
                                                     : arena_printf(&draft->arena, "%s_%zu", name, i);
    if (made && draft->name_count < DRAFT_NAMES_MAX)
        draft->names[draft->name_count++] = made;
    return made;
}

size_t draft_parameter_count(const struct draft *draft)
{
    return draft->answer.parameter_count;
}

const char *draft_parameter_name(struct draft *draft, size_t number)
{
    bool same = draft->kernel.parameter_count == draft->answer.parameter_count;
    const char *name = same ? draft->kernel.parameters[number].name : "";
    return *name ? name : arena_printf(&draft->arena, "a%zu", number + 1);
}
