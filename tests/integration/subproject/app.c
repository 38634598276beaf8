/* The header and the library of one build. */
#include <cutune.h>
#include <stdio.h>

#include "transpose_tuned.h"

int main(int count, char **arguments)
{
    struct cutune_database *database = NULL;
    struct cutune_error error;
    char text[4096];
    int rule = 0;
    const struct transpose_tuned *row = transpose_tuned_select("Sample 90 Big", 90, 132, 62914560, 8192, 8192, &rule);
    if (count != 2 || cutune_database_open(&database, arguments[1], NULL, &error)) {
        fputs(count == 2 ? cutune_error_format(&error, text, sizeof text) : "usage: app DATABASE\n", stderr);
        return 1;
    }
    printf("TILE=%d by rule %s\n", row->TILE, cutune_rule_name(rule));
    cutune_database_close(database);
    return row->TILE != 64;
}
