/* The report: one self-contained HTML page of comparisons and their runs. */
#ifndef CUTUNE_REPORT_REPORT_H
#define CUTUNE_REPORT_REPORT_H

#include <cjson/cJSON.h>

#include "analyse/findings.h"
#include "base/text.h"
#include "report/report_unit.h"

/* Appends the page. `top`: number of best configurations in a table. The same findings give the same bytes. */
int report_page(const struct findings *findings, size_t count, size_t top, struct text *page, struct error *error);

/* ---- Shared by the files of the report ---- */

struct report {
    struct text *page;
    cJSON *charts; /* input of report.js: an array of objects from chart_begin */
    size_t top, chart_count;
    bool failed; /* memory is out */
};

/* Appends the runs' sections of one comparison. `id` identifies the comparison in the page. */
void report_run(struct report *report, const struct findings *findings, size_t run, size_t id);
void report_parameters(struct report *report, const struct findings *findings, size_t run,
                       const struct report_unit *unit);

/* Begins a figure with a chart; chart_end adds `numbers`, a table with the same content. `type`: "bar" or "line". */
cJSON *chart_begin(struct report *report, const char *type, const char *title, const char *x, const char *y);
void chart_flag(cJSON *chart, const char *flag);
void chart_labels(cJSON *chart, const char *label);
void chart_colour(cJSON *chart, int colour); /* colour of the next label's bar */
/* Adds a series to a chart; `style`: "", "step", "dash", "points". `colour` is a number of the page's palette, or -1:
 * each bar has its own. */
cJSON *chart_series(cJSON *chart, const char *name, int colour, const char *style);
void chart_value(cJSON *series, double value);
void chart_point(cJSON *series, double x, double y);
void chart_numbers_begin(struct report *report);
void chart_end(struct report *report);

#endif
