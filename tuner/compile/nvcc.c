#include "compile/nvcc.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/program.h"
#include "base/toolkit.h"
#include "compile/dependencies.h"
#include "compile/log.h"

/* The files in the temporary folder. nvcc derives names of internal symbols from the source's: see steady_names. */
#define SOURCE   "kernel.cu"
#define ASSEMBLY "kernel.ptx"
#define CUBIN    "kernel.cubin"
#define RULE     "kernel.d"
#define SHARED   "library.so"
enum { FILE_BYTES_MAX = 256 << 20, MODULE_DIGITS = 8 };
static const char module_name[] = "_9_kernel_cu_", entry_name[] = "cutune_entry_";

/* ---- The program ---- */

int nvcc_find_among(const struct text *paths, size_t count, struct text *path, struct error *error)
{
    const char *at = text_string(paths);
    text_clear(path);
    for (size_t i = 0; i < count && !paths->failed; i++, at += strlen(at) + 1) {
        struct stat about;
        if (stat(at, &about) || !S_ISREG(about.st_mode) || access(at, X_OK))
            continue;
        text_append(path, at, strlen(at));
        return path->failed ? error_memory(error) : 0;
    }
    if (paths->failed)
        return error_memory(error);
    error_set(
        error, ERROR_NOT_FOUND,
        "`compiler nvcc`: there is no nvcc in the folder bin of $CUDA_HOME and $CUDA_PATH, in that of the toolkit "
        "cutune was built with, in the usual place, or in $PATH");
    error_hint(error, "install NVIDIA's package cuda-nvcc, or set CUDA_HOME to the folder of a CUDA Toolkit");
    return ERROR_NOT_FOUND;
}

int nvcc_find(struct text *path, struct error *error)
{
    struct text paths = {0};
    size_t count = 0;
    toolkit_programs("nvcc", &paths, &count);
    int code = nvcc_find_among(&paths, count, path, error);
    text_free(&paths);
    return code;
}

/* Copies the text between two others; "" without them. */
static void copy_between(const char *text, const char *before, const char *behind, char *to, size_t room)
{
    const char *at = strstr(text, before);
    size_t length = at ? strcspn(at + strlen(before), behind) : 0;
    snprintf(to, room, "%.*s", (int)(length < room ? length : room - 1), at ? at + strlen(before) : "");
}

int nvcc_identify(struct nvrtc_version *version, struct error *error)
{
    struct text path = {0}, output = {0};
    int status = 0, code = nvcc_find(&path, error);
    memset(version, 0, sizeof *version);
    if (!code) {
        const char *const arguments[] = {path.bytes, "--version", NULL};
        const struct program program = {.arguments = arguments};
        code = program_run(&program, &output, &status, error);
    }
    if (!code) {
        char build[sizeof version->build - 5];
        copy_between(text_string(&output), "release ", ",\n", version->number, sizeof version->number);
        copy_between(text_string(&output), "Build ", "\n", build, sizeof build);
        snprintf(version->build, sizeof version->build, "nvcc %s", build);
        if (status || !*version->number || !*build)
            code = error_set(error, ERROR_WORKER, "%s --version gives no version", path.bytes);
    }
    text_free(&path);
    text_free(&output);
    return code;
}

void nvcc_environment(struct text *text)
{
    static const char *const names[] = {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "NVCC_CCBIN", "CPATH",
                                        "CPLUS_INCLUDE_PATH"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        text_printf(text, " %s=%s", names[i], value ? value : "");
    }
}

/* ---- The source ---- */

static void append_line_directive(struct text *source, const char *path)
{
    text_printf(source, "#line 1 \"");
    for (; *path; path++) {
        if (*path == '"' || *path == '\\')
            text_append(source, "\\", 1);
        text_append(source, path, 1);
    }
    text_printf(source, "\"\n");
}

/* Writes the source and the table, a line for each kernel, so that an error there names the kernel. */
static void make_source(const struct request *request, struct text *source)
{
    const char *name = request->job.name_expressions;
    append_line_directive(source, request->job.path);
    text_append(source, request->job.source, strlen(request->job.source));
    text_printf(source, "\n");
    append_line_directive(source, LOG_KERNELS);
    for (size_t i = 0; i < request->job.name_count; i++, name += strlen(name) + 1) {
        text_printf(source, "extern \"C\" { static __device__ const void *const volatile %s%zu = (const void *)(",
                    entry_name, i);
        text_append(source, name, strlen(name));
        text_printf(source, "); }\n");
    }
}

/* ---- The assembly ---- */

