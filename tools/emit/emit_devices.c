/* The rows of the devices that are asked for. */
#include <stdbool.h>
#include <string.h>

#include "base/text.h"
#include "emit/emit_model.h"

/* Lists the devices of the rows whose names contain `part`; returns their number. */
static size_t list_devices(const struct best *const *rows, size_t count, const char *part, struct text *list)
{
    size_t devices = 0;
    for (size_t i = 0; i < count; i++) {
        const char *device = rows[i]->provenance.device.name;
        bool seen = !strcasestr(device, part) || (i && strcmp(rows[i - 1]->provenance.device.name, device) == 0);
        if (!seen)
            text_printf(list, "%s%s", devices++ ? ", " : "", device);
    }
    return devices;
}

/* Notes a device without a row, if a space can describe the default. */
static bool note_missing(const struct emit_model *model, const char *wanted, struct text *text)
{
    if (model->kernel->space && text)
        text_printf(text, "%sno row of %.60s for the device '%.80s'", text->length ? "; " : "", model->kernel->name,
                    wanted);
    return model->kernel->space;
}

/* Marks the rows of the requested device. */
static int mark_device(const struct emit_model *model, const char *wanted, bool *keep, struct error *error)
{
    const struct best *const *rows = model->kernel->rows;
    const size_t count = model->kernel->count;
    struct text list = {0};
    bool exact = false;
    int code = 0;
    for (size_t i = 0; i < count; i++)
        exact |= strcmp(rows[i]->provenance.device.name, wanted) == 0;
    size_t fitting = exact ? 1 : list_devices(rows, count, wanted, &list);
    if (fitting > 1) {
        code = error_set(error, ERROR_USAGE, "'%.80s' matches more than one device", wanted);
        error_hint(error, "name one of them: %s", text_string(&list));
    } else if (fitting == 0 && !note_missing(model, wanted, model->request->note)) {
        code = error_set(error, ERROR_NOT_FOUND, "no row of %.60s for the device '%.80s'", rows[0]->provenance.kernel,
                         wanted);
        list_devices(rows, count, "", &list);
        error_hint(error, "its devices are: %s", text_string(&list));
    }
    for (size_t i = 0; i < count && !code; i++)
        keep[i] |= exact ? strcmp(rows[i]->provenance.device.name, wanted) == 0
                         : strcasestr(rows[i]->provenance.device.name, wanted) != NULL;
    text_free(&list);
    return code;
}

int emit_keep_devices(struct emit_model *model, const struct best ***kept, size_t *kept_count, struct error *error)
{
    const size_t count = model->kernel->count;
    const struct option_list *devices = &model->request->devices;
    bool *keep = arena_array(&model->arena, count + 1, sizeof *keep);
    int code = 0;
    *kept = arena_array(&model->arena, count + 1, sizeof **kept);
    if (!keep || !*kept)
        return error_memory(error);
    for (size_t i = 0; i < devices->count && count && !code; i++)
        code = mark_device(model, devices->items[i], keep, error);
    for (size_t i = 0; i < count && !code; i++)
        if (keep[i] || devices->count == 0)
            (*kept)[(*kept_count)++] = model->kernel->rows[i];
    return code;
}
