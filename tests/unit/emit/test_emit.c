#include "rows.h"

static const struct emit_call calls[] = {
    {{"AB|N=1|T=1|T=2|3", "BC|N=1|T=5|T=2|2"}, "p", "b", ERROR_USAGE, "AB, BC"},
    {{"AB|N=1|T=1|T=2|3", "BC|N=1|T=5|T=2|2"}, "p", "x", ERROR_NOT_FOUND, "AB, BC"},
    {{"A|N=1|T=1|T=2|1"}, "1p", NULL, ERROR_USAGE, "'1p'"},
    {{"A|N=1|T=1|T=2|1"}, "", NULL, ERROR_USAGE, "''"},
    {{"A|N=1|T=1|T=2|1"}, "a-b", NULL, ERROR_USAGE, "'a-b'"},
    {{"A|N=1|T=1|T=2|1", "B|N=1|U=1|T=2|1"}, "p", NULL, ERROR_DATA, "'T=1' (A, N=1) and 'U=1' (B, N=1)"},
    {{"A|N=1|T=1|T=2|1", "B|N=1|T=1 U=1|T=2|1"}, "p", NULL, ERROR_DATA, "tune"},
    {{"A|N=1|T=1|T=2|1", "B|M=1|T=1|T=2|1"}, "p", NULL, ERROR_DATA, "problem sizes"},
    {{"A|N=1|T=1|U=2|1"}, "p", NULL, ERROR_DATA, "'U=2'"},
    {{"A|N=1|T=1||1"}, "p", NULL, ERROR_DATA, "no default"},
    {{"A|N=1|T=1 T=1|T=2|1"}, "p", NULL, ERROR_DATA, "two values"},
    {{"A|N=1|T|T=2|1"}, "p", NULL, ERROR_DATA, "'T'"},
    {{"A|N=1|=1|T=2|1"}, "p", NULL, ERROR_DATA, "'=1'"},
    {{"A|N=1|T=|T=2|1"}, "p", NULL, ERROR_DATA, "neither a number nor a word"},
    {{"A|N=1|T=a;b|T=2|1"}, "p", NULL, ERROR_DATA, "'a;b'"},
    {{"A|N=1|T=1e|T=2|1"}, "p", NULL, ERROR_DATA, "'1e'"},
    {{"A|N=1|T-U=1|T=2|1"}, "p", NULL, ERROR_DATA, "T-U"},
    {{"A|N=big|T=1|T=2|1"}, "p", NULL, ERROR_DATA, "not a number"},
    {{"A|N=1|TUNED_DEVICE=1|TUNED_DEVICE=1|1"}, "p", NULL, ERROR_DATA, "TUNED_DEVICE"},
    {{"A|N=1|_Bool=1|_Bool=1|1"}, "p", NULL, ERROR_DATA, "the parameter _Bool has a name reserved for the compiler"},
    {{"A|N=1|_A=1|_A=1|1"}, "p", NULL, ERROR_DATA, "_A "},
    {{"A|N=1|_Z=1|_Z=1|1"}, "p", NULL, ERROR_DATA, "_Z "},
    {{"A|N=1|T=1 __typeof__=1|T=1 __typeof__=1|1"}, "p", NULL, ERROR_DATA, "__typeof__"},
    {{"A|N=1|__attribute__=1|__attribute__=1|1"}, "p", NULL, ERROR_DATA, "__attribute__"},
    {{"A|N=1|__asm__=1|__asm__=1|1"}, "p", NULL, ERROR_DATA, "__asm__"},
    {{"A|N=9223372036854775808|T=1|T=2|1"}, "p", NULL, ERROR_DATA, "not a number"},
    {{"A|N=1|T=1|T=2|1", "A|N=9|T=5|T=2|1"}, "p", "N=-8", ERROR_USAGE, "'N=-8' is not NAME=NUMBER"},
    {{"A|NN=1|T=1|T=2|1"}, "p", "N=1", ERROR_USAGE, "'N=1'"},
    {{"A|N=1|T=1|T=2|1"}, "p", "NN=1", ERROR_USAGE, "'NN=1'"},
    {{"A|N=1|T=1|T=2|1"}, "p", "=1", ERROR_USAGE, "a row has the sizes N=1"},
    {{"A|N=1|T=1|T=2|1"}, "p", "N=", ERROR_USAGE, "'N='"},
};

static void emitting(void)
{
    EXPECT_CALLS(calls, "header");
}

static void wrong_devices(void)
{
    static const int64_t wrong[][3] = {{-1, 1, 1},    {90, -1, 1},       {90, 1, -1},      {90, (int64_t)1 << 31, 1},
                                       {10000, 1, 1}, {915000000, 1, 1}, {INT64_MAX, 1, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char copies[ROWS_MAX][256];
        static const char *const texts[ROWS_MAX] = {"A|N=1|T=1|T=2|1"};
        struct best rows[ROWS_MAX];
        const struct best *row = rows;
        struct emit_request request = {.kernel = "k", .prefix = "p", .format = "header"};
        struct text text = {0};
        make_rows(texts, copies, rows);
        rows[0].provenance.device.cc = wrong[i][0], rows[0].provenance.device.sm_count = wrong[i][1],
        rows[0].provenance.device.l2_bytes = wrong[i][2];
        CU_ASSERT_EQUAL(emit_write(&row, 1, NULL, 0, &request, &text, NULL), ERROR_DATA);
        text_free(&text);
    }
}

CU_TestInfo tests_emit[] = {{"what is refused", emitting}, {"devices that are none", wrong_devices}, CU_TEST_INFO_NULL};
