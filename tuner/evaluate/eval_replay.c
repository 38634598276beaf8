/* Evaluations from a journal that was recorded on a real device: the same search without one. */
#include <stdlib.h>

#include "evaluate/evaluator.h"
#include "evaluate/rows.h"

struct replay {
    const struct evaluator_setup *setup;
    size_t *rows, *finals; /* row of each configuration of the valid set: in the search, and in the play-off */
    bool pending;
    uint64_t index;
};

enum { NO_ROW = -1 };

static void close_replay(void *state)
{
    struct replay *replay = state;
    free(replay->rows);
    free(replay->finals);
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
    replay->finals = malloc((count + 1) * sizeof *replay->finals);
    if (!replay->rows || !replay->finals)
        code = error_memory(error);
    for (size_t i = 0; i < count && !code; i++)
        replay->rows[i] = replay->finals[i] = (size_t)NO_ROW;
    for (size_t row = 0; row < journal_row_count(journal) && !code; row++) {
        uint64_t index;
        const struct measurement *measurement = &journal_get_row(journal, row)->measurement;
        if (!valid_set_find(setup->set, choices + row * width, &index))
            continue;
        /* The last word on a configuration counts: in the play-off, and before it. */
        if (measurement->playoff == PLAYOFF_NONE || measurement->status != STATUS_OK)
            replay->rows[index] = row;
        else
            replay->finals[index] = row;
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

/* What was recorded; who did not take part then has the time of the search. */
static int playoff(void *state, const uint64_t *indices, size_t count, struct measurement *finals, bool *played,
                   struct error *error)
{
    struct replay *replay = state;
    (void)error;
    *played = false; /* unless the recorded run had a play-off */
    for (size_t i = 0; i < count; i++) {
        size_t row = replay->finals[indices[i]];
        if (row == (size_t)NO_ROW)
            row = replay->rows[indices[i]];
        else
            *played = true;
        finals[i] = journal_get_row(replay->setup->journal, row)->measurement;
    }
    return 0;
}

static int ceilings(void *state, struct ceilings *recorded, struct error *error)
{
    struct replay *replay = state;
    (void)error;
    const struct journal_header *header = journal_get_header(replay->setup->journal);
    *recorded = (struct ceilings){header->copy_ceiling, header->link_to_device, header->link_to_host};
    return 0;
}

const struct evaluator_ops evaluator_replay = {.name = "replay",
                                               .summary = "a journal recorded on a real device",
                                               .state_size = sizeof(struct replay),
                                               .open = open_replay,
                                               .room = room,
                                               .submit = submit,
                                               .wait = wait,
                                               .playoff = playoff,
                                               .ceilings = ceilings,
                                               .close = close_replay};
