#include "search/vary.h"

#include <stdlib.h>
#include <string.h>

int mover_open(struct mover *mover, const struct strategy_setup *setup, struct error *error)
{
    memset(mover, 0, sizeof *mover);
    random_seed(&mover->random, setup->seed);
    int code = archive_open(&mover->archive, setup, error);
    return code ? code : encoding_make(&mover->encoding, setup->space, ENCODE_MIXED, error);
}

void mover_close(void *state)
{
    struct mover *mover = state;
    archive_close(&mover->archive);
    encoding_free(&mover->encoding);
    free(mover->flights);
    memset(mover, 0, sizeof *mover);
}

bool mover_begin(struct mover *mover, size_t initial, uint64_t *index)
{
    return mover->archive.count < initial && design_pick(&mover->archive, &mover->encoding, &mover->random, index);
}

void mover_launch(struct mover *mover, uint64_t index, size_t owner)
{
    if (mover->flight_count == mover->flight_room) {
        size_t room = mover->flight_room ? 2 * mover->flight_room : 64;
        struct flight *flights = realloc(mover->flights, room * sizeof *flights);
        if (!flights) {
            mover->archive.failed = true;
            return;
        }
        mover->flights = flights;
        mover->flight_room = room;
    }
    mover->flights[mover->flight_count++] = (struct flight){index, owner};
}

bool mover_land(struct mover *mover, uint64_t index, size_t *owner)
{
    for (size_t i = 0; i < mover->flight_count; i++)
        if (mover->flights[i].index == index) {
            *owner = mover->flights[i].owner;
            mover->flights[i] = mover->flights[--mover->flight_count];
            return true;
        }
    return false;
}

bool vary_step(struct mover *mover, uint64_t from, uint64_t *index)
{
    bool near = random_below(&mover->random, 2);
    return (near && archive_neighbour(&mover->archive, from, NEIGHBOURS_ADJACENT, &mover->random, index)) ||
           archive_neighbour(&mover->archive, from, NEIGHBOURS_ANY, &mover->random, index);
}

bool vary_settle(struct mover *mover, uint32_t *choices, uint64_t *index)
{
    const struct valid_set *set = mover->archive.set;
    if (!valid_set_find(set, choices, NULL) && valid_set_nearest(set, choices, NULL)) {
        mover->archive.failed = true;
        return false;
    }
    valid_set_find(set, choices, index);
    if (*index >= mover->archive.valid) /* more than an index can number */
        return false;
    return !archive_find(&mover->archive, *index) || vary_step(mover, *index, index);
}
