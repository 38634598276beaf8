/* One end of a conversation in messages (base/message.h) over a non-blocking socket. The other end is a process of
 * this host or, behind a relay, of another. */
#ifndef CUTUNE_BASE_CHANNEL_H
#define CUTUNE_BASE_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/message.h"
#include "base/text.h"

struct channel {
    int socket;           /* non-blocking */
    struct text received; /* bytes received, including a partial message */
    size_t taken;         /* bytes of the message that the last receive returned */
    bool spoiled;         /* the other side closed or broke the connection */
    bool garbled;         /* the other side sent something other than a message */
    uint32_t version;     /* of the other side's messages if it is not PACK_VERSION; 0: no other version seen */
};

/* Takes over an open socket and makes it non-blocking. */
struct channel channel_open(int socket);
void channel_close(struct channel *channel);

/* False if the other side is gone or does not read until the deadline, on clock_now_ns(); the channel is then
 * spoiled. */
bool channel_send(struct channel *channel, uint32_t kind, uint64_t id, const void *bytes, size_t length,
                  int64_t deadline_ns);

/* Takes a received message without waiting. 1: a message, whose bytes are valid until the next call; 0: no complete
 * message yet; -1: the other side is gone or sent something else. */
int channel_receive(struct channel *channel, struct message *message);

/* True if the next receive returns without reading: a whole message, or something that is not a message, has
 * arrived. */
bool channel_has_more(struct channel *channel);

/* Ignores the other side from now on, because its message makes no sense. */
void channel_refuse(struct channel *channel);

/* ERROR_WORKER if the other side speaks another version of the messages; 0 otherwise. `what`: "compiler process". */
int channel_check_version(const struct channel *channel, const char *what, struct error *error);

#endif
