/* The request to a compiler command. */
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "../language/support.h"
#include "evaluate/command_request.h"

static void request(void)
{
    static const struct {
        const char *statements;
        int64_t cc;
        const char *request;
    } rows[] = {
        {"param T = 1, 2\nparam MODE = fast, slow\nargs a, out, int N, float 0.5\nblock T\ngrid 1\n", 90,
         "{\"architecture\":\"sm_90a\",\"params\":{\"T\":2,\"MODE\":\"fast\"},\"sizes\":{\"N\":6},\"defines\":{},"
         "\"options\":[],"
         "\"kernels\":[{\"name\":\"k\",\"defines\":{},\"arguments\":["
         "{\"name\":\"a\",\"kind\":\"buffer\",\"type\":\"half\",\"alignment\":256,\"extents\":[2,3],\"strides\":[3,1]},"
         "{\"name\":\"out\",\"kind\":\"buffer\",\"type\":\"float\",\"alignment\":256,\"extents\":[6],\"strides\":[1]},"
         "{\"name\":\"N\",\"kind\":\"scalar\",\"type\":\"int\",\"value\":6},"
         "{\"name\":\"0.5\",\"kind\":\"scalar\",\"type\":\"float\",\"value\":0.5}]}]}"},
        {"param T = 1, 2\nparam MODE = fast, slow\ndefine HALF = T / 4.0\ndefine N\noption \"-O2\"\noption \"--tile=\" "
         "T\n"
         "launch k args out, out, struct { a }, null, long 9007199254740993 block 1 grid 1 define PASS = T + 1\n"
         "launch other args out block 1 grid 1 when MODE == fast\n",
         89,
         "{\"architecture\":\"sm_89\",\"params\":{\"T\":2,\"MODE\":\"fast\"},\"sizes\":{\"N\":6},\"defines\":{\"HALF\":"
         "0.5,\"N\":6},"
         "\"options\":[\"-O2\",\"--tile=2\"],\"kernels\":[{\"name\":\"k\",\"defines\":{\"PASS\":3},\"arguments\":["
         "{\"name\":\"out\",\"kind\":\"buffer\",\"type\":\"float\",\"alignment\":256,\"extents\":[6],\"strides\":[1]},"
         "{\"name\":\"out#2\",\"kind\":\"buffer\",\"type\":\"float\",\"alignment\":256,\"extents\":[6],\"strides\":[1]}"
         ","
         "{\"name\":\"#3\",\"kind\":\"struct\",\"bytes\":8},{\"name\":\"#4\",\"kind\":\"null\"},"
         "{\"name\":\"9007199254740993\",\"kind\":\"scalar\",\"type\":\"long\",\"value\":9007199254740993}]},"
         "{\"name\":\"other\",\"defines\":{},\"arguments\":["
         "{\"name\":\"out\",\"kind\":\"buffer\",\"type\":\"float\",\"alignment\":256,\"extents\":[6],\"strides\":[1]}]}"
         "]}"},
        /* Launches of `other` pass several maps, and the second configuration has no map `absent`. */
        {"param T = 1, 2\nparam MODE = fast, slow\n"
         "tensor_map m over a size 4, 3, 1 stride 16, 48 box 4, 2, 1 swizzle 32\n"
         "tensor_map absent over a size 3, 2 box 3, 2 when T == 1\n"
         "launch k args out, m, absent block 1 grid 1\nlaunch other args out, m block 1 grid 1\n"
         "launch other args out, absent block 1 grid 1\n",
         90,
         "{\"architecture\":\"sm_90a\",\"params\":{\"T\":2,\"MODE\":\"fast\"},\"sizes\":{\"N\":6},\"defines\":{},"
         "\"options\":[],"
         "\"kernels\":[{\"name\":\"k\",\"defines\":{},\"arguments\":["
         "{\"name\":\"out\",\"kind\":\"buffer\",\"type\":\"float\",\"alignment\":256,\"extents\":[6],\"strides\":[1]},"
         "{\"name\":\"m\",\"kind\":\"tensor_map\",\"type\":\"half\",\"extents\":[1,3,4],\"strides\":[24,8,1],"
         "\"box\":[1,2,4],\"swizzle\":32},"
         "{\"name\":\"absent\",\"kind\":\"tensor_map\"}]},"
         "{\"name\":\"other\",\"defines\":{},\"arguments\":["
         "{\"name\":\"out\",\"kind\":\"buffer\",\"type\":\"float\",\"alignment\":256,\"extents\":[6],\"strides\":[1]},"
         "{\"name\":\"m\",\"kind\":\"tensor_map\",\"type\":\"half\"}]}]}"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[2048];
        const uint32_t choices[] = {1, 0};
        struct error error = {0};
        struct text found = {0};
        struct launch *launch = calloc(1, sizeof *launch);
        snprintf(text, sizeof text,
                 "space 2\nkernel k\ncompiler command \"c\"\nproblem N = 6\nbuffer a half[2, 3] zero\nbuffer out "
                 "float[N] output\n"
                 "reference default\n%s",
                 rows[i].statements);
        struct space *space = bound(text, NULL, NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(space);
        CU_ASSERT_PTR_NOT_NULL_FATAL(launch);
        CU_ASSERT_EQUAL(space_launch(space, choices, launch, &error), 0);
        CU_ASSERT_EQUAL(command_request(space, choices, launch, rows[i].cc, &found, &error), 0);
        expect_text("request", text_string(&found), rows[i].request);
        text_free(&found);
        free(launch);
        space_free(space);
    }
}

/* A job has a command only if the space has one. */
static void job(void)
{
    static const struct {
        const char *compiler, *line;
    } rows[] = {{"compiler command \"python3 w.py\"\n", "python3 w.py"}, {"", NULL}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[1024];
        const uint32_t choices[] = {0};
        struct error error = {0};
        struct text found = {0};
        struct compile_job job = {.cc = 80};
        struct launch *launch = calloc(1, sizeof *launch);
        snprintf(text, sizeof text,
                 "space 2\nkernel k%s\n%sparam T = 1\nbuffer out float[6] output\nargs out\nblock 1\ngrid 1\nreference "
                 "default\n",
                 *rows[i].compiler ? "" : " \"k.cu\"", rows[i].compiler);
        struct space *space = bound(text, "void k(float *out);", NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(space);
        CU_ASSERT_PTR_NOT_NULL_FATAL(launch);
        CU_ASSERT_EQUAL(space_launch(space, choices, launch, &error), 0);
        CU_ASSERT_EQUAL(command_job(space, choices, launch, "command 1", &found, &job, &error), 0);
        CU_ASSERT_EQUAL(job.command.line != NULL, rows[i].line != NULL);
        if (job.command.line && rows[i].line) {
            expect_text("command", job.command.line, rows[i].line);
            expect_text("identity", job.command.identity, "command 1");
            CU_ASSERT_PTR_NOT_NULL(strstr(job.command.request, "\"architecture\":\"sm_80\""));
        }
        text_free(&found);
        free(launch);
        space_free(space);
    }
}

CU_TestInfo tests_command_request[] = {{"request", request}, {"job", job}, CU_TEST_INFO_NULL};
