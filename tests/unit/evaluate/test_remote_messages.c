#include "../base/pack_check.h"

#include "evaluate/remote_messages.h"

static void tables(void)
{
    const struct remote_job job = {.synthetic = true,
                                   .space_memory_bytes = 7,
                                   .folder = "/tmp",
                                   .space_path = "a.space",
                                   .replay = "",
                                   .space_text = "space 2\n",
                                   .space_length = 8,
                                   .conditions = "cache=cold",
                                   .part = "1/2",
                                   .defines = "N=1\0M=2",
                                   .define_count = 2,
                                   .sets = "",
                                   .configurations = "",
                                   .files = "0123456789abcdef 12 a.cu",
                                   .file_count = 1};
    const struct remote_part part = {.file = 1, .offset = 2, .total = 9, .length = 3, .bytes = "abc"};
    const struct remote_state state = {.capacity = {8, 3}, .usage = {.compilers = 2, .phase_ns = 5}};
    const struct remote_ready ready = {.version = "1", .devices = 2, .text_hash = "ab", .state = state};
    const struct remote_submit submit = {.index = 4, .device = UINT64_MAX, .exact = true};
    const struct remote_incumbent incumbent = {.device = 1, .value = 2.5};
    const struct remote_done done = {.index = 4,
                                     .device = 1,
                                     .original = 3,
                                     .measurement = measurement_unknown(STATUS_CRASHED),
                                     .log = "a log",
                                     .state = state};
#define CHECK(name)                                                                                                    \
    expect_complete(#name, &remote_##name##_table, NULL, 0);                                                           \
    expect_travels(#name, &remote_##name##_table, &name)
    CHECK(job);
    CHECK(part);
    CHECK(state);
    CHECK(ready);
    CHECK(submit);
    CHECK(incumbent);
    CHECK(done);
#undef CHECK
}

static void differences(void)
{
    const struct remote_ready first = {.version = "1.0",
                                       .limits = {.name = "A", .uuid = "GPU-1", .driver = "580.1", .cuda = 13000},
                                       .configurations = 10};
    struct remote_ready other = first;
    char why[200] = "";
    strcpy(other.limits.uuid, "GPU-2");
    other.devices = 4;
    CU_ASSERT_FALSE(remote_differs(&first, &other, why, sizeof why));

#define DIFFERS(change, text)                                                                                          \
    do {                                                                                                               \
        other = first;                                                                                                 \
        change;                                                                                                        \
        CU_ASSERT(remote_differs(&first, &other, why, sizeof why));                                                    \
        CU_ASSERT_STRING_EQUAL(why, text);                                                                             \
    } while (0)
    DIFFERS(strcpy(other.version, "0.9"), "it has cutune 0.9, the first rank 1.0");
    DIFFERS(strcpy(other.limits.name, "B"), "it has the device B, the first rank A");
    DIFFERS(strcpy(other.limits.driver, "570.2"), "it has driver 570.2, the first rank 580.1");
    DIFFERS(other.limits.cuda = 12080, "it has a driver of CUDA version 12080, the first rank 13000");
    DIFFERS(other.limits.cc = 7, "it has cc 7, the first rank 0");
    DIFFERS(other.limits.sm_count = 7, "it has sm_count 7, the first rank 0");
    DIFFERS(strcpy(other.compiler, "command 2"), "it has another compiler: its build is command 2, the first rank ");
    DIFFERS(strcpy(other.source_hash, "ff"), "it has other sources: their hash is ff, the first rank ");
    DIFFERS(other.configurations = 9, "it has another number of valid configurations, 9, the first rank 10");
#undef DIFFERS
}

CU_TestInfo tests_remote_messages[] = {
    {"messages travel", tables},
    {"what agents may not differ in", differences},
    CU_TEST_INFO_NULL,
};
