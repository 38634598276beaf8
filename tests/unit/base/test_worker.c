#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "base/clock.h"
#include "base/worker.h"

#include "processes.h"

/* ---- Programs of the test processes ---- */

static void say_so_and_spin(int socket, void *context)
{
    message_send(socket, 1, 1, "", 0);
    spin(socket, context);
}

/* Ends by the signal in the context or, if it is negative, with that exit status. */
static void end(int socket, void *context)
{
    int how = *(int *)context;
    (void)socket;
    if (how > 0)
        raise(how);
    _exit(-how);
}

static void answer_twice(int socket, void *context)
{
    struct text buffer = {0};
    struct message message;
    (void)context;
    if (message_receive(socket, &buffer, &message))
        for (uint64_t i = 0; i < 2; i++)
            message_send(socket, message.kind, i, "twice", 5);
    message_receive(socket, &buffer, &message);
    text_free(&buffer);
}

static void talk_nonsense(int socket, void *context)
{
    static const char nonsense[100] = "this is no frame";
    (void)context;
    send(socket, nonsense, sizeof nonsense, 0);
    spin(socket, NULL);
}

/* ---- Helpers ---- */

static int count_descriptors(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    if (!folder)
        return -1;
    while (readdir(folder))
        count++;
    closedir(folder);
    return count - 3; /* ".", ".." and the folder itself */
}

/* Sends the names of its open descriptors. */
static void list_descriptors(int socket, void *context)
{
    struct text list = {0};
    (void)context;
    for (int i = 0; i < 64; i++) {
        char path[64], target[64];
        ssize_t length;
        snprintf(path, sizeof path, "/proc/self/fd/%d", i);
        length = readlink(path, target, sizeof target - 1);
        if (length > 0 && i != STDERR_FILENO)
            text_printf(&list, "%d=%.*s ", i, length < 6 ? (int)length : i < 3 ? (int)length : 6, target);
    }
    message_send(socket, 1, 1, list.bytes, list.length);
    text_free(&list);
}

static bool is_gone(pid_t pid)
{
    return kill(pid, 0) == -1 && errno == ESRCH;
}

/* ---- Tests ---- */

