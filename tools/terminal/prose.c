#include "terminal/prose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "terminal/output.h"
#include "terminal/width.h"

enum { FURTHER = 2 }; /* indents the rest of a line */

static const char *const colours[] = {[MARK_NONE] = "",          [MARK_COMMAND] = "",      [MARK_LABEL] = "\033[94m",
                                      [MARK_STRONG] = "\033[1m", [MARK_GOOD] = "\033[32m", [MARK_BAD] = "\033[1;31m"};
static const char plain[] = "\033[0m";

struct prose prose_of(int descriptor, size_t column)
{
    return (struct prose){.colour = output_colour(descriptor),
                          .width = isatty(descriptor) ? (size_t)terminal_columns(descriptor) : 0,
                          .column = column};
}

static void begin(const struct prose *prose, enum mark mark, struct text *out)
{
    if (prose->colour)
        text_append(out, colours[mark], strlen(colours[mark]));
}

static void end(const struct prose *prose, enum mark mark, struct text *out)
{
    if (prose->colour && *colours[mark])
        text_append(out, plain, sizeof plain - 1);
}

void prose_mark(const struct prose *prose, enum mark mark, const char *string, struct text *out)
{
    begin(prose, mark, out);
    text_append(out, string, strlen(string));
    end(prose, mark, out);
}

/* Appends a command, and a backslash to all its lines but the last. */
static void put_command(const struct prose *prose, size_t at, const char *command, struct text *out)
{
    static const char further[] = " \\";
    size_t margin = sizeof further - 1;
    struct text broken = {0};
    terminal_wrap(&broken, prose->width > margin ? prose->width - margin : 0, at, prose->column, command);
    for (const char *line = text_string(&broken); *line;) {
        size_t length = strcspn(line, "\n");
        text_append(out, line, length);
        line += length;
        text_append(out, further, *line ? margin : 0);
        text_append(out, line, *line != '\0');
        line += *line != '\0';
    }
    out->failed |= broken.failed;
    text_free(&broken);
}

void prose_vfact(const struct prose *prose, struct text *out, const char *label, enum mark mark, const char *format,
                 va_list arguments)
{
    char *value = NULL;
    int length = vasprintf(&value, format, arguments);
    out->failed |= length < 0;
    if (length < 0)
        return;
    text_clean(value, "", ' ');
    size_t at = text_width(label), gap = at < prose->column ? prose->column - at : *value ? 1 : 0;
    prose_mark(prose, MARK_LABEL, label, out);
    text_printf(out, "%*s", *value ? (int)gap : 0, "");
    begin(prose, mark, out);
    if (mark == MARK_COMMAND)
        put_command(prose, at + gap, value, out);
    else
        terminal_wrap(out, prose->width, at + gap, prose->column, value);
    end(prose, mark, out);
    text_append(out, "\n", 1);
    free(value);
}

void prose_fact(const struct prose *prose, struct text *out, const char *label, enum mark mark, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    prose_vfact(prose, out, label, mark, format, arguments);
    va_end(arguments);
}

void prose_lines(const struct prose *prose, const char *lines, struct text *out)
{
    for (size_t length; *lines; lines += length) {
        struct text line = {0};
        size_t indent = strspn(lines, " ");
        length = strcspn(lines, "\n");
        text_append(&line, lines, length);
        length += lines[length] == '\n';
        if (prose->width && text_width(text_string(&line)) >= prose->width)
            terminal_wrap(out, prose->width, 0, indent + FURTHER, text_string(&line));
        else
            text_append(out, text_string(&line), line.length);
        text_append(out, "\n", lines[length - 1] == '\n');
        out->failed |= line.failed;
        text_free(&line);
    }
}
