#include "database/rule.h"

#include <math.h>
#include <string.h>

#include "base/pairs.h"

typedef double find_end(const struct objective *objective, double low, double high);

/* Compares an end of each interval. */
static bool ends_faster(const struct best *a, const struct best *b, find_end *of_b)
{
    const struct objective *objective = objective_find(a->objective);
    if (!objective || strcmp(a->objective, b->objective) != 0 || isnan(a->value))
        return false;
    double x = objective_worse_end(objective, a->low, a->high), y = of_b(objective, b->low, b->high);
    x = isnan(x) ? a->value : x;
    y = isnan(y) ? b->value : y;
    return isnan(y) || objective_better(objective, x, y);
}

bool rule_faster(const struct best *a, const struct best *b)
{
    return ends_faster(a, b, objective_better_end);
}

bool rule_refreshes(const struct best *a, const struct best *b)
{
    return database_is_fit(a) || database_is_fit(b) ||
           (strcmp(a->objective, b->objective) == 0 && pairs_compare(a->configuration, b->configuration) == 0);
}

/* Compares all columns as text. An unknown value is the least. */
static int compare_texts(const struct best *a, const struct best *b)
{
    size_t count;
    const struct csv_column *columns = database_columns(&count);
    int order = strcmp(a->configuration, b->configuration);
    for (size_t i = 0; i < count && order == 0; i++) {
        char x[CSV_BUFFER_BYTES], y[CSV_BUFFER_BYTES];
        const char *first = "", *second = "";
        csv_cell_text(&columns[i], a, x, &first, NULL);
        csv_cell_text(&columns[i], b, y, &second, NULL);
        order = strcmp(first, second);
    }
    return order;
}

int rule_compare_dates(const struct best *a, const struct best *b)
{
    int order = strcmp(a->provenance.date, b->provenance.date);
    return order ? order : compare_texts(a, b);
}

/* True if another row has the same configuration and is newer or, of equal ones, behind it. */
static bool is_superseded(const struct best *const *rows, size_t count, size_t row)
{
    bool superseded = false;
    for (size_t i = 0; i < count && !superseded; i++) {
        if (i == row || !rule_refreshes(rows[i], rows[row]))
            continue;
        int order = rule_compare_dates(rows[i], rows[row]);
        superseded = order > 0 || (order == 0 && i > row);
    }
    return superseded;
}

size_t rule_choose(const struct best *const *rows, size_t count)
{
    size_t fastest = count, kept = count;
    for (size_t i = 0; i < count; i++)
        if (!is_superseded(rows, count, i) &&
            (fastest == count || ends_faster(rows[i], rows[fastest], objective_worse_end)))
            fastest = i;
    for (size_t i = 0; i < count; i++)
        if (!is_superseded(rows, count, i) && !rule_faster(rows[fastest], rows[i]) &&
            (kept == count || rule_compare_dates(rows[i], rows[kept]) < 0))
            kept = i;
    return kept;
}
