/* Restricts a parameter from the command line. */
#include <string.h>

#include "base/pairs.h"
#include "expression/expr.h"
#include "expression/space_internal.h"

static const char narrowing[] = "--set"; /* name of the constraint's statement */

static int set_error(const char *set, struct error *error, const char *message, const char *name)
{
    return error_set(error, ERROR_USAGE, "--set %.200s: %s%s", set, name, message);
}

static int no_such_parameter(const struct space *space, const char *set, size_t length, struct error *error)
{
    const struct name *name = names_find(&space->private->names, set, length);
    const char *near = names_nearest(&space->private->names, set, length, 1u << NAME_PARAMETER);
    int code = set_error(set, error, "the space has no parameter of that name", "");
    if (name && name->kind == NAME_PROBLEM)
        error_hint(error, "%s is a problem size: -D %s=VALUE", name->text, name->text);
    else if (near)
        error_hint(error, "did you mean '%s'?", near);
    else
        error_hint(error, "a parameter of %s is narrowed with: --set %s=VALUE,VALUE", space->path,
                   space->parameters[0].name);
    return code;
}

static int no_such_value(const struct parameter *parameter, const char *set, struct error *error)
{
    enum { SHOWN = 16 };
    struct text list = {0};
    char text[VALUE_TEXT_BYTES];
    for (size_t i = 0; i < parameter->value_count && i < SHOWN; i++)
        text_printf(&list, "%s%s", i ? ", " : "", value_text(&parameter->values[i], text, sizeof text));
    int code = set_error(set, error, " has no such value", parameter->name);
    error_hint(error, "its values are %s%s", text_string(&list), parameter->value_count > SHOWN ? ", ..." : "");
    text_free(&list);
    return code;
}

/* Appends "NAME in {VALUE, VALUE}". */
static int write_condition(const struct parameter *parameter, const char *set, const char *values,
                           struct text *condition, struct error *error)
{
    text_printf(condition, "%s in {", parameter->name);
    for (const char *at = values;;) {
        char text[VALUE_TEXT_BYTES] = "";
        uint32_t choice;
        size_t length = strcspn(at, ",");
        if (length < sizeof text)
            memcpy(text, at, length);
        if (length >= sizeof text || !space_choice_find(parameter, text, &choice))
            return no_such_value(parameter, set, error);
        text_printf(condition, "%s%s", at == values ? "" : ", ",
                    value_text(&parameter->values[choice], text, sizeof text));
        if (at[length] == '\0')
            break;
        at += length + 1;
    }
    text_append(condition, "}", 1);
    return condition->failed ? error_memory(error) : 0;
}

static int add_constraint(struct space *space, const struct text *condition, struct error *error)
{
    static const struct expr_rules rules = {true, true, true, false, NULL};
    struct constraint *constraint = &space->constraints[space->constraint_count];
    struct source_text *source = arena_alloc(&space->arena, sizeof *source);
    const char *text = arena_copy(&space->arena, condition->bytes, condition->length);
    struct lexer lexer;
    if (!source || !text)
        return error_memory(error);
    *source = (struct source_text){.path = "--set", .text = text, .length = condition->length};
    *constraint = (struct constraint){.text = text, .name = narrowing};
    lexer_start(&lexer, source, error);
    TRY(lexer_next(&lexer));
    TRY(expr_compile(space, &lexer, &rules, constraint->name, &constraint->condition));
    space->constraint_count++;
    return 0;
}

int space_narrow(struct space *space, const char *set, struct error *error)
{
    struct pair_parts parts;
    struct text condition = {0};
    if (space->bound)
        return error_set(error, ERROR_USAGE, "%s: the sizes of the space are already fixed", space->path);
    if (!pairs_split(set, strlen(set), &parts) || !parts.name_length) {
        int code = set_error(set, error, "expected NAME=VALUE,VALUE", "");
        error_hint(error, "for example: --set TILE=16,32");
        return code;
    }
    const struct name *name = names_find(&space->private->names, parts.name, parts.name_length);
    if (!name || name->kind != NAME_PARAMETER)
        return no_such_parameter(space, set, parts.name_length, error);
    if (space->private->narrowed >> name->index & 1u) {
        int code = set_error(set, error, " is narrowed twice", name->text);
        error_hint(error, "list all its values in one: --set %s=VALUE,VALUE", name->text);
        return code;
    }
    space->private->narrowed |= (uint64_t)1 << name->index;
    int code = write_condition(&space->parameters[name->index], set, parts.value, &condition, error);
    if (!code)
        code = add_constraint(space, &condition, error);
    text_free(&condition);
    return code;
}

bool space_narrowed_has(const struct space *space, const uint32_t *choices)
{
    struct value values[SPACE_PARAMETERS_MAX];
    const struct expr_inputs inputs = {.space = space, .values = values, .bound = space->parameter_count};
    bool has = true;
    for (size_t p = 0; p < space->parameter_count; p++)
        values[p] = space->parameters[p].values[choices[p]];
    for (size_t c = 0; c < space->constraint_count && has; c++)
        if (space->constraints[c].name == narrowing && expr_true(space->constraints[c].condition, &inputs, &has, NULL))
            has = false;
    return has;
}
