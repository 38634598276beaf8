/* The text of a fit's quality and region in a row. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "fit/fit.h"

static void test_quality(void)
{
    static const struct {
        struct fit fit;
        double held_of[3];
        bool probed[3];
        const char *text;
    } rows[] = {
        {{.size_count = 3,
          .table_sizes = 3,
          .sample = {0.98765, 0.9, 0.8},
          .held = {0.97, 0.89, 0.79},
          .worst_percent = 4.75,
          .taken_percent = 60.5,
          .limit_percent = 5},
         {0.98, NAN, 1},
         {false, false, false},
         "sizes=3 mean=0.9877 fifth=0.9 worst=0.8 held_mean=0.97 held_fifth=0.89 held_worst=0.79 loss_percent=4.75 "
         "taken_percent=60.5 limit_percent=5 held=0.98/-/1"},
        /* Probed sizes are never in the list. */
        {{.size_count = 1,
          .probed_count = 2,
          .table_sizes = 3,
          .sample = {1, 1, 1},
          .held = {1, 1, 0.5},
          .worst_percent = 0,
          .limit_percent = 2.5},
         {NAN, 0.5, NAN},
         {true, false, true},
         "sizes=1 probed=2 mean=1 fifth=1 worst=1 held_mean=1 held_fifth=1 held_worst=0.5 loss_percent=0 "
         "taken_percent=0 limit_percent=2.5 held=0.5"},
        /* Too few for holding out. */
        {{.size_count = 2,
          .table_sizes = 2,
          .sample = {1, 1, 1},
          .held = {NAN, NAN, NAN},
          .worst_percent = INFINITY,
          .taken_percent = INFINITY,
          .limit_percent = 5},
         {NAN, NAN, NAN},
         {false, false, false},
         "sizes=2 mean=1 fifth=1 worst=1 limit_percent=5"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text text = {0};
        struct fit fit = rows[i].fit;
        fit.held_of = rows[i].held_of;
        fit.probed = rows[i].probed;
        fit_quality_text(&fit, &text);
        CU_ASSERT_STRING_EQUAL(text_string(&text), rows[i].text);
        text_free(&text);
    }
}

static void test_region(void)
{
    static const struct {
        struct size_fit sizes;
        const char *text;
    } rows[] = {
        {{.size_count = 1, .sizes = {{.name = "N", .least = -3, .most = INT64_MAX}}}, "N=-3..9223372036854775807"},
        {{.size_count = 2,
          .sizes = {{.name = "ROWS", .least = 64, .most = 128}, {.name = "COLS", .least = 1, .most = 1}}},
         "ROWS=64..128 COLS=1..1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text text = {0};
        struct size_fit sizes = rows[i].sizes;
        const struct fit fit = {.sizes = &sizes};
        fit_region_text(&fit, &text);
        CU_ASSERT_STRING_EQUAL(text_string(&text), rows[i].text);
        text_free(&text);
    }
}

CU_TestInfo tests_fit_text[] = {{"quality", test_quality}, {"region", test_region}, CU_TEST_INFO_NULL};
