/* Files, so that nothing is lost: whole reads, replacement in one step, locks that die with their process. */
#ifndef CUTUNE_BASE_FILE_H
#define CUTUNE_BASE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/* Reads a whole file into `text` (emptied first). A directory, a missing file, one over `max_bytes` and a failing read
 * are errors that name the path. */
int file_read(const char *path, size_t max_bytes, struct text *text, struct error *error);

/* Where writing to `path` ends up: follows symbolic links, also one whose target does not exist yet. ERROR_IO for a
 * circle of links and for a path that is too long. */
int file_target(const char *path, char target[PATH_MAX], struct error *error);

/* Replaces `path` by `length` bytes, all or nothing: a temporary file beside it, fsync, rename, fsync of the folder.
 * The mode of an existing file is kept; a symbolic link stays one, its target is replaced. The temporary file has an
 * unpredictable name, "PATH.0123456789abcdef"; only a process that is killed with SIGKILL leaves it behind. SIGHUP,
 * SIGINT and SIGTERM wait until the file is in place. */
int file_replace(const char *path, const void *bytes, size_t length, struct error *error);

/* Whether both paths lead to one file that is there, under whatever names. */
bool file_same(const char *a, const char *b);

/* Writes all bytes to a descriptor; ERROR_IO with errno's text otherwise. `path` is for the message. */
int file_write_all(int descriptor, const void *bytes, size_t length, const char *path, struct error *error);

/* Takes an exclusive lock on `path` (created when missing; the file stays). With `wait` it waits a minute for the
 * holder before it is ERROR_BUSY. Returns the descriptor in *lock; close it to release. The kernel releases it when the
 * process dies. */
int file_lock(const char *path, bool wait, int *lock, struct error *error);

/* Creates a folder and its parents; one that exists is fine. */
int file_make_folder(const char *path, struct error *error);

/* Length of the folder part of `path`, including the final '/'; 0 for a bare name. */
size_t file_folder_length(const char *path);

#endif
