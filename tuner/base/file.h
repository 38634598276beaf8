/* Safe file access: whole-file reads, atomic replacement, and locks that end with their process. */
#ifndef CUTUNE_BASE_FILE_H
#define CUTUNE_BASE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

/* Reads a whole file into `text`, which is emptied first. Fails for a directory, a missing file, a file over
 * `max_bytes` and a read error; the error names the path. */
int file_read(const char *path, size_t max_bytes, struct text *text, struct error *error);

/* ERROR_IO if `path` exists and is not a regular file: opening a pipe could wait for ever, and a device could be
 * endless. For all paths that come from a file. */
int file_check_regular(const char *path, struct error *error);
/* Checks the same, then reads the file. */
int file_read_regular(const char *path, size_t max_bytes, struct text *text, struct error *error);

/* Resolves the symbolic links of `path`, including a link to a file that does not exist yet. ERROR_IO for a cycle of
 * links or a path that is too long. */
int file_target(const char *path, char target[PATH_MAX], struct error *error);

/* Replaces `path` by `length` bytes atomically: temporary file in the same folder, fsync, rename, fsync of the folder.
 * Keeps the mode of an existing file; replaces the target of a symbolic link. The temporary file has an unpredictable
 * name, "PATH.0123456789abcdef"; only SIGKILL leaves it behind. SIGHUP, SIGINT and SIGTERM are delayed until the file
 * is in place. */
int file_replace(const char *path, const void *bytes, size_t length, struct error *error);

/* True if both paths lead to the same existing file. */
bool file_same(const char *a, const char *b);

/* Closes all descriptors from `lowest` on. For a child process between fork and exec: async-signal-safe. */
void file_close_from(int lowest);

/* Writes all bytes to a descriptor. Returns ERROR_IO with errno's text on failure. `path` appears in the message. */
int file_write_all(int descriptor, const void *bytes, size_t length, const char *path, struct error *error);

/* Takes an exclusive lock on `path`, which is created if missing and never removed. With `wait`, waits up to a minute
 * for the holder before it returns ERROR_BUSY. Stores a descriptor in *lock: close it to release the lock. The kernel
 * releases it when the process dies. */
int file_lock(const char *path, bool wait, int *lock, struct error *error);

/* Creates a folder and its parents. An existing folder is not an error. */
int file_make_folder(const char *path, struct error *error);

/* Lists the paths of a folder's files whose names begin with `prefix` and end in ".csv", sorted by name, without
 * hidden ones. Arena memory. */
int file_list_csv(struct arena *arena, const char *folder, const char *prefix, const char *const **paths, size_t *count,
                  struct error *error);

/* Length of the folder part of `path`, including the final '/'; 0 for a bare name. */
size_t file_folder_length(const char *path);

/* Returns the path relative to `folder`, which is "" or ends in '/': "a.cu" for "x/a.cu" in "x/". Returns a path
 * that does not begin with the folder unchanged. */
const char *file_below(const char *folder, const char *path);

#endif
