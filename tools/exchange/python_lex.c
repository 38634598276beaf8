#include "exchange/python_lex.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

int python_fail(struct python *python, size_t at, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    text_vformat(message, sizeof message, format, arguments);
    va_end(arguments);
    if (python->error->code == ERROR_NONE)
        python->error_at = at;
    return error_set(python->error, ERROR_DATA, "%s", message);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool python_is_name(const char *text)
{
    if (!is_name_start(*text))
        return false;
    while (is_name_start(*text) || is_digit(*text))
        text++;
    return *text == '\0';
}

static char peek(const struct parser *parser, size_t ahead)
{
    return parser->at + ahead < parser->length ? parser->text[parser->at + ahead] : '\0';
}

static int digit_value(char c)
{
    return is_digit(c) ? c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : 99;
}

/* Digits with single underscores between them. */
static int integer(struct parser *parser, int base)
{
    int64_t value = 0;
    bool any = false;
    for (;; parser->at++) {
        if (any && peek(parser, 0) == '_' && digit_value(peek(parser, 1)) < base)
            parser->at++;
        int digit = digit_value(peek(parser, 0));
        if (digit >= base)
            break;
        any = true;
        if (__builtin_mul_overflow(value, base, &value) || __builtin_add_overflow(value, digit, &value))
            return python_fail(parser->python, parser->start, "the number is too large for an integer of 64 bits");
    }
    if (!any)
        return python_fail(parser->python, parser->start, "the number has no digits");
    parser->value = (struct python_value){.kind = PYTHON_INT, .integer = value};
    return 0;
}

static bool is_real(const struct parser *parser)
{
    size_t ahead = 0;
    while (is_digit(peek(parser, ahead)))
        ahead++;
    return peek(parser, ahead) == '.' || (peek(parser, ahead) | 0x20) == 'e';
}

static int number(struct parser *parser)
{
    char second = (char)(peek(parser, 1) | 0x20);
    int base = peek(parser, 0) != '0' ? 10 : second == 'x' ? 16 : second == 'o' ? 8 : second == 'b' ? 2 : 10;
    parser->kind = TOKEN_NUMBER;
    if (base != 10) {
        parser->at += 2;
        TRY(integer(parser, base));
    } else if (is_real(parser)) {
        char digits[400], *end;
        size_t size = 0;
        while (size + 1 < sizeof digits &&
               (is_digit(peek(parser, size)) || peek(parser, size) == '.' || (peek(parser, size) | 0x20) == 'e' ||
                ((peek(parser, size) == '-' || peek(parser, size) == '+') && size &&
                 (peek(parser, size - 1) | 0x20) == 'e'))) {
            digits[size] = peek(parser, size);
            size++;
        }
        digits[size] = '\0';
        parser->value = (struct python_value){.kind = PYTHON_FLOAT, .real = text_number(digits, &end)};
        parser->at += (size_t)(end - digits);
        if (!isfinite(parser->value.real))
            return python_fail(parser->python, parser->start, "the number is too large for a float");
    } else {
        bool octal = peek(parser, 0) == '0' && is_digit(peek(parser, 1));
        TRY(integer(parser, 10));
        if (octal && parser->value.integer)
            return python_fail(parser->python, parser->start, "Python has no integers that start with 0");
    }
    if (is_name_start(peek(parser, 0)) || is_digit(peek(parser, 0)))
        return python_fail(parser->python, parser->start, "a number is followed at once by a letter");
    return 0;
}

static int string(struct parser *parser)
{
    char quote = parser->text[parser->at++];
    size_t start = parser->at;
    while (parser->at < parser->length && parser->text[parser->at] != quote && parser->text[parser->at] != '\\' &&
           parser->text[parser->at] != '\n')
        parser->at++;
    if (peek(parser, 0) == '\\')
        return python_fail(parser->python, parser->at, "a backslash in a string");
    if (peek(parser, 0) != quote)
        return python_fail(parser->python, parser->start, "the string is not closed");
    const char *copy = arena_copy(parser->python->arena, parser->text + start, parser->at - start);
    if (!copy)
        return error_memory(parser->python->error);
    parser->at++;
    parser->kind = TOKEN_STRING;
    parser->value = (struct python_value){.kind = PYTHON_TEXT, .text = copy};
    return 0;
}

int python_next(struct parser *parser)
{
    static const char doubles[][3] = {"**", "//", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
    while (parser->at < parser->length && strchr(" \t\r\n", parser->text[parser->at]) && parser->text[parser->at])
        parser->at++;
    parser->start = parser->at;
    char c = peek(parser, 0);
    if (parser->at == parser->length) {
        parser->kind = TOKEN_END;
        parser->size = 0;
        return 0;
    }
    if (is_digit(c) || (c == '.' && is_digit(peek(parser, 1)))) {
        TRY(number(parser));
    } else if (c == '"' || c == '\'') {
        TRY(string(parser));
    } else if (is_name_start(c)) {
        parser->kind = TOKEN_NAME;
        while (is_name_start(peek(parser, 0)) || is_digit(peek(parser, 0)))
            parser->at++;
    } else {
        parser->kind = TOKEN_SIGN;
        parser->at++;
        for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
            if (c == doubles[i][0] && peek(parser, 0) == doubles[i][1]) {
                parser->at++;
                break;
            }
    }
    parser->size = parser->at - parser->start;
    return 0;
}
