#include "evaluate/arguments.h"

#include <stdio.h>

#include "base/text.h"

static uint32_t bytes_of(const struct launch_argument *argument)
{
    enum {
        ADDRESS_BYTES = 8, /* of a device address or a texture object */
        TENSOR_MAP_BYTES = 128
    };
    if (argument->buffer < 0 && argument->role == ARGUMENT_TENSOR_MAP)
        return TENSOR_MAP_BYTES;
    return argument->buffer >= 0 || argument->role == ARGUMENT_TEXTURE ? ADDRESS_BYTES : argument->bytes;
}

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
        if (parameters->bytes[i] != bytes_of(&arguments[i])) {
            snprintf(why, room, "argument %zu of kernel '%s' has %u bytes, but its parameter has %u", i + 1, kernel,
                     (unsigned)bytes_of(&arguments[i]), (unsigned)parameters->bytes[i]);
            return false;
        }
    return true;
}

bool arguments_suit(const struct device_kernel *code, const struct launch_step *step, const char *kernel, char *why,
                    size_t room)
{
    struct kernel_parameters parameters;
    const char *name = code->lowered_names + text_strings_bytes(code->lowered_names, step->kernel);
    /* If the cubin cannot be read, loading it reports the reason. */
    return cubin_parameters(code->cubin, code->cubin_bytes, name, &parameters, NULL) ||
           arguments_agree(&parameters, code->launch->arguments + step->argument_first, step->argument_count, kernel,
                           why, room);
}