static void messages_come_back(void)
{
    static const size_t lengths[] = {0, 1, 7, 65511, 65512, 65536, 300000, 10000000};
    struct worker worker = {0};
    CU_ASSERT_EQUAL_FATAL(worker_start(&worker, echo, NULL, NULL), 0);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct message message = {0};
        char *bytes = malloc(lengths[i] + 1);
        CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
        for (size_t j = 0; j < lengths[i]; j++)
            bytes[j] = (char)(j * 31 + j / 257 + i);
        CU_ASSERT_EQUAL(worker_send(&worker, 5, i, bytes, lengths[i], clock_now_ns() + 60 * second_ns, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(receive(&worker, &message), 1);
        CU_ASSERT_EQUAL(message.kind, 5);
        CU_ASSERT_EQUAL(message.id, i);
        CU_ASSERT_EQUAL_FATAL(message.length, lengths[i]);
        CU_ASSERT_EQUAL(memcmp(message.bytes, bytes, lengths[i]), 0);
        free(bytes);
    }
    worker_stop(&worker);
    CU_ASSERT_EQUAL(worker.pid, 0);
}

static void both_of_two_messages_wake(void)
{
    struct worker worker = {0};
    struct message message;
    CU_ASSERT_EQUAL_FATAL(worker_start(&worker, answer_twice, NULL, NULL), 0);
    CU_ASSERT_EQUAL(worker_send(&worker, 1, 0, "", 0, INT64_MAX, NULL), 0);
    for (uint64_t i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL_FATAL(receive(&worker, &message), 1);
        CU_ASSERT_EQUAL(message.id, i);
        CU_ASSERT_EQUAL(message.length, 5);
        /* Both messages have most likely arrived in one piece: an unlimited wait must not miss the second. */
        if (i == 0) {
            struct worker *waiting[] = {&worker, NULL};
            worker_wait(waiting, 2, INT64_MAX);
        }
    }
    worker_stop(&worker);
}

/* Returning from the function is a normal exit. */
static void say_and_return(int socket, void *context)
{
    (void)context;
    message_send(socket, 1, 1, "", 0);
}

static void a_return_is_a_good_end(void)
{
    struct worker worker = {0};
    struct message message;
    char epitaph[64];
    CU_ASSERT_EQUAL_FATAL(worker_start(&worker, say_and_return, NULL, NULL), 0);
    CU_ASSERT_EQUAL(receive(&worker, &message), 1);
    CU_ASSERT_EQUAL(receive(&worker, &message), -1);
    worker_stop(&worker);
    CU_ASSERT_STRING_EQUAL(worker_epitaph(&worker, epitaph, sizeof epitaph), "exited with status 0");
}

/* After worker_leave, an idle process ends by itself, another by worker_reap. */
static void left_ones_end(void)
{
    for (int busy = 0; busy < 2; busy++) {
        struct worker worker = {0};
        siginfo_t about = {0};
        CU_ASSERT_EQUAL_FATAL(worker_start(&worker, busy ? spin : echo, NULL, NULL), 0);
        pid_t pid = worker.pid;
        int before = count_descriptors();
        CU_ASSERT_EQUAL(worker_leave(&worker), pid);
        CU_ASSERT_EQUAL(worker.pid, 0);
        CU_ASSERT_EQUAL(count_descriptors(), before - 1);
        CU_ASSERT_EQUAL(worker_leave(&worker), 0); /* a second call has no effect */
        if (!busy)
            CU_ASSERT_EQUAL(waitid(P_PID, (id_t)pid, &about, WEXITED | WNOWAIT), 0);
        CU_ASSERT_FALSE(is_gone(pid)); /* or not yet reaped */
        int status = worker_reap(pid);
        CU_ASSERT(busy ? WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL
                       : WIFEXITED(status) && WEXITSTATUS(status) == 0);
        CU_ASSERT(is_gone(pid));
    }
}

static void killed_ones_end(void)
{
    struct worker worker = {0};
    char epitaph[64];
    CU_ASSERT_EQUAL_FATAL(worker_start(&worker, spin, NULL, NULL), 0);
    worker_kill(&worker);
    worker_stop(&worker);
    CU_ASSERT_STRING_EQUAL(worker_epitaph(&worker, epitaph, sizeof epitaph), "killed by signal 9 (Killed)");
    worker_kill(&worker); /* the process no longer exists */
}

/* Waiting for silent workers uses no processor time. */
static void silence_is_waited_out(void)
{
    struct worker silent = {0}, other = {0};
    struct worker *workers[] = {&silent, NULL, &other};
    struct message message;
    CU_ASSERT_EQUAL_FATAL(worker_start(&silent, echo, NULL, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(worker_start(&other, echo, NULL, NULL), 0);
    int64_t start_ns = clock_now_ns();
    worker_wait(workers, 3, start_ns + second_ns / 10);
    int64_t waited_ns = clock_now_ns() - start_ns;
    CU_ASSERT(waited_ns >= second_ns / 11 && waited_ns < 5 * second_ns);
    worker_wait(workers, 3, start_ns); /* in the past */
    CU_ASSERT_EQUAL(worker_send(&other, 1, 7, "", 0, INT64_MAX, NULL), 0);
    while (clock_now_ns() < start_ns + 60 * second_ns && worker_receive(&other, &message) != 1)
        worker_wait(workers, 3, start_ns + 60 * second_ns);
    CU_ASSERT_EQUAL(message.id, 7);
    worker_stop(&silent);
    worker_stop(&other);
}

static void ends_are_told(void)
{
    static const struct {
        int how;
        const char *epitaph;
    } rows[] = {
        {SIGKILL, "killed by signal 9 (Killed)"},
        {SIGUSR1, "killed by signal 10 (User defined signal 1)"},
        {-3, "exited with status 3"},
        {0, "exited with status 0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct worker worker = {0};
        struct message message;
        char epitaph[64];
        int how = rows[i].how;
        CU_ASSERT_EQUAL_FATAL(worker_start(&worker, end, &how, NULL), 0);
        CU_ASSERT_EQUAL(receive(&worker, &message), -1);
        CU_ASSERT_NOT_EQUAL(worker_send(&worker, 1, 1, "x", 1, INT64_MAX, NULL), 0);
        worker_stop(&worker);
        CU_ASSERT_STRING_EQUAL(worker_epitaph(&worker, epitaph, sizeof epitaph), rows[i].epitaph);
    }
}

static void nonsense_is_refused(void)
{
    struct worker worker = {0};
    struct message message;
    CU_ASSERT_EQUAL_FATAL(worker_start(&worker, talk_nonsense, NULL, NULL), 0);
    CU_ASSERT_EQUAL(receive(&worker, &message), -1);
    worker_stop(&worker);
}

/* Messages received together with a refused one are dropped. */
static void nothing_more_of_a_refused_one(void)
{
    struct worker worker = {0};
    struct message message;
    CU_ASSERT_EQUAL_FATAL(worker_start(&worker, answer_twice, NULL, NULL), 0);
    CU_ASSERT_EQUAL(worker_send(&worker, 1, 1, "x", 1, INT64_MAX, NULL), 0);
    CU_ASSERT_EQUAL(receive(&worker, &message), 1);
    worker_refuse(&worker);
    CU_ASSERT_EQUAL(receive(&worker, &message), -1);
    worker_stop(&worker);
}

static void a_deadline_ends_the_wait(void)
{
    struct worker worker = {0}, *waiting[] = {&worker};
    struct message message;
    CU_ASSERT_EQUAL_FATAL(worker_start(&worker, spin, NULL, NULL), 0);
    pid_t pid = worker.pid;
    worker.deadline_ns = clock_now_ns() + second_ns / 20;
    while (clock_now_ns() < worker.deadline_ns)
        worker_wait(waiting, 1, INT64_MAX);
    CU_ASSERT_EQUAL(worker_receive(&worker, &message), 0);
    worker_stop(&worker);
    CU_ASSERT(WIFSIGNALED(worker.exit_status) && WTERMSIG(worker.exit_status) == SIGKILL);
    CU_ASSERT(is_gone(pid));
    worker_stop(&worker); /* may be repeated */
    CU_ASSERT(WIFSIGNALED(worker.exit_status));
}

/* A stopped process is late long before its limit; one that continues in time is not. */
static void a_stopped_process_is_late(void)
{
    struct worker worker = {0}, *waiting[] = {&worker};
    CU_ASSERT_EQUAL_FATAL(worker_start(&worker, spin, NULL, NULL), 0);
    CU_ASSERT(!worker_late(&worker)); /* nothing is awaited */
    worker_expect(&worker, 600 * second_ns);
    CU_ASSERT(!worker_late(&worker) && !worker_is_stopped(&worker));
    for (int goes_on = 1; goes_on >= 0; goes_on--) {
        int64_t start_ns = clock_now_ns(), limit_ns = goes_on ? WORKER_STOPPED_NS / 2 : 60 * second_ns;
        bool late = false;
        kill(worker.pid, SIGSTOP);
        while (!late && clock_now_ns() - start_ns < limit_ns) {
            worker_wait(waiting, 1, clock_now_ns() + second_ns / 20);
            late = worker_late(&worker);
        }
        CU_ASSERT_EQUAL(late, !goes_on);
        CU_ASSERT(worker_is_stopped(&worker));
        CU_ASSERT(goes_on || clock_now_ns() - start_ns >= WORKER_STOPPED_NS);
        if (!goes_on)
            break;
        kill(worker.pid, SIGCONT);
        for (start_ns = clock_now_ns(); worker_is_stopped(&worker) && clock_now_ns() - start_ns < 60 * second_ns;) {
            worker_wait(waiting, 1, clock_now_ns() + second_ns / 20);
            CU_ASSERT(!worker_late(&worker));
        }
        CU_ASSERT(!worker_is_stopped(&worker));
    }
    worker_stop(&worker);
}

/* Time in which the coordinator is stopped does not count against its workers. */
static void a_lapse_is_given_back(void)
{
    struct worker worker = {0}, *waiting[] = {&worker};
    CU_ASSERT_EQUAL_FATAL(worker_start(&worker, spin, NULL, NULL), 0);
    worker_expect(&worker, second_ns / 4);
    usleep(700000);
    CU_ASSERT(!worker_late(&worker));
    int64_t start_ns = clock_now_ns();
    while (!worker_late(&worker) && clock_now_ns() - start_ns < 60 * second_ns)
        worker_wait(waiting, 1, INT64_MAX);
    CU_ASSERT(clock_now_ns() - start_ns >= second_ns / 5);
    CU_ASSERT(worker_late(&worker) && !worker_is_stopped(&worker));
    worker_expect(&worker, INT64_MAX);
    CU_ASSERT(!worker_late(&worker));
    worker_stop(&worker);
}

static void sending_to_a_stopped_process_ends(void)
{
    struct worker worker = {0};
    struct error error = {0};
    size_t length = 10000000;
    char *bytes = calloc(length, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
    CU_ASSERT_EQUAL_FATAL(worker_start(&worker, spin, NULL, NULL), 0);
    CU_ASSERT_EQUAL(worker_send(&worker, 1, 1, bytes, length, clock_now_ns() + second_ns / 20, &error), ERROR_WORKER);
    worker_stop(&worker);
    free(bytes);
}

static void polite_signals_are_ignored(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct worker worker = {0};
    struct message message;
    CU_ASSERT_EQUAL_FATAL(worker_start(&worker, echo, NULL, NULL), 0);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        CU_ASSERT_EQUAL(worker_send(&worker, 1, i, "x", 1, INT64_MAX, NULL), 0);
        CU_ASSERT_EQUAL(receive(&worker, &message), 1);
        kill(worker.pid, signals[i]);
    }
    CU_ASSERT_EQUAL(worker_send(&worker, 1, 9, "x", 1, INT64_MAX, NULL), 0);
    CU_ASSERT_EQUAL(receive(&worker, &message), 1);
    worker_stop(&worker);
}

static void descriptors_do_not_leak(void)
{
    int before = count_descriptors();
    struct worker beside = {0}, worker = {0};
    struct message message;
    CU_ASSERT_EQUAL_FATAL(worker_start(&beside, echo, NULL, NULL), 0);
    for (int i = 0; i < 200; i++) {
        if (worker_start(&worker, echo, NULL, NULL))
            CU_FAIL_FATAL("cannot start");
        worker_stop(&worker);
    }
    CU_ASSERT_EQUAL(count_descriptors(), before + 1);
    CU_ASSERT_EQUAL_FATAL(worker_start(&worker, list_descriptors, NULL, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(receive(&worker, &message), 1);
    static const char expected[] = "0=/dev/null 1=/dev/null 3=socket ";
    CU_ASSERT_EQUAL_FATAL(message.length, strlen(expected));
    CU_ASSERT_EQUAL(memcmp(message.bytes, expected, message.length), 0);
    worker_stop(&worker);
    worker_stop(&beside);
    CU_ASSERT_EQUAL(count_descriptors(), before);
}

/* Runs in a process that plays a coordinator and is killed. */
static void start_and_wait(int pipe_end)
{
    struct worker worker = {0};
    struct message message;
    if (worker_start(&worker, say_so_and_spin, NULL, NULL) || receive(&worker, &message) != 1 ||
        write(pipe_end, &worker.pid, sizeof worker.pid) != sizeof worker.pid)
        _exit(1);
    for (;;)
        pause();
}

static void a_killed_parent_takes_its_process_along(void)
{
    int ends[2], status = 0;
    pid_t parent, child = 0, reaped = 0;
    /* The orphan becomes a child of this program, which can then read its exit status. */
    CU_ASSERT_EQUAL_FATAL(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    parent = fork();
    CU_ASSERT_FATAL(parent >= 0);
    if (parent == 0)
        start_and_wait(ends[1]);
    CU_ASSERT_EQUAL_FATAL(read(ends[0], &child, sizeof child), sizeof child);
    kill(parent, SIGKILL);
    CU_ASSERT_EQUAL(waitpid(parent, &status, 0), parent);
    for (int64_t until_ns = clock_now_ns() + 30 * second_ns; reaped != child && clock_now_ns() < until_ns;) {
        reaped = waitpid(child, &status, WNOHANG);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    CU_ASSERT_EQUAL(reaped, child);
    CU_ASSERT(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    if (reaped != child)
        kill(child, SIGKILL);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    close(ends[0]);
    close(ends[1]);
}

/* A program may be started with closed standard streams. */
static void standard_streams_may_be_missing(void)
{
    for (unsigned closed = 0; closed < 8; closed++) {
        int status = 0;
        pid_t parent = fork();
        CU_ASSERT_FATAL(parent >= 0);
        if (parent == 0) {
            struct worker worker = {0};
            struct message message;
            for (int i = 0; i < 3; i++)
                if (closed & 1u << i)
                    close(i);
            bool good = worker_start(&worker, echo, NULL, NULL) == 0 &&
                        worker_send(&worker, 1, 1, "x", 1, INT64_MAX, NULL) == 0 && receive(&worker, &message) == 1;
            worker_stop(&worker);
            _exit(good ? 0 : 1);
        }
        CU_ASSERT_EQUAL(waitpid(parent, &status, 0), parent);
        CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}

CU_TestInfo tests_worker[] = {
    {"messages of all sizes come back", messages_come_back},
    {"both of two messages wake", both_of_two_messages_wake},
    {"silent workers use no processor time", silence_is_waited_out},
    {"ends are described", ends_are_told},
    {"left processes end", left_ones_end},
    {"killed processes end", killed_ones_end},
    {"a return is a good end", a_return_is_a_good_end},
    {"nonsense is refused", nonsense_is_refused},
    {"a refused process is ignored", nothing_more_of_a_refused_one},
    {"a deadline ends the wait, a stop the spinning", a_deadline_ends_the_wait},
    {"a stopped process is late", a_stopped_process_is_late},
    {"a lapse does not count", a_lapse_is_given_back},
    {"sending to a process that does not read ends", sending_to_a_stopped_process_ends},
    {"polite signals are ignored", polite_signals_are_ignored},
    {"descriptors do not leak", descriptors_do_not_leak},
    {"a killed parent takes its process along", a_killed_parent_takes_its_process_along},
    {"standard streams may be missing", standard_streams_may_be_missing},
    CU_TEST_INFO_NULL,
};
