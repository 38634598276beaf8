/* The requests to compiler processes and their answers. */
#include "../base/pack_check.h"
#include "compile/messages.h"

#include <signal.h>

static void messages_travel(void)
{
    static const struct pack_left_out job_left[] = {LEFT_OUT(struct compile_job, id),
                                                    LEFT_OUT(struct compile_job, timeout_ns)},
                                      result_id[] = {LEFT_OUT(struct compile_result, id)};
    const struct compile_job job = {.path = "x/k.cu",
                                    .folder = "x/",
                                    .source = "source",
                                    .generator = {"echo", "x/.", "A=1\0B=2", 2},
                                    .name_expressions = "k<T>\0f",
                                    .name_count = 2,
                                    .cc = -90,
                                    .wants_ptx = true,
                                    .options = "-DA=1\0-DB\0",
                                    .option_count = 3,
                                    .command = {"python3 k.py", "x/", "command 1234", "{}"}};
    const struct compile_result result = {
        .status = STATUS_PRUNED_LIMIT,
        .cubin = "\177ELF",
        .cubin_bytes = 4,
        .lowered_names = "_Zk\0_Zf",
        .resources = {{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}},
        .name_count = 2,
        .answers = {{{128, 2, 1}, {4}, {2, 1, 1}, -1, 1, 0, 1, 2}},
        .answer_count = 1,
        .parameters = {{.kind = ANSWER_STRIDE, .argument = 3, .dimension = 1, .bytes = 8},
                       {.kind = ANSWER_SCRATCH, .scratch_bytes = (uint64_t)1 << 40, .alignment = 256},
                       {.kind = ANSWER_VALUE, .bytes = 8, .value = -3},
                       {.kind = ANSWER_MAP, .box = {8, 64}, .swizzle = 128}},
        .parameter_count = 4,
        .fatal = true,
        .ptx = ".version 9.0",
        .log = "a log",
        .message = "why",
        .compile_ns = 12345678901,
        .cached = true};
    const struct nvrtc_version version = {"13.0", "0123456789abcdef"};
    const struct command_notice notice = {(uint64_t)1 << 40};
    expect_complete("compile_job", &compile_job_table, job_left, 2);
    expect_travels("compile_job", &compile_job_table, &job);
    expect_complete("compile_result", &compile_result_table, result_id, 1);
    expect_travels("compile_result", &compile_result_table, &result);
    expect_complete("nvrtc_version", &nvrtc_version_table, NULL, 0);
    expect_travels("nvrtc_version", &nvrtc_version_table, &version);
    expect_complete("command_notice", &command_notice_table, NULL, 0);
    expect_travels("command_notice", &command_notice_table, &notice);
}

/* A process of another version is an error that names the cause, and not a failure of the kernel. */
static void another_version_ends_the_pool(void)
{
    struct compile_pool *pool = NULL;
    struct compile_result result;
    struct worker *worker;
    struct error error = {0};
    const struct compile_job job = {
        .path = "k.cu", .source = "", .name_expressions = "k", .name_count = 1, .cc = 90, .options = ""};
    CU_ASSERT_EQUAL_FATAL(compile_pool_open(&pool, 1, INT64_MAX, NULL, &error), 0);
    CU_ASSERT_EQUAL_FATAL(compile_pool_submit(pool, &job, &error), 0);
    CU_ASSERT_EQUAL_FATAL(compile_pool_workers(pool, &worker, 1), 1);
    kill(worker->pid, SIGKILL);
    worker->channel.version = 7;
    int got;
    while ((got = compile_pool_next(pool, &result, &error)) == 0)
        worker_wait(&worker, 1, INT64_MAX);
    CU_ASSERT_EQUAL(got, -1);
    CU_ASSERT_EQUAL(error.code, ERROR_WORKER);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "the compiler process has messages of version 7, this program "));
    CU_ASSERT_EQUAL(compile_pool_idle(pool), 1);
    compile_pool_close(pool);
}

CU_TestInfo tests_messages[] = {{"messages travel", messages_travel},
                                {"another version ends the pool", another_version_ends_the_pool},
                                CU_TEST_INFO_NULL};
