#include "commands/check_command.h"

#include <string.h>

#include "base/generator.h"
#include "compile/command.h"

int check_command_version(const struct space *space, const struct compile_cache *cache, struct nvrtc_version *version,
                          struct error *error)
{
    const struct compile_command command = {.line = space->compiler_command, .folder = space->compiler_folder};
    int code = compile_command_version(&command, cache, compile_hello_timeout_ns, version, NULL, error);
    if (code)
        space_put_place(&space->compiler_place, error);
    return code;
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
