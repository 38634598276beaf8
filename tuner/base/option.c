#include "base/option.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static int refuse(const struct option_row *row, const char *argument, struct error *error)
{
    int code = error_set(error, ERROR_USAGE, "--%s: '%s' is not allowed", row->name, argument);
    if (row->type == OPTION_CHOICE)
        error_hint(error, "expected one of %s", row->choices);
    else if (row->type == OPTION_INT)
        error_hint(error, "expected a whole number from %.0f to %.0f", row->min, row->max);
    else if (row->type == OPTION_TIME)
        error_hint(error, "expected %.15g to %.15g seconds, or a number with a unit: 90s, 10m, 1.5h", row->min,
                   row->max);
    else
        error_hint(error, "expected a number from %.15g to %.15g", row->min, row->max);
    return code;
}

static int set_int(const struct option_row *row, int64_t *field, const char *argument, struct error *error)
{
    char *end;
    errno = 0;
    long long number = strtoll(argument, &end, 10);
    if (errno || end == argument || *end || (double)number < row->min || (double)number > row->max)
        return refuse(row, argument, error);
    *field = number;
    return 0;
}

static int set_real(const struct option_row *row, double *field, const char *argument, struct error *error)
{
    char *end;
    double number = text_number(argument, &end);
    if (end == argument || *end || isnan(number) || number < row->min || number > row->max)
        return refuse(row, argument, error);
    *field = number;
    return 0;
}

static int set_time(const struct option_row *row, double *field, const char *argument, struct error *error)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"m", 60}, {"h", 3600}};
    char *end;
    size_t unit = 0;
    double number = text_number(argument, &end);
    while (unit < sizeof units / sizeof *units && strcmp(units[unit].name, end) != 0)
        unit++;
    if (end == argument || unit == sizeof units / sizeof *units)
        return refuse(row, argument, error);
    number *= units[unit].seconds;
    if (isnan(number) || number < row->min || number > row->max)
        return refuse(row, argument, error);
    *field = number;
    return 0;
}

static int set_choice(const struct option_row *row, const char **field, const char *argument, struct error *error)
{
    size_t length = strlen(argument);
    for (const char *choice = row->choices; choice;) {
        const char *bar = strchr(choice, '|');
        size_t choice_length = bar ? (size_t)(bar - choice) : strlen(choice);
        if (choice_length == length && memcmp(choice, argument, length) == 0) {
            *field = argument;
            return 0;
        }
        choice = bar ? bar + 1 : NULL;
    }
    return refuse(row, argument, error);
}

int option_set(const struct option_row *row, void *values, const char *argument, struct error *error)
{
    void *field = (char *)values + row->offset;
    switch (row->type) {
    case OPTION_FLAG:
        *(bool *)field = true;
        return 0;
    case OPTION_INT:
        return set_int(row, field, argument, error);
    case OPTION_REAL:
        return set_real(row, field, argument, error);
    case OPTION_TIME:
        return set_time(row, field, argument, error);
    case OPTION_CHOICE:
        return set_choice(row, field, argument, error);
    case OPTION_TEXT:
        if (!*argument)
            return error_set(error, ERROR_USAGE, "--%s: the value is empty", row->name);
        *(const char **)field = argument;
        return 0;
    case OPTION_LIST: {
        struct option_list *list = field;
        if (list->count == OPTION_LIST_MAX)
            return error_set(error, ERROR_USAGE, "--%s: given more than %d times", row->name, OPTION_LIST_MAX);
        list->items[list->count++] = argument;
        return 0;
    }
    }
    return 0;
}

int option_defaults(const struct option_row *rows, size_t count, void *values, struct error *error)
{
    int code = 0;
    for (size_t i = 0; i < count && !code; i++)
        if (rows[i].default_)
            code = option_set(&rows[i], values, rows[i].default_, error);
    return code;
}
