#include "base/text.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* glibc keeps this locale built in: newlocale neither allocates nor fails. */
static locale_t c_locale(void)
{
    return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

double text_number(const char *text, char **end)
{
    return strtod_l(text, end, c_locale());
}

int text_vformat(char *buffer, size_t room, const char *format, va_list arguments)
{
    locale_t own = uselocale(c_locale()); /* of this thread only */
    int length = vsnprintf(buffer, room, format, arguments);
    uselocale(own);
    return length;
}

int text_format(char *buffer, size_t room, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = text_vformat(buffer, room, format, arguments);
    va_end(arguments);
    return length;
}

int text_compare_letters(const char *a, const char *b, size_t length)
{
    return strncasecmp_l(a, b, length, c_locale());
}

bool text_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool text_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

char text_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static bool reserve(struct text *text, size_t more)
{
    if (text->failed || more > SIZE_MAX / 4 || text->length > SIZE_MAX / 4) {
        text->failed = true;
        return false;
    }
    size_t need = text->length + more + 1;
    if (need > text->capacity) {
        size_t capacity = text->capacity * 2 > need ? text->capacity * 2 : need + 64;
        char *bytes = realloc(text->bytes, capacity);
        if (!bytes) {
            text->failed = true;
            return false;
        }
        text->bytes = bytes;
        text->capacity = capacity;
    }
    return true;
}

void text_append(struct text *text, const void *bytes, size_t length)
{
    if (!reserve(text, length))
        return;
    if (length)
        memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

void text_printf(struct text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = text_vformat(NULL, 0, format, arguments);
    if (length < 0)
        text->failed = true;
    else if (reserve(text, (size_t)length)) {
        text_vformat(text->bytes + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

void text_clear(struct text *text)
{
    text->length = 0;
    text->failed = false;
    if (text->bytes)
        text->bytes[0] = '\0';
}

void text_free(struct text *text)
{
    free(text->bytes);
    memset(text, 0, sizeof *text);
}

/* Decodes the UTF-8 character at `at` and returns its bytes; 1 and U+FFFD for an invalid byte. */
static size_t read_character(const char *at, uint32_t *code)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000}; /* by the number of continuation bytes */
    const unsigned char *bytes = (const unsigned char *)at;
    size_t more = *bytes < 0x80 ? 0 : (*bytes & 0xe0) == 0xc0 ? 1 : (*bytes & 0xf0) == 0xe0 ? 2 : 3;
    *code = more ? *bytes & (0x3fu >> more) : *bytes;
    bool valid = *bytes < 0x80 || (*bytes >= 0xc0 && *bytes < 0xf8);
    for (size_t i = 1; i <= more && valid; i++) {
        valid = (bytes[i] & 0xc0) == 0x80;
        *code = *code << 6 | (bytes[i] & 0x3f);
    }
    if (valid && *code >= least[more] && *code <= 0x10ffff && (*code < 0xd800 || *code > 0xdfff))
        return more + 1;
    *code = 0xfffd;
    return 1;
}

size_t text_strings_bytes(const char *strings, uint64_t count)
{
    size_t length = 0;
    for (uint64_t i = 0; i < count; i++)
        length += strlen(strings + length) + 1;
    return length;
}

size_t text_utf8_bytes(const char *string)
{
    const char *at = string;
    uint32_t code;
    for (size_t bytes = 0; *at; at += bytes) {
        bytes = read_character(at, &code);
        if (code == 0xfffd && bytes == 1)
            break;
    }
    return (size_t)(at - string);
}

/* Decodes the character at `at`. Returns true if it must be replaced. */
static bool is_foul(const char *at, const char *kept, uint32_t *code, size_t *bytes)
{
    static const struct {
        uint32_t first, last;
    } foul[] = {
        {0x00, 0x1f},     {0x7f, 0x9f},     {0x61c, 0x61c}, /* U+061C: Arabic letter mark */
        {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069},
    };
    *bytes = read_character(at, code);
    if (*code < ' ' && strchr(kept, *at))
        return false;
    for (size_t i = 0; i < sizeof foul / sizeof *foul; i++)
        if (*code >= foul[i].first && *code <= foul[i].last)
            return true;
    return *code == 0xfffd && *bytes == 1;
}

void text_clean(char *string, const char *kept, char instead)
{
    char *to = string;
    uint32_t code;
    for (size_t bytes; *string; string += bytes)
        if (is_foul(string, kept, &code, &bytes)) {
            *to++ = instead;
        } else {
            memmove(to, string, bytes);
            to += bytes;
        }
    *to = '\0';
}

void text_append_clean(struct text *text, const char *string, const char *kept, char instead)
{
    uint32_t code;
    const char *from = string;
    for (size_t bytes; *string; string += bytes) {
        if (!is_foul(string, kept, &code, &bytes))
            continue;
        text_append(text, from, (size_t)(string - from));
        if (instead == TEXT_JSON)
            text_printf(text, "\\u%04x", code);
        else
            text_append(text, &instead, 1);
        from = string + bytes;
    }
    text_append(text, from, (size_t)(string - from));
}

const char *text_string(const struct text *text)
{
    return text->bytes ? text->bytes : "";
}

static const char *format_scaled(char *buffer, size_t room, double number, double step, const char *const *units,
                                 size_t unit_count)
{
    size_t unit = 0;
    while (unit + 1 < unit_count && fabs(number) >= step * 0.9995) {
        number /= step;
        unit++;
    }
    double size = fabs(number);
    int decimals = size >= 999.95 ? 0 : size >= 99.995 ? 1 : size >= 9.9995 ? 2 : 3;
    text_format(buffer, room, "%.*f %s", decimals, number, units[unit]);
    return buffer;
}

const char *format_time(char *buffer, size_t room, double nanoseconds)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    return format_scaled(buffer, room, nanoseconds, 1000, units, sizeof units / sizeof *units);
}

const char *format_time_per_work(char *buffer, size_t room, double nanoseconds)
{
    static const char *const units[] = {"as per work", "fs per work", "ps per work", "ns per work",
                                        "us per work", "ms per work", "s per work"};
    return format_scaled(buffer, room, nanoseconds * 1e9, 1000, units, sizeof units / sizeof *units);
}

const char *format_energy(char *buffer, size_t room, double joules)
{
    static const char *const units[] = {"nJ", "uJ", "mJ", "J", "kJ"};
    return format_scaled(buffer, room, joules * 1e9, 1000, units, sizeof units / sizeof *units);
}

const char *format_energy_per_work(char *buffer, size_t room, double joules)
{
    static const char *const units[] = {"fJ per work", "pJ per work", "nJ per work",
                                        "uJ per work", "mJ per work", "J per work"};
    return format_scaled(buffer, room, joules * 1e15, 1000, units, sizeof units / sizeof *units);
}

const char *format_power(char *buffer, size_t room, double watts)
{
    static const char *const units[] = {"mW", "W", "kW"};
    return format_scaled(buffer, room, watts * 1e3, 1000, units, sizeof units / sizeof *units);
}

const char *format_energy_delay(char *buffer, size_t room, double joule_seconds)
{
    static const char *const units[] = {"aJ s", "fJ s", "pJ s", "nJ s", "uJ s", "mJ s", "J s"};
    return format_scaled(buffer, room, joule_seconds * 1e18, 1000, units, sizeof units / sizeof *units);
}

const char *format_rate(char *buffer, size_t room, double bytes_per_second)
{
    static const char *const units[] = {"B/s", "kB/s", "MB/s", "GB/s"};
    return format_scaled(buffer, room, bytes_per_second, 1000, units, sizeof units / sizeof *units);
}

const char *format_flops(char *buffer, size_t room, double operations_per_second)
{
    static const char *const units[] = {"FLOP/s", "kFLOP/s", "MFLOP/s", "GFLOP/s", "TFLOP/s"};
    return format_scaled(buffer, room, operations_per_second, 1000, units, sizeof units / sizeof *units);
}

const char *format_work_rate(char *buffer, size_t room, double work_per_second)
{
    static const char *const units[] = {"work/s", "kwork/s", "Mwork/s", "Gwork/s", "Twork/s", "Pwork/s"};
    return format_scaled(buffer, room, work_per_second, 1000, units, sizeof units / sizeof *units);
}

const char *format_bytes(char *buffer, size_t room, double bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    return format_scaled(buffer, room, bytes, 1024, units, sizeof units / sizeof *units);
}

enum { NEAREST_LENGTH_MAX = 64 };

static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][NEAREST_LENGTH_MAX + 1];
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t best = above[j - 1] + (text_upper(a[i - 1]) != text_upper(b[j - 1]));
            if (above[j] + 1 < best)
                best = above[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && above2[j - 2] + 1 < best)
                best = above2[j - 2] + 1;
            row[j] = best;
        }
    }
    return rows[a_length % 3][b_length];
}

