#include <math.h>

#include "analyse/explain_input.h"
#include "compare/explain.h"
#include "fixtures.h"

static void explain(struct compared *compared, struct explain_input *explained)
{
    const char *file = FIXTURES "explained.csv";
    struct error error = {0};
    open_compared(compared, &file, 1);
    CU_ASSERT_EQUAL_FATAL(
        explain_input_open(explained, compared->comparisons.items, 0, COMPARISON_NONE, NULL, 0, &error), 0);
}

static void close(struct compared *compared, struct explain_input *explained)
{
    explain_input_close(explained);
    compared_close(compared);
}

static void lines(void)
{
    struct compared compared;
    struct explain_input explained;
    struct text text = {0}, markdown = {0};
    explain(&compared, &explained);
    CU_ASSERT_EQUAL(explain_input_make(&explained, NULL), 0);
    const struct explain_shown shown = {&explained, "not said"};
    explain_text(&shown, false, &text);
    explain_text(&shown, true, &markdown);
    expect_part(&text, "kernel      transpose\n", true);
    expect_part(&text, "evidence    hardware counters of 2 of 4 configurations\n", true);
    expect_part(&text, "not said", false);
    expect_part(&text, "\nwinner TILE=32 PAD=1, 40.00 us\n  DRAM binds: ", true);
    expect_part(&text, "\ndefault TILE=32 PAD=0, 80.00 us\n  L1 ", true);
    expect_part(&text, "  DRAM                                    3355 GB/s, 84%        1678 GB/s, 42%\n", true);
    expect_part(&text, "tensor cores", false);
    expect_part(&text, "from the default", false); /* one parameter differs */
    expect_part(&text, "\none parameter changed\n  PAD 0 -> 1: ", true);
    expect_part(&markdown, "- kernel: transpose\n", true);
    expect_part(&markdown, "\n**default TILE=32 PAD=0, 80.00 us**\n\n- L1 ", true);
    expect_part(&markdown, "| DRAM | 3355 GB/s, 84% | 1678 GB/s, 42% |\n", true);
    text_free(&text), text_free(&markdown);
    close(&compared, &explained);
}

static void without_counters(void)
{
    struct compared compared;
    struct explain_input explained;
    struct text text = {0}, silent = {0};
    explain(&compared, &explained);
    CU_ASSERT_EQUAL(explain_input_forget_counters(&explained, NULL), 0);
    CU_ASSERT_EQUAL(explain_input_make(&explained, NULL), 0);
    explain_text(&(struct explain_shown){&explained, "not permitted"}, false, &text);
    expect_part(&text, "static, of 3 of 4 configurations; no hardware counters: not permitted\n", true);
    explain_text(&(struct explain_shown){&explained, NULL}, false, &silent);
    expect_part(&silent, "static, of 3 of 4 configurations; no hardware counters\n", true);
    text_free(&text), text_free(&silent);
    close(&compared, &explained);
}

static void uses(void)
{
    static const struct {
        enum resource resource;
        double use;
        const char *text;
    } cases[] = {{RESOURCE_DRAM, 3.5e12, "3500 GB/s"},
                 {RESOURCE_FMA, 6e13, "60.00 TFLOP/s"},
                 {RESOURCE_ISSUE, 1.25e11, "125 G/s"},
                 {RESOURCE_DRAM, NAN, ""},
                 {RESOURCE_ALU, 1, ""},
                 {RESOURCE_LATENCY, 1, ""}};
    char buffer[EXPLAIN_USE_BYTES];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CU_ASSERT_STRING_EQUAL(explain_use(cases[i].resource, cases[i].use, buffer), cases[i].text);
}

static void roles(void)
{
    struct compared compared;
    struct explain_input explained;
    explain(&compared, &explained);
    CU_ASSERT_STRING_EQUAL(explain_role(&explained, 0), "winner");
    CU_ASSERT_STRING_EQUAL(explain_role(&explained, 1), "default");
    CU_ASSERT_STRING_EQUAL(explain_role(&explained, 2), "neighbour");
    explain_input_close(&explained);
    const struct comparison *comparison = compared.comparisons.items;
    size_t focus = comparison_find(comparison, "TILE=64 PAD=1"), other = comparison_find(comparison, "TILE=64 PAD=0");
    CU_ASSERT_EQUAL_FATAL(explain_input_open(&explained, comparison, 0, focus, &other, 1, NULL), 0);
    CU_ASSERT_STRING_EQUAL(explain_role(&explained, 0), "configuration");
    CU_ASSERT_STRING_EQUAL(explain_role(&explained, 1), "default");
    CU_ASSERT_STRING_EQUAL(explain_role(&explained, 2), "configuration");
    CU_ASSERT_STRING_EQUAL(explain_role(&explained, 3), "winner");
    compared.comparisons.items[0].runs[0].default_ = compared.comparisons.items[0].runs[0].best;
    explain_input_close(&explained);
    CU_ASSERT_EQUAL_FATAL(explain_input_open(&explained, comparison, 0, COMPARISON_NONE, NULL, 0, NULL), 0);
    CU_ASSERT_STRING_EQUAL(explain_role(&explained, 0), "winner and default");
    close(&compared, &explained);
}

CU_TestInfo tests_explain_text[] = {{"lines and lists", lines},
                                    {"without counters", without_counters},
                                    {"uses of resources", uses},
                                    {"roles", roles},
                                    CU_TEST_INFO_NULL};
