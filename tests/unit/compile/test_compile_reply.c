#include "compile/compile_reply.h"

#include <string.h>

#include <CUnit/Basic.h>

/* Only a compiled kernel has code, a name and resources. */
static void results(void)
{
    static const struct {
        enum status status;
        bool cached;
        char *log;
        int64_t compile_ns;
    } rows[] = {{STATUS_OK, true, "a warning", 7},
                {STATUS_OK, false, NULL, 0},
                {STATUS_COMPILE_ERROR, true, "an error", 5},
                {STATUS_PRUNED_LIMIT, false, "too much", 3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char cubin[] = "code";
        const struct compile_reply reply = {.status = rows[i].status,
                                            .message = "why",
                                            .cached = rows[i].cached,
                                            .log = rows[i].log,
                                            .cubin = cubin,
                                            .cubin_bytes = 4,
                                            .lowered_names = "_Z1k\0_Z1f",
                                            .resources = {{.registers = 40}, {.registers = 50}},
                                            .name_count = 2};
        const struct compile_result result = compile_result_of(&reply, rows[i].compile_ns);
        bool good = rows[i].status == STATUS_OK;
        CU_ASSERT_EQUAL(result.status, rows[i].status);
        CU_ASSERT_STRING_EQUAL(result.message, "why");
        CU_ASSERT_STRING_EQUAL(result.log, rows[i].log ? rows[i].log : "");
        CU_ASSERT_EQUAL(result.cached, rows[i].cached);
        CU_ASSERT_EQUAL(result.compile_ns, rows[i].compile_ns);
        CU_ASSERT_PTR_EQUAL(result.cubin, good ? cubin : NULL);
        CU_ASSERT_EQUAL(result.cubin_bytes, good ? 4 : 0);
        CU_ASSERT_EQUAL(result.name_count, good ? 2 : 0);
        CU_ASSERT_STRING_EQUAL(result.lowered_names, good ? "_Z1k" : "");
        CU_ASSERT_EQUAL(result.resources[0].registers, good ? 40 : 0);
        CU_ASSERT_EQUAL(result.resources[1].registers, good ? 50 : 0);
    }
}

CU_TestInfo tests_compile_reply[] = {{"results", results}, CU_TEST_INFO_NULL};
