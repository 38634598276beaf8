#include "report/report.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "compare/compare.h"
#include "report/html.h"

#include "report_css.inc"
#include "report_js.inc"

/* ---- The runs side by side ---- */

static void put_run_heads(struct report *report, const struct comparison *comparison)
{
    for (size_t r = 0; r < comparison->run_count; r++)
        html(report->page, "<th scope=\"col\" class=\"n\">[%z]", r + 1);
}

static const char *value_of(const struct comparison *comparison, size_t run, size_t parameter)
{
    size_t best = comparison->runs[run].best;
    return best == COMPARISON_NONE ? "–"
                                   : comparison->parameters[parameter]
                                         .values[comparison->choices[best * comparison->parameter_count + parameter]];
}

static void put_winners(struct report *report, const struct comparison *comparison)
{
    html(report->page, "<div><h3>Winners side by side</h3>\n<p>Parameters that differ between the "
                       "winners are marked "
                       "<b>&ne;</b>.</p>" REPORT_SCROLL "<table><thead><tr><th scope=\"col\">parameter");
    put_run_heads(report, comparison);
    html(report->page, "</tr></thead><tbody>\n");
    for (size_t p = 0; p < comparison->parameter_count; p++) {
        bool differs = false;
        for (size_t r = 1; r < comparison->run_count; r++)
            differs |= strcmp(value_of(comparison, r, p), value_of(comparison, 0, p)) != 0;
        html(report->page, "<tr%r><th scope=\"row\">%s%r", differs ? " class=\"differs\"" : "",
             comparison->parameters[p].name, differs ? " <b>&ne;</b>" : "");
        for (size_t r = 0; r < comparison->run_count; r++)
            html(report->page, "<td class=\"n\">%s", value_of(comparison, r, p));
        html(report->page, "</tr>\n");
    }
    html(report->page, "</tbody></table></div></div>\n");
}

static void put_portability_cell(struct report *report, const struct comparison *comparison, size_t from, size_t on)
{
    char number[REPORT_NUMBER_BYTES];
    enum cell cell;
    double slowdown = comparison_slowdown(comparison, from, on, &cell);
    if (isnan(slowdown))
        html(report->page, "<td class=\"n\">%s", compare_cell_note(comparison, comparison->runs[from].best, on));
    else
        html(report->page, "<td class=\"n\" style=\"--v:%z\">%r%s", (size_t)(100 / fmax(1, slowdown)),
             cell == CELL_EARLY ? "~" : "",
             report_number(slowdown,
                           slowdown < 10    ? 3
                           : slowdown < 100 ? 2
                                            : 1,
                           number));
}

static void put_matrix(struct report *report, const struct comparison *comparison)
{
    char number[REPORT_NUMBER_BYTES];
    html(report->page,
         "<div><h3>Portability</h3>\n<p>Time of the row's best configuration on the column's device, as a multiple of "
         "that device's own best time; ~: stopped early there, from few samples. P: harmonic mean over the "
         "runs of best time / time there, 0 when it fails in one (Pennycook et al., 2019).</p>" REPORT_SCROLL
         "<table class=\"heat\"><thead><tr><td>");
    put_run_heads(report, comparison);
    html(report->page, "<th scope=\"col\" class=\"n\">P</tr></thead><tbody>\n");
    for (size_t from = 0; from < comparison->run_count; from++) {
        const struct comparison_run *run = &comparison->runs[from];
        html(report->page, "<tr><th scope=\"row\">best of [%z] %s", from + 1,
             run->measured_run->provenance.device.name);
        for (size_t on = 0; on < comparison->run_count; on++)
            put_portability_cell(report, comparison, from, on);
        double portability = run->best == COMPARISON_NONE ? NAN : comparison_portability(comparison, run->best);
        html(report->page, "<td class=\"n\">%s</tr>\n", report_number(portability, 3, number));
    }
    html(report->page, "</tbody></table></div></div>\n");
}

