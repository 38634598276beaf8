/* Fits over sizes in the header; tests/integration/emit/fits.py compiles them. */
#include "rows.h"

#define TWO "fit 1; size N 1 100; take T=4 where (N >= 2); take T=5; if remainder N 4 <= 0; order 0 1; order 1 0;"

/* Checks a header with a row of a device and sizes, unless `alone`, and a fit. */
static void expect_fit(bool alone, const char *region, const char *fit, const char *choice, const char *format,
                       const char *has)
{
    static const char *const texts[] = {"A|N=1|T=1|T=2|1", NULL};
    char copies[ROWS_MAX][256];
    struct best rows[ROWS_MAX] = {0};
    make_rows(texts, copies, rows);
    rows[1] = rows[0];
    rows[1].provenance.problem = region;
    rows[1].provenance.date = "2";
    rows[1].value = NAN;
    rows[1].configuration = "T=4";
    rows[1].fit = fit;
    rows[1].fit_quality = "sizes=40 mean=0.9 */ held=0.8/1";
    const struct best *pointers[] = {&rows[alone ? 1 : 0], &rows[1]};
    struct emit_request request = {.prefix = "p", .format = format};
    struct text text = {0};
    struct error error = {0};
    if (choice)
        request.sizes = (struct option_list){1, {choice}};
    CU_ASSERT_EQUAL(emit_kernel_k(pointers, alone ? 1 : 2, NULL, request, &text, &error), 0);
    bool found = strstr(text_string(&text), has) != NULL;
    if (!found)
        printf("no %s in\n%s%s\n", has, text_string(&text), error.message);
    CU_ASSERT(found);
    text_free(&text);
}

