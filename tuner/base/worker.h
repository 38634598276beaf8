/* A process of cutune's own that does what could kill the coordinator: NVRTC, CUDA. It is forked, talks over a socket
 * pair in framed messages, dies with its parent, and is killed when it does not answer in time.
 *
 * A message travels behind a frame with the version of its format and checksums, so that both ends refuse what was made
 * by another version of cutune, and whatever is cut or changed on its way. base/pack.h makes and reads the bytes. */
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
    bool garbled;         /* what the other side said was no message; kept by worker_stop */
    uint32_t version;     /* of the other side's messages when it is not PACK_VERSION; 0: it is, as far as known */
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

/* Takes what has arrived, without waiting: 1 and a whole message, 0 nothing whole yet, -1 the process is gone or says
 * what is no message. */
int worker_receive(struct worker *worker, struct message *message);

/* ERROR_WORKER when the process was found to speak another version of the messages; 0 otherwise. `what`: "compiler",
 * "device". */
int worker_check_version(const struct worker *worker, const char *what, struct error *error);

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

/* What the process said makes no sense: from now on it is spoiled. */
void worker_refuse(struct worker *worker);

/* Kills, reaps and zeroes all but exit_status and garbled. Fine for one that is not running. */
void worker_stop(struct worker *worker);

/* How it ended, for people: "killed by signal 11 (Segmentation fault)", "stopped for a garbled answer". Returns
 * `buffer`. */
const char *worker_epitaph(const struct worker *worker, char *buffer, size_t room);

/* ---- The worker's side: blocking, false when the coordinator is gone or says what is no message. ---- */

bool message_send(int socket, uint32_t kind, uint64_t id, const void *bytes, size_t length);
/* `buffer` holds the bytes afterwards. */
bool message_receive(int socket, struct text *buffer, struct message *message);

#endif
