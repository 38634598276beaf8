/* HTML text that is safe by default: text is escaped unless marked as HTML. */
#ifndef CUTUNE_REPORT_HTML_H
#define CUTUNE_REPORT_HTML_H

#include "base/text.h"

/* Appends `format`: %s is a string to escape, %r a string that is HTML already, %z a size_t and %% a per cent sign.
 * Copies every other character. */
void html(struct text *text, const char *format, ...);

/* Appends a string escaped for text and for quoted attributes; control characters become spaces. */
void html_escape(struct text *text, const char *string);

#endif
