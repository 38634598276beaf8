/* Checks on every command's output, whatever its input. */
#ifndef CUTUNE_FUZZ_CHECK_JSON_H
#define CUTUNE_FUZZ_CHECK_JSON_H

#include <string.h>

#include <cjson/cJSON.h>

#include "base/text.h"

/* Valid UTF-8 without terminal control characters. */
static inline void check_clean(const char *out)
{
    struct text clean = {0};
    text_append_clean(&clean, out, "\n\r\t", '?');
    if (strcmp(text_string(&clean), out) != 0)
        __builtin_trap();
    text_free(&clean);
}

/* Also valid JSON. */
static inline void check_json(const char *out)
{
    cJSON *json = cJSON_ParseWithOpts(out, NULL, 1);
    if (!json)
        __builtin_trap();
    cJSON_Delete(json);
    check_clean(out);
}

#endif
