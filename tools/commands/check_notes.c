#include "commands/check_notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/symbol.h"
#include "base/text.h"
#include "compile/ptx.h"
#include "expression/expr.h"
#include "terminal/output.h"

/* A launch of a configuration, and the properties of its kernel. */
struct look {
    struct check_notes *notes;
    const struct space *space;
    const uint32_t *choices;
    size_t row;
    const struct launch *launch;
    const struct compile_result *result;
    const struct launch_step *step;
    const char *kernel, *lowered;
    struct ptx_use use;
    bool known;
    bool changed[SPACE_PROBLEMS_MAX]; /* buffers that some launch may write */
    bool all_known;                   /* all launches so far are known */
};

static void say(const struct look *look, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(const struct look *look, const char *format, ...)
{
    char message[512];
    struct text config = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vformat(message, sizeof message, format, arguments);
    va_end(arguments);
    struct check_notes *notes = look->notes;
    const char **place = text_set_place(&notes->texts, message);
    if (!place || (!*place && !(*place = arena_copy(&notes->arena, message, strlen(message)))))
        return;
    size_t number = (size_t)(place - notes->texts.texts);
    if (number >= CHECK_NOTES_MAX || number < notes->said ||
        (notes->configs[number] && notes->rows[number] <= look->row))
        return;
    space_config_text(look->space, look->choices, &config);
    notes->rows[number] = look->row;
    notes->configs[number] = arena_copy(&notes->arena, text_string(&config), config.length);
    text_free(&config);
}

/* ---- Notes on a launch ---- */

static const struct launch_argument *argument_of(const struct look *look, size_t number)
{
    return &look->launch->arguments[look->step->argument_first + number];
}

/* Returns the kernel's `shared` expression; NULL: none. */
static const struct expr *shared_of(const struct look *look)
{
    for (size_t s = 0; s < look->space->step_count; s++)
        if (look->space->steps[s].number == look->launch->kernels[look->step->kernel] && look->space->steps[s].shared)
            return look->space->steps[s].shared;
    return NULL;
}

/* An expression of value 0 uses no shared memory. A parameter that only occurs there limits the occupancy. */
static void note_shared(const struct look *look)
{
    const struct expr *shared = shared_of(look);
    bool limits = false;
    for (size_t p = 0; shared && p < look->space->parameter_count; p++)
        limits |= (shared->parameters >> p & 1u) && !look->space->parameters[p].in_source;
    if (look->use.dynamic_shared && !look->step->shared_bytes && !shared)
        say(look, "kernel '%s' uses an `extern __shared__` array, but `shared` gives it no bytes", look->kernel);
    if (!look->use.dynamic_shared && !look->use.calls && look->step->shared_bytes && !limits)
        say(look, "`shared` gives kernel '%s' bytes, but it uses no `extern __shared__` array", look->kernel);
}

static void note_cooperative(const struct look *look)
{
    if (look->use.grid_sync && !look->step->cooperative)
        say(look, "kernel '%s' synchronises the grid, which needs `cooperative`", look->kernel);
}

static void note_textures(const struct look *look)
{
    for (size_t i = 0; i < look->step->argument_count && i < PTX_PARAMETERS_MAX; i++) {
        const struct launch_argument *argument = argument_of(look, i);
        uint64_t bit = (uint64_t)1 << i;
        if (argument->buffer >= 0 || argument->role != ARGUMENT_TEXTURE)
            continue;
        const struct launch_texture *texture = &look->launch->textures[argument->view];
        const struct element_type *type = &element_types[texture->type];
        bool real = type->family == FAMILY_FLOAT || texture->read == UNIT_NORMALIZED;
        if (real ? look->use.as_integer & bit : look->use.as_float & bit)
            say(look, "kernel '%s' fetches %s from its parameter %zu, a texture of %s%s", look->kernel,
                real ? "integers" : "floating-point numbers", i + 1, type->name,
                texture->read == UNIT_NORMALIZED ? ", read as normalized" : "");
        if (type->components == 1 && look->use.as_vector & bit)
            say(look, "kernel '%s' fetches vectors from its parameter %zu, a texture of %s", look->kernel, i + 1,
                type->name);
    }
}

static void note_inputs(const struct look *look)
{
    for (size_t i = 0; i < look->step->argument_count && i < PTX_PARAMETERS_MAX; i++) {
        int buffer = argument_of(look, i)->buffer;
        if (buffer >= 0 && look->space->buffers[buffer].role == BUFFER_INPUT && look->use.written >> i & 1u)
            say(look, "kernel '%s' writes the input '%s': declare it as `inout`, or `scratch`", look->kernel,
                look->space->buffers[buffer].name);
    }
}

/* ---- Notes on constants ---- */

static bool is_name_part(char c)
{
    return text_is_letter(c) || text_is_digit(c) || c == '_';
}

/* True if PTX gives the variable a value: looks for `NAME[4] = ...` and `NAME{...}`, since PTX omits zeros. A name that
 * only a header has counts as given a value. */
static bool has_value(const char *source, const char *name)
{
    bool found = false;
    size_t length = strlen(name);
    for (const char *at = source; (at = strstr(at, name)); at += length) {
        if ((at > source && is_name_part(at[-1])) || is_name_part(at[length]))
            continue;
        const char *behind = at + length;
        for (behind += strspn(behind, " \t\n"); *behind == '['; behind += strspn(behind, " \t\n")) {
            behind += strcspn(behind, "]");
            behind += *behind == ']';
        }
        found = true;
        if ((behind[0] == '=' && behind[1] != '=') || *behind == '{')
            return true;
    }
    return !found;
}

static void note_constants(const struct look *look)
{
    const char *at = look->result->ptx;
    char symbol[PTX_NAME_BYTES], name[SYMBOL_BYTES];
    while (ptx_next_constant(look->result->ptx, look->lowered, &at, symbol)) {
        bool filled = false;
        symbol_name(symbol, name);
        const char *colon = strrchr(name, ':'), *word = colon ? colon + 1 : name;
        for (size_t v = 0; v < look->launch->variable_count; v++)
            filled |= strcmp(look->launch->variables[v].name, name) == 0;
        if (!filled && look->space->source && !has_value(look->space->source, word))
            say(look, "kernel '%s' reads the __constant__ variable `%s`, which nothing fills: constant %s = BUFFER",
                look->kernel, name, name);
    }
}

/* ---- A configuration ---- */

static void look_at_step(struct look *look)
{
    uint64_t pointers = 0;
    for (size_t i = 0; i < look->step->argument_count && i < PTX_PARAMETERS_MAX; i++) {
        const struct launch_argument *argument = argument_of(look, i);
        if (argument->buffer >= 0 || argument->role == ARGUMENT_TEXTURE)
            pointers |= (uint64_t)1 << i;
    }
    look->known = look->step->argument_count <= PTX_PARAMETERS_MAX &&
                  ptx_use_of(look->result->ptx, look->lowered, pointers, &look->use);
    look->all_known &= look->known;
    if (!look->known)
        return;
    for (size_t i = 0; i < look->step->argument_count; i++) {
        int buffer = argument_of(look, i)->buffer;
        if (buffer >= 0 && look->use.changed >> i & 1u)
            look->changed[buffer] = true;
    }
    note_shared(look);
    note_cooperative(look);
    note_textures(look);
    if (!look->launch->swap_count)
        note_inputs(look);
    note_constants(look);
}

static bool is_argument(const struct launch *launch, size_t buffer)
{
    for (size_t m = 0; m < launch->tensor_map_count; m++)
        if (launch->tensor_maps[m].rank && launch->tensor_maps[m].buffer == buffer)
            return false; /* the map may write it */
    for (size_t t = 0; t < launch->texture_count; t++)
        if (launch->textures[t].memory == MEMORY_SURFACE && launch->textures[t].buffer == buffer)
            return false; /* likewise */
    for (size_t p = 0; p < launch->part_count; p++)
        if (launch->parts[p].buffer == (int)buffer)
            return false; /* a kernel may write it by its address in the struct */
    for (size_t v = 0; v < launch->variable_count; v++)
        if (!launch->variables[v].contents && launch->arguments[launch->variables[v].argument].buffer == (int)buffer)
            return false; /* likewise */
    for (size_t i = 0; i < launch->argument_count; i++)
        if (launch->arguments[i].buffer == (int)buffer)
            return true;
    return false;
}

static void note_outputs(const struct look *look)
{
    for (size_t b = 0; b < look->space->buffer_count && look->all_known && !look->launch->swap_count; b++) {
        const struct buffer *buffer = &look->space->buffers[b];
        if (buffer_roles[buffer->role].compared && is_argument(look->launch, b) && !look->changed[b])
            say(look, "no kernel writes '%s': its parameters only read it", buffer->name);
    }
}

void check_notes_take(struct check_notes *notes, const struct space *space, size_t row, const uint32_t *choices,
                      const struct launch *launch, const struct compile_result *result)
{
    struct look look = {.notes = notes,
                        .space = space,
                        .row = row,
                        .choices = choices,
                        .launch = launch,
                        .result = result,
                        .all_known = true};
    if (!*result->ptx)
        return;
    for (size_t s = 0; s < launch->step_count; s++) {
        look.step = &launch->steps[s];
        look.kernel = space->kernel_titles[launch->kernels[look.step->kernel]];
        look.lowered = result->lowered_names + text_strings_bytes(result->lowered_names, look.step->kernel);
        look_at_step(&look);
    }
    note_outputs(&look);
}

void check_notes_say(struct check_notes *notes, const struct space *space, size_t rows)
{
    size_t count = notes->texts.count < CHECK_NOTES_MAX ? notes->texts.count : CHECK_NOTES_MAX;
    for (size_t row = 0; row < rows && notes->said < count; row++)
        for (size_t i = notes->said; i < count; i++)
            if (notes->configs[i] && notes->rows[i] == row)
                output_note("%s: %s%s%s", space->path, notes->configs[i], *notes->configs[i] ? ": " : "",
                            notes->texts.texts[i]);
    notes->said = count;
}

void check_notes_free(struct check_notes *notes)
{
    text_set_free(&notes->texts);
    arena_free(&notes->arena);
}
