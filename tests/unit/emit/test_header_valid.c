/* Validity of rows in headers; run.sh, agree.py and fits.py compile and ask them. */
#include "rows.h"

static void in_headers(void)
{
    static const struct {
        const char *condition; /* of the first of two rows */
        const char *format, *has, *has_not;
    } cases[] = {
        {NULL, "header", "if (p_tuned_better(&search, 0, rows[i].device, ", "tuned_valid"},
        {"1", "header", "if (p_tuned_better(&search, 0, rows[i].device, ", "tuned_valid"},
        {"((N % 2) == 0)", "header",
         "    case 0:\n        {\n            return p_tuned_equal(p_tuned_remainder(problem_N, 2LL), 0LL) != 0;",
         "tuned_limit_"},
        {"(cc >= 95)", "header",
         "int p_tuned_allows_0(int cc, int sm_count, long long l2_bytes)\n{\n    const long long limit_cc = cc > 0 ? "
         "cc : -1;",
         "tuned_limit_"},
        {"(cc >= 95)", "header",
         "        if (!own && !p_tuned_allows_0(cc, sm_count, l2_bytes))\n            return 0;\n        return 1;\n",
         NULL},
        {"(150000 <= shared_limit)", "header",
         "P_TUNED_FUNCTION long long p_tuned_limit_shared_limit(int cc)\n{\n    switch (cc) {\n    case 70:\n        "
         "return 98304LL;\n",
         "p_tuned_limit_shared_sm"},
        {"(150000 <= l2_persisting_bytes)", "header",
         "    case 75:\n        return 0LL;\n    default:\n        return -1;\n", NULL},
        {"((N <= sm_count) && (cc >= 90))", "header",
         "            if (limit_sm_count < 0)\n                return own;\n", NULL},
        /* Constants of device code: 100 and 103 are not of a row's major compute capability. */
        {"(cc <= 90)", "header", "#elif __CUDA_ARCH__ == 900 /* rule cc */\n#define P_TUNED_FOR P_TUNED_FOR_A\n#else",
         NULL},
        {"(cc <= 90)", "json", "\"condition\":\t\"(cc <= 90)\"", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char copies[ROWS_MAX][256];
        struct best rows[ROWS_MAX];
        const struct best *pointers[] = {&rows[0]};
        struct emit_request request = {.prefix = "p", .format = cases[i].format};
        struct text own = {0};
        make_rows((const char *const[ROWS_MAX]){"A|N=1|T=1|T=2|1"}, copies, rows);
        rows[0].condition = cases[i].condition;
        CU_ASSERT_EQUAL(emit_kernel_k(pointers, 1, NULL, request, &own, NULL), 0);
        bool has = strstr(text_string(&own), cases[i].has) &&
                   !(cases[i].has_not && strstr(text_string(&own), cases[i].has_not));
        if (!has)
            printf("%s: no %s in\n%s\n", cases[i].condition, cases[i].has, text_string(&own));
        CU_ASSERT(has);
        text_free(&own);
    }
}

CU_TestInfo tests_header_valid[] = {{"conditions", in_headers}, CU_TEST_INFO_NULL};
