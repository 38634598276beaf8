#include "language/files.h"

#include <string.h>

#include "expression/space_internal.h"

/* In reading order. */
struct space_file_note {
    const char *path;
    struct space_file_note *next;
};

void space_note_file(struct space *space, const char *path)
{
    struct space_file_note **end = &space->private->files;
    while (*end)
        end = &(*end)->next;
    struct space_file_note *note = arena_alloc(&space->arena, sizeof *note);
    const char *copy = note ? arena_copy(&space->arena, path, strlen(path)) : NULL;
    if (!copy)
        return;
    *note = (struct space_file_note){.path = copy};
    *end = note;
}

int space_each_file(const struct space *space, int (*take)(void *context, const char *path, struct error *error),
                    void *context, struct error *error)
{
    int code = 0;
    for (const struct space_file_note *note = space->private->files; note && !code; note = note->next)
        code = take(context, note->path, error);
    for (size_t i = 0; i < space->buffer_count && !code; i++) {
        const struct buffer *buffer = &space->buffers[i];
        if (buffer->fill == FILL_FILE)
            code = take(context, buffer->path, error);
        if (!code && buffer->expected_path)
            code = take(context, buffer->expected_path, error);
    }
    if (!code && space->library_path)
        code = take(context, space->library_path, error);
    return code;
}
