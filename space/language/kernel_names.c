#include "language/kernel_names.h"

#include <string.h>

#include "expression/space_internal.h"
#include "language/kernel_file.h"

void kernel_symbol(const char *kernel, const char **symbol, size_t *length)
{
    size_t end = kernel[0] == '(' ? strlen(kernel) : strcspn(kernel, "<("), start;
    while (end > 0 && !lexer_is_name_part(kernel[end - 1]))
        end--;
    for (start = end; start > 0 && lexer_is_name_part(kernel[start - 1]);)
        start--;
    *symbol = kernel + start;
    *length = end - start;
}

static void add(struct space *space, const struct step *step)
{
    struct kernel_name *kernel = &space->private->kernel_names[space->private->kernel_name_count++];
    kernel_symbol(step->kernel, &kernel->symbol, &kernel->length);
    kernel->place = step->kernel_place;
    kernel->file = step->file;
}

int kernel_names_begin(struct space *space, struct error *error)
{
    struct space_private *private = space->private;
    private->kernel_names =
        arena_array(&space->arena, space->step_count + space->reference_count + 1, sizeof *private->kernel_names);
    if (!private->kernel_names)
        return error_memory(error);
    for (size_t i = 0; i < space->step_count; i++)
        add(space, &space->steps[i]);
    for (size_t i = 0; i < space->reference_count; i++)
        add(space, &space->reference[i]);
    return 0;
}

void kernel_names_mark(struct space *space, const char *name, size_t length, const struct kernel_file *alone)
{
    struct space_private *private = space->private;
    for (size_t i = 0; i < private->kernel_name_count && !private->sources_read; i++) {
        struct kernel_name *kernel = &private->kernel_names[i];
        if (kernel_file_alone(kernel->file) == alone &&
            (!name || (kernel->length == length && memcmp(kernel->symbol, name, length) == 0)))
            kernel->found = true;
    }
}

/* Returns the source's most similar name in front of a parenthesis; NULL: none. */
static const char *nearest_function(const char *source, const char *symbol, struct arena *arena)
{
    enum { CANDIDATES_MAX = 512 };
    const char *candidates[CANDIDATES_MAX];
    size_t count = 0;
    for (const char *at = source; *at && count < CANDIDATES_MAX;) {
        size_t length = 0;
        while (lexer_is_name_part(at[length]))
            length++;
        if (length && at[length] == '(' && (candidates[count] = arena_copy(arena, at, length)))
            count++;
        at += length ? length : 1;
    }
    return text_nearest(symbol, candidates, count);
}

void kernel_names_suggest(const char *source, const char *symbol, size_t length, struct error *error)
{
    struct arena arena = {0};
    const char *copy = arena_copy(&arena, symbol, length), *near = copy ? nearest_function(source, copy, &arena) : NULL;
    if (near)
        error_hint(error, "did you mean '%s'?", near);
    arena_free(&arena);
}

/* Macros may form a name that occurs nowhere. */
static bool may_be_made(const struct space *space, const struct kernel_name *kernel)
{
    struct space_declared declared;
    bool made = space_declared(space, kernel->symbol, kernel->length, &declared);
    for (size_t i = 0; i < space->option_count; i++)
        made |=
            memmem(space->options[i].prefix, strlen(space->options[i].prefix), kernel->symbol, kernel->length) != NULL;
    for (const struct kernel_file *file = space->private->files_of_kernels; file; file = file->next)
        made |= strstr(file->source, "##") != NULL;
    return made || strstr(space->source, "##");
}

int space_check_kernels(const struct space *space, struct error *error)
{
    const struct space_private *private = space->private;
    for (size_t i = 0; i < private->kernel_name_count; i++) {
        const struct kernel_name *kernel = &private->kernel_names[i];
        if (kernel->found || may_be_made(space, kernel))
            continue;
        int code = error_set(error, ERROR_DATA, "'%.*s' does not occur in %s", (int)kernel->length, kernel->symbol,
                             kernel_file_path(space, kernel->file));
        space_put_place(&kernel->place, error);
        kernel_names_suggest(kernel_file_source(space, kernel->file), kernel->symbol, kernel->length, error);
        error_hint(error, "expected there: __global__ void %.*s(...)", (int)kernel->length, kernel->symbol);
        return code;
    }
    return 0;
}
