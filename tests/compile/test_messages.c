/* What compiler processes are asked and answer. */
#include "../base/pack_check.h"
#include "compile/messages.h"

static void messages_travel(void)
{
    static const struct pack_left_out job_left[] = {LEFT_OUT(struct compile_job, id),
                                                    LEFT_OUT(struct compile_job, timeout_ns)},
                                      result_id[] = {LEFT_OUT(struct compile_result, id)};
    const struct compile_job job = {.path = "k.cu",
                                    .source = "source",
                                    .name_expression = "k<T>",
                                    .cc = -90,
                                    .options = "-DA=1\0-DB\0",
                                    .option_count = 3};
    const struct compile_result result = {.status = STATUS_PRUNED_LIMIT,
                                          .cubin = "\177ELF",
                                          .cubin_bytes = 4,
                                          .lowered_name = "_Zk",
                                          .resources = {1, 2, 3, 4, 5},
                                          .log = "a log",
                                          .message = "why",
                                          .compile_ns = 12345678901,
                                          .cached = true};
    const struct nvrtc_version version = {"13.0", "0123456789abcdef"};
    expect_complete("compile_job", &compile_job_table, job_left, 2);
    expect_travels("compile_job", &compile_job_table, &job);
    expect_complete("compile_result", &compile_result_table, result_id, 1);
    expect_travels("compile_result", &compile_result_table, &result);
    expect_complete("nvrtc_version", &nvrtc_version_table, NULL, 0);
    expect_travels("nvrtc_version", &nvrtc_version_table, &version);
}

CU_TestInfo tests_messages[] = {{"messages travel", messages_travel}, CU_TEST_INFO_NULL};
