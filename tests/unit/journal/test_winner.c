/* The finalists of a play-off, its winner, and the winner's row. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "journal/winner.h"

enum { PLACES = 8, MARK = 4 };
static const int backwards_reader = 0;

static void picks(void)
{
    /* By key: time (0: failed; negative: censored), key of the duplicate + 1, marked. */
    static const struct {
        struct {
            double value;
            int duplicate;
            bool unmarked;
        } of[PLACES];
        size_t most;
        const char *expected;
    } cases[] = {
        {{{10000, 0, 0}, {9990, 0, 0}, {10020, 0, 0}, {20000, 0, 0}}, 8, "1 0 2"},
        {{{10000, 0, 0}, {9990, 0, 0}, {10020, 0, 0}, {9980, 0, 0}}, 2, "3 1"},
        {{{10000, 0, 0}, {9990, 0, 0}}, 0, ""},
        {{{10000, 0, 0}, {0, 0, 0}, {-9000, 0, 0}, {9000, 0, true}}, 8, "0"},
        /* the original represents its duplicates if it is marked */
        {{{10000, 2, 0}, {10000, 0, 0}, {10000, 2, 0}}, 8, "1"},
        {{{10000, 2, 0}, {10000, 0, true}, {10000, 2, 0}, {10010, 0, 0}}, 8, "0 3"},
        {{{0, 0, 0}, {10010, 0, 0}, {10000, 8, 0}, {10000, 8, 0}, {10005, 7, 0}}, 8, "2 1"},
        /* the second duplicate is not better; the third does not make room for another */
        {{{10005, 0, 0}, {10000, 8, 0}, {10001, 0, 0}, {10000, 8, 0}, {10002, 0, 0}}, 3, "1 2 4"},
        /* a duplicate of a failed original has failed */
        {{{10000, 2, 0}, {0, 0, 0}, {12000, 0, 0}}, 8, "2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct outcomes outcomes = {0};
        struct measurement measurements[PLACES];
        struct error error = {0};
        uint64_t keys[PLACES];
        char found[64] = "";
        for (uint64_t k = 0; k < PLACES; k++) {
            double value = fabs(cases[i].of[k].value);
            int duplicate = cases[i].of[k].duplicate;
            measurements[k] = measurement_unknown(cases[i].of[k].value < 0 ? STATUS_SLOWER
                                                  : value > 0              ? STATUS_OK
                                                                           : STATUS_CRASHED);
            if (value > 0) {
                measurements[k].value = value;
                measurements[k].low = 0.99 * value;
                measurements[k].high = 1.01 * value;
            }
            if (k == 7) /* some originals are missing */
                continue;
            CU_ASSERT_EQUAL(outcomes_add(&outcomes, k, duplicate ? (uint64_t)duplicate - 1 : OUTCOME_NO_DUPLICATE,
                                         &measurements[k], &error),
                            0);
            outcomes_find(&outcomes, k)->marks = cases[i].of[k].unmarked ? 2 : MARK;
        }
        size_t count = winner_finalists(&outcomes, MARK, cases[i].most, keys);
        for (size_t k = 0; k < count; k++)
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s%d", k ? " " : "", (int)keys[k]);
        CU_ASSERT_STRING_EQUAL(found, cases[i].expected);
        outcomes_free(&outcomes);
    }
}

