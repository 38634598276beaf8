/* The row that stays of several with one key: put one after the other, at once, and merged. */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "../scratch.h"
#include "database/merge.h"
#include "database/rule.h"
#include "database_rows.h"

/* A row of 100 ns, interval 99..101, of 2025-01-02, against a new one with an interval of the same width, by default
 * with another configuration and of a later date. NULL and 0: as in the old row. */
static const struct {
    double value;
    const char *configuration, *date;
    const char *source, *space, *data, *options, *nvrtc, *build, *toolkit, *driver;
    int64_t cuda;
    enum { NOT_PLAYED, PLAYED, PLAYED_OTHER_VALUE, PLAYED_OTHER_DATE, PLAYED_OTHER_CONFIGURATION } played;
    enum database_outcome outcome;
} rivals[] = {
    {.value = 50, .outcome = DATABASE_REPLACED},
    {.value = 97.5, .outcome = DATABASE_REPLACED},
    {.value = 98, .outcome = DATABASE_KEPT_TIED}, /* 97..99: the intervals meet */
    {.value = 101, .outcome = DATABASE_KEPT_TIED},
    {.value = 102, .outcome = DATABASE_KEPT_TIED}, /* 101..103 */
    {.value = 102.5, .outcome = DATABASE_KEPT_FASTER},
    {.value = 200, .outcome = DATABASE_KEPT_FASTER},
    /* Tied rows: the earlier, then the lesser text. */
    {.value = 101, .date = "2025-01-01", .outcome = DATABASE_REPLACED},
    {.value = 103, .date = "2025-01-01", .outcome = DATABASE_KEPT_FASTER},
    {.value = 100, .date = "2025-01-02T03:04:05Z", .configuration = "A=0", .outcome = DATABASE_REPLACED},
    {.value = 100, .date = "2025-01-02T03:04:05Z", .configuration = "A=2", .outcome = DATABASE_KEPT_TIED},
    /* The same configuration: fresh figures. */
    {.value = 200, .configuration = "B=x A=1", .outcome = DATABASE_REPLACED},
    {.value = 50, .configuration = "A=1 B=x", .date = "2025-01-01", .outcome = DATABASE_KEPT_LATER},
    /* A play-off against the old row decides, unless the row has changed since. */
    {.value = 101, .played = PLAYED, .outcome = DATABASE_REPLACED},
    {.value = 200, .played = PLAYED, .outcome = DATABASE_REPLACED},
    {.value = 50, .nvrtc = "12.9", .played = PLAYED, .outcome = DATABASE_KEPT_NEWER},
    {.value = 101, .played = PLAYED_OTHER_VALUE, .outcome = DATABASE_KEPT_TIED},
    {.value = 101, .played = PLAYED_OTHER_DATE, .outcome = DATABASE_KEPT_TIED},
    {.value = 200, .played = PLAYED_OTHER_CONFIGURATION, .outcome = DATABASE_KEPT_FASTER},
    /* Another question. */
    {.value = 200, .source = "cc", .outcome = DATABASE_REPLACED},
    {.value = 200, .space = "cc", .outcome = DATABASE_REPLACED},
    {.value = 200, .data = "cc", .outcome = DATABASE_REPLACED},
    {.value = 200, .options = "cc", .outcome = DATABASE_REPLACED},
    {.value = 50, .source = "cc", .nvrtc = "12.9", .outcome = DATABASE_REPLACED},
    {.value = 50, .source = "cc", .date = "2025-01-01", .outcome = DATABASE_KEPT_LATER},
    /* Newer and older tools. */
    {.value = 200, .nvrtc = "13.1", .outcome = DATABASE_REPLACED},
    {.value = 50, .nvrtc = "12.9", .outcome = DATABASE_KEPT_NEWER},
    {.value = 200, .cuda = 13010, .outcome = DATABASE_REPLACED},
    {.value = 50, .cuda = 12090, .outcome = DATABASE_KEPT_NEWER},
    {.value = 200, .driver = "580.10", .outcome = DATABASE_REPLACED},
    {.value = 50, .driver = "579.9", .outcome = DATABASE_KEPT_NEWER},
    {.value = 50, .nvrtc = "12.9", .cuda = 13010, .driver = "590.1", .outcome = DATABASE_KEPT_NEWER},
    {.value = 200, .nvrtc = "13.1", .cuda = 12090, .outcome = DATABASE_REPLACED},
    {.value = 50, .cuda = 12090, .driver = "590.1", .outcome = DATABASE_KEPT_NEWER},
    /* Different tools, neither newer: the intervals decide. */
    {.value = 200, .build = "cc", .outcome = DATABASE_KEPT_FASTER},
    {.value = 50, .toolkit = "cc", .outcome = DATABASE_REPLACED},
};

