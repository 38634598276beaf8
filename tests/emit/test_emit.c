#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "emit/emit.h"

enum { ROWS_MAX = 3 };

/* One call: rows as "device|problem|configuration|default|date". */
static const struct {
    const char *rows[ROWS_MAX];
    const char *prefix, *device;
    int code;
    const char *has; /* in the header, or in the error's message or hint; NULL: anything */
} calls[] = {
    {{"A|N=1|T=1|T=2|1"}, "p", NULL, 0, "#define P_T 1\n"},
    {{"A|N=1|T=1|T=2|1"}, "p", NULL, 0, "        {\"A\", 90, 132, 50LL, 1LL, 1500.5, 1},\n"},
    {{"A|N=1|T=1|T=2|1"}, "p", NULL, 0, "        {\"\", 0, 0, 0LL, 0LL, 0.0, 2}\n"},
    {{"A|N=1|T=1|T=2|1"}, "pQ_1", NULL, 0, "#ifndef PQ_1_TUNED_H\n"},
    {{"A||||1"}, "p", NULL, 0, "long long l2_bytes, int *rule)"},
    {{"A|N=1|T=1 U=x|T=2 U=y|1"}, "p", NULL, 0, "    int T;\n    const char *U;\n"},
    {{"A|N=1|T=1 U=x|U=y T=2|1"}, "p", NULL, 0, "0.0, 2, \"y\"}\n"},
    {{"A|N=1|T=1|T=2.5|1"}, "p", NULL, 0, "    double T;\n"},
    {{"A|N=1|T=1|T=2.5|1"}, "p", NULL, 0, "1500.5, 1.0},\n"},
    {{"A|N=1|T=1|T=auto|1"}, "p", NULL, 0, "    const char *T;\n"},
    {{"A|N=1|T=3000000000|T=1|1"}, "p", NULL, 0, "    long long T;\n"},
    {{"A|N=1|T=-9223372036854775808|T=-1|1"}, "p", NULL, 0, "(-9223372036854775807LL - 1)}"},
    {{"A|N=1|T=-2147483648|T=-1|1"}, "p", NULL, 0, "#define P_T (-2147483647 - 1)\n"},
    {{"A|N=1|T=-0.5|T=1|1"}, "p", NULL, 0, "#define P_T (-0.5)\n"},
    {{"A|N=1|T=010|T=08|1"}, "p", NULL, 0, "#define P_T 10\n"},
    {{"A|X=0.5|T=1|T=2|1"}, "p", NULL, 0, "double problem_X, int *rule)"},
    {{"A|N=1|int=1 class=2 device=3 int_=4|int=1 class=2 device=3 int_=4|1"},
     "p",
     NULL,
     0,
     "    int int_;\n    int class_;\n    int device_;\n    int int__;\n"},
    {{"A|N=1|problem_N=1|problem_N=2|1"}, "p", NULL, 0, "    int problem_N_;\n"},
    {{"a\"b\\?\?/|N=1|T=1|T=2|1"}, "p", NULL, 0, "#define P_TUNED_DEVICE \"a\\\"b\\\\\\?\\?/\"\n"},
    {{"a*/\n/*b|N=1|T=1|T=2|1"}, "p", NULL, 0, " *   a* /./ *b, N=1: "},
    {{"A|N=1|T=1|T=2|1", "B|N=1|T=5|T=2|2"}, "p", NULL, 0, "#define P_T 5\n"},
    {{"A|N=1|T=1|T=2|3", "B|N=1|T=5|T=2|2"}, "p", NULL, 0, "#define P_T 1\n"},
    {{"A|N=1|T=1|T=2|3", "B|N=1|T=5|T=2|2", "B|N=2|T=6|T=2|1"}, "p", "b", 0, "#define P_T 5\n"},
    {{"AB|N=1|T=1|T=2|3", "B|N=1|T=5|T=2|2"}, "p", "B", 0, "#define P_T 5\n"},
    {{"A|N=1|T=1|T=2|3", "B|N=1|T=5|T=7|2"}, "p", NULL, 0, "0.0, 2}\n"},
    {{"A|M=1 N=2|T=1 U=3|T=1 U=3|1", "B|N=1 M=2|U=5 T=6|U=7 T=8|2"}, "p", NULL, 0, "problem_N, long long problem_M, "},
    {{"A|M=1 N=2|T=1 U=3|T=1 U=3|1", "B|N=1 M=2|U=5 T=6|U=7 T=8|2"}, "p", NULL, 0, "2LL, 1LL, 1500.5, 3, 1},\n"},
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
    {{"A|N=big|T=1|T=2|1"}, "p", NULL, ERROR_DATA, "no number"},
    {{"A|N=1|TUNED_DEVICE=1|TUNED_DEVICE=1|1"}, "p", NULL, ERROR_DATA, "TUNED_DEVICE"},
    {{"A|N=1|struc=1 truct=2 nt=3 int=4|struc=1 truct=2 nt=3 int=4|1"}, /* parts of words are none */
     "p",
     NULL,
     0,
     "    int struc;\n    int truct;\n    int nt;\n    int int_;\n"},
    {{"A|N=1|_t=1 _1=2 a__b=3 _=4|_t=1 _1=2 a__b=3 _=4|1"},
     "p",
     NULL,
     0,
     "    int _t;\n    int _1;\n    int a__b;\n    int _;\n"},
    {{"A|N=1|_Bool=1|_Bool=1|1"}, "p", NULL, ERROR_DATA, "the parameter _Bool has a name that belongs to the compiler"},
    {{"A|N=1|_A=1|_A=1|1"}, "p", NULL, ERROR_DATA, "_A "},
    {{"A|N=1|_Z=1|_Z=1|1"}, "p", NULL, ERROR_DATA, "_Z "},
    {{"A|N=1|T=1 __typeof__=1|T=1 __typeof__=1|1"}, "p", NULL, ERROR_DATA, "__typeof__"},
    {{"A|N=1|__attribute__=1|__attribute__=1|1"}, "p", NULL, ERROR_DATA, "__attribute__"},
    {{"A|N=1|__asm__=1|__asm__=1|1"}, "p", NULL, ERROR_DATA, "__asm__"},
    {{"A|N=9223372036854775807|T=1|T=2|1"}, "p", NULL, 0, "        {\"A\", 90, 132, 50LL, 9223372036854775807LL, "},
    {{"A|N=9223372036854775808|T=1|T=2|1"}, "p", NULL, ERROR_DATA, "no number"},
};

