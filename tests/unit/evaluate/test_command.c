/* A program as the reference: its environment, its outputs, and its end. */
#include "evaluate/command.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "base/clock.h"
#include "base/npy.h"

static struct space *parse(const char *command, const char *last)
{
    struct space *space = NULL;
    struct error error = {0};
    char text[1024];
    int length = snprintf(text, sizeof text,
                          "space 2\nkernel k \"k.cu\"\nproblem N = 2\nparam T = 8, 4\nbuffer in float[N] iota\n"
                          "buffer a float[N] output\nbuffer b uchar[3] zero inout\nargs a, b, in\nblock 1\ngrid 1\n"
                          "reference command \"%s\"\n%s\n",
                          command, last);
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "/usr/t.space", text, (size_t)length, "", &error), 0);
    CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, NULL, &error), 0);
    return space;
}

/* Writes an array like a command. */
static void write_array(const char *folder, const char *name, char kind, uint32_t bytes, uint64_t count)
{
    char path[PATH_MAX + 16], zeros[64] = {0};
    struct text head = {0};
    npy_head(&head, kind, bytes, count, 1);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL(fwrite(head.bytes, 1, head.length, file), head.length);
    CU_ASSERT_EQUAL(fwrite(zeros, bytes, count, file), count);
    fclose(file);
    text_free(&head);
}

static bool exists(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0;
}

/* Waits for the removal by another process. */
static bool vanishes(const char *path)
{
    for (int i = 0; i < 2000 && exists(path); i++)
        usleep(10000);
    return !exists(path);
}