/* Configurations in the order of their keys. */
static void wins(void)
{
    /* By key: time of the search (0: failed), time of the play-off (0: none), registers, marked. */
    static const struct {
        struct {
            double value, final;
            enum playoff playoff;
            int64_t registers;
            bool unmarked;
            double prior_runs; /* 0: unknown */
            bool incumbent;    /* of the play-off */
        } of[PLACES];
        bool found;
        uint64_t key;
        double value;
        size_t finalists, tied;
        double default_value;           /* of key 1 */
        enum incumbent_verdict verdict; /* if key 3 is the incumbent */
        double ratio;
    } cases[] = {
        {{{.value = 0}}, .found = false},
        {{{.value = 10000}, {.value = 9990}, {.value = 10020}}, true, 1, 9990, 0, 0, 9990, INCUMBENT_NONE, 0},
        /* equal times: fewer registers, then the first in order */
        {{{.value = 10000, .registers = 40}, {.value = 10000, .registers = 30}, {.value = 10000, .registers = 30}},
         true,
         1,
         10000,
         0,
         0,
         10000,
         INCUMBENT_NONE,
         0},
        /* the play-off decides, its times count, including the default's; configurations out of reach take no part */
        {{{.value = 10000, .final = 10100, .playoff = PLAYOFF_LOST},
          {.value = 13000, .final = 12900, .playoff = PLAYOFF_LOST},
          {.value = 10010, .final = 10050, .playoff = PLAYOFF_LEADER}},
         true,
         2,
         10050,
         2,
         0,
         12900,
         INCUMBENT_NONE,
         0},
        {{{.value = 10000, .final = 10055, .playoff = PLAYOFF_TIED, .registers = 20},
          {.value = 10005},
          {.value = 10010, .final = 10050, .playoff = PLAYOFF_LEADER, .registers = 30}},
         true,
         0,
         10055,
         2,
         2,
         10005,
         INCUMBENT_NONE,
         0},
        /* among the tied, the best on other devices; an earlier time of the search has no efficiency */
        {{{.value = 10000, .final = 10055, .playoff = PLAYOFF_TIED, .registers = 20, .prior_runs = 0.9},
          {.value = 10005, .final = 10052, .playoff = PLAYOFF_TIED, .registers = 40, .prior_runs = 0.99},
          {.value = 10010, .final = 10050, .playoff = PLAYOFF_LEADER, .registers = 30, .prior_runs = 0.98},
          {.value = 10010, .final = 10090, .playoff = PLAYOFF_LOST, .registers = 10, .prior_runs = 1}},
         true,
         1,
         10052,
         4,
         3,
         10052,
         INCUMBENT_REPLACED,
         0},
        /* the fastest of the search took no part: a later search found it */
        {{{.value = 9000},
          {.value = 10000, .final = 10000, .playoff = PLAYOFF_LOST},
          {.value = 10010, .final = 9999, .playoff = PLAYOFF_LEADER}},
         true,
         0,
         9000,
         0,
         0,
         10000,
         INCUMBENT_NONE,
         0},
        /* only marked outcomes count */
        {{{.value = 9000, .final = 8000, .playoff = PLAYOFF_LEADER, .unmarked = true},
          {.value = 0},
          {.value = 10010, .final = 10000, .playoff = PLAYOFF_LEADER},
          {.value = 10000, .final = 10100, .playoff = PLAYOFF_LOST}},
         true,
         2,
         10000,
         2,
         0,
         0,
         INCUMBENT_REPLACED,
         0},
        /* the incumbent plays even if it is out of reach: the fastest, tied, or replaced */
        {{{.value = 10000, .final = 10000, .playoff = PLAYOFF_LOST},
          {.value = 0},
          {.value = 10000, .final = 10010, .playoff = PLAYOFF_LOST},
          {.value = 13000, .final = 9500, .playoff = PLAYOFF_LEADER, .incumbent = true}},
         true,
         3,
         9500,
         3,
         0,
         0,
         INCUMBENT_HOLDS,
         0.95},
        {{{.value = 10000, .final = 10000, .playoff = PLAYOFF_LEADER, .registers = 10, .prior_runs = 1},
          {.value = 0},
          {.value = 0},
          {.value = 13000, .final = 10010, .playoff = PLAYOFF_TIED, .registers = 90, .incumbent = true}},
         true,
         3,
         10010,
         2,
         2,
         0,
         INCUMBENT_TIED,
         1.001},
        {{{.value = 10000, .final = 10000, .playoff = PLAYOFF_LEADER},
          {.value = 0},
          {.value = 0},
          {.value = 10000, .final = 11000, .playoff = PLAYOFF_LOST, .incumbent = true}},
         true,
         0,
         10000,
         2,
         0,
         0,
         INCUMBENT_REPLACED,
         1.1},
        {{{.value = 0}, {.value = 0}, {.value = 0}, {.value = 10000, .final = 11000, .incumbent = true}},
         true,
         3,
         11000,
         1,
         0,
         0,
         INCUMBENT_HOLDS,
         0},
        /* one that has lost may have a shorter time, of one process */
        {{{.value = 10000, .final = 9990, .playoff = PLAYOFF_LOST},
          {.value = 0},
          {.value = 10000, .final = 10010, .playoff = PLAYOFF_TIED},
          {.value = 10000, .final = 10000, .playoff = PLAYOFF_LEADER, .incumbent = true}},
         true,
         3,
         10000,
         3,
         2,
         0,
         INCUMBENT_TIED,
         10000.0 / 10010},
        /* not in the play-off, or outside of the reader's set */
        {{{.value = 10000, .final = 10000, .playoff = PLAYOFF_LEADER}, {.value = 0}, {.value = 0}, {.value = 13000}},
         true,
         0,
         10000,
         1,
         0,
         0,
         INCUMBENT_NONE,
         0},
        {{{.value = 10000, .final = 10000, .playoff = PLAYOFF_LEADER},
          {.value = 0},
          {.value = 0},
          {.value = 9000, .final = 9000, .playoff = PLAYOFF_LEADER, .incumbent = true, .unmarked = true}},
         true,
         0,
         10000,
         1,
         0,
         0,
         INCUMBENT_NONE,
         0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct outcomes outcomes = {0};
        struct measurement rows[2 * PLACES];
        struct error error = {0};
        struct winner winner;
        for (uint64_t k = 0; k < PLACES; k++)
            for (int final = 0; final < 2; final++) {
                struct measurement *row = &rows[2 * k + (uint64_t) final];
                double value = final ? cases[i].of[k].final : cases[i].of[k].value;
                *row = measurement_unknown(value > 0 ? STATUS_OK : STATUS_CRASHED);
                row->value = value > 0 ? value : NAN;
                row->low = 0.999 * row->value;
                row->high = 1.001 * row->value;
                row->registers = cases[i].of[k].registers;
                row->efficiency_other_devices =
                    final && cases[i].of[k].prior_runs > 0 ? cases[i].of[k].prior_runs : NAN;
                row->playoff = final ? cases[i].of[k].playoff : PLAYOFF_NONE;
                row->playoff += final && cases[i].of[k].incumbent && !row->playoff ? PLAYOFF_LEADER : 0;
                row->proposer = final && cases[i].of[k].incumbent ? PROPOSER_INCUMBENT : PROPOSER_STRATEGY;
                if (value > 0 || !final)
                    CU_ASSERT_EQUAL(outcomes_add(&outcomes, k, OUTCOME_NO_DUPLICATE, row, &error), 0);
                outcomes_find(&outcomes, k)->marks = cases[i].of[k].unmarked ? 2 : MARK;
            }
        bool found = winner_find(&outcomes, MARK, 1, &winner);
        CU_ASSERT_EQUAL(found, cases[i].found);
        if (found) {
            CU_ASSERT_EQUAL(winner.key, cases[i].key);
            CU_ASSERT_EQUAL(winner.measurement.value, cases[i].value);
            CU_ASSERT_EQUAL(winner.finalists, cases[i].finalists);
            CU_ASSERT_EQUAL(winner.tied, cases[i].tied);
            CU_ASSERT(cases[i].default_value > 0 ? winner.default_.value == cases[i].default_value
                                                 : isnan(winner.default_.value));
            double ratio;
            CU_ASSERT_EQUAL(winner_verdict(&outcomes, &winner, 3, &ratio), cases[i].verdict);
            if (cases[i].ratio > 0)
                CU_ASSERT_DOUBLE_EQUAL(ratio, cases[i].ratio, 1e-9);
            CU_ASSERT(winner_find(&outcomes, MARK, UINT64_MAX, &winner) && isnan(winner.default_.value));
        }
        outcomes_free(&outcomes);
    }
}

/* Only the last play-off's incumbent counts, and a duplicate takes its original's place. */
static void has_one_incumbent(void)
{
    static const struct {
        struct {
            uint64_t key;
            enum proposer proposer;
            double value;
        } finals[4];
        int duplicate; /* of key 1: its original's key + 1 */
        const char *keys;
        uint64_t winner;
    } cases[] = {
        {{{0, PROPOSER_INCUMBENT, 101}, {1, PROPOSER_STRATEGY, 100}}, 0, "0 1", 0},
        {{{0, PROPOSER_INCUMBENT, 101},
          {1, PROPOSER_STRATEGY, 100},
          {1, PROPOSER_INCUMBENT, 101.5},
          {0, PROPOSER_WARM_START, 100}},
         0,
         "0 1",
         1},
        {{{0, PROPOSER_INCUMBENT, 101}, {1, PROPOSER_STRATEGY, 100}, {1, PROPOSER_INCUMBENT, 101.5}}, 0, "0 1", 1},
        {{{0, PROPOSER_INCUMBENT, 101}, {1, PROPOSER_STRATEGY, 100}, {0, PROPOSER_WARM_START, 101}}, 0, "0 1", 1},
        {{{1, PROPOSER_INCUMBENT, 101}, {2, PROPOSER_STRATEGY, 100}}, 1, "1 2", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct outcomes outcomes = {0};
        struct measurement rows[3], finals[4];
        struct error error = {0};
        struct winner winner;
        char keys[32] = "";
        for (uint64_t k = 0; k < 3; k++) {
            rows[k] = measurement_unknown(k == 2 && cases[i].duplicate == 0 ? STATUS_CRASHED : STATUS_OK);
            rows[k].value = k == 2 && cases[i].duplicate == 0 ? NAN : 100;
            rows[k].low = 90, rows[k].high = 110;
            uint64_t original = k == 1 && cases[i].duplicate ? (uint64_t)cases[i].duplicate - 1 : OUTCOME_NO_DUPLICATE;
            CU_ASSERT_EQUAL(outcomes_add(&outcomes, k, original, &rows[k], &error), 0);
        }
        for (size_t f = 0; f < 4 && cases[i].finals[f].value > 0; f++) {
            finals[f] = rows[0];
            finals[f].value = cases[i].finals[f].value;
            finals[f].playoff = PLAYOFF_TIED;
            finals[f].proposer = cases[i].finals[f].proposer;
            CU_ASSERT_EQUAL(outcomes_add(&outcomes, cases[i].finals[f].key, OUTCOME_NO_DUPLICATE, &finals[f], &error),
                            0);
        }
        CU_ASSERT_FATAL(winner_find(&outcomes, 0, UINT64_MAX, &winner));
        for (size_t k = 0; k < winner.finalists; k++)
            snprintf(keys + strlen(keys), sizeof keys - strlen(keys), "%s%d", k ? " " : "", (int)winner.keys[k]);
        CU_ASSERT_STRING_EQUAL(keys, cases[i].keys);
        CU_ASSERT_EQUAL(winner.key, cases[i].winner);
        outcomes_free(&outcomes);
    }
    CU_ASSERT_STRING_EQUAL(incumbent_verdict_name(INCUMBENT_NONE), "");
    CU_ASSERT_STRING_EQUAL(incumbent_verdict_name(INCUMBENT_REPLACED), "replaced");
}

/* Readers of the outcomes may have an order of their own. */
static int backwards(const void *reader, uint64_t a, uint64_t b)
{
    CU_ASSERT_PTR_EQUAL(reader, &backwards_reader);
    return (a < b) - (a > b);
}

static void order_decides(void)
{
    struct measurement row = measurement_unknown(STATUS_OK), final;
    struct error error = {0};
    struct winner winner;
    row.value = row.low = row.high = 5;
    final = row;
    final.playoff = PLAYOFF_TIED;
    for (int played = 0; played < 2; played++) {
        struct outcomes outcomes = {.order = backwards, .reader = &backwards_reader};
        for (uint64_t k = 0; k < 3; k++) {
            CU_ASSERT_EQUAL(outcomes_add(&outcomes, k, OUTCOME_NO_DUPLICATE, &row, &error), 0);
            if (played)
                CU_ASSERT_EQUAL(outcomes_add(&outcomes, k, OUTCOME_NO_DUPLICATE, &final, &error), 0);
        }
        CU_ASSERT(winner_find(&outcomes, 0, UINT64_MAX, &winner));
        CU_ASSERT_EQUAL(winner.key, 2);
        CU_ASSERT_EQUAL(winner.tied, played ? 3 : 0);
        outcomes.order = NULL;
        CU_ASSERT(winner_find(&outcomes, 0, UINT64_MAX, &winner));
        CU_ASSERT_EQUAL(winner.key, 0);
        outcomes_free(&outcomes);
    }
}

/* Relative to the winner, by the play-off's times if they exist. */
static void efficiencies(void)
{
    static const struct {
        double value, final;
        enum status status;
        int duplicate; /* key + 1 */
        enum playoff playoff;
        double expected;
    } rows[] = {{1000, 1000, STATUS_OK, 0, PLAYOFF_LEADER, 1},     {1010, 1001, STATUS_OK, 0, PLAYOFF_TIED, 1},
                {1000, 1250, STATUS_OK, 0, PLAYOFF_LOST, 0.8},     {2000, 0, STATUS_OK, 0, PLAYOFF_NONE, 0.5},
                {4000, 0, STATUS_SLOWER, 0, PLAYOFF_NONE, 0.25},   {0, 0, STATUS_WRONG_RESULT, 0, PLAYOFF_NONE, 0},
                {0, 0, STATUS_PRUNED_LIMIT, 0, PLAYOFF_NONE, 0},   {1010, 0, STATUS_DUPLICATE, 2, PLAYOFF_NONE, 1},
                {1000, 0, STATUS_DUPLICATE, 3, PLAYOFF_NONE, 0.8}, {1000, 0, STATUS_DUPLICATE, 6, PLAYOFF_NONE, 0},
                {990, 0, STATUS_SLOWER, 0, PLAYOFF_NONE, 1}};
    enum { ROWS = sizeof rows / sizeof *rows };
    struct outcomes outcomes = {0};
    struct measurement of[2 * ROWS];
    struct error error = {0};
    struct winner winner;
    for (uint64_t k = 0; k < ROWS; k++)
        for (int final = 0; final < (rows[k].final > 0 ? 2 : 1); final++) {
            struct measurement *row = &of[2 * k + (uint64_t) final];
            *row = measurement_unknown(rows[k].status);
            double value = final ? rows[k].final : rows[k].value;
            row->value = value > 0 ? value : NAN;
            row->low = 0.99 * row->value;
            row->high = 1.01 * row->value;
            row->playoff = final ? rows[k].playoff : PLAYOFF_NONE;
            CU_ASSERT_EQUAL(outcomes_add(&outcomes, k,
                                         rows[k].duplicate ? (uint64_t)rows[k].duplicate - 1 : OUTCOME_NO_DUPLICATE,
                                         row, &error),
                            0);
        }
    CU_ASSERT_FATAL(winner_find(&outcomes, 0, UINT64_MAX, &winner));
    for (uint64_t k = 0; k < ROWS; k++)
        CU_ASSERT_DOUBLE_EQUAL(winner_efficiency(&outcomes, &winner, k), rows[k].expected, 1e-12);
    CU_ASSERT(isnan(winner_efficiency(&outcomes, &winner, ROWS)));
    outcomes_free(&outcomes);
}

static void becomes_a_row(void)
{
    struct provenance provenance = provenance_unknown();
    struct winner winner = {.measurement = measurement_unknown(STATUS_OK), .default_ = measurement_unknown(STATUS_OK)};
    provenance.kernel = "k";
    provenance.roofline_ns = 80;
    winner.measurement.value = 100;
    winner.measurement.low = 99;
    winner.measurement.high = 102;
    winner.measurement.samples = 7;
    winner.default_.value = 150;
    struct best best = winner_row(&winner, &provenance, "A=1", 12);
    CU_ASSERT_EQUAL(best.schema, DATABASE_SCHEMA_BEST);
    CU_ASSERT_STRING_EQUAL(best.provenance.kernel, "k");
    CU_ASSERT_STRING_EQUAL(best.objective, "time");
    CU_ASSERT_STRING_EQUAL(best.configuration, "A=1");
    CU_ASSERT(best.value == 100 && best.low == 99 && best.high == 102 && best.samples == 7);
    CU_ASSERT(best.default_value == 150 && best.speedup == 1.5);
    CU_ASSERT_EQUAL(best.ceiling_percent, 80);
    CU_ASSERT(best.evaluated == 12 && best.valid == 0 && !*best.strategy);
    winner.default_.value = NAN;
    best = winner_row(&winner, &provenance, "A=1", 12);
    CU_ASSERT(isnan(best.default_value) && isnan(best.speedup));
}

/* Amounts and roofline time of a winner whose value is per unit of work are per unit of work, too. */
static void becomes_a_row_per_work(void)
{
    struct provenance provenance = provenance_unknown();
    struct winner winner = {.measurement = measurement_unknown(STATUS_OK), .default_ = measurement_unknown(STATUS_OK)};
    provenance.ceilings.copy = 1e12;
    provenance.flops = 5;
    winner.measurement.value = 100;
    measurement_per_work(&winner.measurement, &(struct work_amounts){4, 80000, 12});
    winner.default_.value = 120;
    measurement_per_work(&winner.default_, &(struct work_amounts){1, 80000, 3});
    struct best best = winner_row(&winner, &provenance, "A=1", 12);
    CU_ASSERT_STRING_EQUAL(best.objective, "time_per_work");
    CU_ASSERT(best.value == 25 && best.default_value == 120 && best.speedup == 4.8);
    CU_ASSERT(best.provenance.bytes == 20000 && best.provenance.flops == 3 && best.provenance.roofline_ns == 20);
    CU_ASSERT_EQUAL(best.ceiling_percent, 80);
}

CU_TestInfo tests_winner[] = {{"finalists", picks},
                              {"winners", wins},
                              {"the incumbent", has_one_incumbent},
                              {"the order of equals", order_decides},
                              {"efficiency", efficiencies},
                              {"the row of the database", becomes_a_row},
                              {"the row of the database, per unit of work", becomes_a_row_per_work},
                              CU_TEST_INFO_NULL};
