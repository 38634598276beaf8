#include "commands/each.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cores.h"
#include "base/file.h"
#include "base/text.h"
#include "compile/pool.h"
#include "device/device.h"
#include "session/limits_cache.h"
#include "terminal/output.h"
#include "terminal/stop.h"

enum { RESULTS, NOTES, PIPES };

/* Devices of one model, and the process that tunes on them. */
struct model {
    struct device_limits limits; /* limits of the first device */
    struct text devices;         /* "0,2" */
    pid_t pid;
    int pipes[PIPES];        /* pipe ends to read from; -1: at the end */
    struct text came[PIPES]; /* output not passed on yet */
    int code;                /* result of the work */
    bool ended, passed_on;   /* ended: the process has ended; passed_on: its results are printed */
};

struct models {
    struct device_choice chosen;
    struct device *devices[DEVICES_MAX];
    struct model items[DEVICES_MAX];
    size_t count;
};

/* ---- The models ---- */

static void add_device(struct models *models, size_t d)
{
    const struct device_limits *limits = device_limits(models->devices[d]);
    size_t m = 0;
    while (m < models->count && !limits_cache_matches(&models->items[m].limits, limits))
        m++;
    struct model *model = &models->items[m];
    if (m == models->count) {
        *model = (struct model){.limits = *limits, .pipes = {-1, -1}};
        models->count++;
    }
    text_printf(&model->devices, "%s%s", model->devices.length ? "," : "", models->chosen.names[d]);
}

/* The drivers start side by side. */
static int find_models(struct models *models, const char *devices, struct error *error)
{
    int code = device_choose(devices, &models->chosen, error);
    for (size_t d = 0; d < models->chosen.count && !code; d++)
        code = device_start(&models->devices[d], models->chosen.names[d], false, error);
    for (size_t d = 0; d < models->chosen.count && !code; d++)
        code = device_await(models->devices[d], error);
    for (size_t d = 0; d < models->chosen.count && !code; d++)
        add_device(models, d);
    for (size_t d = 0; d < models->chosen.count; d++)
        device_close(models->devices[d]);
    for (size_t m = 0; m < models->count && !code; m++)
        code = models->items[m].devices.failed ? error_memory(error) : 0;
    return code;
}

/* Number of compilers for a model: its part of `jobs` or, for 0, of the cores. */
static size_t jobs_of(const struct models *models, size_t jobs)
{
    size_t cores = cores_usable(""), devices = models->chosen.count;
    size_t all = jobs ? jobs : cores > devices ? cores - devices : 1;
    size_t part = all / models->count;
    return part < 1 ? 1 : part > POOL_JOBS_MAX ? POOL_JOBS_MAX : part;
}

/* ---- The process of a model ---- */

static int print_rows(const cJSON *rows, struct error *error)
{
    struct text text = {0};
    output_json(&text, rows, false);
    if (text.failed)
        return error_memory(error);
    fwrite(text.bytes, 1, text.length, stdout);
    text_free(&text);
    return 0;
}

/* Tunes in the child process, and ends it with the code as its exit status. */
static void tune(const struct models *models, size_t m, const struct each_work *work, cJSON *rows, pid_t parent)
{
    struct error_list list = {0};
    struct error error = {.list = &list};
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    setpgid(0, 0); /* the parent alone receives a Ctrl-C, and passes it on */
    if (getppid() != parent)
        _exit(ERROR_INTERRUPTED);
    int code =
        work->run(work->context, m, text_string(&models->items[m].devices), jobs_of(models, work->jobs), rows, &error);
    if (rows && cJSON_GetArraySize(rows) > 0) {
        int printed = print_rows(rows, &error);
        code = code ? code : printed;
    }
    if (!code)
        code = output_flush(&error);
    fflush(stdout);
    if (code && !error.code)
        error_set(&error, (enum error_code)code, "%s", error_name((enum error_code)code));
    if (code)
        output_error(&error);
    _exit(code);
}

static int start(struct models *models, size_t m, const struct each_work *work, cJSON *rows, struct error *error)
{
    struct model *model = &models->items[m];
    pid_t parent = getpid();
    int results[2], notes[2];
    if (pipe(results) != 0)
        return error_errno(error, ERROR_IO, "cannot make a pipe");
    if (pipe(notes) != 0) {
        close(results[0]);
        close(results[1]);
        return error_errno(error, ERROR_IO, "cannot make a pipe");
    }
    fflush(stdout);
    model->pid = fork();
    if (model->pid == 0) {
        dup2(results[1], STDOUT_FILENO);
        dup2(notes[1], STDERR_FILENO);
        file_close_from(STDERR_FILENO + 1);
        tune(models, m, work, rows, parent);
    }
    close(results[1]);
    close(notes[1]);
    model->pipes[RESULTS] = results[0];
    model->pipes[NOTES] = notes[0];
    return model->pid > 0 ? 0 : error_errno(error, ERROR_WORKER, "cannot start a process");
}

/* ---- Its output ---- */

/* Passes complete lines on; `all`: also a last line without its end. */
static void pass_notes(struct model *model, bool all)
{
    static const char own[] = "cutune: ";
    struct text *came = &model->came[NOTES], line = {0};
    const char *at = text_string(came), *end = at + came->length;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline && !all)
            break;
        size_t length = (size_t)((newline ? newline : end) - at);
        bool note = length >= sizeof own - 1 && strncmp(at, own, sizeof own - 1) == 0;
        text_printf(&line, "%s%s (%s): %.*s\n", note ? own : "  ", model->limits.name, text_string(&model->devices),
                    (int)(length - (note ? sizeof own - 1 : 0)), at + (note ? sizeof own - 1 : 0));
        at += length + (newline != NULL);
    }
    fwrite(text_string(&line), 1, line.length, stderr);
    text_free(&line);
    size_t left = (size_t)(end - at);
    if (left && came->bytes)
        memmove(came->bytes, at, left);
    came->length = left;
}