/* The folder has good.npy (two floats), double.npy, three.npy (three bytes) and the input b.npy. */
static void results(void)
{
#define BOTH "mv $CUTUNE_FOLDER/good.npy $CUTUNE_FOLDER/a.npy; cp $CUTUNE_FOLDER/three.npy $CUTUNE_FOLDER/b.npy;"
    static const struct {
        const char *command, *last;
        int code;
        const char *message; /* after the folder if it begins with '/' */
    } rows[] = {
        {BOTH " :", "", 0, ""},
        {BOTH "test $PWD.$CUTUNE_N$CUTUNE_T = /usr.24 && test -d", "default T=4", 0, ""},
        {"mv $CUTUNE_FOLDER/good.npy $CUTUNE_FOLDER/a.npy; :", "compare b first 0", 0, ""},
        {"mv $CUTUNE_FOLDER/good.npy $CUTUNE_FOLDER/a.npy; :", "reference b file('b')", 0, ""},
        {"mv $CUTUNE_FOLDER/good.npy $CUTUNE_FOLDER/a.npy; :", "", ERROR_VALUE,
         "the reference's command did not write the output b.npy"},
        {"true", "", ERROR_VALUE, "the reference's command did not write the output a.npy"},
        {"mv $CUTUNE_FOLDER/double.npy $CUTUNE_FOLDER/a.npy; :", "", ERROR_DATA,
         "/a.npy: the elements are f8, those of the buffer 'a' (float) need f4"},
        {"mv $CUTUNE_FOLDER/good.npy $CUTUNE_FOLDER/a.npy; :", "compare a first 1", ERROR_DATA,
         "/a.npy has 2 numbers, the buffer 'a' 1 that are compared"},
        {"echo first; echo why >&2; echo; exit 3;", "", ERROR_VALUE,
         "the reference's command ended with exit status 3: why"},
        {"exit 1;", "", ERROR_VALUE, "the reference's command ended with exit status 1"},
        {"kill -11 $$;", "", ERROR_VALUE, "the reference's command was killed by signal 11 (Segmentation fault)"},
        {"sleep 1000; true", "", ERROR_VALUE, "the reference's command did not finish within 0.3 s"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char last[64], folder[PATH_MAX];
        struct command command = {0};
        struct device_file expected[3] = {{NULL, 0}};
        struct error error = {0};
        uint32_t choices[SPACE_PARAMETERS_MAX];
        snprintf(last, sizeof last, "%s", rows[i].last);
        for (char *quote = last; (quote = strchr(quote, '\''));)
            *quote = '"';
        struct space *space = parse(rows[i].command, last);
        CU_ASSERT_EQUAL_FATAL(command_open(&command, space, &error), 0);
        strcpy(folder, command.folder.path);
        write_array(folder, "good.npy", 'f', 4, 2);
        write_array(folder, "double.npy", 'f', 8, 2);
        write_array(folder, "three.npy", 'u', 1, 3);
        write_array(folder, "b.npy", 'u', 1, 3);
        space_default(space, choices);
        int64_t limit_ns = strstr(rows[i].command, "sleep") ? 300000000 : 60000000000;
        CU_ASSERT_EQUAL(command_run(&command, space, choices, limit_ns, NULL, expected, &error), rows[i].code);
        const char *message = error.message;
        if (rows[i].message[0] == '/' && strncmp(message, folder, strlen(folder)) == 0)
            message += strlen(folder);
        if (strcmp(message, rows[i].message) != 0)
            fprintf(stderr, "\n%s: '%s'\n", rows[i].command, message);
        CU_ASSERT_STRING_EQUAL(message, rows[i].message);
        if (!rows[i].code) {
            CU_ASSERT_EQUAL(expected[1].offset, 128);
            CU_ASSERT(exists(expected[1].path));
            CU_ASSERT_EQUAL(expected[2].path != NULL, !*rows[i].last || rows[i].last[0] == 'd');
            CU_ASSERT_PTR_NULL(expected[0].path);
        }
        command_close(&command);
        CU_ASSERT(vanishes(folder));
        command_close(&command);
        space_free(space);
    }
}

/* The second Ctrl-C ends the command. */
static void given_up(void)
{
    const volatile sig_atomic_t stop = 2;
    const uint32_t choices[SPACE_PARAMETERS_MAX] = {0};
    struct space *space = parse("sleep 1000; true", "");
    struct command command = {0};
    struct device_file expected[3];
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(command_open(&command, space, &error), 0);
    CU_ASSERT_EQUAL(command_run(&command, space, choices, 60000000000, &stop, expected, &error), ERROR_INTERRUPTED);
    CU_ASSERT_STRING_EQUAL(error.message, "interrupted while the reference's command ran");
    command_close(&command);
    space_free(space);
}

/* If this program is killed before, while or after the command runs, the command ends and the folder is removed. */
static void killed(void)
{
    enum { RUNNING = 1 };
    static const char *const commands[] = {NULL, "echo $$ > $CUTUNE_FOLDER/running; sleep 1000; true",
                                           "touch $CUTUNE_FOLDER/running; :"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const uint32_t choices[SPACE_PARAMETERS_MAX] = {0};
        char path[PATH_MAX + 16], folder[PATH_MAX] = "", done;
        int ends[2];
        CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
        pid_t pid = fork();
        if (pid == 0) {
            struct space *space = parse(commands[i] ? commands[i] : "true", "");
            struct command command = {0};
            struct device_file expected[3];
            if (command_open(&command, space, NULL) || write(ends[1], command.folder.path, PATH_MAX) != PATH_MAX)
                _exit(1);
            if (commands[i])
                command_run(&command, space, choices, 60000000000, NULL, expected, NULL);
            if (write(ends[1], "", 1) != 1)
                _exit(1);
            for (;;)
                pause();
        }
        CU_ASSERT_EQUAL_FATAL(read(ends[0], folder, PATH_MAX), PATH_MAX);
        snprintf(path, sizeof path, "%s/running", folder);
        if (i != RUNNING)
            CU_ASSERT_EQUAL(read(ends[0], &done, 1), 1);
        for (int tries = 0; commands[i] && tries < 2000 && !exists(path); tries++)
            usleep(10000);
        CU_ASSERT_EQUAL(exists(path), commands[i] != NULL);
        CU_ASSERT(exists(folder));
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        CU_ASSERT(vanishes(folder));
        close(ends[0]);
        close(ends[1]);
    }
}

static void no_folder(void)
{
    struct space *space = parse("true", "");
    struct command command = {0};
    struct error error = {0};
    char *before = getenv("TMPDIR") ? strdup(getenv("TMPDIR")) : NULL;
    setenv("TMPDIR", "/nonexistent", 1);
    CU_ASSERT_EQUAL(command_open(&command, space, &error), ERROR_IO);
    CU_ASSERT_EQUAL(strncmp(error.message, "cannot create a temporary folder /nonexistent/", 46), 0);
    command_close(&command);
    if (before)
        setenv("TMPDIR", before, 1);
    else
        unsetenv("TMPDIR");
    free(before);
    space_free(space);
}

CU_TestInfo tests_command[] = {
    {"results", results}, {"given up", given_up}, {"killed", killed}, {"no folder", no_folder}, CU_TEST_INFO_NULL};