/* Reads the names of the kernels from the table's entries, and blanks the entries. */
static bool take_names(char *assembly, const struct request *request, struct compile_reply *reply)
{
    const char *name = request->job.name_expressions;
    for (size_t i = 0; i < request->job.name_count; i++, name += strlen(name) + 1) {
        char entry[64];
        snprintf(entry, sizeof entry, " %s%zu = ", entry_name, i);
        char *at = strstr(assembly, entry);
        size_t skipped = strlen(entry), length = at ? strcspn(at + skipped, ";\n") : 0;
        if (!length) {
            log_explain(reply, STATUS_COMPILE_ERROR, "kernel '%s' in %s: nvcc makes no machine code of it", name,
                        request->job.path);
            return false;
        }
        text_append(&reply->own_names, at + skipped, length);
        text_append(&reply->own_names, "", 1);
        memset(at + skipped - 2, ' ', length + 2);
    }
    return true;
}

/* Names of internal symbols contain a hash of the source's path, which differs between compilations. Replaces it,
 * because the same source must give the same machine code. */
static void steady_names(char *assembly)
{
    for (char *at = assembly; (at = strstr(at, module_name)); at++)
        if (at - assembly >= MODULE_DIGITS && strspn(at - MODULE_DIGITS, "0123456789abcdef") == MODULE_DIGITS)
            memset(at - MODULE_DIGITS, '0', MODULE_DIGITS);
}

/* The runtime finds kernels by their names, so all get external linkage. */
static void export_kernels(const struct text *assembly, struct text *exported)
{
    static const char entry[] = "\n.entry ", visible[] = "\n.visible .entry ";
    const char *at = text_string(assembly), *next;
    for (; (next = strstr(at, entry)); at = next + sizeof entry - 1) {
        text_append(exported, at, (size_t)(next - at));
        text_append(exported, visible, sizeof visible - 1);
    }
    text_append(exported, at, strlen(at));
}

/* ---- Running nvcc ---- */

struct build {
    const struct request *request;
    const char *nvcc, *folder;
    struct text log;
    int status; /* of nvcc */
    struct error error;
};

static void add_argument(struct text *arguments, size_t *count, const char *argument)
{
    text_append(arguments, argument, strlen(argument) + 1);
    ++*count;
}

static void add_file(struct text *arguments, size_t *count, const struct build *build, const char *name)
{
    text_printf(arguments, "%s/%s", build->folder, name);
    text_append(arguments, "", 1);
    ++*count;
}

/* Adds options for a shared object: code for any address, and the folders of the toolkit's libraries at run time. */
static void add_shared_options(struct text *arguments, size_t *count, const char *nvcc)
{
    const char *slash = strrchr(nvcc, '/');
    add_argument(arguments, count, "-Xcompiler=-fPIC");
    if (!slash)
        return;
    text_printf(arguments, "-Xlinker=-rpath,%.*s/../lib64", (int)(slash - nvcc), nvcc);
    text_append(arguments, "", 1);
    text_printf(arguments, "-Xlinker=-rpath,%.*s/../lib", (int)(slash - nvcc), nvcc);
    text_append(arguments, "", 1);
    *count += 2;
}

/* Compiles a file to another. `kind`: the option for the output's kind. */
static int run_nvcc(struct build *build, const char *kind, const char *to, const char *from)
{
    const struct request *request = build->request;
    struct text arguments = {0};
    size_t count = 0;
    add_argument(&arguments, &count, build->nvcc);
    add_argument(&arguments, &count, kind);
    text_append(&arguments, text_string(&request->all_options), request->all_options.length);
    count += request->all_option_count;
    if (request->job.shared)
        add_shared_options(&arguments, &count, build->nvcc);
    if (strcmp(from, SOURCE) == 0) {
        add_argument(&arguments, &count, "-MD");
        add_argument(&arguments, &count, "-MF");
        add_file(&arguments, &count, build, RULE);
    }
    add_argument(&arguments, &count, "-o");
    add_file(&arguments, &count, build, to);
    add_file(&arguments, &count, build, from);
    const char **list = malloc((count + 1) * sizeof *list), *at = text_string(&arguments);
    int code = !list || arguments.failed ? error_memory(&build->error) : 0;
    for (size_t i = 0; !code && i < count; i++, at += strlen(at) + 1)
        list[i] = at;
    if (!code) {
        const struct program program = {.arguments = list, .folder = build->folder};
        list[count] = NULL;
        code = program_run(&program, &build->log, &build->status, &build->error);
    }
    free(list);
    text_free(&arguments);
    return code;
}

static int write_text(struct build *build, const char *name, const struct text *text)
{
    char path[PATH_MAX + sizeof SOURCE];
    snprintf(path, sizeof path, "%s/%s", build->folder, name);
    int file = text->failed ? -1 : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0)
        return text->failed ? error_memory(&build->error)
                            : error_errno(&build->error, ERROR_IO, "cannot write %s", path);
    int code = file_write_all(file, text->bytes, text->length, path, &build->error);
    close(file);
    return code;
}

static int read_text(struct build *build, const char *name, struct text *text)
{
    char path[PATH_MAX + sizeof SOURCE];
    snprintf(path, sizeof path, "%s/%s", build->folder, name);
    return file_read(path, FILE_BYTES_MAX, text, &build->error);
}

