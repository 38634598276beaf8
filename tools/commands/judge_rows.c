/* Verdicts as text and as records. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "commands/judge.h"
#include "commands/judge_clock.h"
#include "terminal/output.h"
#include "terminal/output_format.h"

static const char *relation_of(const struct verdict_ratio *ratio)
{
    return isnan(ratio->ratio)                     ? ""
           : ratio->verdict == VERDICT_FASTER      ? "faster"
           : ratio->verdict == VERDICT_SLOWER      ? "slower"
           : ratio->verdict == VERDICT_OTHER_STATE ? "other state"
                                                   : "tied";
}

/* ---- For programs ---- */

/* Speed-ups are the base's time over its own: above 1, it is faster. */
static void add_bases(cJSON *record, const struct judged *row)
{
    for (size_t b = 0; b < JUDGED_BASES; b++) {
        const struct verdict_ratio *ratio = &row->over[b];
        char name[64];
        snprintf(name, sizeof name, "against_%s", judged_base_name((enum judged_base)b));
        cJSON_AddStringToObject(record, name, relation_of(ratio));
        snprintf(name, sizeof name, "%s_speedup", judged_base_name((enum judged_base)b));
        output_add_real(record, name, 1 / ratio->ratio);
        snprintf(name, sizeof name, "%s_speedup_low", judged_base_name((enum judged_base)b));
        output_add_real(record, name, 1 / ratio->high);
        snprintf(name, sizeof name, "%s_speedup_high", judged_base_name((enum judged_base)b));
        output_add_real(record, name, 1 / ratio->low);
    }
}

