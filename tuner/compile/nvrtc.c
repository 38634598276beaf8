#include "compile/nvrtc.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/timeline.h"
#include "base/toolkit.h"
#include "compile/build.h"
#include "compile/cache_key.h"
#include "compile/command_compile.h"
#include "compile/folder.h"
#include "compile/foreign.h"
#include "compile/generate.h"
#include "compile/headers.h"
#include "compile/library.h"
#include "compile/log.h"
#include "compile/messages.h"
#include "compile/minimal.h"
#include "compile/nvcc.h"
#include "compile/parts.h"

static void explain_log(const struct nvrtc *nvrtc, struct compile_reply *reply, const struct request *request,
                        nvrtcResult code)
{
    if (log_explain_error(reply, request))
        return;
    if (code == NVRTC_ERROR_COMPILATION)
        log_explain(reply, STATUS_COMPILE_ERROR, "NVRTC gives no reason (-v among the options hides the assembler's)");
    else
        log_explain(reply, STATUS_COMPILE_ERROR, "NVRTC: %s", nvrtc->nvrtcGetErrorString(code));
}

/* ---- Options ---- */

static void add_option(struct text *options, size_t *count, const char *option)
{
    text_append(options, option, strlen(option) + 1);
    ++*count;
}

/* Gathers all options, packed like the request's own, which come last. */
static void gather_options(struct request *request)
{
    enum { OWN_FEATURES_CC = 90 };
    struct text *options = &request->all_options;
    size_t count = 0;
    bool has_default = false;
    const char *at = request->job.options;
    char architecture[48];
    /* The device's own feature set (sm_90a) has the instructions for warp groups and bulk tensor copies. Such a
     * cubin runs only on this compute capability, as a tuned one should. Older devices have no such set. */
    snprintf(architecture, sizeof architecture, "--gpu-architecture=sm_%lld%s", (long long)request->job.cc,
             request->job.cc >= OWN_FEATURES_CC ? "a" : "");
    add_option(options, &count, architecture);
    if (request->job.nvcc) /* knows the folders of its toolkit */
        toolkit_source_option(request->job.path, options, &count);
    else
        toolkit_options(request->job.path, options, &count);
    for (size_t i = 0; i < request->job.option_count; i++, at += strlen(at) + 1)
        if (strncmp(at, "-std", 4) == 0 || strncmp(at, "--std", 5) == 0)
            has_default = true;
    if (!has_default)
        add_option(options, &count, "-std=c++17");
    text_append(options, request->job.options, (size_t)(at - request->job.options));
    request->all_option_count = count + request->job.option_count;
}

/* ---- Compiling ---- */

static bool knows_architecture(const struct nvrtc *nvrtc, struct compile_reply *reply, int cc)
{
    int count = 0, major = 0, minor = 0;
    int *known = NULL;
    bool found = false;
    nvrtc->nvrtcVersion(&major, &minor);
    if (nvrtc->nvrtcGetNumSupportedArchs(&count) == NVRTC_SUCCESS && count > 0)
        known = malloc((size_t)count * sizeof *known);
    if (!known || nvrtc->nvrtcGetSupportedArchs(known) != NVRTC_SUCCESS) {
        log_explain(reply, STATUS_COMPILE_ERROR, "NVRTC %d.%d does not say which architectures it knows", major, minor);
        free(known);
        return false;
    }
    for (int i = 0; i < count; i++)
        found |= known[i] == cc;
    if (!found)
        log_explain(reply, STATUS_COMPILE_ERROR,
                    "this NVRTC (%d.%d) does not know sm_%d, only sm_%d to sm_%d: install %s CUDA Toolkit", major,
                    minor, cc, known[0], known[count - 1], cc < known[0] ? "an older" : "a newer");
    free(known);
    return found;
}

/* NVRTC's own cache (CUDA 12.9 and newer) loads the driver, which takes longer than compiling when many processes do
 * it at once. It keeps neither the assembler's report nor respects `--no-cache` of a run. */
static bool has_own_cache(const struct nvrtc *nvrtc)
{
    int major = 0, minor = 0;
    return nvrtc->nvrtcVersion(&major, &minor) == NVRTC_SUCCESS && 10 * major + minor >= 129;
}

