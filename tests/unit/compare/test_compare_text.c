/* Whole outputs: tests/cli/cases/compare.case. */
#include "compare/compare.h"

#include "fixtures.h"

static void tables(void)
{
    static const struct {
        const char *files[3];
        size_t count;
        const char *part;
        bool there;
    } rows[] = {
        {{DEVICE_A, DEVICE_B}, 2, "scale, out = 2 * in  N=1048576\n", true},
        {{DEVICE_A, DEVICE_B}, 2, "  [2] Sample B: 4 configurations, 4 timed, 0 stopped early, 0 without time, ", true},
        {{DEVICE_A, DEVICE_B}, 2, "portability:", true},
        {{DEVICE_A, DEVICE_B}, 2, "  missing: ", true},
        {{DEVICE_A}, 1, "portability:", false}, /* a single run has no portability */
        {{DEVICE_A}, 1, "[1]", true},
        {{DEVICE_A, LATER_A}, 2, "best of the first   slower", true},
        {{DEVICE_A, DEVICE_B}, 2, "best of the first", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct compared compared;
        struct text text = {0};
        open_compared(&compared, rows[i].files, rows[i].count);
        compare_text(&compared.findings[0], &text);
        CU_ASSERT_FALSE(text.failed);
        expect_part(&text, rows[i].part, rows[i].there);
        text_free(&text);
        compared_close(&compared);
    }
}

/* Reasons for a cell without a time: run 1 has not measured TILE=32 VEC=2, and in run 0, TILE=64 VEC=4 fails. */
static void notes(void)
{
    static const struct {
        const char *configuration;
        size_t run;
        const char *note;
    } rows[] = {{"TILE=32 VEC=2", 0, ""},
                {"TILE=32 VEC=2", 1, "not measured"},
                {"TILE=32 VEC=4", 0, "stopped early"},
                {"TILE=64 VEC=4", 0, "compile_error"},
                {"TILE=64 VEC=4", 1, ""}};
    static const char *const files[] = {DEVICE_A, DEVICE_B};
    struct compared compared;
    open_compared(&compared, files, 2);
    const struct comparison *comparison = compared.findings[0].comparison;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t found = 0;
        for (size_t c = 0; c < comparison->configuration_count; c++) {
            struct text text = {0};
            comparison_text(comparison, c, &text);
            if (strcmp(text_string(&text), rows[i].configuration) == 0) {
                found++;
                CU_ASSERT_STRING_EQUAL(compare_cell_note(comparison, c, rows[i].run), rows[i].note);
            }
            text_free(&text);
        }
        CU_ASSERT_EQUAL(found, 1);
    }
    compared_close(&compared);
}

/* Explanations of a verdict. */
static void change_notes(void)
{
    static const char *const files[] = {DEVICE_A, LATER_A};
    static const struct {
        enum verdict verdict;
        bool before, now, by_medians;
        enum change_what what;
        const char *note;
    } rows[] = {{VERDICT_SLOWER, true, true, true, CHANGE_BEST, "no intervals: judged by medians"},
                {VERDICT_SLOWER, true, true, false, CHANGE_BEST, ""},
                {VERDICT_MISSING, true, false, false, CHANGE_BEST, "nothing was timed"},
                {VERDICT_UNKNOWN, false, true, false, CHANGE_DEFAULT, "default unknown"},
                {VERDICT_UNKNOWN, false, true, false, CHANGE_BEST, "nothing was timed before"},
                {VERDICT_UNKNOWN, true, true, false, CHANGE_BEST, "not in the database"}};
    struct compared compared;
    open_compared(&compared, files, 2);
    const struct comparison *comparison = compared.findings[0].comparison;
    size_t best = comparison->runs[0].best;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct change change = {.before = 0, .now = 1};
        struct change_row *row = &change.rows[rows[i].what];
        row->before = rows[i].before ? best : COMPARISON_NONE;
        row->now = rows[i].now ? best : COMPARISON_NONE;
        row->ratio.verdict = rows[i].verdict;
        row->ratio.by_medians = rows[i].by_medians;
        CU_ASSERT_STRING_EQUAL(compare_change_note(comparison, &change, rows[i].what), rows[i].note);
    }
    compared_close(&compared);
}

CU_TestInfo tests_compare_text[] = {
    {"tables", tables}, {"notes of cells", notes}, {"notes of changes", change_notes}, CU_TEST_INFO_NULL};
