/* Checks of the emitted header in every language. Includes the header twice on purpose. */
#include "tuned.h"

#include <stdio.h>

struct question {
    const char *device;
    int cc, sm_count;
    long long l2_bytes, rows, cols;
    int rule, tile;
};

/* tests/integration/emit/launch/transpose.space */
static int check_launches(void)
{
    struct t_tuned_launch launches[T_TUNED_LAUNCHES];
    const struct t_tuned *row = t_tuned_select("Sample 90 Big", 90, 132, 62914560, 8192, 8192, NULL);
    int failures = 0;
    if (t_tuned_launches(row, 8192, 1000, launches) != 2 || strcmp(launches[0].kernel, "clear") != 0 ||
        launches[0].grid[0] != 132 || launches[0].cluster[0] != 0 || launches[0].cooperative ||
        launches[0].repeat != 1 || launches[1].block[0] != 64 || launches[1].block[1] != 8 ||
        launches[1].block[2] != 1 || launches[1].grid[0] != 16 || launches[1].grid[1] != 128 ||
        launches[1].cluster[0] != 2 || launches[1].cluster[1] != 1 || launches[1].shared_bytes != 16640 ||
        launches[1].repeat != 3) {
        printf("the launches of Sample 90 Big are wrong\n");
        failures++;
    }
    if (t_tuned_launches(row, 200000, 6000, launches) != 3 || launches[2].grid[0] != 2 || !launches[2].cooperative) {
        printf("the third launch is wrong\n");
        failures++;
    }
    row = t_tuned_select("Sample 90 Big", 90, 132, 62914560, 1024, 512, NULL); /* ORDER=cols */
    if (t_tuned_launches(row, 1024, 512, launches) != 1 || launches[0].grid[0] != 64 || launches[0].grid[1] != 64 ||
        t_tuned_launches(row, 0, 512, launches) != 0 || t_tuned_launches(row, 1LL << 40, 512, launches) != 0) {
        printf("the launch of the smaller sizes, or one of impossible sizes, is wrong\n");
        failures++;
    }
    row = t_tuned_select(NULL, 0, 0, 0, 0, 0, NULL); /* of no device, so without a number of multiprocessors */
    if (t_tuned_launches(row, 1024, 512, launches) != 0) {
        printf("a launch of no device is known\n");
        failures++;
    }
    if (t_tuned_launches_on(row, 100, 50, 1000, 1024, 512, launches) != 2 || launches[0].grid[0] != 50 ||
        t_tuned_launches_on(row, 100, 0, 1000, 1024, 512, launches) != 0) {
        printf("the grid does not follow the multiprocessors of the caller\n");
        failures++;
    }
    row = t_tuned_select("Sample 90 Big", 90, 132, 62914560, 8192, 8192, NULL);
    if (t_tuned_launches_on(row, 90, 100, 0, 8192, 1000, launches) != 2 || launches[0].grid[0] != 100 ||
        t_tuned_launches_on(row, 0, 0, 0, 8192, 1000, launches) != 2 || launches[0].grid[0] != 132) {
        printf("the grid of a row's device, or of another one, is wrong\n");
        failures++;
    }
    return failures;
}

static int check(void)
{
    static const struct question questions[] = {
        {"Sample 90 Big", 90, 132, 62914560, 8192, 8192, T_TUNED_RULE_PROBLEM, 64},
        {"Sample 90 Big", 0, 0, 0, 1024, 512, T_TUNED_RULE_PROBLEM, 16},
        {"Sample 80, \"old\" */", 80, 1, 1, 8192, 8192, T_TUNED_RULE_PROBLEM, 8},
        {"Sample 90 Big", 90, 132, 62914560, 16384, 8192, T_TUNED_RULE_DEVICE, 64},
        {"Sample 90 Big", 90, 132, 62914560, 1024, 513, T_TUNED_RULE_DEVICE, 16},
        {"Sample 90 Big", 90, 132, 62914560, 0, -1, T_TUNED_RULE_DEFAULT, 32}, /* no block */
        {"Sample 90 Other", 90, 130, 62914560, 8192, 8192, T_TUNED_RULE_CC, 64},
        {"Sample 90 Other", 90, 130, 62914560, 8192, 8128, T_TUNED_RULE_CC, 16}, /* 127 blocks in clusters of 2 */
        {"Sample 90 Other", 90, 130, 62914560, 512, 512, T_TUNED_RULE_CC, 16},
        {"Sample 90 Other", 90, 50, 30000000, 8192, 8192, T_TUNED_RULE_CC, 128},
        {NULL, 90, 60, 31457280, 512, 512, T_TUNED_RULE_CC, 128},
        {"Sample 89", 89, 100, 40000000, 8192, 8192, T_TUNED_RULE_MAJOR, 8},
        {"Sample 87", 87, 16, 4194304, 8192, 8192, T_TUNED_RULE_MAJOR, 24},
        {"Sample 100", 100, 148, 132000000, 8192, 8192, T_TUNED_RULE_COMMON, 32},
        {"Sample 100", 9, 132, 62914560, 8192, 8192, T_TUNED_RULE_COMMON,
         32},                                                /* all known architectures have what it needs */
        {NULL, 0, 0, 0, 512, 512, T_TUNED_RULE_DEFAULT, 32}, /* its grid follows the multiprocessors */
        {"Sample 75", 75, 40, 4194304, 8192, 8192, T_TUNED_RULE_COMMON, 32},
    };
    size_t count = 0, i;
    int failures = check_launches(), rule;
    const struct t_tuned *row, *table = t_tuned_table(&count);
    for (i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        const struct question *q = &questions[i];
        row = t_tuned_select(q->device, q->cc, q->sm_count, q->l2_bytes, q->rows, q->cols, &rule);
        if (row->TILE != q->tile || rule != q->rule) {
            printf("question %zu: TILE %d by rule %d, not %d by %d\n", i, row->TILE, rule, q->tile, q->rule);
            failures++;
        }
    }
    if (count != 7 || *table[count - 1].device || *table[count - 2].device || !*table[count - 3].device) {
        printf("the table has %zu rows, or its last are not the common one and the default\n", count);
        failures++;
    }
    row = t_tuned_select("Sample 86", 0, 0, 0, 100, 100, NULL);
    if (row->HIT < 0.9e-5 || row->HIT > 1.1e-5 || strcmp(row->ORDER, "rows") != 0 || row->cc != 86 ||
        row->problem_ROWS != 8192 || row->time_ns < 899999.0) {
        printf("the row of Sample 86 is wrong\n");
        failures++;
    }
    if (T_TILE != 16 || T_BLOCK_ROWS != 4 || T_HIT != 1.0 || strcmp(T_TUNED_DEVICE, "Sample 90 Big") != 0) {
        printf("the macros are not the newest row's\n");
        failures++;
    }
    if (t_tuned_compiled(90)->TILE != 16 || t_tuned_compiled(86)->TILE != 24 || t_tuned_compiled(89)->TILE != 8 ||
        t_tuned_compiled(120)->TILE != 32) {
        printf("device code has other constants than t_tuned_compiled says\n");
        failures++;
    }
    return failures != 0;
}