static nvrtcResult run_nvrtc(const struct nvrtc *nvrtc, nvrtcProgram *program, const struct request *request,
                             struct compile_reply *reply)
{
    size_t count = request->all_option_count, log_bytes = 0;
    const char **options = malloc((count + 1) * sizeof *options), *at = request->all_options.bytes;
    const char *name = request->job.name_expressions;
    const char *header_names[HEADERS_MAX], *headers[HEADERS_MAX];
    size_t header_count = headers_offer(request->hidden_headers, header_names, headers);
    nvrtcResult code = options && !request->all_options.failed ? NVRTC_SUCCESS : NVRTC_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; code == NVRTC_SUCCESS && i < count; i++, at += strlen(at) + 1)
        options[i] = at;
    if (code == NVRTC_SUCCESS && has_own_cache(nvrtc))
        options[count++] = "--no-cache";
    if (code == NVRTC_SUCCESS)
        code = nvrtc->nvrtcCreateProgram(program, request->job.source, request->job.path, (int)header_count, headers,
                                         header_names);
    for (size_t i = 0; code == NVRTC_SUCCESS && i < request->job.name_count; i++, name += strlen(name) + 1)
        code = nvrtc->nvrtcAddNameExpression(*program, name);
    if (code == NVRTC_SUCCESS) {
        code = nvrtc->nvrtcCompileProgram(*program, (int)count, options);
        if (nvrtc->nvrtcGetProgramLogSize(*program, &log_bytes) == NVRTC_SUCCESS && log_bytes > 1 &&
            (reply->log = calloc(log_bytes + 1, 1)))
            nvrtc->nvrtcGetProgramLog(*program, reply->log);
    }
    free(options);
    return code;
}

static nvrtcResult take_names(const struct nvrtc *nvrtc, nvrtcProgram program, const struct request *request,
                              struct compile_reply *reply)
{
    const char *name = request->job.name_expressions, *lowered;
    nvrtcResult code = NVRTC_SUCCESS;
    for (size_t i = 0; i < request->job.name_count; i++, name += strlen(name) + 1) {
        code = nvrtc->nvrtcGetLoweredName(program, name, &lowered);
        if (code != NVRTC_SUCCESS)
            return code;
        text_append(&reply->own_names, lowered, strlen(lowered) + 1);
    }
    reply->lowered_names = reply->own_names.bytes;
    reply->name_count = request->job.name_count;
    return reply->own_names.failed ? NVRTC_ERROR_OUT_OF_MEMORY : code;
}

/* Missing PTX does not invalidate the answer. */
static void take_ptx(const struct nvrtc *nvrtc, nvrtcProgram program, struct compile_reply *reply)
{
    size_t bytes = 0;
    if (nvrtc->nvrtcGetPTXSize(program, &bytes) == NVRTC_SUCCESS && bytes && (reply->ptx = calloc(bytes + 1, 1)) &&
        nvrtc->nvrtcGetPTX(program, reply->ptx) != NVRTC_SUCCESS)
        *reply->ptx = '\0';
}

static nvrtcResult take_cubin(const struct nvrtc *nvrtc, nvrtcProgram program, const struct request *request,
                              struct compile_reply *reply)
{
    nvrtcResult code = take_names(nvrtc, program, request, reply);
    if (code == NVRTC_SUCCESS)
        code = nvrtc->nvrtcGetCUBINSize(program, &reply->cubin_bytes);
    if (code == NVRTC_SUCCESS && reply->cubin_bytes && !(reply->cubin = malloc(reply->cubin_bytes)))
        code = NVRTC_ERROR_OUT_OF_MEMORY;
    if (code == NVRTC_SUCCESS && reply->cubin_bytes)
        code = nvrtc->nvrtcGetCUBIN(program, reply->cubin);
    if (code == NVRTC_SUCCESS && request->job.wants_ptx)
        take_ptx(nvrtc, program, reply);
    return code;
}

/* True if the compiler rejects the source itself, not its surroundings such as a missing file or memory. */
static bool is_final(const struct compile_reply *reply, nvrtcResult code)
{
    return code == NVRTC_ERROR_COMPILATION && *reply->log && !log_mentions(reply->log, "catastrophic") &&
           !log_mentions(reply->log, "memory");
}

