/* The configurations that a team has been given, and who evaluates each. */
#ifndef CUTUNE_EVALUATE_TEAM_TASKS_H
#define CUTUNE_EVALUATE_TEAM_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/measurement.h"
#include "base/text.h"
#include "evaluate/evaluator.h"

enum task_state { TASK_FREE, TASK_WAITING, TASK_GIVEN, TASK_DONE, TASK_RETURNED, TASK_STATES };

struct task {
    enum task_state state; /* changed by the functions below alone */
    uint64_t index, order; /* order: of submission; the oldest goes first */
    bool exact;
    size_t wanted;   /* the device that must measure it, of the team's; EVALUATOR_ANY_DEVICE: any */
    size_t member;   /* TASK_GIVEN: who evaluates it */
    unsigned losses; /* members that were lost while they evaluated it */
    /* TASK_DONE, TASK_RETURNED. */
    size_t device;     /* of the team's, or EVALUATOR_ANY_DEVICE */
    uint64_t original; /* as in struct evaluation */
    struct measurement measurement;
    struct text log;
    size_t before, behind; /* its neighbours in its list: their places in `items`, from 1; 0: none */
};

struct task_list {
    size_t first, last, count;
};

/* Each task is in the list of its state, those that are TASK_GIVEN in their member's: whatever is asked takes as long
 * with a thousand devices as with two. A zeroed struct is empty. */
struct team_tasks {
    struct task *items;
    size_t count, room;
    uint64_t orders;
    struct task_list lists[TASK_STATES];
    struct task_list *given; /* by member */
    size_t given_count, given_room;
};

/* After this many losses a configuration is taken for their cause: CRASHED. */
enum { TASK_LOSSES_MAX = 2 };

void team_tasks_free(struct team_tasks *tasks);
int team_tasks_add(struct team_tasks *tasks, uint64_t index, bool exact, size_t wanted, struct error *error);
/* The member evaluates the task from now on. */
int team_tasks_give(struct team_tasks *tasks, struct task *task, size_t member, struct error *error);
/* Any other change. */
void team_tasks_move(struct team_tasks *tasks, struct task *task, enum task_state state);
/* The number of tasks in that state, which is not TASK_GIVEN. */
size_t team_tasks_count(const struct team_tasks *tasks, enum task_state state);
/* The oldest task in that state, which is not TASK_GIVEN, and the next one in the state of a task; NULL: none. */
struct task *team_tasks_first(struct team_tasks *tasks, enum task_state state);
struct task *team_tasks_after(struct team_tasks *tasks, const struct task *task);
/* Finds the task of this configuration that the member evaluates: one for this very device if there is one. `device`:
 * the team's number of the one that measured it, or EVALUATOR_ANY_DEVICE. NULL: it evaluates no such configuration. */
struct task *team_tasks_match(struct team_tasks *tasks, size_t member, uint64_t index, size_t device);
/* Makes all tasks of a member wait once more; those that were lost too often are done. Returns their number. */
size_t team_tasks_lose(struct team_tasks *tasks, size_t member, bool counts);

#endif
