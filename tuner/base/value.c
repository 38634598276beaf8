#include "base/value.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

const char *value_text(const struct value *value, char *buffer, size_t room)
{
    switch (value->kind) {
    case VALUE_INT:
        snprintf(buffer, room, "%" PRId64, value->integer);
        break;
    case VALUE_FLOAT:
        /* The fewest digits that read back as the same float; 17 always suffice. */
        for (int digits = 6; digits <= 17; digits++) {
            text_format(buffer, room, "%.*g", digits, value->real);
            if (text_number(buffer, NULL) == value->real)
                break;
        }
        if (!strpbrk(buffer, ".e")) {
            size_t length = strlen(buffer);
            snprintf(buffer + length, room - length, ".0");
        }
        break;
    case VALUE_WORD:
        snprintf(buffer, room, "%s", value->word);
        break;
    case VALUE_SET:
    case VALUE_FAULT:
        snprintf(buffer, room, "%s", value->kind == VALUE_SET ? "a set" : "no value");
        break;
    }
    return buffer;
}

bool value_read(const char *text, struct value *value)
{
    const char *digits = text + (text[0] == '-');
    char *end = NULL;
    if ((digits[0] >= '0' && digits[0] <= '9') || digits[0] == '.') {
        if (digits[strspn(digits, "0123456789")] == '\0') {
            errno = 0;
            *value = (struct value){.kind = VALUE_INT, .integer = strtoll(text, &end, 10)};
            return errno == 0;
        }
        if (digits[strspn(digits, "0123456789.eE+-")] != '\0')
            return false;
        *value = (struct value){.kind = VALUE_FLOAT, .real = text_number(text, &end)};
        return *end == '\0' && end > digits && isfinite(value->real);
    }
    *value = (struct value){.kind = VALUE_WORD, .word = text};
    return digits == text && text[0] != '\0';
}

/* Compares exactly: a float has a significand of 53 bits, so converting the integer could round it. */
static int compare_integer_real(int64_t integer, double real)
{
    if (real >= 0x1p63)
        return -1;
    if (real < -0x1p63)
        return 1;
    int64_t whole = (int64_t)real; /* towards 0 */
    double rest = real - (double)whole;
    return integer != whole ? (integer > whole) - (integer < whole) : (rest < 0) - (rest > 0);
}

int value_compare_numbers(const struct value *a, const struct value *b)
{
    if (a->kind == VALUE_INT && b->kind == VALUE_INT)
        return (a->integer > b->integer) - (a->integer < b->integer);
    if (a->kind == VALUE_FLOAT && b->kind == VALUE_FLOAT)
        return (a->real > b->real) - (a->real < b->real);
    return a->kind == VALUE_INT ? compare_integer_real(a->integer, b->real)
                                : -compare_integer_real(b->integer, a->real);
}

bool value_equal(const struct value *a, const struct value *b)
{
    if (a->kind == VALUE_WORD || b->kind == VALUE_WORD)
        return a->kind == b->kind && a->word == b->word;
    return value_compare_numbers(a, b) == 0;
}

int value_order(const struct value *a, const struct value *b)
{
    bool a_word = a->kind == VALUE_WORD, b_word = b->kind == VALUE_WORD;
    if (a_word || b_word)
        return a_word && b_word ? strcmp(a->word, b->word) : a_word - b_word;
    int order = value_compare_numbers(a, b);
    return order ? order : (a->kind > b->kind) - (a->kind < b->kind);
}

bool value_duplicate(const struct value *value, struct value *duplicate)
{
    if (value->kind == VALUE_INT)
        *duplicate = (struct value){.kind = VALUE_FLOAT, .real = (double)value->integer};
    else if (value->kind == VALUE_FLOAT && value->real >= -0x1p63 && value->real < 0x1p63)
        *duplicate = (struct value){.kind = VALUE_INT, .integer = (int64_t)value->real};
    else
        return false;
    return value_compare_numbers(value, duplicate) == 0;
}

/* ---- Sets ---- */

static bool range_has(const struct value_range *range, int64_t integer)
{
    return integer >= range->first && integer <= range->last &&
           ((uint64_t)integer - (uint64_t)range->first) % (uint64_t)range->step == 0;
}

/* Finds the integer that equals a value; false: no integer does. */
static bool whole(const struct value *value, int64_t *integer)
{
    if (value->kind == VALUE_INT) {
        *integer = value->integer;
        return true;
    }
    if (value->kind == VALUE_WORD || !(value->real >= -0x1p63 && value->real < 0x1p63))
        return false;
    *integer = (int64_t)value->real;
    return (double)*integer == value->real;
}

bool value_set_has(const struct value_set *set, const struct value *value)
{
    for (size_t i = 0; i < set->count; i++) {
        const struct value_set_item *item = &set->items[i];
        int64_t integer;
        if (!item->one) {
            if (whole(value, &integer) && range_has(&item->range, integer))
                return true;
        } else if (value_equal(value, &item->value)) {
            return true;
        }
    }
    return false;
}
