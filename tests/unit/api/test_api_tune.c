/* Tuning from within a program, with the engine and with scripts in its place. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include <cutune.h>

#define SPACE SOURCE_FOLDER "/templates/transpose.space"

struct watching {
    int lines, looks, stop_at_look;
    char first[256], last[256];
};

static int watch(void *context, const char *line)
{
    struct watching *watching = context;
    if (line)
        snprintf(watching->last, sizeof watching->last, "%s", line);
    if (line && !watching->lines)
        snprintf(watching->first, sizeof watching->first, "%s", line);
    watching->lines += line != NULL;
    watching->looks += line == NULL;
    return watching->stop_at_look && watching->looks >= watching->stop_at_look;
}

static void tunes(void)
{
    static const char *const none[] = {NULL}, *const wrong[] = {"--max-evals=none", NULL};
    const char *program = getenv("CUTUNE_PROGRAM");
    char broken[] = "/tmp/cutune-broken-XXXXXX";
    struct watching watching = {0};
    struct cutune_error error;
    char kept[512];
    CU_ASSERT_PTR_NOT_NULL_FATAL(program);
    snprintf(kept, sizeof kept, "%s", program);
    setenv("CUDA_VISIBLE_DEVICES", "-1", 1);
    int descriptor = mkstemp(broken);
    CU_ASSERT_FATAL(descriptor >= 0 && write(descriptor, "space 2\nparam A = = 1\n", 22) == 22);
    close(descriptor);
    CU_ASSERT_EQUAL(cutune_tune(SPACE, none, watch, &watching, &error), CUTUNE_ERROR_NO_DEVICE);
    CU_ASSERT(watching.lines > 0 && *error.message);
    CU_ASSERT_EQUAL(cutune_tune(SPACE, NULL, NULL, NULL, &error), CUTUNE_ERROR_NO_DEVICE);
    CU_ASSERT_EQUAL(cutune_tune(broken, none, NULL, NULL, &error), CUTUNE_ERROR_SYNTAX);
    CU_ASSERT_STRING_EQUAL(error.source, broken);
    CU_ASSERT(error.line == 2 && error.column > 0 && *error.message && *error.excerpt);
    CU_ASSERT_EQUAL(cutune_tune("/nonexistent.space", none, NULL, NULL, &error), CUTUNE_ERROR_NOT_FOUND);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "there is no file /nonexistent.space"));
    CU_ASSERT_EQUAL(cutune_tune("no_such_template", none, NULL, NULL, &error), CUTUNE_ERROR_NOT_FOUND);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "there is no space file no_such_template"));
    CU_ASSERT_EQUAL(cutune_tune(SOURCE_FOLDER, none, NULL, NULL, &error), CUTUNE_ERROR_IO); /* a directory */
    CU_ASSERT_EQUAL(cutune_tune(SPACE, wrong, NULL, NULL, &error), CUTUNE_ERROR_USAGE);
    CU_ASSERT_STRING_EQUAL(error.message, "--max-evals: 'none' is not allowed");
    CU_ASSERT_STRING_EQUAL(error.hint, "expected a whole number from 1 to 1000000000000000");
    unlink(broken);
    setenv("CUTUNE_PROGRAM", "/nonexistent/cutune", 1);
    CU_ASSERT_EQUAL(cutune_tune(SPACE, none, NULL, NULL, &error), CUTUNE_ERROR_NOT_FOUND);
    setenv("CUTUNE_PROGRAM", "/bin/false", 1);
    CU_ASSERT_EQUAL(cutune_tune(SPACE, none, NULL, NULL, &error), CUTUNE_ERROR_WORKER);
    setenv("CUTUNE_PROGRAM", kept, 1);
}

/* A script that replaces the engine. */
struct script {
    char path[32], kept[512];
};

static void script_open(struct script *script)
{
    strcpy(script->path, "/tmp/cutune-engine-XXXXXX");
    int descriptor = mkstemp(script->path);
    CU_ASSERT_FATAL(descriptor >= 0);
    close(descriptor);
    snprintf(script->kept, sizeof script->kept, "%s", getenv("CUTUNE_PROGRAM"));
    setenv("CUTUNE_PROGRAM", script->path, 1);
}

