#include "session/process_pool.h"

#include <string.h>

#include "compile/command.h"

int process_pool_take(struct process_pool *process_pool, const char *device, const struct device_share *share,
                      bool streams, struct error *error)
{
    int code = 0;
    for (size_t d = 0; d < process_pool->device_count && !code; d++)
        code = device_renew(process_pool->devices[d], error);
    if (code || process_pool->device_count)
        return code;
    code = device_choose(device, &process_pool->chosen, error);
    if (!code)
        code = device_divide(&process_pool->chosen, share, error);
    for (size_t d = 0; d < process_pool->chosen.count && !code; d++) {
        code = device_start(&process_pool->devices[d], process_pool->chosen.names[d], streams, error);
        process_pool->device_count += code == 0;
    }
    return code;
}

int process_pool_open_device(struct process_pool *process_pool, const char *device, struct error *error)
{
    char chosen[DEVICE_NAME_BYTES];
    int code = device_choose_one(device, chosen, error);
    if (!code)
        code = process_pool_take(process_pool, chosen, &(struct device_share){0}, true,
                                 error); /* with streams: the session may use them */
    if (!code)
        code = device_await(process_pool->devices[0], error);
    if (code)
        process_pool_close(process_pool);
    return code;
}

static int ask_command(struct process_pool *process_pool, const struct space *space, bool cached, struct error *error)
{
    const struct compile_command command = {.line = space->compiler_command, .folder = space->compiler_folder};
    struct text name = {0};
    text_printf(&name, "%s\n%s", command.folder, command.line);
    if (name.failed)
        return error_memory(error);
    const bool same =
        process_pool->knows_compiler && strcmp(text_string(&name), text_string(&process_pool->command)) == 0;
    text_free(&process_pool->command);
    process_pool->command = name;
    if (same)
        return 0;
    text_clear(&process_pool->command_files);
    int code = compile_command_version(&command, cached ? &process_pool->cache : NULL, compile_hello_timeout_ns,
                                       &process_pool->compiler, &process_pool->command_files, error);
    if (!code && process_pool->command_files.failed)
        code = error_memory(error);
    process_pool->knows_compiler = code == 0;
    if (code)
        space_put_place(&space->compiler_place, error);
    return code;
}

int process_pool_ask_compiler(struct process_pool *process_pool, const struct space *space, bool cached,
                              struct error *error)
{
    const bool nvcc = space->nvcc;
    if (space->compiler_command)
        return ask_command(process_pool, space, cached, error);
    if (process_pool->knows_compiler && process_pool->nvcc == nvcc && !process_pool->command.length)
        return 0;
    text_clear(&process_pool->command);
    int code = nvcc ? compile_nvcc_version(&process_pool->compiler, error)
                    : compile_nvrtc_version(&process_pool->compiler, error);
    process_pool->knows_compiler = code == 0;
    process_pool->nvcc = nvcc;
    return code;
}

void process_pool_leave(struct process_pool *process_pool)
{
    for (size_t d = 0; d < process_pool->device_count; d++)
        device_leave(process_pool->devices[d]);
}

void process_pool_close(struct process_pool *process_pool)
{
    compile_pool_close(process_pool->pool);
    text_free(&process_pool->command);
    text_free(&process_pool->command_files);
    for (size_t d = 0; d < process_pool->device_count; d++)
        device_close(process_pool->devices[d]);
    *process_pool = (struct process_pool){0};
}
