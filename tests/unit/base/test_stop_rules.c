/* Rules that end a series, at the edges of their conditions. */
#include "base/stop_rules.h"

#include <string.h>

#include <CUnit/Basic.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Returns the name of the rule that ends a series, whose unset limits are out of reach; "": none. */
static const char *ended_by(struct stop_progress progress, enum status *status)
{
    progress.most = progress.most ? progress.most : SIZE_MAX;
    progress.until_ns = progress.until_ns ? progress.until_ns : INT64_MAX;
    progress.end_ns = progress.end_ns ? progress.end_ns : INT64_MAX;
    const struct stop_rule *stop = stop_rules_end(&progress);
    *status = stop ? stop->status : STATUS_COUNT;
    return stop ? stop->name : "";
}

static void edges(void)
{
    static const struct {
        const char *rule, *before_rule; /* before the edge: NULL, no rule */
        enum status status;
        struct stop_progress at, before;
    } rows[] = {
        {"slower",
         NULL,
         STATUS_SLOWER,
         {.count = 6, .least = 6, .incumbent_ns = 100, .interval = {101, 102}},
         {.count = 6, .least = 6, .incumbent_ns = 100, .interval = {100, 102}}},
        {"slower",
         NULL,
         STATUS_SLOWER,
         {.count = 6, .least = 6, .incumbent_ns = 100, .interval = {101, 102}},
         {.count = 5, .least = 6, .incumbent_ns = 100, .interval = {101, 102}}},
        {"slower",
         "most",
         STATUS_SLOWER,
         {.count = 6, .least = 6, .most = 6, .incumbent_ns = 100, .interval = {101, 102}},
         {.count = 6, .least = 6, .most = 6, .incumbent_ns = 100, .interval = {100, 102}}},
        {"hopeless",
         NULL,
         STATUS_SLOWER,
         {.count = 2, .least = 6, .incumbent_ns = 100, .fastest_ns = 126},
         {.count = 2, .least = 6, .incumbent_ns = 100, .fastest_ns = 125}},
        {"hopeless",
         NULL,
         STATUS_SLOWER,
         {.count = 2, .least = 6, .incumbent_ns = 100, .fastest_ns = 126},
         {.count = 1, .least = 6, .incumbent_ns = 100, .fastest_ns = 126}},
        {"hopeless",
         NULL,
         STATUS_SLOWER, /* enough samples: the interval decides */
         {.count = 5, .least = 6, .incumbent_ns = 100, .fastest_ns = 126},
         {.count = 6, .least = 6, .incumbent_ns = 100, .fastest_ns = 126}},
        {"hopeless",
         "timeout",
         STATUS_SLOWER,
         {.count = 2, .least = 6, .now_ns = 9, .end_ns = 9, .incumbent_ns = 100, .fastest_ns = 126},
         {.count = 2, .least = 6, .now_ns = 9, .end_ns = 9, .incumbent_ns = 100, .fastest_ns = 125}},
        {"most", NULL, STATUS_OK, {.count = 40, .most = 40}, {.count = 39, .most = 40}},
        {"time",
         NULL,
         STATUS_OK,
         {.count = 6, .least = 6, .now_ns = 1000, .until_ns = 1000},
         {.count = 6, .least = 6, .now_ns = 999, .until_ns = 1000}},
        {"time",
         NULL,
         STATUS_OK,
         {.count = 6, .least = 6, .now_ns = 1000, .until_ns = 1000},
         {.count = 5, .least = 6, .now_ns = 1000, .until_ns = 1000}},
        {"timeout",
         NULL,
         STATUS_OK, /* samples: to the end */
         {.count = 1, .least = 6, .now_ns = 1000, .until_ns = 1, .end_ns = 1000},
         {.count = 1, .least = 6, .now_ns = 999, .until_ns = 1, .end_ns = 1000}},
        {"timeout",
         NULL,
         STATUS_OK, /* rounds: while another fits, and a quarter more */
         {.now_ns = 500, .end_ns = 1000, .longest_ns = 400},
         {.now_ns = 499, .end_ns = 1000, .longest_ns = 400}},
        {"precise",
         NULL,
         STATUS_OK,
         {.count = 7, .settled = 7, .precise = true},
         {.count = 7, .settled = 7, .precise = false}},
        {"precise",
         NULL,
         STATUS_OK,
         {.count = 7, .settled = 7, .precise = true},
         {.count = 6, .settled = 7, .precise = true}},
        {"precise",
         NULL,
         STATUS_OK,
         {.now_ns = 40, .settled_ns = 40, .precise = true},
         {.now_ns = 39, .settled_ns = 40, .precise = true}},
        {"stable",
         NULL,
         STATUS_OK,
         {.batches = 4, .noise_mean = 100, .noise_stddev = 5},
         {.batches = 4, .noise_mean = 100, .noise_stddev = 5.1}},
        {"stable",
         NULL,
         STATUS_OK,
         {.batches = 4, .noise_mean = 100, .noise_stddev = 5},
         {.batches = 3, .noise_mean = 100, .noise_stddev = 5}},
        {"stable",
         NULL,
         STATUS_OK,
         {.batches = 4, .count = 7, .settled = 7, .noise_mean = 100},
         {.batches = 4, .count = 6, .settled = 7, .noise_mean = 100}},
    };
    static const char *const rules[] = {
#define RULE(name, status, condition, meaning) #name,
#define WHOLE(name, value, reason)
#define REAL(name, value, reason)
#include "base/stop_rules.def"
#undef RULE
#undef WHOLE
#undef REAL
    };
    bool seen[COUNT(rules)] = {false};
    for (size_t i = 0; i < COUNT(rows); i++) {
        enum status status;
        CU_ASSERT_STRING_EQUAL(ended_by(rows[i].before, &status), rows[i].before_rule ? rows[i].before_rule : "");
        CU_ASSERT_STRING_EQUAL(ended_by(rows[i].at, &status), rows[i].rule);
        CU_ASSERT_EQUAL(status, rows[i].status);
        for (size_t k = 0; k < COUNT(rules); k++)
            seen[k] |= strcmp(rules[k], rows[i].rule) == 0;
    }
    for (size_t k = 0; k < COUNT(rules); k++)
        CU_ASSERT_STRING_EQUAL(seen[k] ? rules[k] : "a rule without a row", rules[k]);
}

/* Half the interval over the median, against the requested part of it. */
static void precision(void)
{
    static const struct {
        double low, high, median;
        bool precise;
    } rows[] = {{995, 1005, 1000, true}, {995, 1005.1, 1000, false}, {1000, 1010, 1000, true}, {7, 7, 7, true}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct interval interval = {rows[i].low, rows[i].high};
        CU_ASSERT_EQUAL(stop_rules_precise(0.005, interval, rows[i].median), rows[i].precise);
    }
}

CU_TestInfo tests_stop_rules[] = {{"edges", edges}, {"precision", precision}, CU_TEST_INFO_NULL};
