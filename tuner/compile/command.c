#include "compile/command.h"

#include <time.h>

#include "base/clock.h"
#include "compile/command_hello.h"
#include "compile/command_worker.h"

const int64_t compile_hello_timeout_ns = 120 * (int64_t)1000000000;

static int ask_hello(const struct compile_command *command, int64_t timeout_ns, struct command_hello *hello,
                     struct error *error)
{
    struct command_worker worker = {0};
    struct text line = {0};
    struct error why = {0};
    char limit[32];
    const int64_t now_ns = clock_now_ns(), until_ns = timeout_ns > INT64_MAX - now_ns ? INT64_MAX : now_ns + timeout_ns;
    int code = command_worker_start(&worker, command, &why);
    if (!code)
        code = command_worker_ask(&worker, NULL, &line, until_ns, &why);
    if (!code)
        code = command_hello_read(hello, command, &line, &why);
    command_worker_stop(&worker);
    if (code == ERROR_BUSY) {
        char last[PROGRAM_LINE_BYTES];
        program_last_line(command_worker_log(&worker), last);
        error_set(error, ERROR_COMPILE, COMMAND_SUBJECT "says no hello within %s%s%s",
                  format_time(limit, sizeof limit, (double)timeout_ns), *last ? ": " : "", last);
    } else if (code) {
        error_set(error, ERROR_COMPILE, "%s", why.message);
    }
    command_worker_free(&worker);
    text_free(&line);
    return code ? ERROR_COMPILE : 0;
}

int compile_command_version(const struct compile_command *command, const struct compile_cache *cache,
                            int64_t timeout_ns, struct nvrtc_version *version, struct text *files, struct error *error)
{
    const struct compile_command own = {.line = command->line, .folder = command->folder ? command->folder : ""};
    struct command_hello hello = {0};
    const int64_t started_s = time(NULL);
    int code = 0;
    if (!cache || !command_hello_recall(&hello, &own, cache)) {
        code = ask_hello(&own, timeout_ns, &hello, error);
        if (!code && cache)
            command_hello_keep(&hello, &own, cache, started_s);
    }
    *version = hello.version;
    if (files && !code)
        text_append(files, text_string(&hello.own_files), hello.own_files.length);
    command_hello_free(&hello);
    return code;
}
