#include "page.h"

static void put(struct page *page, struct compared *compared)
{
    page_begin(page);
    report_why(&page->report, &compared->findings[0], 0);
    page_end(page);
}

/* Sentences, the resources, and both configurations under the rooflines. */
static void explained(void)
{
    static const char *const parts[] = {
        "<h4>Why it is the fastest</h4>\n<p>bank conflicts gone (PAD=1); now DRAM-bound",
        "<li>Best: DRAM binds: 84%",
        "<li>Default: L1 and shared memory binds: 79%",
        "<li>PAD 0 -&gt; 1: ",
        "<pre>resource,best (%),default (%)\nDRAM,83.88608,41.94304\n",
        "<pre>instructions a byte,roof of DRAM,",
        "\n0.0372529,,",
    };
    const char *file = FIXTURES "explained.csv";
    struct compared compared;
    struct page page;
    open_compared(&compared, &file, 1);
    put(&page, &compared);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        expect_part(&page.text, parts[i], true);
    expect_part(&page.text, "From the default", false); /* one parameter differs */
    page_free(&page);
    compared_close(&compared);
}

/* A roof bends where the issue ceiling begins. */
static void ridge(void)
{
    const char *file = FIXTURES "explained.csv";
    struct compared compared;
    struct page page;
    open_compared(&compared, &file, 1);
    for (size_t i = 0; i < journal_evidence_count(compared.measured.items[0].journal); i++) {
        const struct journal_evidence evidence = journal_get_evidence(compared.measured.items[0].journal, i);
        for (size_t l = 0; l < evidence.count; l++)
            ((struct evidence *)evidence.launches)[l].ceiling_issue = 1e12;
    }
    put(&page, &compared);
    expect_part(&page.text, "\n0.25,1000,", true); /* 4 TB/s times 0.25 */
    page_free(&page);
    compared_close(&compared);
}

static void nothing(void)
{
    const char *file = DEVICE_A;
    struct compared compared;
    struct page page;
    open_compared(&compared, &file, 1);
    page_begin(&page);
    report_why(&page.report, &compared.findings[0], 0);
    CU_ASSERT_EQUAL(page.text.length, 0);
    page_free(&page);
    compared_close(&compared);
}

CU_TestInfo tests_report_why[] = {
    {"explained", explained}, {"the ridge of a roof", ridge}, {"no evidence", nothing}, CU_TEST_INFO_NULL};
