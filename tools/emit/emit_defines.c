/* The macros of a space's `define` statements, as the tuner gives them to the source: they follow from a target's
 * configuration, the sizes of the constants and the limits of its device. */
#include <math.h>
#include <string.h>

#include "base/architecture.h"
#include "base/known_devices.h"
#include "emit/emit_model.h"
#include "space/facts.h"

/* Limits of the device of a row: those of the known GPU, else those that follow from the compute capability. Limits
 * that stay unknown are 0. */
static void find_limits(const struct selection_row *row, struct device_limits *limits)
{
    const struct device_limits *known = known_device_find(row->device);
    *limits = known ? *known : (struct device_limits){.driver = "unknown"};
    for (size_t l = 0; l < limit_count && !known; l++) {
        int64_t value = architecture_limit(&limit_rows[l], row->cc);
        limit_put(limits, &limit_rows[l], value == LIMIT_UNKNOWN ? 0 : value);
    }
    limits->cc = row->cc;
    limits->sm_count = row->sm_count;
    limits->l2_bytes = row->l2_bytes;
}

/* Fixes the sizes of the constants. */
static int bind(const struct emit_model *model, struct space *space, const struct device_limits *limits,
                struct error *error)
{
    const char *sizes[PAIRS_MAX];
    const size_t count = model->selection->sizes->count;
    struct arena arena = {0};
    int code = 0;
    for (size_t i = 0; i < count && !code; i++) {
        const long double number = model->numbers[i];
        const bool whole =
            number >= -0x1p63L && number < 0x1p63L && truncl(number) >= number && truncl(number) <= number;
        sizes[i] = whole ? arena_printf(&arena, "%s=%lld", model->sizes[i].name, (long long)number)
                         : arena_printf(&arena, "%s=%.17Lg", model->sizes[i].name, number);
        code = sizes[i] ? 0 : error_memory(error);
    }
    if (!code)
        code = space_bind(space, sizes, count, limits, error);
    arena_free(&arena);
    return code;
}

static void put_define(void *context, const char *name, const struct value *value)
{
    char text[VALUE_TEXT_BYTES];
    struct text *out = context;
    text_printf(out, "#ifndef %s\n#define %s %s\n#endif\n", name, name, value_text(value, text, sizeof text));
}

void emit_defines(const struct emit_model *model, const struct emit_target *target, struct text *text)
{
    const struct selection_row *row = &model->selection->rows[target->row];
    uint32_t choices[SPACE_PARAMETERS_MAX];
    struct device_limits limits;
    struct space *space = NULL; /* bound once, and so one for each target */
    struct error error = {0};
    struct text macros = {0}, reason = {0};
    if (!model->kernel->space)
        return;
    if (*target->device)
        find_limits(row, &limits);
    int code = space_parse(&space, model->kernel->space->path, &error);
    if (!code)
        code = bind(model, space, *target->device ? &limits : NULL, &error);
    if (!code)
        code = space_config_parse(space, row->text, choices, &error);
    if (!code)
        code = space_each_define(space, choices, put_define, &macros, &error);
    if (code) {
        text_printf(&reason, "the macros of `define` are unknown for %s: %s",
                    *target->device ? "this device" : "devices without a row", error.message);
        text_printf(text, "#error ");
        emit_string(text, text_string(&reason));
        text_printf(text, "\n");
    } else {
        text_append(text, text_string(&macros), macros.length);
    }
    text->failed |= macros.failed || reason.failed || code == ERROR_MEMORY;
    text_free(&macros);
    text_free(&reason);
    space_free(space);
}
