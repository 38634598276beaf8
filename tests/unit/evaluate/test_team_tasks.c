#include <stdio.h>

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
    if (member != SIZE_MAX)
        CU_ASSERT_EQUAL_FATAL(team_tasks_give(tasks, task, member, &error), 0);
    return task;
}

/* Checks the list in both directions. */
static void expect_list(struct team_tasks *tasks, enum task_state state, const char *expected)
{
    char found[200] = "";
    size_t length = 0, before = 0, count = 0;
    struct task *task = team_tasks_first(tasks, state);
    for (; task; task = team_tasks_after(tasks, task), count++) {
        length += (size_t)snprintf(found + length, sizeof found - length, "%llu ", (unsigned long long)task->index);
        CU_ASSERT_EQUAL(task->before, before);
        CU_ASSERT_EQUAL(task->state, state);
        before = (size_t)(task - tasks->items) + 1;
    }
    CU_ASSERT_STRING_EQUAL(found, expected);
    CU_ASSERT_EQUAL(tasks->lists[state].last, before);
    CU_ASSERT_EQUAL(team_tasks_count(tasks, state), count);
}

static void order(void)
{
    struct team_tasks tasks = {0};
    for (uint64_t i = 0; i < 5; i++)
        add(&tasks, 10 + i, EVALUATOR_ANY_DEVICE, SIZE_MAX);
    CU_ASSERT_EQUAL(team_tasks_count(&tasks, TASK_WAITING), 5);
    struct task *first = team_tasks_first(&tasks, TASK_WAITING);
    CU_ASSERT_EQUAL_FATAL(first->index, 10);
    CU_ASSERT_EQUAL(team_tasks_after(&tasks, first)->index, 11);
    text_printf(&first->log, "of 10");
    team_tasks_move(&tasks, first, TASK_FREE);
    first = add(&tasks, 20, EVALUATOR_ANY_DEVICE, SIZE_MAX); /* reuses an entry, but is the youngest */
    CU_ASSERT_STRING_EQUAL(text_string(&first->log), "");
    CU_ASSERT_EQUAL(tasks.count, 5);
    expect_list(&tasks, TASK_WAITING, "11 12 13 14 20 ");
    CU_ASSERT_PTR_NULL(team_tasks_first(&tasks, TASK_DONE));
    team_tasks_free(&tasks);
}

/* The oldest task is first, in any order of ends. A returned task precedes younger ones. */
static void lists(void)
{
    struct team_tasks tasks = {0};
    static const uint64_t ends[] = {3, 1, 4, 2};
    for (uint64_t i = 0; i < 7; i++)
        add(&tasks, i, EVALUATOR_ANY_DEVICE, i < 5 ? i % 2 : SIZE_MAX);
    expect_list(&tasks, TASK_WAITING, "5 6 ");
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        team_tasks_move(&tasks, team_tasks_match(&tasks, ends[i] % 2, ends[i], 0), TASK_DONE);
    expect_list(&tasks, TASK_DONE, "1 2 3 4 ");
    CU_ASSERT_EQUAL(team_tasks_count(&tasks, TASK_DONE), 4);
    CU_ASSERT_EQUAL(team_tasks_lose(&tasks, 1, true), 0);
    CU_ASSERT_EQUAL(team_tasks_lose(&tasks, 0, true), 1);
    expect_list(&tasks, TASK_WAITING, "0 5 6 ");
    team_tasks_move(&tasks, team_tasks_after(&tasks, team_tasks_first(&tasks, TASK_WAITING)), TASK_FREE);
    expect_list(&tasks, TASK_WAITING, "0 6 ");
    while (team_tasks_count(&tasks, TASK_DONE))
        team_tasks_move(&tasks, team_tasks_first(&tasks, TASK_DONE), TASK_FREE);
    expect_list(&tasks, TASK_DONE, "");
    for (uint64_t i = 0; i < 6; i++)
        add(&tasks, 10 + i, EVALUATOR_ANY_DEVICE, SIZE_MAX);
    expect_list(&tasks, TASK_WAITING, "0 6 10 11 12 13 14 15 ");
    CU_ASSERT_EQUAL(tasks.count, 8);
    team_tasks_free(&tasks);
}

/* Several devices may measure the same configuration; the device of the outcome determines the task. */
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
    CU_ASSERT_EQUAL(team_tasks_match(&tasks, 2, 7, 6)->member, 2); /* its device is excluded */
    CU_ASSERT_PTR_NULL(team_tasks_match(&tasks, 3, 7, 4));
    CU_ASSERT_PTR_NULL(team_tasks_match(&tasks, 1, 8, 4));
    team_tasks_free(&tasks);
}

/* A task lost twice is the presumed cause. */
static void losses(void)
{
    struct team_tasks tasks = {0};
    add(&tasks, 1, EVALUATOR_ANY_DEVICE, 1);
    add(&tasks, 2, EVALUATOR_ANY_DEVICE, 2);
    CU_ASSERT_EQUAL(team_tasks_lose(&tasks, 1, true), 1);
    struct task *task = team_tasks_first(&tasks, TASK_WAITING);
    CU_ASSERT_EQUAL_FATAL(team_tasks_give(&tasks, task, 1, NULL), 0);
    CU_ASSERT_EQUAL(team_tasks_lose(&tasks, 1, false), 1); /* the loss has another cause */
    task = team_tasks_first(&tasks, TASK_WAITING);
    CU_ASSERT_EQUAL_FATAL(task->index, 1);
    CU_ASSERT_EQUAL_FATAL(team_tasks_give(&tasks, task, 2, NULL), 0);
    CU_ASSERT_EQUAL(team_tasks_lose(&tasks, 2, true), 2);
    CU_ASSERT_EQUAL(team_tasks_first(&tasks, TASK_WAITING)->index, 2);
    task = team_tasks_first(&tasks, TASK_DONE);
    CU_ASSERT_EQUAL_FATAL(task->index, 1);
    CU_ASSERT_EQUAL(task->measurement.status, STATUS_CRASHED);
    CU_ASSERT_STRING_EQUAL(task->measurement.message, "2 ranks were lost while they evaluated it");
    CU_ASSERT_EQUAL(team_tasks_lose(&tasks, 1, true), 0);
    team_tasks_free(&tasks);
}

CU_TestInfo tests_team_tasks[] = {
    {"the oldest goes first", order},
    {"lists are in order", lists},
    {"answers find their tasks", matching},
    {"losses are counted", losses},
    CU_TEST_INFO_NULL,
};
