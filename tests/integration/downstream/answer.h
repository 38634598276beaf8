/* Asks the header and the library the same questions, in C11 and C++17. */
#include <cutune.h>
#include <stdio.h>
#include <string.h>

#include "transpose_tuned.h"

static int ask(const struct cutune_database *database, const char *name, int cc, int sm_count, long long l2_bytes,
               long long rows, long long cols)
{
    struct cutune_device *device = cutune_device_new(name, cc, sm_count, l2_bytes);
    struct cutune_error error;
    struct cutune_best best;
    char problem[100], text[4096];
    long long tile = 0;
    int rule, wrong;
    const struct transpose_tuned *row = transpose_tuned_select(name, cc, sm_count, l2_bytes, rows, cols, &rule);
    snprintf(problem, sizeof problem, "ROWS=%lld COLS=%lld", rows, cols);
    wrong = cutune_database_best(database, "transpose", device, problem, &best, &error) ||
            cutune_configuration_int(best.configuration, "TILE", &tile, &error);
    cutune_device_free(device);
    if (wrong) {
        fputs(cutune_error_format(&error, text, sizeof text), stderr);
        return 1;
    }
    printf("%s, %s: TILE=%d by rule %s\n", name, problem, row->TILE, cutune_rule_name(best.rule));
    return tile != row->TILE || rule != (int)best.rule;
}

static int answer(const char *path)
{
    struct cutune_database *database;
    struct cutune_error error;
    char text[4096];
    int wrong;
    if (cutune_database_open(&database, path, NULL, &error)) {
        fputs(cutune_error_format(&error, text, sizeof text), stderr);
        return 1;
    }
    wrong = ask(database, "Sample 90 Big", 90, 132, 62914560, 8192, 8192) +
            ask(database, "Sample 90 Big", 90, 132, 62914560, 1000, 500) +
            ask(database, "H100", 90, 66, 30000000, 8192, 8192) + ask(database, "L4", 89, 58, 50331648, 8192, 8192) +
            ask(database, "B200", 100, 148, 132120576, 8192, 8192);
    cutune_database_close(database);
    return wrong != 0;
}
