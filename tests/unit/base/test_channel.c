#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "base/channel.h"
#include "base/clock.h"
#include "base/pack.h"

static void open_ends(struct channel ends[2])
{
    int sockets[2];
    CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
    for (int i = 0; i < 2; i++)
        ends[i] = channel_open(sockets[i]);
}

static bool say(struct channel *channel, uint32_t kind, const char *text)
{
    return channel_send(channel, kind, 7, text, strlen(text), clock_now_ns() + 1000000000);
}

/* Messages arrive in order; the second arrives together with the first. */
static void in_order(void)
{
    struct channel ends[2];
    struct message message;
    open_ends(ends);
    CU_ASSERT_EQUAL(channel_receive(&ends[1], &message), 0);
    CU_ASSERT(say(&ends[0], 3, "one") && say(&ends[0], 4, "two"));
    CU_ASSERT_FALSE(channel_has_more(&ends[1]));
    CU_ASSERT_EQUAL_FATAL(channel_receive(&ends[1], &message), 1);
    CU_ASSERT(message.kind == 3 && message.id == 7 && message.length == 3 && memcmp(message.bytes, "one", 3) == 0);
    CU_ASSERT(channel_has_more(&ends[1]));
    CU_ASSERT_EQUAL_FATAL(channel_receive(&ends[1], &message), 1);
    CU_ASSERT(message.kind == 4 && memcmp(message.bytes, "two", 3) == 0);
    CU_ASSERT_FALSE(channel_has_more(&ends[1]));
    CU_ASSERT_EQUAL(channel_receive(&ends[1], &message), 0);
    channel_close(&ends[0]);
    CU_ASSERT(ends[0].spoiled);
    errno = EINTR; /* of an earlier call */
    CU_ASSERT_EQUAL(channel_receive(&ends[1], &message), -1);
    CU_ASSERT(ends[1].spoiled && !ends[1].garbled);
    CU_ASSERT_FALSE(say(&ends[1], 1, ""));
    CU_ASSERT_EQUAL(channel_receive(&ends[0], &message), -1); /* closed */
    channel_close(&ends[1]);
}

static void what_is_no_message(void)
{
    struct channel ends[2];
    struct message message;
    struct error error = {0};
    open_ends(ends);
    CU_ASSERT_EQUAL(send(ends[0].socket, "no message", 10, 0), 10);
    CU_ASSERT_EQUAL(channel_receive(&ends[1], &message), -1);
    CU_ASSERT(ends[1].garbled);
    CU_ASSERT_EQUAL(channel_check_version(&ends[1], "peer", &error), 0);
    CU_ASSERT(say(&ends[0], 1, "too late"));
    CU_ASSERT_EQUAL(channel_receive(&ends[1], &message), -1);
    channel_close(&ends[0]);
    channel_close(&ends[1]);

    unsigned char word[8];
    open_ends(ends);
    pack_store(word, 0x75747563 | (uint64_t)(PACK_VERSION + 1) << 32);
    CU_ASSERT_EQUAL(send(ends[0].socket, word, sizeof word, 0), sizeof word);
    CU_ASSERT_EQUAL(channel_receive(&ends[1], &message), -1);
    CU_ASSERT_EQUAL(channel_check_version(&ends[1], "peer", &error), ERROR_WORKER);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "the peer has messages of version"));
    channel_close(&ends[0]);
    channel_close(&ends[1]);
}

/* Sending to a side that does not read ends at the deadline. */
static void unread(void)
{
    static char much[4 << 20];
    struct channel ends[2];
    open_ends(ends);
    CU_ASSERT_FALSE(channel_send(&ends[0], 1, 1, much, sizeof much, clock_now_ns() + 50000000));
    CU_ASSERT(ends[0].spoiled);
    channel_close(&ends[0]);
    channel_close(&ends[1]);
}

CU_TestInfo tests_channel[] = {
    {"messages arrive in order", in_order},
    {"anything but a message is refused", what_is_no_message},
    {"a side that does not read is given up", unread},
    CU_TEST_INFO_NULL,
};
