#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/worker.h"
#include "session/session_agent.h"
#include "session_world.h"

static void run_agent(int socket, void *context)
{
    setenv("CUTUNE_CACHE", context, 1);
    session_serve(socket, &(struct session_agent){.jobs = 1}, NULL);
}

/* Returns the kind of the next message; 0: the agent has ended. */
static uint32_t hear(struct worker *worker, struct message *message)
{
    for (int64_t end_ns = clock_now_ns() + 20000000000; clock_now_ns() < end_ns;) {
        int got = worker_receive(worker, message);
        if (got)
            return got < 0 ? 0 : message->kind;
        worker_wait(&worker, 1, INT64_MAX);
    }
    CU_FAIL("no answer");
    return 0;
}

static void say(struct worker *worker, uint32_t kind, uint64_t job, const struct pack_table *table, const void *from)
{
    struct text text = {0};
    if (table)
        pack_struct(&text, table, from);
    CU_ASSERT_EQUAL(worker_send(worker, kind, job, text_string(&text), text.length, INT64_MAX, NULL), 0);
    text_free(&text);
}

static void expect_refused(const char *row, struct worker *worker, const char *why)
{
    struct message message;
    CU_ASSERT_EQUAL_FATAL(hear(worker, &message), REMOTE_REFUSED);
    struct unpack unpack = unpack_start(message.bytes, message.length);
    session_expect(row, "the reason", why, unpack_string(&unpack));
}

/* Bad jobs are refused one after the other; a message out of order ends the agent. */
static void refuses(void)
{
    struct scratch scratch = scratch_open("cache");
    struct worker worker = {0};
    struct message message;
    char hash[HASH_HEX_BYTES], files[200];
    hash_hex("A B C", 5, hash);
    snprintf(files, sizeof files, "%s 5 /far/k.cu", hash);
    struct remote_job job = {.synthetic = true,
                             .folder = "/far",
                             .space_path = "t.space",
                             .replay = "",
                             .space_text = "space 2\nparam A 1\n",
                             .space_length = 18,
                             .conditions = "",
                             .part = "",
                             .defines = "",
                             .sets = "",
                             .configurations = "",
                             .files = ""};
    CU_ASSERT_EQUAL_FATAL(worker_start(&worker, run_agent, scratch.path, NULL), 0);

    say(&worker, REMOTE_JOB, 1, &remote_job_table, &job);
    CU_ASSERT_EQUAL_FATAL(hear(&worker, &message), REMOTE_LACKS);
    CU_ASSERT(message.id == 1 && message.length == 0);
    expect_refused("a wrong space", &worker, "expected '=', not '1'");

    job.space_text = session_text;
    job.space_length = sizeof session_text - 1;
    job.files = files;
    job.file_count = 1;
    say(&worker, REMOTE_JOB, 2, &remote_job_table, &job);
    CU_ASSERT_EQUAL_FATAL(hear(&worker, &message), REMOTE_LACKS);
    CU_ASSERT_EQUAL(message.length, 8);
    say(&worker, REMOTE_FILE, 2, &remote_part_table, &(struct remote_part){.total = 5, .length = 5, .bytes = "A B D"});
    expect_refused("a changed file", &worker, "/far/k.cu has changed on the way");
    say(&worker, REMOTE_END, 2, NULL, NULL); /* harmless */

    for (uint64_t number = 3; number < 5; number++) { /* the second time, nothing is missing */
        say(&worker, REMOTE_JOB, number, &remote_job_table, &job);
        CU_ASSERT_EQUAL_FATAL(hear(&worker, &message), REMOTE_LACKS);
        CU_ASSERT_EQUAL(message.length, number == 3 ? 8 : 0);
        if (number == 3) {
            say(&worker, REMOTE_FILE, number, &remote_part_table,
                &(struct remote_part){.total = 5, .length = 2, .bytes = "A "});
            say(&worker, REMOTE_FILE, number, &remote_part_table,
                &(struct remote_part){.offset = 2, .total = 5, .length = 3, .bytes = "B C"});
        }
        CU_ASSERT_EQUAL_FATAL(hear(&worker, &message), REMOTE_READY);
        struct remote_ready ready;
        CU_ASSERT_FATAL(unpack_whole(message.bytes, message.length, &remote_ready_table, &ready));
        CU_ASSERT(ready.configurations == SESSION_VALID && ready.devices == 1);
        session_expect("ready", "the version", CUTUNE_VERSION, ready.version);
        say(&worker, REMOTE_END, number, NULL, NULL);
    }

    say(&worker, REMOTE_READY, 5, NULL, NULL);
    CU_ASSERT_EQUAL(hear(&worker, &message), 0);
    worker_stop(&worker);
    char command[300];
    snprintf(command, sizeof command, "rm -r '%s'", scratch.path);
    CU_ASSERT_EQUAL(system(command), 0);
    scratch_close(&scratch);
}

/* However a file's path goes, it ends below the folder that stands for the other host's root. */
static void places(void)
{
    static const struct {
        const char *path;
        bool placed;
    } rows[] = {
        {"/far/k.cu", true},
        {"/far/space/../k.cu", true},
        {"/far/a/b/../../k.cu", true},
        {"/far/./k.cu", true},
        {"/far//a/..//k.cu", true},
        {"/..k.cu", true},
        {"/../k.cu", false},
        {"/far/../../k.cu", false},
        {"/far/../../far/k", false},
        {"far/k.cu", false},
        {"/far/..", false},
        {"/far/a/..", false},
        {"/far/a/.", false},
        {"/far/", false},
        {"/", false},
    };
    struct scratch scratch = scratch_open("cache");
    char hash[HASH_HEX_BYTES], files[200], command[300];
    hash_hex("A B C", 5, hash);
    struct remote_job job = {.synthetic = true,
                             .folder = "/far",
                             .space_path = "t.space",
                             .replay = "",
                             .space_text = session_text,
                             .space_length = sizeof session_text - 1,
                             .conditions = "",
                             .part = "",
                             .defines = "",
                             .sets = "",
                             .configurations = "",
                             .files = files,
                             .file_count = 1};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct worker worker = {0};
        struct message message;
        snprintf(files, sizeof files, "%s 5 %s", hash, rows[i].path);
        CU_ASSERT_EQUAL_FATAL(worker_start(&worker, run_agent, scratch.path, NULL), 0);
        say(&worker, REMOTE_JOB, 1, &remote_job_table, &job);
        bool placed = hear(&worker, &message) == REMOTE_LACKS;
        session_expect(rows[i].path, "placed", rows[i].placed ? "yes" : "no", placed ? "yes" : "no");
        worker_stop(&worker);
    }
    snprintf(command, sizeof command, "rm -r '%s'", scratch.path);
    CU_ASSERT_EQUAL(system(command), 0);
    scratch_close(&scratch);
}

CU_TestInfo tests_session_agent[] = {
    {"where files are placed", places},
    {"bad jobs are refused", refuses},
    CU_TEST_INFO_NULL,
};