static void put_ranking(struct report *report, const struct findings *findings)
{
    const struct comparison *comparison = findings->comparison;
    html(report->page, "<div class=\"detail\"><h3>Best over all devices</h3>\n");
    if (findings->known == 0) {
        html(report->page, "<p>Unknown: no configuration was measured in every run.</p></div>\n");
        return;
    }
    html(report->page,
         "<p>Of the %z configuration%r that every run knows: P, and best time / time on each device.</p>" REPORT_SCROLL
         "<table><thead><tr><th "
         "scope=\"col\" class=\"n\">P",
         findings->known, findings->known == 1 ? "" : "s");
    put_run_heads(report, comparison);
    html(report->page, "<th scope=\"col\">configuration</tr></thead><tbody>\n");
    for (size_t i = 0; i < findings->ranked && i < 10; i++) {
        struct text configuration = {0};
        char number[REPORT_NUMBER_BYTES];
        html(report->page, "<tr><td class=\"n\">%s", report_number(findings->ranking[i].portability, 3, number));
        for (size_t r = 0; r < comparison->run_count; r++)
            html(report->page, "<td class=\"n\">%s",
                 report_number(comparison_efficiency(comparison, findings->ranking[i].configuration, r), 3, number));
        comparison_text(comparison, findings->ranking[i].configuration, &configuration);
        html(report->page, "<td><code>%s</code></tr>\n", text_string(&configuration));
        text_free(&configuration);
    }
    html(report->page, "</tbody></table></div></div>\n");
}

/* `folded`: a browser with scripts keeps the content as text until the reader opens the comparison. */
static void put_comparison(struct report *report, const struct findings *findings, size_t number, bool folded)
{
    const struct comparison *comparison = findings->comparison;
    html(report->page, "<section class=\"kernel%r\" id=\"%s\">\n%r<h2>%s</h2>\n<p class=\"facts\">%s%r%s</p>\n",
         comparison->run_count > 1 ? " several" : "", report->names[number],
         folded ? "<p class=\"back\"><a href=\"#overview\">All kernels</a></p>\n" : "", comparison->kernel,
         comparison->title, *comparison->title && *comparison->problem ? "; " : "", comparison->problem);
    html(report->page, "%r", folded ? "<noscript>\n" : "");
    if (comparison->run_count > 1) {
        report_runs(report, findings, number);
        html(report->page, "<div class=\"side\">\n");
        put_winners(report, comparison);
        put_matrix(report, comparison);
        html(report->page, "</div>\n");
        put_ranking(report, findings);
    }
    html(report->page, "<div class=\"runs\">\n");
    for (size_t r = 0; r < comparison->run_count; r++)
        report_run(report, findings, r, number);
    html(report->page, "</div>\n%r</section>\n", folded ? "</noscript>\n" : "");
}

/* ---- The page ---- */

/* `kernel` NULL: several kernels. */
static void put_head(struct report *report, const char *kernel)
{
    html(report->page,
         "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
         "style-src 'unsafe-inline'; img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n<title>%s%r</title>\n"
         "<style>\n%r</style>\n</head>\n<body>\n<header><h1>Tuning report</h1>",
         kernel ? kernel : "cutune", kernel ? ": tuning report" : " tuning report", report_css);
    html(report->page, "<p class=\"facts\">cutune %s</p></header>\n", CUTUNE_VERSION);
    html(report->page, "<main>\n");
}

static int put_end(struct report *report, struct error *error)
{
    html(report->page, "</main>\n<script>%r</script>\n</body>\n</html>\n", report_js);
    arena_free(&report->arena);
    return report->failed || report->page->failed ? error_memory(error) : 0;
}

int report_page(const struct findings *findings, size_t count, size_t top, struct text *page, struct figures *figures,
                struct error *error)
{
    struct report report = {.page = page, .figures = figures, .top = top};
    report_name(&report, findings, count);
    if (report.failed) {
        arena_free(&report.arena);
        return error_memory(error);
    }
    put_head(&report, count == 1 ? findings[0].comparison->kernel : NULL);
    if (count > 1) {
        html(report.page, "<section id=\"overview\">\n");
        report_overview(&report, findings, count);
        html(report.page, "</section>\n");
    }
    for (size_t i = 0; i < count; i++)
        put_comparison(&report, &findings[i], i, count > 1);
    return put_end(&report, error);
}

int report_fits(const struct fit_seen *fits, size_t count, struct text *page, struct figures *figures,
                struct error *error)
{
    struct report report = {.page = page, .figures = figures};
    put_head(&report, count == 1 ? fits[0].row->provenance.kernel : NULL);
    for (size_t i = 0; i < count; i++)
        report_fit(&report, &fits[i], i + 1);
    return put_end(&report, error);
}
