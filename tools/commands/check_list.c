/* Writes millions of lines a second: formats every value once, rewrites a line only from its first changed column on,
 * and gathers lines into large writes. */
#include "commands/check_list.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum {
    CELL_BYTES = 16, /* cell sizes are multiples of this: a short copy of known length is fastest */
    BUFFER_BYTES = 1 << 20
};

/* Texts of a parameter's values, each with its comma or newline. */
struct column {
    char *cells; /* `room` bytes each */
    uint8_t *lengths;
    size_t room;
};

struct list {
    struct column columns[SPACE_PARAMETERS_MAX];
    size_t count;
    size_t starts[SPACE_PARAMETERS_MAX]; /* start of each column in `line` */
    char *line, *buffer;
    size_t line_room, used;
    int descriptor;
    const char *name;
};

static int make_column(struct list *list, const struct parameter *parameter, size_t p)
{
    struct column *column = &list->columns[p];
    char text[VALUE_TEXT_BYTES + 1];
    size_t longest = 0;
    for (size_t v = 0; v < parameter->value_count; v++) {
        size_t length = strlen(value_text(&parameter->values[v], text, VALUE_TEXT_BYTES));
        longest = length > longest ? length : longest;
    }
    column->room = (longest + 1 + CELL_BYTES - 1) / CELL_BYTES * CELL_BYTES;
    column->cells = calloc(parameter->value_count, column->room);
    column->lengths = calloc(parameter->value_count, sizeof *column->lengths);
    if (!column->cells || !column->lengths)
        return -1;
    for (size_t v = 0; v < parameter->value_count; v++) {
        size_t length = strlen(value_text(&parameter->values[v], text, VALUE_TEXT_BYTES));
        text[length] = p + 1 < list->count ? ',' : '\n';
        memcpy(column->cells + v * column->room, text, length + 1);
        column->lengths[v] = (uint8_t)(length + 1);
    }
    list->line_room += column->room;
    return 0;
}

static int flush(struct list *list, struct error *error)
{
    int code = file_write_all(list->descriptor, list->buffer, list->used, list->name, error);
    list->used = 0;
    return code;
}

static int write_header(struct list *list, const struct space *space, struct error *error)
{
    for (size_t p = 0; p < space->parameter_count; p++) {
        size_t length = strlen(space->parameters[p].name);
        memcpy(list->buffer + list->used, space->parameters[p].name, length);
        list->used += length;
        list->buffer[list->used++] = p + 1 < space->parameter_count ? ',' : '\n';
    }
    return flush(list, error);
}

/* Rewrites the line from column `first` on; returns its length. */
static size_t rewrite(struct list *list, const uint32_t *choices, size_t first)
{
    size_t at = list->starts[first];
    for (size_t p = first; p < list->count; p++) {
        const struct column *column = &list->columns[p];
        const char *cell = column->cells + choices[p] * column->room;
        list->starts[p] = at;
        if (column->room == CELL_BYTES)
            memcpy(list->line + at, cell, CELL_BYTES);
        else
            memcpy(list->line + at, cell, column->room);
        at += column->lengths[choices[p]];
    }
    return at;
}

static int write_all(struct list *list, const struct valid_set *set, struct error *error)
{
    struct valid_walk walk;
    const uint32_t *choices;
    size_t first = 0;
    int code = 0;
    valid_walk_start(set, &walk);
    while (!code && valid_walk_next(&walk, &choices, &first)) {
        size_t length = rewrite(list, choices, first);
        memcpy(list->buffer + list->used, list->line, length);
        list->used += length;
        if (list->used + list->line_room > BUFFER_BYTES)
            code = flush(list, error);
    }
    return code ? code : flush(list, error);
}

int check_list(const struct space *space, const struct valid_set *set, int descriptor, const char *name,
               struct error *error)
{
    struct list list = {.count = space->parameter_count, .descriptor = descriptor, .name = name};
    int code = 0;
    for (size_t p = 0; p < list.count && !code; p++)
        code = make_column(&list, &space->parameters[p], p);
    list.line = malloc(list.line_room + 1);
    list.buffer = malloc(BUFFER_BYTES);
    if (code || !list.line || !list.buffer)
        code = error_memory(error);
    fcntl(descriptor, F_SETPIPE_SZ, BUFFER_BYTES); /* fewer switches to the reader; fails unless it is a pipe */
    if (!code)
        code = write_header(&list, space, error);
    if (!code && valid_set_count(set) > 0)
        code = write_all(&list, set, error);
    for (size_t p = 0; p < list.count; p++) {
        free(list.columns[p].cells);
        free(list.columns[p].lengths);
    }
    free(list.line);
    free(list.buffer);
    return code;
}
