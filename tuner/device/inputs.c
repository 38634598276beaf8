/* Writes buffers as NumPy files for a reference that is another program. */
#include "device/inputs.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/npy.h"
#include "device/check.h"
#include "device/gpu.h"

static int cannot_write(const char *path, struct error *error)
{
    int code = error_errno(error, ERROR_IO, "cannot write %s", path);
    error_hint(error, "the inputs of the reference's command are written there; TMPDIR names another folder");
    return code;
}

static int copy_data(struct gpu *gpu, const struct gpu_buffer *buffer, const unsigned char *data, const char *path,
                     FILE *file, struct error *error)
{
    enum { CHUNK = 8 << 20 };
    char *chunk = malloc(CHUNK);
    int code = chunk ? 0 : error_memory(error);
    for (uint64_t at = 0; at < buffer->bytes && !code;) {
        size_t want = buffer->bytes - at < CHUNK ? (size_t)(buffer->bytes - at) : CHUNK;
        code = gpu_check(cudaMemcpyAsync(chunk, data + at, want, cudaMemcpyDeviceToHost, gpu->stream),
                         "reading a buffer", error);
        if (!code)
            code = gpu_check(cudaStreamSynchronize(gpu->stream), "reading a buffer", error);
        if (!code && fwrite(chunk, 1, want, file) != want)
            code = cannot_write(path, error);
        at += want;
    }
    free(chunk);
    return code;
}

int gpu_write_buffer(struct gpu *gpu, const struct gpu_buffer *buffer, const unsigned char *data, const char *folder,
                     struct error *error)
{
    const struct element_type *type = buffer->type;
    struct text head = {0};
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s.npy", folder, buffer->name) >= (int)sizeof path)
        return error_set(error, ERROR_IO, "the path of the temporary folder is too long");
    npy_head(&head, element_npy_kind(type), type->bytes / type->components, buffer->count / type->components,
             type->components);
    FILE *file = head.failed ? NULL : fopen(path, "wbe");
    int code = head.failed ? error_memory(error) : file ? 0 : cannot_write(path, error);
    if (!code && fwrite(head.bytes, 1, head.length, file) != head.length)
        code = cannot_write(path, error);
    if (!code)
        code = copy_data(gpu, buffer, data, path, file, error);
    if (file && fclose(file) && !code)
        code = cannot_write(path, error);
    text_free(&head);
    return code;
}

int gpu_write_inputs(struct gpu *gpu, const struct setup_message *setup, struct error *error)
{
    int code = 0;
    for (size_t i = 0; i < gpu->buffer_count && !code; i++)
        if (gpu->buffers[i].fill != FILL_NONE)
            code = gpu_write_buffer(gpu, &gpu->buffers[i], gpu->buffers[i].data, setup->inputs_folder, error);
    return code;
}
