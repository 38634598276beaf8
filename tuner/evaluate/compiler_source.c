#include "evaluate/compiler_source.h"

#include <stdio.h>
#include <string.h>

#include "base/regular.h"
#include "base/text.h"

static bool is_name_part(char c)
{
    return text_is_letter(c) || text_is_digit(c) || c == '_';
}

/* Length of the text up to the next name, at least one character. */
static size_t plain_length(const char *text)
{
    size_t length = 0;
    while (text[length] && (!length || !is_name_part(text[length])))
        length++;
    return length;
}

/* Finds the place behind a name that the preprocessor has replaced: where the text behind the name continues. */
static const char *behind_replacement(const char *seen, const char *rest)
{
    size_t length = plain_length(rest);
    return *rest ? memmem(seen, strlen(seen), rest, length) : seen + strlen(seen);
}

/* Returns the offset in the line for an offset in its preprocessed text; SIZE_MAX: the text is another's. */
static size_t offset_in(const char *line, const char *text, size_t offset)
{
    const char *at = line, *seen = text, *wanted = text + offset;
    if (offset > strlen(text))
        return SIZE_MAX;
    while (seen < wanted || *seen != *at) {
        if (*seen && *seen == *at) {
            seen++, at++;
            continue;
        }
        const char *name = at;
        while (name > line && seen > text && is_name_part(name[-1]) && seen[-1] == name[-1])
            name--, seen--;
        size_t length = 0;
        while (is_name_part(name[length]))
            length++;
        const char *behind = length ? behind_replacement(seen, name + length) : NULL;
        if (!behind)
            return SIZE_MAX;
        if (wanted < behind)
            return (size_t)(name - line);
        seen = behind;
        at = name + length;
        if (seen == wanted)
            break;
    }
    return (size_t)(at - line);
}

/* Copies a line without its end. */
static bool copy_line(const char *text, int number, char *line, size_t room)
{
    for (int i = 1; text && i < number; i++) {
        text = strchr(text, '\n');
        if (text)
            text++;
    }
    if (!text)
        return false;
    snprintf(line, room, "%.*s", (int)strcspn(text, "\r\n"), text);
    text_clean(line, "", ' ');
    return true;
}

/* Returns the column of the name that a message quotes first, as in "part(float)", if the line has that word; else 0.
 */
static int quoted_column(const char *message, const char *line)
{
    const char *quote = strchr(message, '"'), *name = quote ? quote + 1 : "";
    size_t end = strcspn(name, "\"(<"), begin = end;
    while (begin > 0 && is_name_part(name[begin - 1]))
        begin--;
    for (const char *at = line; end > begin && (at = memmem(at, strlen(at), name + begin, end - begin)); at++)
        if ((at == line || !is_name_part(at[-1])) && !is_name_part(at[end - begin]))
            return (int)(at - line) + 1;
    return 0;
}

static void restore_excerpt(const char *line, struct compiler_error *found)
{
    size_t offset = found->column > 0 ? offset_in(line, found->excerpt, (size_t)found->column - 1) : SIZE_MAX;
    if (!*found->excerpt)
        found->column = quoted_column(found->message, line);
    else if (offset != SIZE_MAX)
        found->column = (int)offset + 1;
    else
        return;
    snprintf(found->excerpt, sizeof found->excerpt, "%s", line);
}

void compiler_source_restore(const struct space *space, struct compiler_error *found)
{
    enum { FILE_BYTES_MAX = 4 << 20 };
    char line[sizeof found->excerpt];
    struct text read = {0};
    if (!space->nvcc || found->line < 1)
        return;
    const char *text = regular_read(found->path, FILE_BYTES_MAX, &read) == REGULAR_READ     ? text_string(&read)
                       : space->source_path && strcmp(found->path, space->source_path) == 0 ? space->source
                                                                                            : NULL;
    if (copy_line(text, found->line, line, sizeof line))
        restore_excerpt(line, found);
    text_free(&read);
}
