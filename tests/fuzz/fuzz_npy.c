/* Parses any bytes as a .npy header: an error with a message, or a header within the bytes. */
#include <stdint.h>

#include "base/npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct npy npy;
    struct error error = {0};
    int code = npy_parse("fuzz.npy", (const char *)data, size, &npy, &error);
    if (code ? error.code == ERROR_NONE || !*error.message : npy.offset > size || npy.axes > NPY_AXES_MAX || !npy.bytes)
        __builtin_trap();
    return 0;
}
