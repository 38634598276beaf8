#include "evaluate/arguments.h"

#include <stdio.h>

#include "base/text.h"

bool arguments_agree(const struct kernel_parameters *parameters, const struct launch_argument *arguments, size_t count,
                     const char *kernel, char *why, size_t room)
{
    if (!parameters->known)
        return true;
    if (parameters->count != count) {
        snprintf(why, room, "kernel '%s' takes %zu argument%s, but gets %zu", kernel, parameters->count,
                 parameters->count == 1 ? "" : "s", count);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        if (parameters->bytes[i] != space_argument_bytes(&arguments[i])) {
            snprintf(why, room, "argument %zu of kernel '%s' has %u bytes, but its parameter has %u", i + 1, kernel,
                     (unsigned)space_argument_bytes(&arguments[i]), (unsigned)parameters->bytes[i]);
            return false;
        }
    return true;
}

/* Compares the sizes of the variables that the cubin has with those of their values. */
static bool variables_suit(const struct device_kernel *code, const struct bundle_part *cubin, char *why, size_t room)
{
    for (size_t i = 0; i < code->launch->variable_count; i++) {
        const struct launch_variable *variable = &code->launch->variables[i];
        const struct launch_argument *value = &code->launch->arguments[variable->argument];
        int64_t bytes = variable->contents ? -1 : cubin_variable_bytes(cubin->bytes, cubin->length, variable->name);
        if (bytes < 0 || bytes == space_argument_bytes(value))
            continue;
        snprintf(why, room, "the variable %s has %lld bytes, but its value has %u%s", variable->name, (long long)bytes,
                 (unsigned)space_argument_bytes(value),
                 value->buffer < 0 ? "" : ": it is an address; `from` gives it a buffer's contents");
        return false;
    }
    return true;
}

bool arguments_suit(const struct device_kernel *code, const struct launch_step *step, const char *kernel, char *why,
                    size_t room)
{
    struct kernel_parameters parameters;
    const char *name = code->lowered_names + text_strings_bytes(code->lowered_names, step->kernel);
    const struct bundle_part cubin = bundle_part_of(code->cubin, code->cubin_bytes, step->kernel);
    if (!variables_suit(code, &cubin, why, room))
        return false;
    /* If the cubin cannot be read, loading it reports the reason. */
    return cubin_parameters(cubin.bytes, cubin.length, name, &parameters, NULL) ||
           arguments_agree(&parameters, code->launch->arguments + step->argument_first, step->argument_count, kernel,
                           why, room);
}
