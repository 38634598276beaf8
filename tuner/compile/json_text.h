/* JSON that other programs write: strict reading, and messages that name the place. */
#ifndef CUTUNE_COMPILE_JSON_TEXT_H
#define CUTUNE_COMPILE_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "base/error.h"
#include "base/text.h"

/* Parses a line that is one object. The caller deletes it. ERROR_DATA: something else; `what` begins the message. */
int json_object(const char *line, size_t length, const char *what, cJSON **object, struct error *error);

/* A place in a text, for messages: "kernels[0].block". */
struct json_place {
    const char *what; /* "the answer" */
    char path[128];
};
struct json_place json_below(const struct json_place *place, const char *member);
struct json_place json_at(const struct json_place *place, size_t index);

/* "the answer's kernels[0].block", or "the answer" for the whole. Returns `buffer`. */
enum { JSON_NAME_BYTES = 192 };
const char *json_name(const struct json_place *place, char buffer[JSON_NAME_BYTES]);

/* The members that an object may have; a missing one is NULL. */
struct json_member {
    const char *name;
    const cJSON **to;
    bool required;
};
/* Finds the members. ERROR_DATA: no object, an unknown member, one that occurs twice, or a required one is missing. */
int json_text_members(const cJSON *object, const struct json_place *place, const struct json_member *members,
                      size_t count, struct error *error);

/* Read values of the type. ERROR_DATA: another type, or a number out of range. */
int json_string(const cJSON *item, const struct json_place *place, const char **string, struct error *error);
int json_bool(const cJSON *item, const struct json_place *place, uint32_t *value, struct error *error);
int json_integer(const cJSON *item, const struct json_place *place, int64_t low, int64_t high, int64_t *number,
                 struct error *error);
int json_array(const cJSON *item, const struct json_place *place, size_t low, size_t high, struct error *error);
/* Appends the strings of an array, NUL-terminated, one after the other. */
int json_strings(const cJSON *item, const struct json_place *place, struct text *strings, struct error *error);

#endif
