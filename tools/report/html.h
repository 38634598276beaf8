/* HTML text that is safe by default: whatever comes from a file is escaped unless it is said to be HTML. */
#ifndef CUTUNE_REPORT_HTML_H
#define CUTUNE_REPORT_HTML_H

#include <cjson/cJSON.h>

#include "base/text.h"

/* Appends `format`, in which %s is a string to be escaped, %r a string that is HTML already, %z a size_t and %% a per
 * cent sign. Every other character is taken as it is. */
void html(struct text *text, const char *format, ...);

/* Appends a string escaped for text and for attributes in quotes; control characters become spaces. */
void html_escape(struct text *text, const char *string);

/* Appends JSON for the inside of a <script> element: nothing in it can end the element or begin a comment. */
void html_json(struct text *text, const cJSON *json);

#endif
