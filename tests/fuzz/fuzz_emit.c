/* Reads any bytes as a database and emits each kernel in every format, then all in one header: the first byte selects
 * the device, the rest is the file. */
#include <stdlib.h>
#include <string.h>

#include "check_json.h"
#include "emit/emit.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void emit(const struct emit_request *request)
{
    struct text text = {0};
    struct error error = {0};
    int code = emit_write(request, &text, &error);
    if (code ? !error.code || !*error.message : !text.length || strlen(text.bytes) != text.length)
        __builtin_trap();
    check_clean(text_string(&text));
    if (!code && strcmp(request->format, "json") == 0)
        check_json(text_string(&text));
    text_free(&text);
}

static void emit_kernel(const struct emit_kernel *kernel, bool first_device)
{
    static const char *const formats[] = {"header", "cmake", "json", "flags"};
    struct emit_request request = {.kernels = kernel, .kernel_count = 1, .prefix = "p"};
    if (first_device)
        request.devices = (struct option_list){1, {kernel->rows[0]->provenance.device.name}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        request.format = formats[i];
        emit(&request);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct database *database = NULL;
    if (length == 0 || database_parse(&database, "fuzz.csv", (const char *)bytes + 1, length - 1, NULL))
        return 0;
    size_t count = database_count(database), kernel_count = 0;
    const struct best **rows = calloc(count + 1, sizeof *rows);
    struct emit_kernel *kernels = calloc(count + 1, sizeof *kernels);
    for (size_t i = 0; rows && kernels && i < count; i++) {
        rows[i] = database_get(database, i);
        if (!i || strcmp(rows[i]->provenance.kernel, rows[i - 1]->provenance.kernel) != 0)
            kernels[kernel_count++] = (struct emit_kernel){.name = rows[i]->provenance.kernel, .rows = rows + i};
        kernels[kernel_count - 1].count++;
    }
    for (size_t k = 0; k < kernel_count; k++)
        emit_kernel(&kernels[k], bytes[0] & 1);
    if (kernel_count)
        emit(&(struct emit_request){
            .kernels = kernels, .kernel_count = kernel_count, .together = true, .format = "header"});
    free(kernels);
    free(rows);
    database_close(database);
    return 0;
}
