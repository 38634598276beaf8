/* Tuning from within a program. The engine is forked and executed, because a CUDA context does not survive a fork
 * alone. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/api.h"
#include "base/error_report.h"

enum { LOOK_MS = 100, LINE_BYTES = 4096 };

struct engine {
    pid_t pid;
    int messages;     /* reading end of a pipe with messages for people */
    int report;       /* reading end of a pipe with the engine's error for programs */
    size_t line_used; /* of the current line */
    char line[LINE_BYTES];
    bool asked; /* the engine was told to stop */
};

/* ---- The program ---- */

/* The program installed with this library; false if it does not exist. */
static bool installed_program(char path[PATH_MAX])
{
    Dl_info info;
    char library[PATH_MAX];
    if (!dladdr((const void *)(uintptr_t)cutune_version, &info) || !info.dli_fname ||
        !realpath(info.dli_fname, library))
        return false;
    *strrchr(library, '/') = '\0';
    int length = snprintf(path, PATH_MAX, "%s/%s", library, CUTUNE_PROGRAM_FROM_LIBRARY);
    return length < PATH_MAX && access(path, X_OK) == 0;
}

static const char *find_program(char path[PATH_MAX])
{
    const char *wanted = getenv("CUTUNE_PROGRAM");
    if (wanted && *wanted)
        return wanted;
    return installed_program(path) ? path : "cutune";
}

static char **make_arguments(struct arena *arena, const char *program, const char *space, const char *const *options)
{
    size_t count = 0;
    while (options && options[count])
        count++;
    char **arguments = arena_array(arena, count + 3, sizeof *arguments);
    if (!arguments)
        return NULL;
    arguments[0] = arena_printf(arena, "%s", program);
    arguments[1] = arena_printf(arena, "--space=%s", space);
    for (size_t i = 0; i < count; i++)
        if (!(arguments[i + 2] = arena_printf(arena, "%s", options[i])))
            return NULL;
    return arguments[0] && arguments[1] ? arguments : NULL;
}

static bool is_ignored(int number)
{
    struct sigaction action;
    return !sigaction(number, NULL, &action) && action.sa_handler == SIG_IGN;
}

/* Pipes from the engine, which gets the ends [1]: messages for people, its error for programs, and the reason of a
 * failed start. */
struct channels {
    int messages[2], report[2], start[2], null;
};

/* Moves a descriptor above the standard streams, which the child replaces. */
static int above_streams(int descriptor)
{
    int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(descriptor);
    return moved;
}

static void close_channels(struct channels *channels, int end)
{
    close(channels->messages[end]);
    close(channels->report[end]);
    close(channels->start[end]);
}

static int open_channels(struct channels *channels, struct error *error)
{
    int *const pipes[] = {channels->messages, channels->report, channels->start};
    bool open_ = (channels->null = open("/dev/null", O_RDWR | O_CLOEXEC)) >= 0 &&
                 (channels->null = above_streams(channels->null)) >= 0;
    for (size_t i = 0; i < sizeof pipes / sizeof *pipes; i++) {
        pipes[i][0] = pipes[i][1] = -1;
        open_ = open_ && pipe2(pipes[i], O_CLOEXEC) == 0 && (pipes[i][1] = above_streams(pipes[i][1])) >= 0;
    }
    return open_ ? 0 : error_errno(error, ERROR_WORKER, "cannot start a process");
}

/* Copies the environment of this process and adds the descriptor for the engine's error. */
static char **make_environment(struct arena *arena, int report)
{
    size_t count = 0, kept = 0, name = strlen(ERROR_REPORT_VARIABLE "=");
    while (environ && environ[count])
        count++;
    char **environment = arena_array(arena, count + 2, sizeof *environment);
    if (!environment)
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], ERROR_REPORT_VARIABLE "=", name) != 0)
            environment[kept++] = environ[i];
    environment[kept] = arena_printf(arena, ERROR_REPORT_VARIABLE "=%d", report);
    return environment[kept] ? environment : NULL;
}

/* Runs in the child between fork and exec. The caller may have threads, so only async-signal-safe functions are
 * allowed. */