static void read_pipe(struct model *model, int which)
{
    char chunk[16 << 10];
    ssize_t got = read(model->pipes[which], chunk, sizeof chunk);
    if (got < 0 && errno == EINTR)
        return;
    if (got > 0) {
        text_append(&model->came[which], chunk, (size_t)got);
    } else {
        close(model->pipes[which]);
        model->pipes[which] = -1;
    }
    if (which == NOTES)
        pass_notes(model, got <= 0);
}

/* Reaps the process; call it when all its output has been read. */
static void end(struct model *model)
{
    int status = 0;
    while (waitpid(model->pid, &status, 0) < 0 && errno == EINTR)
        ;
    model->ended = true;
    model->code = WIFEXITED(status) ? WEXITSTATUS(status) : ERROR_WORKER;
    if (model->code && !error_known((enum error_code)model->code))
        model->code = ERROR_WORKER;
}

static int take_rows(struct model *model, cJSON *rows, struct error *error)
{
    cJSON *own = cJSON_ParseWithLength(text_string(&model->came[RESULTS]), model->came[RESULTS].length);
    int code = own ? 0 : error_memory(error);
    while (own && cJSON_GetArraySize(own) > 0)
        cJSON_AddItemToArray(rows, cJSON_DetachItemFromArray(own, 0));
    cJSON_Delete(own);
    return code;
}

/* Passes the results on, in the order of the devices. */
static int pass_results(struct models *models, cJSON *rows, struct error *error)
{
    int code = 0;
    bool printed = false;
    for (size_t m = 0; m < models->count && models->items[m].ended && !code; m++) {
        struct model *model = &models->items[m];
        const struct text *results = &model->came[RESULTS];
        if (!model->passed_on && results->length) {
            if (rows)
                code = take_rows(model, rows, error);
            else
                printf("%s%.*s", printed ? "\n" : "", (int)results->length, text_string(results));
        }
        printed |= results->length > 0;
        model->passed_on = true;
    }
    return code;
}

/* ---- All processes ---- */

static void pass_signals(const struct models *models, int *passed)
{
    for (; *passed < *stop_requests; ++*passed)
        for (size_t m = 0; m < models->count; m++)
            if (models->items[m].pid > 0 && !models->items[m].ended)
                kill(models->items[m].pid, SIGTERM);
}

static int attend(struct models *models, cJSON *rows, struct error *error)
{
    enum { LOOK_MS = 100 };
    int passed = 0, code = 0;
    for (size_t running = 1; running;) {
        struct pollfd polls[DEVICES_MAX * PIPES];
        for (size_t i = 0; i < models->count * PIPES; i++) /* poll ignores negative descriptors */
            polls[i] = (struct pollfd){.fd = models->items[i / PIPES].pipes[i % PIPES], .events = POLLIN};
        int ready = poll(polls, models->count * PIPES, LOOK_MS);
        pass_signals(models, &passed);
        for (size_t i = 0; i < models->count * PIPES && ready > 0; i++)
            if (polls[i].revents)
                read_pipe(&models->items[i / PIPES], (int)(i % PIPES));
        running = 0;
        for (size_t m = 0; m < models->count; m++) {
            struct model *model = &models->items[m];
            if (model->pid > 0 && !model->ended && model->pipes[RESULTS] < 0 && model->pipes[NOTES] < 0)
                end(model);
            running += model->pid > 0 && !model->ended;
        }
        int took = pass_results(models, rows, error);
        code = code ? code : took;
    }
    return code;
}

static int judge(const struct models *models, struct error *error)
{
    struct text failed = {0};
    int code = 0;
    for (size_t m = 0; m < models->count; m++) {
        const struct model *model = &models->items[m];
        if (!model->code)
            continue;
        text_printf(&failed, "%s%s (%s)", failed.length ? ", " : "", model->limits.name, text_string(&model->devices));
        code = code ? code : model->code;
    }
    if (code)
        error_set(error, (enum error_code)code, "%s for %s",
                  code == ERROR_INTERRUPTED ? "interrupted" : "there is no result", text_string(&failed));
    text_free(&failed);
    return code;
}

int each_model(const char *devices, const struct each_work *work, cJSON *rows, struct error *error)
{
    struct models *models = calloc(1, sizeof *models);
    if (!models)
        return error_memory(error);
    int code = find_models(models, devices, error);
    if (!code && models->count == 1) {
        code = work->run(work->context, 0, text_string(&models->items[0].devices), work->jobs, rows, error);
    } else if (!code) {
        for (size_t m = 0; m < models->count && !code; m++)
            code = start(models, m, work, rows, error);
        stop_in_order();
        for (size_t m = 0; m < models->count && code; m++)
            if (models->items[m].pid > 0)
                kill(models->items[m].pid, SIGTERM);
        int attended = attend(models, rows, error);
        code = code ? code : attended;
        code = code ? code : judge(models, error);
    }
    for (size_t m = 0; m < models->count; m++) {
        text_free(&models->items[m].devices);
        text_free(&models->items[m].came[RESULTS]);
        text_free(&models->items[m].came[NOTES]);
    }
    free(models);
    return code;
}
