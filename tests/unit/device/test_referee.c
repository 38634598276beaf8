/* Results that the referee receives from a process that nobody trusts: only whole ones inside of buffers are taken. */
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "device/buffers.h"
#include "device/messages.h"
#include "device/referee.h"
#include "fake_gpu.h"

static struct gpu gpu; /* large */

enum { OTHER_END = 1, FIRST_SEED = 7 };
static int ends[2];

/* Sets up a referee whose set 0 has a reference. */
static void begin(void)
{
    test_gpu_begin(&gpu, FILL_NONE);
    gpu.sets[0] = calloc(1, sizeof *gpu.sets[0]);
    CU_ASSERT_PTR_NOT_NULL_FATAL(gpu.sets[0]);
    gpu.sets[0]->reference = test_kernel("fake: letter=r");
    strcpy(gpu.sets[0]->name, "the reference kernel");
    gpu.set = gpu.sets[0];
    test_gpu_refill(&gpu);
    CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    gpu.socket = ends[0];
}

static void end(void)
{
    close(ends[0]);
    close(ends[OTHER_END]);
    free(gpu.sets[0]);
    test_gpu_close(&gpu);
}

static void send_message(const struct results_message *part, bool last)
{
    struct text text = {0};
    pack_struct(&text, &results_table, part);
    CU_ASSERT(!text.failed && message_send(ends[OTHER_END], MESSAGE_RESULTS, last, text.bytes, text.length));
    text_free(&text);
}

static void send_part(uint64_t buffer, uint64_t at, const void *bytes, uint64_t length, bool last)
{
    send_message(&(struct results_message){.buffer = buffer, .at = at, .bytes = bytes, .length = length}, last);
}

static int judge(struct measurement *measurement, struct error *error)
{
    struct gpu_kernel kernel = test_kernel("fake:");
    return gpu_referee(&gpu, FIRST_SEED, &kernel, measurement, error);
}

/* Without any results, the outputs are still poisoned. */
static void never_come(void)
{
    struct measurement measurement;
    struct error error = {0};
    begin();
    send_part(0, 0, "", 0, true);
    CU_ASSERT_EQUAL(judge(&measurement, &error), 0);
    CU_ASSERT_EQUAL(measurement.status, STATUS_WRONG_RESULT);
    end();
}

static void outside(void)
{
    const uint64_t whole = GUARD_BYTES + TEST_COUNT * sizeof(float) + GUARD_BYTES;
    const struct {
        uint64_t buffer, at, length;
        const char *message; /* NULL: taken */
    } rows[] = {
        {TEST_OUT, whole - 1, 1, NULL},
        {TEST_BUFFERS, 0, 1, "the referee does not understand the results"},
        {UINT64_MAX, 0, 1, "the referee does not understand the results"},
        {TEST_OUT, whole, 1, "the results of out are larger than the buffer"},
        {TEST_OUT, whole - 1, 2, "the results of out are larger than the buffer"},
        {TEST_OUT, UINT64_MAX, 2, "the results of out are larger than the buffer"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        static const char bytes[4];
        struct measurement measurement;
        struct error error = {0};
        begin();
        CU_ASSERT_EQUAL(gpu.buffers[TEST_OUT].spare_bytes, 0);
        send_part(rows[i].buffer, rows[i].at, bytes, rows[i].length, false);
        send_part(0, 0, "", 0, true);
        CU_ASSERT_EQUAL(judge(&measurement, &error), rows[i].message ? ERROR_WORKER : 0);
        expect_text(error.message, rows[i].message ? rows[i].message : "");
        end();
    }
}

/* Results that cannot be mapped are asked for once. */
static void mapped(void)
{
    static const struct {
        size_t handle;     /* bytes of it that come */
        bool twice;        /* it comes again, in place of the contents */
        const char *error; /* NULL: judged */
    } rows[] = {{sizeof(cudaIpcMemHandle_t), false, NULL},
                {sizeof(cudaIpcMemHandle_t) - 1, false, NULL},
                {sizeof(cudaIpcMemHandle_t), true, "the referee does not understand the results"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        static const cudaIpcMemHandle_t nothing; /* no file of any process */
        const struct results_message part = {
            .buffer = TEST_OUT, .bytes = &nothing, .length = rows[i].handle, .mapped = sizeof(float)};
        struct measurement measurement;
        struct error error = {0};
        begin();
        for (int times = 0; times < 2; times++) {
            if (!times || rows[i].twice)
                send_message(&part, false);
            send_part(0, 0, "", 0, true);
        }
        CU_ASSERT_EQUAL(judge(&measurement, &error), rows[i].error ? ERROR_WORKER : 0);
        expect_text(error.message, rows[i].error ? rows[i].error : "");
        struct text text = {0};
        struct message asked;
        CU_ASSERT(message_receive(ends[OTHER_END], &text, &asked));
        CU_ASSERT(asked.kind == MESSAGE_RESULTS && asked.length == 0);
        text_free(&text);
        end();
    }
}

static void garbled(void)
{
    struct measurement measurement;
    struct error error = {0};
    begin();
    CU_ASSERT(message_send(ends[OTHER_END], MESSAGE_RESULTS, 0, "x", 1));
    CU_ASSERT_EQUAL(judge(&measurement, &error), ERROR_WORKER);
    expect_text(error.message, "the referee does not understand the results");
    end();
    error = (struct error){0};
    begin();
    shutdown(ends[OTHER_END], SHUT_WR);
    CU_ASSERT_EQUAL(judge(&measurement, &error), ERROR_WORKER);
    expect_text(error.message, "the referee received no results");
    end();
}

CU_TestInfo tests_referee[] = {{"results that never come", never_come},
                               {"outside", outside},
                               {"mapped", mapped},
                               {"garbled", garbled},
                               CU_TEST_INFO_NULL};
