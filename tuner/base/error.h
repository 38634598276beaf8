/* Errors are values. A function that can fail returns 0 or a code from errors.def and fills a struct error owned by the
 * caller. The first error wins: later calls leave it unchanged, so cleanup cannot hide the cause. Only tools/ prints
 * and exits. */
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
    int line, column;        /* position in `source`, from 1; 0: unknown */
    char source[512];        /* file, option or device that the message is about; empty: none */
    char message[1024];      /* the problem, with the offending values; no final newline */
    char excerpt[256];       /* the offending line of `source`; empty: none */
    char hint[512];          /* expectation or remedy; empty: none */
    struct error_list *list; /* set by the owner to collect all errors of a text; NULL: the first one only */
};

/* The errors of a text in its order. */
enum { ERROR_LIST_MAX = 20 };
struct error_list {
    size_t count, total; /* errors kept and errors found */
    bool all;            /* `total` is complete: the whole text was read */
    struct error errors[ERROR_LIST_MAX];
};

/* Records an error without a position and returns `code`. `error` may be NULL when the caller needs only the code. */
int error_set(struct error *error, enum error_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Same, and appends errno's text: "message: No space left on device". */
int error_errno(struct error *error, enum error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds a position to the error just set, unless it has one. `source` may be NULL. */
void error_place(struct error *error, const char *source, int line, int column);

/* Adds advice to the error just set, unless it has a hint. */
void error_hint(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Records that memory ran out and returns ERROR_MEMORY. */
int error_memory(struct error *error);

void error_clear(struct error *error);

/* Records the first error of a list, and the whole list if the owner of `error` collects it. Returns the first error's
 * code; 0 for an empty list. */
int error_set_list(struct error *error, const struct error_list *list);

/* Formats the whole error for people:
 *
 *     file:line:column: error: message
 *       the line
 *          ^
 *       hint
 *
 * Writes at most `room` bytes including the final NUL; every line ends with a newline. Returns `buffer`. */
const char *error_format(const struct error *error, char *buffer, size_t room);

/* The short name of a code ("io"), and the exit status that programs return for it. */
const char *error_name(enum error_code code);
int error_exit_status(enum error_code code);
/* True if the number is a code of errors.def; false for 0. */
bool error_known(enum error_code code);

#endif
