#include "base/program.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"

/* ---- Folders ---- */

/* The janitor's report. */
struct made {
    int number; /* errno; 0: the folder exists */
    char path[PATH_MAX];
};

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about, (void)kind, (void)place;
    remove(path);
    return 0;
}

static void remove_folder(const char *path)
{
    enum { FOLDERS_OPEN = 8 };
    nftw(path, remove_one, FOLDERS_OPEN, FTW_DEPTH | FTW_PHYS);
}

/* The process that makes the folder removes it, so that no moment is left at which a death of the other leaves it. No
 * signal to the process group ends it. */
static void janitor(char *template, int to)
{
    enum { SOCKET = STDERR_FILENO + 1 };
    struct made made = {0};
    sigset_t all;
    char end;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    if (to != SOCKET && dup2(to, SOCKET) < 0)
        _exit(1);
    file_close_from(SOCKET + 1);
    /* Readers of the standard streams wait for the parent alone. */
    for (int stream = STDIN_FILENO; stream < SOCKET; stream++)
        close(stream);
    if (!mkdtemp(template) || !realpath(template, made.path))
        made.number = errno;
    if (send(SOCKET, &made, sizeof made, MSG_NOSIGNAL) >= 0 && !made.number)
        while (recv(SOCKET, &end, 1, 0) < 0 && errno == EINTR)
            ;
    remove_folder(template);
    _exit(0);
}

/* Receives the janitor's report. */
static int await_folder(struct program_folder *folder, struct error *error)
{
    struct made made;
    ssize_t got;
    while ((got = recv(folder->socket, &made, sizeof made, 0)) < 0 && errno == EINTR)
        ;
    errno = got == sizeof made ? made.number : ECHILD;
    int code = errno ? error_errno(error, ERROR_IO, "cannot create a temporary folder %s", folder->path) : 0;
    if (code)
        program_folder_remove(folder);
    else
        memcpy(folder->path, made.path, sizeof made.path);
    return code;
}

int program_folder_make(struct program_folder *folder, struct error *error)
{
    const char *parent = getenv("TMPDIR");
    char template[PATH_MAX];
    int ends[2];
    int length = snprintf(template, sizeof template, "%s/cutune-XXXXXX", parent && *parent ? parent : "/tmp");
    *folder = (struct program_folder){0};
    if (length < 0 || length >= PATH_MAX)
        return error_set(error, ERROR_IO, "the path in TMPDIR is too long");
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
        return error_errno(error, ERROR_WORKER, "cannot create a socket pair");
    pid_t pid = fork();
    if (pid == 0)
        janitor(template, ends[1]);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return error_errno(error, ERROR_WORKER, "cannot start a process");
    }
    *folder = (struct program_folder){.socket = ends[0], .janitor = pid};
    memcpy(folder->path, template, sizeof template);
    return await_folder(folder, error);
}

void program_folder_remove(struct program_folder *folder)
{
    if (!*folder->path)
        return;
    /* Another process may have inherited this end. */
    shutdown(folder->socket, SHUT_RDWR);
    close(folder->socket);
    while (waitpid(folder->janitor, NULL, 0) < 0 && errno == EINTR)
        ;
    *folder = (struct program_folder){0};
}

/* ---- Processes ---- */

/* `output` is for the standard streams, `socket` for the descriptor PROGRAM_SOCKET; -1: no socket. */
static void start(const struct program *program, int output, int socket)
{
    sigset_t none;
    /* Each may be a standard stream, or PROGRAM_SOCKET. */
    int null = fcntl(open("/dev/null", O_RDONLY), F_DUPFD, PROGRAM_SOCKET + 1);
    int to = fcntl(output, F_DUPFD, PROGRAM_SOCKET + 1);
    int peer = socket < 0 ? -1 : fcntl(socket, F_DUPFD, PROGRAM_SOCKET + 1);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(to, STDOUT_FILENO) < 0 || dup2(to, STDERR_FILENO) < 0 ||
        (socket >= 0 && dup2(peer, PROGRAM_SOCKET) < 0))
        _exit(PROGRAM_NOT_STARTED);
    file_close_from(socket < 0 ? STDERR_FILENO + 1 : PROGRAM_SOCKET + 1);
    if (!program->folder || !setenv("TMPDIR", program->folder, 1))
        execv(program->arguments[0], (char *const *)program->arguments);
    _exit(PROGRAM_NOT_STARTED);
}