static _Noreturn void become(char *const *arguments, char *const *environment, const struct channels *channels,
                             pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    /* The caller's handlers must not run here; signals that it ignores stay ignored. SIGTERM belongs to the library. */
    if (!is_ignored(SIGINT))
        signal(SIGINT, SIG_DFL);
    if (!is_ignored(SIGHUP))
        signal(SIGHUP, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (getppid() == parent && dup2(channels->null, STDIN_FILENO) >= 0 && dup2(channels->null, STDOUT_FILENO) >= 0 &&
        dup2(channels->messages[1], STDERR_FILENO) >= 0 && fcntl(channels->report[1], F_SETFD, 0) == 0)
        execvpe(arguments[0], arguments, environment);
    int reason = errno;
    while (write(channels->start[1], &reason, sizeof reason) < 0 && errno == EINTR)
        ;
    _exit(1);
}

static int start(struct engine *engine, struct arena *arena, char *const *arguments, struct error *error)
{
    struct channels channels;
    char **environment = NULL;
    int reason = 0, code = open_channels(&channels, error);
    pid_t parent = getpid();
    ssize_t got = 0;
    if (!code && !(environment = make_environment(arena, channels.report[1])))
        code = error_memory(error);
    if (!code && (engine->pid = fork()) < 0)
        code = error_errno(error, ERROR_WORKER, "cannot start a process");
    else if (!code && engine->pid == 0)
        become(arguments, environment, &channels, parent);
    close_channels(&channels, 1);
    close(channels.null);
    if (!code)
        while ((got = read(channels.start[0], &reason, sizeof reason)) < 0 && errno == EINTR)
            ;
    if (got == (ssize_t)sizeof reason) { /* exec failed */
        waitpid(engine->pid, NULL, 0);
        errno = reason;
        code = error_errno(error, ERROR_NOT_FOUND, "cannot run %s", arguments[0]);
        error_hint(error, "CUTUNE_PROGRAM in the environment names the program cutune");
    }
    if (code) {
        close_channels(&channels, 0);
        return code;
    }
    close(channels.start[0]);
    engine->messages = channels.messages[0];
    engine->report = channels.report[0];
    return 0;
}

/* ---- The engine's messages ---- */

static void tell(struct engine *engine, cutune_watch *watch, void *context, const char *line)
{
    if (watch && watch(context, line) && !engine->asked) {
        kill(engine->pid, is_ignored(SIGINT) ? SIGTERM : SIGINT);
        engine->asked = true;
    }
}

static void take(struct engine *engine, const char *bytes, size_t count, cutune_watch *watch, void *context)
{
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != '\n' && engine->line_used < LINE_BYTES - 1) {
            engine->line[engine->line_used++] = bytes[i];
            continue;
        }
        engine->line[engine->line_used] = '\0';
        engine->line_used = 0;
        tell(engine, watch, context, engine->line);
        if (bytes[i] != '\n')
            engine->line[engine->line_used++] = bytes[i];
    }
}

/* Reads until all writing ends are closed. */
static void listen_to(struct engine *engine, cutune_watch *watch, void *context)
{
    char bytes[LINE_BYTES];
    for (;;) {
        struct pollfd wait = {.fd = engine->messages, .events = POLLIN};
        if (poll(&wait, 1, LOOK_MS) <= 0) {
            tell(engine, watch, context, NULL);
            continue;
        }
        ssize_t got = read(engine->messages, bytes, sizeof bytes);
        if (got == 0 || (got < 0 && errno != EINTR))
            return;
        if (got > 0)
            take(engine, bytes, (size_t)got, watch, context);
    }
}

/* Takes over the engine's error. Without a report (another program, or an early end) only the exit status is known. */
static int outcome(struct engine *engine, struct error *error)
{
    static const enum error_code codes[] = {ERROR_USAGE, ERROR_NO_DEVICE, ERROR_NOTHING_VALID, ERROR_INTERRUPTED};
    enum error_code code = ERROR_WORKER;
    int status;
    while (waitpid(engine->pid, &status, 0) < 0)
        if (errno != EINTR)
            return error_errno(error, ERROR_WORKER, "the engine's exit status is lost");
    if (WIFSIGNALED(status))
        return error_set(error, ERROR_WORKER, "the engine was killed by signal %d", WTERMSIG(status));
    if (WEXITSTATUS(status) == 0)
        return 0;
    if (error_report_read(engine->report, error))
        return (int)error->code;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (error_exit_status(codes[i]) == WEXITSTATUS(status))
            code = codes[i];
    return error_set(error, code, "the engine ended with exit status %d", WEXITSTATUS(status));
}

int cutune_tune(const char *space, const char *const *options, cutune_watch *watch, void *context,
                struct cutune_error *error)
{
    struct engine engine = {0};
    struct arena arena = {0};
    struct error own = {0};
    char path[PATH_MAX];
    if (!space)
        return api_null(error, __func__);
    char **arguments = make_arguments(&arena, find_program(path), space, options);
    int code = arguments ? start(&engine, &arena, arguments, &own) : error_memory(&own);
    if (!code) {
        listen_to(&engine, watch, context);
        close(engine.messages);
        code = outcome(&engine, &own);
        close(engine.report);
    }
    arena_free(&arena);
    return code ? api_error(error, &own) : 0;
}
