#include "compile/command_compile.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/message.h"
#include "base/timeline.h"
#include "compile/cache_key.h"
#include "compile/command.h"
#include "compile/command_answer.h"
#include "compile/command_module.h"
#include "compile/command_request.h"
#include "compile/log.h"
#include "compile/messages.h"

/* One job. */
struct asking {
    struct command_compiler *compiler;
    const struct compile_cache *cache;
    const struct compile_job *job;
    struct compile_reply *reply;
    struct command_request request;
    struct command_answer *answer;
    struct text files; /* that the answer depends on: NUL-terminated paths */
    struct text ptx;
    struct text log; /* of the assembler; the error of the answer */
    struct command_module modules[COMPILE_KERNELS_MAX];
};

static bool fail(const struct asking *asking, const struct error *error)
{
    log_explain(asking->reply, STATUS_COMPILE_ERROR, "%s", error->message);
    return false;
}

/* ---- The worker ---- */

static void notify(const struct command_compiler *compiler, uint32_t kind, const struct text *bytes)
{
    message_send(compiler->notices.socket, kind, compiler->notices.id, text_string(bytes), bytes->length);
}

static void notify_hello(const struct command_compiler *compiler)
{
    struct text packed = {0};
    const struct command_notice notice = {program_resident(&compiler->worker.session)};
    pack_struct(&packed, &command_notice_table, &notice);
    notify(compiler, NOTICE_HELLO, &packed);
    text_free(&packed);
}

/* The run is named after its hello, so no answer of another one belongs to it. */
static bool is_the_runs(const struct asking *asking)
{
    const struct command_hello *hello = &asking->compiler->hello;
    if (strcmp(hello->version.build, asking->job->command.identity) == 0)
        return true;
    log_explain(asking->reply, STATUS_COMPILE_ERROR,
                COMMAND_SUBJECT "has changed since the run began, or one of its files, packages or variables (now %s): "
                                "the same command continues under a new journal",
                hello->version.number);
    asking->reply->fatal = true;
    command_worker_stop(&asking->compiler->worker);
    return false;
}

/* Starts the worker unless it runs, and reads its hello. */
static bool start_worker(struct asking *asking)
{
    struct command_compiler *compiler = asking->compiler;
    const struct compile_command *command = &asking->job->command;
    static const struct text nothing;
    struct text line = {0};
    struct error error = {0};
    const int64_t started_s = time(NULL);
    if (command_worker_is_there(&compiler->worker))
        return true;
    int code = command_worker_start(&compiler->worker, command, &error);
    if (!code)
        notify(compiler, NOTICE_STARTED, &nothing);
    if (!code)
        code = command_worker_ask(&compiler->worker, NULL, &line, INT64_MAX, &error);
    if (!code)
        code = command_hello_read(&compiler->hello, command, &line, &error);
    text_free(&line);
    if (code) {
        command_worker_stop(&compiler->worker);
        return fail(asking, &error);
    }
    notify_hello(compiler);
    if (asking->cache)
        command_hello_keep(&compiler->hello, command, asking->cache, started_s);
    return is_the_runs(asking);
}

static void forget_command(struct command_compiler *compiler)
{
    command_worker_stop(&compiler->worker);
    command_hello_free(&compiler->hello);
    text_clear(&compiler->line);
    text_clear(&compiler->folder);
}

/* Finds the hello: of the worker that runs, else in the cache, else of a new worker. */
static bool find_hello(struct asking *asking)
{
    struct command_compiler *compiler = asking->compiler;
    const struct compile_command *command = &asking->job->command;
    struct error error = {0};
    if (strcmp(text_string(&compiler->line), command->line) != 0 ||
        strcmp(text_string(&compiler->folder), command->folder) != 0)
        forget_command(compiler);
    if (!compiler->line.length) {
        text_printf(&compiler->line, "%s", command->line);
        text_printf(&compiler->folder, "%s", command->folder);
    }
    command_worker_clear_log(&compiler->worker);
    if (*compiler->hello.version.build) {
        asking->reply->fatal = command_hello_renew(&compiler->hello, command, &error);
        return asking->reply->fatal ? fail(asking, &error) : is_the_runs(asking);
    }
    if (asking->cache && command_hello_recall(&compiler->hello, command, asking->cache))
        return is_the_runs(asking);
    return start_worker(asking);
}

