#include "compile/command_worker.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"

/* A worker that has closed its socket is about to end; its status is the better message. */
static const int64_t grace_ns = 1000000000;

/* ---- Starting and stopping ---- */

/* Half of the free memory, so that no leak takes the machine down, but enough for any compiler. */
static uint64_t memory_bytes(void)
{
    const uint64_t least = (uint64_t)8 << 30, half = memory_available("") / 2;
    return half > least ? half : least;
}

int command_worker_start(struct command_worker *worker, const struct compile_command *command, struct error *error)
{
    struct text script = {0}, descriptor = {0};
    text_clear(&worker->received);
    command_worker_clear_log(worker);
    text_printf(&descriptor, "CUTUNE_COMPILER_FD=%d", PROGRAM_SOCKET);
    /* A lower limit of the user's stays. */
    text_printf(&script, "cd -- \"$1\" || exit\nulimit -d %llu 2>/dev/null\nshift\n%s\n",
                (unsigned long long)(memory_bytes() >> 10), command->line);
    int code = script.failed || descriptor.failed ? error_memory(error) : program_folder_make(&worker->folder, error);
    if (!code) {
        const char *const arguments[] = {"/usr/bin/env",
                                         "CUDA_VISIBLE_DEVICES=",
                                         descriptor.bytes,
                                         "/bin/sh",
                                         "-c",
                                         script.bytes,
                                         "compiler",
                                         *command->folder ? command->folder : ".",
                                         NULL};
        code = program_start(&(struct program){arguments, worker->folder.path}, &worker->session, error);
        worker->runs = !code;
        if (code)
            program_folder_remove(&worker->folder);
    }
    text_free(&script);
    text_free(&descriptor);
    return code;
}

/* ---- The log ---- */

static void keep_end(struct command_worker *worker)
{
    struct text *log = &worker->log;
    if (log->length <= COMMAND_LOG_BYTES_MAX)
        return;
    memmove(log->bytes, log->bytes + log->length - COMMAND_LOG_BYTES_MAX, COMMAND_LOG_BYTES_MAX);
    log->length = COMMAND_LOG_BYTES_MAX;
    log->bytes[log->length] = '\0';
    worker->cut = true;
}

/* Takes what the worker has printed. One that prints without end gets no more than its turn. */
static void take_log(struct command_worker *worker)
{
    enum { CHUNKS = 64 };
    char chunk[16 << 10];
    for (int turn = 0; turn < CHUNKS && worker->session.log; turn++) {
        const ssize_t got = read(worker->session.log, chunk, sizeof chunk);
        if (got == 0)
            program_close_log(&worker->session);
        if (got < 0 && errno != EINTR)
            return;
        for (ssize_t i = 0; i < got; i++)
            if (!chunk[i])
                chunk[i] = '?';
        text_append(&worker->log, chunk, got > 0 ? (size_t)got : 0);
        if (worker->log.length > 2 * COMMAND_LOG_BYTES_MAX)
            keep_end(worker);
    }
}

void command_worker_clear_log(struct command_worker *worker)
{
    take_log(worker);
    text_clear(&worker->log);
    worker->cut = false;
}

const char *command_worker_log(struct command_worker *worker)
{
    take_log(worker);
    keep_end(worker);
    if (worker->log.bytes && !worker->log.failed) {
        text_clean(worker->log.bytes, "\n\t", '?');
        worker->log.length = strlen(worker->log.bytes); /* cleaning may shorten it */
    }
    return text_string(&worker->log);
}

void command_worker_stop(struct command_worker *worker)
{
    if (worker->runs)
        program_stop(&worker->session, 0);
    take_log(worker);
    program_close_log(&worker->session);
    program_folder_remove(&worker->folder);
    worker->runs = false;
}

