/* Descends from the best of a few configurations from neighbour to neighbour. Where no neighbour is better, a tabu list
 * leads on through worse ones (Glover, "Tabu Search", 1989); after some of those, the descent restarts elsewhere
 * (Lourenco, Martin and Stuetzle, "Iterated Local Search", 2003). */
#include <math.h>

#include "search/vary.h"

enum { TABU_MAX = 256 };

struct local_options {
    int64_t initial, tabu, patience;
    const char *descent, *neighbours;
};

#define FIELD(field) .offset = offsetof(struct local_options, field)
static const struct option_row rows[] = {
    DESIGN_OPTION(struct local_options, 1, "10", ""),
    {.name = "descent",
     .argument = "D",
     .type = OPTION_CHOICE,
     FIELD(descent),
     .choices = "first|steepest",
     .default_ = "first",
     .help = "move to the first better neighbour, or to the best of all neighbours"},
    {.name = "neighbours",
     .argument = "N",
     .type = OPTION_CHOICE,
     FIELD(neighbours),
     .choices = "any|adjacent",
     .default_ = "adjacent",
     .help = "change one parameter to any other value, or to the next in its list"},
    {.name = "tabu",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(tabu),
     .min = 0,
     .max = TABU_MAX,
     .default_ = "8",
     .help = "moves to worse neighbours before the descent restarts"},
};

struct local {
    struct mover mover; /* first */
    const struct local_options *options;
    bool placed;
    uint64_t centre;
    double value;
    uint64_t visited[TABU_MAX]; /* centres since the last restart */
    size_t visited_count;
};

static int start(void *state, const struct strategy_setup *setup, struct error *error)
{
    struct local *local = state;
    int code = mover_open(&local->mover, setup, error);
    local->options = setup->options;
    return code;
}

static void move(struct local *local, const struct archive_entry *entry)
{
    local->placed = true;
    local->centre = entry->index;
    local->value = entry->value;
}

static bool was_visited(const struct local *local, uint64_t index)
{
    for (size_t i = 0; i < local->visited_count; i++)
        if (local->visited[i] == index)
            return true;
    return false;
}

static enum neighbourhood neighbourhood(const struct local *local)
{
    return local->options->neighbours[1] == 'n' ? NEIGHBOURS_ANY : NEIGHBOURS_ADJACENT;
}

/* All neighbours are known: moves to the best that was not a centre before. */
static bool move_on(struct local *local)
{
    struct archive *archive = &local->mover.archive;
    const struct archive_entry *best = NULL;
    size_t count = archive_around(archive, local->centre, neighbourhood(local));
    for (size_t i = 0; i < count; i++) {
        const struct archive_entry *entry = archive_find(archive, archive->around[i]);
        if (entry && entry->told && entry->ok && !was_visited(local, entry->index) &&
            (!best || archive_better(entry, best)))
            best = entry;
    }
    bool better = best && best->value < local->value;
    if (!best || (!better && local->visited_count >= (size_t)local->options->tabu))
        return false;
    if (local->visited_count < TABU_MAX)
        local->visited[local->visited_count++] = local->centre;
    move(local, best);
    return true;
}

static bool propose(void *state, uint64_t *index)
{
    struct local *local = state;
    struct archive *archive = &local->mover.archive;
    if (mover_begin(&local->mover, (size_t)local->options->initial, index))
        return true;
    if (!local->placed) {
        if (archive->best == SIZE_MAX)
            return false;
        move(local, &archive->entries[archive->best]);
    }
    for (size_t moves = 0; moves < TABU_MAX; moves++) {
        if (archive_neighbour(archive, local->centre, neighbourhood(local), &local->mover.random, index))
            return true;
        if (local->mover.flight_count) /* a pending result may still lead on */
            break;
        if (!move_on(local)) { /* restart at the next configuration */
            local->visited_count = 0;
            local->value = INFINITY;
            return design_pick(archive, &local->mover.encoding, &local->mover.random, index);
        }
    }
    return false;
}

static int ask(void *state, uint64_t *configs, size_t room, size_t *count, struct error *error)
{
    return archive_ask(state, propose, state, configs, room, count, error);
}

static void tell(void *state, uint64_t config, const struct cost *cost)
{
    struct local *local = state;
    const struct archive_entry *entry = archive_tell(&local->mover.archive, config, cost);
    if (entry && local->placed && entry->ok && !entry->bound && entry->value < local->value &&
        *local->options->descent == 'f') {
        local->visited_count = 0;
        move(local, entry);
    }
}

const struct strategy_ops strategy_local = {.name = "local",
                                            .summary = "descent to better neighbours, with a tabu list and restarts",
                                            .state_size = sizeof(struct local),
                                            .learns_at_once = true,
                                            .options = rows,
                                            .option_count = sizeof rows / sizeof *rows,
                                            .options_size = sizeof(struct local_options),
                                            .start = start,
                                            .ask = ask,
                                            .tell = tell,
                                            .stop = mover_close};
