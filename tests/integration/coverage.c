/* Only in coverage builds: a process that ends by _exit or is killed writes its counts before. Workers write them
 * before each answer, and are not killed while they write. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

void __gcov_dump(void);
void __gcov_reset(void);

/* Opened anew each time, because workers close inherited descriptors. Closing the descriptor releases the lock. */
static int lock(void)
{
    int file = open(COVERAGE_LOCK, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file >= 0)
        flock(file, LOCK_EX);
    return file;
}

/* A test process with a file size limit writes no counts, unless it can raise the limit. */
static void dump(void)
{
    struct rlimit limit = {0, 0}, none = {RLIM_INFINITY, RLIM_INFINITY};
    getrlimit(RLIMIT_FSIZE, &limit);
    none.rlim_max = limit.rlim_max;
    if (limit.rlim_cur != RLIM_INFINITY && setrlimit(RLIMIT_FSIZE, &none))
        return;
    int file = lock();
    __gcov_dump();
    close(file);
    setrlimit(RLIMIT_FSIZE, &limit);
}

int __real_kill(pid_t process, int number);
int __wrap_kill(pid_t process, int number);
int __wrap_kill(pid_t process, int number)
{
    int file = lock(), result = __real_kill(process, number);
    close(file);
    return result;
}

_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);
_Noreturn void __wrap__exit(int status)
{
    dump();
    __real__exit(status);
}

/* Weak: most programs have no workers. */
bool __real_message_send(int socket, uint32_t kind, uint64_t id, const void *bytes, size_t length)
    __attribute__((weak));
bool __wrap_message_send(int socket, uint32_t kind, uint64_t id, const void *bytes, size_t length);
bool __wrap_message_send(int socket, uint32_t kind, uint64_t id, const void *bytes, size_t length)
{
    dump();
    __gcov_reset();
    return __real_message_send(socket, kind, id, bytes, length);
}
