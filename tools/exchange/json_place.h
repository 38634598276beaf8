/* Places in a JSON text that cJSON has parsed: it does not keep them. Every function stays within the text, whatever it
 * holds. */
#ifndef CUTUNE_EXCHANGE_JSON_PLACE_H
#define CUTUNE_EXCHANGE_JSON_PLACE_H

#include <stdbool.h>
#include <stddef.h>

/* Over the children of an object or array, in their order, which is also cJSON's. */
struct json_walk {
    const char *text;
    size_t length;
    size_t at; /* where to go on */
    bool object;
    size_t key;   /* of the current child of an object: its opening quote */
    size_t value; /* the first byte of the current child */
};

/* `at` is the first byte of an object or array. */
void json_walk_start(struct json_walk *walk, const char *text, size_t length, size_t at);
/* False when there is no further child. */
bool json_walk_next(struct json_walk *walk);

/* The first byte at or behind `at` that is no white space. */
size_t json_skip_space(const char *text, size_t length, size_t at);
/* Behind the value whose first byte is at `at`. */
size_t json_skip_value(const char *text, size_t length, size_t at);
/* Line and column, from 1 and in bytes. */
void json_line(const char *text, size_t length, size_t at, int *line, int *column);

#endif
