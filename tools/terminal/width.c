#include "terminal/width.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"

int terminal_columns(int descriptor)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    char *end = NULL;
    long width = columns ? strtol(columns, &end, 10) : 0;
    if (!columns || end == columns || *end || width <= 0)
        return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
    return width < INT_MAX ? (int)width : INT_MAX;
}

int terminal_width(void)
{
    int columns = terminal_columns(STDOUT_FILENO), width = columns ? columns : WIDTH_DEFAULT;
    return width < WIDTH_LEAST ? WIDTH_LEAST : width > WIDTH_MOST ? WIDTH_MOST : width;
}

void terminal_wrap(struct text *text, size_t width, size_t at, size_t column, const char *words)
{
    bool first = true;
    while (*words) {
        size_t spaces = strspn(words, " "), word = strcspn(words + spaces, " ");
        if (!word)
            return;
        if (!first && width && at + spaces + word >= width) {
            text_printf(text, "\n%*s", (int)column, "");
            at = column;
        } else {
            text_append(text, words, spaces);
            at += spaces;
        }
        text_append(text, words + spaces, word);
        at += word;
        words += spaces + word;
        first = false;
    }
}
