/* Report on a fit over sizes: its quality and its configurations over the region, and its tree in words. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/html.h"
#include "report/report.h"

enum { STEPS_MAX = 24, MAPS_MAX = 3, HUES = 360 };

/* ---- Sizes ---- */

/* True if the region has more than one value of the size. */
static bool varies(const struct size_fit *fit, size_t size)
{
    return fit->sizes[size].least < fit->sizes[size].most;
}

/* Fills values from the least to the greatest, powers of two between them: returns their number. */
static size_t steps_of(const struct size_fit_size *size, int64_t steps[STEPS_MAX])
{
    const double least = (double)(size->least > 0 ? size->least : 1), most = fmax((double)size->most, least);
    const size_t count = (size_t)fmin(STEPS_MAX, fmax(2, round(log2(most / least)) + 1));
    size_t used = 0;
    for (size_t i = 0; i < count && used < STEPS_MAX; i++) {
        int64_t value = (int64_t)round(least * pow(most / least, (double)i / (double)(count - 1)));
        value = value < size->least ? size->least : value > size->most ? size->most : value;
        if (!used || steps[used - 1] < value)
            steps[used++] = value;
    }
    return used;
}

/* "ROWS * COLS" */
static void name_volume(const struct size_fit *fit, struct text *text)
{
    const char *before = "";
    for (size_t i = 0; i < fit->size_count; i++)
        if (varies(fit, i)) {
            text_printf(text, "%s%s", before, fit->sizes[i].name);
            before = " * ";
        }
}

static double volume(const struct size_fit *fit, const int64_t *sizes)
{
    double product = 1;
    for (size_t i = 0; i < fit->size_count; i++)
        product *= varies(fit, i) ? (double)sizes[i] : 1;
    return product;
}

/* ---- The answer ---- */

static void put_headline(struct report *report, const struct fit_seen *seen)
{
    char number[REPORT_NUMBER_BYTES];
    const struct best *row = seen->row;
    const double held = fit_seen_number(row, "held_mean"), loss = fit_seen_number(row, "loss_percent");
    const double limit = fit_seen_number(row, "limit_percent"), taken = fit_seen_number(row, "taken_percent");
    const bool exceeded = loss > limit;
    html(report->page, "<p class=\"headline %r\"><b>%z configuration%r</b> for %s: ", exceeded ? "bad" : "good",
         seen->fit.configuration_count, seen->fit.configuration_count == 1 ? "" : "s", row->provenance.problem);
    html(report->page, "<b>%s</b> of the best on average%r</p>\n",
         report_number(isnan(held) ? fit_seen_number(row, "mean") : held, 3, number),
         isnan(held) ? "" : " on sizes that were held out");
    if (exceeded) {
        html(report->page, "<p>One size loses %s%%, ", report_number(loss, 1, number));
        html(report->page, "more than the %s%% that were asked for.</p>\n", report_number(limit, 1, number));
    }
    if (taken > limit) {
        html(report->page, "<p>With the tree's choices, one size loses %s%%; ", report_number(taken, 1, number));
        html(report->page, "with the best of the configurations, at most %s%%.</p>\n", report_number(loss, 1, number));
    }
}

static void put_quality_row(struct report *report, const char *name, const char *meaning, double sizes,
                            const struct fit_quality *quality)
{
    char number[REPORT_NUMBER_BYTES];
    if (isnan(quality->mean))
        return;
    html(report->page, "<tr><th scope=\"row\">%s<td class=\"n\">%s", name, report_number(sizes, 0, number));
    html(report->page, "<td class=\"n\">%s", report_number(quality->mean, 3, number));
    html(report->page, "<td class=\"n\">%s", report_number(quality->fifth, 3, number));
    html(report->page, "<td class=\"n\">%s<td>%s</tr>\n", report_number(quality->worst, 3, number), meaning);
}

