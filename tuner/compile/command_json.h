/* JSON that other programs write: strict reading, and messages that name the place. */
#ifndef CUTUNE_COMPILE_COMMAND_JSON_H
#define CUTUNE_COMPILE_COMMAND_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "base/error.h"
#include "base/text.h"

/* Parses a line that is one object. The caller deletes it. ERROR_DATA: something else; `what` begins the message. */
int jsonl_object(const char *line, size_t length, const char *what, cJSON **object, struct error *error);

/* A place in a text, for messages: "kernels[0].block". */
struct jsonl_place {
    const char *what; /* "the answer" */
    char path[128];
};
struct jsonl_place jsonl_below(const struct jsonl_place *place, const char *member);
struct jsonl_place jsonl_at(const struct jsonl_place *place, size_t index);

/* "the answer's kernels[0].block", or "the answer" for the whole. Returns `buffer`. */
enum { JSONL_NAME_BYTES = 192 };
const char *jsonl_name(const struct jsonl_place *place, char buffer[JSONL_NAME_BYTES]);

/* The members that an object may have; a missing one is NULL. */
struct jsonl_member {
    const char *name;
    const cJSON **to;
    bool required;
};
/* Finds the members. ERROR_DATA: no object, an unknown member, one that occurs twice, or a required one is missing. */
int jsonl_members(const cJSON *object, const struct jsonl_place *place, const struct jsonl_member *members,
                  size_t count, struct error *error);

/* Read values of the type. ERROR_DATA: another type, or a number out of range. */
int jsonl_string(const cJSON *item, const struct jsonl_place *place, const char **string, struct error *error);
int jsonl_bool(const cJSON *item, const struct jsonl_place *place, uint32_t *value, struct error *error);
int jsonl_integer(const cJSON *item, const struct jsonl_place *place, int64_t low, int64_t high, int64_t *number,
                  struct error *error);
int jsonl_array(const cJSON *item, const struct jsonl_place *place, size_t low, size_t high, struct error *error);
/* Appends the strings of an array, NUL-terminated, one after the other. */
int jsonl_strings(const cJSON *item, const struct jsonl_place *place, struct text *strings, struct error *error);

#endif
