/* Evaluations from a journal that was recorded on a real device: the same search without one. */
#include <stdlib.h>

#include "evaluate/evaluator.h"
#include "evaluate/rows.h"

struct replay {
    const struct evaluator_setup *setup;
    size_t *rows; /* row of each configuration of the valid set */
    bool pending;
    uint64_t index;
};

enum { NO_ROW = -1 };

static void close_replay(void *state)
{
    struct replay *replay = state;
    free(replay->rows);
}

static int open_replay(void *state, const struct evaluator_setup *setup, struct error *error)
{
    struct replay *replay = state;
    const struct journal *journal = setup->journal;
    size_t width = setup->space->parameter_count, count = (size_t)valid_set_count(setup->set);
    uint32_t *choices;
    replay->setup = setup;
    int code = rows_choices(setup->space, journal, &choices, error);
    if (code)
        return code;
    replay->rows = malloc((count + 1) * sizeof *replay->rows);
    if (!replay->rows)
        code = error_memory(error);
    for (size_t i = 0; i < count && !code; i++)
        replay->rows[i] = (size_t)NO_ROW;
    for (size_t row = 0; row < journal_row_count(journal) && !code; row++) {
        uint64_t index;
        if (valid_set_find(setup->set, choices + row * width, &index))
            replay->rows[index] = row; /* the last word on a configuration counts */
    }
    free(choices);
    return code;
}

static size_t room(void *state)
{
    struct replay *replay = state;
    return replay->pending ? 0 : 1;
}

static int submit(void *state, uint64_t index, bool exact, struct error *error)
{
    struct replay *replay = state;
    (void)exact;
    if (replay->rows[index] == (size_t)NO_ROW)
        return error_set(error, ERROR_NOT_FOUND, "%s has no row for a configuration that was asked for",
                         journal_file(replay->setup->journal));
    replay->pending = true;
    replay->index = index;
    return 0;
}

static int wait(void *state, int64_t until_ns, struct evaluation *done, size_t space, size_t *count,
                struct error *error)
{
    struct replay *replay = state;
    (void)until_ns, (void)error;
    *count = 0;
    if (replay->pending && space) {
        const struct journal_row *row = journal_get_row(replay->setup->journal, replay->rows[replay->index]);
        done[(*count)++] = (struct evaluation){.index = replay->index, .measurement = row->measurement};
        replay->pending = false;
    }
    return 0;
}

static int copy_ceiling(void *state, double *bytes_per_s, struct error *error)
{
    struct replay *replay = state;
    (void)error;
    *bytes_per_s = journal_get_header(replay->setup->journal)->copy_ceiling;
    return 0;
}

const struct evaluator_ops evaluator_replay = {.name = "replay",
                                               .summary = "a journal recorded on a real device",
                                               .state_size = sizeof(struct replay),
                                               .open = open_replay,
                                               .room = room,
                                               .submit = submit,
                                               .wait = wait,
                                               .copy_ceiling = copy_ceiling,
                                               .close = close_replay};
