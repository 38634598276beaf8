#include "commands/check_command.h"

#include <string.h>

#include "base/generator.h"
#include "compile/command.h"
#include "evaluate/arguments.h"
#include "evaluate/assemble.h"

int check_command_version(const struct space *space, const struct compile_cache *cache, struct nvrtc_version *version,
                          struct error *error)
{
    const struct compile_command command = {.line = space->compiler_command, .folder = space->compiler_folder};
    int code = compile_command_version(&command, cache, compile_hello_timeout_ns, version, NULL, error);
    if (code)
        space_put_place(&space->compiler_place, error);
    return code;
}

int check_command_answer(const struct space *space, const uint32_t *choices, const struct compile_result *result,
                         struct launch *launch, struct error *error)
{
    const struct device_kernel code = {.cubin = result->cubin,
                                       .cubin_bytes = result->cubin_bytes,
                                       .lowered_names = result->lowered_names,
                                       .launch = launch};
    const struct step *blamed = space->steps;
    char why[256];
    if (!space->compiler_command)
        return 0;
    bool good = assemble_launch(space, choices, launch, result, why, sizeof why);
    for (size_t s = 0; s < launch->step_count && good; s++) {
        const struct launch_step *step = &launch->steps[s];
        const uint16_t kernel = launch->kernels[step->kernel];
        blamed = space->kernel_steps[kernel];
        good = arguments_suit(&code, step, space->kernel_titles[kernel], why, sizeof why);
    }
    if (good)
        return 0;
    error_set(error, ERROR_COMPILE, "%s", why);
    space_put_arguments_place(blamed, error);
    return ERROR_COMPILE;
}

void check_command_hint(const struct space *space, const struct step *own, const uint32_t *choices, struct error *error)
{
    struct text values = {0}, line = {0};
    struct generator generator;
    if (!space_generator(space, own, choices, &values, &generator, NULL) && *generator.command) {
        const char *value = generator.values;
        if (*space->folder)
            text_printf(&line, "cd %s && ", space->folder);
        for (size_t i = 0; i < generator.value_count; i++, value += strlen(value) + 1)
            text_printf(&line, "export %s; ", value);
        error_hint(error, "to see the generated source: (%s%s)", text_string(&line), generator.command);
    }
    text_free(&line);
    text_free(&values);
}