static bool log_has_text(const struct compile_reply *reply)
{
    return reply->log && *reply->log;
}

/* Tries the minimal options first. If that fails, or if the log may show a line of the source that differs in the
 * copy without some kernels, compiles without them; that result counts. */
static nvrtcResult run_minimal(const struct nvrtc *nvrtc, nvrtcProgram *program, const struct request *request,
                               struct minimal *minimal, struct compile_reply *reply)
{
    struct request quick;
    struct text alone = {0};
    nvrtcResult code = NVRTC_ERROR_INVALID_OPTION;
    bool applied = minimal_apply(minimal, request, &quick, &alone);
    if (applied)
        code = run_nvrtc(nvrtc, program, &quick, reply);
    minimal_free(&quick);
    text_free(&alone);
    if (code == NVRTC_SUCCESS && !(minimal->alone && log_has_text(reply)))
        return code;
    if (*program)
        nvrtc->nvrtcDestroyProgram(program);
    free(reply->log);
    reply->log = NULL;
    code = run_nvrtc(nvrtc, program, request, reply);
    if (applied && code == NVRTC_SUCCESS)
        minimal_give_up(minimal);
    return code;
}

static void compile(const struct nvrtc *nvrtc, nvrtcProgram *program, const struct request *request,
                    struct minimal *minimal, struct compile_reply *reply)
{
    struct error error = {0};
    if (!knows_architecture(nvrtc, reply, (int)request->job.cc))
        return;
    nvrtcResult code = run_minimal(nvrtc, program, request, minimal, reply);
    if (!reply->log)
        reply->log = calloc(1, 1);
    if (!reply->log) {
        log_explain(reply, STATUS_COMPILE_ERROR, "out of memory");
        return;
    }
    if (code != NVRTC_SUCCESS) {
        explain_log(nvrtc, reply, request, code);
        reply->lasting = is_final(reply, code);
        return;
    }
    code = take_cubin(nvrtc, *program, request, reply);
    if (code != NVRTC_SUCCESS)
        log_explain(reply, STATUS_COMPILE_ERROR, "NVRTC: %s", nvrtc->nvrtcGetErrorString(code));
    else if (!reply->cubin)
        log_explain(reply, STATUS_COMPILE_ERROR, "NVRTC made no machine code with these options");
    else if (compile_reply_read_resources(reply, &error))
        log_explain(reply, STATUS_COMPILE_ERROR, "%s", error.message);
    else
        reply->lasting = true;
}

/* ---- Answering ---- */

static void pack_answer(struct text *packed, const struct compile_reply *reply, int64_t compile_ns)
{
    struct compile_result result = compile_result_of(reply, compile_ns);
    pack_struct(packed, &compile_result_table, &result);
}

/* The state of a compiler process. */
struct compiler {
    struct nvrtc nvrtc;
    const struct compile_cache *cache; /* NULL: none; else `own_cache` */
    struct compile_cache own_cache;
    int home;                  /* the folder in which the process started */
    struct text identity;      /* the NVRTC in use, with its build; empty: unknown */
    struct text nvcc_identity; /* likewise, once a job has asked for nvcc */
    bool knows_nvcc;
    bool untidy; /* the cache has grown enough to be trimmed */
    struct minimal minimal;
    struct include_cache include_cache;
    struct command_compiler command; /* its worker lives on */
};

/* Leaves the identity empty if the build is unknown: nothing is cached then. */
static void identify(struct compiler *compiler)
{
    struct nvrtc_version version;
    nvrtc_identify(&compiler->nvrtc, &version);
    if (*version.number && *version.build)
        text_printf(&compiler->identity, "%s %s", version.number, version.build);
}

static void identify_nvcc(struct compiler *compiler)
{
    struct nvrtc_version version;
    if (compiler->knows_nvcc || !compiler->cache)
        return;
    compiler->knows_nvcc = true;
    if (!nvcc_identify(&version, NULL)) {
        text_printf(&compiler->nvcc_identity, "%s %s", version.number, version.build);
        nvcc_environment(&compiler->nvcc_identity);
    }
}

static const char *identity_of(const struct compiler *compiler, const struct request *request)
{
    return text_string(request->job.nvcc ? &compiler->nvcc_identity : &compiler->identity);
}

