/* The configurations of a team, and the members that evaluate them. */
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
    enum task_state state; /* changed only by the functions below */
    uint64_t index, order; /* order: number of the submission; the oldest goes first */
    bool exact;
    size_t wanted;   /* the team's number of the device that must measure it; EVALUATOR_ANY_DEVICE: any */
    size_t member;   /* TASK_GIVEN: the member that evaluates it */
    bool withdrawn;  /* in TASK_DONE and TASK_RETURNED: it has no outcome */
    unsigned losses; /* number of members that were lost during its evaluation */
    /* In TASK_DONE and TASK_RETURNED: */
    size_t device;     /* the team's number, or EVALUATOR_ANY_DEVICE */
    uint64_t original; /* as in struct evaluation */
    struct measurement measurement;
    struct text log;
    size_t before, behind; /* neighbours in its list: their positions in `items`, from 1; 0: none */
};

struct task_list {
    size_t first, last, count;
};

/* Each task is in the list of its state, or of its member in TASK_GIVEN, so that the number of devices does not slow
 * down any operation. A zeroed struct is empty. */
struct team_tasks {
    struct task *items;
    size_t count, room;
    uint64_t orders;
    struct task_list lists[TASK_STATES];
    struct task_list *given; /* by member */
    size_t given_count, given_room;
};

/* After so many losses a configuration is their presumed cause: CRASHED. */
enum { TASK_LOSSES_MAX = 2 };

void team_tasks_free(struct team_tasks *tasks);
int team_tasks_add(struct team_tasks *tasks, uint64_t index, bool exact, size_t wanted, struct error *error);
/* Gives the task to the member. */
int team_tasks_give(struct team_tasks *tasks, struct task *task, size_t member, struct error *error);
/* Moves the task to any state but TASK_GIVEN. */
void team_tasks_move(struct team_tasks *tasks, struct task *task, enum task_state state);
/* Returns the number of tasks in a state other than TASK_GIVEN. */
size_t team_tasks_count(const struct team_tasks *tasks, enum task_state state);
/* Return the oldest task in a state other than TASK_GIVEN, and the next one in a task's list; NULL: none. */
struct task *team_tasks_first(struct team_tasks *tasks, enum task_state state);
struct task *team_tasks_after(struct team_tasks *tasks, const struct task *task);
/* Returns the member's task of this configuration, preferably one for this device; NULL: it has none. `device`: the
 * team's number of the measuring device, or EVALUATOR_ANY_DEVICE. */
struct task *team_tasks_match(struct team_tasks *tasks, size_t member, uint64_t index, size_t device);
/* Returns a member's tasks to TASK_WAITING, or to TASK_DONE after TASK_LOSSES_MAX losses. `counts`: they are losses.
 * Returns their number. */
size_t team_tasks_lose(struct team_tasks *tasks, size_t member, bool counts);

#endif