static void put_quality(struct report *report, const struct fit_seen *seen)
{
    const struct best *row = seen->row;
    const double sizes = fit_seen_number(row, "sizes");
    const struct fit_quality sample = {fit_seen_number(row, "mean"), fit_seen_number(row, "fifth"),
                                       fit_seen_number(row, "worst")};
    const struct fit_quality held = {fit_seen_number(row, "held_mean"), fit_seen_number(row, "held_fifth"),
                                     fit_seen_number(row, "held_worst")};
    size_t unseen = 0;
    for (size_t i = seen->sample_count; i < seen->count; i++)
        unseen += !isnan(seen->sizes[i].quality);
    html(report->page, REPORT_SCROLL "<table><thead><tr><th scope=\"col\">best time / time of the choice<th "
                                     "scope=\"col\" class=\"n\">sizes<th scope=\"col\" class=\"n\">mean<th "
                                     "scope=\"col\" class=\"n\">5th percentile<th scope=\"col\" "
                                     "class=\"n\">worst<th scope=\"col\">on</tr></thead><tbody>\n");
    put_quality_row(report, "in sample", "the sizes that it was made from", sizes, &sample);
    put_quality_row(report, "held out", "each of these, by a fit that was made without it", sizes, &held);
    put_quality_row(report, "not seen", "other sizes, each searched by itself", (double)unseen, &seen->unseen);
    html(report->page, "</tbody></table></div>\n");
    const double probed = fit_seen_number(row, "probed");
    if (!isnan(probed))
        html(report->page,
             "<p>Its tree was also made from %z probed size%r, at which these configurations alone were "
             "measured.</p>\n",
             (size_t)probed, probed == 1 ? "" : "s");
}

/* ---- Over the sizes ---- */

static void put_over_sizes(struct report *report, const struct fit_seen *seen)
{
    static const char *const says[] = {
        "Where {x} is the product of the sizes, the choice has {y}% of the best speed.",
        "A fit made without the size, whose product is {x}, has {y}% of the best speed there.",
        "Where {x} is the product of the sizes, which the fit has not seen, the choice has {y}% of the best speed."};
    static const char *const names[] = {"in sample", "held out", "not seen"};
    struct text label = {0};
    if (!seen->count) {
        html(report->page, "<p>The files have no journals of its sizes.</p>\n");
        return;
    }
    name_volume(&seen->fit, &label);
    html(report->page, "<h3>Quality over the sizes</h3>\n<div class=\"figures\">\n");
    struct chart *chart = figure_begin(report, "quality", "The choice against the best", text_string(&label),
                                       "best time / time of the choice (%)");
    size_t kinds[3], sizes[SIZE_FIT_SIZES_MAX];
    chart_name_rows(chart, text_string(&label));
    chart->log_x = true;
    for (size_t kind = 0; kind < sizeof names / sizeof *names; kind++)
        kinds[kind] = chart_column(chart, names[kind], CHART_MARKS, (int)kind, says[kind]);
    for (size_t i = 0; i < seen->fit.size_count; i++)
        sizes[i] = varies(&seen->fit, i) ? chart_column(chart, seen->fit.sizes[i].name, CHART_LISTED, 0, "") : 0;
    const size_t takes = chart_column(chart, "takes", CHART_LISTED, 0, "");
    for (size_t s = 0; s < seen->count; s++) {
        const struct fit_seen_size *size = &seen->sizes[s];
        chart_row_at(chart, volume(&seen->fit, size->sizes));
        chart_number(chart, kinds[size->sample ? 0 : 2], 100 * size->quality);
        chart_number(chart, kinds[1], 100 * size->held);
        for (size_t i = 0; i < seen->fit.size_count; i++)
            if (sizes[i])
                chart_number(chart, sizes[i], (double)size->sizes[i]);
        if (size->taken == SIZE_MAX)
            chart_text(chart, takes, "none");
        else
            chart_number(chart, takes, (double)size->taken);
    }
    figure_draw(report);
    figure_end(report);
    html(report->page, "</div>\n");
    if (!seen->whole)
        html(report->page,
             "<p>The files lack journals of sizes that the fit was made from: of these, there are %z.</p>\n",
             seen->sample_count);
    report->failed |= label.failed;
    text_free(&label);
}

