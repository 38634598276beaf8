/* Notes on unused declarations. */
#include "support.h"

/* Notes of a space whose statements begin in line 4, of a source with kernel k and reference r. */
static void notes(void)
{
    static const struct {
        const char *statements, *source, *notes;
    } rows[] = {
        /* let and problem */
        {"let T = A + 1", "", "t.space:4: no statement uses 'let T'; `define T` makes it a macro of k.cu|"},
        {"let T = A + 1\nshared T", "", ""},
        {"let T = A + 1\nrequire T < 9", "", ""},
        {"let T = A + 1\nlet U = T", "", "t.space:5: no statement uses 'let U'; `define U` makes it a macro of k.cu|"},
        {"let T = A + 1\ndefine T", "int t = T;", ""},
        {"problem M = 3", "", "t.space:4: no statement uses 'problem M'; `define M` makes it a macro of k.cu|"},
        {"problem M = 3\nproblem L = M\nbytes L", "", ""},
        {"problem M = 3\noption \"-DM=\" M", "int m = M;", ""},
        {"problem M = 3\nwork M", "", ""},
        /* define */
        {"define X = 3", "int a = Y;", "t.space:4: k.cu does not use the macro 'X'|"},
        {"define WIDTH = 3", "int x = WIDHT;",
         "t.space:4: k.cu does not use the macro 'WIDTH'; did you mean 'WIDHT'?|"},
        {"define WIDTH = 3", "int a = WIDE, b = WIDHT, c = WEIGHT;",
         "t.space:4: k.cu does not use the macro 'WIDTH'; did you mean 'WIDHT'?|"},
        {"define X = 3", "// X\n/* X */ char a[] = \"X\", b = 'X';", "t.space:4: k.cu does not use the macro 'X'|"},
        {"define X = 3", "#ifdef X\n#endif\n", ""},
        {"define X = 3", "#if 0\nint x = X;\n#endif\n", ""},
        {"define X = 3", "_Pragma(\"unroll X\") for (;;);", ""},
        {"define X = 3\ndefine Y = X", "int y = Y;", "t.space:4: k.cu does not use the macro 'X'|"},
        {"problem X = 3\ndefine X", "", "t.space:5: k.cu does not use the macro 'X'|"},
        /* options */
        {"option \"-DX=\" A", "int x = X;", ""},
        {"option \"-DX=\" A", "", "t.space:4: k.cu does not use the macro 'X'|"},
        {"option \"-DX\"", "int XX;", "t.space:4: k.cu does not use the macro 'X'|"},
        {"option \"-DFAST=3\"", "int f = FASTER;",
         "t.space:4: k.cu does not use the macro 'FAST'; did you mean 'FASTER'?|"},
        {"option \"-DF(x)=x\"", "int f = F(3);", ""},
        {"option \"-D\"\noption \"X=\" A", "", "t.space:5: k.cu does not use the macro 'X'|"},
        {"option \"--define-macro=X=3\"", "", "t.space:4: k.cu does not use the macro 'X'|"},
        {"option \"-lineinfo\"", "", ""},
        /* nvcc's own headers may use a macro */
        {"compiler nvcc \"-DNO_ERRORS=1 -DFAST\"", "int f = FASTER;",
         "t.space:4: k.cu does not use the macro 'FAST'; did you mean 'FASTER'?|"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[1024], source[256];
        struct space *space = NULL;
        struct error error = {0};
        struct text notes = {0};
        snprintf(text, sizeof text,
                 "space 2\nkernel k \"k.cu\"\nparam A = 1, 2\n%s\nbuffer out int[8] output\nargs out, int A\n"
                 "block 1\ngrid 1\nreference r block 1 grid 1\n",
                 rows[i].statements);
        snprintf(source, sizeof source, "%s\nint k, r = A;", rows[i].source);
        CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", text, strlen(text), source, &error), 0);
        size_t count = space_unused(space, &notes), found = 0;
        for (size_t at = 0; at < notes.length; at++)
            if (notes.bytes[at] == '\0') {
                notes.bytes[at] = '|';
                found++;
            }
        CU_ASSERT_EQUAL(count, found);
        expect_text(rows[i].statements, text_string(&notes), rows[i].notes);
        text_free(&notes);
        space_free(space);
    }
}

/* A command gets the problem sizes in its environment. */
static void command(void)
{
    struct text notes = {0};
    struct space *space = parsed("space 2\nkernel k \"k.cu\"\nproblem M = 3\nparam A = 1\nbuffer out int[8] output\n"
                                 "args out\nblock 1\ngrid 1\nreference command \"true\"\n",
                                 "int k;");
    CU_ASSERT_EQUAL(space_unused(space, &notes), 0);
    text_free(&notes);
    space_free(space);
}

/* Without a kernel there is no source for a macro. */
static void no_kernel(void)
{
    struct text notes = {0};
    struct space *space = parsed("space 2\nparam A = 1, 2\nproblem M = 3\n", NULL);
    CU_ASSERT_EQUAL(space_unused(space, &notes), 1);
    expect_text("no kernel", text_string(&notes), "test.space:3: no statement uses 'problem M'");
    text_free(&notes);
    space_free(space);
}

CU_TestInfo tests_unused[] = {{"notes", notes}, {"command", command}, {"no kernel", no_kernel}, CU_TEST_INFO_NULL};
