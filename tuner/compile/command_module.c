#include "compile/command_module.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/program.h"
#include "base/toolkit.h"
#include "compile/command_worker.h"
#include "compile/library.h"
#include "compile/log.h"
#include "compile/nvcc.h"

/* ---- The assembler ---- */

/* NVIDIA's packages for Python have the assembler in a folder beside that of the library. */
static void add_beside_nvrtc(struct text *paths, size_t *count)
{
    static const char *const places[] = {"../bin", "../../cuda_nvcc/bin"};
    struct nvrtc nvrtc;
    void *function;
    Dl_info about;
    if (nvrtc_load(&nvrtc, NULL))
        return;
    memcpy(&function, &nvrtc.nvrtcVersion, sizeof function);
    const char *slash = dladdr(function, &about) && about.dli_fname ? strrchr(about.dli_fname, '/') : NULL;
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++, ++*count) {
        text_printf(paths, "%.*s/%s/ptxas", (int)(slash - about.dli_fname), about.dli_fname, places[i]);
        text_append(paths, "", 1);
    }
}

bool command_assembler(struct text *path)
{
    struct text paths = {0};
    size_t count = 0;
    toolkit_programs("ptxas", &paths, &count);
    add_beside_nvrtc(&paths, &count);
    const bool found = !nvcc_find_among(&paths, count, path, NULL);
    text_free(&paths);
    return found;
}

/* The log of the assembler alone has the reason: the worker's may hold anything. */
static void explain_assembler(const struct command_module *module, const struct compile_job *job, int status,
                              struct text *said, struct compile_reply *reply)
{
    const struct request request = {.job = *job};
    char fate[PROGRAM_FATE_BYTES], why[sizeof reply->message];
    reply->log = said->bytes;
    if (!reply->log || !log_explain_error(reply, &request))
        log_explain(reply, STATUS_COMPILE_ERROR, "ptxas %s", program_fate(status, text_string(said), fate));
    reply->log = NULL;
    memcpy(why, reply->message, sizeof why);
    log_explain(reply, reply->status, "the PTX of kernel '%s': %s", module->kernel, why);
}

static bool assemble(struct command_module *module, const struct compile_job *job, struct text *log,
                     struct compile_reply *reply)
{
    char cubin[PATH_MAX + 16], architecture[64];
    const char *const arguments[] = {module->ptxas, architecture, "-v", "-lineinfo", "-o", cubin, module->file, NULL};
    struct text said = {0};
    struct error error = {0};
    int status = 0;
    if (!module->ptxas) {
        log_explain(reply, STATUS_COMPILE_ERROR,
                    "kernel '%s' is PTX, and there is no ptxas to assemble it: install NVIDIA's package cuda-nvcc, or "
                    "set CUDA_HOME to the folder of a CUDA Toolkit",
                    module->kernel);
        return false;
    }
    snprintf(cubin, sizeof cubin, "%s/cubin", module->folder);
    snprintf(architecture, sizeof architecture, "-arch=%.40s", module->architecture);
    int code = program_run(&(struct program){arguments, module->folder}, &said, &status, &error);
    if (!code && !status)
        code = file_read_regular(cubin, COMMAND_FILE_BYTES_MAX, &module->code, &error);
    if (code)
        log_explain(reply, STATUS_COMPILE_ERROR, "ptxas: %s", error.message);
    else if (status == PROGRAM_NOT_STARTED)
        log_explain(reply, STATUS_COMPILE_ERROR, "cannot start the assembler %s", module->ptxas);
    else if (status)
        explain_assembler(module, job, status, &said, reply);
    unlink(cubin);
    text_append(log, text_string(&said), said.length);
    text_free(&said);
    return !code && !status;
}

/* ---- The file ---- */

static bool is_ptx(const struct text *file)
{
    return !memchr(file->bytes, '\0', file->length) && strstr(file->bytes, ".version");
}

/* A device runs the code of its major version with the same minor one or an older one. */
static bool suits_device(const struct command_module *module, int64_t cc, struct compile_reply *reply)
{
    const int64_t of_code = cubin_capability(module->code.bytes, module->code.length);
    if (of_code < 0)
        log_explain(reply, STATUS_COMPILE_ERROR, "the file for kernel '%s' is ELF, but not machine code for a GPU",
                    module->kernel);
    else if (of_code / 10 != cc / 10 || of_code > cc)
        log_explain(reply, STATUS_COMPILE_ERROR,
                    "the machine code of kernel '%s' is for sm_%lld: the request is for sm_%lld", module->kernel,
                    (long long)of_code, (long long)cc);
    return reply->status == STATUS_OK;
}

bool command_module_read(struct command_module *module, const struct compile_job *job, struct text *ptx,
                         struct text *log, struct compile_reply *reply)
{
    static const char elf[] = "\177ELF";
    struct text *code = &module->code;
    struct error error = {0};
    if (file_read_regular(module->file, COMMAND_FILE_BYTES_MAX, code, &error)) {
        log_explain(reply, STATUS_COMPILE_ERROR, COMMAND_SUBJECT "%s for kernel '%s': %s",
                    error.code == ERROR_NOT_FOUND ? "wrote no file" : "wrote an unusable file", module->kernel,
                    error.message);
        return false;
    }
    if (code->length == 0) {
        log_explain(reply, STATUS_COMPILE_ERROR, COMMAND_SUBJECT "wrote an empty file for kernel '%s'", module->kernel);
        return false;
    }
    module->is_ptx = is_ptx(code);
    if (code->length >= sizeof elf - 1 && memcmp(code->bytes, elf, sizeof elf - 1) == 0)
        module->is_ptx = false;
    else if (!module->is_ptx) {
        log_explain(reply, STATUS_COMPILE_ERROR,
                    COMMAND_SUBJECT "wrote neither machine code (ELF) nor PTX for kernel '%s'", module->kernel);
        return false;
    }
    if (module->is_ptx) {
        text_clear(ptx);
        text_append(ptx, code->bytes, code->length);
        if (!assemble(module, job, log, reply))
            return false;
    }
    return suits_device(module, job->cc, reply);
}
