/* What every command must say, whatever was read. */
#ifndef CUTUNE_FUZZ_CHECK_JSON_H
#define CUTUNE_FUZZ_CHECK_JSON_H

#include <string.h>

#include <cjson/cJSON.h>

#include "base/text.h"

/* Valid UTF-8 in which nothing steers a terminal. */
static inline void check_clean(const char *out)
{
    struct text clean = {0};
    text_append_clean(&clean, out, "\n\r\t", '?');
    if (strcmp(text_string(&clean), out) != 0)
        __builtin_trap();
    text_free(&clean);
}

/* And JSON, all of it. */
static inline void check_json(const char *out)
{
    cJSON *json = cJSON_ParseWithOpts(out, NULL, 1);
    if (!json)
        __builtin_trap();
    cJSON_Delete(json);
    check_clean(out);
}

#endif
