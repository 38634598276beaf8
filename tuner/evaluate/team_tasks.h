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

enum task_state { TASK_FREE, TASK_WAITING, TASK_GIVEN, TASK_DONE, TASK_RETURNED };

struct task {
    enum task_state state;
    uint64_t index, order; /* order: of submission; the oldest goes first */
    bool exact;
    size_t wanted;   /* the device that must measure it, of the team's; EVALUATOR_ANY_DEVICE: any */
    size_t member;   /* TASK_GIVEN: who evaluates it */
    unsigned losses; /* members that were lost while they evaluated it */
    /* TASK_DONE, TASK_RETURNED. */
    size_t device; /* of the team's, or EVALUATOR_ANY_DEVICE */
    struct measurement measurement;
    struct text log;
};

/* A zeroed struct is empty. */
struct team_tasks {
    struct task *items;
    size_t count, room;
    uint64_t orders;
};

/* After this many losses a configuration is taken for their cause: CRASHED. */
enum { TASK_LOSSES_MAX = 2 };

void team_tasks_free(struct team_tasks *tasks);
int team_tasks_add(struct team_tasks *tasks, uint64_t index, bool exact, size_t wanted, struct error *error);
/* The number of tasks in that state. */
size_t team_tasks_count(const struct team_tasks *tasks, enum task_state state);
/* The oldest task in that state, from `after` on (in order of submission; 0: any); NULL: none. */
struct task *team_tasks_next(struct team_tasks *tasks, enum task_state state, uint64_t after);
/* Finds the task of this configuration that the member evaluates: one for this very device if there is one. `device`:
 * the team's number of the one that measured it, or EVALUATOR_ANY_DEVICE. NULL: it evaluates no such configuration. */
struct task *team_tasks_match(struct team_tasks *tasks, size_t member, uint64_t index, size_t device);
/* Makes all tasks of a member wait once more; those that were lost too often are done. Returns their number. */
size_t team_tasks_lose(struct team_tasks *tasks, size_t member);

#endif
