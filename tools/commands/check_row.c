#include "commands/check_row.h"

#include "terminal/output.h"

cJSON *check_row(cJSON *rows, const char *kind, const char *name, const char *value)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "kind", kind);
    if (name)
        cJSON_AddStringToObject(row, "name", name);
    else
        cJSON_AddNullToObject(row, "name");
    if (value)
        cJSON_AddStringToObject(row, "value", value);
    else
        cJSON_AddNullToObject(row, "value");
    cJSON_AddItemToArray(rows, row);
    return row;
}

void check_row_end(cJSON *row, const char *from, const char *default_, double removed, int line)
{
    if (from)
        cJSON_AddStringToObject(row, "from", from);
    else
        cJSON_AddNullToObject(row, "from");
    if (default_)
        cJSON_AddStringToObject(row, "default", default_);
    else
        cJSON_AddNullToObject(row, "default");
    output_add_real(row, "removed", removed);
    if (line)
        output_add_int(row, "line", line);
    else
        cJSON_AddNullToObject(row, "line");
}
