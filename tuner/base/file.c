#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

int file_read(const char *path, size_t max_bytes, struct text *text, struct error *error)
{
    int code = 0;
    struct stat status;
    text_clear(text);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return error_errno(error, errno == ENOENT ? ERROR_NOT_FOUND : ERROR_IO, "cannot open %s", path);
    if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
        code = error_set(error, ERROR_IO, "%s is a directory, not a file", path);
        goto out;
    }
    for (;;) {
        char chunk[64 << 10];
        ssize_t got = read(descriptor, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            code = error_errno(error, ERROR_IO, "cannot read %s", path);
            break;
        }
        if (got == 0)
            break;
        if (text->length + (size_t)got > max_bytes) {
            code = error_set(error, ERROR_DATA, "%s is larger than %zu bytes", path, max_bytes);
            break;
        }
        text_append(text, chunk, (size_t)got);
        if (text->failed) {
            code = error_memory(error);
            break;
        }
    }
out:
    close(descriptor);
    return code;
}

int file_write_all(int descriptor, const void *bytes, size_t length, const char *path, struct error *error)
{
    const char *at = bytes;
    while (length) {
        ssize_t written = write(descriptor, at, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written == 0) /* it would go on for ever */
            errno = EIO;
        if (written <= 0)
            return error_errno(error, ERROR_IO, "cannot write %s", path);
        at += written;
        length -= (size_t)written;
    }
    return 0;
}

size_t file_folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* A rename is durable when the folder is. Some file systems cannot fsync a folder, and some folders cannot be read:
 * that is no failure; a broken disk is. */
static int sync_folder(const char *path, struct error *error)
{
    char folder[PATH_MAX];
    int code = 0;
    snprintf(folder, sizeof folder, "%.*s", (int)file_folder_length(path), path);
    int descriptor = open(*folder ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return 0;
    if (fsync(descriptor) && (errno == EIO || errno == ENOSPC || errno == EDQUOT))
        code = error_errno(error, ERROR_IO, "cannot write the directory of %s", path);
    close(descriptor);
    return code;
}

/* Takes the lock of an open file, which is closed when that fails. */
static int lock_open(int descriptor, const char *path, bool wait, struct error *error)
{
    /* Locks are held for milliseconds: one that is held much longer belongs to a process that was stopped. */
    static const int64_t limit_ns = 60000000000;
    int64_t until_ns = clock_now_ns() + limit_ns;
    while (flock(descriptor, LOCK_EX | LOCK_NB)) {
        if (errno == EINTR)
            continue;
        if (wait && errno == EWOULDBLOCK && clock_now_ns() < until_ns) {
            nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
            continue;
        }
        int code = errno == EWOULDBLOCK ? error_set(error, ERROR_BUSY, "another process is using %s", path)
                                        : error_errno(error, ERROR_IO, "cannot lock %s", path);
        close(descriptor);
        return code;
    }
    return 0;
}

int file_lock(const char *path, bool wait, int *lock, struct error *error)
{
    int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return error_errno(error, ERROR_IO, "cannot open %s", path);
    int code = lock_open(descriptor, path, wait, error);
    if (!code)
        *lock = descriptor;
    return code;
}

/* Opens and locks the temporary file. It has one name, so that a process that was killed leaves no more than one
 * behind, which the next one takes over. One that another process has meanwhile renamed is left to its new name. */
static int open_temporary(const char *path, const char *temporary, int *descriptor, struct error *error)
{
    for (;;) {
        struct stat opened, there;
        *descriptor = open(temporary, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (*descriptor < 0)
            return error_errno(error, ERROR_IO, "cannot write beside %s", path);
        int code = lock_open(*descriptor, temporary, true, error);
        if (code)
            return code;
        if (fstat(*descriptor, &opened) == 0 && lstat(temporary, &there) == 0 && opened.st_ino == there.st_ino &&
            opened.st_dev == there.st_dev)
            return 0;
        close(*descriptor);
    }
}

int file_replace(const char *path, const void *bytes, size_t length, struct error *error)
{
    char temporary[PATH_MAX];
    struct stat status;
    int descriptor, code = 0;
    mode_t mode = stat(path, &status) == 0 ? status.st_mode & 07777 : 0;
    if (mode && S_ISDIR(status.st_mode))
        return error_set(error, ERROR_IO, "%s is a directory, not a file", path);
    if (snprintf(temporary, sizeof temporary, "%s.part", path) >= (int)sizeof temporary)
        return error_set(error, ERROR_IO, "the path is too long: %s", path);
    if ((code = open_temporary(path, temporary, &descriptor, error)))
        return code;
    if (ftruncate(descriptor, 0))
        code = error_errno(error, ERROR_IO, "cannot write %s", path);
    if (!code)
        code = file_write_all(descriptor, bytes, length, path, error);
    if (!code && ((mode && fchmod(descriptor, mode)) || fsync(descriptor)))
        code = error_errno(error, ERROR_IO, "cannot write %s", path);
    if (!code && rename(temporary, path))
        code = error_errno(error, ERROR_IO, "cannot replace %s", path);
    if (code)
        unlink(temporary);
    else
        code = sync_folder(path, error);
    /* Last, since it gives up the lock. What could fail did so in fsync. */
    close(descriptor);
    return code;
}

int file_make_folder(const char *path, struct error *error)
{
    char part[PATH_MAX];
    struct stat status;
    if (snprintf(part, sizeof part, "%s", path) >= (int)sizeof part)
        return error_set(error, ERROR_IO, "the path is too long: %s", path);
    for (char *c = part + 1; *part; c++) {
        char here = *c;
        if (here != '/' && here != '\0')
            continue;
        *c = '\0';
        if (mkdir(part, 0777) && errno != EEXIST)
            return error_errno(error, ERROR_IO, "cannot create the directory %s", part);
        *c = here;
        if (here == '\0')
            break;
    }
    if (stat(path, &status) == 0 && !S_ISDIR(status.st_mode))
        return error_set(error, ERROR_IO, "%s is a file, not a directory", path);
    return 0;
}