static size_t make_rows(const char *const *texts, char copies[ROWS_MAX][256], struct best *rows)
{
    size_t count = 0;
    for (; count < ROWS_MAX && texts[count]; count++) {
        char *fields[5] = {0}, *rest = strcpy(copies[count], texts[count]);
        for (int i = 0; i < 5; i++)
            fields[i] = strsep(&rest, "|");
        rows[count] = (struct best){.provenance.kernel = "k",
                                    .provenance.problem = fields[1],
                                    .objective = "time",
                                    .configuration = fields[2],
                                    .time_ns = 1500.5,
                                    .low_ns = NAN,
                                    .high_ns = NAN,
                                    .speedup = NAN,
                                    .provenance.default_ = fields[3],
                                    .provenance.source_hash = "",
                                    .provenance.space_hash = "",
                                    .provenance.device.cc = 90,
                                    .provenance.device.sm_count = 132,
                                    .provenance.device.l2_bytes = 50,
                                    .provenance.date = fields[4]};
        snprintf(rows[count].provenance.device.name, sizeof rows[count].provenance.device.name, "%s", fields[0]);
    }
    return count;
}

static void emitting(void)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        char copies[ROWS_MAX][256];
        struct best rows[ROWS_MAX];
        const struct best *pointers[ROWS_MAX] = {&rows[0], &rows[1], &rows[2]};
        struct emit_request request = {.kernel = "k", .prefix = calls[i].prefix, .format = "header"};
        if (calls[i].device)
            request.devices = (struct option_list){1, {calls[i].device}};
        struct text text = {0};
        struct error error = {0};
        size_t count = make_rows(calls[i].rows, copies, rows);
        int code = emit_write(pointers, count, NULL, 0, &request, &text, &error);
        CU_ASSERT_EQUAL(code, calls[i].code);
        bool has = code ? strstr(error.message, calls[i].has) || strstr(error.hint, calls[i].has)
                        : strstr(text_string(&text), calls[i].has) != NULL;
        if (!has)
            printf("row %zu: no %s in\n%s%s\n%s\n", i, calls[i].has, text_string(&text), error.message, error.hint);
        CU_ASSERT(has);
        text_free(&text);
    }
}

