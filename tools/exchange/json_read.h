/* A JSON text read through cJSON, with the place of whatever is wrong in it: what importers share. */
#ifndef CUTUNE_EXCHANGE_JSON_READ_H
#define CUTUNE_EXCHANGE_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

#include "base/error.h"
#include "base/text.h"
#include "space/lexer.h"

struct json_text {
    struct source_text source;
    struct error *error;
};

/* ERROR_DATA at byte `at` of the text. */
int json_fail(const struct json_text *json, size_t at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Parses all of the text; *at is where its value begins. ERROR_DATA for what is no JSON, is nested too deep, holds a
 * NUL character, or has more than `bytes_max` bytes or about `values_max` values (cJSON needs some 64 bytes for each).
 */
int json_parse(const struct json_text *json, size_t bytes_max, size_t values_max, cJSON **root, size_t *at);

/* A member that is looked for in an object, and where it was found. */
struct json_member {
    const char *name;
    const cJSON *item; /* NULL: not there */
    size_t at;         /* of the value */
};
/* Takes a member that is not looked for; `key` is where its name stands. Not 0 ends the search. */
typedef int json_other(void *context, const cJSON *item, size_t key);

/* Finds the members of an object whose first byte is at `at`. One that comes twice, looked for or not, is ERROR_DATA;
 * the others are handed to `other` (NULL: passed over). `what` names the object in messages. */
int json_members(const struct json_text *json, const cJSON *object, size_t at, const char *what,
                 struct json_member *members, size_t count, json_other *other, void *context);

/* It is there and not null. */
bool json_given(const struct json_member *member);

/* Appends a value without white space, in its own words: no digit of a number is lost. ERROR_DATA for what cJSON lets
 * pass and JSON does not: numbers of another form, control characters in strings; and for numbers that no double holds.
 */
int json_minify(const struct json_text *json, size_t at, struct text *out);

#endif
