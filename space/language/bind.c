/* Binding: fixes the sizes of a space, and all that follows from them. */
#include <string.h>

#include "base/pairs.h"
#include "expression/space_internal.h"
#include "language/demand.h"
#include "language/scratch.h"

static int override_error(const char *override, const struct error *cause, struct error *error)
{
    int code = error_set(error, ERROR_USAGE, "-D %s: %s", override, cause->message);
    if (cause->hint[0])
        error_hint(error, "%s", cause->hint);
    return code;
}

static int override_value(struct space *space, const char *override, const char *text, struct value *value,
                          struct error *error)
{
    static const struct expr_rules rules = {false, false, false, false,
                                            "the value must be a constant expression: -D ROWS=4096"};
    const struct expr_inputs inputs = {.space = space};
    struct error cause = {0};
    struct lexer lexer;
    const struct expr *expr = NULL;
    struct source_text *source = arena_alloc(&space->arena, sizeof *source);
    if (!source)
        return error_memory(error);
    source->text = arena_copy(&space->arena, text, strlen(text));
    if (!source->text)
        return error_memory(error);
    source->length = strlen(text);
    lexer_start(&lexer, source, &cause);
    int code = lexer_next(&lexer);
    if (!code)
        code = expr_compile(space, &lexer, &rules, "-D", &expr);
    if (!code && (lexer.token.kind != TOKEN_END || lexer.at != source->text + source->length))
        code = lexer_expected(&lexer, "the end of the value");
    if (!code)
        code = expr_eval(expr, &inputs, value, &cause);
    return code == ERROR_MEMORY ? error_memory(error) : code ? override_error(override, &cause, error) : 0;
}

static int no_such_problem(struct space *space, const char *override, size_t length, struct error *error)
{
    const struct name *name = names_find(&space->private->names, override, length);
    int code = error_set(error, ERROR_USAGE, "-D %s: the space has no problem size of that name", override);
    const char *near = names_nearest(&space->private->names, override, length, 1u << NAME_PROBLEM);
    if (name && name->kind == NAME_PARAMETER)
        error_hint(error, "%s is a parameter: its values are listed in %s", name->text, space->path);
    else if (near)
        error_hint(error, "did you mean '%s'?", near);
    else if (space->problem_count == 0)
        error_hint(error, "%s has no problem sizes", space->path);
    else
        error_hint(error, "a problem size of %s is set with: -D %s=VALUE", space->path, space->problems[0].name);
    return code;
}

int space_override(struct space *space, const char *override, size_t *problem, struct value *value, struct error *error)
{
    struct pair_parts parts;
    if (!pairs_split(override, strlen(override), &parts) || !parts.name_length) {
        int code = error_set(error, ERROR_USAGE, "-D %s: expected NAME=VALUE", override);
        error_hint(error, "for example: -D ROWS=4096");
        return code;
    }
    const struct name *name = names_find(&space->private->names, parts.name, parts.name_length);
    if (!name || name->kind != NAME_PROBLEM)
        return no_such_problem(space, override, parts.name_length, error);
    *problem = name->index;
    TRY(override_value(space, override, parts.value, value, error));
    if (value->kind == VALUE_FLOAT && space->problems[*problem].value.kind == VALUE_INT) {
        int code = error_set(error, ERROR_USAGE, "-D %s: the problem size must be an integer", override);
        error_hint(error, "write it without a point or an exponent");
        return code;
    }
    return 0;
}

static int apply_override(struct space *space, const char *override, struct error *error)
{
    struct value value = {0};
    size_t problem = 0;
    TRY(space_override(space, override, &problem, &value, error));
    if (space->problems[problem].given)
        return error_set(error, ERROR_USAGE, "-D %s: the problem size is given twice", override);
    space->problems[problem].value = value;
    space->problems[problem].given = true;
    return 0;
}

static int bind_problems(struct space *space, const char *const *overrides, size_t override_count, struct error *error)
{
    const struct expr_inputs inputs = {.space = space};
    for (size_t i = 0; i < override_count; i++)
        TRY(apply_override(space, overrides[i], error));
    for (size_t i = 0; i < space->problem_count; i++)
        if (!space->problems[i].given)
            TRY(expr_eval(space->private->problem_values[i], &inputs, &space->problems[i].value, error));
    return 0;
}

/* Evaluates a bound of random numbers in the form that the type needs. */
static int bind_bound(const struct expr *expr, const struct expr_inputs *inputs, const struct element_type *type,
                      uint64_t *bits, double *number, struct error *error)
{
    unsigned char element[sizeof(uint64_t)];
    char text[VALUE_TEXT_BYTES];
    struct value value;
    TRY(expr_eval(expr, inputs, &value, error));
    value_text(&value, text, sizeof text);
    bool integers = type->family != FAMILY_FLOAT;
    if (value.kind == VALUE_WORD || (integers && value.kind == VALUE_FLOAT))
        return expr_error(expr, inputs, error, "a bound of random numbers of the type %s cannot be %s", type->name,
                          text);
    *number = value.kind == VALUE_INT ? (double)value.integer : value.real;
    if (integers)
        *bits = (uint64_t)value.integer;
    else
        memcpy(bits, number, sizeof *bits);
    if (integers ? !element_put_integer(type, value.integer, element) : !element_put_real(type, *number, element))
        return expr_error(expr, inputs, error, "%s does not fit the type %s", text, type->name);
    return 0;
}

