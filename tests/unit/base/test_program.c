#include "base/program.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "root.h"

static int run(const char *script, const char *folder, struct text *output, int *status)
{
    const char *const arguments[] = {"/bin/sh", "-c", script, NULL};
    const struct program program = {arguments, folder};
    struct error error = {0};
    return program_run(&program, output, status, &error);
}

static void output_and_status(void)
{
    static const struct {
        const char *script, *output;
        int status;
    } rows[] = {{"true", "", 0},
                {"echo a; echo b >&2; exit 3", "a\nb\n", 3},
                {"cat", "", 0},
                {"kill -9 $$", "", 128 + SIGKILL},
                {"kill -PIPE $$", "", 128 + SIGPIPE},
                {"no-such-program 2>/dev/null", "", 127},
                {"echo $TMPDIR", "a folder\n", 0},
                /* Remaining processes are killed and keep no output open. */
                {"echo a; sleep 1000 & (sleep 1000 &)", "a\n", 0}};
    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text output = {0};
        int status = -1;
        CU_ASSERT_EQUAL(run(rows[i].script, "a folder", &output, &status), 0);
        CU_ASSERT_STRING_EQUAL(text_string(&output), rows[i].output);
        CU_ASSERT_EQUAL(status, rows[i].status);
        text_free(&output);
    }
    signal(SIGPIPE, SIG_DFL);
}

static void a_missing_program_is_not_started(void)
{
    const char *const arguments[] = {"/nonexistent/program", NULL};
    const struct program program = {arguments, NULL};
    struct text output = {0};
    struct error error = {0};
    int status = 0;
    CU_ASSERT_EQUAL(program_run(&program, &output, &status, &error), 0);
    CU_ASSERT_EQUAL(status, PROGRAM_NOT_STARTED);
    CU_ASSERT_EQUAL(output.length, 0);
    text_free(&output);
}

static void long_output_is_cut(void)
{
    struct text output = {0};
    int status = -1;
    CU_ASSERT_EQUAL(run("head -c 20000000 /dev/zero", NULL, &output, &status), 0);
    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_EQUAL(output.length, PROGRAM_OUTPUT_BYTES_MAX);
    text_free(&output);
}

static bool exists(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0;
}

