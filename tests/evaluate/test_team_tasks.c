#include <CUnit/Basic.h>

#include "evaluate/team_tasks.h"

static struct task *add(struct team_tasks *tasks, uint64_t index, size_t wanted, size_t member)
{
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(team_tasks_add(tasks, index, false, wanted, &error), 0);
    struct task *task = NULL;
    for (size_t i = 0; i < tasks->count; i++)
        if (tasks->items[i].order == tasks->orders)
            task = &tasks->items[i];
    CU_ASSERT_PTR_NOT_NULL_FATAL(task);
    if (member != SIZE_MAX) {
        task->state = TASK_GIVEN;
        task->member = member;
    }
    return task;
}

static void order(void)
{
    struct team_tasks tasks = {0};
    for (uint64_t i = 0; i < 5; i++)
        add(&tasks, 10 + i, EVALUATOR_ANY_DEVICE, SIZE_MAX);
    CU_ASSERT_EQUAL(team_tasks_count(&tasks, TASK_WAITING), 5);
    struct task *first = team_tasks_next(&tasks, TASK_WAITING, 0);
    CU_ASSERT_EQUAL_FATAL(first->index, 10);
    CU_ASSERT_EQUAL(team_tasks_next(&tasks, TASK_WAITING, first->order)->index, 11);
    first->state = TASK_FREE;
    add(&tasks, 20, EVALUATOR_ANY_DEVICE, SIZE_MAX); /* in its place, but the youngest */
    CU_ASSERT_EQUAL(tasks.count, 5);
    CU_ASSERT_EQUAL(team_tasks_next(&tasks, TASK_WAITING, 0)->index, 11);
    CU_ASSERT_PTR_NULL(team_tasks_next(&tasks, TASK_WAITING, tasks.orders));
    CU_ASSERT_PTR_NULL(team_tasks_next(&tasks, TASK_DONE, 0));
    team_tasks_free(&tasks);
}

/* The same configuration may be measured by several devices: the one that answers determines whose task it was. */
static void matching(void)
{
    struct team_tasks tasks = {0};
    add(&tasks, 7, 4, 1);
    add(&tasks, 7, EVALUATOR_ANY_DEVICE, 1);
    add(&tasks, 7, 5, 1);
    add(&tasks, 7, 4, 2);
    CU_ASSERT_EQUAL(team_tasks_match(&tasks, 1, 7, 5)->wanted, 5);
    CU_ASSERT_EQUAL(team_tasks_match(&tasks, 1, 7, 4)->wanted, 4);
    CU_ASSERT_EQUAL(team_tasks_match(&tasks, 1, 7, 6)->wanted, EVALUATOR_ANY_DEVICE);
    CU_ASSERT_EQUAL(team_tasks_match(&tasks, 1, 7, EVALUATOR_ANY_DEVICE)->wanted, EVALUATOR_ANY_DEVICE);
    CU_ASSERT_EQUAL(team_tasks_match(&tasks, 2, 7, 6)->member, 2); /* its device was left out */
    CU_ASSERT_PTR_NULL(team_tasks_match(&tasks, 3, 7, 4));
    CU_ASSERT_PTR_NULL(team_tasks_match(&tasks, 1, 8, 4));
    team_tasks_free(&tasks);
}

/* What is lost twice is taken for the cause. */
static void losses(void)
{
    struct team_tasks tasks = {0};
    add(&tasks, 1, EVALUATOR_ANY_DEVICE, 1);
    add(&tasks, 2, EVALUATOR_ANY_DEVICE, 2);
    CU_ASSERT_EQUAL(team_tasks_lose(&tasks, 1), 1);
    struct task *task = team_tasks_next(&tasks, TASK_WAITING, 0);
    CU_ASSERT_EQUAL_FATAL(task->index, 1);
    task->state = TASK_GIVEN;
    task->member = 2;
    CU_ASSERT_EQUAL(team_tasks_lose(&tasks, 2), 2);
    CU_ASSERT_EQUAL(team_tasks_next(&tasks, TASK_WAITING, 0)->index, 2);
    task = team_tasks_next(&tasks, TASK_DONE, 0);
    CU_ASSERT_EQUAL_FATAL(task->index, 1);
    CU_ASSERT_EQUAL(task->measurement.status, STATUS_CRASHED);
    CU_ASSERT_STRING_EQUAL(task->measurement.message, "2 ranks were lost while they evaluated it");
    CU_ASSERT_EQUAL(team_tasks_lose(&tasks, 1), 0);
    team_tasks_free(&tasks);
}

CU_TestInfo tests_team_tasks[] = {
    {"the oldest goes first", order},
    {"answers find their tasks", matching},
    {"losses are counted", losses},
    CU_TEST_INFO_NULL,
};
