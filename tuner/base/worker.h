/* A process of cutune's own that does what could kill the coordinator: NVRTC, CUDA. It is forked, talks over a socket
 * pair in framed messages, dies with its parent, and is killed when it does not answer in time. */
#ifndef CUTUNE_BASE_WORKER_H
#define CUTUNE_BASE_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/text.h"

struct worker {
    pid_t pid; /* 0: not running */
    int socket;
    int64_t deadline_ns;  /* of the answer that is awaited, on clock_now_ns(); INT64_MAX: none */
    int64_t looked_ns;    /* when worker_late was last asked, or the deadline was set */
    int64_t stopped_ns;   /* since when the process is seen to be stopped (SIGSTOP); 0: it is not */
    struct text received; /* bytes of messages that arrived or are still arriving */
    size_t taken;         /* how many of them the last receive handed out */
    bool spoiled;         /* closed or broken by the other side */
    int exit_status;      /* as from waitpid, once it was reaped by worker_stop */
};

/* What travels: a kind that the two sides agree on, a number to match answers with questions, and bytes. */
struct message {
    uint32_t kind;
    uint64_t id;
    const char *bytes; /* borrowed: valid until the next receive from the same worker */
    size_t length;
};

/* Runs in the child with its end of the socket; the child exits when it returns. */
typedef void worker_main(int socket, void *context);

/* Forks. The child has no other descriptor of its parent's but standard error (standard input and output are
 * /dev/null), ignores SIGINT, SIGTERM and SIGHUP (the coordinator decides), is killed by the kernel when the parent
 * dies, and is the first to go when memory runs out. `context` is read in the child's copy of memory. `worker` must be
 * zeroed or stopped. */
int worker_start(struct worker *worker, worker_main *run, void *context, struct error *error);

/* Sends from the coordinator. Returns 0, or ERROR_WORKER when the process is gone or takes nothing until the deadline.
 */
int worker_send(struct worker *worker, uint32_t kind, uint64_t id, const void *bytes, size_t length,
                int64_t deadline_ns, struct error *error);

/* Takes what has arrived, without waiting: 1 and a whole message, 0 nothing whole yet, -1 the process is gone. */
int worker_receive(struct worker *worker, struct message *message);

/* Awaits an answer within `timeout_ns` from now; INT64_MAX: none is awaited, or it may take for ever. */
void worker_expect(struct worker *worker, int64_t timeout_ns);

/* Has it had its time? To be asked when nothing is received; where nothing is awaited the answer is no. A coordinator
 * that was itself stopped meanwhile (Ctrl-Z, a frozen container) gives the time back. A process that is stopped while
 * an answer is awaited is late after WORKER_STOPPED_NS, however long its limit is. */
enum { WORKER_STOPPED_NS = 1000000000 };
bool worker_late(struct worker *worker);

/* Did worker_late see it stopped? Then its lateness says nothing of what it was asked to do. */
bool worker_is_stopped(const struct worker *worker);

/* Waits until one of the workers has something to receive, has passed its deadline, or `until_ns` has come, or a signal
 * arrived; at most a quarter of a second, so that worker_late is asked often enough. NULL entries and stopped workers
 * are passed over. */
void worker_wait(struct worker *const *workers, size_t count, int64_t until_ns);

/* Kills, reaps and zeroes all but exit_status. Fine for one that is not running. */
void worker_stop(struct worker *worker);

/* How it ended, for people: "killed by signal 11 (Segmentation fault)". Returns `buffer`. */
const char *worker_epitaph(const struct worker *worker, char *buffer, size_t room);

/* ---- The worker's side: blocking, false when the coordinator is gone. ---- */

bool message_send(int socket, uint32_t kind, uint64_t id, const void *bytes, size_t length);
/* `buffer` holds the bytes afterwards. */
bool message_receive(int socket, struct text *buffer, struct message *message);

/* ---- Packing: both sides run the same program, so bytes are in its own order and layout. ---- */

void pack_u64(struct text *text, uint64_t number);
void pack_f64(struct text *text, double number);
void pack_bytes(struct text *text, const void *bytes, size_t length);
void pack_string(struct text *text, const char *string);

struct unpack {
    const char *at, *end;
    bool failed; /* something was missing; what was returned is zero or empty */
};
struct unpack unpack_message(const struct message *message);
uint64_t unpack_u64(struct unpack *unpack);
double unpack_f64(struct unpack *unpack);
const void *unpack_bytes(struct unpack *unpack, size_t *length); /* borrowed from the message */
const char *unpack_string(struct unpack *unpack);                /* borrowed, NUL-terminated, never NULL */

#endif