static bool has_key(struct compiler *compiler, const struct request *request, bool anew, char key[HASH_HEX_BYTES])
{
    const char *identity = identity_of(compiler, request);
    return *identity && cache_key_of(request, identity, &compiler->include_cache, anew, key);
}

/* The files that nvcc includes are known only after compiling: the answer's own key covers them, too. */
static bool recall(struct compiler *compiler, const struct request *request, const char *key,
                   struct compile_reply *reply)
{
    return request->job.nvcc ? cache_key_load_with_files(compiler->cache, key, reply)
                             : cache_key_load(compiler->cache, key, reply);
}

/* If a file changes while the compiler reads it, the answer belongs to neither the old key nor the new one. */
static void keep(struct compiler *compiler, const char *key, const struct request *request,
                 const struct text *dependencies, int64_t started_s, const struct compile_reply *reply)
{
    char now[HASH_HEX_BYTES];
    if (!reply->lasting || !has_key(compiler, request, true, now) || strcmp(key, now) != 0)
        return;
    if (request->job.nvcc) {
        compiler->untidy |= cache_key_store_with_files(compiler->cache, key, dependencies, started_s, reply);
    } else {
        const size_t bytes = cache_key_store(compiler->cache, key, reply);
        compiler->untidy |= bytes && compile_cache_due(compiler->cache, key, bytes);
    }
}

/* Takes the answer from the cache or compiles, in the job's folder. */
static void find_answer(struct compiler *compiler, struct request *request, nvrtcProgram *program,
                        struct compile_reply *reply)
{
    struct text dependencies = {0};
    char key[HASH_HEX_BYTES];
    int64_t started_s = time(NULL);
    gather_options(request);
    if (request->job.nvcc)
        identify_nvcc(compiler);
    request->hidden_headers = request->job.nvcc ? UINT64_MAX : include_cache_hidden(&compiler->include_cache, request);
    request->included = include_cache_included(&compiler->include_cache, request, &request->included_count);
    bool keyed = has_key(compiler, request, false, key);
    if (!keyed || !recall(compiler, request, key, reply)) {
        if (request->job.nvcc)
            nvcc_compile(request, reply, &dependencies);
        else
            compile(&compiler->nvrtc, program, request, &compiler->minimal, reply);
        if (keyed)
            keep(compiler, key, request, &dependencies, started_s, reply);
    }
    timeline("compiler", reply->cached ? "answer found in the cache" : "compiled");
    text_free(&dependencies);
}

static void free_reply(struct compile_reply *reply)
{
    if (!reply->cached) {
        free(reply->log);
        free(reply->cubin);
        free(reply->ptx);
    }
    text_free(&reply->own_names);
    text_free(&reply->recalled);
}

/* Finds the answer to a request of one part. The program, if any, is the caller's. */
static void find_reply(struct compiler *compiler, struct request *request, nvrtcProgram *program,
                       struct compile_reply *reply)
{
    struct error error = {0};
    if (folder_enter(request, &error))
        log_explain(reply, STATUS_COMPILE_ERROR, "%s", error.message);
    else if (generate_source(compiler->cache, request, reply, &compiler->untidy))
        find_answer(compiler, request, program, reply);
    folder_leave(compiler->home);
}

static void free_request(struct request *request)
{
    text_free(&request->all_options);
    text_free(&request->generated);
}

/* Compiles each part like a job of its own, so that the cache has each, and puts the answers together. */
static void find_parts(struct compiler *compiler, const struct request *request, struct parts *parts)
{
    parts_begin(parts, &request->job);
    while (parts_next(parts)) {
        struct request own = {.job = parts->own};
        struct compile_reply reply = {.status = STATUS_OK};
        nvrtcProgram program = NULL;
        find_reply(compiler, &own, &program, &reply);
        parts_take(parts, &reply);
        if (program)
            compiler->nvrtc.nvrtcDestroyProgram(&program);
        free_reply(&reply);
        free_request(&own);
    }
    parts_end(parts);
}

