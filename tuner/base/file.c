#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
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

int file_check_regular(const char *path, struct error *error)
{
    struct stat status;
    if (stat(path, &status) || S_ISREG(status.st_mode))
        return 0;
    return error_set(error, ERROR_IO, "%s is %s", path,
                     S_ISDIR(status.st_mode)    ? "a directory, not a file"
                     : S_ISFIFO(status.st_mode) ? "a pipe, not a regular file"
                                                : "not a regular file");
}

int file_read_regular(const char *path, size_t max_bytes, struct text *text, struct error *error)
{
    int code = file_check_regular(path, error);
    return code ? code : file_read(path, max_bytes, text, error);
}

/* closefrom of glibc is younger than the systems that run cutune. */
void file_close_from(int lowest)
{
    struct rlimit limit = {.rlim_cur = 0};
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)lowest, ~0U, 0U) == 0)
        return;
#endif
    getrlimit(RLIMIT_NOFILE, &limit);
    int end = limit.rlim_cur < INT_MAX ? (int)limit.rlim_cur : INT_MAX;
    for (int descriptor = lowest; descriptor < end; descriptor++)
        close(descriptor);
}

int file_write_all(int descriptor, const void *bytes, size_t length, const char *path, struct error *error)
{
    const char *at = bytes;
    while (length) {
        ssize_t written = write(descriptor, at, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written == 0) /* otherwise the loop would never end */
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

const char *file_below(const char *folder, const char *path)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 ? path + length : path;
}

static int is_csv(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return entry->d_name[0] != '.' && dot && strcmp(dot, ".csv") == 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

int file_list_csv(struct arena *arena, const char *folder, const char *prefix, const char *const **paths, size_t *count,
                  struct error *error)
{
    struct dirent **entries = NULL;
    size_t length = strlen(folder);
    int found = scandir(length ? folder : ".", &entries, is_csv, by_name);
    *count = 0;
    if (found < 0)
        return error_errno(error, ERROR_IO, "cannot read the directory %s", folder);
    const char **list = arena_array(arena, (size_t)found + 1, sizeof *list);
    bool good = list != NULL;
    for (int i = 0; i < found; i++) {
        const char *slash = length && folder[length - 1] != '/' ? "/" : "";
        if (good && strncmp(entries[i]->d_name, prefix, strlen(prefix)) == 0)
            good = (list[(*count)++] = arena_printf(arena, "%s%s%s", folder, slash, entries[i]->d_name)) != NULL;
        free(entries[i]);
    }
    free(entries);
    *paths = list;
    return good ? 0 : error_memory(error);
}

/* Syncing the folder makes a rename durable. Some file systems do not support it, and some folders cannot be read: only
 * a broken disk is an error. */
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

int file_lock(const char *path, bool wait, int *lock, struct error *error)
{
    /* Locks are held for milliseconds. A process that holds a lock much longer has been stopped. */
    static const int64_t timeout_ns = 60000000000;
    int64_t until_ns = clock_now_ns() + timeout_ns;
    int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return error_errno(error, ERROR_IO, "cannot open %s", path);
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
    *lock = descriptor;
    return 0;
}

int file_target(const char *path, char target[PATH_MAX], struct error *error)
{
    enum { LINKS_MAX = 40 }; /* the kernel's limit */
    char link[PATH_MAX];
    ssize_t length = 0;
    int used = snprintf(target, PATH_MAX, "%s", path);
    for (int i = 0; i < LINKS_MAX && used < PATH_MAX; i++) {
        if ((length = readlink(target, link, sizeof link)) < 0)
            return 0; /* not a link: the file itself, existing or not */
        size_t folder = *link == '/' ? 0 : file_folder_length(target);
        used = (int)folder + snprintf(target + folder, PATH_MAX - folder, "%.*s", (int)length, link);
    }
    return used < PATH_MAX ? error_set(error, ERROR_IO, "too many symbolic links: %s", path)
                           : error_set(error, ERROR_IO, "the path is too long: %s", path);
}

bool file_same(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/* Creates a file beside `target` under an unpredictable name. Never opens an existing file. */
static int open_temporary(const char *target, char temporary[PATH_MAX], int *descriptor, struct error *error)
{
    enum { TRIES = 100 };
    *descriptor = -1;
    for (int i = 0; i < TRIES && *descriptor < 0; i++) {
        uint64_t random = 0;
        if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
            return error_errno(error, ERROR_IO, "no random number for the name of a temporary file");
        if (snprintf(temporary, PATH_MAX, "%s.%016" PRIx64, target, random) >= PATH_MAX)
            return error_set(error, ERROR_IO, "the path is too long: %s", target);
        *descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (*descriptor < 0 && errno != EEXIST)
            break;
    }
    return *descriptor < 0 ? error_errno(error, ERROR_IO, "cannot write beside %s", target) : 0;
}

/* `mode`: permissions of the replaced file; 0: no such file, use the umask. */
static int write_temporary(int descriptor, const char *target, mode_t mode, const void *bytes, size_t length,
                           struct error *error)
{
    int code = file_write_all(descriptor, bytes, length, target, error);
    if (!code && ((mode && fchmod(descriptor, mode)) || fsync(descriptor)))
        code = error_errno(error, ERROR_IO, "cannot write %s", target);
    close(descriptor); /* fsync has reported any failure already */
    return code;
}

int file_replace(const char *path, const void *bytes, size_t length, struct error *error)
{
    static const int ends[] = {SIGHUP, SIGINT, SIGTERM};
    char target[PATH_MAX], temporary[PATH_MAX];
    struct stat status;
    sigset_t held, before;
    int descriptor, code = file_target(path, target, error);
    if (code)
        return code;
    mode_t mode = stat(target, &status) == 0 ? status.st_mode & 07777 : 0;
    if (mode && S_ISDIR(status.st_mode))
        return error_set(error, ERROR_IO, "%s is a directory, not a file", path);
    /* Blocks the signals that end the process, so that no temporary file is left. */
    sigemptyset(&held);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        sigaddset(&held, ends[i]);
    pthread_sigmask(SIG_BLOCK, &held, &before);
    if (!(code = open_temporary(target, temporary, &descriptor, error))) {
        code = write_temporary(descriptor, target, mode, bytes, length, error);
        if (!code && rename(temporary, target))
            code = error_errno(error, ERROR_IO, "cannot replace %s", target);
        if (code)
            unlink(temporary);
        else
            code = sync_folder(target, error);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
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