static void in_headers(void)
{
    static const struct {
        bool alone;
        const char *fit, *has;
    } cases[] = {
        {false, TWO, "P_TUNED_FUNCTION long long p_tuned_fit_0_valid_0(long long problem_N)\n{\n"},
        {false, TWO, "    return p_tuned_at_least(problem_N, 2LL);\n"},
        {false, TWO,
         "p_tuned_at_most(p_tuned_of_remainder(problem_N, problem_N, 0, 4, sm_count, l2_bytes), 0LL)) { "
         "/* N % 4 <= 0 */\n        return p_tuned_fit_0_first(0x20ULL, 0x0ULL, 0x0ULL, 2, ~0U, problem_N);\n    }\n"
         "    return 2;\n}\n"},
        {true, TWO, ", 2, ~0U, problem_N);\n    }\n    return 1;\n}\n"},
        {false, "fit 1; size N 1 100; take T=4 where (N >= 2); order 0;",
         "(void)l2_bytes;\n    return p_tuned_fit_0_inside_first(0x0ULL, 0x0ULL, 0x0ULL, 1, ~0U, problem_N);\n}\n"},
        /* Lists are numbers: the first configuration in the lowest bits, up to one that is always valid. */
        {false,
         "fit 1; size N 1 100; take T=4 where (N >= 2); take T=5 where (N >= 3); take T=6; if remainder N 4 <= 0; "
         "order 1 0 2; order 1 2 0;",
         "/* N % 4 <= 0 */\n        return p_tuned_fit_0_inside_first(0x801ULL, 0x0ULL, 0x0ULL, 3, ~0U, problem_N);\n"
         "    }\n    return p_tuned_fit_0_inside_first(0x41ULL, 0x0ULL, 0x0ULL, 2, ~0U, problem_N);\n}\n"},
        {false, "fit 1; size N 1 100; take T=4 where (N >= 2); take T=5 where (N >= 3); take T=6; order 1 0 2;",
         "    int number = p_tuned_first(list_0, list_1, list_2, count, allowed);\n    while (number >= 0) {\n"
         "        long long valid = 1;\n        switch (number) {\n        case 0:\n"
         "            valid = p_tuned_fit_0_inside_valid_0(problem_N);\n            break;\n        case 1:\n"},
        /* Rows of devices, then fits, then the others. */
        {false, TWO, "    for (i = 0; i < 1; i++) {\n"},
        {false, TWO, "    for (i = 3; i < count && search.rule >= P_TUNED_RULE_COMMON; i++) {\n"},
        {true, TWO, "    search.rule = P_TUNED_RULE_NONE;\n    if (p_tuned_better(&search, P_TUNED_IS_FIT, rows[0]."},
        {true, TWO, "    for (i = 2; i < count && "},
        /* Inside the measured sizes, conditions and blocks are simpler. */
        {false, TWO,
         "    if (!(p_tuned_less(problem_N, 1LL) || p_tuned_greater(problem_N, 100LL)))\n"
         "        return p_tuned_fit_0_inside(problem_N, sm_count, l2_bytes);\n"},
        {false,
         "fit 1; size N 8 100; take T=4 where (N >= 2); take T=5 where (N <= 64); if remainder N 4 <= 0; order 0 1; "
         "order 1 0;",
         "/* N % 4 <= 0 */\n        return 1;\n    }\n    return p_tuned_fit_0_inside_first("
         "0x1ULL, 0x0ULL, 0x0ULL, 2, ~0U, problem_N);\n}\n"},
        {false,
         "fit 2; size N 8 100; take T=4; take T=5; blocks 0 ceildiv(N, 3); blocks 1 (N / 4); if relative_waves 0 1 <= "
         "150; order 0 1; order 1 0;",
         "_inside_blocks_1(long long problem_N)\n{\n    (void)problem_N, (void)0;\n    return (problem_N >> "
         "2LL);\n}\n"},
        {false,
         "fit 2; size N 8 100; take T=4; take T=5; blocks 0 ceildiv(N, 3); blocks 1 (N / 4); if relative_waves 0 1 <= "
         "150; order 0 1; order 1 0;",
         "    if (p_tuned_at_most(p_tuned_of_relative_waves(p_tuned_fit_0_blocks_0(problem_N), "
         "p_tuned_fit_0_blocks_1(problem_N), 0, 0, sm_count, l2_bytes), 150LL)) { "
         "/* waves of 0 in per cent of those of 1 <= 150 */\n        return 1;\n    }\n    return 2;\n}\n"},
        /* A fit of an earlier program chooses nothing. */
        {false, "fit 1; size N 8 100; take T=4; take T=5; if formula 0 1 log2(N, 64) <= 7; order 0 1; order 1 0;",
         "    (void)problem_N, (void)sm_count, (void)l2_bytes;\n    return -1; /* made by an earlier cutune */\n}\n"},
        {false, "fit 1; size N 8 100; take T=4; order 0;",
         "{\n    (void)problem_N, (void)sm_count, (void)l2_bytes;\n    return 1;\n}\n"},
        {false, "fit 1; size N 8 100; take T=4; take T=5; if volume <= 9; order 0 1; order 1 0;",
         "(void)l2_bytes;\n    const long long all = p_tuned_times(1, problem_N);\n"
         "    if (p_tuned_at_most(p_tuned_of_volume(problem_N, problem_N, all, 0, sm_count, l2_bytes), 9LL)) {"},
        {false, TWO,
         "    if (number >= 1 && number < 3)\n        return p_tuned_less(problem_N, 1LL) || "
         "p_tuned_greater(problem_N, 100LL);\n"},
        {false, TWO, "        {\"A\", 90, 132, 50LL, 0LL, 0.0, 5},\n"},
        {false, TWO, " *   A, fit over N=1..100: 2 configurations, sizes=40 mean=0.9 * /, 2\n"},
        {false, "fit 1; size N 1 100; take T=4; order 0;", "1 configuration, "},
        {false, "fit 1; size N -9223372036854775808 100; take T=4; order 0;",
         "p_tuned_less(problem_N, "
         "(-9223372036854775807LL - 1))"},
        /* The constants are for the sizes of the newest row with sizes, else for the greatest measured. */
        {false, TWO, "/* rule problem: A, N=1 */"},
        {true, TWO, "/* rule fit: A, fit over N=1..100 */\n#define P_TUNED_DEVICE \"A\"\n#define P_T 4\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_fit(cases[i].alone, "N=1..100", cases[i].fit, NULL, "header", cases[i].has);
    expect_fit(true, "N=1..100", TWO, "N=99", "header", "#define P_T 5\n");
}

static void prior_runs(void)
{
    expect_fit(false, "N=1..100", TWO, "N=4", "flags", "-DT=4\n");
    expect_fit(false, "N=1..100", TWO, "N=4", "cmake", "set(P_TUNED_RULE fit)\n");
    expect_fit(false, "N=1..100", TWO, NULL, "json", "\"row\":\t\"fit\"");
}

CU_TestInfo tests_header_fit[] = {
    {"functions of integers", in_headers}, {"constants and other formats", prior_runs}, CU_TEST_INFO_NULL};
