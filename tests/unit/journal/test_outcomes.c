/* The outcome of several rows of one configuration; tests/unit/run/test_readers.c tests how readers use it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "journal/outcomes.h"

static struct measurement row(enum status status, double value)
{
    struct measurement measurement = measurement_unknown(status);
    measurement.value = value;
    measurement.low = 0.99 * value;
    measurement.high = 1.01 * value;
    return measurement;
}

static void add(struct outcomes *outcomes, uint64_t key, uint64_t duplicate, const struct measurement *measurement)
{
    struct error error = {0};
    CU_ASSERT_EQUAL(outcomes_add(outcomes, key, duplicate, measurement, &error), 0);
}

static double time_of(const struct outcomes *outcomes, uint64_t key, enum outcome_part part)
{
    return outcomes_measurement(outcomes, outcomes_find(outcomes, key), part).value;
}

/* Many configurations, each found again, in order of insertion. */
static void holds_many(void)
{
    enum { MANY = 2000 };
    struct outcomes outcomes = {0};
    struct measurement measurement = row(STATUS_OK, 7);
    CU_ASSERT_PTR_NULL(outcomes_find(&outcomes, 1));
    for (uint64_t i = 0; i < MANY; i++) {
        add(&outcomes, i * i, OUTCOME_NO_DUPLICATE, &measurement);
        outcomes_find(&outcomes, i * i)->marks = (unsigned)i;
        const struct outcome *first = outcomes.items; /* they move only when one is added */
        outcomes_get(&outcomes, i * i);
        CU_ASSERT_PTR_EQUAL(outcomes.items, first);
    }
    CU_ASSERT_EQUAL(outcomes.count, MANY);
    for (uint64_t i = 0; i < MANY; i++) {
        CU_ASSERT_EQUAL(outcomes.items[i].key, i * i);
        CU_ASSERT_EQUAL(outcomes_find(&outcomes, i * i)->marks, i);
        CU_ASSERT_PTR_EQUAL(outcomes_get(&outcomes, i * i), &outcomes.items[i]);
    }
    CU_ASSERT_PTR_NULL(outcomes_find(&outcomes, 2));
    struct outcome *fresh = outcomes_get(&outcomes, 2);
    CU_ASSERT_EQUAL(outcomes_class(&outcomes, fresh), OUTCOME_UNKNOWN);
    CU_ASSERT_EQUAL(fresh->duplicate, OUTCOME_NO_DUPLICATE);
    outcomes_free(&outcomes);
    CU_ASSERT_EQUAL(outcomes.count, 0);
}

static void classes(void)
{
    static const struct {
        enum status status;
        double value;
        enum outcome_class class;
    } cases[] = {{STATUS_OK, 5, OUTCOME_TIMED},        {STATUS_DUPLICATE, 5, OUTCOME_TIMED},
                 {STATUS_SLOWER, 5, OUTCOME_CENSORED}, {STATUS_OK, NAN, OUTCOME_FAILED},
                 {STATUS_SLOWER, NAN, OUTCOME_FAILED}, {STATUS_TIMEOUT, NAN, OUTCOME_FAILED},
                 {STATUS_CRASHED, 5, OUTCOME_FAILED},  {STATUS_COMPILE_ERROR, NAN, OUTCOME_FAILED}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct outcomes outcomes = {0};
        struct measurement measurement = row(cases[i].status, cases[i].value);
        CU_ASSERT_EQUAL(measurement_class(&measurement), cases[i].class);
        add(&outcomes, 3, OUTCOME_NO_DUPLICATE, &measurement);
        CU_ASSERT_EQUAL(outcomes_class(&outcomes, outcomes_find(&outcomes, 3)), cases[i].class);
        CU_ASSERT(!outcomes_find(&outcomes, 3)->broken);
        outcomes_free(&outcomes);
    }
}

