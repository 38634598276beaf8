#include "terminal/width.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

int terminal_width(void)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    char *end = NULL;
    long width = columns ? strtol(columns, &end, 10) : 0;
    if (!columns || end == columns || *end || width <= 0)
        width = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : WIDTH_DEFAULT;
    return width < WIDTH_LEAST ? WIDTH_LEAST : width > WIDTH_MOST ? WIDTH_MOST : (int)width;
}