static void outcomes(void)
{
    for (size_t i = 0; i < sizeof rivals / sizeof *rivals; i++) {
        struct scratch scratch = scratch_open("d.csv");
        struct best old = make_best("k", "d", 100), fresh = make_best("k", "d", rivals[i].value);
        struct database *database = NULL;
        enum database_outcome outcome = DATABASE_ADDED;
        double previous = 0;
#define TAKE(field, rival) fresh.provenance.field = rivals[i].rival ? rivals[i].rival : old.provenance.field
        TAKE(source_hash, source);
        TAKE(space_hash, space);
        TAKE(data_hash, data);
        TAKE(options, options);
        TAKE(nvrtc, nvrtc);
        TAKE(nvrtc_build, build);
        TAKE(toolkit_hash, toolkit);
        TAKE(device.cuda, cuda);
#undef TAKE
        if (rivals[i].driver)
            snprintf(fresh.provenance.device.driver, sizeof fresh.provenance.device.driver, "%s", rivals[i].driver);
        old.low = 99, old.high = 101;
        fresh.low = fresh.value - 1, fresh.high = fresh.value + 1;
        old.configuration = rivals[i].configuration && strstr(rivals[i].configuration, "B=") ? "A=1 B=x" : "A=1";
        fresh.configuration = rivals[i].configuration ? rivals[i].configuration : "A=2";
        fresh.provenance.date = rivals[i].date ? rivals[i].date : "2025-01-03";
        struct best incumbent = old;
        if (rivals[i].played == PLAYED_OTHER_VALUE)
            incumbent.value = 99.5;
        if (rivals[i].played == PLAYED_OTHER_DATE)
            incumbent.provenance.date = "2024";
        if (rivals[i].played == PLAYED_OTHER_CONFIGURATION)
            incumbent.configuration = "A=3";
        CU_ASSERT_EQUAL_FATAL(database_put(scratch.path, &old, NULL, NULL, NULL, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(
            database_put(scratch.path, &fresh, rivals[i].played ? &incumbent : NULL, &outcome, &previous, NULL), 0);
        if (outcome != rivals[i].outcome)
            fprintf(stderr, "\nrival %zu: %d, expected %d\n", i, outcome, rivals[i].outcome);
        CU_ASSERT_EQUAL(outcome, rivals[i].outcome);
        CU_ASSERT_EQUAL(previous, 100);
        CU_ASSERT_EQUAL_FATAL(database_open(&database, scratch.path, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(database_count(database), 1);
        CU_ASSERT(same_best(database_get(database, 0), outcome == DATABASE_REPLACED ? &fresh : &old));
        database_close(database);
        scratch_close(&scratch);
    }
}

/* Rows of one key; the second stays in whatever order they come. */
static const struct contender {
    const char *configuration, *date, *nvrtc;
    double value;
} contenders[] = {
    {"A=1", "2025-01-01", "13.0", 95},   /* fresh figures follow */
    {"A=1", "2025-01-02", "13.0", 100},  /* stays */
    {"A=2", "2025-01-03", "13.0", 99.5}, /* tied, and later */
    {"A=3", "2025-01-02", "13.0", 100},  /* tied, and of a greater text */
    {"A=4", "2024-01-01", "13.0", 120},  /* slower */
    {"A=5", "2025-01-01", "12.9", 50},   /* of older tools */
};
enum { CONTENDERS = sizeof contenders / sizeof *contenders, STAYS = 1 };

static struct best contender(size_t number)
{
    struct best best = make_best("k", "d", contenders[number].value);
    best.configuration = contenders[number].configuration;
    best.provenance.date = contenders[number].date;
    best.provenance.nvrtc = contenders[number].nvrtc;
    return best;
}

static void check_stays(const char *path)
{
    struct database *database = NULL;
    struct best best = contender(STAYS);
    CU_ASSERT_EQUAL_FATAL(database_open(&database, path, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(database_count(database), 1);
    CU_ASSERT(same_best(database_get(database, 0), &best));
    database_close(database);
}

/* Makes the next permutation in lexical order; false after the last. */
static bool permute(size_t *order, size_t count)
{
    size_t at = count - 1, other = count - 1;
    while (at > 0 && order[at - 1] > order[at])
        at--;
    if (!at)
        return false;
    while (order[other] < order[at - 1])
        other--;
    size_t kept = order[other];
    order[other] = order[at - 1];
    order[at - 1] = kept;
    for (size_t end = count - 1; at < end; at++, end--) {
        kept = order[at];
        order[at] = order[end];
        order[end] = kept;
    }
    return true;
}

/* Chooses among all rows but those of older tools, which are no rivals. */
static void choose_in(const size_t *order)
{
    struct best bests[CONTENDERS];
    const struct best *rows[CONTENDERS], stays = contender(STAYS);
    size_t count = 0;
    for (size_t i = 0; i < CONTENDERS; i++) {
        bests[count] = contender(order[i]);
        rows[count] = &bests[count];
        count += strcmp(bests[count].provenance.nvrtc, stays.provenance.nvrtc) == 0;
    }
    size_t chosen = rule_choose(rows, count);
    CU_ASSERT(chosen < count && same_best(rows[chosen], &stays));
}

/* Chooses among all rows, puts them, and merges them one after the other, in each order. */
static void any_order(void)
{
    size_t order[CONTENDERS], orders = 0;
    for (size_t i = 0; i < CONTENDERS; i++)
        order[i] = i;
    do {
        struct scratch scratch = scratch_open("d.csv");
        struct database *merged = NULL;
        for (size_t i = 0; i < CONTENDERS; i++) {
            struct best best = contender(order[i]);
            struct database *one = NULL;
            struct text text = {0};
            CU_ASSERT_EQUAL_FATAL(database_put(scratch.path, &best, NULL, NULL, NULL, NULL), 0);
            CU_ASSERT_EQUAL_FATAL(database_from_row(&one, "one.csv", &best, NULL), 0);
            const struct database *both[] = {one, merged};
            CU_ASSERT_EQUAL_FATAL(database_merge(both, merged ? 2 : 1, &text, NULL, NULL, NULL), 0);
            database_close(one);
            database_close(merged);
            merged = NULL;
            CU_ASSERT_EQUAL_FATAL(database_parse(&merged, "merged.csv", text.bytes, text.length, NULL), 0);
            text_free(&text);
        }
        struct best best = contender(STAYS);
        CU_ASSERT(database_count(merged) == 1 && same_best(database_get(merged, 0), &best));
        database_close(merged);
        choose_in(order);
        check_stays(scratch.path);
        scratch_close(&scratch);
        orders++;
    } while (permute(order, CONTENDERS));
    CU_ASSERT_EQUAL(orders, 720);
}

/* Eight processes put all rows, each in another order. */
static void one_key_at_once(void)
{
    enum { PROCESSES = 8 };
    struct scratch scratch = scratch_open("d.csv");
    pid_t children[PROCESSES];
    for (size_t p = 0; p < PROCESSES; p++)
        if ((children[p] = fork()) == 0) {
            int code = 0;
            for (size_t i = 0; i < CONTENDERS && !code; i++) {
                struct best best = contender((p % 2 ? CONTENDERS - i : i + p) % CONTENDERS);
                code = database_put(scratch.path, &best, NULL, NULL, NULL, NULL);
            }
            _exit(code);
        }
    for (size_t p = 0; p < PROCESSES; p++) {
        int status = -1;
        waitpid(children[p], &status, 0);
        CU_ASSERT_EQUAL(status, 0);
    }
    check_stays(scratch.path);
    scratch_close(&scratch);
}

/* Rows that differ anywhere have an order, which does not depend on their places. */
static void dates(void)
{
    static const struct {
        const char *first, *second; /* configurations */
        const char *first_date, *second_date;
        double first_ns, second_ns;
        int order;
    } rows[] = {
        {"A=2", "A=1", "2025-01-01", "2025-01-02", 100, 100, -1},
        {"A=2", "A=1", "2025-01-02", "2025-01-02", 100, 100, 1},
        {"A=1", "A=1", "2025-01-02", "2025-01-02", 100, 101, -1},
        {"A=1", "A=1", "2025-01-02", "2025-01-02", 100, NAN, 1},
        {"A=1", "A=1", "2025-01-02", "2025-01-02", 100, 100, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct best first = make_best("k", "d", rows[i].first_ns), second = make_best("k", "d", rows[i].second_ns);
        first.configuration = rows[i].first;
        second.configuration = rows[i].second;
        first.provenance.date = rows[i].first_date;
        second.provenance.date = rows[i].second_date;
        int order = rule_compare_dates(&first, &second), back = rule_compare_dates(&second, &first);
        CU_ASSERT_EQUAL((order > 0) - (order < 0), rows[i].order);
        CU_ASSERT_EQUAL((back > 0) - (back < 0), -rows[i].order);
    }
}

/* Only values of one known objective compare; a row without a value is the slowest. */
static void faster(void)
{
    static const struct {
        const char *first, *second; /* objectives */
        double first_ns, second_ns;
        bool faster;
    } rows[] = {
        {"time", "time", 50, 100, true},           {"time", "time", 100, 50, false},
        {"time", "time", 100, NAN, true},          {"time", "time", NAN, 100, false},
        {"time", "time_per_work", 50, 100, false}, {"of_later", "of_later", 50, 100, false},
        {"energy", "energy", 50, 100, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct best first = make_best("k", "d", rows[i].first_ns), second = make_best("k", "d", rows[i].second_ns);
        first.objective = rows[i].first;
        second.objective = rows[i].second;
        first.low = first.high = second.low = second.high = NAN;
        CU_ASSERT_EQUAL(rule_faster(&first, &second), rows[i].faster);
    }
}

CU_TestInfo tests_rule[] = {{"faster", faster},
                            {"order by date", dates},
                            {"the row that is kept", outcomes},
                            {"rows of one key in any order", any_order},
                            {"processes with rows of one key", one_key_at_once},
                            CU_TEST_INFO_NULL};
