#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "base/message.h"
#include "base/pack.h"
#include "base/worker.h"

#include "processes.h"

/* The frame of a message, as other versions know it. */
enum { WORD_BYTES = 8, FRAME_BYTES = 40 };
static const uint64_t frame_magic = 0x75747563; /* "cutu" */

/* A stale errno does not make the call wait again at the end of the stream. */
static void an_end_is_no_interruption(void)
{
    int sockets[2];
    struct text buffer = {0};
    struct message message;
    CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
    close(sockets[1]);
    errno = EINTR;
    CU_ASSERT_FALSE(message_receive(sockets[0], &buffer, &message));
    close(sockets[0]);
    text_free(&buffer);
}

/* Behaves like a program with another version of the format. */
static void speak_another_version(int socket, void *context)
{
    unsigned char frame[FRAME_BYTES] = {0};
    (void)context;
    pack_store(frame, frame_magic | (uint64_t)(PACK_VERSION + 6) << 32);
    send(socket, frame, WORD_BYTES, 0); /* the rest has another format */
    spin(socket, NULL);
}

static void another_version_is_told(void)
{
    struct worker worker = {0};
    struct message message;
    struct error error = {0};
    char expected[200];
    CU_ASSERT_EQUAL_FATAL(worker_start(&worker, speak_another_version, NULL, NULL), 0);
    CU_ASSERT_EQUAL(worker_check_version(&worker, "compiler", &error), 0);
    CU_ASSERT_EQUAL(receive(&worker, &message), -1);
    CU_ASSERT_EQUAL(worker_check_version(&worker, "compiler", &error), ERROR_WORKER);
    snprintf(expected, sizeof expected, "the compiler process has messages of version %d, this program of version %d",
             PACK_VERSION + 6, PACK_VERSION);
    CU_ASSERT_STRING_EQUAL(error.message, expected);
    CU_ASSERT_STRING_EQUAL(error.hint, "both must be the same version of cutune");
    worker_stop(&worker);
    CU_ASSERT_EQUAL(worker_check_version(&worker, "compiler", NULL), 0);

    /* Conversely, the process sends its own version and ends. */
    unsigned char frame[FRAME_BYTES] = {0};
    CU_ASSERT_EQUAL_FATAL(worker_start(&worker, echo, NULL, NULL), 0);
    pack_store(frame, frame_magic | (uint64_t)(PACK_VERSION + 1) << 32);
    CU_ASSERT_EQUAL(send(worker.channel.socket, frame, sizeof frame, 0), sizeof frame);
    CU_ASSERT_EQUAL(receive(&worker, &message), 1);
    CU_ASSERT_EQUAL(message.kind, 0);
    CU_ASSERT_EQUAL(message.length, 0);
    CU_ASSERT_EQUAL(receive(&worker, &message), -1);
    worker_stop(&worker);
}

/* Sends its context unchanged. */
struct raw {
    unsigned char bytes[FRAME_BYTES + 64];
    size_t length;
    bool ends;
};
static void send_raw(int socket, void *context)
{
    const struct raw *raw = context;
    send(socket, raw->bytes, raw->length, 0);
    if (!raw->ends)
        spin(socket, NULL);
}

/* A message as sent. */
static struct raw record(const char *bytes, size_t length)
{
    struct raw raw = {0};
    int ends[2];
    CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    CU_ASSERT(message_send(ends[0], 3, 4, bytes, length));
    raw.length = (size_t)recv(ends[1], raw.bytes, sizeof raw.bytes, 0);
    close(ends[0]);
    close(ends[1]);
    return raw;
}

/* The blocking side reads the same bytes. */
static bool reads(const struct raw *raw)
{
    struct text buffer = {0};
    struct message message;
    int ends[2];
    CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    CU_ASSERT_EQUAL(send(ends[0], raw->bytes, raw->length, 0), (ssize_t)raw->length);
    shutdown(ends[0], SHUT_WR);
    bool good = message_receive(ends[1], &buffer, &message);
    text_free(&buffer);
    close(ends[0]);
    close(ends[1]);
    return good;
}

static void changes_are_refused(void)
{
    static const char words[] = "a message";
    struct raw whole = record(words, sizeof words);
    CU_ASSERT_EQUAL_FATAL(whole.length, FRAME_BYTES + sizeof words);
    CU_ASSERT(reads(&whole));
    for (size_t cut = 0; cut < whole.length; cut++) {
        struct raw raw = whole;
        raw.length = cut;
        CU_ASSERT(!reads(&raw));
    }
    for (size_t bit = 0; bit < 8 * whole.length; bit++) {
        struct raw raw = whole;
        raw.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        CU_ASSERT(!reads(&raw));
    }
    /* The coordinator's side: one changed bit in each word and in the bytes; the process keeps running. */
    for (size_t byte = 0; byte < whole.length; byte += WORD_BYTES) {
        struct worker worker = {0};
        struct message message;
        char epitaph[64];
        struct raw raw = whole;
        raw.bytes[byte] ^= 0x10;
        CU_ASSERT_EQUAL_FATAL(worker_start(&worker, send_raw, &raw, NULL), 0);
        CU_ASSERT_EQUAL(receive(&worker, &message), -1);
        CU_ASSERT(worker.channel.spoiled);
        worker_stop(&worker);
        CU_ASSERT_STRING_EQUAL(worker_epitaph(&worker, epitaph, sizeof epitaph), "stopped for a garbled answer");
    }
    struct worker worker = {0};
    struct message message;
    struct raw cut = whole;
    cut.length--;
    cut.ends = true;
    CU_ASSERT_EQUAL_FATAL(worker_start(&worker, send_raw, &cut, NULL), 0);
    CU_ASSERT_EQUAL(receive(&worker, &message), -1);
    worker_stop(&worker);
}

CU_TestInfo tests_message[] = {
    {"an end is no interruption", an_end_is_no_interruption},
    {"both sides detect another version", another_version_is_told},
    {"truncated or changed messages are refused", changes_are_refused},
    CU_TEST_INFO_NULL,
};