static int bind_range(struct buffer *buffer, const struct expr_inputs *inputs, struct error *error)
{
    struct fill_range range = {.given = true};
    double low, high;
    if (!buffer->low)
        return 0;
    TRY(bind_bound(buffer->low, inputs, buffer->type, &range.low, &low, error));
    TRY(bind_bound(buffer->high, inputs, buffer->type, &range.high, &high, error));
    bool empty = buffer->type->family == FAMILY_FLOAT ? !(low <= high) : (int64_t)range.low > (int64_t)range.high;
    buffer->range = range;
    return empty ? expr_error(buffer->high, inputs, error, "the range of the random numbers is empty") : 0;
}

static int bind_buffers(struct space *space, struct error *error)
{
    const struct expr_inputs inputs = {.space = space};
    const struct expr *last = NULL;
    uint64_t all = 0;
    for (size_t i = 0; i < space->buffer_count; i++) {
        struct buffer *buffer = &space->buffers[i];
        int64_t count, compared;
        if (buffer->role == BUFFER_SCRATCH)
            continue;
        TRY(expr_integer(buffer->size, &inputs, "the size of a buffer", 1, INT64_MAX, &count, error));
        buffer->count = (uint64_t)count;
        for (size_t d = 0; d < buffer->extent_count; d++)
            TRY(expr_integer(buffer->extents[d], &inputs, "an extent of a buffer", 1, INT64_MAX, &count, error));
        count = (int64_t)buffer->count;
        TRY(bind_range(buffer, &inputs, error));
        if (buffer->compared) {
            TRY(expr_integer(buffer->compared, &inputs, "the number of compared elements", 0, count, &compared, error));
            buffer->ignored = buffer->count - (uint64_t)compared;
        }
        all += buffer_roles[buffer->role].compared ? buffer->count - buffer->ignored : 0;
        last = buffer->compared ? buffer->compared : last;
    }
    return last && all == 0 ? expr_error(last, &inputs, error, "no element of any output is compared") : 0;
}

/* Finds the largest sizes of scratch buffers, then checks the sum of all sizes. */
static int bind_scratch(struct space *space, struct error *error)
{
    const struct expr_inputs inputs = {.space = space};
    int64_t total = 0, bytes;
    for (size_t i = 0; i < space->buffer_count; i++) {
        struct buffer *buffer = &space->buffers[i];
        if (buffer->role == BUFFER_SCRATCH)
            TRY(scratch_bind(space, buffer, error));
        if (__builtin_mul_overflow((int64_t)buffer->count, (int64_t)buffer->type->bytes, &bytes) ||
            __builtin_add_overflow(total, bytes, &total))
            return expr_error(buffer->size, &inputs, error, "the buffers have more than 2^63 bytes");
    }
    return 0;
}

static void drop_limit_constraints(struct space *space)
{
    size_t kept = 0;
    for (size_t i = 0; i < space->constraint_count; i++)
        if (!space->constraints[i].condition->uses_limits)
            space->constraints[kept++] = space->constraints[i];
    space->constraint_count = kept;
}

static int bind_constraints(struct space *space, struct error *error)
{
    for (size_t i = 0; i < space->constraint_count; i++) {
        struct constraint *constraint = &space->constraints[i];
        constraint->written = constraint->condition;
        TRY(expr_bind(space, constraint->written, &constraint->condition, error));
    }
    return 0;
}

int space_bind(struct space *space, const char *const *overrides, size_t override_count,
               const struct device_limits *limits, struct error *error)
{
    struct work_amounts amounts;
    if (space->bound)
        return error_set(error, ERROR_USAGE, "%s: the sizes of the space are already fixed", space->path);
    if (limits)
        space->limits = *limits;
    space->has_limits = limits != NULL;
    TRY(bind_problems(space, overrides, override_count, error));
    TRY(bind_buffers(space, error));
    TRY(space_work(space, NULL, &amounts, error));
    space->bytes = amounts.bytes;
    space->flops = amounts.flops;
    if (limits)
        TRY(demands_bind(space, error));
    else
        drop_limit_constraints(space);
    TRY(bind_constraints(space, error));
    TRY(bind_scratch(space, error));
    space->bound = true;
    return 0;
}

static bool names_limit(const struct expr *expr)
{
    return expr && expr->uses_limits;
}

bool space_sizes_need_limits(const struct space *space)
{
    bool need = names_limit(space->bytes_expr) || names_limit(space->flops_expr);
    for (size_t i = 0; i < space->buffer_count; i++) {
        const struct buffer *buffer = &space->buffers[i];
        need |= names_limit(buffer->size) || names_limit(buffer->low) || names_limit(buffer->high) ||
                names_limit(buffer->compared);
    }
    return need;
}
