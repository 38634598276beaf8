#include "compile/library.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/toolkit.h"

static const struct {
    const char *name;
    size_t offset;
} symbols[] = {
#define FUNCTION(result, name, parameters) {#name, offsetof(struct nvrtc, name)},
#include "compile/nvrtc_functions.def"
#undef FUNCTION
};

/* The first function that the library lacks; NULL if it has all. */
static const char *find_functions(void *library, struct nvrtc *nvrtc)
{
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *function = dlsym(library, symbols[i].name);
        if (!function)
            return symbols[i].name;
        memcpy((char *)nvrtc + symbols[i].offset, &function, sizeof function);
    }
    return NULL;
}

/* NVRTC loads its builtins by their bare name; the dynamic linker finds them if they are already loaded. */
static void load_builtins(const struct nvrtc *nvrtc, const char *path)
{
    int major = 0, minor = 0;
    const char *slash = strrchr(path, '/');
    struct text builtins = {0};
    if (!slash || nvrtc->nvrtcVersion(&major, &minor) != NVRTC_SUCCESS)
        return;
    text_printf(&builtins, "%.*s/libnvrtc-builtins.so.%d.%d", (int)(slash - path), path, major, minor);
    if (!builtins.failed)
        dlopen(builtins.bytes, RTLD_NOW | RTLD_LOCAL);
    text_free(&builtins);
}

static int open_library(const struct text *paths, size_t count, struct nvrtc *nvrtc, struct error *error)
{
    const char *path = text_string(paths);
    for (size_t i = 0; i < count; i++, path += strlen(path) + 1) {
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        const char *missing = library ? find_functions(library, nvrtc) : NULL;
        if (missing)
            return error_set(error, ERROR_NOT_FOUND, "%s has no function %s", path, missing);
        if (library) {
            load_builtins(nvrtc, path);
            return 0;
        }
    }
    return error_set(
        error, ERROR_NOT_FOUND,
        "cannot load NVRTC, which compiles the kernels (%s): install NVIDIA's package cuda-nvrtc-%d-%d, or "
        "set CUDA_HOME to the folder of a CUDA Toolkit %d",
        dlerror(), CUTUNE_CUDA_MAJOR, CUTUNE_CUDA_MINOR, CUTUNE_CUDA_MAJOR);
}

/* The library that the user names, and no other. */
static int open_named(const char *path, struct nvrtc *nvrtc, struct error *error)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        error_set(error, ERROR_NOT_FOUND, "cannot load NVRTC, which compiles the kernels: %s", dlerror());
        error_hint(error, "CUTUNE_NVRTC in the environment names the library");
        return ERROR_NOT_FOUND;
    }
    const char *missing = find_functions(library, nvrtc);
    if (missing)
        return error_set(error, ERROR_NOT_FOUND, "%s has no function %s", path, missing);
    load_builtins(nvrtc, path);
    return 0;
}

int nvrtc_load(struct nvrtc *nvrtc, struct error *error)
{
    const char *named = getenv("CUTUNE_NVRTC");
    if (named && *named)
        return open_named(named, nvrtc, error);
    struct text paths = {0};
    size_t count = 0;
    char name[32];
    int length = snprintf(name, sizeof name, "libnvrtc.so.%d", CUTUNE_CUDA_MAJOR);
    toolkit_libraries(name, &paths, &count);
    text_append(&paths, name, (size_t)length + 1);
    int code = paths.failed ? error_memory(error) : open_library(&paths, count + 1, nvrtc, error);
    text_free(&paths);
    return code;
}
