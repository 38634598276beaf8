/* Figures of the report: a canvas for report.js, and a table with the same content. */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "report/html.h"
#include "report/report.h"
#include "terminal/output.h"

cJSON *chart_begin(struct report *report, const char *type, const char *title, const char *x, const char *y)
{
    char id[32];
    cJSON *chart = cJSON_CreateObject();
    snprintf(id, sizeof id, "chart-%zu", ++report->chart_count);
    cJSON_AddStringToObject(chart, "id", id);
    cJSON_AddStringToObject(chart, "type", type);
    cJSON_AddStringToObject(chart, "title", title);
    cJSON_AddStringToObject(chart, "x", x);
    cJSON_AddStringToObject(chart, "y", y);
    cJSON_AddArrayToObject(chart, "labels");
    cJSON_AddArrayToObject(chart, "colours");
    cJSON_AddArrayToObject(chart, "series");
    report->failed |= !cJSON_AddItemToArray(report->charts, chart);
    html(report->page,
         "<figure><figcaption>%s</figcaption><div class=\"canvas\"><canvas id=\"%s\" role=\"img\" "
         "aria-label=\"%s: chart, its numbers follow\"></canvas></div>\n",
         title, id, title);
    return chart;
}

void chart_flag(cJSON *chart, const char *flag)
{
    cJSON_AddTrueToObject(chart, flag);
}

void chart_labels(cJSON *chart, const char *label)
{
    cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(chart, "labels"), cJSON_CreateString(label));
}

void chart_colour(cJSON *chart, int colour)
{
    cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(chart, "colours"), cJSON_CreateNumber(colour));
}

cJSON *chart_series(cJSON *chart, const char *name, int colour, const char *style, const char *says)
{
    cJSON *series = cJSON_CreateObject();
    cJSON_AddStringToObject(series, "name", name);
    output_add_int(series, "colour", colour);
    cJSON_AddStringToObject(series, "style", style);
    cJSON_AddStringToObject(series, "says", says);
    cJSON *data = cJSON_AddArrayToObject(series, "data");
    cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(chart, "series"), series);
    return data;
}

/* Seven figures exceed a chart's resolution and take a third of the bytes. */
static cJSON *short_number(double number)
{
    char digits[32];
    if (!isfinite(number))
        return cJSON_CreateNull();
    text_format(digits, sizeof digits, "%.7g", number);
    return cJSON_CreateRaw(digits);
}

void chart_value(cJSON *series, double value)
{
    cJSON_AddItemToArray(series, short_number(value));
}

void chart_point(cJSON *series, double x, double y)
{
    cJSON *point = cJSON_CreateObject();
    cJSON_AddItemToObject(point, "x", short_number(x));
    cJSON_AddItemToObject(point, "y", short_number(y));
    cJSON_AddItemToArray(series, point);
}

void chart_numbers_begin(struct report *report)
{
    html(report->page, "<details class=\"numbers\" open><summary>Numbers</summary>" REPORT_SCROLL);
}

void chart_end(struct report *report)
{
    html(report->page, "</div></details></figure>\n");
}
