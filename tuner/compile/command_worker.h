/* The worker of a compiler command: a program that answers lines of JSON over a socket. */
#ifndef CUTUNE_COMPILE_COMMAND_WORKER_H
#define CUTUNE_COMPILE_COMMAND_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/program.h"
#include "base/text.h"
#include "compile/pool.h"

enum {
    COMMAND_LINE_BYTES_MAX = 1 << 20, /* of a message */
    COMMAND_LOG_BYTES_MAX = 64 << 10  /* the last that a worker prints */
};

/* Begins the messages about a worker that fails. */
#define COMMAND_SUBJECT "the compiler command "

struct command_worker {
    bool runs;
    struct program_session session;
    struct program_folder folder;
    struct text received; /* behind the last line */
    struct text log;      /* the last bytes that it printed */
    bool cut;             /* it printed more */
};

/* Starts the command. ERROR_WORKER if no process can be started, ERROR_IO without a temporary folder. */
int command_worker_start(struct command_worker *worker, const struct compile_command *command, struct error *error);

/* True if the worker runs. One that has ended between two requests is stopped. */
bool command_worker_is_there(struct command_worker *worker);

/* Sends a line with its newline; NULL: none. Then waits for one, which replaces `line`, without its newline; the log is
 * taken meanwhile.
 * After an error, the worker is stopped. ERROR_WORKER: the worker ends, or sends a line that is too long or followed by
 * more; ERROR_BUSY: it is silent until `until_ns` on clock_now_ns(). */
int command_worker_ask(struct command_worker *worker, const struct text *request, struct text *line, int64_t until_ns,
                       struct error *error);

/* Ends the worker; its log remains until it starts again. */
void command_worker_stop(struct command_worker *worker);
void command_worker_free(struct command_worker *worker);

/* Forgets the log so far; returns the text since then, with control characters replaced. */
void command_worker_clear_log(struct command_worker *worker);
const char *command_worker_log(struct command_worker *worker);

#endif
