#include "compile/locate.h"

#include <dlfcn.h>
#include <string.h>

#include "base/toolkit.h"
#include "compile/library.h"
#include "compile/nvcc.h"

int locate_nvrtc(struct text *path, struct error *error)
{
    struct nvrtc nvrtc;
    Dl_info info;
    void *function;
    int code = nvrtc_load(&nvrtc, error);
    if (code)
        return code;
    memcpy(&function, &nvrtc.nvrtcVersion, sizeof function);
    text_printf(path, "%s", dladdr(function, &info) ? info.dli_fname : "an unknown file");
    return path->failed ? error_memory(error) : 0;
}

int locate_nvdisasm(struct text *path, struct error *error)
{
    struct text programs = {0}, found = {0};
    size_t count = 0;
    toolkit_programs("nvdisasm", &programs, &count);
    int code = programs.failed ? error_memory(error) : nvcc_find_among(&programs, count, &found, NULL);
    if (!code)
        text_printf(path, "%s", text_string(&found));
    else if (code == ERROR_NOT_FOUND)
        error_set(error, ERROR_NOT_FOUND, "there is no nvdisasm in the toolkit or on PATH");
    text_free(&programs);
    text_free(&found);
    return code;
}
