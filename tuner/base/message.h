/* Messages between the coordinator and its processes (base/worker.h), over a socket.
 *
 * A frame with the format's version and checksums precedes each message. Both ends refuse messages of another version
 * of cutune, and truncated or changed ones. base/pack.h packs the bytes. */
#ifndef CUTUNE_BASE_MESSAGE_H
#define CUTUNE_BASE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum { MESSAGE_FRAME_BYTES = 40 };

/* A message: a kind known to both sides, a number that matches answers with requests, and bytes. */
struct message {
    uint32_t kind;
    uint64_t id;
    const char *bytes; /* borrowed: valid until the next receive from the same peer */
    size_t length;
};

/* ---- Blocking calls; false when the other side is gone or sends something other than a message ---- */

bool message_send(int socket, uint32_t kind, uint64_t id, const void *bytes, size_t length);
/* `buffer` owns the bytes of the message. */
bool message_receive(int socket, struct text *buffer, struct message *message);

/* ---- For worker.c: a non-blocking socket ---- */

/* False if the other side does not read until the deadline, on clock_now_ns(). */
bool message_send_until(int socket, uint32_t kind, uint64_t id, const void *bytes, size_t length, int64_t deadline_ns);
/* Finds a message, behind its frame, in the received bytes. 1: found; 0: incomplete; -1: not a message. *version:
 * the other side's version, once it is known to differ. */
int message_find(const char *bytes, size_t there, struct message *message, uint32_t *version);
/* True if the bytes of a found message match its frame's checksum. */
bool message_is_unchanged(const struct message *message);

#endif
