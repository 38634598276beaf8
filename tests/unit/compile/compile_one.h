/* Shared by the suites of this folder: compiles one job and returns its result. */
#ifndef CUTUNE_TESTS_COMPILE_ONE_H
#define CUTUNE_TESTS_COMPILE_ONE_H

#include <CUnit/Basic.h>

#include "base/clock.h"
#include "compile/pool.h"

/* Waits for a result as a coordinator does. The limit only ends a hanging test. */
static inline int next_result(struct compile_pool *pool, struct compile_result *result)
{
    struct worker *workers[POOL_JOBS_MAX];
    int64_t until_ns = clock_now_ns() + (int64_t)120 * 1000000000;
    struct error error = {0};
    int found;
    while ((found = compile_pool_next(pool, result, &error)) == 0 && clock_now_ns() < until_ns)
        worker_wait(workers, compile_pool_workers(pool, workers, POOL_JOBS_MAX), until_ns);
    return found;
}

static inline struct compile_result compile_one(struct compile_pool *pool, const struct compile_job *job)
{
    struct compile_result result = {0};
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(compile_pool_submit(pool, job, &error), 0);
    CU_ASSERT_EQUAL_FATAL(next_result(pool, &result), 1);
    CU_ASSERT_EQUAL(result.id, job->id);
    return result;
}

#endif
