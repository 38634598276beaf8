#include "driver.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cutune.h>

#include "extension.h"

#define TEXT(name)    #name
#define NAME_OF(name) TEXT(name) /* the name of the symbol, which cuda.h may map to a version */

struct driver driver;
static int opened;

static const struct {
    const char *name;
    size_t offset;
} functions[] = {
#define FUNCTION(name) {NAME_OF(name), offsetof(struct driver, name)},
#include "driver_functions.def"
#undef FUNCTION
};

/* The cure of an error, or "". */
static const char *hint_of(CUresult result)
{
    return result == CUDA_ERROR_NOT_INITIALIZED
               ? "CUDA cannot be used in a process that was forked after its first use: start processes by "
                 "multiprocessing.get_context(\"spawn\")"
               : "";
}

int driver_open(void)
{
    const char *named = getenv("CUTUNE_DRIVER"), *path = named && *named ? named : "libcuda.so.1";
    void *library;
    int count = 0;
    CUresult result;
    if (opened)
        return 0;
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return raise_error(CUTUNE_ERROR_NO_DEVICE, "install NVIDIA's driver", "cannot load the CUDA driver: %s",
                           dlerror());
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(library, functions[i].name);
        if (!function)
            return raise_error(CUTUNE_ERROR_NO_DEVICE, "CUDA 12 or newer is needed: install a newer driver",
                               "the CUDA driver %s has no function %s", path, functions[i].name);
        memcpy((char *)&driver + functions[i].offset, &function, sizeof function);
    }
    result = driver.cuInit(0);
    if (result == CUDA_SUCCESS)
        result = driver.cuDeviceGetCount(&count);
    if (result != CUDA_SUCCESS || count == 0) {
        const char *name = "no device";
        if (result != CUDA_SUCCESS)
            driver.cuGetErrorName(result, &name);
        return raise_error(CUTUNE_ERROR_NO_DEVICE, hint_of(result), "there is no usable GPU: %s", name);
    }
    opened = 1;
    return 0;
}

int driver_check(CUresult result, const char *action)
{
    const char *name = "unknown error", *text = "";
    if (result == CUDA_SUCCESS)
        return 0;
    driver.cuGetErrorName(result, &name);
    driver.cuGetErrorString(result, &text);
    return raise_error(CUTUNE_ERROR_DEVICE, hint_of(result), "%s: %s (%s)", action, name, text);
}

CUresult driver_enter(CUcontext primary, CUdevice device, struct driver_scope *scope)
{
    CUcontext current = NULL;
    CUdevice own = device;
    CUresult result = driver.cuCtxGetCurrent(&current);
    *scope = (struct driver_scope){0};
    if (result == CUDA_SUCCESS && current != primary) {
        if (current)
            result = driver.cuCtxGetDevice(&own);
        if (result == CUDA_SUCCESS && (!current || own != device)) {
            result = driver.cuCtxPushCurrent(primary);
            scope->pushed = result == CUDA_SUCCESS;
        }
    }
    scope->primary = scope->pushed || current == primary;
    return result;
}

void driver_leave(const struct driver_scope *scope)
{
    CUcontext popped;
    if (scope->pushed)
        driver.cuCtxPopCurrent(&popped);
}