/* The times of its evaluation. Those of an earlier run are unknown, because journals lack them. */
static void add_costs(cJSON *record, const struct measurement *measurement)
{
    const struct guard_times *times = &measurement->guard_times;
    const struct {
        const char *name;
        int64_t ns;
    } rows[] = {
        {"compile_ns", measurement->compile_ns},
        {"measure_ns", measurement->measure_ns},
#define GUARD_TIME(name, meaning) {#name "_ns", times->name##_ns},
#include "base/guard_times.def"
#undef GUARD_TIME
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        output_add_real(record, rows[i].name, rows[i].ns < 0 ? NAN : (double)rows[i].ns);
}

static void add_result(cJSON *record, const struct judged *row)
{
    const struct measurement *measurement = &row->measurement;
    const bool timed = row->measured && measurement_has_value(measurement);
    const bool per_work = timed && measurement_objective(measurement)->per_work;
    const double scale = per_work ? measurement->run_ns / measurement->value : 1;
    cJSON_AddStringToObject(record, "problem", row->problem);
    cJSON_AddStringToObject(record, "configuration", row->configuration);
    cJSON_AddStringToObject(record, "result", judged_verdict_name(row->verdict));
    cJSON_AddStringToObject(record, "status", row->measured ? status_name(measurement->status) : "");
    cJSON_AddStringToObject(record, "why", row->why);
    output_add_real(record, "time_ns", timed ? measurement->value * scale : NAN);
    output_add_real(record, "low_ns", timed ? measurement->low * scale : NAN);
    output_add_real(record, "high_ns", timed ? measurement->high * scale : NAN);
    output_add_real(record, "clock_mhz", timed ? judge_clock_mhz(measurement) : NAN);
    output_add_int(record, "samples", measurement->samples);
    output_add_int(record, "launches", measurement->launches);
    output_add_int(record, "compared", measurement->compared);
    add_costs(record, measurement);
    add_bases(record, row);
    cJSON_AddStringToObject(record, "journal", row->journal);
}

static cJSON *head_of(const struct judging *judging, const struct judged *row)
{
    const struct judged *where;
    cJSON *record = cJSON_CreateObject();
    cJSON_AddStringToObject(record, "candidate", row->name);
    cJSON_AddStringToObject(record, "file", row->file);
    cJSON_AddItemToObject(record, "own", cJSON_CreateBool(row->own));
    cJSON_AddStringToObject(record, "verdict", judged_verdict_name(judged_overall(judging, row->name, &where)));
    return record;
}

static bool is_first(const struct judging *judging, size_t number)
{
    for (size_t i = 0; i < number; i++)
        if (strcmp(judging->rows[i].name, judging->rows[number].name) == 0)
            return false;
    return true;
}

static void add_nested(const struct judging *judging, size_t number, cJSON *list)
{
    cJSON *record = head_of(judging, &judging->rows[number]);
    cJSON *results = cJSON_AddArrayToObject(record, "results");
    for (size_t i = number; i < judging->count; i++)
        if (strcmp(judging->rows[i].name, judging->rows[number].name) == 0) {
            cJSON *result = cJSON_CreateObject();
            add_result(result, &judging->rows[i]);
            cJSON_AddItemToArray(results, result);
        }
    cJSON_AddItemToArray(list, record);
}

/* ---- For people ---- */

static void add_shown(cJSON *record, const char *title, const struct verdict_ratio *ratio)
{
    char text[96] = "";
    if (!isnan(ratio->ratio))
        text_format(text, sizeof text, "%.2fx %s (%.2f to %.2f)", 1 / ratio->ratio, relation_of(ratio), 1 / ratio->high,
                    1 / ratio->low);
    cJSON_AddStringToObject(record, title, text);
}

static cJSON *shown_row(const struct judging *judging, const struct judged *row, const bool *used)
{
    static const char *const titles[JUDGED_BASES] = {"against the default", "the library", "the best known"};
    char time[64] = "";
    cJSON *record = cJSON_CreateObject();
    const struct measurement *measurement = &row->measurement;
    if (row->measured && measurement_timed(measurement))
        measurement_objective(measurement)->print(time, sizeof time, measurement->value);
    cJSON_AddStringToObject(record, "candidate", row->name);
    if (*row->problem && strcmp(judging->rows[0].problem, judging->rows[judging->count - 1].problem) != 0)
        cJSON_AddStringToObject(record, "problem", row->problem);
    cJSON_AddStringToObject(record, "verdict", judged_verdict_name(row->verdict));
    cJSON_AddStringToObject(record, "time", time);
    for (size_t b = 0; b < JUDGED_BASES; b++)
        if (used[b])
            add_shown(record, titles[b], &row->over[b]);
    return record;
}

/* The reasons stand below the table: they may be long. */
static void add_reasons(const struct judging *judging, struct text *lines)
{
    const bool several = strcmp(judging->rows[0].problem, judging->rows[judging->count - 1].problem) != 0;
    const char *journal = "";
    for (size_t i = 0; i < judging->count; i++) {
        const struct judged *row = &judging->rows[i];
        if (*row->why)
            text_printf(lines, "%s%s%s: %s\n", row->name, several ? " at " : "", several ? row->problem : "", row->why);
    }
    if (judging->library)
        text_printf(lines, "library: %s\n", judging->library);
    for (size_t i = 0; i < judging->count; i++) {
        if (*judging->rows[i].journal && strcmp(judging->rows[i].journal, journal) != 0)
            text_printf(lines, "journal: %s\n", judging->rows[i].journal);
        journal = judging->rows[i].journal;
    }
}

static int print_text(const struct judging *judging, const char *format, struct error *error)
{
    struct text lines = {0}, shown = {0};
    bool used[JUDGED_BASES] = {0};
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < judging->count; i++)
        for (size_t b = 0; b < JUDGED_BASES; b++)
            used[b] |= !isnan(judging->rows[i].over[b].ratio);
    for (size_t i = 0; i < judging->count && list; i++)
        cJSON_AddItemToArray(list, shown_row(judging, &judging->rows[i], used));
    int code = output_rows(list, format, false, error);
    add_reasons(judging, &lines);
    text_append_clean(&shown, text_string(&lines), "\n", ' ');
    shown.failed |= lines.failed;
    if (!code && shown.length)
        putchar('\n');
    if (!code)
        code = output_file(NULL, &shown, error);
    cJSON_Delete(list);
    text_free(&lines);
    text_free(&shown);
    return code;
}

int judge_print(const struct judging *judging, const char *format, struct error *error)
{
    const struct output_format *how = output_format(format);
    if (!judging->count)
        return 0;
    if (how->people)
        return print_text(judging, format, error);
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < judging->count && list; i++) {
        if (!how->nested) {
            cJSON *record = head_of(judging, &judging->rows[i]);
            add_result(record, &judging->rows[i]);
            cJSON_AddItemToArray(list, record);
        } else if (is_first(judging, i)) {
            add_nested(judging, i, list);
        }
    }
    int code = list ? output_rows(list, format, false, error) : error_memory(error);
    cJSON_Delete(list);
    return code;
}
