/* Reads any bytes as a database and emits each kernel in every format: the first byte selects the device, the rest is
 * the file. */
#include <stdlib.h>
#include <string.h>

#include "check_json.h"
#include "emit/emit.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void emit_kernel(const struct best *const *rows, size_t count, bool first_device)
{
    static const char *const formats[] = {"header", "cmake", "json", "flags"};
    struct emit_request request = {.kernel = rows[0]->provenance.kernel, .prefix = "p"};
    if (first_device)
        request.devices = (struct option_list){1, {rows[0]->provenance.device.name}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct text text = {0};
        struct error error = {0};
        request.format = formats[i];
        int code = emit_write(rows, count, NULL, 0, &request, &text, &error);
        if (code ? !error.code || !*error.message : !text.length || strlen(text.bytes) != text.length)
            __builtin_trap();
        check_clean(text_string(&text));
        if (!code && strcmp(formats[i], "json") == 0)
            check_json(text_string(&text));
        text_free(&text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct database *database = NULL;
    if (length == 0 || database_parse(&database, "fuzz.csv", (const char *)bytes + 1, length - 1, NULL))
        return 0;
    size_t count = database_count(database);
    const struct best **rows = calloc(count + 1, sizeof *rows);
    for (size_t i = 0; rows && i < count; i++)
        rows[i] = database_get(database, i);
    for (size_t start = 0, end; rows && start < count; start = end) {
        for (end = start + 1; end < count && strcmp(rows[end]->provenance.kernel, rows[start]->provenance.kernel) == 0;)
            end++;
        emit_kernel(rows + start, end - start, bytes[0] & 1);
    }
    free(rows);
    database_close(database);
    return 0;
}
