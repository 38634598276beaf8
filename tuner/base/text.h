/* A growable byte string, NUL-terminated after the first append. A zeroed struct is the empty text. When memory runs
 * out, `failed` is set and further appends are ignored: append freely, check once at the end. */
#ifndef CUTUNE_BASE_TEXT_H
#define CUTUNE_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* strtod, snprintf, vsnprintf and strncasecmp in the C locale: a program that uses the library may have set a locale
 * in which 0.5 is "0,5". tests/integration/check_locale.py checks that nothing else reads or writes floating-point
 * numbers. */
double text_number(const char *text, char **end);

/* True if a spreadsheet that opens a CSV file would run this cell as a formula: a cell that begins with = + - @ or a
 * control character, behind any apostrophes, and is not a number. One more apostrophe in front makes it text;
 * readers of such a cell drop that apostrophe. */
bool text_is_formula(const char *cell);
int text_format(char *buffer, size_t room, const char *format, ...) __attribute__((format(printf, 3, 4)));
int text_vformat(char *buffer, size_t room, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
int text_compare_letters(const char *a, const char *b, size_t length);
/* ASCII letters and digits. */
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
/* Empties the text but keeps its memory. */
void text_clear(struct text *text);
void text_free(struct text *text);
/* The bytes as a C string; "" for an empty text. */
const char *text_string(const struct text *text);

/* The size in bytes of `count` consecutive NUL-terminated strings, with their NULs. */
size_t text_strings_bytes(const char *strings, uint64_t count);

/* The length of the longest prefix that is valid UTF-8. */
size_t text_utf8_bytes(const char *string);

/* Columns of a string on a terminal: its characters, by the first bytes of UTF-8 sequences. */
size_t text_width(const char *string);

/* Cleans text for a terminal or a file of another format. Replaces by `instead`: control characters (C0 except those in
 * `kept`, DEL and C1), line and paragraph separators, bidirectional controls, and bytes that are not valid UTF-8. The
 * result is valid UTF-8 and not longer. */
void text_clean(char *string, const char *kept, char instead);

/* Appends a string, cleaned likewise. With TEXT_JSON as `instead`, writes the escape \uXXXX of the same meaning
 * (\ufffd for an invalid byte), for JSON output. */
enum { TEXT_JSON = '\\' };
void text_append_clean(struct text *text, const char *string, const char *kept, char instead);

/* Formats a number for people with four significant digits and a unit: 44.71 us, 1.532 ms, 3839 GB/s. Returns `buffer`.
 */
const char *format_time(char *buffer, size_t room, double nanoseconds);
const char *format_time_per_work(char *buffer, size_t room, double nanoseconds);
const char *format_energy(char *buffer, size_t room, double joules);
const char *format_energy_per_work(char *buffer, size_t room, double joules);
const char *format_power(char *buffer, size_t room, double watts);
const char *format_energy_delay(char *buffer, size_t room, double joule_seconds);
const char *format_rate(char *buffer, size_t room, double bytes_per_second);
const char *format_flops(char *buffer, size_t room, double operations_per_second);
const char *format_work_rate(char *buffer, size_t room, double work_per_second);
const char *format_bytes(char *buffer, size_t room, double bytes);

/* Formats a finite number as the shortest text that reads back the same. Returns `buffer`. */
enum { TEXT_REAL_BYTES = 32 };
const char *text_real(double number, char buffer[TEXT_REAL_BYTES]);

/* Bytes of the complete lines: up to the last newline. */
size_t text_whole_lines(const char *string, size_t length);

/* Number of newlines. */
int text_lines(const char *string, size_t length);

/* The name most similar to `name`, for "did you mean"; NULL if none is close. Uses the Damerau-Levenshtein distance
 * (swapping adjacent letters counts once); at most a third of the letters may differ. */
const char *text_nearest(const char *name, const char *const *names, size_t count);

#endif