/* The search's time and the play-off's coexist until a failure ends both. */
static void plays_and_breaks(void)
{
    struct outcomes outcomes = {0};
    struct measurement searched = row(STATUS_OK, 100), final = row(STATUS_OK, 110), slower = row(STATUS_OK, 200);
    struct measurement failed = row(STATUS_CRASHED, NAN), again = row(STATUS_OK, 105);
    searched.proposer = PROPOSER_WARM_START;
    final.playoff = PLAYOFF_LEADER;
    add(&outcomes, 1, OUTCOME_NO_DUPLICATE, &searched);
    CU_ASSERT(!outcomes_has_final(&outcomes, outcomes_find(&outcomes, 1)));
    add(&outcomes, 1, OUTCOME_NO_DUPLICATE, &final);
    CU_ASSERT(outcomes_has_final(&outcomes, outcomes_find(&outcomes, 1)));
    CU_ASSERT_EQUAL(time_of(&outcomes, 1, OUTCOME_OF_SEARCH), 100);
    CU_ASSERT_EQUAL(time_of(&outcomes, 1, OUTCOME_KNOWN_AS), 110);
    CU_ASSERT_EQUAL(outcomes_measurement(&outcomes, outcomes_find(&outcomes, 1), OUTCOME_KNOWN_AS).proposer,
                    PROPOSER_WARM_START);
    add(&outcomes, 2, OUTCOME_NO_DUPLICATE, &slower);
    add(&outcomes, 2, OUTCOME_NO_DUPLICATE, &failed);
    add(&outcomes, 1, OUTCOME_NO_DUPLICATE, &failed);
    CU_ASSERT(outcomes_find(&outcomes, 1)->broken);
    CU_ASSERT(!outcomes_has_final(&outcomes, outcomes_find(&outcomes, 1)));
    CU_ASSERT_EQUAL(outcomes_class(&outcomes, outcomes_find(&outcomes, 1)), OUTCOME_FAILED);
    /* The newest measurement wins. */
    add(&outcomes, 1, OUTCOME_NO_DUPLICATE, &again);
    CU_ASSERT_EQUAL(time_of(&outcomes, 1, OUTCOME_KNOWN_AS), 105);
    /* Some journals contain only their play-off. */
    add(&outcomes, 3, OUTCOME_NO_DUPLICATE, &final);
    CU_ASSERT_EQUAL(time_of(&outcomes, 3, OUTCOME_OF_SEARCH), 110);
    outcomes_free(&outcomes);
}

