#include "compile/generate.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/generator.h"
#include "base/program.h"
#include "compile/log.h"

enum { SOURCE_BYTES_MAX = 16 << 20 };

/* Relative to the job's folder, where the process is. */
static const char *folder_of(const struct request *request)
{
    return file_below(request->job.folder, request->job.generator.folder);
}

/* ---- The cache ---- */

static void add_part(struct text *digest, const char *name, const char *bytes, size_t length)
{
    text_printf(digest, "%s %zu\n", name, length);
    text_append(digest, bytes, length);
}

static bool make_key(const struct request *request, char key[HASH_HEX_BYTES])
{
    const struct generator *generator = &request->job.generator;
    struct text digest = {0};
    char folder[PATH_MAX];
    bool good = realpath(folder_of(request), folder) != NULL;
    text_printf(&digest, "source command\n");
    add_part(&digest, "command", generator->command, strlen(generator->command));
    add_part(&digest, "values", generator->values, text_strings_bytes(generator->values, generator->value_count));
    if (good)
        add_part(&digest, "folder", folder, strlen(folder));
    good = good && !generator_digest(generator->command, folder_of(request), &digest, NULL) && !digest.failed;
    if (good)
        hash_hex(digest.bytes, digest.length, key);
    text_free(&digest);
    return good;
}

/* Waits until no other process runs the command of the key. Returns a descriptor to close; -1 if there is no lock, and
 * then the command may run twice. */
static int lock(const struct compile_cache *cache, const char *key)
{
    enum { DIGITS = 12 };
    char path[CACHE_FOLDER_BYTES + 32], digits[DIGITS + 1];
    snprintf(path, sizeof path, "%s/source-commands.lock", cache->folder);
    snprintf(digits, sizeof digits, "%.*s", DIGITS, key);
    struct flock range = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)strtoull(digits, NULL, 16), .l_len = 1};
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600), failed;
    if (file < 0)
        return -1;
    while ((failed = fcntl(file, F_OFD_SETLKW, &range)) && errno == EINTR)
        ;
    if (failed) {
        close(file);
        return -1;
    }
    return file;
}

/* ---- The command ---- */

/* Runs the command, whose output goes to a file, so that `said` is what it says besides. */
static int run(const struct request *request, const char *folder, const char *output, struct text *said, int *status,
               struct error *error)
{
    const struct generator *generator = &request->job.generator;
    struct text script = {0};
    enum { REST = 8 };
    const char **arguments = malloc((generator->value_count + REST) * sizeof *arguments), *value = generator->values;
    size_t count = 0;
    text_printf(&script, "cd -- \"$2\" || exit\n{ %s\n} >\"$1\"\n", generator->command);
    if (!arguments || script.failed) {
        free(arguments);
        text_free(&script);
        return error_memory(error);
    }
    arguments[count++] = "/usr/bin/env";
    for (size_t i = 0; i < generator->value_count; i++, value += strlen(value) + 1)
        arguments[count++] = value;
    const char *const rest[REST - 1] = {"/bin/sh",          "-c", text_string(&script), "source", output,
                                        folder_of(request), NULL};
    memcpy(arguments + count, rest, sizeof rest);
    int code = program_run(&(struct program){arguments, folder}, said, status, error);
    free(arguments);
    text_free(&script);
    return code;
}

static bool is_blank(const struct text *text)
{
    const char *at = text_string(text);
    return at[strspn(at, " \t\r\n")] == '\0';
}

/* Sets the text by running the command; false: the reply has the reason of the failure. */
static bool generate(struct request *request, struct compile_reply *reply)
{
    struct program_folder folder = {0};
    struct text said = {0};
    struct error error = {0};
    char output[PATH_MAX + 16], fate[PROGRAM_FATE_BYTES];
    int status = 0, code = program_folder_make(&folder, &error);
    snprintf(output, sizeof output, "%s/source.cu", folder.path);
    if (!code)
        code = run(request, folder.path, output, &said, &status, &error);
    if (!code && !status)
        code = file_read(output, SOURCE_BYTES_MAX, &request->generated, &error);
    if (code)
        log_explain(reply, STATUS_COMPILE_ERROR, GENERATOR_SUBJECT "gave no source: %s", error.message);
    else if (status)
        log_explain(reply, STATUS_COMPILE_ERROR, GENERATOR_SUBJECT "%s",
                    program_fate(status, text_string(&said), fate));
    else if (request->generated.length && memchr(request->generated.bytes, '\0', request->generated.length))
        log_explain(reply, STATUS_COMPILE_ERROR, GENERATOR_SUBJECT "printed a NUL byte: that is not source text");
    else if (is_blank(&request->generated))
        log_explain(reply, STATUS_COMPILE_ERROR,
                    GENERATOR_SUBJECT "printed nothing: it must print the source to standard output");
    reply->log = strdup(text_string(&said));
    program_folder_remove(&folder);
    text_free(&said);
    return reply->status == STATUS_OK;
}

/* Runs the command unless another process did so meanwhile. A text whose files changed while the command ran belongs to
 * neither key. */
static bool find(const struct compile_cache *cache, const char *key, struct request *request,
                 struct compile_reply *reply, bool *untidy)
{
    char now[HASH_HEX_BYTES];
    struct text *text = &request->generated;
    if (compile_cache_load(cache, key, text))
        return true;
    int held = lock(cache, key);
    bool found = compile_cache_load(cache, key, text), made = !found && generate(request, reply);
    if (made && make_key(request, now) && strcmp(now, key) == 0 &&
        compile_cache_store(cache, key, text->bytes, text->length))
        *untidy |= compile_cache_due(cache, key, text->length);
    if (held >= 0)
        close(held);
    return found || made;
}

bool generate_source(const struct compile_cache *cache, struct request *request, struct compile_reply *reply,
                     bool *untidy)
{
    char key[HASH_HEX_BYTES];
    if (!*request->job.generator.command)
        return true;
    bool good = cache && make_key(request, key) ? find(cache, key, request, reply, untidy) : generate(request, reply);
    if (!good)
        return false;
    free(reply->log);
    reply->log = NULL;
    if (*request->job.source)
        text_printf(&request->generated, "\n%s", request->job.source);
    request->job.source = text_string(&request->generated);
    if (request->generated.failed)
        log_explain(reply, STATUS_COMPILE_ERROR, "out of memory");
    return !request->generated.failed;
}
