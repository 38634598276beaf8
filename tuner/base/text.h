/* A growable byte string, always NUL-terminated once something was appended. A zeroed struct is the empty text.
 * Running out of memory sets `failed` and drops what follows: append freely, look once at the end. */
#ifndef CUTUNE_BASE_TEXT_H
#define CUTUNE_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* strtod, snprintf, vsnprintf and strncasecmp as the C locale has them: a program that uses the library may have set
 * another locale, in which 0.5 is "0,5". tests/check_locale.py sees to it that nothing else reads or writes floats. */
double text_number(const char *text, char **end);
int text_format(char *buffer, size_t room, const char *format, ...) __attribute__((format(printf, 3, 4)));
int text_vformat(char *buffer, size_t room, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
int text_compare_letters(const char *a, const char *b, size_t length);
/* The letters and digits of ASCII. */
bool text_is_digit(char c);
bool text_is_letter(char c);
char text_upper(char c);

struct text {
    char *bytes;
    size_t length, capacity;
    bool failed;
};

void text_append(struct text *text, const void *bytes, size_t length);
void text_printf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Empties the text and keeps its memory. */
void text_clear(struct text *text);
void text_free(struct text *text);
/* The bytes as a C string; "" for an empty text. */
const char *text_string(const struct text *text);

/* How many of a string's bytes are valid UTF-8, up to the first that is not. */
size_t text_utf8_bytes(const char *string);

/* What goes out, to a terminal or into a file of another format, is cleaned here. Control characters (C0, but for those
 * in `kept`, DEL and C1), separators of lines and paragraphs, controls of the direction of writing, and each byte that
 * is no part of valid UTF-8 give way to `instead`. What is left is valid UTF-8 and never longer. */
void text_clean(char *string, const char *kept, char instead);

/* Appends a string, cleaned so. TEXT_JSON in place of a character: for printed JSON, where the escape \uXXXX means the
 * same (\ufffd for a byte that is no UTF-8). */
enum { TEXT_JSON = '\\' };
void text_append_clean(struct text *text, const char *string, const char *kept, char instead);

/* A number with four significant digits and a unit for people: 44.71 us, 1.532 ms, 3839 GB/s. Returns `buffer`. */
const char *format_time(char *buffer, size_t room, double nanoseconds);
const char *format_rate(char *buffer, size_t room, double bytes_per_second);
const char *format_flops(char *buffer, size_t room, double operations_per_second);
const char *format_bytes(char *buffer, size_t room, double bytes);

/* The shortest text that reads back as the same finite number. Returns `buffer`. */
enum { TEXT_REAL_BYTES = 32 };
const char *text_real(double number, char buffer[TEXT_REAL_BYTES]);

/* The name most like `name` among `count` names, for "did you mean"; NULL when none is near. By the distance of Damerau
 * and Levenshtein (adjacent letters swapped count once), at most a third of the letters may differ. */
const char *text_nearest(const char *name, const char *const *names, size_t count);

#endif