static void answer_compile(struct compiler *compiler, struct text *packed, struct request *request)
{
    struct compile_reply reply = {.status = STATUS_OK};
    struct parts parts = {0};
    nvrtcProgram program = NULL;
    const bool commanded = *request->job.command.line != '\0';
    const bool several = !commanded && !request->job.module_bytes && request->job.plan.part_count > 1;
    int64_t started_ns = clock_now_ns();
    if (request->job.module_bytes)
        foreign_read(&request->job, &reply);
    else if (commanded)
        compiler->untidy |= command_compile_job(&compiler->command, compiler->cache, &request->job, &reply);
    else if (several)
        find_parts(compiler, request, &parts);
    else
        find_reply(compiler, request, &program, &reply);
    if (request->job.foreign) /* behind the cache, which also serves trusted code */
        foreign_screen(several ? &parts.reply : &reply);
    pack_answer(packed, several ? &parts.reply : &reply, clock_now_ns() - started_ns);
    if (program)
        compiler->nvrtc.nvrtcDestroyProgram(&program);
    free_reply(&reply);
    free_request(request);
    parts_free(&parts);
    if (packed->failed) {
        struct compile_reply poor = {.status = STATUS_COMPILE_ERROR, .message = "out of memory"};
        text_free(packed);
        pack_answer(packed, &poor, clock_now_ns() - started_ns);
    }
}

/* The pool asks nothing else without NVRTC. */
static bool needs_nvrtc(const struct message *message, const struct compile_job *job)
{
    return message->kind != QUESTION_COMPILE || !(job->nvcc || *job->command.line || job->module_bytes);
}

static void answer_version(const struct compiler *compiler, struct text *packed)
{
    struct nvrtc_version version;
    nvrtc_identify(&compiler->nvrtc, &version);
    pack_struct(packed, &nvrtc_version_table, &version);
}

/* Frees some additional room, so that not every new entry needs trimming. */
static void tidy(struct compiler *compiler)
{
    struct cache_usage usage;
    const struct compile_cache *cache = compiler->cache;
    compiler->untidy = false;
    if (!compile_cache_trim(cache, UINT64_MAX, &usage, NULL) && usage.bytes > cache->max_bytes)
        compile_cache_trim(cache, cache->max_bytes - cache->max_bytes / 8, &usage, NULL);
}

/* NVRTC allocates and frees several MiB in each compilation. Keeps that memory, because returning it to the system
 * and taking it again causes page faults. */
static void keep_memory(void)
{
    enum { MIB = 1 << 20 };
    mallopt(M_MMAP_THRESHOLD, 32 * MIB);
    mallopt(M_TRIM_THRESHOLD, 256 * MIB);
    mallopt(M_TOP_PAD, 16 * MIB);
}

void compile_worker(int socket, void *context)
{
    struct compiler compiler = {.cache = NULL};
    struct text buffer = {0}, packed = {0};
    struct message message;
    timeline("compiler", "started");
    keep_memory();
    if (context)
        compiler.own_cache = *(const struct compile_cache *)context;
    compiler.home = folder_settle(&compiler.own_cache);
    compiler.cache = context ? &compiler.own_cache : NULL;
    const bool has_nvrtc = !nvrtc_load(&compiler.nvrtc, NULL);
    if (compiler.cache && has_nvrtc)
        identify(&compiler);
    timeline("compiler", "NVRTC identified");
    while (message_receive(socket, &buffer, &message)) {
        struct request request = {0};
        text_clear(&packed);
        compiler.command.notices = (struct command_notices){socket, message.id};
        if (message.kind == QUESTION_COMPILE &&
            !unpack_whole(message.bytes, message.length, &compile_job_table, &request.job))
            break;
        if (needs_nvrtc(&message, &request.job) && !has_nvrtc)
            break;
        if (message.kind == QUESTION_VERSION)
            answer_version(&compiler, &packed);
        else if (message.kind == QUESTION_COMPILE)
            answer_compile(&compiler, &packed, &request);
        else
            break;
        if (packed.failed || !message_send(socket, message.kind, message.id, packed.bytes, packed.length))
            break;
        if (compiler.untidy)
            tidy(&compiler);
    }
    command_compiler_free(&compiler.command);
    include_cache_free(&compiler.include_cache);
    text_free(&compiler.identity);
    text_free(&compiler.nvcc_identity);
    text_free(&packed);
    text_free(&buffer);
}
