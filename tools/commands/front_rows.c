#include "commands/front_rows.h"

#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "terminal/output.h"
#include "terminal/output_format.h"

/* Energies have no option of their own for it. */
static const double confidence = FRONT_CONFIDENCE;

static int compare(const void *left, const void *right)
{
    const struct front_row *a = left, *b = right;
    if (a->point.on != b->point.on)
        return a->point.on ? -1 : 1;
    double x = a->point.time.value, y = b->point.time.value;
    int order = isnan(x) - isnan(y);
    return order ? order : (x > y) - (x < y);
}

/* For people, "41.20 mJ +-0.8%"; for programs, value and ends. */
static void add_value(cJSON *row, const struct energy *energy, const struct objective *objective, bool people)
{
    const struct objective_columns *columns = objective_columns(objective);
    const struct bounded value = energy_value(energy, objective, confidence);
    char text[64] = "", shown[32];
    if (!people) {
        output_add_real(row, columns->value, value.value);
        output_add_real(row, columns->low, value.low);
        output_add_real(row, columns->high, isinf(value.high) ? NAN : value.high);
        return;
    }
    if (!isnan(value.value))
        text_format(text, sizeof text, "%s +-%.1f%%", objective->print(shown, sizeof shown, value.value),
                    50 * (value.high - value.low) / value.value);
    cJSON_AddStringToObject(row, objective->name, text);
}

static void add_numbers(cJSON *row, const struct energy *energy)
{
    cJSON *number = cJSON_AddArrayToObject(row, "joules");
    for (size_t i = 0; i < energy->round_count; i++)
        cJSON_AddItemToArray(number, output_real(energy->joules[i]));
    number = cJSON_AddArrayToObject(row, "times_ns");
    for (size_t i = 0; i < energy->round_count; i++)
        cJSON_AddItemToArray(number, output_real(energy->times_ns[i]));
}

static cJSON *make_row(const struct front_row *shown, const char *format)
{
    const struct energy *energy = shown->energy;
    const bool people = output_format(format)->people, per_work = !isnan(energy->work);
    const struct objective *const objectives[] = {&objective_row_time, &objective_row_energy, &objective_row_power,
                                                  &objective_row_energy_delay};
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "front", shown->library ? "library" : shown->point.on ? "yes" : "no");
    cJSON_AddStringToObject(row, "configuration", shown->configuration);
    for (size_t i = 0; i < sizeof objectives / sizeof *objectives; i++)
        add_value(row, energy, energy_objective(objectives[i], per_work), people);
    if (people)
        return row;
    output_add_real(row, "above_idle_j", energy_above_idle(energy));
    for (size_t i = 0; i < energy_count; i++)
        output_add_real(row, energy_rows[i].name,
                        *(const double *)(const void *)((const char *)energy + energy_rows[i].offset));
    cJSON_AddStringToObject(row, "states", energy->states);
    if (output_format(format)->nested)
        add_numbers(row, energy);
    return row;
}

cJSON *front_rows(struct front_row *rows, size_t count, const char *format)
{
    cJSON *list = cJSON_CreateArray();
    if (count)
        qsort(rows, count, sizeof *rows, compare);
    for (size_t i = 0; i < count && list; i++)
        cJSON_AddItemToArray(list, make_row(&rows[i], format));
    if (list && (size_t)cJSON_GetArraySize(list) == count)
        return list;
    cJSON_Delete(list);
    return NULL;
}