static void script_write(const struct script *script, const char *text)
{
    FILE *file = fopen(script->path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fprintf(file, "#!/bin/sh\n%s\n", text);
    fclose(file);
    CU_ASSERT_EQUAL(chmod(script->path, 0700), 0);
}

static void script_close(const struct script *script)
{
    setenv("CUTUNE_PROGRAM", script->kept, 1);
    unlink(script->path);
}

/* The engine's exit status and its report on the inherited descriptor. Its messages are for people and not parsed. It
 * inherits neither signal masks nor an ignored SIGTERM. */
static void understands_the_engine(void)
{
#define REPORT(message) "printf '" message "' >&$CUTUNE_ERROR_FD; exit 2"
#define SAYS            "cutune error 1\\000"
    static const struct {
        const char *script;
        int code;
        const char *message;
    } cases[] = {
        {"echo noise; echo a note >&2; test -z \"$(cat)\"", 0, ""},
        {"test $# = 3 && test \"$1$2$3.\" = '--space=Xone two.'", 0, ""},
        {"! grep -q 'SigBlk:.*[1-9a-f]' /proc/self/status", 0, ""},
        {"test $(env | grep -c CUTUNE_ERROR_FD) = 1 && test $CUTUNE_ERROR_FD -gt 2", 0, ""},
        {"kill -TERM $$; exit 0", CUTUNE_ERROR_WORKER, "the engine was killed by signal 15"},
        {"exit 4", CUTUNE_ERROR_NOTHING_VALID, "the engine ended with exit status 4"},
        {"exit 130", CUTUNE_ERROR_INTERRUPTED, "the engine ended with exit status 130"},
        {"exit 77", CUTUNE_ERROR_WORKER, "the engine ended with exit status 77"},
        {"echo 'cutune: error: there is no file X' >&2; exit 1", CUTUNE_ERROR_WORKER,
         "the engine ended with exit status 1"},
        {REPORT(SAYS "14\\0000\\0000\\000\\000gone\\000\\000\\000"), CUTUNE_ERROR_NOT_FOUND, "gone"},
        {REPORT(SAYS "10\\0003\\0004\\000a.space\\000bad\\000x y\\000say z\\000"), CUTUNE_ERROR_SYNTAX, "bad"},
        {REPORT("noise"), CUTUNE_ERROR_USAGE, "the engine ended with exit status 2"},
        {REPORT(SAYS "14\\0000\\0000\\000\\000gone\\000\\000"), CUTUNE_ERROR_USAGE,
         "the engine ended with exit status 2"},
        {"printf '" SAYS "14\\0000\\0000\\000\\000gone\\000\\000\\000' >&$CUTUNE_ERROR_FD; exit 0", 0, ""},
    };
#undef REPORT
#undef SAYS
    static const char *const options[] = {"one two", "", NULL};
    struct script script;
    sigset_t mask, before;
    script_open(&script);
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR1);
    sigprocmask(SIG_BLOCK, &mask, &before);
    signal(SIGTERM, SIG_IGN);
    setenv("CUTUNE_ERROR_FD", "2", 1); /* another program's: the engine gets its own */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cutune_error error = {0};
        script_write(&script, cases[i].script);
        int code = cutune_tune("X", options, NULL, NULL, &error);
        CU_ASSERT_EQUAL(code, cases[i].code);
        CU_ASSERT_STRING_EQUAL(error.message, cases[i].message);
        if (code != cases[i].code || strcmp(error.message, cases[i].message) != 0)
            printf("%s: %d, %s\n", cases[i].script, code, error.message);
    }
    unsetenv("CUTUNE_ERROR_FD");
    signal(SIGTERM, SIG_DFL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    script_close(&script);
}

/* A line longer than any buffer arrives in pieces, completely. */
static int add_length(void *context, const char *line)
{
    *(size_t *)context += line ? strlen(line) : 0;
    return 0;
}

static void hears_long_lines(void)
{
    struct script script;
    size_t length = 0;
    script_open(&script);
    script_write(&script, "head -c 10000 /dev/zero | tr '\\0' x >&2\necho >&2\necho 0123456789 >&2");
    CU_ASSERT_EQUAL(cutune_tune("X", NULL, add_length, &length, NULL), 0);
    CU_ASSERT_EQUAL(length, 10010);
    script_close(&script);
}

/* A daemon may have closed its standard streams: descriptors that the library opens then take their numbers. */
static void needs_no_streams(void)
{
    enum { STREAMS = STDERR_FILENO + 1 };
    for (int closed = 1; closed < 1 << STREAMS; closed++) {
        struct script script;
        size_t length = 0;
        int kept[STREAMS];
        script_open(&script);
        script_write(&script, "echo noise; echo a note >&2; test -z \"$(cat)\"");
        fflush(stdout);
        for (int stream = 0; stream < STREAMS; stream++)
            kept[stream] = fcntl(stream, F_DUPFD_CLOEXEC, 100);
        for (int stream = 0; stream < STREAMS; stream++)
            if (closed >> stream & 1)
                close(stream);
        int code = cutune_tune("X", NULL, add_length, &length, NULL);
        for (int stream = 0; stream < STREAMS; stream++) {
            dup2(kept[stream], stream);
            close(kept[stream]);
        }
        CU_ASSERT_EQUAL(code, 0);
        CU_ASSERT_EQUAL(length, strlen("a note"));
        script_close(&script);
    }
}

/* A slow engine. It ignores the signals that the caller ignores, but can be stopped. */
static void stops_tuning(void)
{
    static const struct {
        int ignored;
        const char *last;
    } cases[] = {{0, "stopping by INT"}, {SIGHUP, "stopping by INT"}, {SIGINT, "stopping by TERM"}};
    struct cutune_error error;
    struct script script;
    script_open(&script);
    script_write(&script, "for name in INT TERM; do\n"
                          "    trap \"echo stopping by $name >&2; kill \\$!; exit 130\" $name\n"
                          "done\n"
                          "grep -o 'SigIgn.*' /proc/$$/status >&2\n"
                          "sleep 60 2>/dev/null &\nwait\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct watching watching = {.stop_at_look = 2};
        if (cases[i].ignored)
            signal(cases[i].ignored, SIG_IGN);
        CU_ASSERT_EQUAL(cutune_tune(SPACE, NULL, watch, &watching, &error), CUTUNE_ERROR_INTERRUPTED);
        CU_ASSERT_EQUAL(watching.lines, 2);
        CU_ASSERT_STRING_EQUAL(watching.last, cases[i].last);
        unsigned long long ignored = strtoull(watching.first + strcspn(watching.first, "0123456789"), NULL, 16);
        for (int number = SIGHUP; number <= SIGINT; number++)
            CU_ASSERT_EQUAL(ignored >> (number - 1) & 1, cases[i].ignored == number);
        if (cases[i].ignored)
            signal(cases[i].ignored, SIG_DFL);
    }
    script_close(&script);
}

CU_TestInfo tests_api_tune[] = {{"runs the engine", tunes},
                                {"understands the engine", understands_the_engine},
                                {"hears long lines", hears_long_lines},
                                {"needs no standard streams", needs_no_streams},
                                {"stops the engine", stops_tuning},
                                CU_TEST_INFO_NULL};
