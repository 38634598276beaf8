#include "../scratch.h"
#include "space/space.h"
#include "support.h"

/* Own files of kernels: those compiled alone have macros of their own, those of launches belong to the kernel's source,
 * and the text of all is a part of the fingerprint. */
static void own_files(void)
{
    enum { PARAMETERS = 4 };
    static const struct {
        const char *source, *clear, *judge, *fill; /* files */
        bool in_source[PARAMETERS];                /* A, B, C and D */
        uint64_t in_judge, in_fill;                /* bits in the same order */
        const char *text, *why;                    /* for the compiler; why: error */
        int line, column;
    } rows[] = {
        {"int A, k;\n",
         "int B, clear;\n",
         "int C, judge;\n",
         "int D, fill;\n",
         {true, true, false, false},
         4,
         8,
         "int A, k;\n\n#include \"sub/clear.cu\"\n",
         NULL,
         0,
         0},
        {"#include \"sub/clear.cu\"\nint k;\n",
         "int A, clear;\n",
         "int A, judge;\n",
         "int A, fill;\n",
         {true, false, false, false},
         1,
         1,
         "#include \"sub/clear.cu\"\nint k;\n",
         NULL,
         0,
         0},
        {"int k;\n",
         "#include \"../a.h\"\nint clear;\n",
         "#include \"a.h\"\nint judge;\n",
         "#include \"a.h\"\n#include FILE\n",
         {true, true, false, false},
         3,
         15,
         "int k;\n\n#include \"sub/clear.cu\"\n",
         NULL,
         0,
         0},
        {"int k, clear, judge, fill;\n",
         "int x;\n",
         "int judges;\n",
         "int fill;\n",
         {false, false, false, false},
         0,
         0,
         NULL,
         "'judge' does not occur in ",
         15,
         8},
        {"int k, clear, judge, fill;\n",
         "int x;\n",
         "int judge;\n",
         "int fills;\n",
         {false, false, false, false},
         0,
         0,
         NULL,
         "'fill' does not occur in ",
         7,
         20},
        {"int k;\n",
         "#define B 3\nint clear;\n",
         "int judge;\n",
         "int fill;\n",
         {false, false, false, false},
         0,
         0,
         NULL,
         "'B' is a parameter, whose values this #define replaces",
         1,
         9},
    };
    char before[HASH_HEX_BYTES] = "";
    const struct scratch scratch = scratch_open("t.space");
    CU_ASSERT_EQUAL_FATAL(file_make_folder(path_inside(scratch.folder, "sub"), NULL), 0);
    write_inside(
        scratch.folder, "t.space",
        "space 2\nparam A = 1, 2\nparam B = 3\nparam C = 5, 6\nparam D = 4\nkernel k \"k.cu\"\n"
        "buffer i int[1] by fill \"fill.cu\"(int 3)\nbuffer o int[1] output\n"
        "buffer p int[1] output\nlaunch k args o block 1 grid 1\n"
        "launch clear \"sub/clear.cu\" args p block 1 grid 1\nlaunch clear \"sub/clear.cu\" args p block 1 grid 1\n"
        "reference k args o block 1 grid 1\nhost A, C\n"
        "accept judge \"judge.cu\" args p block 1 grid 1\n");
    write_inside(scratch.folder, "a.h", "int A, B;\n");
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct space *space = NULL;
        struct error error = {0};
        write_inside(scratch.folder, "k.cu", rows[i].source);
        write_inside(scratch.folder, "sub/clear.cu", rows[i].clear);
        write_inside(scratch.folder, "judge.cu", rows[i].judge);
        write_inside(scratch.folder, "fill.cu", rows[i].fill);
        int code = space_parse(&space, path_inside(scratch.folder, "t.space"), &error);
        CU_ASSERT_EQUAL(code, rows[i].why ? (int)error.code : 0);
        CU_ASSERT_EQUAL(error.line, rows[i].line);
        CU_ASSERT_EQUAL(error.column, rows[i].column);
        if (rows[i].why && !strstr(error.message, rows[i].why))
            expect_text("why", error.message, rows[i].why);
        if (code)
            continue;
        for (size_t p = 0; p < PARAMETERS; p++)
            CU_ASSERT_EQUAL(space->parameters[p].in_source, rows[i].in_source[p]);
        CU_ASSERT_EQUAL(space->accept->step.file->parameters, rows[i].in_judge);
        CU_ASSERT_EQUAL(space->buffers[0].by->step.file->parameters, rows[i].in_fill);
        expect_text("text", space->source, rows[i].text);
        expect_text("source of a launch", space_step_source(space, &space->steps[1]), rows[i].text);
        expect_text("source of the accept kernel", space_step_source(space, &space->accept->step), rows[i].judge);
        expect_text("file of the fill", space_step_path(space, &space->buffers[0].by->step),
                    path_inside(scratch.folder, "fill.cu"));
        CU_ASSERT_STRING_NOT_EQUAL(space->source_hash, before);
        strcpy(before, space->source_hash);
        CU_ASSERT_EQUAL(space_check_kernels(space, &error), 0);
        space_free(space);
    }
    scratch_close(&scratch);
}

CU_TestInfo tests_kernel_file[] = {{"own files of kernels", own_files}, CU_TEST_INFO_NULL};
