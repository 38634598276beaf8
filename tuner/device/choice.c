#include "device/choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"

static const char visible[] = "CUDA_VISIBLE_DEVICES";

static bool is_number(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    return digits && digits <= 4 && !name[digits];
}

/* CUDA also accepts the beginning of a UUID. */
static bool is_uuid(const char *name)
{
    return (strncmp(name, "GPU-", 4) == 0 || strncmp(name, "MIG-", 4) == 0) && name[4] &&
           strspn(name + 4, "0123456789abcdefABCDEF-/GPU") == strlen(name + 4);
}

static int add(struct device_choice *choice, const char *name, struct error *error)
{
    if (!is_number(name) && !is_uuid(name)) {
        error_set(error, ERROR_USAGE, "--device: '%.60s' is no device", name);
        error_hint(error, "name devices by number or UUID, separated by commas, or all; `cutune devices` lists them");
        return ERROR_USAGE;
    }
    for (size_t i = 0; i < choice->count; i++)
        if (strcmp(choice->names[i], name) == 0)
            return error_set(error, ERROR_USAGE, "--device: %s occurs twice", name);
    if (choice->count == DEVICES_MAX)
        return error_set(error, ERROR_USAGE, "--device: at most %d devices work together", DEVICES_MAX);
    strcpy(choice->names[choice->count++], name);
    return 0;
}

static int add_all(struct device_choice *choice, struct error *error)
{
    int count = 0, code = device_count(&count, error);
    for (int i = 0; i < count && !code; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        code = add(choice, name, error);
    }
    return code;
}

int device_choose(const char *text, struct device_choice *choice, struct error *error)
{
    int code = 0;
    choice->count = 0;
    if (!text || !*text)
        return add(choice, "0", error);
    if (strcmp(text, "all") == 0)
        return add_all(choice, error);
    for (const char *at = text; at && !code;) {
        char name[DEVICE_NAME_BYTES];
        size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), at);
        code = add(choice, name, error);
        at = at[length] ? at + length + 1 : NULL;
    }
    return code;
}

int device_choose_one(const char *text, char name[DEVICE_NAME_BYTES], struct error *error)
{
    struct device_choice choice;
    int code = device_choose(text, &choice, error);
    if (!code && choice.count > 1)
        code = error_set(error, ERROR_USAGE, "--device: this command uses one device, not %s", text);
    if (!code)
        strcpy(name, choice.names[0]);
    return code;
}

int device_divide(struct device_choice *choice, const struct device_share *share, struct error *error)
{
    size_t count = choice->count, kept = 0;
    if (share->sharers < 2)
        return 0;
    for (size_t i = share->number; i < count; i += share->sharers)
        memmove(choice->names[kept++], choice->names[i], DEVICE_NAME_BYTES);
    choice->count = kept;
    if (kept)
        return 0;
    error_set(error, ERROR_NO_DEVICE, "no device is left for it: %zu processes of its host share %zu", share->sharers,
              count);
    error_hint(error, "start no more processes on a host than it has devices");
    return ERROR_NO_DEVICE;
}

/* Returns entry `number` of the list; NULL: the list is shorter. CUDA ignores blanks before an entry. */
static const char *entry(const char *list, unsigned long number, size_t *length)
{
    for (; number && list; number--)
        list = (list = strchr(list, ',')) ? list + 1 : NULL;
    while (list && *list == ' ')
        list++;
    *length = list ? strcspn(list, ", ") : 0;
    return *length ? list : NULL;
}

static int hide_others(const char *name, struct error *error)
{
    const char *given = getenv(visible), *found = name;
    char chosen[DEVICE_NAME_BYTES];
    size_t length = strlen(name);
    if (given && !*given) /* CUDA itself reports that no device is visible */
        return 0;
    if (given && is_number(name))
        found = entry(given, strtoul(name, NULL, 10), &length);
    if (!found || length >= sizeof chosen) {
        error_set(error, ERROR_NO_DEVICE, "no CUDA device %s: %s=%.60s hides it", name, visible, given ? given : "");
        error_hint(error, "devices are numbered from 0 in the order of that variable");
        return ERROR_NO_DEVICE;
    }
    snprintf(chosen, sizeof chosen, "%.*s", (int)length, found);
    return setenv(visible, chosen, 1) ? error_memory(error) : 0;
}

int device_prepare(const struct device_opening *opening, struct error *error)
{
    int code = hide_others(opening->name, error);
    if (!code && !opening->streams && setenv("CUDA_DEVICE_MAX_CONNECTIONS", "1", 0))
        code = error_memory(error);
    return code;
}