/* Waits at most 20 seconds. */
static bool comes_true(bool (*condition)(const char *path), const char *path)
{
    for (int i = 0; i < 2000; i++) {
        if (condition(path))
            return true;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    return false;
}

static bool is_gone(const char *path)
{
    return !exists(path);
}

/* Sends a signal to the only child of a process: the guard of its program, or the guard's program. Returns the
 * child's id. */
static pid_t signal_children(pid_t parent, int number)
{
    char path[64], line[32];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
    FILE *file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_PTR_NOT_NULL_FATAL(fgets(line, sizeof line, file));
    fclose(file);
    pid_t child = (pid_t)strtol(line, NULL, 10);
    CU_ASSERT_EQUAL(kill(child, number), 0);
    return child;
}

/* Kills the process that runs a program which has started another one; the lock of the second program shows when it
 * has died. The guard of the program may have been stopped, or stopped and continued; a stopped guard may find both
 * of them dead. */
static void death_ends_all(void)
{
    static const struct {
        int death, guard[2];
        bool both;
    } rows[] = {{.death = SIGKILL},
                {.death = SIGTERM},
                {SIGKILL, {SIGSTOP}, false},
                {SIGKILL, {SIGSTOP}, true},
                {SIGKILL, {SIGSTOP, SIGCONT}, false},
                {SIGKILL, {SIGCONT}, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct program_folder folder;
        char script[2 * PATH_MAX], begun[PATH_MAX + 16];
        struct text output = {0};
        int status = -1;
        struct error error = {0};
        root_enter(NULL, 0);
        CU_ASSERT_EQUAL_FATAL(setenv("TMPDIR", ".", 1), 0);
        CU_ASSERT_EQUAL_FATAL(program_folder_make(&folder, &error), 0);
        unsetenv("TMPDIR");
        CU_ASSERT(*folder.path == '/' && exists(folder.path));
        snprintf(begun, sizeof begun, "%s/begun", folder.path);
        snprintf(script, sizeof script, "(flock 9; echo > '%s'; sleep 1000) 9> lock; true", begun);
        pid_t pid = fork();
        if (pid == 0) {
            run(script, folder.path, &output, &status);
            _exit(0);
        }
        CU_ASSERT(comes_true(exists, begun));
        for (size_t s = 0; s < 2 && rows[i].guard[s]; s++) {
            pid_t guard = signal_children(pid, rows[i].guard[s]);
            if (rows[i].both)
                signal_children(guard, SIGKILL);
            CU_ASSERT(exists(folder.path));
        }
        kill(pid, rows[i].death);
        waitpid(pid, NULL, 0);
        CU_ASSERT(comes_true(is_gone, folder.path));
        CU_ASSERT_EQUAL(run("flock -w 20 lock true", NULL, &output, &status), 0);
        CU_ASSERT_EQUAL(status, 0);
        text_free(&output);
        root_leave();
    }
}

static void folders_go_with_their_files(void)
{
    struct program_folder folder;
    char path[PATH_MAX];
    struct text output = {0};
    struct error error = {0};
    int status = -1;
    CU_ASSERT_EQUAL_FATAL(program_folder_make(&folder, &error), 0);
    CU_ASSERT_EQUAL(run("echo > \"$TMPDIR/a\"; echo > \"$TMPDIR/.b\"", folder.path, &output, &status), 0);
    CU_ASSERT_EQUAL(status, 0);
    strcpy(path, folder.path);
    CU_ASSERT(exists(path));
    program_folder_remove(&folder);
    CU_ASSERT(!exists(path));
    program_folder_remove(&folder);
    setenv("TMPDIR", "/nonexistent", 1);
    CU_ASSERT_EQUAL(program_folder_make(&folder, &error), ERROR_IO);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "/nonexistent/cutune-"));
    unsetenv("TMPDIR");
    text_free(&output);
}

static bool is_empty(const char *path)
{
    DIR *folder = opendir(path);
    size_t count = 0;
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count == 2;
}

/* Makes a folder, runs a program that writes into it, and removes it, again and again. */
static void make_folders(void)
{
    struct program_folder folder;
    struct text output = {0};
    int status;
    for (;;) {
        if (program_folder_make(&folder, NULL))
            _exit(1);
        run("echo > \"$TMPDIR/a\"", folder.path, &output, &status);
        program_folder_remove(&folder);
    }
}

/* Whenever a process is killed, and whoever else has inherited its folder. */
static void no_death_leaves_a_folder(void)
{
    enum { DEATHS = 83 };
    char path[PATH_MAX];
    struct program_folder folder;
    root_enter(NULL, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(path, sizeof path));
    setenv("TMPDIR", path, 1);
    for (long i = 0; i < DEATHS; i++) {
        pid_t pid = fork();
        if (pid == 0)
            make_folders();
        nanosleep(&(struct timespec){.tv_nsec = i * 137000}, NULL);
        CU_ASSERT_EQUAL(kill(pid, i % 2 ? SIGKILL : SIGTERM), 0);
        waitpid(pid, NULL, 0);
        CU_ASSERT(comes_true(is_empty, path));
    }
    CU_ASSERT_EQUAL(program_folder_make(&folder, NULL), 0);
    pid_t heir = fork();
    if (heir == 0)
        for (;;)
            pause();
    strcpy(path, folder.path);
    program_folder_remove(&folder);
    CU_ASSERT(is_gone(path));
    kill(heir, SIGKILL);
    waitpid(heir, NULL, 0);
    unsetenv("TMPDIR");
    root_leave();
}

/* Starts a script whose descriptor of the socket is 3. */
static struct program_session start_session(const char *script, const char *folder)
{
    const char *const arguments[] = {"/bin/sh", "-c", script, NULL};
    struct program_session session;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(program_start(&(struct program){arguments, folder}, &session, &error), 0);
    return session;
}

