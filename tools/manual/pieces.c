#include <string.h>

#include "manual/page.h"

void page_pieces(struct text *text, const char *markup, size_t length,
                 void (*put)(struct text *text, const char *piece, size_t length, int code))
{
    const char *end = markup + length;
    while (markup < end) {
        const char *open = memchr(markup, '`', (size_t)(end - markup));
        const char *close = open ? memchr(open + 1, '`', (size_t)(end - open - 1)) : NULL;
        if (!close) {
            put(text, markup, (size_t)(end - markup), 0);
            return;
        }
        if (open > markup)
            put(text, markup, (size_t)(open - markup), 0);
        put(text, open + 1, (size_t)(close - open - 1), 1);
        markup = close + 1;
    }
}
