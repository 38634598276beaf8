#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "device/device.h"
#include "terminal/command.h"
#include "terminal/output_format.h"

struct devices_values {
    int64_t device;
    const char *format;
};

static const struct option_row rows[] = {
    {.name = "device",
     .argument = "N",
     .type = OPTION_INT,
     .offset = offsetof(struct devices_values, device),
     .min = -1,
     .max = 1023,
     .default_ = "-1",
     .help = "show only this CUDA device; -1: all"},
    OUTPUT_FORMAT_OPTION(struct devices_values, format),
};

static void cuda_text(const struct device_limits *limits, char *buffer, size_t room)
{
    snprintf(buffer, room, "%d.%d", (int)(limits->cuda / 1000), (int)(limits->cuda % 1000 / 10));
}

/* csv and json: one row per device. */
static void add_row(cJSON *list, int ordinal, const struct device_limits *limits)
{
    char cuda[32];
    cJSON *row = cJSON_CreateObject();
    cuda_text(limits, cuda, sizeof cuda);
    output_add_int(row, "device", ordinal);
    cJSON_AddStringToObject(row, "name", limits->name);
    cJSON_AddStringToObject(row, "driver", limits->driver);
    cJSON_AddStringToObject(row, "cuda", cuda);
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
static int print_table(int ordinal, const struct device_limits *limits, struct error *error)
{
    char value[32];
    cJSON *list = cJSON_CreateArray();
    snprintf(value, sizeof value, "%d", ordinal);
    add_line(list, "device", value, "number for --device");
    add_line(list, "name", limits->name, "");
    add_line(list, "driver", limits->driver, "version of the NVIDIA driver");
    cuda_text(limits, value, sizeof value);
    add_line(list, "cuda", value, "newest CUDA version that the driver supports");
    for (size_t i = 0; i < limit_count; i++) {
        snprintf(value, sizeof value, "%lld", (long long)limit_get(limits, &limit_rows[i]));
        add_line(list, limit_rows[i].name, value, limit_rows[i].description);
    }
    int code = output_rows(list, "text", false, error);
    cJSON_Delete(list);
    return code;
}

static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct devices_values *wanted = values;
    bool prose = output_format(wanted->format)->prose;
    int count = 0, code = device_count(&count, error);
    int first = wanted->device < 0 ? 0 : (int)wanted->device, last = wanted->device < 0 ? count - 1 : first;
    cJSON *list = cJSON_CreateArray();
    (void)arguments;
    (void)argument_count;
    if (!code && last >= count)
        code = error_set(error, ERROR_NO_DEVICE, "there is no CUDA device %d; the last is %d", last, count - 1);
    for (int ordinal = first; !code && ordinal <= last; ordinal++) {
        struct device *device = NULL;
        code = device_open(&device, ordinal, error);
        if (!code && prose) {
            if (ordinal != first)
                printf("\n");
            code = print_table(ordinal, device_limits(device), error);
        } else if (!code) {
            add_row(list, ordinal, device_limits(device));
        }
        device_close(device);
    }
    if (!code && !prose)
        code = output_rows(list, wanted->format, true, error);
    cJSON_Delete(list);
    return code;
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
