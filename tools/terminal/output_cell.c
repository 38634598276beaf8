/* Members of the rows of results, and their texts. */
#include <math.h>
#include <stdio.h>

#include "terminal/output_format.h"

void output_add_int(cJSON *object, const char *name, long long number)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%lld", number);
    cJSON_AddRawToObject(object, name, digits);
}

cJSON *output_real(double number)
{
    char digits[TEXT_REAL_BYTES];
    cJSON *item = isnan(number) || isinf(number) ? cJSON_CreateNull() : cJSON_CreateRaw(text_real(number, digits));
    if (item)
        item->valuedouble = number; /* read by `cell` */
    return item;
}

void output_add_real(cJSON *object, const char *name, double number)
{
    cJSON_AddItemToObject(object, name, output_real(number));
}

void output_add_best(cJSON *object, const struct best *best)
{
    size_t count;
    const struct csv_column *columns = database_columns(&count);
    for (size_t i = 0; i < count; i++) {
        char buffer[CSV_BUFFER_BYTES];
        const char *cell;
        const struct csv_column *column = &columns[i];
        if (csv_is_real(column->kind))
            output_add_real(object, column->name, csv_cell_number(column, best));
        else if (csv_cell_text(column, best, buffer, &cell, NULL) == 0)
            csv_is_integer(column->kind) ? cJSON_AddRawToObject(object, column->name, cell)
                                         : cJSON_AddStringToObject(object, column->name, cell);
    }
}

bool output_is_number(const cJSON *item)
{
    return cJSON_IsNumber(item) || cJSON_IsRaw(item);
}

void output_cell(struct text *text, const cJSON *item, bool people)
{
    if (!item || cJSON_IsNull(item))
        return;
    if (cJSON_IsString(item) && people)
        text_append_clean(text, item->valuestring, "", ' ');
    else if (output_is_number(item) && people && item->valuedouble != floor(item->valuedouble))
        text_printf(text, "%.6g", item->valuedouble);
    else if (cJSON_IsString(item) || cJSON_IsRaw(item))
        text_append_clean(text, item->valuestring, "\n\r\t", '?');
    else
        output_json(text, item, false);
}

void output_json(struct text *text, const cJSON *json, bool people)
{
    char *printed = people ? cJSON_Print(json) : cJSON_PrintUnformatted(json);
    if (printed)
        text_append_clean(text, printed, "\n\t", TEXT_JSON);
    text->failed |= !printed;
    cJSON_free(printed);
}
