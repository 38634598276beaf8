#include "commands/show_for.h"

#include <stdbool.h>
#include <string.h>

#include "base/known_devices.h"
#include "base/text.h"
#include "commands/find.h"
#include "commands/library_calls.h"
#include "terminal/output_format.h"

/* ---- The device ---- */

struct named {
    const char *name;
    int64_t cc, sm_count, l2_bytes;
};

/* A device of the database, by row, or a known GPU. */
typedef struct named list_devices(const struct database *database, size_t i);

static struct named of_row(const struct database *database, size_t i)
{
    const struct provenance *from = &database_get(database, i)->provenance;
    return (struct named){from->device.name, from->device.cc, from->device.sm_count, from->device.l2_bytes};
}

static struct named of_known(const struct database *database, size_t i)
{
    const struct device_limits *known = &known_devices[i];
    (void)database;
    return (struct named){known->name, known->cc, known->sm_count, known->l2_bytes};
}

static bool is_word(char c)
{
    return text_is_letter(c) || text_is_digit(c);
}

/* True if `part` is whole words of the name, in any case: "A100" of "NVIDIA A100-SXM4-40GB", "A10" is not. */
static bool has_words(const char *name, const char *part)
{
    size_t length = strlen(part);
    for (const char *at = name; length && (at = strcasestr(at, part)); at++)
        if ((at == name || !is_word(at[-1]) || !is_word(*part)) && (!is_word(at[length]) || !is_word(part[length - 1])))
            return true;
    return false;
}

static bool is_name(const char *name, const char *wanted)
{
    return strcmp(name, wanted) == 0;
}

/* True if an item before `end` has the name. */
static bool has_name(const struct database *database, list_devices *list, size_t end, const char *name)
{
    size_t i = 0;
    while (i < end && strcmp(list(database, i).name, name) != 0)
        i++;
    return i < end;
}

/* Finds the device of a list that `matches`. Several names are ERROR_USAGE. */
static int find_in(const struct show_for *wanted, const struct database *database, size_t count, list_devices *list,
                   bool (*matches)(const char *, const char *), struct named *found, struct error *error)
{
    struct text names = {0};
    bool several = false;
    for (size_t i = 0; i < count; i++) {
        struct named device = list(database, i);
        if (!matches(device.name, wanted->device) || has_name(database, list, i, device.name))
            continue;
        several |= found->name != NULL;
        text_printf(&names, "%s%s", found->name ? ", " : "", device.name);
        *found = device;
    }
    if (several) {
        error_set(error, ERROR_USAGE, "--for: '%.100s' is a part of several names", wanted->device);
        error_hint(error, "name one of %s", text_string(&names));
    }
    text_free(&names);
    return several ? ERROR_USAGE : 0;
}

static int unknown_device(const struct show_for *wanted, struct error *error)
{
    struct text names = {0};
    for (size_t i = 0; i < known_device_count; i++)
        text_printf(&names, "%s%s", i ? ", " : "", known_devices[i].name);
    error_set(error, ERROR_NOT_FOUND, "--for: neither %s nor the known GPUs have a device named '%.100s'", wanted->path,
              wanted->device);
    error_hint(error, "give its compute capability, as in --cc 80, and multiprocessors, as in --sm 108; known are %s",
               text_string(&names));
    text_free(&names);
    return ERROR_NOT_FOUND;
}

static int find_device(const struct show_for *wanted, const struct database *database, struct named *found,
                       struct error *error)
{
    const struct {
        size_t count;
        list_devices *list;
        bool (*matches)(const char *, const char *);
    } steps[] = {{database_count(database), of_row, is_name},
                 {known_device_count, of_known, is_name},
                 {database_count(database), of_row, has_words},
                 {known_device_count, of_known, has_words}};
    *found = (struct named){.name = NULL};
    if (wanted->cc)
        found->name = wanted->device;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !found->name; i++) {
        int code = find_in(wanted, database, steps[i].count, steps[i].list, steps[i].matches, found, error);
        if (code)
            return code;
    }
    if (!found->name)
        return unknown_device(wanted, error);
    found->cc = wanted->cc ? wanted->cc : found->cc;
    found->sm_count = wanted->sm_count ? wanted->sm_count : found->sm_count;
    found->l2_bytes = wanted->l2_bytes ? wanted->l2_bytes : found->l2_bytes;
    return 0;
}

/* ---- The answer ---- */

/* Unknown numbers are null, and a word for people. */
static void add_number(cJSON *row, const char *name, double number, bool people)
{
    if (people && number != number)
        cJSON_AddStringToObject(row, name, "unknown");
    else
        output_add_real(row, name, number);
}

/* Adds the row of a device that the configuration is from. */
static void add_row(cJSON *row, const struct cutune_best *best, bool people)
{
    cJSON_AddStringToObject(row, "row_device", best->device);
    cJSON_AddStringToObject(row, "row_problem", best->problem);
    cJSON_AddStringToObject(row, "row_date", best->date);
    add_number(row, "row_time_ns", best->time_ns, people);
    add_number(row, "row_speedup", best->speedup, people);
}

static int print(const struct show_for *wanted, const char *kernel, const struct cutune_device *device,
                 const char *name, const char *problem, const struct cutune_best *best, struct error *error)
{
    bool people = output_format(wanted->format)->people;
    cJSON *list = cJSON_CreateArray(), *row = cJSON_CreateObject();
    cJSON_AddItemToArray(list, row);
    cJSON_AddStringToObject(row, "kernel", kernel);
    cJSON_AddStringToObject(row, "device", name);
    output_add_int(row, "cc", cutune_device_get(device, "cc"));
    output_add_int(row, "sm_count", cutune_device_get(device, "sm_count"));
    output_add_int(row, "l2_bytes", cutune_device_get(device, "l2_bytes"));
    cJSON_AddStringToObject(row, "problem", problem);
    cJSON_AddStringToObject(row, "configuration", best->configuration);
    cJSON_AddStringToObject(row, "rule", cutune_rule_name(best->rule));
    add_number(row, "expected_loss_percent", best->expected_loss_percent, people);
    cJSON_AddBoolToObject(row, "extrapolated", best->extrapolated);
    if (*best->device || !people)
        add_row(row, best, people);
    cJSON_AddStringToObject(row, "generation", best->generation);
    int code = output_rows(list, wanted->format, true, error);
    cJSON_Delete(list);
    return code;
}

int show_for(const struct show_for *wanted, const struct database *database, struct error *error)
{
    struct cutune_database *opened = NULL;
    struct cutune_device *device = NULL;
    struct cutune_error failure = {0};
    struct cutune_best best;
    struct named named;
    struct text problem = {0};
    const char *kernel = wanted->kernel;
    int code = kernel ? 0 : find_only_kernel(database, wanted->path, "show --for", &kernel, error);
    if (!code)
        code = find_device(wanted, database, &named, error);
    if (!code && !(device = cutune_device_new(named.name, (int)named.cc, (int)named.sm_count, named.l2_bytes)))
        code = error_memory(error);
    library_problem(&wanted->defines, &problem);
    if (!code && problem.failed)
        code = error_memory(error);
    if (!code && (cutune_database_open(&opened, wanted->path, wanted->journals, &failure) ||
                  (wanted->generation && cutune_database_require(opened, wanted->generation, &failure)) ||
                  cutune_database_best(opened, kernel, device, text_string(&problem), &best, &failure)))
        code = library_error(&failure, error);
    if (!code)
        code = print(wanted, kernel, device, named.name, text_string(&problem), &best, error);
    cutune_database_close(opened);
    cutune_device_free(device);
    text_free(&problem);
    return code;
}
