#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/text.h"
#include "db/database.h"
#include "tools/command.h"
#include "tools/output.h"

struct show_values {
    const char *database, *kernel, *device, *format;
};

static const struct option_row rows[] = {
    {.name = "db",
     .argument = "FILE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct show_values, database),
     .standard = "cutune.csv",
     .help = "database to show"},
    {.name = "kernel",
     .argument = "NAME",
     .type = OPTION_TEXT,
     .offset = offsetof(struct show_values, kernel),
     .help = "show only this kernel"},
    {.name = "device",
     .argument = "TEXT",
     .type = OPTION_TEXT,
     .offset = offsetof(struct show_values, device),
     .help = "show only devices whose name contains this text, in any case"},
    OUTPUT_FORMAT_OPTION(struct show_values, format),
};

static bool matches(const struct show_values *wanted, const struct best *best)
{
    return (!wanted->kernel || strcmp(wanted->kernel, best->kernel) == 0) &&
           (!wanted->device || strcasestr(best->device, wanted->device));
}

/* text: what people compare, rounded to what is meant. */
static void add_summary(cJSON *row, const struct best *best)
{
    char time[32];
    cJSON_AddStringToObject(row, "kernel", best->kernel);
    cJSON_AddStringToObject(row, "device", best->device);
    cJSON_AddStringToObject(row, "problem", best->problem);
    cJSON_AddStringToObject(row, "configuration", best->configuration);
    if (isnan(best->time_ns))
        cJSON_AddNullToObject(row, "time");
    else
        cJSON_AddStringToObject(row, "time", format_time(time, sizeof time, best->time_ns));
    output_add_real(row, "speed-up", round(best->speedup * 100) / 100);
    output_add_real(row, "% of ceiling", round(best->ceiling_percent * 10) / 10);
    cJSON_AddStringToObject(row, "date", best->date);
}

/* csv, json: every column. */
static void add_columns(cJSON *row, const struct best *best)
{
#define ADD_INT                   output_add_int
#define ADD_REAL                  output_add_real
#define ADD_TEXT                  cJSON_AddStringToObject
#define COLUMN(name, kind, field) ADD_##kind(row, #name, best->field);
#include "db/database_columns.def"
#undef COLUMN
}

static int nothing(const struct show_values *wanted, const struct database *database, struct error *error)
{
    struct text kernels = {0};
    const char *before = "";
    if (database_count(database) == 0) {
        error_set(error, ERROR_NOT_FOUND, "there is no result in %s", wanted->database);
        error_hint(error,
                   "cutune --space FILE tunes a kernel and saves its best configuration; --db names another file");
        return ERROR_NOT_FOUND;
    }
    error_set(error, ERROR_NOT_FOUND, "%s has no row%s%.100s%s%.100s", wanted->database,
              wanted->kernel ? " of the kernel " : "", wanted->kernel ? wanted->kernel : "",
              wanted->device ? " on a device named " : "", wanted->device ? wanted->device : "");
    for (size_t i = 0; i < database_count(database); before = database_get(database, i++)->kernel)
        if (strcmp(database_get(database, i)->kernel, before) != 0)
            text_printf(&kernels, "%s%s", *before ? ", " : "", database_get(database, i)->kernel);
    error_hint(error, "its kernels are: %s; cutune show lists their devices", text_string(&kernels));
    text_free(&kernels);
    return ERROR_NOT_FOUND;
}

static int show(const struct show_values *wanted, const struct database *database, struct error *error)
{
    cJSON *list = cJSON_CreateArray();
    bool people = strcmp(wanted->format, "text") == 0;
    for (size_t i = 0; list && i < database_count(database); i++) {
        const struct best *best = database_get(database, i);
        cJSON *row = matches(wanted, best) ? cJSON_CreateObject() : NULL;
        if (!row)
            continue;
        if (people)
            add_summary(row, best);
        else
            add_columns(row, best);
        cJSON_AddItemToArray(list, row);
    }
    int code = cJSON_GetArraySize(list) || !list ? output_rows(list, wanted->format, false, error)
                                                 : nothing(wanted, database, error);
    cJSON_Delete(list);
    return code;
}

static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct show_values *wanted = values;
    struct database *database = NULL;
    (void)arguments;
    (void)argument_count;
    int code = database_open(&database, wanted->database, error);
    if (!code)
        code = show(wanted, database, error);
    database_close(database);
    return code;
}

const struct command command_show = {.name = "show",
                                     .arguments = "",
                                     .summary = "show the best configurations in the database",
                                     .options = rows,
                                     .option_count = sizeof rows / sizeof *rows,
                                     .values_size = sizeof(struct show_values),
                                     .run = run};
