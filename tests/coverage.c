/* Only in builds that count which lines run: a process that ends by _exit or is killed has written its counts before.
 * Workers are killed while they wait, so they write them before each answer. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void __gcov_dump(void);
void __gcov_reset(void);

_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);
_Noreturn void __wrap__exit(int status)
{
    __gcov_dump();
    __real__exit(status);
}

/* Weak: most programs have no workers. */
bool __real_message_send(int socket, uint32_t kind, uint64_t id, const void *bytes, size_t length)
    __attribute__((weak));
bool __wrap_message_send(int socket, uint32_t kind, uint64_t id, const void *bytes, size_t length);
bool __wrap_message_send(int socket, uint32_t kind, uint64_t id, const void *bytes, size_t length)
{
    __gcov_dump();
    __gcov_reset();
    return __real_message_send(socket, kind, id, bytes, length);
}
