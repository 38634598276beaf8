#include "same.h"

#include "language/kernel_names.h"

static void symbols(void)
{
    static const struct {
        const char *kernel, *symbol;
    } rows[] = {{"f", "f"},
                {"f<int>", "f"},
                {"ns::f<3, float>", "f"},
                {"::f", "f"},
                {"(void (*)(int *))f", "f"},
                {"(void (*)(int *))ns::f", "f"},
                {"f(int)", "f"},
                {"<", ""},
                {"", ""}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *symbol;
        size_t length;
        kernel_symbol(rows[i].kernel, &symbol, &length);
        CU_ASSERT_EQUAL(length, strlen(rows[i].symbol));
        CU_ASSERT_EQUAL(memcmp(symbol, rows[i].symbol, length), 0);
    }
}

#define HEAD      "space 2\nparam BLOCK = 32\nbuffer out float[64] output\nargs out\nblock 32\ngrid 2\ntolerance 0\n"
#define REFERENCE "reference naive block 32 grid 2\n"

static void missing_kernels(void)
{
    static const struct {
        const char *file, *source, *message, *hint;
        int line, column;
    } rows[] = {
        {"kernel k \"k.cu\"\n" REFERENCE, "k naive", "", "", 0, 0},
        {"kernel k \"k.cu\"\n" REFERENCE, "k(); naives()", "'naive' does not occur in k.cu", "did you mean 'naives'?",
         9, 11},
        {"kernel k \"k.cu\"\n" REFERENCE, "naive", "'k' does not occur in k.cu",
         "expected there: __global__ void k(...)", 8, 8},
        {"kernel k \"k.cu\"\n" REFERENCE, "knaive naive", "'k' does not occur in k.cu",
         "expected there: __global__ void k(...)", 8, 8},
        {"kernel t<BLOCK> \"k.cu\"\n" REFERENCE, "t naive", "", "", 0, 0},
        {"kernel ns::t<BLOCK> \"k.cu\"\n" REFERENCE, "ns naive", "'t' does not occur in k.cu",
         "expected there: __global__ void t(...)", 8, 8},
        /* Macros may form the name. */
        {"kernel k \"k.cu\"\n" REFERENCE, "#define N(x) x##_\nnaive", "", "", 0, 0},
        {"kernel BLOCK \"k.cu\"\n" REFERENCE, "naive", "", "", 0, 0},
        {"kernel k \"k.cu\"\noption \"-DNAME=k\"\n" REFERENCE, "NAME naive", "", "", 0, 0},
        {"kernel k \"k.cu\"\ndefault BLOCK=32\nreference default\n", "k", "", "", 0, 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct space *space = NULL;
        struct error error = {0};
        char file[512];
        snprintf(file, sizeof file, HEAD "%s", rows[i].file);
        CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "k.space", file, strlen(file), rows[i].source, &error), 0);
        CU_ASSERT_EQUAL(space_check_kernels(space, &error), *rows[i].message ? ERROR_DATA : 0);
        expect_text("message", error.message, rows[i].message);
        expect_text("hint", error.hint, rows[i].hint);
        CU_ASSERT_EQUAL(error.line, rows[i].line);
        CU_ASSERT_EQUAL(error.column, rows[i].column);
        space_free(space);
    }
}

CU_TestInfo tests_kernel_names[] = {{"symbols", symbols}, {"missing kernels", missing_kernels}, CU_TEST_INFO_NULL};
