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

struct frame {
    uint64_t length, id;
    uint32_t kind, magic;
};

enum { FRAME_MAGIC = 0x63757475, WORKER_SOCKET = STDERR_FILENO + 1 };
static const uint64_t message_max_bytes = (uint64_t)1 << 32;

/* ---- Starting and stopping ------------------------------------------------------------------------------------------
 */

static void isolate(int socket, int peer, pid_t parent)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it died before the line above */
        _exit(1);
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    /* First, because in a parent without standard streams the socket is one of them. */
    if (socket != WORKER_SOCKET && dup2(socket, WORKER_SOCKET) < 0)
        _exit(1);
    int null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
        ((socket == STDERR_FILENO || peer == STDERR_FILENO) && dup2(null, STDERR_FILENO) < 0))
        _exit(1);
    /* When memory runs out, the system ends this process and not the coordinator. */
    int score = open("/proc/self/oom_score_adj", O_WRONLY);
    if (score >= 0)
        dprintf(score, "1000");
    closefrom(WORKER_SOCKET + 1);
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
        /* The child ends without running the parent's exit handlers or flushing its buffers a second time. */
        isolate(ends[1], ends[0], parent);
        run(WORKER_SOCKET, context);
        _exit(0);
    }
    close(ends[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    text_free(&worker->received);
    *worker = (struct worker){.pid = pid, .socket = ends[0], .deadline_ns = INT64_MAX};
    return 0;
}

void worker_stop(struct worker *worker)
{
    int status = worker->exit_status;
    if (worker->pid) {
        /* One that is already dead keeps its own status: SIGKILL does nothing to a zombie. */
        kill(worker->pid, SIGKILL);
        while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
            ;
        close(worker->socket);
    }
    text_free(&worker->received);
    *worker = (struct worker){.exit_status = status, .deadline_ns = INT64_MAX};
}

const char *worker_epitaph(const struct worker *worker, char *buffer, size_t room)
{
    int status = worker->exit_status;
    if (WIFSIGNALED(status))
        snprintf(buffer, room, "killed by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(buffer, room, "exited with status %d", WEXITSTATUS(status));
    return buffer;
}

/* ---- The coordinator's side ---- */

/* How long to wait at most, how often to ask the system for the state of a process, and what is longer than both
 * together: then the coordinator itself did not run. */
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
    /* It stays waitable for as long as it is stopped; its end is left to worker_stop. */
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

static bool wait_writable(int socket, int64_t deadline_ns)
{
    for (;;) {
        int64_t left = deadline_ns - clock_now_ns();
        if (left <= 0)
            return false;
        int64_t wait_ms = left / 1000000 + 1;
        struct pollfd poll_fd = {.fd = socket, .events = POLLOUT};
        int ready = poll(&poll_fd, 1, wait_ms > 1000 ? 1000 : (int)wait_ms);
        if (ready > 0)
            return true;
        if (ready < 0 && errno != EINTR)
            return false;
    }
}

static bool send_until(int socket, const void *bytes, size_t length, int64_t deadline_ns)
{
    const char *at = bytes;
    while (length) {
        ssize_t sent = send(socket, at, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            if (!wait_writable(socket, deadline_ns))
                return false;
            continue;
        }
        if (sent < 0)
            return false;
        at += sent;
        length -= (size_t)sent;
    }
    return true;
}

static bool send_message(int socket, uint32_t kind, uint64_t id, const void *bytes, size_t length, int64_t deadline_ns)
{
    struct frame frame = {.length = length, .id = id, .kind = kind, .magic = FRAME_MAGIC};
    return send_until(socket, &frame, sizeof frame, deadline_ns) && send_until(socket, bytes, length, deadline_ns);
}

int worker_send(struct worker *worker, uint32_t kind, uint64_t id, const void *bytes, size_t length,
                int64_t deadline_ns, struct error *error)
{
    if (!worker->pid || worker->spoiled || !send_message(worker->socket, kind, id, bytes, length, deadline_ns)) {
        worker->spoiled = true;
        return error_set(error, ERROR_WORKER, "a worker process takes no messages");
    }
    return 0;
}

/* A whole message after the first `skip` received bytes? */
static int take(const struct worker *worker, size_t skip, struct message *message)
{
    struct frame frame;
    if (worker->received.length - skip < sizeof frame)
        return 0;
    memcpy(&frame, worker->received.bytes + skip, sizeof frame);
    if (frame.magic != FRAME_MAGIC || frame.length > message_max_bytes)
        return -1;
    if (worker->received.length - skip < sizeof frame + frame.length)
        return 0;
    *message = (struct message){.kind = frame.kind,
                                .id = frame.id,
                                .bytes = worker->received.bytes + skip + sizeof frame,
                                .length = (size_t)frame.length};
    return 1;
}

int worker_receive(struct worker *worker, struct message *message)
{
    if (!worker->pid)
        return -1;
    if (worker->taken) {
        struct text *received = &worker->received;
        received->length -= worker->taken;
        memmove(received->bytes, received->bytes + worker->taken, received->length);
        worker->taken = 0;
    }
    for (;;) {
        int whole = take(worker, 0, message);
        if (whole > 0)
            worker->taken = sizeof(struct frame) + message->length;
        if (whole < 0)
            worker->spoiled = true;
        if (whole)
            return whole;
        char chunk[64 << 10];
        ssize_t got = recv(worker->socket, chunk, sizeof chunk, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return 0;
        if (got > 0)
            text_append(&worker->received, chunk, (size_t)got);
        if (got <= 0 || worker->received.failed) {
            worker->spoiled = true;
            return -1;
        }
    }
}

void worker_wait(struct worker *const *workers, size_t count, int64_t until_ns)
{
    enum { WAIT_MAX = 1024 };
    struct pollfd poll_fds[WAIT_MAX];
    nfds_t used = 0;
    for (size_t i = 0; i < count && used < WAIT_MAX; i++) {
        struct message message;
        if (!workers[i] || !workers[i]->pid)
            continue;
        if (take(workers[i], workers[i]->taken, &message)) /* it came together with the one before */
            return;
        poll_fds[used++] = (struct pollfd){.fd = workers[i]->socket, .events = POLLIN};
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

/* ---- The worker's side ---- */

bool message_send(int socket, uint32_t kind, uint64_t id, const void *bytes, size_t length)
{
    return send_message(socket, kind, id, bytes, length, INT64_MAX);
}

static bool receive_exactly(int socket, void *bytes, size_t length)
{
    char *at = bytes;
    while (length) {
        ssize_t got = recv(socket, at, length, MSG_WAITALL);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        length -= (size_t)got;
    }
    return true;
}

bool message_receive(int socket, struct text *buffer, struct message *message)
{
    struct frame frame;
    if (!receive_exactly(socket, &frame, sizeof frame) || frame.magic != FRAME_MAGIC ||
        frame.length > message_max_bytes)
        return false;
    size_t length = (size_t)frame.length;
    text_clear(buffer);
    if (length + 1 > buffer->capacity) {
        char *bytes = realloc(buffer->bytes, length + 1);
        if (!bytes)
            return false;
        buffer->bytes = bytes;
        buffer->capacity = length + 1;
    }
    if (!receive_exactly(socket, buffer->bytes, length))
        return false;
    buffer->length = length;
    buffer->bytes[length] = '\0';
    *message = (struct message){.kind = frame.kind, .id = frame.id, .bytes = buffer->bytes, .length = length};
    return true;
}

/* ---- Packing ---- */

void pack_u64(struct text *text, uint64_t number)
{
    text_append(text, &number, sizeof number);
}

void pack_f64(struct text *text, double number)
{
    text_append(text, &number, sizeof number);
}

void pack_bytes(struct text *text, const void *bytes, size_t length)
{
    pack_u64(text, length);
    text_append(text, bytes, length);
}

void pack_string(struct text *text, const char *string)
{
    pack_bytes(text, string, strlen(string) + 1);
}

struct unpack unpack_message(const struct message *message)
{
    return (struct unpack){.at = message->bytes, .end = message->bytes + message->length};
}

static void unpack_raw(struct unpack *unpack, void *bytes, size_t length)
{
    memset(bytes, 0, length);
    if (unpack->failed || (size_t)(unpack->end - unpack->at) < length) {
        unpack->failed = true;
        return;
    }
    memcpy(bytes, unpack->at, length);
    unpack->at += length;
}

uint64_t unpack_u64(struct unpack *unpack)
{
    uint64_t number;
    unpack_raw(unpack, &number, sizeof number);
    return number;
}

double unpack_f64(struct unpack *unpack)
{
    double number;
    unpack_raw(unpack, &number, sizeof number);
    return number;
}

const void *unpack_bytes(struct unpack *unpack, size_t *length)
{
    uint64_t size = unpack_u64(unpack);
    *length = 0;
    if (unpack->failed || size > (uint64_t)(unpack->end - unpack->at)) {
        unpack->failed = true;
        return "";
    }
    const void *bytes = unpack->at;
    unpack->at += size;
    *length = (size_t)size;
    return bytes;
}

const char *unpack_string(struct unpack *unpack)
{
    size_t length;
    const char *string = unpack_bytes(unpack, &length);
    if (length == 0 || string[length - 1] != '\0') {
        unpack->failed = true;
        return "";
    }
    return string;
}
