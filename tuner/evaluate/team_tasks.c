#include "evaluate/team_tasks.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void team_tasks_free(struct team_tasks *tasks)
{
    for (size_t i = 0; i < tasks->count; i++)
        text_free(&tasks->items[i].log);
    free(tasks->items);
    *tasks = (struct team_tasks){0};
}

int team_tasks_add(struct team_tasks *tasks, uint64_t index, bool exact, size_t wanted, struct error *error)
{
    size_t free_ = 0;
    while (free_ < tasks->count && tasks->items[free_].state != TASK_FREE)
        free_++;
    if (free_ == tasks->count) {
        struct task *items = array_grow(tasks->items, &tasks->room, tasks->count + 1, sizeof *items);
        if (!items)
            return error_memory(error);
        tasks->items = items;
        memset(&items[tasks->count++], 0, sizeof *items);
    }
    struct task *task = &tasks->items[free_];
    text_clear(&task->log);
    *task = (struct task){.state = TASK_WAITING,
                          .index = index,
                          .order = ++tasks->orders,
                          .exact = exact,
                          .wanted = wanted,
                          .device = EVALUATOR_ANY_DEVICE,
                          .log = task->log};
    return 0;
}

size_t team_tasks_count(const struct team_tasks *tasks, enum task_state state)
{
    size_t count = 0;
    for (size_t i = 0; i < tasks->count; i++)
        count += tasks->items[i].state == state;
    return count;
}

struct task *team_tasks_next(struct team_tasks *tasks, enum task_state state, uint64_t after)
{
    struct task *found = NULL;
    for (size_t i = 0; i < tasks->count; i++) {
        struct task *task = &tasks->items[i];
        if (task->state == state && task->order > after && (!found || task->order < found->order))
            found = task;
    }
    return found;
}

struct task *team_tasks_match(struct team_tasks *tasks, size_t member, uint64_t index, size_t device)
{
    struct task *found = NULL;
    int best = 0;
    for (size_t i = 0; i < tasks->count; i++) {
        struct task *task = &tasks->items[i];
        if (task->state != TASK_GIVEN || task->member != member || task->index != index)
            continue;
        int fit = task->wanted == device ? 3 : task->wanted == EVALUATOR_ANY_DEVICE ? 2 : 1;
        if (fit > best) {
            best = fit;
            found = task;
        }
    }
    return found;
}

size_t team_tasks_lose(struct team_tasks *tasks, size_t member)
{
    size_t lost = 0;
    for (size_t i = 0; i < tasks->count; i++) {
        struct task *task = &tasks->items[i];
        if (task->state != TASK_GIVEN || task->member != member)
            continue;
        lost++;
        task->state = TASK_WAITING;
        if (++task->losses < TASK_LOSSES_MAX)
            continue;
        task->state = TASK_DONE;
        task->measurement = measurement_unknown(STATUS_CRASHED);
        measurement_explain(&task->measurement, "%u ranks were lost while they evaluated it", task->losses);
    }
    return lost;
}