/* Reads the identifiers of the process's children. */
static size_t children_of(pid_t process, pid_t *children, size_t room)
{
    enum { LIST_BYTES = 4096 };
    char path[64], list[LIST_BYTES];
    size_t count = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)process, (int)process);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? -1 : read(file, list, sizeof list - 1);
    if (file >= 0)
        close(file);
    list[got > 0 ? got : 0] = '\0';
    for (char *at = list, *end; count < room; at = end) {
        const long child = strtol(at, &end, 10);
        if (end == at)
            break;
        children[count++] = (pid_t)child;
    }
    return count;
}

enum { CHILDREN_MAX = 512 };

/* Kills the processes that have left the program's group: the death of their parents makes them children of the
 * guard. */
static void kill_children(void)
{
    pid_t children[CHILDREN_MAX];
    for (size_t count; (count = children_of(getpid(), children, CHILDREN_MAX));) {
        for (size_t i = 0; i < count; i++)
            kill(children[i], SIGKILL);
        while (waitpid(-1, NULL, 0) < 0 && errno == EINTR)
            ;
    }
}

/* True if the guard is to end the program. Anyone may continue a stopped guard. */
static bool is_to_end(int caught, pid_t parent)
{
    return caught == SIGTERM || (caught == SIGCONT && getppid() != parent);
}

/* Guards the program and the processes that it starts: compilers start others. The signal of a parent's death would
 * reach only the first of them, so a process in between receives it and kills the group. It is SIGCONT, which
 * reaches a stopped process, too. */
