/* The report: one self-contained HTML page of comparisons and their runs. */
#ifndef CUTUNE_REPORT_REPORT_H
#define CUTUNE_REPORT_REPORT_H

#include "analyse/findings.h"
#include "base/text.h"
#include "fit/fit_seen.h"
#include "report/chart.h"
#include "report/report_unit.h"

/* The charts of a page, for files of their own. Zeroed: none. */
struct figure {
    char *name; /* "transpose.NVIDIA-H200.convergence": unique, of the characters of a file's name */
    struct text svg, csv;
};
struct figures {
    size_t count, room;
    struct figure *items;
};
void figures_free(struct figures *figures);

/* Appends the page. `top`: number of best configurations in a table. The same findings give the same bytes. `figures`
 * receives the charts; may be NULL. */
int report_page(const struct findings *findings, size_t count, size_t top, struct text *page, struct figures *figures,
                struct error *error);

/* Appends a page on fits over sizes. */
int report_fits(const struct fit_seen *fits, size_t count, struct text *page, struct figures *figures,
                struct error *error);

/* ---- Shared by the files of the report ---- */

struct report {
    struct text *page;
    struct figures *figures; /* NULL: not wanted */
    struct arena arena;
    const char *const *names; /* of the comparisons: "transpose", unique anchors in the page */
    size_t top;
    struct chart chart;     /* the one that figure_begin began */
    const char *figure;     /* its name in its section */
    const char *section;    /* name of the run or the fit, which begins the names of its figures */
    size_t section_figures; /* number of figures before the section */
    bool failed;            /* memory is out */
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

/* Names the comparisons. Arena memory of the report. */
void report_name(struct report *report, const struct findings *findings, size_t count);
/* Name of a run: "transpose.NVIDIA-H200", its anchor in the page. Arena memory of the report. */
const char *report_run_name(struct report *report, const struct findings *findings, size_t run, size_t comparison);

/* Likewise of the n-th fit: "transpose-2.NVIDIA-H200". */
const char *report_fit_name(struct report *report, const struct provenance *provenance, size_t number);

/* The answer of several comparisons: the regressions, or else the gains, and a row for each with its devices side by
 * side. */
void report_overview(struct report *report, const struct findings *findings, size_t count);
/* The answer of several runs of one comparison: the verdicts, or else the gains, and a row for each run. */
void report_runs(struct report *report, const struct findings *findings, size_t comparison);
/* Appends a field in which words filter the rows of the table that follows. `example` may be "". */
void report_search(struct report *report, const char *label, const char *example);
/* Verdicts on runs of the same device, each as a sentence with its numbers. */
void report_verdicts(struct report *report, const struct findings *findings);
const char *report_verdict_name(const struct change *change);
bool report_regressed(const struct change *change);

/* Sections of one run of the n-th comparison. */
void report_run(struct report *report, const struct findings *findings, size_t run, size_t comparison);
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

/* Time against energy, if the journal has energies. */
void report_energy(struct report *report, const struct findings *findings, size_t run);

/* Section on the n-th fit. */
void report_fit(struct report *report, const struct fit_seen *seen, size_t number);

/* ---- Figures ---- */

/* Begins the figures of a section: a run or a fit. Borrows the name. */
void figures_begin(struct report *report, const char *section);
/* Begins a figure with an empty chart, to be filled. `name`: of a chart of the section, and for the style of the page.
 */
struct chart *figure_begin(struct report *report, const char *name, const char *title, const char *x, const char *y);
/* Draws the chart. Texts that the caller appends next stand below it. */
void figure_draw(struct report *report);
/* Ends the figure by the chart's numbers. Frees the chart. */
void figure_end(struct report *report);
/* Name of a quantity with its unit: "time (µs)". Returns `buffer`. */
enum { REPORT_QUANTITY_BYTES = 96 };
const char *report_quantity(const char *name, const struct report_unit *unit, char buffer[REPORT_QUANTITY_BYTES]);

#endif
