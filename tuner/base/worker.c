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
#include "base/hash.h"
#include "base/pack.h"

/* The frame in front of a message's bytes, in words of 8 bytes. The first word is the same in all versions. */
enum {
    FRAME_VERSION, /* magic in the lower half, version in the upper */
    FRAME_KIND,
    FRAME_ID,
    FRAME_LENGTH,
    FRAME_CHECKSUMS, /* of the earlier words in the lower half, of the message's bytes in the upper */
    FRAME_WORDS,
    WORD_BYTES = 8,
    FRAME_BYTES = FRAME_WORDS * WORD_BYTES
};

enum { FRAME_MAGIC = 0x75747563 /* "cutu" */, WORKER_SOCKET = STDERR_FILENO + 1 };
static const uint64_t message_max_bytes = (uint64_t)1 << 32;

/* ---- Starting and stopping ---- */

static void isolate(int socket, int peer, pid_t parent)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* the parent died before prctl */
        _exit(1);
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    signal(SIGCHLD, SIG_DFL); /* a program that ignores it would get no exit status */
    /* First, because the socket may be a standard stream of a parent that has none. */
    if (socket != WORKER_SOCKET && dup2(socket, WORKER_SOCKET) < 0)
        _exit(1);
    int null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
        ((socket == STDERR_FILENO || peer == STDERR_FILENO) && dup2(null, STDERR_FILENO) < 0))
        _exit(1);
    /* The system ends this process rather than the coordinator when memory runs out. */
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
        /* _exit: neither runs the parent's exit handlers nor flushes its buffers a second time. */
        isolate(ends[1], ends[0], parent);
        run(WORKER_SOCKET, context);
        close(STDERR_FILENO); /* whoever reads it to its end need not wait for a driver's */
        _exit(0);
    }
    close(ends[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    text_free(&worker->received);
    *worker = (struct worker){.pid = pid, .socket = ends[0], .deadline_ns = INT64_MAX};
    return 0;
}

void worker_refuse(struct worker *worker)
{
    worker->spoiled = worker->garbled = true;
}

void worker_stop(struct worker *worker)
{
    int status = worker->exit_status;
    if (worker->pid) {
        /* A process that has died keeps its exit status: SIGKILL does not affect a zombie. */
        kill(worker->pid, SIGKILL);
        while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
            ;
        close(worker->socket);
    }
    text_free(&worker->received);
    *worker = (struct worker){.exit_status = status, .garbled = worker->garbled, .deadline_ns = INT64_MAX};
}

void worker_kill(struct worker *worker)
{
    if (worker->pid)
        kill(worker->pid, SIGKILL);
}

/* The processes that were left. */
enum { LEFT_MAX = 64 };
static pid_t left_pids[LEFT_MAX];
static size_t left_count;

void worker_leave(struct worker *worker)
{
    if (!worker->pid || left_count == LEFT_MAX) {
        worker_stop(worker);
        return;
    }
    left_pids[left_count++] = worker->pid;
    close(worker->socket);
    text_free(&worker->received);
    *worker = (struct worker){.deadline_ns = INT64_MAX};
}

void worker_reap(void)
{
    for (; left_count; left_count--) {
        pid_t pid = left_pids[left_count - 1];
        kill(pid, SIGKILL);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
}

const char *worker_epitaph(const struct worker *worker, char *buffer, size_t room)
{
    int status = worker->exit_status;
    if (worker->garbled)
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

static uint32_t checksum(const void *bytes, size_t length)
{
    return (uint32_t)hash_u64(bytes, length, 0);
}

static void store_words(unsigned char *bytes, const uint64_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pack_store(bytes + i * WORD_BYTES, words[i]);
}

static uint64_t frame_word(const void *bytes, int word)
{
    return pack_load((const unsigned char *)bytes + word * WORD_BYTES);
}

static bool send_message(int socket, uint32_t kind, uint64_t id, const void *bytes, size_t length, int64_t deadline_ns)
{
    unsigned char frame[FRAME_BYTES];
    const uint64_t words[] = {[FRAME_VERSION] = FRAME_MAGIC | (uint64_t)PACK_VERSION << 32,
                              [FRAME_KIND] = kind,
                              [FRAME_ID] = id,
                              [FRAME_LENGTH] = length};
    store_words(frame, words, FRAME_CHECKSUMS);
    pack_store(frame + FRAME_CHECKSUMS * WORD_BYTES,
               checksum(frame, FRAME_CHECKSUMS * WORD_BYTES) | (uint64_t)checksum(bytes, length) << 32);
    return send_until(socket, frame, sizeof frame, deadline_ns) && send_until(socket, bytes, length, deadline_ns);
}

/* Parses a frame as far as it has arrived. 1: complete, *message has everything but the bytes; 0: more must arrive; -1:
 * not a frame. *version: the other side's version, once it is known to differ. */
static int read_frame(const void *bytes, size_t there, struct message *message, uint32_t *version)
{
    if (there < WORD_BYTES)
        return 0;
    uint64_t first = frame_word(bytes, FRAME_VERSION);
    if ((uint32_t)first != FRAME_MAGIC)
        return -1;
    if (first >> 32 != PACK_VERSION) {
        *version = (uint32_t)(first >> 32);
        return -1;
    }
    if (there < FRAME_BYTES)
        return 0;
    *message = (struct message){.kind = (uint32_t)frame_word(bytes, FRAME_KIND),
                                .id = frame_word(bytes, FRAME_ID),
                                .length = (size_t)frame_word(bytes, FRAME_LENGTH)};
    return (uint32_t)frame_word(bytes, FRAME_CHECKSUMS) == checksum(bytes, FRAME_CHECKSUMS * WORD_BYTES) &&
                   message->length <= message_max_bytes
               ? 1
               : -1;
}

/* Do the bytes match the frame's checksum? */
static bool is_unchanged(const void *frame, const void *bytes, size_t length)
{
    return frame_word(frame, FRAME_CHECKSUMS) >> 32 == checksum(bytes, length);
}

int worker_send(struct worker *worker, uint32_t kind, uint64_t id, const void *bytes, size_t length,
                int64_t deadline_ns, struct error *error)
{
    if (!worker->pid || worker->spoiled || !send_message(worker->socket, kind, id, bytes, length, deadline_ns)) {
        worker->spoiled = true;
        return error_set(error, ERROR_WORKER, "a worker process does not read its messages");
    }
    return 0;
}

int worker_check_version(const struct worker *worker, const char *what, struct error *error)
{
    if (!worker->version)
        return 0;
    int code = error_set(error, ERROR_WORKER, "the %s process has messages of version %u, this program of version %d",
                         what, worker->version, PACK_VERSION);
    error_hint(error, "both must be the same version of cutune");
    return code;
}

/* Finds a whole message behind the first `skip` bytes received. 1: found; 0: more must arrive; -1: not a message. */
static int find_message(struct worker *worker, size_t skip, struct message *message)
{
    const struct text *received = &worker->received;
    const char *frame = received->bytes + skip;
    size_t there = received->length - skip;
    int whole = there ? read_frame(frame, there, message, &worker->version) : 0;
    if (whole <= 0 || there - FRAME_BYTES < message->length)
        return whole < 0 ? -1 : 0;
    message->bytes = frame + FRAME_BYTES;
    return 1;
}

static int take_message(struct worker *worker, struct message *message)
{
    int whole = find_message(worker, 0, message);
    if (whole > 0 && !is_unchanged(worker->received.bytes, message->bytes, message->length))
        whole = -1;
    if (whole > 0)
        worker->taken = FRAME_BYTES + message->length;
    if (whole < 0)
        worker_refuse(worker);
    return whole;
}

int worker_receive(struct worker *worker, struct message *message)
{
    if (!worker->pid || worker->garbled) /* a refused process's later messages are ignored */
        return -1;
    if (worker->taken) {
        struct text *received = &worker->received;
        received->length -= worker->taken;
        memmove(received->bytes, received->bytes + worker->taken, received->length);
        worker->taken = 0;
    }
    for (;;) {
        int whole = take_message(worker, message);
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
        if (find_message(workers[i], workers[i]->taken, &message)) /* it arrived together with the previous message */
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

/* Tells a peer of another version this version before the conversation ends. */
static bool receive_frame(int socket, unsigned char *frame, struct message *message)
{
    uint32_t version = 0;
    if (receive_exactly(socket, frame, WORD_BYTES) && !read_frame(frame, WORD_BYTES, message, &version))
        return receive_exactly(socket, frame + WORD_BYTES, FRAME_BYTES - WORD_BYTES) &&
               read_frame(frame, FRAME_BYTES, message, &version) > 0;
    if (version)
        message_send(socket, 0, 0, "", 0);
    return false;
}

bool message_receive(int socket, struct text *buffer, struct message *message)
{
    unsigned char frame[FRAME_BYTES];
    if (!receive_frame(socket, frame, message))
        return false;
    text_clear(buffer);
    if (buffer->capacity <= message->length) {
        char *bytes = realloc(buffer->bytes, message->length + 1);
        if (!bytes)
            return false;
        buffer->bytes = bytes;
        buffer->capacity = message->length + 1;
    }
    if (!receive_exactly(socket, buffer->bytes, message->length) ||
        !is_unchanged(frame, buffer->bytes, message->length))
        return false;
    buffer->length = message->length;
    buffer->bytes[buffer->length] = '\0';
    message->bytes = buffer->bytes;
    return true;
}