/* Reads from a non-blocking descriptor until `count` bytes are there, or its end. */
static size_t read_some(int from, char *to, size_t count)
{
    size_t length = 0;
    for (int i = 0; i < 2000 && length < count; i++) {
        ssize_t got = read(from, to + length, count - length);
        if (got == 0)
            break;
        if (got > 0)
            length += (size_t)got;
        else
            nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    to[length] = '\0';
    return length;
}

static void a_session_talks(void)
{
    struct program_session session =
        start_session("echo log; read line <&3; echo \"got $line\" >&3; cat; exit 5", NULL);
    char text[64];
    CU_ASSERT(session.log > STDERR_FILENO);
    CU_ASSERT_EQUAL(read_some(session.log, text, 4), 4);
    CU_ASSERT_STRING_EQUAL(text, "log\n");
    CU_ASSERT(program_resident(&session) > 0);
    CU_ASSERT_EQUAL(write(session.socket, "a\n", 2), 2);
    CU_ASSERT_EQUAL(read_some(session.socket, text, 6), 6);
    CU_ASSERT_STRING_EQUAL(text, "got a\n");
    CU_ASSERT_EQUAL(program_stop(&session, 20 * (int64_t)1000000000), 5);
    CU_ASSERT_EQUAL(session.guard, 0);
    CU_ASSERT_EQUAL(program_resident(&session), 0);
    CU_ASSERT_EQUAL(read_some(session.log, text, 1), 0);
    program_close_log(&session);
    CU_ASSERT_EQUAL(session.log, 0);
    program_close_log(&session);
    CU_ASSERT_EQUAL(program_stop(&session, 0), PROGRAM_STOPPED);
}

/* Every process holds the lock, even one that leaves the session or whose guard is stopped: a free lock means that all
 * have died. */
static void a_session_ends_whole(void)
{
    static const struct {
        bool dies, stopped; /* by itself; its guard */
        int status;
    } rows[] = {{false, false, PROGRAM_STOPPED}, {true, false, 7}, {false, true, PROGRAM_STOPPED}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct program_folder folder;
        struct text output = {0};
        char script[512], path[PATH_MAX], text[8];
        struct error error = {0};
        int status = -1;
        root_enter(NULL, 0);
        CU_ASSERT_EQUAL_FATAL(program_folder_make(&folder, &error), 0);
        strcpy(path, folder.path);
        snprintf(
            script, sizeof script,
            "mkdir -p \"$TMPDIR/a\"; echo > \"$TMPDIR/a/b\"; setsid sh -c 'flock 9; echo >&3; sleep 1000' 9> lock & "
            "read line <&3; %s",
            rows[i].dies ? "exit 7" : "sleep 1000");
        struct program_session session = start_session(script, folder.path);
        CU_ASSERT_EQUAL(read_some(session.socket, text, 1), 1);
        if (rows[i].stopped)
            CU_ASSERT_EQUAL(kill(session.guard, SIGSTOP), 0);
        CU_ASSERT_EQUAL(program_stop(&session, rows[i].dies ? 20 * (int64_t)1000000000 : 0), rows[i].status);
        program_close_log(&session);
        CU_ASSERT_EQUAL(run("flock -n lock true", NULL, &output, &status), 0);
        CU_ASSERT_EQUAL(status, 0);
        program_folder_remove(&folder);
        CU_ASSERT(!exists(path));
        text_free(&output);
        root_leave();
    }
}

CU_TestInfo tests_program[] = {{"a session talks", a_session_talks},
                               {"a session ends whole", a_session_ends_whole},
                               {"output and status", output_and_status},
                               {"a missing program is not started", a_missing_program_is_not_started},
                               {"long output is cut", long_output_is_cut},
                               {"death ends all", death_ends_all},
                               {"no death leaves a folder", no_death_leaves_a_folder},
                               {"folders go with their files", folders_go_with_their_files},
                               CU_TEST_INFO_NULL};