bool command_worker_is_there(struct command_worker *worker)
{
    char byte;
    if (worker->runs && recv(worker->session.socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0)
        command_worker_stop(worker);
    return worker->runs;
}

void command_worker_free(struct command_worker *worker)
{
    command_worker_stop(worker);
    text_free(&worker->received);
    text_free(&worker->log);
}

/* ---- Lines ---- */

static int refuse(struct command_worker *worker, struct error *error, enum error_code code, const char *why)
{
    char line[PROGRAM_LINE_BYTES];
    command_worker_stop(worker);
    program_last_line(command_worker_log(worker), line);
    return error_set(error, code, COMMAND_SUBJECT "%s%s%s", why, *line ? ": " : "", line);
}

/* Stops the worker, which has closed its socket, and says how it ended. */
static int report_end(struct command_worker *worker, struct error *error)
{
    char fate[PROGRAM_FATE_BYTES];
    const int status = program_stop(&worker->session, grace_ns);
    worker->runs = false;
    if (status == PROGRAM_STOPPED)
        return refuse(worker, error, ERROR_WORKER, "closed its descriptor without an answer");
    command_worker_stop(worker);
    return error_set(error, ERROR_WORKER, COMMAND_SUBJECT "%s", program_fate(status, command_worker_log(worker), fate));
}

/* Takes received bytes. False: the socket is closed. */
static bool take_bytes(struct command_worker *worker)
{
    char chunk[16 << 10];
    ssize_t got;
    while (worker->received.length <= COMMAND_LINE_BYTES_MAX &&
           ((got = recv(worker->session.socket, chunk, sizeof chunk, 0)) > 0 || (got < 0 && errno == EINTR)))
        if (got > 0)
            text_append(&worker->received, chunk, (size_t)got);
    return worker->received.length > COMMAND_LINE_BYTES_MAX || (got < 0 && errno == EAGAIN);
}

/* *found: `line` has the received line. */
static int take_line(struct command_worker *worker, struct text *line, bool *found, struct error *error)
{
    struct text *received = &worker->received;
    const char *end = received->length ? memchr(received->bytes, '\n', received->length) : NULL;
    const size_t length = end ? (size_t)(end - received->bytes) : received->length;
    if (received->failed)
        return error_memory(error);
    if (length > COMMAND_LINE_BYTES_MAX)
        return refuse(worker, error, ERROR_WORKER, "sends a line of more than 1 MiB");
    if (!end)
        return 0;
    if (length + 1 < received->length)
        return refuse(worker, error, ERROR_WORKER, "sends two lines: it must answer with one");
    text_clear(line);
    text_append(line, received->bytes, length);
    text_clear(received);
    *found = !line->failed;
    return line->failed ? error_memory(error) : 0;
}

/* Sends more of the request. False: the worker has closed the socket. */
static bool send_more(struct command_worker *worker, const char **from, size_t *left)
{
    const ssize_t sent = send(worker->session.socket, *from, *left, MSG_NOSIGNAL);
    if (sent > 0) {
        *from += sent;
        *left -= (size_t)sent;
    }
    return sent >= 0 || errno == EAGAIN || errno == EINTR;
}

static void wait_for(struct command_worker *worker, bool sends, int64_t until_ns)
{
    enum { WAIT_MS_MAX = 1000 };
    const int64_t left_ms = (until_ns - clock_now_ns()) / 1000000 + 1;
    struct pollfd polled[] = {{.fd = worker->session.socket, .events = (short)(POLLIN | (sends ? POLLOUT : 0))},
                              {.fd = worker->session.log ? worker->session.log : -1, .events = POLLIN}};
    poll(polled, 2, left_ms < WAIT_MS_MAX ? (int)left_ms : WAIT_MS_MAX);
}

int command_worker_ask(struct command_worker *worker, const struct text *request, struct text *line, int64_t until_ns,
                       struct error *error)
{
    const char *from = request ? text_string(request) : "";
    size_t left = request ? request->length : 0;
    bool found = false, open = true;
    for (;;) {
        if (left && open)
            open = send_more(worker, &from, &left);
        open &= take_bytes(worker);
        take_log(worker);
        const int code = take_line(worker, line, &found, error);
        if (code || found)
            return code;
        if (!open)
            return report_end(worker, error);
        if (clock_now_ns() >= until_ns)
            return refuse(worker, error, ERROR_BUSY, "is silent");
        wait_for(worker, left > 0, until_ns);
    }
}
