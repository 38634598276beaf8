#include "evaluate/team_tasks.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* ---- Lists ---- */

static struct task *at(struct team_tasks *tasks, size_t place)
{
    return place ? &tasks->items[place - 1] : NULL;
}

static struct task_list *list_of(struct team_tasks *tasks, const struct task *task)
{
    return task->state == TASK_GIVEN ? &tasks->given[task->member] : &tasks->lists[task->state];
}

static void take_out(struct team_tasks *tasks, struct task *task)
{
    struct task_list *list = list_of(tasks, task);
    struct task *before = at(tasks, task->before), *behind = at(tasks, task->behind);
    *(before ? &before->behind : &list->first) = task->behind;
    *(behind ? &behind->before : &list->last) = task->before;
    list->count--;
}

/* Inserts the task in order of submission. Searches from the end, because few tasks are younger than a late one. */
static void put_in(struct team_tasks *tasks, struct task *task)
{
    struct task_list *list = list_of(tasks, task);
    size_t place = (size_t)(task - tasks->items) + 1, before = list->last;
    while (task->state != TASK_FREE && before && at(tasks, before)->order > task->order)
        before = at(tasks, before)->before;
    task->before = before;
    task->behind = before ? at(tasks, before)->behind : list->first;
    *(before ? &at(tasks, before)->behind : &list->first) = place;
    *(task->behind ? &at(tasks, task->behind)->before : &list->last) = place;
    list->count++;
}

void team_tasks_move(struct team_tasks *tasks, struct task *task, enum task_state state)
{
    take_out(tasks, task);
    task->state = state;
    put_in(tasks, task);
}

int team_tasks_give(struct team_tasks *tasks, struct task *task, size_t member, struct error *error)
{
    if (member >= tasks->given_count) {
        struct task_list *given = array_grow(tasks->given, &tasks->given_room, member + 1, sizeof *given);
        if (!given)
            return error_memory(error);
        tasks->given = given;
        memset(given + tasks->given_count, 0, (member + 1 - tasks->given_count) * sizeof *given);
        tasks->given_count = member + 1;
    }
    take_out(tasks, task);
    task->state = TASK_GIVEN;
    task->member = member;
    put_in(tasks, task);
    return 0;
}

size_t team_tasks_count(const struct team_tasks *tasks, enum task_state state)
{
    return tasks->lists[state].count;
}

struct task *team_tasks_first(struct team_tasks *tasks, enum task_state state)
{
    return at(tasks, tasks->lists[state].first);
}

struct task *team_tasks_after(struct team_tasks *tasks, const struct task *task)
{
    return at(tasks, task->behind);
}

/* ---- Tasks ---- */

void team_tasks_free(struct team_tasks *tasks)
{
    for (size_t i = 0; i < tasks->count; i++)
        text_free(&tasks->items[i].log);
    free(tasks->items);
    free(tasks->given);
    *tasks = (struct team_tasks){0};
}

int team_tasks_add(struct team_tasks *tasks, uint64_t index, bool exact, size_t wanted, struct error *error)
{
    if (!tasks->lists[TASK_FREE].count) {
        struct task *items = array_grow(tasks->items, &tasks->room, tasks->count + 1, sizeof *items);
        if (!items)
            return error_memory(error);
        tasks->items = items;
        items[tasks->count] = (struct task){.state = TASK_FREE};
        put_in(tasks, &items[tasks->count++]);
    }
    struct task *task = team_tasks_first(tasks, TASK_FREE);
    take_out(tasks, task);
    text_clear(&task->log);
    *task = (struct task){.state = TASK_WAITING,
                          .index = index,
                          .order = ++tasks->orders,
                          .exact = exact,
                          .wanted = wanted,
                          .device = EVALUATOR_ANY_DEVICE,
                          .log = task->log};
    put_in(tasks, task);
    return 0;
}

/* Returns the member's oldest task; NULL: none. */
static struct task *first_given(struct team_tasks *tasks, size_t member)
{
    return member < tasks->given_count ? at(tasks, tasks->given[member].first) : NULL;
}

struct task *team_tasks_match(struct team_tasks *tasks, size_t member, uint64_t index, size_t device)
{
    struct task *found = NULL;
    int best = 0;
    for (struct task *task = first_given(tasks, member); task; task = team_tasks_after(tasks, task)) {
        if (task->index != index)
            continue;
        int fit = task->wanted == device ? 3 : task->wanted == EVALUATOR_ANY_DEVICE ? 2 : 1;
        if (fit > best) {
            best = fit;
            found = task;
        }
    }
    return found;
}

size_t team_tasks_lose(struct team_tasks *tasks, size_t member, bool counts)
{
    struct task *task;
    size_t lost = 0;
    for (; (task = first_given(tasks, member)); lost++) {
        task->losses += counts;
        team_tasks_move(tasks, task, task->losses < TASK_LOSSES_MAX ? TASK_WAITING : TASK_DONE);
        if (task->state == TASK_WAITING)
            continue;
        task->original = OUTCOME_NO_DUPLICATE;
        task->measurement = measurement_unknown(STATUS_CRASHED);
        measurement_explain(&task->measurement, "%u ranks were lost while they evaluated it", task->losses);
    }
    return lost;
}
