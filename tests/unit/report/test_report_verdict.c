#include "journal.h"

/* Two runs of device A: the best is as before, but the earlier best is slower now. */
static void regression(void)
{
    static const char *const files[] = {DEVICE_A, LATER_A};
    static const char *const parts[] = {
        "<p class=\"headline bad\"><b>Regression on Sample A</b>: the best of the first run takes <span "
        "class=\"n\">10.50 µs</span>, 1.050 "
        "times as "
        "long as before (1.040 to 1.060)</p>",
        "<th scope=\"col\">[1] to [2]", "<tr><th scope=\"row\">best<td>ambiguous<td class=\"n\">1.0010",
        "<tr class=\"bad\"><th scope=\"row\">best of the first<td>slower<td class=\"n\">1.0500"};
    struct compared compared;
    struct page page;
    open_compared(&compared, files, 2);
    page_begin(&page);
    report_verdicts(&page.report, &compared.findings[0]);
    page_end(&page);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        expect_part(&page.text, parts[i], true);
    CU_ASSERT(report_regressed(&compared.findings[0].changes[0]));
    CU_ASSERT_STRING_EQUAL(report_verdict_name(&compared.findings[0].changes[0]), "regression");
    page_free(&page);
    compared_close(&compared);
}

/* The words of each verdict on the best. */
static void words(void)
{
    static const struct {
        enum verdict verdict;
        const char *name, *part;
    } cases[] = {
        {VERDICT_SAME, "no change", "<p class=\"headline\"><b>No change on Sample A</b>: the best takes"},
        {VERDICT_FASTER, "faster", "<p class=\"headline good\"><b>Faster on Sample A</b>: the best takes"},
        {VERDICT_SLOWER, "regression", "<p class=\"headline bad\"><b>Regression on Sample A</b>: the best takes"},
        {VERDICT_AMBIGUOUS, "undecided", "<p class=\"headline\"><b>No clear change on Sample A</b>: the best takes"},
        {VERDICT_BROKEN, "regression", "<b>Regression on Sample A</b>: the best is broken</p>"},
        {VERDICT_MISSING, "regression", "<b>Regression on Sample A</b>: the best is missing</p>"},
    };
    static const char *const files[] = {DEVICE_A, LATER_A};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct compared compared;
        struct page page;
        open_compared(&compared, files, 2);
        struct change *change = &compared.findings[0].changes[0];
        for (int what = 0; what < CHANGE_COUNT; what++)
            change->rows[what].ratio.verdict = VERDICT_SAME;
        change->rows[CHANGE_BEST].ratio.verdict = cases[i].verdict;
        if (cases[i].verdict == VERDICT_BROKEN || cases[i].verdict == VERDICT_MISSING)
            change->rows[CHANGE_BEST].ratio.ratio = NAN;
        page_begin(&page);
        report_verdicts(&page.report, &compared.findings[0]);
        page_end(&page);
        expect_part(&page.text, cases[i].part, true);
        CU_ASSERT_STRING_EQUAL(report_verdict_name(change), cases[i].name);
        page_free(&page);
        compared_close(&compared);
    }
}

/* Runs that cannot be compared have no verdict. */
static void apart(void)
{
    static const char *const files[] = {DEVICE_A, DEVICE_A};
    struct compared compared;
    struct page page;
    open_compared(&compared, files, 2);
    page_begin(&page);
    report_verdicts(&page.report, &compared.findings[0]);
    page_end(&page);
    expect_part(&page.text,
                "<p class=\"headline\"><b>No verdict on Sample A</b>: the best is unknown (these are the same results, "
                "not measured again)</p>",
                true);
    expect_part(&page.text, "class=\"bad\"", false);
    CU_ASSERT_STRING_EQUAL(report_verdict_name(&compared.findings[0].changes[0]), "unknown");
    page_free(&page);
    compared_close(&compared);
}

/* A note stands beside its verdict. */
static void notes(void)
{
    static const char *const files[] = {DEVICE_A, LATER_A};
    struct compared compared;
    struct page page;
    open_compared(&compared, files, 2);
    compared.findings[0].changes[0].rows[CHANGE_DEFAULT].ratio.by_medians = true;
    page_begin(&page);
    report_verdicts(&page.report, &compared.findings[0]);
    page_end(&page);
    expect_part(&page.text,
                "<th scope=\"row\">default<td>ambiguous <small>(no intervals: judged by medians)</small><td", true);
    expect_part(&page.text, "<th scope=\"row\">best<td>ambiguous<td", true);
    page_free(&page);
    compared_close(&compared);
}

/* Without two runs of a device there is no verdict. */
static void none(void)
{
    static const char *const files[] = {DEVICE_A, DEVICE_B};
    struct compared compared;
    struct page page;
    open_compared(&compared, files, 2);
    page_begin(&page);
    report_verdicts(&page.report, &compared.findings[0]);
    CU_ASSERT_EQUAL(page.text.length, 0);
    page_free(&page);
    compared_close(&compared);
}

CU_TestInfo tests_report_verdict[] = {
    {"a regression", regression}, {"words", words}, {"runs that cannot be compared", apart}, {"notes", notes},
    {"no verdict", none},         CU_TEST_INFO_NULL};
