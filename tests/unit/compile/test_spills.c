/* Spills in an assembler's log. */
#include "pool_kit.h"

#include "compile/spills.h"

#define PROPERTIES(name) "ptxas info    : Function properties for " name "\n"

static void logs(void)
{
    static const struct {
        const char *log;
        bool known;
        struct kernel_spills spills;
    } rows[] = {
        {"", false, {0, 0}},
        {PROPERTIES("k") "ptxas         .     816 bytes stack frame, 16 bytes spill stores, 24 bytes spill loads\n",
         true,
         {16, 24}},
        {PROPERTIES("k") "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n", true, {0, 0}},
        {PROPERTIES("kk") "    0 bytes stack frame, 1 bytes spill stores, 2 bytes spill loads\n" PROPERTIES(
             "k") "    0 bytes stack frame, 3 bytes spill stores, 4 bytes spill loads\n",
         true,
         {3, 4}},
        {PROPERTIES("kk") "    0 bytes stack frame, 1 bytes spill stores, 2 bytes spill loads\n", false, {0, 0}},
        {PROPERTIES("k") "Used 4 registers\n    0 bytes stack frame, 1 bytes spill stores, 2 bytes spill loads\n",
         false,
         {0, 0}},
        {PROPERTIES("k") "    0 bytes stack frame, many bytes spill stores\n", false, {0, 0}},
        {PROPERTIES("k"), false, {0, 0}},
        {"Function properties for k", false, {0, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct kernel_spills spills = {0, 0};
        CU_ASSERT_EQUAL(spills_read(rows[i].log, "k", &spills), rows[i].known);
        CU_ASSERT_EQUAL(spills.store_bytes, rows[i].spills.store_bytes);
        CU_ASSERT_EQUAL(spills.load_bytes, rows[i].spills.load_bytes);
    }
}

/* The installed assembler writes such a log. */
static void assembler(void)
{
    static const char source[] = "extern \"C\" __global__ void k(float *o) {\n  float a[64];\n#pragma unroll\n"
                                 "  for (int i = 0; i < 64; i++) a[i] = o[i * 3];\n  __syncthreads();\n#pragma unroll\n"
                                 "  for (int i = 0; i < 64; i++) o[i] = a[63 - i] * a[i] + a[(i * 7) & 63]; }\n";
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    struct compile_job job = job_of(source, "k");
    struct kernel_spills spills = {-1, -1};
    job.options = SPILLS_OPTION;
    job.option_count = 1;
    struct compile_result result = compile_one(pool, &job);
    CU_ASSERT(spills_read(result.log, "k", &spills));
    CU_ASSERT_EQUAL(spills.store_bytes, 0);
    job.options = SPILLS_OPTION "\0--maxrregcount=24";
    job.option_count = 2;
    result = compile_one(pool, &job);
    CU_ASSERT(spills_read(result.log, "k", &spills));
    CU_ASSERT(spills.store_bytes > 0 && spills.load_bytes >= spills.store_bytes);
    compile_pool_close(pool);
}

CU_TestInfo tests_spills[] = {{"logs", logs}, {"assembler", assembler}, CU_TEST_INFO_NULL};
