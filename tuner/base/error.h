/* Errors are values. A function that can fail returns 0 or a code of errors.def and fills a caller-owned struct error.
 * The first error wins: once an error is set, later calls leave it as it is, so a cleanup path cannot hide the cause.
 * Nothing below tools/ prints or exits. */
#ifndef CUTUNE_BASE_ERROR_H
#define CUTUNE_BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

enum error_code {
    ERROR_NONE = 0,
#define ERROR(code, number, exit_status, text) ERROR_##code = number,
#include "base/errors.def"
#undef ERROR
};

struct error_list; /* below */

struct error {
    enum error_code code;
    int line, column;   /* place in `source`, both from 1; 0: unknown */
    char source[512];   /* file, option or device the message is about; empty: none */
    char message[1024]; /* what is wrong, with the values that show it; no final newline */
    char excerpt[256];  /* the offending line of `source`; empty: none */
    char hint[512];     /* what was expected, or what to do; empty: none */
    struct error_list
        *list; /* of whoever owns the error: takes all errors of a text with several; NULL: the first will do */
};

/* The errors of a text, in order. */
enum { ERROR_LIST_MAX = 20 };
struct error_list {
    size_t count, total; /* kept, and found */
    bool all;            /* total counts all: reading did not end before */
    struct error errors[ERROR_LIST_MAX];
};

/* Records an error without a place and returns `code`. `error` may be NULL: the caller wants the code only. */
int error_set(struct error *error, enum error_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Same, with errno's text appended: "message: No space left on device". */
int error_errno(struct error *error, enum error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Names the place of the error that was just set, unless it has one. `source` may be NULL. */
void error_place(struct error *error, const char *source, int line, int column);

/* Adds what to do about the error that was just set, unless it has a hint. */
void error_hint(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Records that memory ran out and returns ERROR_MEMORY. */
int error_memory(struct error *error);

void error_clear(struct error *error);

/* Sets the first error of a list, and where the owner of `error` asks for it the whole list. Returns its code; 0 for an
 * empty list. */
int error_set_list(struct error *error, const struct error_list *list);

/* The whole error as people read it:
 *     file:line:column: error: message
 *       the line
 *           ^
 *       hint
 * Writes at most `room` bytes including the final NUL, every line ends with a newline. Returns `buffer`. */
const char *error_format(const struct error *error, char *buffer, size_t room);

/* The short name of a code ("io"), and the exit status that a program gives for it. */
const char *error_name(enum error_code code);
int error_exit_status(enum error_code code);
/* False for 0 and for numbers that are none of errors.def. */
bool error_known(enum error_code code);

#endif
