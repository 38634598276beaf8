/* The order of a run's launches: calls, loops around them, and the buffers that they exchange. */
#include <stddef.h>
#include <string.h>

#include "space/launch.h"

const char *const until_signs[UNTIL_SIGN_COUNT] = {"==", "!=", "<", "<=", ">", ">="};

void space_launch_copy(struct launch *to, const struct launch *from)
{
    memcpy(to, from, offsetof(struct launch, loops));
    memcpy(to->loops, from->loops, from->loop_count * sizeof *to->loops);
    memcpy(to->calls, from->calls, from->call_count * sizeof *to->calls);
    memcpy(to->values, from->values, from->value_count * sizeof *to->values);
}

uint32_t space_argument_bytes(const struct launch_argument *argument)
{
    enum { ADDRESS_BYTES = 8 }; /* of a device address, a texture or a surface */
    if (argument->buffer < 0 && argument->role == ARGUMENT_TENSOR_MAP)
        return TENSOR_MAP_BYTES;
    const bool object = argument->role == ARGUMENT_TEXTURE || argument->role == ARGUMENT_SURFACE;
    return argument->buffer >= 0 || object ? ADDRESS_BYTES : argument->bytes;
}

size_t launch_call_count(const struct launch *launch)
{
    return launch->call_count ? launch->call_count : launch->step_count;
}

struct launch_call launch_call_at(const struct launch *launch, size_t number)
{
    return launch->call_count ? launch->calls[number] : (struct launch_call){.step = (uint32_t)number};
}

/* ---- Calls ---- */

static void put_shape(struct launch_step *step, const struct launch_field *field, uint64_t bits)
{
    switch ((enum launch_field_kind)field->kind) {
    case FIELD_BLOCK:
        step->block[field->index] = (uint32_t)bits;
        break;
    case FIELD_GRID:
        step->grid[field->index] = (uint32_t)bits;
        break;
    case FIELD_CLUSTER:
        step->cluster[field->index] = (uint32_t)bits;
        break;
    case FIELD_SHARED:
        step->shared_bytes = bits;
        break;
    case FIELD_REPEAT:
        step->repeat = (uint32_t)bits;
        break;
    case FIELD_OFFSET:
    case FIELD_PART:
    case FIELD_WORD:
        break;
    }
}

struct launch_step launch_step_of(const struct launch *launch, const struct launch_call *call)
{
    struct launch_step step = launch->steps[call->step];
    for (uint32_t f = 0; f < step.field_count; f++)
        put_shape(&step, &launch->fields[step.field_first + f], launch->values[call->value + f].bits);
    return step;
}

void launch_enter(struct launch *launch, const struct launch_call *call)
{
    struct launch_step *step = &launch->steps[call->step];
    for (uint32_t f = 0; f < step->field_count; f++) {
        const struct launch_field *field = &launch->fields[step->field_first + f];
        const uint64_t bits = launch->values[call->value + f].bits;
        if (field->kind == FIELD_OFFSET)
            launch->arguments[field->index].offset_bytes = bits;
        else if (field->kind == FIELD_PART)
            launch->parts[field->index].offset_bytes = bits;
        else if (field->kind == FIELD_WORD)
            launch->words[field->index].bits = bits;
        else
            put_shape(step, field, bits);
    }
}

/* ---- Loops ---- */

static void find_call(struct launch_walk *walk, const struct launch *launch)
{
    walk->call = walk->at < launch_call_count(launch) ? launch_call_at(launch, walk->at)
                                                      : (struct launch_call){.step = LAUNCH_WALK_END};
}

void launch_walk_start(struct launch_walk *walk, const struct launch *launch)
{
    walk->at = walk->loop = 0;
    memset(walk->done, 0, launch->loop_count * sizeof *walk->done);
    find_call(walk, launch);
}

int launch_walk_next(struct launch_walk *walk, const struct launch *launch, launch_ask *ask, void *context,
                     const struct launch_until **over)
{
    if (over)
        *over = NULL;
    walk->at++;
    while (walk->loop < launch->loop_count && launch->loops[walk->loop].end == walk->at) {
        const struct launch_loop *loop = &launch->loops[walk->loop];
        const struct launch_until *until = loop->until ? &launch->untils[loop->until - 1] : NULL;
        bool again = ++walk->done[walk->loop] < loop->rounds, holds = false;
        int code = until && ask ? ask(context, until, &holds) : 0;
        if (!code && holds) {
            walk->done[walk->loop] = 0;
            walk->at = loop->exit;
            walk->loop = loop->next;
            continue;
        }
        if (!code && until && !again && loop->last && over)
            *over = until;
        if (code || (over && *over)) {
            walk->call.step = LAUNCH_WALK_END;
            return code;
        }
        if (again) {
            walk->at = loop->first;
            walk->loop = loop->inner;
            break;
        }
        walk->done[walk->loop++] = 0;
    }
    find_call(walk, launch);
    return 0;
}

/* ---- The whole run ---- */

static uint64_t count(const struct launch *launch, uint32_t step)
{
    struct launch_walk walk;
    uint64_t launches = 0;
    for (launch_walk_start(&walk, launch); walk.call.step != LAUNCH_WALK_END;
         launch_walk_next(&walk, launch, NULL, NULL, NULL))
        if (step == LAUNCH_WALK_END || walk.call.step == step)
            launches += launch_step_of(launch, &walk.call).repeat;
    return launches;
}

uint64_t space_launch_count(const struct launch *launch)
{
    return count(launch, LAUNCH_WALK_END);
}

uint64_t space_step_count(const struct launch *launch, size_t step)
{
    return count(launch, (uint32_t)step);
}

void launch_swap_places(const struct launch *launch, const struct launch_step *step, uint32_t *places)
{
    for (uint32_t i = 0; i < step->swap_count; i++) {
        const struct launch_swap *swap = &launch->swaps[step->swap_first + i];
        uint32_t kept = places[swap->a];
        places[swap->a] = places[swap->b];
        places[swap->b] = kept;
    }
}

static int holds_at_once(void *context, const struct launch_until *until, bool *holds)
{
    (void)context, (void)until;
    *holds = true;
    return 0;
}

void space_launch_places(const struct launch *launch, size_t buffer_count, uint32_t *places)
{
    struct launch_walk walk;
    for (size_t b = 0; b < buffer_count; b++)
        places[b] = (uint32_t)b;
    for (launch_walk_start(&walk, launch); walk.call.step != LAUNCH_WALK_END;
         launch_walk_next(&walk, launch, holds_at_once, NULL, NULL)) {
        const struct launch_step step = launch_step_of(launch, &walk.call);
        /* The pairs of a step are disjoint, so that an even number of exchanges changes nothing. */
        if (step.repeat % 2)
            launch_swap_places(launch, &step, places);
    }
}

bool space_launch_moves(const struct launch *launch)
{
    return launch->until_count && launch->swap_count;
}
