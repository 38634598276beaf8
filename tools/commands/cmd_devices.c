#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "device/device.h"
#include "terminal/command.h"
#include "terminal/output_format.h"

struct devices_values {
    const char *device;
    const char *format;
};

static const struct option_row rows[] = {
    {.name = "device",
     .argument = "DEVICES",
     .type = OPTION_TEXT,
     .offset = offsetof(struct devices_values, device),
     .default_ = "all",
     .help = "show only these CUDA devices, by number or UUID, separated by commas"},
    OUTPUT_FORMAT_OPTION(struct devices_values, format),
};

static void cuda_text(const struct device_limits *limits, char *buffer, size_t room)
{
    snprintf(buffer, room, "%d.%d", (int)(limits->cuda / 1000), (int)(limits->cuda % 1000 / 10));
}

/* csv and json: one row per device. */
static void add_row(cJSON *list, const char *name, const struct device_limits *limits)
{
    char cuda[32];
    cJSON *row = cJSON_CreateObject();
    cuda_text(limits, cuda, sizeof cuda);
    if (name[strspn(name, "0123456789")])
        cJSON_AddStringToObject(row, "device", name);
    else
        output_add_int(row, "device", strtol(name, NULL, 10));
    cJSON_AddStringToObject(row, "name", limits->name);
    cJSON_AddStringToObject(row, "driver", limits->driver);
    cJSON_AddStringToObject(row, "cuda", cuda);
    cJSON_AddStringToObject(row, "uuid", limits->uuid);
    for (size_t i = 0; i < limit_count; i++)
        output_add_int(row, limit_rows[i].name, limit_get(limits, &limit_rows[i]));
    cJSON_AddItemToArray(list, row);
}

static void add_line(cJSON *list, const char *name, const char *value, const char *description)
{
    cJSON *line = cJSON_CreateObject();
    cJSON_AddStringToObject(line, "limit", name);
    cJSON_AddStringToObject(line, "value", value);
    cJSON_AddStringToObject(line, "meaning", description);
    cJSON_AddItemToArray(list, line);
}

/* text: one table per device, one line per limit. */
static int print_table(const char *name, const struct device_limits *limits, struct error *error)
{
    char value[32];
    cJSON *list = cJSON_CreateArray();
    add_line(list, "device", name, "for --device");
    add_line(list, "name", limits->name, "");
    add_line(list, "driver", limits->driver, "version of the NVIDIA driver");
    cuda_text(limits, value, sizeof value);
    add_line(list, "cuda", value, "newest CUDA version that the driver supports");
    add_line(list, "uuid", limits->uuid, "names it for --device, too");
    for (size_t i = 0; i < limit_count; i++) {
        snprintf(value, sizeof value, "%lld", (long long)limit_get(limits, &limit_rows[i]));
        add_line(list, limit_rows[i].name, value, limit_rows[i].description);
    }
    int code = output_rows(list, "text", false, error);
    cJSON_Delete(list);
    return code;
}

/* Shows a device as a table, or adds its row to the list. */
static int show(const char *name, bool prose, cJSON *list, struct error *error)
{
    struct device *device = NULL;
    int code = device_open(&device, name, error);
    if (!code && prose && cJSON_GetArraySize(list))
        printf("\n");
    if (!code && prose)
        code = print_table(name, device_limits(device), error);
    if (!code)
        add_row(list, name, device_limits(device));
    device_close(device);
    return code;
}

/* Shows the devices that work, also beside one that fails. */
static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct devices_values *wanted = values;
    bool prose = output_format(wanted->format)->prose;
    struct device_choice chosen;
    cJSON *list = cJSON_CreateArray();
    int code = device_choose(wanted->device, &chosen, error), failed = 0;
    (void)arguments;
    (void)argument_count;
    for (size_t d = 0; !code && d < chosen.count; d++) {
        struct error own = {0};
        int fails = show(chosen.names[d], prose, list, &own);
        if (fails && failed)
            output_error(error);
        if (fails)
            *error = own;
        failed = fails ? fails : failed;
    }
    if (!code && !prose && cJSON_GetArraySize(list))
        code = output_rows(list, wanted->format, true, failed ? NULL : error);
    cJSON_Delete(list);
    return failed ? failed : code;
}

static const struct command_example examples[] = {
    {"cutune devices", "show all GPUs"},
    {"cutune devices --device 0 --format csv", "write the limits of the first GPU as `check --device-file` reads them"},
};

const struct command command_devices = {
    .name = "devices",
    .arguments = "",
    .summary = "show the GPUs and the limits that constrain spaces",
    .description = "cutune shows each GPU with the limits that expressions in a space may name. The CSV form "
                   "is the file that `cutune check --device-file` and the statement `device_limits` read on "
                   "other machines.",
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .values_size = sizeof(struct devices_values),
    .run = run};
