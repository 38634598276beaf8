/* Macros of the space that replace a #define of the source. */
#include "../scratch.h"
#include "space/space.h"
#include "support.h"

#define SPACE                                                                                                          \
    "space 2\nkernel k \"k.cu\"\nproblem N = 64\nparam TILE = 1, 2\nparam PAD = 0, 1\ndefine N\nhost TILE, PAD\n"      \
    "buffer out float[N] output\nargs out\nblock 32\ngrid 1\nreference k \"plain.cu\" block 32 grid 1\n"

/* One source, without includes. */
static void lines(void)
{
    static const struct {
        const char *names, *source, *text; /* text: for the compiler; NULL: an error */
        const char *replaced;              /* the first line, or what the error says */
        int line;
        size_t count;
    } rows[] = {
        {"TILE", "#define TILE 16\nint k;\n", "               \nint k;\n", "#define TILE 16", 1, 1},
        {"TILE", "int k;\n\n  # define TILE \\\n 16 /* a\nb */\nint l;",
         "int k;\n\n                 \n        \n    \nint l;", "# define TILE 16 /* a b */", 3, 1},
        {"N", "int k;\n#define N 1 // one", "int k;\n                  ", "#define N 1 // one", 2, 1},
        {"TILE", "int k;\n#ifdef X\n#define TILE 1\n#else\n#define TILE 2\n#endif\n",
         "int k;\n#ifdef X\n              \n#else\n              \n#endif\n", "#define TILE 1", 3, 2},
        {"TILE", "#undef TILE\n#define TILE 2\nint k;\n", "           \n              \nint k;\n", "#define TILE 2", 2,
         1},
        {"TILE", "#ifndef TILE\n#define TILE 1\n#endif\n#define TILE 2\nint k;\n",
         "#ifndef TILE\n#define TILE 1\n#endif\n              \nint k;\n", "#define TILE 2", 4, 1},
        {"TILE", "int k; // #define TILE 1\n#define TILE_ TILE\n#define TILE 3\n",
         "int k; // #define TILE 1\n#define TILE_ TILE\n              \n", "#define TILE 3", 3, 1},
        {"PAD, TILE", "int k;\n#define TILE 3\n#define PAD 4\n", "int k;\n              \n             \n",
         "#define PAD 4", 3, 1},
        {"TILE", "int k;\n", NULL, "no #define of 'TILE' to override in ", 13, 0},
        {"TILE", "#ifndef TILE\n#define TILE 1\n#endif\nint k;\n", NULL, "no #define of 'TILE' to override in ", 13, 0},
        {"TILE, PAD", "#define TILE 1\nint k;\n", NULL, "no #define of 'PAD' to override in ", 13, 0},
        {"TILE", "#define TILE 1\n#define PAD 1\nint k;\n", NULL, "'PAD' is a parameter, whose values", 2, 0},
        {"TILE", "#define TILE(x) 1\nint k;\n", NULL, "'TILE' is a parameter, whose values", 1, 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct space *space = NULL;
        struct error error = {0};
        struct space_overridden overridden = {0};
        char text[1024];
        snprintf(text, sizeof text, SPACE "override %s\n", rows[i].names);
        int code = space_parse_text(&space, "t.space", text, strlen(text), rows[i].source, &error);
        CU_ASSERT_EQUAL(code, rows[i].text ? 0 : ERROR_DATA);
        CU_ASSERT_EQUAL(error.line, rows[i].text ? 0 : rows[i].line);
        if (!rows[i].text && !strstr(error.message, rows[i].replaced))
            expect_text(rows[i].source, error.message, rows[i].replaced);
        if (code)
            continue;
        expect_text(rows[i].source, space->source, rows[i].text ? rows[i].text : "");
        CU_ASSERT_EQUAL(space->source_length, strlen(space->source));
        CU_ASSERT_TRUE_FATAL(space_overridden(space, 0, &overridden));
        expect_text(rows[i].source, overridden.text, rows[i].replaced);
        expect_text(rows[i].source, overridden.path, "k.cu");
        CU_ASSERT_EQUAL(overridden.line, rows[i].line);
        CU_ASSERT_EQUAL(overridden.count, rows[i].count);
        CU_ASSERT_EQUAL(space_overridden(space, 1, &overridden), strchr(rows[i].names, ',') != NULL);
        space_free(space);
    }
}

/* A file with the line, and those that include it, replace the directives; all others stay includes. */
static void included(void)
{
    static const struct {
        const char *source, *a, *b, *plain; /* k.cu, sub/a.h, b.h and the reference's file */
        const char *text;                   /* NULL: an error */
        const char *why;
        int line;
    } rows[] = {
        {"#include \"sub/a.h\"\nint k;\n", "int a;\n#define TILE 3\n", "int b;\n", "#define TILE 5\n",
         "\n#line 1 \"sub/a.h\"\nint a;\n              \n\n#line 2 \"k.cu\"\nint k;\n", NULL, 0},
        {"#include \"sub/a.h\"\n#include \"b.h\"\nint k;\n", "#include \"../b.h\"\nint a;\n",
         "#pragma once\n#define TILE 3\n", "int p;\n",
         "\n#line 1 \"sub/a.h\"\n"
         "\n#ifndef CUTUNE_ONCE_2\n#define CUTUNE_ONCE_2\n#line 1 \"sub/../b.h\"\n\n              \n\n#endif"
         "\n#line 2 \"sub/a.h\"\nint a;\n"
         "\n#line 2 \"k.cu\"\n"
         "\n#ifndef CUTUNE_ONCE_2\n#define CUTUNE_ONCE_2\n#line 1 \"sub/../b.h\"\n\n              \n\n#endif"
         "\n#line 3 \"k.cu\"\nint k;\n",
         NULL, 0},
        {"#include \"sub/a.h\"\nint k;\n", "#include \"../b.h\" // b\n#include \"gone.h\"\n#define TILE 3\n",
         "int b;\n", "int p;\n",
         "\n#line 1 \"sub/a.h\"\n#include \"sub/../b.h\" // b\n#include \"gone.h\"\n              \n\n#line 2 "
         "\"k.cu\"\nint k;\n",
         NULL, 0},
        {"#include \"b.h\"\n#define TILE 2\nint k;\n", "", "#ifdef X\n#include \"k.cu\"\n#endif\nint b;\n", "int p;\n",
         "\n#line 1 \"b.h\"\n#ifdef X\n#include \"k.cu\"\n#endif\nint b;\n\n#line 2 \"k.cu\"\n              \nint k;\n",
         NULL, 0},
        {"#include \"b.h\"\nint k;\n", "", "int b;\n", "#define TILE 5\n", NULL, "no #define of 'TILE'", 13},
    };
    const struct scratch scratch = scratch_open("t.space");
    char before[HASH_HEX_BYTES] = "";
    CU_ASSERT_EQUAL_FATAL(file_make_folder(path_inside(scratch.folder, "sub"), NULL), 0);
    scratch_write(&scratch, SPACE "override TILE\n");
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct space *space = NULL;
        struct error error = {0};
        write_inside(scratch.folder, "k.cu", rows[i].source);
        write_inside(scratch.folder, "sub/a.h", rows[i].a);
        write_inside(scratch.folder, "b.h", rows[i].b);
        write_inside(scratch.folder, "plain.cu", rows[i].plain);
        int code = space_parse(&space, scratch.path, &error);
        CU_ASSERT_EQUAL(code, rows[i].text ? 0 : ERROR_DATA);
        CU_ASSERT_EQUAL(error.line, rows[i].line);
        if (code) {
            if (!rows[i].why || !strstr(error.message, rows[i].why))
                expect_text("why", error.message, rows[i].why ? rows[i].why : "");
            continue;
        }
        expect_text(rows[i].source, space->source, rows[i].text ? rows[i].text : "");
        expect_text("reference", space->reference->file->source, rows[i].plain);
        CU_ASSERT_STRING_NOT_EQUAL(space->source_hash, before);
        strcpy(before, space->source_hash);
        space_free(space);
    }
    scratch_close(&scratch);
}

