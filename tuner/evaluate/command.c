#include "evaluate/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/program.h"

/* ---- The keeper ---- */

static const int64_t send_timeout_ns = 5000000000;
enum { MESSAGE_RUN = 1 }; /* environment; answered with the status as id, and the end of the output */
enum { OUTPUT_END_BYTES = 2000 };

/* State of the keeper, which has its own copy. */
struct kept {
    const char *command, *folder, *space_folder;
};

/* `environment`: consecutive NUL-terminated strings NAME=VALUE */
static void set_environment(const char *environment, size_t length)
{
    for (const char *at = environment; at < environment + length; at += strlen(at) + 1) {
        char *name = strdup(at), *value = name ? strchr(name, '=') : NULL;
        if (value) {
            *value = '\0';
            setenv(name, value + 1, 1);
        }
        free(name);
    }
}

static bool run(const struct kept *kept, int socket, const struct message *message)
{
    struct text script = {0}, output = {0};
    struct error error = {0};
    int status = PROGRAM_NOT_STARTED;
    set_environment(message->bytes, message->length);
    text_printf(&script, "cd -- \"$2\" || exit\n%s \"$1\"\n", kept->command);
    const char *const arguments[] = {"/bin/sh",          "-c", text_string(&script), "reference", kept->folder,
                                     kept->space_folder, NULL};
    if (program_run(&(struct program){arguments, kept->folder}, &output, &status, &error))
        text_printf(&output, "%s\n", error.message);
    size_t from = output.length > OUTPUT_END_BYTES ? output.length - OUTPUT_END_BYTES : 0;
    bool sent = message_send(socket, MESSAGE_RUN, (uint64_t)status, text_string(&output) + from, output.length - from);
    text_free(&script);
    text_free(&output);
    return sent;
}

/* Runs commands until the parent closes the socket. */
static void keep(int socket, void *context)
{
    struct text buffer = {0};
    struct message message;
    while (message_receive(socket, &buffer, &message) && run(context, socket, &message))
        ;
    text_free(&buffer);
}

void command_close(struct command *command)
{
    worker_stop(&command->keeper);
    program_folder_remove(&command->folder);
    arena_free(&command->arena);
}

/* ---- Files ---- */

/* True if the command computes the results of this buffer. */
static bool is_wanted(const struct buffer *buffer)
{
    return space_is_referenced(buffer) && buffer->ignored < buffer->count;
}

static const char *file_of(struct command *command, const struct buffer *buffer)
{
    return arena_printf(&command->arena, "%s/%s.npy", command->folder.path, buffer->name);
}

/* An inout buffer's output replaces its input file. An impossible time marks files that are not yet written. */
static const struct timespec unwritten = {.tv_sec = 1};

static void mark_inputs(struct command *command, const struct space *space)
{
    const struct timespec times[] = {unwritten, unwritten};
    for (size_t i = 0; i < space->buffer_count; i++) {
        const char *path = space->buffers[i].role == BUFFER_INOUT ? file_of(command, &space->buffers[i]) : NULL;
        if (path)
            utimensat(AT_FDCWD, path, times, 0);
    }
}

static int find_output(struct command *command, const struct buffer *buffer, struct device_file *expected,
                       struct error *error)
{
    const char *path = file_of(command, buffer);
    struct stat about;
    if (!path)
        return error_memory(error);
    if (stat(path, &about) || (about.st_mtim.tv_sec == unwritten.tv_sec && !about.st_mtim.tv_nsec)) {
        int code =
            error_set(error, ERROR_VALUE, "the reference's command did not write the output %s.npy", buffer->name);
        error_hint(error, "it must write each output to the folder that is its last argument, as numpy.save does");
        return code;
    }
    expected->path = path;
    return space_open_expected(buffer, path, &expected->offset, error);
}

/* ---- Running ---- */

static int refuse_status(int status, const struct message *message, struct error *error)
{
    char output[OUTPUT_END_BYTES + 1], fate[PROGRAM_FATE_BYTES];
    snprintf(output, sizeof output, "%.*s", (int)message->length, message->bytes);
    return error_set(error, ERROR_VALUE, "the reference's command %s", program_fate(status, output, fate));
}

static int await(struct command *command, int64_t timeout_ns, const volatile sig_atomic_t *stop, struct error *error)
{
    struct worker *keeper = &command->keeper;
    struct message message;
    char words[128];
    int got;
    bool late = false;
    worker_expect(keeper, timeout_ns);
    while ((got = worker_receive(keeper, &message)) == 0 && !(stop && *stop >= 2) && !(late = worker_late(keeper)))
        worker_wait((struct worker *[]){keeper}, 1, INT64_MAX);
    worker_expect(keeper, INT64_MAX);
    if (got > 0)
        return message.id ? refuse_status((int)message.id, &message, error) : 0;
    worker_stop(keeper); /* ends the command */
    if (got < 0)
        return error_set(error, ERROR_WORKER, "the process that runs the reference's command was %s",
                         worker_epitaph(keeper, words, sizeof words));
    if (!late)
        return error_set(error, ERROR_INTERRUPTED, "interrupted while the reference's command ran");
    int code = error_set(error, ERROR_VALUE, "the reference's command did not finish within %.3g s",
                         (double)timeout_ns * 1e-9);
    error_hint(error, "a larger --timeout allows more; or keep its results: reference OUTPUT file(\"FILE\")");
    return code;
}

int command_open(struct command *command, const struct space *space, struct error *error)
{
    int code = program_folder_make(&command->folder, error);
    struct kept kept = {space->reference_command, command->folder.path, space->reference_folder};
    return code ? code : worker_start(&command->keeper, keep, &kept, error);
}

int command_run(struct command *command, const struct space *space, const uint32_t *choices, int64_t timeout_ns,
                const volatile sig_atomic_t *stop, struct device_file *expected, struct error *error)
{
    struct text environment = {0};
    size_t count;
    mark_inputs(command, space);
    int code = space_environment(space, choices, UINT64_MAX, UINT64_MAX, &environment, &count, error);
    text_printf(&environment, "CUTUNE_FOLDER=%s", command->folder.path);
    text_append(&environment, "", 1);
    if (!code)
        code = environment.failed ? error_memory(error)
                                  : worker_send(&command->keeper, MESSAGE_RUN, 0, environment.bytes, environment.length,
                                                clock_now_ns() + send_timeout_ns, error);
    if (!code)
        code = await(command, timeout_ns, stop, error);
    for (size_t i = 0; i < space->buffer_count && !code; i++)
        if (is_wanted(&space->buffers[i]))
            code = find_output(command, &space->buffers[i], &expected[i], error);
    text_free(&environment);
    return code;
}
