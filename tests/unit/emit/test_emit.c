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
        struct emit_request request = {.prefix = "p", .format = "header"};
        struct text text = {0};
        make_rows(texts, copies, rows);
        rows[0].provenance.device.cc = wrong[i][0], rows[0].provenance.device.sm_count = wrong[i][1],
        rows[0].provenance.device.l2_bytes = wrong[i][2];
        CU_ASSERT_EQUAL(emit_kernel_k(&row, 1, NULL, request, &text, NULL), ERROR_DATA);
        text_free(&text);
    }
}

/* Without a row, of a device or at all, the space's default is written. */
static void without_rows(void)
{
    static const struct {
        const char *device, *size, *format;
        size_t rows;
        int code;
        const char *has, *lacks, *note;
    } cases[] = {
        {NULL, NULL, "header", 0, 0, "/* Default configuration of the kernel k: no tuned one is known.",
         "in the row of", "no row: the default configuration of s.space is written"},
        {NULL, NULL, "header", 0, 0, "double problem_M;", NULL, ""},
        {NULL, NULL, "header", 0, 0, "{\"\", 0, 0, 0LL, 0LL, 0.0, 0.0, 2, \"fast\"}", NULL, ""},
        {NULL, NULL, "header", 0, 0, "double time_per_work_ns;", NULL, ""},
        {NULL, NULL, "cmake", 0, 0, "set(P_TUNED_DEFINITIONS T=2 mode=fast)", "Tuned configurations", "no row: "},
        {NULL, NULL, "json", 0, 0, "\"row\":\t\"default\"", "evidence", "no row: "},
        {NULL, "N=-3", "flags", 0, 0, "-DT=2 -Dmode=fast\n", NULL, "no row: "},
        {NULL, "O=3", "flags", 0, ERROR_USAGE, "a row has the sizes N=-1 M=0.5", NULL, NULL},
        {"B", NULL, "flags", 0, 0, "-DT=2 -Dmode=fast\n", NULL, "no row: "},
        {"B", NULL, "flags", 1, 0, "-DT=2 -Dmode=fast\n", NULL,
         "no row of k for the device 'B': the default configuration of s.space is written"},
        {"A", NULL, "flags", 1, 0, "-DT=1 -Dmode=slow\n", NULL, NULL},
    };
    static const char text[] =
        "space 2\nkernel k \"k.cu\"\nproblem N = -1\nproblem M = 0.5\nparam T = 1, 2\n"
        "param MODE as \"mode\" = slow, fast\nbuffer o float[1] output\nargs o\nblock T\ngrid 1\n"
        "reference k block 1 grid 1\ndefault T=2 MODE=fast\nwork T\n";
    struct space *space = NULL;
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "s.space", text, sizeof text - 1, "int k, mode;", NULL), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const char *const texts[ROWS_MAX] = {"A|N=1 M=1.5|T=1 MODE=slow|T=2 MODE=fast|1"};
        char copies[ROWS_MAX][256];
        struct best rows[ROWS_MAX];
        const struct best *row = rows;
        struct text written = {0}, note = {0};
        struct error error = {0};
        struct emit_request request = {.prefix = "p", .format = cases[i].format, .note = &note};
        if (cases[i].device)
            request.devices = (struct option_list){1, {cases[i].device}};
        if (cases[i].size)
            request.sizes = (struct option_list){1, {cases[i].size}};
        make_rows(texts, copies, rows);
        int code = emit_kernel_k(&row, cases[i].rows, space, request, &written, &error);
        CU_ASSERT_EQUAL(code, cases[i].code);
        const char *found = code ? error.hint : text_string(&written);
        if (!strstr(found, cases[i].has))
            printf("no %s in\n%s\n", cases[i].has, found);
        CU_ASSERT_PTR_NOT_NULL(strstr(found, cases[i].has));
        CU_ASSERT(!cases[i].lacks || !strstr(found, cases[i].lacks));
        CU_ASSERT(code || (cases[i].note ? strncmp(text_string(&note), cases[i].note, strlen(cases[i].note)) == 0
                                         : note.length == 0));
        text_free(&written);
        text_free(&note);
    }
    space_free(space);
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

/* One header for several kernels has the shared code once. */
static void together(void)
{
    static const struct {
        const char *prefix, *format;
        bool plain_macros;
        int code;
        const char *once, *also;
    } cases[] = {
        {NULL, "header", false, 0, " cutune_tuned_far(int", "*b_tuned_select("},
        {NULL, "header", false, 0, "#define CUTUNE_TUNED_H\n", "#define A_T 1\n"},
        {"lib", "header", false, 0, " lib_tuned_far(int", "*lib_b_tuned_select("},
        {"lib", "header", false, 0, "enum lib_tuned_rule {", "#define LIB_A_T 1\n"},
        {NULL, "cmake", false, ERROR_USAGE, "--kernel all is for a header, not for --format cmake", ""},
        {NULL, "header", true, ERROR_USAGE, "--plain-macros is for one kernel", ""},
    };
    char copies[ROWS_MAX][256];
    struct best rows[ROWS_MAX];
    const struct best *const row = rows;
    make_rows((const char *const[ROWS_MAX]){"A|N=1|T=1|T=2|1"}, copies, rows);
    const struct emit_kernel kernels[] = {{.name = "a", .rows = &row, .count = 1},
                                          {.name = "b", .rows = &row, .count = 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct emit_request request = {.kernels = kernels,
                                             .kernel_count = 2,
                                             .together = true,
                                             .prefix = cases[i].prefix,
                                             .format = cases[i].format,
                                             .plain_macros = cases[i].plain_macros};
        struct text text = {0};
        struct error error = {0};
        CU_ASSERT_EQUAL(emit_write(&request, &text, &error), cases[i].code);
        CU_ASSERT_EQUAL(count_of(error.code ? error.message : text_string(&text), cases[i].once), 1);
        CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&text), cases[i].also));
        text_free(&text);
    }
}

CU_TestInfo tests_emit[] = {{"what is refused", emitting},
                            {"devices that are none", wrong_devices},
                            {"without rows", without_rows},
                            {"several kernels", together},
                            CU_TEST_INFO_NULL};
