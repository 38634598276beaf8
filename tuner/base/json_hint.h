/* Says what makes a text no JSON, as people and other programs often write it. */
#ifndef CUTUNE_BASE_JSON_HINT_H
#define CUTUNE_BASE_JSON_HINT_H

#include <stddef.h>

/* `at`: where a parser stopped, at most `length`. NULL: unknown. */
const char *json_hint(const char *text, size_t length, size_t at);

#endif
