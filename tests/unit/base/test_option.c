#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/option.h"

struct values {
    bool quiet;
    int64_t jobs, seed;
    double limit, time;
    const char *file, *format;
    struct option_list defines;
};

enum { QUIET, JOBS, SEED, LIMIT, TIME, FILE_NAME, FORMAT, DEFINE, ROW_COUNT };
static const struct option_row rows[ROW_COUNT] = {
    [QUIET] = {.name = "quiet", .type = OPTION_FLAG, .offset = offsetof(struct values, quiet)},
    [JOBS] = {.name = "jobs",
              .type = OPTION_INT,
              .offset = offsetof(struct values, jobs),
              .min = 1,
              .max = 512,
              .default_ = "8"},
    [SEED] = {.name = "seed", .type = OPTION_INT, .offset = offsetof(struct values, seed), .min = -5, .max = 0x1p53},
    [LIMIT] = {.name = "limit",
               .type = OPTION_REAL,
               .offset = offsetof(struct values, limit),
               .min = 0,
               .max = 1,
               .default_ = "0.25"},
    [TIME] = {.name = "time", .type = OPTION_TIME, .offset = offsetof(struct values, time), .min = 0.5, .max = 36000},
    [FILE_NAME] = {.name = "file", .type = OPTION_TEXT, .offset = offsetof(struct values, file)},
    [FORMAT] = {.name = "format",
                .type = OPTION_CHOICE,
                .offset = offsetof(struct values, format),
                .choices = "text|csv|json",
                .default_ = "text"},
    [DEFINE] = {.name = "define", .type = OPTION_LIST, .offset = offsetof(struct values, defines)},
};

static void defaults(void)
{
    struct values values = {0};
    CU_ASSERT_EQUAL(option_defaults(rows, ROW_COUNT, &values, NULL), 0);
    CU_ASSERT(!values.quiet);
    CU_ASSERT_EQUAL(values.jobs, 8);
    CU_ASSERT_EQUAL(values.seed, 0);
    CU_ASSERT_EQUAL(values.limit, 0.25);
    CU_ASSERT_PTR_NULL(values.file);
    CU_ASSERT_STRING_EQUAL(values.format, "text");
    CU_ASSERT_EQUAL(values.defines.count, 0);
}

static void wrong_default_is_an_error(void)
{
    struct option_row row = rows[JOBS];
    struct values values = {0};
    struct error error = {0};
    row.default_ = "0";
    CU_ASSERT_EQUAL(option_defaults(&row, 1, &values, &error), ERROR_USAGE);
}

static void good_values(void)
{
    struct values values = {0};
    CU_ASSERT_EQUAL(option_set(&rows[QUIET], &values, NULL, NULL), 0);
    CU_ASSERT(values.quiet);
    CU_ASSERT_EQUAL(option_set(&rows[JOBS], &values, "512", NULL), 0);
    CU_ASSERT_EQUAL(values.jobs, 512);
    CU_ASSERT_EQUAL(option_set(&rows[JOBS], &values, "1", NULL), 0);
    CU_ASSERT_EQUAL(values.jobs, 1);
    CU_ASSERT_EQUAL(option_set(&rows[SEED], &values, "-5", NULL), 0);
    CU_ASSERT_EQUAL(values.seed, -5);
    CU_ASSERT_EQUAL(option_set(&rows[SEED], &values, "9007199254740991", NULL), 0);
    CU_ASSERT_EQUAL(values.seed, 9007199254740991);
    CU_ASSERT_EQUAL(option_set(&rows[LIMIT], &values, "1e-3", NULL), 0);
    CU_ASSERT_EQUAL(values.limit, 1e-3);
    static const struct {
        const char *text;
        double seconds;
    } times[] = {{"90", 90}, {"0.5", 0.5}, {"30s", 30}, {"10m", 600}, {"1.5h", 5400}, {"1e1m", 600}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        CU_ASSERT_EQUAL(option_set(&rows[TIME], &values, times[i].text, NULL), 0);
        CU_ASSERT_EQUAL(values.time, times[i].seconds);
    }
    CU_ASSERT_EQUAL(option_set(&rows[FILE_NAME], &values, "a b", NULL), 0);
    CU_ASSERT_STRING_EQUAL(values.file, "a b");
    CU_ASSERT_EQUAL(option_set(&rows[FORMAT], &values, "csv", NULL), 0);
    CU_ASSERT_STRING_EQUAL(values.format, "csv");
    CU_ASSERT_EQUAL(option_set(&rows[FORMAT], &values, "json", NULL), 0);
    CU_ASSERT_STRING_EQUAL(values.format, "json");
}

