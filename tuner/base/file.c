#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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
        if (written < 0)
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

/* A rename is durable when the folder is. Some file systems cannot fsync a folder: that is no failure. */
static void sync_folder(const char *path)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", (int)file_folder_length(path), path);
    int descriptor = open(*folder ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
}

int file_replace(const char *path, const void *bytes, size_t length, struct error *error)
{
    char temporary[PATH_MAX];
    struct stat status;
    int code = 0;
    mode_t mode = stat(path, &status) == 0 ? status.st_mode & 07777 : 0;
    if (mode && S_ISDIR(status.st_mode))
        return error_set(error, ERROR_IO, "%s is a directory, not a file", path);
    if (snprintf(temporary, sizeof temporary, "%s.XXXXXX", path) >= (int)sizeof temporary)
        return error_set(error, ERROR_IO, "the path is too long: %s", path);
    int descriptor = mkostemp(temporary, O_CLOEXEC);
    if (descriptor < 0)
        return error_errno(error, ERROR_IO, "cannot write beside %s", path);
    if (!mode) {
        mode_t mask = umask(0);
        umask(mask);
        mode = 0666 & ~mask;
    }
    code = file_write_all(descriptor, bytes, length, path, error);
    if (!code && (fchmod(descriptor, mode) || fsync(descriptor)))
        code = error_errno(error, ERROR_IO, "cannot write %s", path);
    if (close(descriptor) && !code)
        code = error_errno(error, ERROR_IO, "cannot write %s", path);
    if (!code && rename(temporary, path))
        code = error_errno(error, ERROR_IO, "cannot replace %s", path);
    if (code)
        unlink(temporary);
    else
        sync_folder(path);
    return code;
}

int file_lock(const char *path, bool wait, int *lock, struct error *error)
{
    int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return error_errno(error, ERROR_IO, "cannot open %s", path);
    while (flock(descriptor, LOCK_EX | (wait ? 0 : LOCK_NB))) {
        if (errno == EINTR)
            continue;
        int code = errno == EWOULDBLOCK ? error_set(error, ERROR_BUSY, "another process is using %s", path)
                                        : error_errno(error, ERROR_IO, "cannot lock %s", path);
        close(descriptor);
        return code;
    }
    *lock = descriptor;
    return 0;
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
