/* Programs of worker processes, and waiting for their messages: for the suites of base/worker.h and base/message.h. */
#ifndef CUTUNE_TESTS_PROCESSES_H
#define CUTUNE_TESTS_PROCESSES_H

#include "base/clock.h"
#include "base/worker.h"

static const int64_t second_ns = 1000000000;

static inline void echo(int socket, void *context)
{
    struct text buffer = {0};
    struct message message;
    (void)context;
    while (message_receive(socket, &buffer, &message))
        if (!message_send(socket, message.kind, message.id, message.bytes, message.length))
            break;
    text_free(&buffer);
}

static inline void spin(int socket, void *context)
{
    (void)socket;
    (void)context;
    for (volatile unsigned turn = 0;; turn++)
        ;
}

static inline int receive(struct worker *worker, struct message *message)
{
    int64_t until_ns = clock_now_ns() + 60 * second_ns;
    int received;
    while ((received = worker_receive(worker, message)) == 0 && clock_now_ns() < until_ns)
        worker_wait(&worker, 1, until_ns);
    return received;
}

#endif
