#include "terminal/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "set/valid_set.h"

enum { VALID = 20 };

static void check_line(const struct run_progress *run, bool replay, const char *expected)
{
    static const char text[] = "space 2\nparam A = 1..20\n";
    struct session_subject subject = {0};
    struct space *space;
    struct valid_set *set;
    struct error error = {0};
    struct text line = {0};
    const struct run_event event = {.kind = RUN_PLAN, .progress = run};
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", text, strlen(text), "", &error), 0);
    CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, NULL, &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, space, VALID_SET_DEFAULT_BYTES, &error), 0);
    subject.set = set;
    plan_line(&(struct session_event){.kind = SESSION_RUN, .subject = &subject, .run = &event}, replay, &line);
    if (strcmp(text_string(&line), expected) != 0)
        printf("\n    [%s]\n", text_string(&line));
    CU_ASSERT_STRING_EQUAL(text_string(&line), expected);
    text_free(&line);
    valid_set_free(set);
    space_free(space);
}

static void lines(void)
{
    static const struct {
        struct run_plan plan;
        uint64_t total;
        bool replay;
        const char *line;
    } rows[] = {
        {{&strategy_surrogate, true, 0, 600000000000, NAN, NAN},
         VALID,
         false,
         "evaluating all 20 valid configurations if that takes at most 600 s (--max-time), otherwise searching with "
         "surrogate"},
        {{&strategy_exhaustive, false, 0, 0, NAN, NAN}, VALID, false, "evaluating all 20 valid configurations"},
        {{&strategy_exhaustive, false, 0, 0, 71.51, NAN},
         VALID,
         false,
         "evaluating all 20 valid configurations: about 72 s"},
        {{&strategy_exhaustive, false, 7, 2500000000, 0.49, NAN},
         VALID,
         false,
         "evaluating all 20 valid configurations (7 of them in the journal): less than 1 s"},
        {{&strategy_exhaustive, false, 7, 2500000000, 2.5, NAN},
         VALID,
         true,
         "evaluating all 20 valid configurations (7 of them in the journal): about 3 s of recorded time"},
        {{&strategy_exhaustive, false, 0, 2500000000, NAN, NAN},
         VALID,
         false,
         "evaluating all 20 valid configurations for at most 2.5 s (--max-time)"},
        {{&strategy_exhaustive, false, 0, 2500000000, 2.51, NAN},
         VALID,
         false,
         "evaluating all 20 valid configurations would take about 3 s: searching with exhaustive for at most 2.5 s "
         "(--max-time)"},
        {{&strategy_surrogate, false, 0, 600000000000, 601, NAN},
         VALID,
         true,
         "evaluating all 20 valid configurations would take about 10 min of recorded time: searching with surrogate "
         "for at most 600 s (--max-time)"},
        {{&strategy_surrogate, false, 0, 600000000000, NAN, NAN},
         VALID,
         false,
         "searching 20 valid configurations with surrogate for at most 600 s (--max-time)"},
        {{&strategy_random, false, 0, 0, NAN, NAN}, VALID, false, "searching 20 valid configurations with random"},
        {{&strategy_random, false, 0, 0, 598, NAN},
         VALID,
         false,
         "evaluating all 20 valid configurations: about 600 s"},
        {{&strategy_surrogate, false, 0, 0, NAN, NAN},
         19,
         false,
         "searching 20 valid configurations with surrogate, 19 evaluations"},
        {{&strategy_exhaustive, false, 3, 60000000000, 12.3, NAN},
         19,
         false,
         "19 evaluations (3 of them in the journal): about 12 s"},
        {{&strategy_surrogate, false, 3, 60000000000, 36000, NAN},
         19,
         false,
         "19 evaluations (3 of them in the journal) would take about 10 h: searching with surrogate for at most 60 s "
         "(--max-time)"},
        {{&strategy_surrogate, false, 0, 60000000000, 1.234e9, NAN},
         19,
         false,
         "19 evaluations would take about 14000 days: searching with surrogate for at most 60 s (--max-time)"},
        {{&strategy_exhaustive, false, 19, 0, 12.3, NAN},
         19,
         false,
         "nothing is left to evaluate: the journal has 19 evaluations"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_line(&(struct run_progress){.plan = rows[i].plan, .total = rows[i].total}, rows[i].replay, rows[i].line);
}

/* The play-off follows the limit that was set. A replay does not measure. */
static void playoffs(void)
{
    static const struct {
        bool open, replay;
        int64_t announced_ns;
        const char *line;
    } rows[] = {
        {false, false, 2250000000,
         "searching 20 valid configurations with surrogate for at most 14 s (--max-time), then a play-off of about "
         "2.2 s"},
        {true, false, 500000000,
         "evaluating all 20 valid configurations if that takes at most 14 s (--max-time), otherwise searching with "
         "surrogate, then a play-off of about 0.5 s"},
        {false, false, 0, "searching 20 valid configurations with surrogate for at most 14 s (--max-time)"},
        {false, true, 2250000000, "searching 20 valid configurations with surrogate for at most 14 s (--max-time)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_line(&(struct run_progress){.plan = {.strategy = &strategy_surrogate,
                                                   .open = rows[i].open,
                                                   .limit_ns = 14000000000,
                                                   .whole_s = NAN},
                                          .total = VALID,
                                          .announced_ns = rows[i].announced_ns},
                   rows[i].replay, rows[i].line);
}

CU_TestInfo tests_plan[] = {{"a plan as a line", lines}, {"play-offs", playoffs}, CU_TEST_INFO_NULL};
