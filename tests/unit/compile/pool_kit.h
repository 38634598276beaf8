/* A pool and its jobs. */
#ifndef CUTUNE_TESTS_COMPILE_POOL_KIT_H
#define CUTUNE_TESTS_COMPILE_POOL_KIT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compile_one.h"

static const int64_t second_ns = 1000000000;

#define KERNEL "extern \"C\" __global__ void k(float *o) { o[threadIdx.x] = 1; }\n"

static inline struct compile_pool *open_pool(size_t jobs, int64_t timeout_ns)
{
    struct compile_pool *pool = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(compile_pool_open(&pool, jobs, timeout_ns, NULL, &error), 0);
    return pool;
}

static inline struct compile_job job_of(const char *source, const char *name_expression)
{
    return (struct compile_job){.id = 7,
                                .path = "kernels.cu",
                                .source = source,
                                .name_expressions = name_expression,
                                .name_count = 1,
                                .cc = 90,
                                .options = ""};
}

static inline void expect_ok(struct compile_pool *pool, const struct compile_job *job)
{
    struct compile_result result = compile_one(pool, job);
    CU_ASSERT_EQUAL(result.status, STATUS_OK);
    if (result.status != STATUS_OK)
        fprintf(stderr, "%s\n%s\n", result.message, result.log);
}

#endif
