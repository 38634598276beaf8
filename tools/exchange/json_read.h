/* Reads a JSON text through cJSON and reports errors with their place, for the importers. */
#ifndef CUTUNE_EXCHANGE_JSON_READ_H
#define CUTUNE_EXCHANGE_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

#include "base/error.h"
#include "base/text.h"
#include "expression/lexer.h"

struct json_text {
    struct source_text source;
    struct error *error;
};

/* ERROR_DATA at byte `at` of the text. */
int json_fail(const struct json_text *json, size_t at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Parses the whole text; *at is the position of its value. ERROR_DATA if it is not JSON, is nested too deep, contains a
 * NUL character, or has more than `bytes_max` bytes or about `values_max` values (cJSON needs some 64 bytes for
 * each). */
int json_parse(const struct json_text *json, size_t bytes_max, size_t values_max, cJSON **root, size_t *at);

/* A requested member of an object, and its place. */
struct json_member {
    const char *name;
    const cJSON *item; /* NULL: missing */
    size_t at;         /* of the value */
};
/* Receives a member that was not requested; `key` is the position of its name. A result other than 0 ends the
 * search. */
typedef int json_other(void *context, const cJSON *item, size_t key);

/* Finds the members of an object whose first byte is at `at`. A repeated member, requested or not, is ERROR_DATA;
 * `other` receives the others (NULL: skipped). `what` names the object in messages. */
int json_members(const struct json_text *json, const cJSON *object, size_t at, const char *what,
                 struct json_member *members, size_t count, json_other *other, void *context);

/* True if the member is present and not null. */
bool json_given(const struct json_member *member);

/* Appends a value without white space, digit for digit. ERROR_DATA for values that only cJSON accepts (numbers of
 * another form, control characters in strings) and for numbers beyond a double. */
int json_minify(const struct json_text *json, size_t at, struct text *out);

#endif