const char *text_real(double number, char buffer[TEXT_REAL_BYTES])
{
    for (int digits = 15; digits <= 17; digits++) {
        text_format(buffer, TEXT_REAL_BYTES, "%.*g", digits, number);
        if (text_number(buffer, NULL) == number)
            break;
    }
    return buffer;
}

const char *text_nearest(const char *name, const char *const *names, size_t count)
{
    const char *nearest = NULL;
    size_t length = strlen(name), nearest_distance = (length + 2) / 3 + 1;
    if (length > NEAREST_LENGTH_MAX)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        size_t other_length = strlen(names[i]);
        size_t longer = other_length > length ? other_length - length : length - other_length;
        if (other_length > NEAREST_LENGTH_MAX || longer >= nearest_distance) /* the least distance */
            continue;
        size_t apart = distance(name, length, names[i], other_length);
        if (apart < nearest_distance && apart < length) {
            nearest_distance = apart;
            nearest = names[i];
        }
    }
    return nearest;
}

size_t text_whole_lines(const char *string, size_t length)
{
    while (length && string[length - 1] != '\n')
        length--;
    return length;
}

int text_lines(const char *string, size_t length)
{
    int lines = 0;
    for (const char *at = string; length && (at = memchr(at, '\n', length - (size_t)(at - string))); at++)
        lines++;
    return lines;
}

size_t text_width(const char *string)
{
    size_t width = 0;
    for (; *string; string++)
        width += ((unsigned char)*string & 0xc0) != 0x80;
    return width;
}

bool text_is_formula(const char *cell)
{
    const char *start = cell + strspn(cell, "'");
    char *end;
    if (!*start || !strchr("=+-@\t\r\n", *start))
        return false;
    if (start > cell || strspn(cell, "+-.0123456789eE") != strlen(cell))
        return true;
    text_number(cell, &end);
    return *end != '\0';
}
