#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "base/text.h"
#include "language/files.h"

static const char *const contents[][2] = {
    {"k.cu",
     "#include \"part.h\"\nextern \"C\" __global__ void k(float *out, float *in, float *want) { out[0] = in[0]; }\n"},
    {"part.h", "/* nothing */\n"},
    {"common.space", "param A = 1, 2\n"},
    {"s.space", "space 2\nkernel k \"k.cu\"\ninclude \"common.space\"\nproblem N = 4\n"
                "buffer in float[N] file(\"in.bin\")\nbuffer out float[N] output\nargs out, in, null\n"
                "block A\ngrid 1\nreference k block 1 grid 1\ndefault A=1\n"},
};

static int take(void *context, const char *path, struct error *error)
{
    (void)error;
    text_printf(context, "%s\n", path);
    return 0;
}

static int refuse(void *context, const char *path, struct error *error)
{
    ++*(int *)context;
    return error_set(error, ERROR_IO, "%s", path);
}

/* All files, each once, with paths as cutune opens them. */
static void all_files(void)
{
    char folder[] = "/tmp/cutune-files-XXXXXX", path[200], expected[1000];
    struct space *space = NULL;
    struct error error = {0};
    struct text found = {0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, contents[i][0]);
        FILE *file = fopen(path, "w");
        CU_ASSERT_PTR_NOT_NULL_FATAL(file);
        fputs(contents[i][1], file);
        fclose(file);
    }
    snprintf(path, sizeof path, "%s/s.space", folder);
    int code = space_parse(&space, path, &error);
    if (code)
        fprintf(stderr, "\n%s\n", error.message);
    CU_ASSERT_EQUAL_FATAL(code, 0);
    CU_ASSERT_EQUAL(space_each_file(space, take, &found, &error), 0);
    snprintf(expected, sizeof expected, "%s/common.space\n%s/k.cu\n%s/part.h\n%s/in.bin\n", folder, folder, folder,
             folder);
    CU_ASSERT_STRING_EQUAL(text_string(&found), expected);
    int calls = 0;
    CU_ASSERT_EQUAL(space_each_file(space, refuse, &calls, &error), ERROR_IO);
    CU_ASSERT_EQUAL(calls, 1);
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, contents[i][0]);
        unlink(path);
    }
    rmdir(folder);
    text_free(&found);
    space_free(space);
}

CU_TestInfo tests_files[] = {
    {"all files, each once", all_files},
    CU_TEST_INFO_NULL,
};
