#include "disk.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct disk_plan now;
static char now_path[PATH_MAX];
static long operations;
static char history[256];
static bool planned, broken;

void disk_plan(const struct disk_plan *plan)
{
    now = *plan;
    planned = true;
    broken = false;
    operations = 0;
    history[0] = '\0';
}

const char *disk_history(void)
{
    return history;
}

long disk_operations(void)
{
    return operations;
}

static void plan_from_environment(void)
{
    const char *text = getenv("CUTUNE_DISK");
    int fault = 0, sticky = 0;
    planned = true;
    if (text && sscanf(text, "%4095s %ld %d %d %d", now_path, &now.at, &fault, &now.number, &sticky) == 5) {
        now.path = now_path;
        now.fault = (enum disk_fault)fault;
        now.sticky = sticky != 0;
    }
}

/* True if this operation, a letter of disk_history, should fail. Sets errno. */
static bool strikes(const char *path, char letter)
{
    bool writes = letter == 'W';
    if (!planned)
        plan_from_environment();
    if (!now.path || !path || !strstr(path, now.path))
        return false;
    size_t used = strlen(history);
    if (used + 1 < sizeof history)
        memcpy(history + used, (char[]){letter, '\0'}, 2);
    bool here = operations++ == now.at;
    if (here && (now.fault == DISK_KILLS || (now.fault == DISK_KILLS_HALF && !writes)))
        kill(getpid(), SIGKILL);
    if (here && now.fault == DISK_SIGNALS) {
        kill(getpid(), now.number);
        return false;
    }
    bool fails = here || broken;
    broken = (here && (now.sticky || (now.fault == DISK_HALF && writes))) || (broken && now.sticky);
    errno = now.number;
    return fails;
}

static const char *path_of(int descriptor, char path[PATH_MAX])
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0)
        return NULL;
    path[length] = '\0';
    return path;
}

static bool strikes_descriptor(int descriptor, char letter)
{
    char path[PATH_MAX];
    return strikes(path_of(descriptor, path), letter);
}

static bool is_folder(int descriptor)
{
    struct stat status;
    return fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Returns the function that this file replaces. */
static void *real(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

#define REAL(type, name)                                                                                               \
    type name##_function;                                                                                              \
    void *name##_address = real(#name);                                                                                \
    memcpy(&name##_function, &name##_address, sizeof name##_function)

typedef ssize_t write_type(int, const void *, size_t);

ssize_t write(int descriptor, const void *bytes, size_t length)
{
    REAL(write_type *, write);
    if (!strikes_descriptor(descriptor, 'W'))
        return write_function(descriptor, bytes, length);
    bool first = operations - 1 == now.at, kills = now.fault == DISK_KILLS_HALF;
    int number = errno;
    ssize_t half = 0;
    if (first && (now.fault == DISK_HALF || kills) && length > 1)
        half = write_function(descriptor, bytes, length / 2);
    if (first && kills)
        kill(getpid(), SIGKILL);
    errno = number;
    return half > 0 ? half : -1;
}

typedef int open_type(const char *, int, ...);

int open(const char *path, int flags, ...)
{
    REAL(open_type *, open);
    mode_t mode = 0;
    if (flags & O_CREAT) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        va_end(arguments);
    }
    if ((flags & O_ACCMODE) != O_RDONLY && strikes(path, 'O'))
        return -1;
    return open_function(path, flags, mode);
}

typedef int one_type(int);

int fsync(int descriptor)
{
    REAL(one_type *, fsync);
    return strikes_descriptor(descriptor, is_folder(descriptor) ? 'F' : 'S') ? -1 : fsync_function(descriptor);
}

int fdatasync(int descriptor)
{
    REAL(one_type *, fdatasync);
    return strikes_descriptor(descriptor, 'D') ? -1 : fdatasync_function(descriptor);
}

typedef int ftruncate_type(int, off_t);

int ftruncate(int descriptor, off_t length)
{
    REAL(ftruncate_type *, ftruncate);
    return strikes_descriptor(descriptor, 'T') ? -1 : ftruncate_function(descriptor, length);
}

typedef int rename_type(const char *, const char *);

int rename(const char *from, const char *to)
{
    REAL(rename_type *, rename);
    return strikes(to, 'R') ? -1 : rename_function(from, to);
}

typedef int mkdir_type(const char *, mode_t);

int mkdir(const char *path, mode_t mode)
{
    REAL(mkdir_type *, mkdir);
    return strikes(path, 'M') ? -1 : mkdir_function(path, mode);
}
