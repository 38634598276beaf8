#include "base/program.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

/* ---- Folders ---- */

/* The janitor's report. */
struct made {
    int number; /* errno; 0: the folder exists */
    char path[PATH_MAX];
};

static void remove_folder(const char *path)
{
    DIR *folder = opendir(path);
    for (struct dirent *item; folder && (item = readdir(folder));)
        unlinkat(dirfd(folder), item->d_name, 0); /* fails for "." and ".." */
    if (folder)
        closedir(folder);
    rmdir(path);
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

static void start(const struct program *program, int output)
{
    sigset_t none;
    /* Either may be a standard stream if this process lacks one. */
    int null = fcntl(open("/dev/null", O_RDONLY), F_DUPFD, STDERR_FILENO + 1);
    int to = fcntl(output, F_DUPFD, STDERR_FILENO + 1);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(to, STDOUT_FILENO) < 0 || dup2(to, STDERR_FILENO) < 0)
        _exit(PROGRAM_NOT_STARTED);
    file_close_from(STDERR_FILENO + 1);
    if (!program->folder || !setenv("TMPDIR", program->folder, 1))
        execv(program->arguments[0], (char *const *)program->arguments);
    _exit(PROGRAM_NOT_STARTED);
}

/* True if the guard is to end the program. Anyone may continue a stopped guard. */
static bool is_to_end(int caught, pid_t parent)
{
    return caught == SIGTERM || (caught == SIGCONT && getppid() != parent);
}

/* Guards the program and the processes that it starts: compilers start others. The signal of a parent's death would
 * reach only the first of them, so a process in between receives it and kills the group. It is SIGCONT, which
 * reaches a stopped process, too. */
static void guard(const struct program *program, int output, pid_t parent)
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
        start(program, output);
    file_close_from(STDERR_FILENO + 1);
    if (child < 0) {
        if (getppid() != parent && program->folder)
            remove_folder(program->folder);
        _exit(PROGRAM_NOT_STARTED);
    }
    setpgid(child, child);
    do
        caught = sigwaitinfo(&awaited, NULL);
    while (!is_to_end(caught, parent) && waitpid(child, &status, WNOHANG) != child);
    kill(-child, SIGKILL);
    while (waitpid(-child, NULL, 0) > 0 || errno == EINTR)
        ;
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

int program_run(const struct program *program, struct text *output, int *status, struct error *error)
{
    int ends[2], ended = 0;
    pid_t parent = getpid();
    *status = PROGRAM_NOT_STARTED;
    if (pipe2(ends, O_CLOEXEC))
        return error_errno(error, ERROR_WORKER, "cannot create a pipe");
    pid_t pid = fork();
    if (pid == 0)
        guard(program, ends[1], parent);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return error_errno(error, ERROR_WORKER, "cannot start a process");
    }
    read_all(ends[0], output);
    close(ends[0]);
    while (waitpid(pid, &ended, 0) < 0)
        if (errno != EINTR)
            return error_errno(error, ERROR_WORKER, "lost the process that runs %s", program->arguments[0]);
    *status = WIFSIGNALED(ended) ? 128 + WTERMSIG(ended) : WEXITSTATUS(ended);
    return output->failed ? error_memory(error) : 0;
}

const char *program_fate(int status, const char *output, char buffer[PROGRAM_FATE_BYTES])
{
    enum { LINE_BYTES = 501 };
    char how[64], line[LINE_BYTES];
    size_t end = strlen(output), start;
    while (end && (output[end - 1] == '\n' || output[end - 1] == ' '))
        end--;
    for (start = end; start && output[start - 1] != '\n';)
        start--;
    snprintf(line, sizeof line, "%.*s", (int)(end - start < LINE_BYTES ? end - start : LINE_BYTES - 1), output + start);
    text_clean(line, "", ' ');
    if (status > 128)
        snprintf(how, sizeof how, "was killed by signal %d (%s)", status - 128, strsignal(status - 128));
    else
        snprintf(how, sizeof how, "ended with exit status %d", status);
    snprintf(buffer, PROGRAM_FATE_BYTES, "%s%s%s", how, *line ? ": " : "", line);
    return buffer;
}
