#include "base/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"

enum { WORKER_SOCKET = STDERR_FILENO + 1 };

/* ---- Starting and stopping ---- */

static void isolate(int socket, int peer, pid_t parent)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* the parent died before the call of prctl */
        _exit(1);
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    signal(SIGCHLD, SIG_DFL); /* a program that ignores it would get no exit status */
    /* First, because the socket may be a standard stream if the parent lacks one. */
    if (socket != WORKER_SOCKET && dup2(socket, WORKER_SOCKET) < 0)
        _exit(1);
    int null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
        ((socket == STDERR_FILENO || peer == STDERR_FILENO) && dup2(null, STDERR_FILENO) < 0))
        _exit(1);
    /* When memory runs out, the system kills this process rather than the coordinator. */
    int score = open("/proc/self/oom_score_adj", O_WRONLY);
    if (score >= 0)
        dprintf(score, "1000");
    file_close_from(WORKER_SOCKET + 1);
}

int worker_start(struct worker *worker, worker_main *run, void *context, struct error *error)
{
    int ends[2];
    pid_t parent = getpid();
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return error_errno(error, ERROR_WORKER, "cannot create a socket pair");
    pid_t pid = fork();
    if (pid < 0) {
        int code = error_errno(error, ERROR_WORKER, "cannot start a process");
        close(ends[0]);
        close(ends[1]);
        return code;
    }
    if (pid == 0) {
        /* _exit: neither runs the parent's exit handlers nor flushes its buffers a second time. */
        isolate(ends[1], ends[0], parent);
        run(WORKER_SOCKET, context);
        close(STDERR_FILENO); /* readers of standard error need not wait for a driver's cleanup */
        _exit(0);
    }
    close(ends[1]);
    text_free(&worker->channel.received);
    *worker = (struct worker){.pid = pid, .channel = channel_open(ends[0]), .deadline_ns = INT64_MAX};
    return 0;
}

void worker_refuse(struct worker *worker)
{
    channel_refuse(&worker->channel);
}

pid_t worker_leave(struct worker *worker)
{
    pid_t pid = worker->pid;
    if (pid)
        channel_close(&worker->channel);
    text_free(&worker->channel.received);
    *worker = (struct worker){.deadline_ns = INT64_MAX};
    return pid;
}

int worker_reap(pid_t pid)
{
    int status = 0;
    /* A dead process keeps its exit status: SIGKILL does not affect a zombie. */
    kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

void worker_stop(struct worker *worker)
{
    struct worker ended = {
        .exit_status = worker->exit_status, .channel.garbled = worker->channel.garbled, .deadline_ns = INT64_MAX};
    if (worker->pid)
        ended.exit_status = worker_reap(worker->pid);
    worker_leave(worker);
    *worker = ended;
}

void worker_kill(struct worker *worker)
{
    if (worker->pid)
        kill(worker->pid, SIGKILL);
}

const char *worker_epitaph(const struct worker *worker, char *buffer, size_t room)
{
    int status = worker->exit_status;
    if (worker->channel.garbled)
        snprintf(buffer, room, "stopped for a garbled answer");
    else if (WIFSIGNALED(status))
        snprintf(buffer, room, "killed by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(buffer, room, "exited with status %d", WEXITSTATUS(status));
    return buffer;
}

/* ---- The coordinator's side ---- */

/* The longest wait; the interval between queries of a process's state; and the gap after which the coordinator itself
 * must have been stopped, longer than both. */
static const int64_t slice_ns = 250000000, look_ns = 100000000, lapse_ns = 500000000;

void worker_expect(struct worker *worker, int64_t timeout_ns)
{
    int64_t now_ns = clock_now_ns();
    worker->deadline_ns = timeout_ns > INT64_MAX - now_ns ? INT64_MAX : now_ns + timeout_ns;
    worker->looked_ns = now_ns;
    worker->stopped_ns = 0;
}

bool worker_late(struct worker *worker)
{
    int64_t now_ns = clock_now_ns(), lapse = now_ns - worker->looked_ns;
    siginfo_t about = {0};
    if (!worker->pid || worker->deadline_ns == INT64_MAX)
        return false;
    if (lapse < look_ns && now_ns < worker->deadline_ns)
        return false;
    worker->looked_ns = now_ns;
    if (lapse > lapse_ns) {
        worker->deadline_ns = lapse > INT64_MAX - worker->deadline_ns ? INT64_MAX : worker->deadline_ns + lapse;
        worker->stopped_ns = 0;
    }
    /* The process stays waitable while it is stopped; worker_stop collects its exit status. */
    bool stopped = waitid(P_PID, (id_t)worker->pid, &about, WSTOPPED | WNOHANG | WNOWAIT) == 0 && about.si_pid;
    if (!stopped)
        worker->stopped_ns = 0;
    else if (!worker->stopped_ns)
        worker->stopped_ns = now_ns;
    return now_ns >= worker->deadline_ns || (stopped && now_ns - worker->stopped_ns >= WORKER_STOPPED_NS);
}

bool worker_is_stopped(const struct worker *worker)
{
    return worker->stopped_ns != 0;
}

int worker_send(struct worker *worker, uint32_t kind, uint64_t id, const void *bytes, size_t length,
                int64_t deadline_ns, struct error *error)
{
    if (worker->pid && channel_send(&worker->channel, kind, id, bytes, length, deadline_ns))
        return 0;
    worker->channel.spoiled = true;
    return error_set(error, ERROR_WORKER, "a worker process does not read its messages");
}

int worker_check_version(const struct worker *worker, const char *what, struct error *error)
{
    char process[64];
    snprintf(process, sizeof process, "%s process", what);
    return channel_check_version(&worker->channel, process, error);
}

int worker_receive(struct worker *worker, struct message *message)
{
    return worker->pid ? channel_receive(&worker->channel, message) : -1;
}

void worker_wait(struct worker *const *workers, size_t count, int64_t until_ns)
{
    enum { WAIT_MAX = 1024 };
    struct pollfd poll_fds[WAIT_MAX];
    nfds_t used = 0;
    for (size_t i = 0; i < count && used < WAIT_MAX; i++) {
        if (!workers[i] || !workers[i]->pid)
            continue;
        if (channel_has_more(&workers[i]->channel)) /* it arrived together with the previous message */
            return;
        poll_fds[used++] = (struct pollfd){.fd = workers[i]->channel.socket, .events = POLLIN};
        if (workers[i]->deadline_ns < until_ns)
            until_ns = workers[i]->deadline_ns;
    }
    int64_t left = until_ns - clock_now_ns();
    if (left < 0)
        left = 0;
    if (left > slice_ns)
        left = slice_ns;
    struct timespec timeout = {.tv_nsec = left};
    ppoll(poll_fds, used, &timeout, NULL);
}
