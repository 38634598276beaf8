/* Tuning from within a program: the engine is a process of its own, forked and executed, since what CUDA has set up in
 * the caller does not survive a fork alone. */
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
#include "base/text.h"

enum { LOOK_MS = 100, LINE_BYTES = 4096 };

struct engine {
    pid_t pid;
    int pipe;         /* its messages */
    size_t line_used; /* of the line that is arriving */
    char line[LINE_BYTES];
    struct text said; /* from its last error on, for our own */
    bool asked;       /* to stop */
};

/* ---- The program ---- */

/* The one that was installed with this library; false when it is not there. */
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

/* The child, from the fork to the other program: the caller may have threads, so only what a signal handler may do. */
static _Noreturn void become(char *const *arguments, int messages, int outcome, int null, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    /* No handler of the caller's may run here; what it ignores stays ignored. SIGTERM is the library's own. */
    if (!is_ignored(SIGINT))
        signal(SIGINT, SIG_DFL);
    if (!is_ignored(SIGHUP))
        signal(SIGHUP, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (getppid() == parent && dup2(null, STDIN_FILENO) >= 0 && dup2(null, STDOUT_FILENO) >= 0 &&
        dup2(messages, STDERR_FILENO) >= 0)
        execvp(arguments[0], arguments);
    int reason = errno;
    while (write(outcome, &reason, sizeof reason) < 0 && errno == EINTR)
        ;
    _exit(1);
}

/* Descriptors of the parent's own streams must not be among those that the child renames. */
static int above_streams(int descriptor)
{
    int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(descriptor);
    return moved;
}

static int start(struct engine *engine, char *const *arguments, struct error *error)
{
    int messages[2] = {-1, -1}, outcome[2] = {-1, -1}, reason = 0, code = 0;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    pid_t parent = getpid();
    ssize_t got = 0;
    if (null < 0 || pipe2(messages, O_CLOEXEC) || pipe2(outcome, O_CLOEXEC) || (null = above_streams(null)) < 0 ||
        (messages[1] = above_streams(messages[1])) < 0 || (outcome[1] = above_streams(outcome[1])) < 0 ||
        (engine->pid = fork()) < 0)
        code = error_errno(error, ERROR_WORKER, "cannot start a process");
    else if (engine->pid == 0)
        become(arguments, messages[1], outcome[1], null, parent);
    close(messages[1]);
    close(outcome[1]);
    close(null);
    if (!code)
        while ((got = read(outcome[0], &reason, sizeof reason)) < 0 && errno == EINTR)
            ;
    close(outcome[0]);
    engine->pipe = messages[0];
    if (got == (ssize_t)sizeof reason) { /* it never became the program */
        waitpid(engine->pid, NULL, 0);
        errno = reason;
        code = error_errno(error, ERROR_NOT_FOUND, "cannot run %s", arguments[0]);
        error_hint(error, "CUTUNE_PROGRAM in the environment names the program cutune");
    }
    if (code)
        close(messages[0]);
    return code;
}

/* ---- What it says ---- */

static void tell(struct engine *engine, cutune_watch *watch, void *context, const char *line)
{
    if (line && strstr(line, "error: "))
        text_clear(&engine->said);
    if (line)
        text_printf(&engine->said, "%s%s", engine->said.length ? "\n" : "", line);
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

/* Until nobody holds the other end. */
static void listen_to(struct engine *engine, cutune_watch *watch, void *context)
{
    char bytes[LINE_BYTES];
    for (;;) {
        struct pollfd wait = {.fd = engine->pipe, .events = POLLIN};
        if (poll(&wait, 1, LOOK_MS) <= 0) {
            tell(engine, watch, context, NULL);
            continue;
        }
        ssize_t got = read(engine->pipe, bytes, sizeof bytes);
        if (got == 0 || (got < 0 && errno != EINTR))
            return;
        if (got > 0)
            take(engine, bytes, (size_t)got, watch, context);
    }
}

/* The exit status of a failure is 1, whatever it is; a missing space is told by the engine's words. Only the engine
 * knows where it looks for one. */
static bool is_missing(const char *said, const char *space)
{
    static const char *const words[] = {"there is no file ", "there is no space file "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]), name = strlen(space);
        if (strncmp(said, words[i], length) == 0 && strncmp(said + length, space, name) == 0 &&
            strchr("\n", said[length + name]))
            return true;
    }
    return false;
}

static int outcome(struct engine *engine, const char *space, struct error *error)
{
    static const enum error_code codes[] = {ERROR_USAGE, ERROR_NO_DEVICE, ERROR_NOTHING_VALID, ERROR_INTERRUPTED};
    enum error_code code = ERROR_WORKER;
    int status;
    while (waitpid(engine->pid, &status, 0) < 0)
        if (errno != EINTR)
            return error_errno(error, ERROR_WORKER, "the engine's outcome is lost");
    if (WIFSIGNALED(status))
        return error_set(error, ERROR_WORKER, "the engine was ended by signal %d", WTERMSIG(status));
    if (WEXITSTATUS(status) == 0)
        return 0;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (error_exit_status(codes[i]) == WEXITSTATUS(status))
            code = codes[i];
    const char *said = text_string(&engine->said), *word = strstr(said, "error: ");
    said = word ? word + strlen("error: ") : said;
    return error_set(error, is_missing(said, space) ? ERROR_NOT_FOUND : code, "%.1000s", said);
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
    int code = arguments ? start(&engine, arguments, &own) : error_memory(&own);
    if (!code) {
        listen_to(&engine, watch, context);
        close(engine.pipe);
        code = outcome(&engine, space, &own);
    }
    text_free(&engine.said);
    arena_free(&arena);
    return code ? api_error(error, &own) : 0;
}
