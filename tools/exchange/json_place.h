/* Finds places in a JSON text that cJSON has parsed, because cJSON does not keep them. Every function stays within the
 * text, whatever its content. */
#ifndef CUTUNE_EXCHANGE_JSON_PLACE_H
#define CUTUNE_EXCHANGE_JSON_PLACE_H

#include <stdbool.h>
#include <stddef.h>

/* Iterates over the children of an object or array, in the order of cJSON. */
struct json_walk {
    const char *text;
    size_t length;
    size_t at; /* where the next step begins */
    bool object;
    size_t key;   /* of the current child of an object: position of its opening quote */
    size_t value; /* position of the first byte of the current child */
};

/* `at` is the first byte of an object or array. */
void json_walk_start(struct json_walk *walk, const char *text, size_t length, size_t at);
/* Returns false after the last child. */
bool json_walk_next(struct json_walk *walk);

/* Returns the first byte at or after `at` that is not white space. */
size_t json_skip_space(const char *text, size_t length, size_t at);
/* Returns the end of the value whose first byte is at `at`. */
size_t json_skip_value(const char *text, size_t length, size_t at);
/* Line and column, from 1; columns count bytes. */
void json_line(const char *text, size_t length, size_t at, int *line, int *column);

#endif