/* Other formats, and sizes that were asked for; problems and messages as above. */
static void formats_and_sizes(void)
{
    static const char collide[] = "set(P_TUNED_TARGETS P_TUNED_FOR_OTHER P_TUNED_FOR_A_B P_TUNED_FOR_A_B_ "
                                  "P_TUNED_FOR_A_B__)\n";
    /* The third device's first name is that of the second, its next that of the first. */
    static const char collide_twice[] = "set(P_TUNED_TARGETS P_TUNED_FOR_OTHER P_TUNED_FOR_A_B_ P_TUNED_FOR_A_B "
                                        "P_TUNED_FOR_A_B__)\n";
    static const struct {
        const char *rows[ROWS_MAX];
        const char *format, *size;
        int code;
        const char *has;
    } cases[] = {
        {{"A|N=1|T=1|T=2|1", "A|N=9|T=5|T=2|1"}, "flags", "N=8", 0, "-DT=5\n"},
        {{"A|N=1|T=1|T=2|1", "A|N=9|T=5|T=2|1"}, "flags", "N=2", 0, "-DT=1\n"},
        {{"A|N=1|T=1|T=2|1", "A|N=9|T=5|T=2|1"}, "flags", "N=-8", ERROR_USAGE, "'N=-8' is no NAME=NUMBER"},
        {{"A|N=1|T=1|T=2|1", "A|N=-9|T=5|T=2|1"}, "flags", "N=-9", 0, "-DT=5\n"},
        {{"A|N=1|T=1|T=2|1", "A|N=0|T=5|T=2|1"}, "flags", "N=0", 0, "-DT=5\n"},
        {{"A|NN=1|T=1|T=2|1"}, "flags", "N=1", ERROR_USAGE, "'N=1'"},
        {{"A|N=1|T=1|T=2|1"}, "flags", "NN=1", ERROR_USAGE, "'NN=1'"},
        {{"A|N=1|T=1|T=2|1"}, "flags", "=1", ERROR_USAGE, "such as N=1"},
        {{"A|N=1|T=1|T=2|1"}, "flags", "N=", ERROR_USAGE, "'N='"},
        {{"A B|N=1|T=1|T=2|1", "A-B|N=1|T=1|T=2|1", "a_b|N=1|T=1|T=2|1"}, "cmake", NULL, 0, collide},
        {{"A B_|N=1|T=1|T=2|1", "A B|N=1|T=1|T=2|1", "a-b|N=1|T=1|T=2|1"}, "cmake", NULL, 0, collide_twice},
        {{"\"a\\b$\tc\xc3\xa9\xff\"|N=1|T=1|T=2|1"},
         "cmake",
         NULL,
         0,
         "set(P_TUNED_DEVICE \"\\\"a\\\\b\\$.c\xc3\xa9.\\\"\")\n"},
        {{"a\x7f\xff\xc3\xa9|N=1|T=2147483648 U=0.5 V=x|T=2 U=1 V=y|1"},
         "json",
         NULL,
         0,
         "\"device\":\t\"a\\u007f\\ufffd\xc3\xa9\""},
        {{"A|N=1|T=2147483648 U=0.25 V=x|T=2 U=1 V=y|1"}, "json", NULL, 0, "\"T\":\t2147483648,"},
        {{"A|N=1|T=2147483648 U=0.25 V=x|T=2 U=1 V=y|1"}, "json", NULL, 0, "\"U\":\t0.25,"},
        {{"A|N=1|T=2147483648 U=0.25 V=x|T=2 U=1 V=y|1"}, "json", NULL, 0, "\"V\":\t\"x\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char copies[ROWS_MAX][256];
        struct best rows[ROWS_MAX];
        const struct best *pointers[ROWS_MAX] = {&rows[0], &rows[1], &rows[2]};
        struct emit_request request = {.kernel = "k", .prefix = "p", .format = cases[i].format};
        struct text text = {0};
        struct error error = {0};
        if (cases[i].size)
            request.sizes = (struct option_list){1, {cases[i].size}};
        CU_ASSERT_EQUAL(emit_write(pointers, make_rows(cases[i].rows, copies, rows), NULL, 0, &request, &text, &error),
                        cases[i].code);
        bool has = strstr(text_string(&text), cases[i].has) || strstr(error.message, cases[i].has) ||
                   strstr(error.hint, cases[i].has);
        if (!has)
            printf("case %zu: no %s in\n%s%s\n%s\n", i, cases[i].has, text_string(&text), error.message, error.hint);
        CU_ASSERT(has);
        text_free(&text);
    }
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

CU_TestInfo tests_emit[] = {{"headers and refusals", emitting},
                            {"formats and sizes", formats_and_sizes},
                            {"devices that are none", wrong_devices},
                            CU_TEST_INFO_NULL};
