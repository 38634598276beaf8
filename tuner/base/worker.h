/* A child process for work that may kill its process: NVRTC, CUDA. It is forked, exchanges framed messages over a
 * socket pair, dies with its parent, and is killed when it does not answer in time. */
#ifndef CUTUNE_BASE_WORKER_H
#define CUTUNE_BASE_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/channel.h"
#include "base/error.h"

struct worker {
    pid_t pid;              /* 0: not running */
    struct channel channel; /* `garbled` is kept by worker_stop */
    int64_t deadline_ns;    /* of the awaited answer, on clock_now_ns(); INT64_MAX: none */
    int64_t looked_ns;      /* the last call of worker_late, or the start of the wait */
    int64_t stopped_ns;     /* when the process was first seen stopped (SIGSTOP); 0: not stopped */
    int exit_status;        /* from waitpid, set by worker_stop */
};

/* The child's program. Gets its end of the socket; the child exits when it returns. */
typedef void worker_main(int socket, void *context);

/* Forks a process. The child inherits only standard error (standard input and output are /dev/null) and ignores
 * SIGINT, SIGTERM and SIGHUP (the coordinator decides). The kernel kills it when the parent dies, and first of all
 * when memory runs out. The child reads its own copy of `context`. `worker` must be zeroed or stopped. */
int worker_start(struct worker *worker, worker_main *run, void *context, struct error *error);

/* Sends a message to the child. ERROR_WORKER if the process is gone or does not read until the deadline. */
int worker_send(struct worker *worker, uint32_t kind, uint64_t id, const void *bytes, size_t length,
                int64_t deadline_ns, struct error *error);

/* Takes a received message without waiting. 1: a message; 0: no complete message yet; -1: the process is gone or
 * sent something else. */
int worker_receive(struct worker *worker, struct message *message);

/* ERROR_WORKER if the process speaks another version of the messages; 0 otherwise. `what`: "compiler", "device". */
int worker_check_version(const struct worker *worker, const char *what, struct error *error);

/* Awaits an answer within `timeout_ns` from now. INT64_MAX: no answer is awaited, or there is no limit. */
void worker_expect(struct worker *worker, int64_t timeout_ns);

/* True if the answer is overdue. Call it when nothing is received; false when no answer is awaited. Time in which
 * the coordinator itself was stopped (Ctrl-Z, a frozen container) does not count. A stopped process is late after
 * WORKER_STOPPED_NS, whatever its limit. */
enum { WORKER_STOPPED_NS = 1000000000 };
bool worker_late(struct worker *worker);

/* True if worker_late found the process stopped: its lateness is not due to its task. */
bool worker_is_stopped(const struct worker *worker);

/* Waits until a worker has data or passes its deadline, `until_ns` is reached, or a signal arrives; at most a quarter
 * of a second, so that callers ask worker_late often enough. Skips NULL entries and stopped workers. */
void worker_wait(struct worker *const *workers, size_t count, int64_t until_ns);

/* Marks the process as spoiled, because its message makes no sense. */
void worker_refuse(struct worker *worker);

/* Kills and reaps the process; zeroes all but exit_status and garbled. No effect if it is not running. */
void worker_stop(struct worker *worker);

/* Begins to end the process without waiting; worker_stop waits. */
void worker_kill(struct worker *worker);

/* Ends the conversation and zeroes all: an idle process ends by itself, a busy one is killed when this process ends.
 * Returns the process for worker_reap; 0 if it is not running. */
pid_t worker_leave(struct worker *worker);
/* Kills a process after worker_leave and waits for its end. Returns its exit status as waitpid does. */
int worker_reap(pid_t pid);

/* Describes how the process ended: "killed by signal 11 (Segmentation fault)", "stopped for a garbled answer". Returns
 * `buffer`. */
const char *worker_epitaph(const struct worker *worker, char *buffer, size_t room);

#endif