/* ---- The configurations over the sizes ---- */

static size_t hue(const struct size_fit *fit, size_t configuration)
{
    return configuration * HUES / fit->configuration_count;
}

static void put_configurations(struct report *report, const struct fit_seen *seen)
{
    html(report->page,
         "<h3>Configurations</h3>\n" REPORT_SCROLL
         "<table class=\"map\"><thead><tr><th scope=\"col\" class=\"n\">number<th "
         "scope=\"col\">configuration<th scope=\"col\" class=\"n\">sizes that take it<th scope=\"col\">valid "
         "where</tr></thead><tbody>\n");
    for (size_t c = 0; c < seen->fit.configuration_count; c++) {
        const struct size_fit_configuration *configuration = &seen->fit.configurations[c];
        html(report->page, "<tr><td class=\"n\" style=\"--k:%z\">%z<td><code>%s</code>", hue(&seen->fit, c), c,
             *configuration->text ? configuration->text : "(no parameters)");
        if (seen->sample_count)
            html(report->page, "<td class=\"n\">%z", seen->rules[c]);
        else
            html(report->page, "<td class=\"n\">–");
        if (size_fit_serves_all(configuration))
            html(report->page, "<td>all sizes of the region</tr>\n");
        else
            html(report->page, "<td><code>%s</code></tr>\n", configuration->where);
    }
    html(report->page, "</tbody></table></div>\n");
}

/* `down` == `across`: a line of one size. The other sizes are those in `sizes`. */
static void put_map(struct report *report, const struct fit_seen *seen, size_t down, size_t across, int64_t *sizes)
{
    const struct size_fit *fit = &seen->fit;
    const struct device_limits *device = &seen->row->provenance.device;
    const bool line = down == across;
    int64_t rows[STEPS_MAX], columns[STEPS_MAX], kept_down = sizes[down], kept_across = sizes[across];
    const size_t row_count = line ? 1 : steps_of(&fit->sizes[down], rows);
    const size_t column_count = steps_of(&fit->sizes[across], columns);
    struct text name = {0}, title = {0}, says = {0};
    char number[32];
    text_printf(&name, "map-%s-%s", fit->sizes[down].name, fit->sizes[across].name);
    text_printf(&title, "%s%s%s%s", line ? "" : fit->sizes[down].name, line ? "" : " (down) and ",
                fit->sizes[across].name, line ? "" : " (across)");
    for (size_t i = 0; i < fit->size_count; i++)
        if (i != down && i != across && varies(fit, i))
            text_printf(&title, ", %s=%lld", fit->sizes[i].name, (long long)sizes[i]);
    text_printf(&says, "At %s%s%s={name}, number {y} is taken.", line ? "" : fit->sizes[down].name,
                line ? "" : "={x} and ", fit->sizes[across].name);
    struct chart *chart = figure_begin(report, text_string(&name), text_string(&title), fit->sizes[across].name,
                                       line ? "" : fit->sizes[down].name);
    chart_name_rows(chart, line ? "" : fit->sizes[down].name);
    chart->hues = fit->configuration_count;
    for (size_t c = 0; c < column_count; c++) {
        snprintf(number, sizeof number, "%lld", (long long)columns[c]);
        chart_column(chart, number, CHART_CELLS, 2, c ? "" : text_string(&says));
    }
    for (size_t r = 0; r < row_count; r++) {
        snprintf(number, sizeof number, "%lld", (long long)(line ? 0 : rows[r]));
        chart_row(chart, line ? "" : number);
        if (!line)
            sizes[down] = rows[r];
        for (size_t c = 0; c < column_count; c++) {
            sizes[across] = columns[c];
            const size_t taken = size_fit_choose(fit, sizes, (int)device->sm_count, device->l2_bytes, UINT32_MAX);
            if (taken != SIZE_MAX)
                chart_number(chart, c + 1, (double)taken);
        }
    }
    figure_draw(report);
    figure_end(report);
    report->failed |= name.failed || title.failed || says.failed;
    text_free(&name);
    text_free(&title);
    text_free(&says);
    sizes[across] = kept_across;
    sizes[down] = kept_down;
}

