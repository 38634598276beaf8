#include "device/accept_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/program.h"
#include "device/gpu.h"
#include "device/inputs.h"
#include "device/verdict.h"

static int write_outputs(struct gpu *gpu, const uint32_t *places, struct error *error)
{
    int code = *gpu->accept_outputs.path ? 0 : program_folder_make(&gpu->accept_outputs, error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++)
        if (gpu->buffers[i].accepted)
            code =
                gpu_write_buffer(gpu, &gpu->buffers[i], gpu->buffers[places[i]].data, gpu->accept_outputs.path, error);
    return code;
}

/* Runs the command with the configuration in its environment. */
static int run(const struct gpu *gpu, const struct gpu_kernel *kernel, struct text *said, int *status,
               struct error *error)
{
    enum { REST = 9 };
    const char *folder = gpu->accept_outputs.path, *value = kernel->environment;
    struct text script = {0}, named = {0};
    const char **arguments = malloc((kernel->environment_count + REST) * sizeof *arguments);
    size_t count = 0;
    text_printf(&script, "cd -- \"$2\" || exit\n%s \"$1\"\n", gpu->accept_command);
    text_printf(&named, "CUTUNE_FOLDER=%s", folder);
    int code = !arguments || script.failed || named.failed ? error_memory(error) : 0;
    if (!code) {
        const char *const rest[REST - 1] = {
            text_string(&named), "/bin/sh", "-c", text_string(&script), "accept", folder, gpu->accept_folder, NULL};
        arguments[count++] = "/usr/bin/env";
        for (size_t i = 0; i < kernel->environment_count; i++, value += strlen(value) + 1)
            arguments[count++] = value;
        memcpy(arguments + count, rest, sizeof rest);
        code = program_run(&(struct program){arguments, folder}, said, status, error);
    }
    free(arguments);
    text_free(&script);
    text_free(&named);
    return code;
}

int gpu_judge_by_command(struct gpu *gpu, struct gpu_kernel *kernel, const uint32_t *places,
                         struct measurement *measurement, struct error *error)
{
    struct text said = {0};
    char fate[PROGRAM_FATE_BYTES];
    uint64_t sum = 0;
    int status = 0;
    if (!gpu->accept_command || !*gpu->accept_command || gpu->deferred || measurement->status != STATUS_OK)
        return 0;
    int code = gpu_sum_results(gpu, places, &sum, error);
    if (code || (sum && sum == kernel->accepted_checksum))
        return code;
    code = write_outputs(gpu, places, error);
    if (!code)
        code = run(gpu, kernel, &said, &status, error);
    if (!code && status) {
        measurement->status = STATUS_WRONG_RESULT;
        measurement_explain(measurement, "the accept command %s", program_fate(status, text_string(&said), fate));
    }
    kernel->accepted_checksum = !code && !status ? sum : 0;
    text_free(&said);
    return code;
}
