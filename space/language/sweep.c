#include "language/sweep.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/pairs.h"

struct swept {
    size_t count;
    const char **texts; /* "NAME=VALUE" */
};

struct sweep {
    struct arena arena;
    size_t count, runs;
    struct swept *defines;
    const char **current;
};

/* Length of the value at the start of `text`. */
static size_t value_length(const char *text)
{
    size_t length = 0, depth = 0;
    for (; text[length] && (depth || text[length] != ','); length++)
        if (text[length] == '(')
            depth++;
        else if (text[length] == ')' && depth)
            depth--;
    return length;
}

/* Splits a define. With `texts` NULL, only counts. False when out of memory. */
static bool take_apart(struct arena *arena, const char *define, const char **texts, size_t *count)
{
    struct pair_parts parts;
    bool is_pair = pairs_split(define, strlen(define), &parts);
    const char *at = is_pair ? parts.value : define;
    *count = 0;
    for (;;) {
        size_t length = is_pair ? value_length(at) : strlen(at);
        if (texts) {
            texts[*count] =
                arena_printf(arena, "%.*s%.*s", is_pair ? (int)(parts.value - define) : 0, define, (int)length, at);
            if (!texts[*count])
                return false;
        }
        ++*count;
        if (!at[length])
            return true;
        at += length + 1;
    }
}

static int fill(struct sweep *sweep, const char *const *defines, struct error *error)
{
    sweep->defines = arena_array(&sweep->arena, sweep->count, sizeof *sweep->defines);
    sweep->current = arena_array(&sweep->arena, sweep->count, sizeof *sweep->current);
    if (!sweep->defines || !sweep->current)
        return error_memory(error);
    for (size_t i = 0; i < sweep->count; i++) {
        struct swept *swept = &sweep->defines[i];
        take_apart(&sweep->arena, defines[i], NULL, &swept->count);
        if (swept->count > SWEEP_RUNS_MAX / sweep->runs)
            return error_set(error, ERROR_USAGE, "-D: the lists of values request more than %d runs", SWEEP_RUNS_MAX);
        sweep->runs *= swept->count;
        swept->texts = arena_array(&sweep->arena, swept->count, sizeof *swept->texts);
        if (!swept->texts || !take_apart(&sweep->arena, defines[i], swept->texts, &swept->count))
            return error_memory(error);
    }
    return 0;
}

int sweep_make(struct sweep **result, const char *const *defines, size_t count, struct error *error)
{
    struct sweep *sweep = calloc(1, sizeof *sweep);
    *result = sweep;
    if (!sweep)
        return error_memory(error);
    sweep->count = count;
    sweep->runs = 1;
    int code = fill(sweep, defines, error);
    if (code) {
        sweep_free(sweep);
        *result = NULL;
    }
    return code;
}

/* Checks a define. Stores its values in `values`, which has room for all. */
static int check_define(const struct swept *swept, struct space *space, size_t *problem, struct value *values,
                        struct error *error)
{
    for (size_t v = 0; v < swept->count; v++) {
        int code = space_override(space, swept->texts[v], problem, &values[v], error);
        for (size_t before = 0; before < v && !code; before++)
            if (value_equal(&values[before], &values[v]))
                code = error_set(error, ERROR_USAGE, "-D %s: the list has this value twice", swept->texts[v]);
        if (code)
            return code;
    }
    return 0;
}

int sweep_check(const struct sweep *sweep, struct space *space, struct error *error)
{
    struct value *values = malloc(sizeof *values * SWEEP_RUNS_MAX);
    bool *given = calloc(space->problem_count + 1, sizeof *given);
    int code = values && given ? 0 : error_memory(error);
    for (size_t i = 0; i < sweep->count && !code; i++) {
        const struct swept *swept = &sweep->defines[i];
        size_t problem = 0;
        code = check_define(swept, space, &problem, values, error);
        if (!code && given[problem])
            code = error_set(error, ERROR_USAGE, "-D %s: the problem size is given twice", swept->texts[0]);
        given[problem] = true;
    }
    free(values);
    free(given);
    return code;
}

void sweep_free(struct sweep *sweep)
{
    if (!sweep)
        return;
    arena_free(&sweep->arena);
    free(sweep);
}

size_t sweep_runs(const struct sweep *sweep)
{
    return sweep->runs;
}

size_t sweep_defines(const struct sweep *sweep)
{
    return sweep->count;
}

const char *const *sweep_get(struct sweep *sweep, size_t run)
{
    for (size_t i = sweep->count; i-- > 0;) {
        const struct swept *swept = &sweep->defines[i];
        sweep->current[i] = swept->texts[run % swept->count];
        run /= swept->count;
    }
    return sweep->current;
}
