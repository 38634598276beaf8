#include "base/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/pack.h"

struct channel channel_open(int socket)
{
    fcntl(socket, F_SETFL, O_NONBLOCK);
    return (struct channel){.socket = socket};
}

void channel_close(struct channel *channel)
{
    close(channel->socket);
    text_free(&channel->received);
    channel->socket = -1;
    channel->spoiled = true;
}

void channel_refuse(struct channel *channel)
{
    channel->spoiled = channel->garbled = true;
}

bool channel_send(struct channel *channel, uint32_t kind, uint64_t id, const void *bytes, size_t length,
                  int64_t deadline_ns)
{
    if (channel->spoiled || !message_send_until(channel->socket, kind, id, bytes, length, deadline_ns))
        channel->spoiled = true;
    return !channel->spoiled;
}

int channel_check_version(const struct channel *channel, const char *what, struct error *error)
{
    if (!channel->version)
        return 0;
    int code = error_set(error, ERROR_WORKER, "the %s has messages of version %u, this program of version %d", what,
                         channel->version, PACK_VERSION);
    error_hint(error, "both must be the same version of cutune");
    return code;
}

/* Finds a whole message behind the first `skip` received bytes. 1: found; 0: incomplete; -1: not a message. */
static int find_message(struct channel *channel, size_t skip, struct message *message)
{
    const struct text *received = &channel->received;
    return received->length > skip
               ? message_find(received->bytes + skip, received->length - skip, message, &channel->version)
               : 0;
}

bool channel_has_more(struct channel *channel)
{
    struct message message;
    return find_message(channel, channel->taken, &message) != 0;
}

static int take_message(struct channel *channel, struct message *message)
{
    int whole = find_message(channel, 0, message);
    if (whole > 0 && !message_is_unchanged(message))
        whole = -1;
    if (whole > 0)
        channel->taken = MESSAGE_FRAME_BYTES + message->length;
    if (whole < 0)
        channel_refuse(channel);
    return whole;
}

int channel_receive(struct channel *channel, struct message *message)
{
    if (channel->socket < 0 || channel->garbled) /* messages after a refused one are ignored */
        return -1;
    if (channel->taken) {
        struct text *received = &channel->received;
        received->length -= channel->taken;
        memmove(received->bytes, received->bytes + channel->taken, received->length);
        channel->taken = 0;
    }
    for (;;) {
        int whole = take_message(channel, message);
        if (whole)
            return whole;
        char chunk[64 << 10];
        ssize_t got = recv(channel->socket, chunk, sizeof chunk, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return 0;
        if (got > 0)
            text_append(&channel->received, chunk, (size_t)got);
        if (got <= 0 || channel->received.failed) {
            channel->spoiled = true;
            return -1;
        }
    }
}
