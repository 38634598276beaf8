#include "journal/journal_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/text_set.h"

/* A measurement without its long texts, which are the last members. */
enum { ROWS_PER_BLOCK = 64, LONG_TEXTS = 2, NUMBERS = offsetof(struct measurement, states) };
_Static_assert(NUMBERS % sizeof(int64_t) == 0, "the numbers of a measurement are whole words");

struct journal_block {
    const char **texts; /* ROWS_PER_BLOCK times `width` */
    unsigned char numbers[ROWS_PER_BLOCK][NUMBERS];
};

/* The distinct texts of a column. */
struct journal_texts {
    const char *latest; /* consecutive rows often agree */
    struct text_set set;
};

bool journal_rows_start(struct journal_rows *rows, size_t width)
{
    rows->width = width + LONG_TEXTS;
    rows->texts = arena_array(&rows->arena, rows->width, sizeof *rows->texts);
    return rows->texts != NULL;
}

/* The column's copy of a text; NULL when out of memory. */
static const char *intern(struct journal_rows *rows, struct journal_texts *texts, const char *text)
{
    if (texts->latest && strcmp(texts->latest, text) == 0)
        return texts->latest;
    const char **place = text_set_place(&texts->set, text);
    if (place && !*place)
        *place = arena_copy(&rows->arena, text, strlen(text));
    return texts->latest = place ? *place : NULL;
}

static bool add_block(struct journal_rows *rows)
{
    if (rows->block_count == rows->block_room) {
        size_t room = rows->block_room * 2 + 4;
        struct journal_block **blocks = realloc(rows->blocks, room * sizeof(struct journal_block *));
        if (!blocks)
            return false;
        rows->blocks = blocks;
        rows->block_room = room;
    }
    struct journal_block *block = arena_alloc(&rows->arena, sizeof *block);
    if (!block || !(block->texts = arena_array(&rows->arena, ROWS_PER_BLOCK * rows->width, sizeof *block->texts)))
        return false;
    rows->blocks[rows->block_count++] = block;
    return true;
}

bool journal_rows_add(struct journal_rows *rows, const char *const *texts, const struct measurement *measurement)
{
    if (rows->count == rows->block_count * ROWS_PER_BLOCK && !add_block(rows))
        return false;
    struct journal_block *block = rows->blocks[rows->count / ROWS_PER_BLOCK];
    const char *const long_texts[LONG_TEXTS] = {measurement->states, measurement->message};
    const size_t width = rows->width - LONG_TEXTS;
    const char **row = block->texts + rows->count % ROWS_PER_BLOCK * rows->width;
    for (size_t i = 0; i < rows->width; i++)
        if (!(row[i] = intern(rows, &rows->texts[i], i < width ? texts[i] : long_texts[i - width])))
            return false;
    memcpy(block->numbers[rows->count % ROWS_PER_BLOCK], measurement, NUMBERS);
    rows->count++;
    return true;
}

const char *const *journal_rows_texts(const struct journal_rows *rows, size_t row)
{
    return rows->blocks[row / ROWS_PER_BLOCK]->texts + row % ROWS_PER_BLOCK * rows->width;
}

struct measurement journal_rows_measurement(const struct journal_rows *rows, size_t row)
{
    struct measurement measurement;
    const char *const *long_texts = journal_rows_texts(rows, row) + rows->width - LONG_TEXTS;
    memcpy(&measurement, rows->blocks[row / ROWS_PER_BLOCK]->numbers[row % ROWS_PER_BLOCK], NUMBERS);
    memset((unsigned char *)&measurement + NUMBERS, 0, sizeof measurement - NUMBERS);
    strcpy(measurement.states, long_texts[0]); /* both fit: they were copied from arrays of this size */
    strcpy(measurement.message, long_texts[1]);
    return measurement;
}

void journal_rows_free(struct journal_rows *rows)
{
    for (size_t i = 0; rows->texts && i < rows->width; i++)
        text_set_free(&rows->texts[i].set);
    free(rows->blocks);
    arena_free(&rows->arena);
    *rows = (struct journal_rows){0};
}
