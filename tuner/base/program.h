/* Runs other programs, such as compilers, and the processes that they start in turn. */
#ifndef CUTUNE_BASE_PROGRAM_H
#define CUTUNE_BASE_PROGRAM_H

#include <limits.h>
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

/* Describes a status other than 0 with the last line of the output: "ended with exit status 1: ValueError". */
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
/* Removes the folder, if there is one, and the files in it. */
void program_folder_remove(struct program_folder *folder);

#endif
