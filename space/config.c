/* Configurations and their text form. */
#include "space/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pairs.h"

void space_values(const struct space *space, const uint32_t *choices, struct value values[SPACE_PARAMETERS_MAX])
{
    for (size_t i = 0; i < space->parameter_count; i++)
        values[i] = space->parameters[i].values[choices[i]];
}

bool space_next_choices(const struct space *space, uint64_t parameters, uint32_t *choices)
{
    for (size_t p = 0; p < space->parameter_count; p++)
        if (parameters >> p & 1u) {
            if (++choices[p] < space->parameters[p].value_count)
                return true;
            choices[p] = 0;
        }
    return false;
}

void space_values_text(const struct space *space, const struct value *values, size_t bound, char *buffer, size_t room)
{
    char text[VALUE_TEXT_BYTES];
    size_t at = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < bound && at < room; i++) {
        int length = snprintf(buffer + at, room - at, "%s%s=%s", i ? " " : "", space->parameters[i].name,
                              value_text(&values[i], text, sizeof text));
        at += length > 0 ? (size_t)length : 0;
    }
}

void space_config_text(const struct space *space, const uint32_t *choices, struct text *text)
{
    char value[VALUE_TEXT_BYTES];
    for (size_t i = 0; i < space->parameter_count; i++)
        text_printf(text, "%s%s=%s", i ? " " : "", space->parameters[i].name,
                    value_text(&space->parameters[i].values[choices[i]], value, sizeof value));
}

void space_problem_text(const struct space *space, struct text *text)
{
    char value[VALUE_TEXT_BYTES];
    for (size_t i = 0; i < space->problem_count; i++)
        text_printf(text, "%s%s=%s", i ? " " : "", space->problems[i].name,
                    value_text(&space->problems[i].value, value, sizeof value));
}

void space_default(const struct space *space, uint32_t *choices)
{
    for (size_t i = 0; i < space->parameter_count; i++)
        choices[i] = space->parameters[i].default_;
}

static int compare_choices(const void *a, const void *b, void *values)
{
    const struct value *all = values;
    return value_order(&all[*(const uint32_t *)a], &all[*(const uint32_t *)b]);
}

bool space_order_values(struct space *space, struct parameter *parameter)
{
    uint32_t *order = arena_array(&space->arena, parameter->value_count + 1, sizeof *order);
    for (size_t i = 0; order && i < parameter->value_count; i++)
        order[i] = (uint32_t)i;
    if (order)
        qsort_r(order, parameter->value_count, sizeof *order, compare_choices, (void *)parameter->values);
    parameter->order = order;
    return order != NULL;
}

/* Finds exactly this value: 1 differs from 1.0 here. */
static bool find_exactly(const struct parameter *parameter, const struct value *value, uint32_t *choice)
{
    size_t low = 0, high = parameter->value_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = value_order(&parameter->values[parameter->order[middle]], value);
        if (order == 0) {
            *choice = parameter->order[middle];
            return true;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

bool space_choice_find(const struct parameter *parameter, const char *text, uint32_t *choice)
{
    struct value value, duplicate;
    if (!value_read(text, &value))
        return false;
    if (find_exactly(parameter, &value, choice))
        return true;
    if (value_duplicate(&value, &duplicate) && find_exactly(parameter, &duplicate, choice))
        return true;
    bool yes = strcmp(text, "true") == 0;
    const struct value truth = {.kind = VALUE_INT, .integer = yes};
    return (yes || strcmp(text, "false") == 0) && find_exactly(parameter, &truth, choice);
}

static bool find_parameter(const struct space *space, const struct pair_parts *parts, size_t *index)
{
    for (size_t i = 0; i < space->parameter_count; i++)
        if (strlen(space->parameters[i].name) == parts->name_length &&
            memcmp(space->parameters[i].name, parts->name, parts->name_length) == 0) {
            *index = i;
            return true;
        }
    return false;
}

/* Reads one NAME=VALUE of `length` bytes. */
static int config_item(const struct space *space, const char *item, size_t length, bool *seen, uint32_t *choices,
                       struct error *error)
{
    enum { SHOWN = 100 };
    char value[VALUE_TEXT_BYTES];
    struct pair_parts parts;
    size_t index;
    int shown = length > SHOWN ? SHOWN : (int)length;
    if (!pairs_split(item, length, &parts))
        return error_set(error, ERROR_DATA, "'%.*s' is not NAME=VALUE", shown, item);
    if (!find_parameter(space, &parts, &index))
        return error_set(error, ERROR_DATA, "'%.*s': the space has no such parameter", shown, item);
    if (seen[index])
        return error_set(error, ERROR_DATA, "'%.*s': %s is given twice", shown, item, space->parameters[index].name);
    if (parts.value_length < sizeof value) {
        memcpy(value, parts.value, parts.value_length);
        value[parts.value_length] = '\0';
    }
    if (parts.value_length >= sizeof value || !space_choice_find(&space->parameters[index], value, &choices[index]))
        return error_set(error, ERROR_DATA, "'%.*s': %s has no such value", shown, item, space->parameters[index].name);
    seen[index] = true;
    return 0;
}

int space_config_parse(const struct space *space, const char *text, uint32_t *choices, struct error *error)
{
    bool seen[SPACE_PARAMETERS_MAX] = {false};
    size_t length;
    int code = 0;
    for (const char *at = text; !code && (at = pairs_word(at, &length)); at += length)
        code = config_item(space, at, length, seen, choices, error);
    if (code)
        return code;
    for (size_t i = 0; i < space->parameter_count; i++)
        if (!seen[i])
            return error_set(error, ERROR_DATA, "the configuration has no value for %s", space->parameters[i].name);
    return 0;
}