/* The value of the replaced line is a part of the fingerprint, and so is the statement. */
static void identity(void)
{
    const struct scratch scratch = scratch_open("t.space");
    char hashes[2][HASH_HEX_BYTES], texts[2][HASH_HEX_BYTES];
    write_inside(scratch.folder, "plain.cu", "int k;\n");
    for (int i = 0; i < 2; i++) {
        struct space *space = NULL;
        write_inside(scratch.folder, "k.cu", i ? "#define TILE 17\nint k;\n" : "#define TILE 16\nint k;\n");
        scratch_write(&scratch, i ? SPACE "override TILE\n" : SPACE "override  TILE\n");
        CU_ASSERT_EQUAL_FATAL(space_parse(&space, scratch.path, NULL), 0);
        strcpy(hashes[i], space->source_hash);
        strcpy(texts[i], space->text_hash);
        expect_text("text", space->source, "               \nint k;\n");
        space_free(space);
    }
    CU_ASSERT_STRING_NOT_EQUAL(hashes[0], hashes[1]);
    CU_ASSERT_STRING_NOT_EQUAL(texts[0], texts[1]);
    scratch_close(&scratch);
}

/* The source does not contain a file of an option. */
static void option(void)
{
    const struct scratch scratch = scratch_open("t.space");
    struct space *space = NULL;
    struct error error = {0};
    write_inside(scratch.folder, "plain.cu", "int k;\n");
    write_inside(scratch.folder, "k.cu", "int k;\n");
    write_inside(scratch.folder, "first.h", "#define TILE 1\n");
    scratch_write(&scratch, SPACE "override TILE\noption \"--pre-include=first.h\"\n");
    CU_ASSERT_EQUAL(space_parse(&space, scratch.path, &error), ERROR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "first.h has a #define to override, but an option includes it"));
    space_free(space);
    scratch_close(&scratch);
}

CU_TestInfo tests_override[] = {{"lines", lines},
                                {"included files", included},
                                {"identity", identity},
                                {"a file of an option", option},
                                CU_TEST_INFO_NULL};