static void guard(const struct program *program, int output, int socket, pid_t parent)
{
    sigset_t awaited;
    int status = PROGRAM_NOT_STARTED << 8, caught = 0;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigaddset(&awaited, SIGTERM);
    sigaddset(&awaited, SIGCONT);
    signal(SIGCHLD, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGCONT, SIG_DFL);
    sigprocmask(SIG_SETMASK, &awaited, NULL);
    prctl(PR_SET_PDEATHSIG, SIGCONT);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t child = getppid() == parent ? fork() : -1;
    if (child == 0)
        start(program, output, socket);
    file_close_from(STDERR_FILENO + 1);
    if (child < 0) {
        if (getppid() != parent && program->folder)
            remove_folder(program->folder);
        _exit(PROGRAM_NOT_STARTED);
    }
    setpgid(child, child);
    do
        caught = sigwaitinfo(&awaited, NULL);
    while (waitpid(child, &status, WNOHANG) != child && !is_to_end(caught, parent));
    kill(-child, SIGKILL);
    while (waitpid(-child, NULL, 0) > 0 || errno == EINTR)
        ;
    kill_children();
    /* Program and parent may both have died, and SIGCHLD came first. */
    if ((caught == SIGTERM || getppid() != parent) && program->folder)
        remove_folder(program->folder);
    _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

static void read_all(int from, struct text *output)
{
    char chunk[16 << 10];
    for (size_t left = PROGRAM_OUTPUT_BYTES_MAX;;) {
        ssize_t got = read(from, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return;
        size_t kept = (size_t)got < left ? (size_t)got : left;
        text_append(output, chunk, kept);
        left -= kept;
    }
}

/* Forks the guard. *log becomes the end that reads the program's output. */
static int start_guard(const struct program *program, int socket, pid_t *pid, int *log, struct error *error)
{
    int ends[2];
    pid_t parent = getpid();
    if (pipe2(ends, O_CLOEXEC))
        return error_errno(error, ERROR_WORKER, "cannot create a pipe");
    *pid = fork();
    if (*pid == 0)
        guard(program, ends[1], socket, parent);
    close(ends[1]);
    *log = ends[0];
    if (*pid > 0)
        return 0;
    close(ends[0]);
    return error_errno(error, ERROR_WORKER, "cannot start a process");
}

static int status_of(int ended)
{
    return WIFSIGNALED(ended) ? 128 + WTERMSIG(ended) : WEXITSTATUS(ended);
}

int program_run(const struct program *program, struct text *output, int *status, struct error *error)
{
    int log, ended = 0;
    pid_t pid;
    *status = PROGRAM_NOT_STARTED;
    int code = start_guard(program, -1, &pid, &log, error);
    if (code)
        return code;
    read_all(log, output);
    close(log);
    while (waitpid(pid, &ended, 0) < 0)
        if (errno != EINTR)
            return error_errno(error, ERROR_WORKER, "lost the process that runs %s", program->arguments[0]);
    *status = status_of(ended);
    return output->failed ? error_memory(error) : 0;
}

/* ---- Programs that live on ---- */

static void make_non_blocking(int descriptor)
{
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

int program_start(const struct program *program, struct program_session *session, struct error *error)
{
    int ends[2], log = -1;
    pid_t pid;
    *session = (struct program_session){0};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return error_errno(error, ERROR_WORKER, "cannot create a socket pair");
    int code = start_guard(program, ends[1], &pid, &log, error);
    close(ends[1]);
    if (code) {
        close(ends[0]);
        return code;
    }
    make_non_blocking(ends[0]);
    make_non_blocking(log);
    *session = (struct program_session){pid, ends[0], fcntl(log, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)};
    close(log);
    if (session->log < 0)
        session->log = 0;
    return 0;
}

int program_stop(struct program_session *session, int64_t grace_ns)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    const int64_t until_ns = clock_now_ns() + grace_ns;
    int ended = 0;
    pid_t got;
    if (!session->guard)
        return PROGRAM_STOPPED;
    close(session->socket);
    while ((got = waitpid(session->guard, &ended, WNOHANG)) == 0 && clock_now_ns() < until_ns)
        nanosleep(&nap, NULL);
    const bool alive = got == 0;
    if (alive) {
        kill(session->guard, SIGTERM);
        kill(session->guard, SIGCONT); /* it may have been stopped */
    }
    while (alive && waitpid(session->guard, NULL, 0) < 0 && errno == EINTR)
        ;
    session->guard = 0;
    session->socket = 0;
    return alive || got < 0 ? PROGRAM_STOPPED : status_of(ended);
}

void program_close_log(struct program_session *session)
{
    if (session->log)
        close(session->log);
    session->log = 0;
}

/* Adds up a process and its descendants, down to some depth. */
static uint64_t resident_of(pid_t process, int depth)
{
    char path[64];
    pid_t children[CHILDREN_MAX];
    unsigned long long pages = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)process);
    FILE *file = fopen(path, "re");
    if (file && fscanf(file, "%*u %llu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    uint64_t bytes = pages * (uint64_t)sysconf(_SC_PAGESIZE);
    size_t count = depth ? children_of(process, children, CHILDREN_MAX) : 0;
    for (size_t i = 0; i < count; i++)
        bytes += resident_of(children[i], depth - 1);
    return bytes;
}

uint64_t program_resident(const struct program_session *session)
{
    enum { DEPTH = 8 };
    pid_t child;
    return session->guard && children_of(session->guard, &child, 1) ? resident_of(child, DEPTH) : 0;
}

const char *program_last_line(const char *output, char buffer[PROGRAM_LINE_BYTES])
{
    size_t end = strlen(output), start;
    while (end && (output[end - 1] == '\n' || output[end - 1] == ' '))
        end--;
    for (start = end; start && output[start - 1] != '\n';)
        start--;
    snprintf(buffer, PROGRAM_LINE_BYTES, "%.*s",
             (int)(end - start < PROGRAM_LINE_BYTES ? end - start : PROGRAM_LINE_BYTES - 1), output + start);
    text_clean(buffer, "", ' ');
    return buffer;
}

const char *program_fate(int status, const char *output, char buffer[PROGRAM_FATE_BYTES])
{
    char how[64], line[PROGRAM_LINE_BYTES];
    program_last_line(output, line);
    if (status > 128)
        snprintf(how, sizeof how, "was killed by signal %d (%s)", status - 128, strsignal(status - 128));
    else
        snprintf(how, sizeof how, "ended with exit status %d", status);
    snprintf(buffer, PROGRAM_FATE_BYTES, "%s%s%s", how, *line ? ": " : "", line);
    return buffer;
}
