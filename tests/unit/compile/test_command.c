/* Compiler commands: what their workers answer, and what becomes of those that fail. */
#include "command_kit.h"

#include "compile/cubin.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void a_command_compiles(void)
{
    struct compile_cache folder = new_files();
    struct compile_pool *pool = open_pool(1, 20 * second_ns);
    struct nvrtc_version version = {0};
    const struct compile_job job = command_job(
        WORKER "--file k.cubin --at-request 'print 100' --expect '\"params\":{\"T\":1,\"U\":2}' "
               "--answer '{\"id\": ID, \"kernels\": [{\"entry\": \"k\", \"block\": [128], \"shared\": 16, \"grid\": "
               "[4, 2], \"cluster\": [2], \"cooperative\": true, \"parameters\": [\"o\", {\"extent\": \"o\", "
               "\"dimension\": 1, \"type\": \"int\"}, {\"null\": 8}, {\"scratch\": 4096, \"alignment\": 128}]}]}'",
        folder.folder, &version);
    CU_ASSERT_STRING_EQUAL(version.number, "stand-in 1.0");
    CU_ASSERT(compile_command_is_build(version.build));
    for (int turn = 0; turn < 2; turn++) {
        const struct compile_result result = compile_one(pool, &job);
        CU_ASSERT_EQUAL(result.status, STATUS_OK);
        CU_ASSERT_STRING_EQUAL(result.message, "");
        if (result.status != STATUS_OK)
            break;
        CU_ASSERT_STRING_EQUAL(result.lowered_names, "k");
        CU_ASSERT(result.resources[0].registers > 0);
        CU_ASSERT_EQUAL(result.answer_count, 1);
        CU_ASSERT_EQUAL(result.answers[0].block[0], 128);
        CU_ASSERT_EQUAL(result.answers[0].block[2], 1);
        CU_ASSERT_EQUAL(result.answers[0].divisor[1], 2);
        CU_ASSERT_EQUAL(result.answers[0].cluster[0], 2);
        CU_ASSERT_EQUAL(result.answers[0].shared_bytes, 16);
        CU_ASSERT_EQUAL(result.answers[0].cooperative, 1);
        CU_ASSERT_EQUAL(result.answers[0].programmatic, 0);
        CU_ASSERT_EQUAL(result.answers[0].lists, 1);
        CU_ASSERT_EQUAL_FATAL(result.parameter_count, 4);
        CU_ASSERT_EQUAL(result.parameters[1].kind, ANSWER_EXTENT);
        CU_ASSERT_EQUAL(result.parameters[1].dimension, 1);
        CU_ASSERT_EQUAL(result.parameters[1].bytes, 4);
        CU_ASSERT_EQUAL(result.parameters[2].bytes, 8);
        CU_ASSERT_EQUAL(result.parameters[3].scratch_bytes, 4096);
        CU_ASSERT_PTR_NOT_NULL(strstr(result.log, "the end\n"));
    }
    compile_pool_close(pool);
    remove_folder(folder.folder);
}

CU_TestInfo tests_command[] = {{"a command compiles", a_command_compiles}, CU_TEST_INFO_NULL};