static const struct {
    int row;
    const char *argument, *message, *hint;
} wrong[] = {
    {JOBS, "0", "--jobs: '0' is not allowed", "expected a whole number from 1 to 512"},
    {JOBS, "513", "--jobs: '513' is not allowed", "expected a whole number from 1 to 512"},
    {JOBS, "", "--jobs: '' is not allowed", "expected a whole number from 1 to 512"},
    {JOBS, "1.5", "--jobs: '1.5' is not allowed", "expected a whole number from 1 to 512"},
    {JOBS, "8x", "--jobs: '8x' is not allowed", "expected a whole number from 1 to 512"},
    {JOBS, "99999999999999999999", "--jobs: '99999999999999999999' is not allowed",
     "expected a whole number from 1 to 512"},
    {LIMIT, "-0.1", "--limit: '-0.1' is not allowed", "expected a number from 0 to 1"},
    {LIMIT, "1.01", "--limit: '1.01' is not allowed", "expected a number from 0 to 1"},
    {LIMIT, "nan", "--limit: 'nan' is not allowed", "expected a number from 0 to 1"},
    {LIMIT, "inf", "--limit: 'inf' is not allowed", "expected a number from 0 to 1"},
    {LIMIT, "", "--limit: '' is not allowed", "expected a number from 0 to 1"},
    {LIMIT, "0,5", "--limit: '0,5' is not allowed", "expected a number from 0 to 1"},
    {TIME, "10x", "--time: '10x' is not allowed",
     "expected 0.5 to 36000 seconds, or a number with a unit: 90s, 10m, 1.5h"},
    {TIME, "m", "--time: 'm' is not allowed", "expected 0.5 to 36000 seconds, or a number with a unit: 90s, 10m, 1.5h"},
    {TIME, "10 m", "--time: '10 m' is not allowed",
     "expected 0.5 to 36000 seconds, or a number with a unit: 90s, 10m, 1.5h"},
    {TIME, "11h", "--time: '11h' is not allowed",
     "expected 0.5 to 36000 seconds, or a number with a unit: 90s, 10m, 1.5h"},
    {TIME, "nanm", "--time: 'nanm' is not allowed",
     "expected 0.5 to 36000 seconds, or a number with a unit: 90s, 10m, 1.5h"},
    {FILE_NAME, "", "--file: the value is empty", ""},
    {FORMAT, "tex", "--format: 'tex' is not allowed", "expected one of text|csv|json"},
    {FORMAT, "texts", "--format: 'texts' is not allowed", "expected one of text|csv|json"},
    {FORMAT, "text|csv", "--format: 'text|csv' is not allowed", "expected one of text|csv|json"},
    {FORMAT, "", "--format: '' is not allowed", "expected one of text|csv|json"},
};

static void wrong_values(void)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct values values = {0}, before = {0};
        struct error error = {0};
        CU_ASSERT_EQUAL(option_set(&rows[wrong[i].row], &values, wrong[i].argument, &error), ERROR_USAGE);
        CU_ASSERT_STRING_EQUAL(error.message, wrong[i].message);
        CU_ASSERT_STRING_EQUAL(error.hint, wrong[i].hint);
        CU_ASSERT_EQUAL(memcmp(&values, &before, sizeof values), 0);
    }
}

static void list_grows_to_its_end(void)
{
    struct values values = {0};
    struct error error = {0};
    for (int i = 0; i < OPTION_LIST_MAX; i++)
        CU_ASSERT_EQUAL(option_set(&rows[DEFINE], &values, i % 2 ? "B=2" : "A=1", &error), 0);
    CU_ASSERT_EQUAL(values.defines.count, OPTION_LIST_MAX);
    CU_ASSERT_STRING_EQUAL(values.defines.items[0], "A=1");
    CU_ASSERT_STRING_EQUAL(values.defines.items[OPTION_LIST_MAX - 1], "B=2");
    CU_ASSERT_EQUAL(option_set(&rows[DEFINE], &values, "C=3", &error), ERROR_USAGE);
    CU_ASSERT_EQUAL(values.defines.count, OPTION_LIST_MAX);
}

CU_TestInfo tests_option[] = {{"defaults", defaults},
                              {"a wrong default is an error", wrong_default_is_an_error},
                              {"good values", good_values},
                              {"wrong values", wrong_values},
                              {"a list grows to its end", list_grows_to_its_end},
                              CU_TEST_INFO_NULL};
