#include "session/conditions.h"

#include <string.h>

#include <CUnit/Basic.h>

/* as earlier versions wrote it, whose times contained the events */
#define EARLIER  "cache=cold samples=128 confidence=0.95 target-interval=0.5 timeout=30 min-occupancy=0"
#define DEFAULTS EARLIER " events=excluded"

/* Writing reproduces the text read. */
static void reads_what_it_writes(void)
{
    static const struct {
        const char *text, *expected; /* expected NULL: an error */
    } rows[] = {
        {DEFAULTS, DEFAULTS},
        {"", DEFAULTS},
        {EARLIER, DEFAULTS},
        {EARLIER " state=sustained", EARLIER " state=sustained events=excluded"},
        {"cache=warm samples=7 confidence=0.8125 target-interval=2.5 timeout=0.25 min-occupancy=0.125",
         "cache=warm samples=7 confidence=0.8125 target-interval=2.5 timeout=0.25 min-occupancy=0.125 events=excluded"},
        {"  min-occupancy=0.5   samples=9  ",
         "cache=cold samples=9 confidence=0.95 target-interval=0.5 timeout=30 min-occupancy=0.5 events=excluded"},
        {"unknown=1 sample=2 sampless=3 samples samples=", DEFAULTS},
        {"samples=1", NULL},
        {"cache=hot", NULL},
        {"timeout=soon", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct conditions conditions;
        struct arena arena = {0};
        struct text text = {0};
        struct error error = {0};
        int code = conditions_read(&conditions, &arena, rows[i].text, &error);
        CU_ASSERT_EQUAL(code, rows[i].expected ? 0 : ERROR_USAGE);
        CU_ASSERT_EQUAL((int)error.code, code);
        if (!code) {
            conditions_text(&conditions, &text);
            CU_ASSERT_STRING_EQUAL(text_string(&text), rows[i].expected);
        }
        text_free(&text);
        arena_free(&arena);
    }
}

/* Checks the samples against the confidence. */
static void checks_samples(void)
{
    static const struct {
        int64_t samples;
        double confidence;
        bool enough;
    } rows[] = {{6, 0.95, false}, {7, 0.95, true}, {8, 0.99, false}, {9, 0.99, true}, {128, 0.95, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct conditions conditions = {.samples = rows[i].samples, .confidence = rows[i].confidence};
        struct error error = {0};
        CU_ASSERT_EQUAL(conditions_check(&conditions, &error), rows[i].enough ? 0 : ERROR_USAGE);
        CU_ASSERT_EQUAL(strncmp(error.message, "--samples: ", 11) == 0, !rows[i].enough);
    }
}

CU_TestInfo tests_conditions[] = {{"reads what it writes", reads_what_it_writes},
                                  {"checks samples against the confidence", checks_samples},
                                  CU_TEST_INFO_NULL};