/* ---- The cache ---- */

static void add_part(struct text *digest, const char *name, const char *string)
{
    text_printf(digest, "%s %zu\n", name, strlen(string));
    text_append(digest, string, strlen(string));
}

static bool make_key(const struct asking *asking, char key[HASH_HEX_BYTES])
{
    const struct compile_command *command = &asking->job->command;
    struct text digest = {0}, assembler = {0};
    char folder[PATH_MAX];
    bool good = asking->cache && realpath(*command->folder ? command->folder : ".", folder);
    text_printf(&digest, "cutune %s messages %d command ptx %d cc %lld\n", CUTUNE_VERSION, PACK_VERSION,
                asking->job->wants_ptx, (long long)asking->job->cc);
    command_assembler(&assembler);
    add_part(&digest, "command", command->line);
    add_part(&digest, "folder", good ? folder : "");
    add_part(&digest, "identity", command->identity);
    add_part(&digest, "assembler", text_string(&assembler));
    add_part(&digest, "request", text_string(&asking->request.members));
    good = good && !digest.failed;
    if (good)
        hash_hex(digest.bytes, digest.length, key);
    text_free(&digest);
    text_free(&assembler);
    return good;
}

/* ---- The answer ---- */

static const char *kernel_name(const struct asking *asking, size_t kernel)
{
    const cJSON *item = cJSON_GetArrayItem(asking->request.kernels, (int)kernel);
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "name"));
    return name ? name : "?";
}

/* Asks the worker. An answer without a sense ends it, one with a mistake does not. */
static bool ask(struct asking *asking, const char *outputs)
{
    struct command_compiler *compiler = asking->compiler;
    const uint64_t id = compiler->requests;
    struct text line = {0}, answer = {0};
    struct error error = {0};
    command_request_write(&asking->request, id, outputs, &line);
    int code =
        line.failed ? error_memory(&error) : command_worker_ask(&compiler->worker, &line, &answer, INT64_MAX, &error);
    if (!code) {
        code = command_answer_read(asking->answer, &answer, id, &asking->request, &error);
        if (code == ERROR_WORKER)
            command_worker_stop(&compiler->worker);
    }
    text_free(&line);
    text_free(&answer);
    if (code)
        return fail(asking, &error);
    const char *said = text_string(&asking->answer->error);
    if (*said) { /* the log has it whole */
        log_explain(asking->reply, STATUS_COMPILE_ERROR, "%s", said);
        text_printf(&asking->log, "%s\n", said);
    }
    return !*said;
}

/* Takes the code of an earlier kernel with the same file; NULL: it has none. */
static const struct text *shared_code(const struct asking *asking, size_t kernel)
{
    const char *file = asking->answer->kernels[kernel].file;
    for (size_t k = 0; k < kernel && file; k++)
        if (asking->answer->kernels[k].file && strcmp(asking->answer->kernels[k].file, file) == 0)
            return &asking->modules[k].code;
    return NULL;
}

/* Reads the code of a kernel. The code of PTX also depends on the assembler. */
static bool read_module(struct asking *asking, size_t kernel, const char *output)
{
    const struct compile_command *command = &asking->job->command;
    const struct command_answer *answer = asking->answer;
    struct command_module *module = &asking->modules[kernel];
    struct text file = {0}, ptxas = {0};
    bool has_ptxas = answer->ptxas != NULL;
    const struct text *shared = shared_code(asking, kernel);
    if (shared) {
        module->entry = answer->kernels[kernel].entry;
        text_append(&module->code, shared->bytes, shared->length);
        return !module->code.failed;
    }
    command_path(command, answer->kernels[kernel].file ? answer->kernels[kernel].file : output, &file);
    if (has_ptxas)
        command_path(command, answer->ptxas, &ptxas);
    else
        has_ptxas = command_assembler(&ptxas);
    *module = (struct command_module){.kernel = kernel_name(asking, kernel),
                                      .file = text_string(&file),
                                      .entry = answer->kernels[kernel].entry,
                                      .architecture = asking->request.architecture,
                                      .ptxas = has_ptxas ? text_string(&ptxas) : NULL,
                                      .folder = asking->compiler->worker.folder.path};
    bool good = command_module_read(module, asking->job, &asking->ptx, &asking->log, asking->reply);
    if (module->is_ptx && has_ptxas)
        text_append(&asking->files, module->ptxas, strlen(module->ptxas) + 1);
    module->file = module->ptxas = NULL;
    text_free(&file);
    text_free(&ptxas);
    return good;
}

