#include "base/message.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/pack.h"

/* The frame in front of a message, in words of 8 bytes. The first word is the same in all versions. */
enum {
    FRAME_VERSION, /* magic in the lower half, version in the upper */
    FRAME_KIND,
    FRAME_ID,
    FRAME_LENGTH,
    FRAME_CHECKSUMS, /* of the earlier words in the lower half, of the message's bytes in the upper */
    FRAME_WORDS,
    WORD_BYTES = MESSAGE_FRAME_BYTES / FRAME_WORDS
};

enum { FRAME_MAGIC = 0x75747563 /* "cutu" */ };
static const uint64_t message_max_bytes = (uint64_t)1 << 32;

static bool wait_writable(int socket, int64_t deadline_ns)
{
    for (;;) {
        int64_t left = deadline_ns - clock_now_ns();
        if (left <= 0)
            return false;
        int64_t wait_ms = left / 1000000 + 1;
        struct pollfd poll_fd = {.fd = socket, .events = POLLOUT};
        int ready = poll(&poll_fd, 1, wait_ms > 1000 ? 1000 : (int)wait_ms);
        if (ready > 0)
            return true;
        if (ready < 0 && errno != EINTR)
            return false;
    }
}

static bool send_until(int socket, const void *bytes, size_t length, int64_t deadline_ns)
{
    const char *at = bytes;
    while (length) {
        ssize_t sent = send(socket, at, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            if (!wait_writable(socket, deadline_ns))
                return false;
            continue;
        }
        if (sent < 0)
            return false;
        at += sent;
        length -= (size_t)sent;
    }
    return true;
}

static uint32_t checksum(const void *bytes, size_t length)
{
    return (uint32_t)hash_u64(bytes, length, 0);
}

static void store_words(unsigned char *bytes, const uint64_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pack_store(bytes + i * WORD_BYTES, words[i]);
}

static uint64_t frame_word(const void *bytes, int word)
{
    return pack_load((const unsigned char *)bytes + word * WORD_BYTES);
}

bool message_send_until(int socket, uint32_t kind, uint64_t id, const void *bytes, size_t length, int64_t deadline_ns)
{
    unsigned char frame[MESSAGE_FRAME_BYTES];
    const uint64_t words[] = {[FRAME_VERSION] = FRAME_MAGIC | (uint64_t)PACK_VERSION << 32,
                              [FRAME_KIND] = kind,
                              [FRAME_ID] = id,
                              [FRAME_LENGTH] = length};
    store_words(frame, words, FRAME_CHECKSUMS);
    pack_store(frame + FRAME_CHECKSUMS * WORD_BYTES,
               checksum(frame, FRAME_CHECKSUMS * WORD_BYTES) | (uint64_t)checksum(bytes, length) << 32);
    return send_until(socket, frame, sizeof frame, deadline_ns) && send_until(socket, bytes, length, deadline_ns);
}

/* Parses the part of a frame that has arrived. 1: complete, *message has everything but the bytes; 0: incomplete;
 * -1: not a frame. *version: the other side's version, once it is known to differ. */
static int read_frame(const void *bytes, size_t there, struct message *message, uint32_t *version)
{
    if (there < WORD_BYTES)
        return 0;
    uint64_t first = frame_word(bytes, FRAME_VERSION);
    if ((uint32_t)first != FRAME_MAGIC)
        return -1;
    if (first >> 32 != PACK_VERSION) {
        *version = (uint32_t)(first >> 32);
        return -1;
    }
    if (there < MESSAGE_FRAME_BYTES)
        return 0;
    *message = (struct message){.kind = (uint32_t)frame_word(bytes, FRAME_KIND),
                                .id = frame_word(bytes, FRAME_ID),
                                .length = (size_t)frame_word(bytes, FRAME_LENGTH)};
    return (uint32_t)frame_word(bytes, FRAME_CHECKSUMS) == checksum(bytes, FRAME_CHECKSUMS * WORD_BYTES) &&
                   message->length <= message_max_bytes
               ? 1
               : -1;
}

/* True if the bytes match the frame's checksum. */
static bool is_unchanged(const void *frame, const void *bytes, size_t length)
{
    return frame_word(frame, FRAME_CHECKSUMS) >> 32 == checksum(bytes, length);
}

int message_find(const char *bytes, size_t there, struct message *message, uint32_t *version)
{
    int whole = read_frame(bytes, there, message, version);
    if (whole <= 0 || there - MESSAGE_FRAME_BYTES < message->length)
        return whole < 0 ? -1 : 0;
    message->bytes = bytes + MESSAGE_FRAME_BYTES;
    return 1;
}

bool message_is_unchanged(const struct message *message)
{
    return is_unchanged(message->bytes - MESSAGE_FRAME_BYTES, message->bytes, message->length);
}

bool message_send(int socket, uint32_t kind, uint64_t id, const void *bytes, size_t length)
{
    return message_send_until(socket, kind, id, bytes, length, INT64_MAX);
}

static bool receive_exactly(int socket, void *bytes, size_t length)
{
    char *at = bytes;
    while (length) {
        ssize_t got = recv(socket, at, length, MSG_WAITALL);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        length -= (size_t)got;
    }
    return true;
}

/* Sends this version to a peer of another version before the conversation ends. */
static bool receive_frame(int socket, unsigned char *frame, struct message *message)
{
    uint32_t version = 0;
    if (receive_exactly(socket, frame, WORD_BYTES) && !read_frame(frame, WORD_BYTES, message, &version))
        return receive_exactly(socket, frame + WORD_BYTES, MESSAGE_FRAME_BYTES - WORD_BYTES) &&
               read_frame(frame, MESSAGE_FRAME_BYTES, message, &version) > 0;
    if (version)
        message_send(socket, 0, 0, "", 0);
    return false;
}

bool message_receive(int socket, struct text *buffer, struct message *message)
{
    unsigned char frame[MESSAGE_FRAME_BYTES];
    if (!receive_frame(socket, frame, message))
        return false;
    text_clear(buffer);
    if (buffer->capacity <= message->length) {
        char *bytes = realloc(buffer->bytes, message->length + 1);
        if (!bytes)
            return false;
        buffer->bytes = bytes;
        buffer->capacity = message->length + 1;
    }
    if (!receive_exactly(socket, buffer->bytes, message->length) ||
        !is_unchanged(frame, buffer->bytes, message->length))
        return false;
    buffer->length = message->length;
    buffer->bytes[buffer->length] = '\0';
    message->bytes = buffer->bytes;
    return true;
}
