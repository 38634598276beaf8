/* Runs other programs, such as compilers, and the processes that they start in turn. */
#ifndef CUTUNE_BASE_PROGRAM_H
#define CUTUNE_BASE_PROGRAM_H

#include <limits.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/text.h"

struct program {
    const char *const *arguments; /* its path, its arguments, NULL */
    const char *folder;           /* for its temporary files: its TMPDIR; NULL: this process's */
};

/* Runs the program to its end and appends its output, at most PROGRAM_OUTPUT_BYTES_MAX, to `output`. Standard input
 * is empty. *status is that of a shell: the exit status, 128 + N for signal N, 127 if the program cannot be started.
 * When the program ends, or this process does, by whatever signal, all processes that the program started are
 * killed; in the second case `folder` is removed, too. ERROR_WORKER if no process can be started, ERROR_MEMORY. */
enum { PROGRAM_OUTPUT_BYTES_MAX = 16 << 20, PROGRAM_NOT_STARTED = 127 };
int program_run(const struct program *program, struct text *output, int *status, struct error *error);

/* A program that lives on. It has one end of a stream socket as its descriptor PROGRAM_SOCKET. Zeroed: not started. */
struct program_session {
    pid_t guard; /* the process that ends with the program; 0: not running */
    int socket;  /* the other end, non-blocking */
    int log;     /* the program's standard output and standard error, non-blocking; 0: closed */
};
enum { PROGRAM_SOCKET = 3, PROGRAM_STOPPED = -1 };

/* Starts the program; its end, and that of this process, are as with program_run. ERROR_WORKER. */
int program_start(const struct program *program, struct program_session *session, struct error *error);

/* Closes the socket and ends the program with all processes that it started; removes its `folder`. If it has ended by
 * itself, or does so within `grace_ns`, returns its status; otherwise PROGRAM_STOPPED. The log stays open until
 * program_close_log, so that the rest can be read. */
int program_stop(struct program_session *session, int64_t grace_ns);
void program_close_log(struct program_session *session);

/* The memory in bytes that the program and the processes that it started occupy; 0: unknown. */
uint64_t program_resident(const struct program_session *session);

/* The last line of an output, cut and clean; "" without one. Returns `buffer`. */
enum { PROGRAM_LINE_BYTES = 501 };
const char *program_last_line(const char *output, char buffer[PROGRAM_LINE_BYTES]);

/* Describes a status with the last line of the output: "ended with exit status 1: ValueError". */
enum { PROGRAM_FATE_BYTES = 600 };
const char *program_fate(int status, const char *output, char buffer[PROGRAM_FATE_BYTES]);

/* A folder for temporary files, which goes when this process ends, by whatever signal. */
struct program_folder {
    char path[PATH_MAX]; /* absolute; "" without a folder */
    int socket;          /* to the janitor, a process that removes the folder when this end is closed */
    pid_t janitor;
};

/* Creates an empty folder of a new name in $TMPDIR, else in /tmp. ERROR_IO; ERROR_WORKER if no process can be
 * started. */
int program_folder_make(struct program_folder *folder, struct error *error);
/* Removes the folder, if there is one, and all that is in it. */
void program_folder_remove(struct program_folder *folder);

#endif