/* The best possible value of a censored configuration, and the values that it is worse than. */
static void bounds(void)
{
    static const struct {
        double value;
        uint32_t samples;
        double bound;
        double counts, counts_not; /* values that are certainly better, and not */
    } cases[] = {{1000, 7, 990, 989, 990}, {1000, 2, 990 / 1.25, 791, 792}, {NAN, 7, NAN, NAN, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct measurement bound = row(STATUS_SLOWER, cases[i].value);
        bound.samples = cases[i].samples;
        if (!isnan(cases[i].value)) {
            CU_ASSERT_DOUBLE_EQUAL(outcomes_censored_end(&bound), cases[i].bound, 1e-9);
        } else {
            CU_ASSERT(isnan(outcomes_censored_end(&bound)));
        }
        CU_ASSERT_EQUAL(outcomes_censored_counts(&bound, cases[i].counts), !isnan(cases[i].value));
        CU_ASSERT(!outcomes_censored_counts(&bound, cases[i].counts_not));
    }
    struct measurement bare = row(STATUS_SLOWER, 1000); /* from another tool */
    bare.samples = 7;
    bare.low = bare.high = NAN;
    CU_ASSERT_EQUAL(outcomes_censored_end(&bare), 1000);
}

static void a_bound_replaces_no_time(void)
{
    struct measurement timed = row(STATUS_OK, 100), bound = row(STATUS_SLOWER, 110), failed = row(STATUS_CRASHED, NAN);
    for (int order = 0; order < 2; order++) {
        struct outcomes outcomes = {0};
        add(&outcomes, 1, OUTCOME_NO_DUPLICATE, order ? &timed : &bound);
        add(&outcomes, 1, OUTCOME_NO_DUPLICATE, order ? &bound : &timed);
        CU_ASSERT_EQUAL(outcomes_class(&outcomes, outcomes_find(&outcomes, 1)), OUTCOME_TIMED);
        CU_ASSERT_EQUAL(time_of(&outcomes, 1, OUTCOME_KNOWN_AS), 100);
        add(&outcomes, 1, OUTCOME_NO_DUPLICATE, &failed);
        CU_ASSERT(outcomes_find(&outcomes, 1)->broken);
        add(&outcomes, 1, OUTCOME_NO_DUPLICATE, &bound);
        CU_ASSERT_EQUAL(outcomes_class(&outcomes, outcomes_find(&outcomes, 1)), OUTCOME_CENSORED);
        outcomes_free(&outcomes);
    }
}

/* The interval of a configuration stopped after more than two samples shows the device's speed. */
static void sessions_of_bounds(void)
{
    static const struct {
        uint32_t samples;
        double again;
        bool changed;
    } cases[] = {{7, 10300, false}, {7, 20000, true}, {7, 5000, true}, {2, 5000, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct outcomes outcomes = {0};
        struct measurement bound = row(STATUS_SLOWER, 10000), again = row(STATUS_OK, cases[i].again);
        bound.samples = cases[i].samples;
        again.proposer = PROPOSER_RESUME;
        add(&outcomes, 1, OUTCOME_NO_DUPLICATE, &bound);
        add(&outcomes, 1, OUTCOME_NO_DUPLICATE, &again);
        CU_ASSERT_EQUAL(outcomes.session_count == 2, cases[i].changed);
        CU_ASSERT_EQUAL(time_of(&outcomes, 1, OUTCOME_OF_SEARCH), cases[i].again);
        outcomes_free(&outcomes);
    }
}

static void duplicates(void)
{
    struct outcomes outcomes = {0};
    struct arena arena = {0};
    struct measurement original = row(STATUS_OK, 100), duplicate = row(STATUS_DUPLICATE, 100),
                       last = row(STATUS_DUPLICATE, 100);
    struct measurement failed = row(STATUS_WRONG_RESULT, NAN), final = row(STATUS_OK, 111);
    final.playoff = PLAYOFF_LEADER;
    measurement_explain(&failed, "out differs");
    measurement_explain_duplicate(&duplicate, "A=1", "");
    measurement_explain_duplicate(&last, "A=2", "");
    duplicate.compile_ns = 77;
    final.measure_ns = 88;
    duplicate.discarded = 2;
    duplicate.proposer = PROPOSER_DEFAULT;
    add(&outcomes, 3, 2, &last);
    add(&outcomes, 2, 1, &duplicate);
    CU_ASSERT_EQUAL(outcomes_original(&outcomes, outcomes_find(&outcomes, 3), OUTCOME_OF_SEARCH)->key, 2);
    add(&outcomes, 1, 1, &original); /* a configuration cannot be its own duplicate */
    add(&outcomes, 1, OUTCOME_NO_DUPLICATE, &final);
    CU_ASSERT_EQUAL(outcomes_original(&outcomes, outcomes_find(&outcomes, 3), OUTCOME_OF_SEARCH)->key, 1);
    struct measurement known = outcomes_measurement(&outcomes, outcomes_find(&outcomes, 2), OUTCOME_KNOWN_AS);
    CU_ASSERT_EQUAL(known.status, STATUS_DUPLICATE);
    CU_ASSERT_EQUAL(known.value, 111);
    CU_ASSERT_EQUAL(known.playoff, PLAYOFF_NONE);
    CU_ASSERT_EQUAL(known.compile_ns, 77);
    CU_ASSERT_EQUAL(known.measure_ns, -1);
    CU_ASSERT_EQUAL(known.discarded, 2);
    CU_ASSERT_EQUAL(known.proposer, PROPOSER_DEFAULT);
    CU_ASSERT_STRING_EQUAL(known.message, "the same machine code and launch as A=1");
    CU_ASSERT_EQUAL(time_of(&outcomes, 3, OUTCOME_OF_SEARCH), 100);
    CU_ASSERT_EQUAL(time_of(&outcomes, 3, OUTCOME_KNOWN_AS), 111);
    add(&outcomes, 1, OUTCOME_NO_DUPLICATE, &failed);
    known = outcomes_measurement(&outcomes, outcomes_find(&outcomes, 3), OUTCOME_KNOWN_AS);
    CU_ASSERT_EQUAL(known.status, STATUS_WRONG_RESULT);
    CU_ASSERT_STRING_EQUAL(known.message, "the same machine code and launch as A=2: out differs");
    CU_ASSERT_EQUAL(outcomes_class(&outcomes, outcomes_find(&outcomes, 3)), OUTCOME_FAILED);
    /* A complete row is returned without a copy. */
    CU_ASSERT_PTR_EQUAL(outcomes_view(&outcomes, outcomes_find(&outcomes, 1), OUTCOME_KNOWN_AS, &arena), &failed);
    CU_ASSERT_EQUAL(outcomes_view(&outcomes, outcomes_find(&outcomes, 3), OUTCOME_KNOWN_AS, &arena)->status,
                    STATUS_WRONG_RESULT);
    arena_free(&arena);
    outcomes_free(&outcomes);
}

/* The best configuration remeasured: within its reach the device is unchanged; beyond it, earlier times are scaled,
 * failures included. */
static void sessions(void)
{
    static const struct {
        double again_ns;
        bool changed;
    } cases[] = {{10000, false}, {10300, false}, {10600, true}, {9700, false},
                 {9400, true},   {20000, true},  {5000, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct outcomes outcomes = {0};
        struct measurement best = row(STATUS_OK, 10000), other = row(STATUS_OK, 11000),
                           bound = row(STATUS_SLOWER, 30000);
        struct measurement final = row(STATUS_OK, 10100), again = row(STATUS_OK, cases[i].again_ns),
                           wrong = row(STATUS_OK, 40);
        struct measurement failed = row(STATUS_CRASHED, NAN);
        double ratio = cases[i].changed ? cases[i].again_ns / 10000 : 1;
        other.run_ns = 22000;
        final.playoff = PLAYOFF_LEADER;
        again.proposer = PROPOSER_RESUME;
        add(&outcomes, 1, OUTCOME_NO_DUPLICATE, &best);
        add(&outcomes, 2, OUTCOME_NO_DUPLICATE, &other);
        add(&outcomes, 3, OUTCOME_NO_DUPLICATE, &bound);
        add(&outcomes, 4, OUTCOME_NO_DUPLICATE, &wrong);
        add(&outcomes, 4, OUTCOME_NO_DUPLICATE, &failed);
        add(&outcomes, 2, OUTCOME_NO_DUPLICATE, &final);
        add(&outcomes, 1, OUTCOME_NO_DUPLICATE, &again);
        CU_ASSERT_DOUBLE_EQUAL(time_of(&outcomes, 1, OUTCOME_OF_SEARCH), cases[i].again_ns, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(time_of(&outcomes, 2, OUTCOME_OF_SEARCH), ratio * 11000, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(time_of(&outcomes, 2, OUTCOME_KNOWN_AS), ratio * 10100, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(time_of(&outcomes, 3, OUTCOME_KNOWN_AS), ratio * 30000, 1e-6);
        CU_ASSERT_EQUAL(outcomes_has_final(&outcomes, outcomes_find(&outcomes, 2)), !cases[i].changed);
        const struct measurement scaled =
            outcomes_measurement(&outcomes, outcomes_find(&outcomes, 2), OUTCOME_OF_SEARCH);
        CU_ASSERT_DOUBLE_EQUAL(scaled.run_ns, ratio * 22000, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(scaled.low / scaled.value, 0.99, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(scaled.high / scaled.value, 1.01, 1e-9);
        outcomes_free(&outcomes);
    }
}

/* 2% and 100 ns of a run beyond the worse end of the interval; per unit of work, the same divided by the work. */
static void reach(void)
{
    struct measurement run = row(STATUS_OK, 10000), unit = row(STATUS_OK, 10000);
    measurement_per_work(&unit, &(struct work_amounts){1000, NAN, NAN});
    CU_ASSERT_DOUBLE_EQUAL(outcomes_reach(&run), 1.02 * 10100 + 100, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(outcomes_reach(&unit), outcomes_reach(&run) / 1000, 1e-9);
}

/* `resume` rows that no run writes: of configurations without a time, or with absurd times again and again. */
static void wild_sessions(void)
{
    struct outcomes outcomes = {0};
    struct measurement rows[100], failed = row(STATUS_CRASHED, NAN), slow = row(STATUS_OK, 1e18),
                                  fast = row(STATUS_OK, 1e-9);
    slow.proposer = fast.proposer = PROPOSER_RESUME;
    add(&outcomes, 1, OUTCOME_NO_DUPLICATE, &slow);
    add(&outcomes, 2, OUTCOME_NO_DUPLICATE, &failed);
    add(&outcomes, 2, OUTCOME_NO_DUPLICATE, &slow);
    CU_ASSERT_EQUAL(outcomes.session_count, 0);
    for (size_t i = 0; i < 100; i++) {
        rows[i] = i % 2 ? fast : slow;
        rows[i].value = i % 2 ? 1 : 1e18;
        add(&outcomes, i % 2, OUTCOME_NO_DUPLICATE, &rows[i]);
    }
    for (size_t i = 0; i < outcomes.count; i++) {
        double value = time_of(&outcomes, outcomes.items[i].key, OUTCOME_KNOWN_AS);
        CU_ASSERT(value > 0 && isfinite(value));
    }
    outcomes_free(&outcomes);
}

/* Times, costs, and ties. */
static void chooses_the_cheapest_of_a_tie(void)
{
    enum { FINALS = 3 };
    static const struct {
        struct {
            double value, low, high;
            int64_t registers, shared_bytes;
            enum playoff playoff;
        } finals[FINALS];
        size_t winner, tied;
        size_t incumbent; /* its place + 1; 0: none */
    } cases[] = {
        {{{10, 9, 11, 40, 0, PLAYOFF_LEADER}, {11, 10, 12, 20, 0, PLAYOFF_LOST}, {12, 11, 13, 10, 0, PLAYOFF_LOST}},
         0,
         0,
         0},
        {{{10, 9, 11, 40, 0, PLAYOFF_LEADER}, {11, 10, 12, 20, 0, PLAYOFF_TIED}, {12, 11, 13, 10, 0, PLAYOFF_LOST}},
         1,
         2,
         0},
        {{{10, 9, 11, 40, 0, PLAYOFF_LEADER}, {10, 9, 12, 40, 0, PLAYOFF_TIED}, {12, 11, 13, 50, 0, PLAYOFF_TIED}},
         0,
         3,
         0},
        {{{11, 9, 11, 40, 64, PLAYOFF_TIED}, {10, 9, 12, 40, 128, PLAYOFF_LEADER}, {12, 11, 13, 50, 0, PLAYOFF_LOST}},
         0,
         2,
         0},
        /* an equal median and a lower cost, but it lost */
        {{{10, 9, 11, 40, 0, PLAYOFF_LEADER}, {10, 9, 12, 20, 0, PLAYOFF_LOST}, {12, 11, 13, 10, 0, PLAYOFF_LOST}},
         0,
         0,
         0},
        {{{10, 9, 11, 20, 0, PLAYOFF_LOST}, {10, 9, 12, 40, 0, PLAYOFF_LEADER}, {12, 11, 13, 30, 0, PLAYOFF_TIED}},
         2,
         2,
         0},
        /* the leader has the median of several processes, and the others the times of one, which was faster */
        {{{10, 9.9, 10.1, 20, 0, PLAYOFF_LOST},
          {10.5, 9, 12, 40, 0, PLAYOFF_LEADER},
          {9, 8.9, 9.1, 10, 0, PLAYOFF_UNSTEADY}},
         1,
         0,
         0},
        {{{10, 9, 11, 40, 0, PLAYOFF_LEADER}, {10, 9, 11, 20, 0, PLAYOFF_UNSTEADY}, {11, 10, 12, 30, 0, PLAYOFF_TIED}},
         2,
         2,
         0},
        /* from an earlier play-off, and distinct from today's leader */
        {{{10, 9, 11, 40, 0, PLAYOFF_LEADER}, {12, 11.5, 13, 20, 0, PLAYOFF_LEADER}, {12, 11, 13, 50, 0, PLAYOFF_LOST}},
         0,
         0,
         0},
        /* lost to a leader that is not given; another finalist is tied with it; then that one is missing, too */
        {{{10, 9, 11, 40, 0, PLAYOFF_TIED}, {10.5, 9, 12, 20, 0, PLAYOFF_LOST}, {12, 11.5, 13, 10, 0, PLAYOFF_LOST}},
         0,
         0,
         0},
        {{{10, 9, 11, 40, 0, PLAYOFF_LOST}, {10.5, 9, 12, 20, 0, PLAYOFF_LOST}, {12, 11.5, 13, 10, 0, PLAYOFF_LOST}},
         1,
         2,
         0},
        {{{NAN, NAN, NAN, 40, 0, PLAYOFF_NONE}, {11, 10, 12, 20, 0, PLAYOFF_LEADER}, {12, 11, 13, 10, 0, PLAYOFF_LOST}},
         1,
         0,
         0},
        /* the incumbent wins a tie, whether it is the fastest or needs more registers, and loses otherwise */
        {{{10, 9, 11, 40, 0, PLAYOFF_LEADER}, {11, 10, 12, 20, 0, PLAYOFF_TIED}, {12, 11, 13, 10, 0, PLAYOFF_LOST}},
         0,
         2,
         1},
        {{{10, 9, 11, 10, 0, PLAYOFF_LEADER}, {11, 10, 12, 20, 0, PLAYOFF_TIED}, {12, 10, 13, 90, 0, PLAYOFF_TIED}},
         2,
         3,
         3},
        {{{10, 9, 11, 40, 0, PLAYOFF_LEADER}, {11, 10, 12, 20, 0, PLAYOFF_TIED}, {12, 11, 13, 10, 0, PLAYOFF_LOST}},
         1,
         2,
         3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct measurement finals[FINALS];
        const struct measurement *field[FINALS];
        size_t tied;
        for (size_t k = 0; k < FINALS; k++) {
            struct measurement final = measurement_unknown(STATUS_OK);
            final.value = cases[i].finals[k].value;
            final.low = cases[i].finals[k].low;
            final.high = cases[i].finals[k].high;
            final.registers = cases[i].finals[k].registers;
            final.shared_bytes = cases[i].finals[k].shared_bytes;
            final.playoff = cases[i].finals[k].playoff;
            finals[k] = final;
            field[k] = &finals[k];
        }
        CU_ASSERT_EQUAL(outcomes_winner(field, FINALS, cases[i].incumbent - 1, &tied), cases[i].winner);
        CU_ASSERT_EQUAL(tied, cases[i].tied);
        size_t fastest = outcomes_fastest(field, FINALS);
        CU_ASSERT_FATAL(fastest < FINALS);
        size_t ties = 0;
        for (size_t k = 0; k < FINALS; k++)
            ties += k != fastest && outcomes_tied(field[fastest], field[k]);
        CU_ASSERT_EQUAL(tied, ties ? ties + 1 : 0);
        CU_ASSERT_FALSE(outcomes_tied(field[fastest], NULL));
    }
}

CU_TestInfo tests_outcomes[] = {{"the reach of a play-off", reach},
                                {"many configurations", holds_many},
                                {"the class of a row", classes},
                                {"in the play-off, and broken in it", plays_and_breaks},
                                {"bounds", bounds},
                                {"a bound replaces no time", a_bound_replaces_no_time},
                                {"sessions of bounds", sessions_of_bounds},
                                {"duplicates", duplicates},
                                {"sessions", sessions},
                                {"sessions that no run writes", wild_sessions},
                                {"the cheapest of a tie wins", chooses_the_cheapest_of_a_tie},
                                CU_TEST_INFO_NULL};
