/* The report: one self-contained HTML page of comparisons and their runs. */
#ifndef CUTUNE_REPORT_REPORT_H
#define CUTUNE_REPORT_REPORT_H

#include <cjson/cJSON.h>

#include "analyse/findings.h"
#include "base/text.h"
#include "fit/fit_seen.h"
#include "report/report_unit.h"

/* Appends the page. `top`: number of best configurations in a table. The same findings give the same bytes. */
int report_page(const struct findings *findings, size_t count, size_t top, struct text *page, struct error *error);

/* Appends a page on fits over sizes. */
int report_fits(const struct fit_seen *fits, size_t count, struct text *page, struct error *error);

/* ---- Shared by the files of the report ---- */

struct report {
    struct text *page;
    cJSON *charts; /* input of report.js: an array of objects from chart_begin */
    size_t top, chart_count;
    bool failed; /* memory is out */
};

/* Begins a table that scrolls when it is too wide; a `</div>` ends it. */
#define REPORT_SCROLL "<div class=\"scroll\" role=\"region\" aria-label=\"table\" tabindex=\"0\">"

/* Least ratio that counts as a gain. */
#define REPORT_GAIN_MIN 1.005

/* Least ratio of the greatest to the least value for a logarithmic scale. */
enum { REPORT_LOG_MIN = 8 };

/* ---- Facts of a run ---- */

/* Ratio by which the best improves on the default; NaN: unknown. */
double report_gain(const struct findings *findings, size_t run);
/* The verb of a value: "takes" 10 µs. */
const char *report_takes(const struct objective *objective);
/* "faster", or "better" if the objective is not a duration. */
const char *report_better(const struct objective *objective);
/* Half of a measurement's interval, in the unit, with enough digits to show that it is not 0. */
const char *report_half(const struct report_unit *unit, const struct measurement *measurement,
                        char buffer[REPORT_NUMBER_BYTES]);

/* ---- Parts of the page ---- */

/* The answer of several runs: the verdicts, or else the gains, and a sortable table of all runs. `id` identifies the
 * first comparison in the page. */
void report_overview(struct report *report, const struct findings *findings, size_t count, size_t id);
/* Verdicts on runs of the same device, each as a sentence with its numbers. */
void report_verdicts(struct report *report, const struct findings *findings);
const char *report_verdict_name(const struct change *change);
bool report_regressed(const struct change *change);

/* Sections of one run of one comparison. */
void report_run(struct report *report, const struct findings *findings, size_t run, size_t id);
/* Answer of a run in a sentence, and its best and default configurations. */
void report_headline(struct report *report, const struct findings *findings, size_t run);
/* Reasons why the best is the fastest, if the journal has evidence. */
void report_why(struct report *report, const struct findings *findings, size_t run);
/* Meaning of the limit. */
void report_limit(struct report *report, const struct findings *findings, size_t run);
/* "PAD and BLOCK_ROWS": the parameters that made the best faster than the default; nothing if unknown. */
void report_causes(struct report *report, const struct findings *findings, size_t run);
/* Table of the best configurations. */
void report_top(struct report *report, const struct findings *findings, size_t run, const struct report_unit *unit);
void report_parameters(struct report *report, const struct findings *findings, size_t run,
                       const struct report_unit *unit);
/* Time against registers, occupancy and clock. */
void report_facts(struct report *report, const struct findings *findings, size_t run, const struct report_unit *unit);

/* Section on one fit; `id` identifies it in the page. */
void report_fit(struct report *report, const struct fit_seen *seen, size_t id);

/* ---- Charts ---- */

/* Begins a figure with a chart; chart_end adds `numbers`, a table with the same content. `type`: "bar" or "line". */
cJSON *chart_begin(struct report *report, const char *type, const char *title, const char *x, const char *y);
void chart_flag(cJSON *chart, const char *flag);
void chart_labels(cJSON *chart, const char *label);
void chart_colour(cJSON *chart, int colour); /* colour of the next label's bar */
/* Adds a series to a chart. `style`: "", "step", "dash", "points", "marks" (points without a line). `colour`: index in
 * the page's palette; -1: each bar has its own. `says`: the sentence of a point. Its placeholders are {x}, {y}, {title}
 * (of the chart), {next} (the next label) and {count} ("1 configuration", by y). */
cJSON *chart_series(cJSON *chart, const char *name, int colour, const char *style, const char *says);
void chart_value(cJSON *series, double value);
void chart_point(cJSON *series, double x, double y);
void chart_numbers_begin(struct report *report);
void chart_end(struct report *report);

#endif