static void put_maps(struct report *report, const struct fit_seen *seen)
{
    const struct size_fit *fit = &seen->fit;
    int64_t sizes[SIZE_FIT_SIZES_MAX], steps[STEPS_MAX];
    size_t varying[SIZE_FIT_SIZES_MAX], count = 0, maps = 0;
    for (size_t i = 0; i < fit->size_count; i++) {
        sizes[i] = fit->sizes[i].least;
        if (!varies(fit, i))
            continue;
        varying[count++] = i;
        sizes[i] = steps[steps_of(&fit->sizes[i], steps) / 2];
    }
    if (!count)
        return;
    html(report->page,
         "<h3>Which one where</h3>\n<p>The number of the configuration that is taken at the sizes at "
         "the edges. Between them, others may be taken. Hatched: no configuration is valid there.</p>\n<div "
         "class=\"figures\">\n");
    if (count == 1)
        put_map(report, seen, varying[0], varying[0], sizes);
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count && maps < MAPS_MAX; j++, maps++)
            put_map(report, seen, varying[i], varying[j], sizes);
    html(report->page, "</div>\n");
}

/* ---- The tree ---- */

/* Nothing follows a configuration that serves all sizes. */
static void put_leaf(struct report *report, const struct size_fit *fit, const struct size_fit_node *leaf)
{
    html(report->page, "take ");
    for (size_t i = 0; i < fit->configuration_count; i++) {
        const struct size_fit_configuration *configuration = &fit->configurations[leaf->order[i]];
        html(report->page, "%r<b>%z</b> <code>%s</code>", i ? "; where that is not valid, " : "",
             (size_t)leaf->order[i], configuration->text);
        if (size_fit_serves_all(configuration))
            break;
    }
}

static void put_branch(struct report *report, const struct size_fit *fit, const char *word, size_t node);

static void put_node(struct report *report, const struct size_fit *fit, size_t node)
{
    struct text decision = {0};
    if (fit->nodes[node].leaf) {
        put_leaf(report, fit, &fit->nodes[node]);
        return;
    }
    size_fit_decision(fit, &fit->nodes[node], &decision);
    html(report->page, "<ul>\n<li>Where %s: ", text_string(&decision));
    put_branch(report, fit, "", node + 1);
    put_branch(report, fit, "<li>Else: ", fit->nodes[node].high);
    html(report->page, "</ul>\n");
    report->failed |= decision.failed;
    text_free(&decision);
}

static void put_branch(struct report *report, const struct size_fit *fit, const char *word, size_t node)
{
    html(report->page, "%r", word);
    put_node(report, fit, node);
    html(report->page, "</li>\n");
}

void report_fit(struct report *report, const struct fit_seen *seen, size_t number)
{
    const struct provenance *provenance = &seen->row->provenance;
    const char *name = report_fit_name(report, provenance, number);
    figures_begin(report, name);
    html(report->page, "<section id=\"%s\"><h2>%s</h2>\n<p class=\"facts\">%s%r%s; ", name, provenance->kernel,
         provenance->title, *provenance->title ? "; " : "", provenance->device.name);
    html(report->page, "%s; made %s</p>\n", provenance->options, provenance->date);
    put_headline(report, seen);
    if (seen->fit.earlier) {
        html(report->page, "<p>Made by an earlier cutune, this fit chooses nothing: run <code>cutune fit</code> "
                           "again.</p>\n");
        put_configurations(report, seen);
        html(report->page, "</section>\n");
        return;
    }
    put_quality(report, seen);
    put_over_sizes(report, seen);
    put_configurations(report, seen);
    put_maps(report, seen);
    html(report->page, "<h3>The tree in words</h3>\n%r", seen->fit.nodes[0].leaf ? "<p>For all sizes: " : "");
    put_node(report, &seen->fit, 0);
    html(report->page, "%r</section>\n", seen->fit.nodes[0].leaf ? "</p>\n" : "");
}
