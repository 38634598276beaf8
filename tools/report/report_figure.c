/* Figures of the report: a chart, and its numbers as CSV, which report.js shows as a table. */
#include <stdlib.h>
#include <string.h>

#include "base/text_set.h"
#include "report/html.h"
#include "report/report.h"

void figures_free(struct figures *figures)
{
    for (size_t i = 0; i < figures->count; i++) {
        free(figures->items[i].name);
        text_free(&figures->items[i].svg);
        text_free(&figures->items[i].csv);
    }
    free(figures->items);
    *figures = (struct figures){0};
}

/* ---- Names ---- */

/* Appends a name of letters, digits, '_' and '-'. */
static void append_name(struct text *text, const char *name)
{
    for (const char *c = name; *c; c++)
        text_append(text, text_is_letter(*c) || text_is_digit(*c) || *c == '_' ? c : "-", 1);
}

static const char *name_of(struct report *report, const char *name, size_t number)
{
    struct text text = {0};
    append_name(&text, name);
    if (number > 1)
        text_printf(&text, "-%zu", number);
    const char *copy = text.failed ? NULL : arena_copy(&report->arena, text_string(&text), text.length);
    report->failed |= !copy;
    text_free(&text);
    return copy ? copy : "";
}

void report_name(struct report *report, const struct findings *findings, size_t count)
{
    const char **names = arena_array(&report->arena, count + 1, sizeof *names);
    struct text_set taken = {0};
    size_t number = 1;
    report->failed |= !names;
    for (size_t i = 0; i < count && names; i++) {
        const char *kernel = findings[i].comparison->kernel, **place;
        if (i && strcmp(kernel, findings[i - 1].comparison->kernel) != 0) /* else those before are taken */
            number = 1;
        do {
            names[i] = name_of(report, kernel, number++);
            place = text_set_place(&taken, names[i]);
            report->failed |= !place;
        } while (!report->failed && *place);
        if (place)
            *place = names[i];
    }
    report->names = names;
    text_set_free(&taken);
}

const char *report_run_name(struct report *report, const struct findings *findings, size_t run, size_t comparison)
{
    const struct comparison_run *runs = findings->comparison->runs;
    const char *device = name_of(report, report_device(runs[run].measured_run), 1);
    size_t number = 1;
    for (size_t r = 0; r < run; r++)
        number += strcmp(name_of(report, report_device(runs[r].measured_run), 1), device) == 0;
    device = name_of(report, device, number);
    const char *name = report->names ? arena_printf(&report->arena, "%s.%s", report->names[comparison], device) : NULL;
    report->failed |= !name;
    return name ? name : "";
}

const char *report_fit_name(struct report *report, const struct provenance *provenance, size_t number)
{
    const char *name = arena_printf(&report->arena, "%s.%s", name_of(report, provenance->kernel, number),
                                    name_of(report, provenance->device.name, 1));
    report->failed |= !name;
    return name ? name : "";
}

const char *report_quantity(const char *name, const struct report_unit *unit, char buffer[REPORT_QUANTITY_BYTES])
{
    text_format(buffer, REPORT_QUANTITY_BYTES, "%s (%s)", name, unit->name);
    return buffer;
}

/* ---- Figures ---- */

void report_search(struct report *report, const char *label, const char *example)
{
    html(report->page,
         "<p class=\"search\"><label>%s <input type=\"search\" placeholder=\"%r%s\"></label> <output "
         "aria-live=\"polite\"></output></p>",
         label, *example ? "e.g. " : "", example);
}

void figures_begin(struct report *report, const char *section)
{
    report->section = section;
    report->section_figures = report->figures ? report->figures->count : 0;
}

/* True if an earlier figure of the section has the name: other characters became the same. */
static bool is_taken(const struct report *report, const char *name)
{
    for (size_t i = report->section_figures; i < report->figures->count; i++)
        if (strcmp(report->figures->items[i].name, name) == 0)
            return true;
    return false;
}

/* Keeps the chart for a file. */
static void keep(struct report *report, const char *name)
{
    struct figures *figures = report->figures;
    if (figures->count == figures->room) {
        size_t room = 2 * figures->room + 16;
        struct figure *items = realloc(figures->items, room * sizeof *items);
        report->failed |= !items;
        if (!items)
            return;
        figures->items = items;
        figures->room = room;
    }
    struct text text = {0};
    size_t number = 1;
    do {
        text_clear(&text);
        text_printf(&text, number > 1 ? "%s-%zu" : "%s", name, number);
        number++;
    } while (is_taken(report, text_string(&text)));
    struct figure *figure = &figures->items[figures->count];
    *figure = (struct figure){.name = text.bytes};
    chart_svg(&report->chart, &figure->svg);
    chart_csv(&report->chart, &figure->csv);
    report->failed |= text.failed || figure->svg.failed || figure->csv.failed;
    figures->count++;
}

struct chart *figure_begin(struct report *report, const char *name, const char *title, const char *x, const char *y)
{
    chart_begin(&report->chart, title, x, y);
    report->figure = name_of(report, name, 1);
    return &report->chart;
}

void figure_draw(struct report *report)
{
    html(report->page, "<figure class=\"%s\"><figcaption>%s</figcaption>", report->figure, report->chart.title);
    chart_svg(&report->chart, report->page);
    html(report->page, "\n");
}

void figure_end(struct report *report)
{
    struct text csv = {0}, name = {0};
    chart_csv(&report->chart, &csv);
    html(report->page, "<details class=\"numbers\" data-says=\"");
    for (size_t c = 1; c <= report->chart.drawn; c++)
        html(report->page, "%r%s", c > 1 ? "|" : "", report->chart.columns[c].says);
    html(report->page, "\"><summary>Numbers</summary><pre>");
    for (char *line = csv.failed ? NULL : csv.bytes, *end; line && *line;
         line = end + 1) { /* html_escape drops the ends of lines */
        end = strchr(line, '\n');
        *end = '\0';
        html(report->page, "%s\n", line);
    }
    html(report->page, "</pre></details></figure>\n");
    if (report->figures) {
        text_printf(&name, "%s.%s", report->section, report->figure);
        keep(report, text_string(&name));
    }
    report->failed |= report->chart.failed || csv.failed || name.failed;
    text_free(&csv);
    text_free(&name);
    chart_free(&report->chart);
}