/* Puts the modules together: kernels of the same code share a part. */
static bool bundle_modules(struct asking *asking, struct error *error)
{
    struct bundle bundle = {0};
    struct text bytes = {0};
    const size_t count = asking->request.kernel_count;
    for (size_t k = 0; k < count; k++) {
        const struct text *code = &asking->modules[k].code;
        size_t p = 0;
        while (p < bundle.part_count && (bundle.parts[p].length != code->length ||
                                         memcmp(bundle.parts[p].bytes, code->bytes, code->length) != 0))
            p++;
        if (p == BUNDLE_PARTS_MAX) {
            error_set(error, ERROR_DATA, "the answer has more than %d different files: kernels may share one",
                      BUNDLE_PARTS_MAX);
            return false;
        }
        bundle.parts[p] = (struct bundle_part){code->bytes, code->length};
        bundle.part_count += p == bundle.part_count;
        bundle.of[k] = (uint32_t)p;
    }
    if (bundle.part_count == 1)
        text_append(&bytes, bundle.parts[0].bytes, bundle.parts[0].length);
    else
        bundle_write(&bytes, &bundle, count);
    asking->reply->cubin = bytes.bytes;
    asking->reply->cubin_bytes = bytes.length;
    if (bytes.failed)
        error_memory(error);
    return !bytes.failed;
}

static bool take_code(struct asking *asking)
{
    struct compile_reply *reply = asking->reply;
    const struct command_answer *answer = asking->answer;
    const size_t count = asking->request.kernel_count;
    struct error error = {0};
    for (size_t k = 0; k < count; k++)
        text_append(&reply->own_names, asking->modules[k].entry, strlen(asking->modules[k].entry) + 1);
    reply->lowered_names = text_string(&reply->own_names);
    reply->name_count = reply->answer_count = count;
    reply->parameter_count = answer->parameter_count;
    memcpy(reply->answers, answer->answers, sizeof reply->answers);
    memcpy(reply->parameters, answer->parameters, sizeof reply->parameters);
    if (!bundle_modules(asking, &error) || compile_reply_read_resources(reply, &error))
        return fail(asking, &error);
    if (asking->job->wants_ptx && count == 1 && asking->ptx.length) {
        reply->ptx = asking->ptx.bytes;
        asking->ptx = (struct text){0};
    }
    return true;
}

/* Appends the paths of the files for the request's kernels, in the worker's folder. */
static void name_outputs(const struct asking *asking, struct text *outputs)
{
    for (size_t k = 0; k < asking->request.kernel_count; k++) {
        text_printf(outputs, "%s/%llu.%zu", asking->compiler->worker.folder.path,
                    (unsigned long long)asking->compiler->requests, k);
        text_append(outputs, "", 1);
    }
}

static void ask_worker(struct asking *asking)
{
    struct text outputs = {0};
    struct compile_reply *reply = asking->reply;
    if (!start_worker(asking))
        return;
    asking->compiler->requests++;
    name_outputs(asking, &outputs);
    bool good = !outputs.failed && ask(asking, outputs.bytes);
    const char *output = text_string(&outputs);
    for (size_t k = 0; k < asking->request.kernel_count && !outputs.failed; k++, output += strlen(output) + 1) {
        good = good && read_module(asking, k, output);
        unlink(output);
    }
    /* The files that an error depends on are unknown, unless the assembler reports a limit. */
    good = good && take_code(asking);
    reply->lasting = good || reply->status == STATUS_PRUNED_LIMIT;
    text_free(&outputs);
}