/* Compiles the source to assembly, and that to a cubin. */
static int make_cubin(struct build *build, struct compile_reply *reply, struct text *dependencies, struct text *cubin)
{
    struct text source = {0}, assembly = {0}, exported = {0}, rule = {0};
    make_source(build->request, &source);
    int code = write_text(build, SOURCE, &source);
    if (!code)
        code = run_nvcc(build, "-ptx", ASSEMBLY, SOURCE);
    /* The preprocessor writes the rule even if the front end finds an error. */
    reply->lasting =
        !code && !read_text(build, RULE, &rule) && dependencies_read(text_string(&rule), build->folder, dependencies);
    if (!code && !build->status)
        code = read_text(build, ASSEMBLY, &assembly);
    if (!code && !build->status)
        steady_names(assembly.bytes);
    if (!code && !build->status && take_names(assembly.bytes, build->request, reply)) {
        export_kernels(&assembly, &exported);
        code = write_text(build, ASSEMBLY, &exported);
        if (!code)
            code = run_nvcc(build, "-cubin", CUBIN, ASSEMBLY);
        if (!code && !build->status)
            code = read_text(build, CUBIN, cubin);
        if (!code && build->request->job.wants_ptx && !exported.failed) {
            reply->ptx = exported.bytes;
            exported = (struct text){0};
        }
    }
    text_free(&source);
    text_free(&assembly);
    text_free(&exported);
    text_free(&rule);
    return code;
}

/* Compiles the unchanged source: nothing names kernels, and the host calls the code. */
static int make_shared(struct build *build, struct compile_reply *reply, struct text *dependencies, struct text *shared)
{
    struct text source = {0}, rule = {0};
    append_line_directive(&source, build->request->job.path);
    text_append(&source, build->request->job.source, strlen(build->request->job.source));
    int code = write_text(build, SOURCE, &source);
    if (!code)
        code = run_nvcc(build, "-shared", SHARED, SOURCE);
    reply->lasting =
        !code && !read_text(build, RULE, &rule) && dependencies_read(text_string(&rule), build->folder, dependencies);
    if (!code && !build->status)
        code = read_text(build, SHARED, shared);
    reply->lasting &= !build->status; /* a library that the linker did not find may be installed later */
    text_free(&source);
    text_free(&rule);
    return code;
}

/* ---- The answer ---- */

/* Removes the folder's name, which would make every log different. */
static void drop_folder(struct text *log, const char *folder)
{
    size_t length = strlen(folder) + 1;
    for (char *at = log->bytes; at && (at = strstr(at, folder));)
        if (at[length - 1] == '/')
            memmove(at, at + length, strlen(at + length) + 1);
        else
            at++;
}

static void explain_failure(const struct build *build, struct compile_reply *reply)
{
    static const char *const passing[] = {"catastrophic", "memory", "died due to", "no space"};
    enum { SHELL_STATUS = 126 }; /* from this status on, a program did not start or was killed */
    if (!log_explain_error(reply, build->request))
        log_explain(reply, STATUS_COMPILE_ERROR, "%s exits with status %d: %.*s", build->nvcc, build->status,
                    (int)strcspn(reply->log, "\n"), reply->log);
    reply->lasting &= build->status < SHELL_STATUS;
    for (size_t i = 0; i < sizeof passing / sizeof *passing; i++)
        reply->lasting &= !log_mentions(reply->log, passing[i]);
}

static void take_cubin(const struct request *request, struct text *cubin, struct compile_reply *reply)
{
    struct error error = {0};
    reply->cubin = cubin->bytes;
    reply->cubin_bytes = cubin->length;
    *cubin = (struct text){0};
    reply->lowered_names = reply->own_names.bytes;
    reply->name_count = request->job.name_count;
    if (reply->own_names.failed)
        error_memory(&error);
    if (reply->own_names.failed || compile_reply_read_resources(reply, &error)) {
        log_explain(reply, STATUS_COMPILE_ERROR, "%s", error.message);
        reply->lasting = false;
    }
}

void nvcc_compile(const struct request *request, struct compile_reply *reply, struct text *dependencies)
{
    struct program_folder folder = {0};
    struct text path = {0}, cubin = {0};
    struct build build = {.request = request, .folder = folder.path};
    int code = nvcc_find(&path, &build.error);
    build.nvcc = path.bytes;
    if (!code && !(code = program_folder_make(&folder, &build.error))) {
        code = request->job.shared ? make_shared(&build, reply, dependencies, &cubin)
                                   : make_cubin(&build, reply, dependencies, &cubin);
        drop_folder(&build.log, folder.path);
        program_folder_remove(&folder);
    }
    reply->log = build.log.bytes ? build.log.bytes : calloc(1, 1);
    if (!code && !reply->log)
        code = error_memory(&build.error);
    reply->lasting &= !code;
    if (code)
        log_explain(reply, STATUS_COMPILE_ERROR, "%s", build.error.message);
    else if (build.status)
        explain_failure(&build, reply);
    else if (reply->status == STATUS_OK)
        take_cubin(request, &cubin, reply);
    text_free(&path);
    text_free(&cubin);
}
