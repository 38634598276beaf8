/* The report: one self-contained HTML page of comparisons and their runs. */
#ifndef CUTUNE_REPORT_REPORT_H
#define CUTUNE_REPORT_REPORT_H

#include <cjson/cJSON.h>

#include "analyse/findings.h"
#include "base/text.h"

/* Appends the page. `top`: how many of the best configurations the tables have. The same findings give the same bytes.
 */
int report_page(const struct findings *findings, size_t count, size_t top, struct text *page, struct error *error);

/* ---- Between the files of the report ---- */

struct report {
    struct text *page;
    cJSON *charts; /* what report.js draws: an array of objects as chart_begin makes them */
    size_t top, chart_count;
    bool failed; /* memory ran out */
};

/* A unit and digits in which values near one have four figures. */
struct report_unit {
    const struct objective *objective;
    const char *name;
    double size;
    int digits;
};
struct report_unit report_unit(const struct objective *objective, double value);
/* A value in the unit, without it; "–" for NaN. Returns `buffer`. */
enum { REPORT_NUMBER_BYTES = 48 };
const char *report_value(const struct report_unit *unit, double value, char buffer[REPORT_NUMBER_BYTES]);
/* With its unit: "133.2 µs". */
const char *report_with_unit(const struct objective *objective, double value, char buffer[REPORT_NUMBER_BYTES]);
/* A number with that many digits behind the point; "–" for NaN. */
const char *report_number(double number, int digits, char buffer[REPORT_NUMBER_BYTES]);

/* The runs' sections of one comparison. `id`: of the comparison in the page. */
void report_run(struct report *report, const struct findings *findings, size_t run, size_t id);
void report_parameters(struct report *report, const struct findings *findings, size_t run,
                       const struct report_unit *unit);

/* A figure with a chart: begins it, and ends it with `numbers`, a table that says the same. `type`: "bar" or "line". */
cJSON *chart_begin(struct report *report, const char *type, const char *title, const char *x, const char *y);
void chart_flag(cJSON *chart, const char *flag);
void chart_labels(cJSON *chart, const char *label);
void chart_colour(cJSON *chart, int colour); /* of the next label's bar */
/* A series to which points are added; `style`: "", "step", "dash", "points". `colour` is a number of the page's
 * palette, or -1: each bar has its own. */
cJSON *chart_series(cJSON *chart, const char *name, int colour, const char *style);
void chart_value(cJSON *series, double value);
void chart_point(cJSON *series, double x, double y);
void chart_numbers_begin(struct report *report);
void chart_end(struct report *report);

#endif
