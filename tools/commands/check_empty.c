#include "commands/check_empty.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "set/valid_set.h"

enum {
    BUILD_BYTES_MAX = 64 << 20, /* for a set built only to test if it is empty */
    CONSTRAINTS_MAX = 256       /* limit for the search of constraints that exclude each other */
};

/* True if no combination passes these constraints; false also if unknown. */
static bool excludes_all(const struct space *space, const struct constraint *constraints, size_t count)
{
    struct space same = *space; /* copy with other constraints; owns nothing */
    struct valid_set *set = NULL;
    same.constraints = (struct constraint *)constraints;
    same.constraint_count = count;
    bool empty = valid_set_build(&set, &same, BUILD_BYTES_MAX, NULL) == 0 && valid_set_count(set) == 0;
    valid_set_free(set);
    return empty;
}

static void name_constraint(const struct space *space, const struct constraint *constraint, struct text *hint)
{
    if (constraint->device)
        text_printf(hint, "%s (limit %s of the device)", constraint->text, constraint->name);
    else if (!constraint->path)
        text_printf(hint, "%s (%s)", constraint->text, constraint->name);
    else if (strcmp(constraint->path, space->path) == 0)
        text_printf(hint, "%s (line %d)", constraint->text, constraint->line);
    else
        text_printf(hint, "%s (%s:%d)", constraint->text, constraint->path, constraint->line);
}

static void name_alone(const struct space *space, struct text *hint)
{
    for (size_t c = 0; c < space->constraint_count; c++)
        if (excludes_all(space, &space->constraints[c], 1)) {
            text_printf(hint, "%s", hint->length ? "; " : "no combination passes: ");
            name_constraint(space, &space->constraints[c], hint);
        }
}

/* Drops one constraint after the other as long as the rest still excludes everything. */
static void name_together(const struct space *space, struct text *hint)
{
    size_t count = space->constraint_count;
    struct constraint *left = count <= CONSTRAINTS_MAX ? malloc((count + 1) * sizeof *left) : NULL;
    if (!left)
        return;
    memcpy(left, space->constraints, count * sizeof *left);
    for (size_t c = count; c-- > 0;) {
        struct constraint without = left[c];
        memmove(&left[c], &left[c + 1], (count - c - 1) * sizeof *left);
        if (excludes_all(space, left, count - 1)) {
            count--;
            continue;
        }
        memmove(&left[c + 1], &left[c], (count - c - 1) * sizeof *left);
        left[c] = without;
    }
    for (size_t c = 0; c < count; c++) {
        text_printf(hint, "%s", hint->length ? "; " : "these exclude each other: ");
        name_constraint(space, &left[c], hint);
    }
    free(left);
}

int check_empty(const struct space *space, struct error *error)
{
    struct text hint = {0};
    int code = error_set(error, ERROR_NOTHING_VALID, "no configuration of %s is valid", space->path);
    name_alone(space, &hint);
    if (!hint.length)
        name_together(space, &hint);
    error_hint(error, "%s",
               hint.length ? text_string(&hint) : "no single constraint removes everything: they exclude each other");
    text_free(&hint);
    return code;
}
