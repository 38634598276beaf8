#include "base/groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"

enum { FILE_BYTES_MAX = 1 << 16 };

bool groups_read(const char *folder, size_t length, const char *name, size_t count, double *numbers)
{
    struct text path = {0}, text = {0};
    text_printf(&path, "%.*s/%s", (int)length, folder, name);
    bool read = file_read(text_string(&path), FILE_BYTES_MAX, &text, NULL) == 0;
    const char *at = read ? text_string(&text) : "";
    for (size_t i = 0; i < count && read; i++) {
        char *end;
        numbers[i] = (double)strtoll(at, &end, 10);
        read = end != at;
        at = end;
    }
    text_free(&text);
    text_free(&path);
    return read;
}

/* A container may see its own group as the top one, under the path that it has outside. */
static double of_groups(const char *top, const char *path, bool unified, groups_limit *limit)
{
    struct text folder = {0};
    double least = INFINITY;
    text_printf(&folder, "%s%s", top, path);
    for (size_t length = folder.length; !folder.failed && length >= strlen(top); length--)
        if (length == folder.length || folder.bytes[length] == '/')
            least = fmin(least, limit(folder.bytes, length, unified));
    text_free(&folder);
    return least;
}

static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

/* The limit of one line of /proc/self/cgroup, ID:CONTROLLERS:PATH. The unified hierarchy has no controllers there;
 * otherwise the folder has the name of the controller, or of the line's controllers. */
static double of_line(const char *root, char *line, const char *controller, groups_limit *limit)
{
    static const char *const unified[] = {"unified", ""};
    char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
    double least = INFINITY;
    if (!path)
        return INFINITY;
    *path++ = '\0';
    bool is_unified = *++controllers == '\0';
    if (!is_unified && !has_word(controllers, controller))
        return INFINITY;
    const char *const own[] = {controller, controllers};
    for (size_t i = 0; i < 2; i++) {
        struct text top = {0};
        const char *name = (is_unified ? unified : own)[i];
        text_printf(&top, "%s/sys/fs/cgroup%s%s", root, *name ? "/" : "", name);
        least = fmin(least, of_groups(text_string(&top), path, is_unified, limit));
        text_free(&top);
    }
    return least;
}

double groups_least(const char *root, const char *controller, groups_limit *limit)
{
    struct text path = {0}, groups = {0};
    double least = INFINITY;
    text_printf(&path, "%s/proc/self/cgroup", root);
    if (file_read(text_string(&path), FILE_BYTES_MAX, &groups, NULL) == 0) {
        char *rest = groups.bytes, *line;
        while ((line = strsep(&rest, "\n")))
            least = fmin(least, of_line(root, line, controller, limit));
    }
    text_free(&groups);
    text_free(&path);
    return least;
}