static void add_answer_files(struct asking *asking)
{
    const struct text *files = &asking->answer->files;
    for (size_t at = 0; at < files->length; at += strlen(files->bytes + at) + 1)
        command_path(&asking->job->command, files->bytes + at, &asking->files);
}

/* ---- The job ---- */

static bool find_answer(struct asking *asking)
{
    char key[HASH_HEX_BYTES];
    struct error error = {0};
    const int64_t started_s = time(NULL);
    bool due = false;
    if (!find_hello(asking))
        return false;
    if (command_request_read(&asking->request, asking->job->command.request, &asking->compiler->hello, &error)) {
        fail(asking, &error);
        return false;
    }
    const bool keyed = make_key(asking, key);
    if (keyed && cache_key_load_with_files(asking->cache, key, asking->reply))
        return false;
    ask_worker(asking);
    add_answer_files(asking);
    if (keyed && !asking->files.failed)
        due = cache_key_store_with_files(asking->cache, key, &asking->files, started_s, asking->reply);
    return due;
}

/* The worker's log, and behind it that of this job. */
static void take_log(struct asking *asking)
{
    struct text log = {0};
    const char *said = command_worker_log(&asking->compiler->worker);
    text_printf(&log, "%s", asking->compiler->worker.cut ? "(the beginning is left out)\n" : "");
    text_append(&log, said, strlen(said));
    text_append(&log, text_string(&asking->log), strlen(text_string(&asking->log)));
    asking->reply->log = log.bytes;
}

bool command_compile_job(struct command_compiler *compiler, const struct compile_cache *cache,
                         const struct compile_job *job, struct compile_reply *reply)
{
    struct asking *asking = calloc(1, sizeof *asking);
    struct command_answer *answer = calloc(1, sizeof *answer);
    bool due = false;
    if (asking && answer) {
        *asking = (struct asking){compiler, cache, job, reply, .answer = answer};
        due = find_answer(asking);
        if (!reply->cached)
            take_log(asking);
        timeline("compiler", reply->cached ? "answer found in the cache" : "compiled");
        for (size_t k = 0; k < COMPILE_KERNELS_MAX; k++)
            text_free(&asking->modules[k].code);
        command_request_free(&asking->request);
        command_answer_free(answer);
        text_free(&asking->files);
        text_free(&asking->ptx);
        text_free(&asking->log);
    } else {
        log_explain(reply, STATUS_COMPILE_ERROR, "out of memory");
    }
    free(asking);
    free(answer);
    return due;
}

bool compile_command_recall(const struct compile_cache *cache, const struct compile_job *job, struct text *payload,
                            struct compile_result *result)
{
    struct command_compiler compiler = {0};
    struct compile_job own = *job;
    struct asking *asking = calloc(1, sizeof *asking);
    struct compile_reply *reply = calloc(1, sizeof *reply);
    char key[HASH_HEX_BYTES];
    bool found = asking && reply && command_hello_recall(&compiler.hello, &job->command, cache);
    own.command.identity = compiler.hello.version.build;
    if (found)
        *asking = (struct asking){.compiler = &compiler, .cache = cache, .job = &own, .reply = reply};
    found = found && !command_request_read(&asking->request, own.command.request, &compiler.hello, NULL) &&
            make_key(asking, key) && cache_key_load_with_files(cache, key, reply) && reply->status == STATUS_OK;
    if (found) {
        *payload = reply->recalled; /* which the result borrows */
        *result = compile_result_of(reply, 0);
    } else if (reply) {
        text_free(&reply->recalled);
    }
    if (asking)
        command_request_free(&asking->request);
    command_compiler_free(&compiler);
    free(asking);
    free(reply);
    return found;
}

void command_compiler_free(struct command_compiler *compiler)
{
    command_worker_free(&compiler->worker);
    command_hello_free(&compiler->hello);
    text_free(&compiler->line);
    text_free(&compiler->folder);
}
