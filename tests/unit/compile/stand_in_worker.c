/* A worker of a compiler command that says what its arguments tell it to say, in their order:
 *
 *     hello=TEXT       its hello; repeat=N repeats the last letter
 *     answer=TEXT      its answer, with the request's id for ID
 *     file=PATH        is copied to the first output of a request
 *     expect=TEXT      requests must contain it
 *     start=ACTION     before the hello
 *     request=ACTION   before each answer
 *     then=ACTION      after it
 *
 *     exit:N           ACTION: ends
 *     kill             crashes
 *     hang             does nothing
 *     close            closes the socket, and hangs
 *     print:N          prints as many bytes on both streams
 *     child:FILE       starts a process in a session of its own that holds a lock on FILE
 *     count:FILE       appends a line with TMPDIR, and makes files there
 */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { ACTIONS = 4, BYTES = 1 << 20 };

struct options {
    const char *hello, *answer, *file, *expect;
    long repeat;
    const char *start[ACTIONS], *request[ACTIONS], *then;
    size_t start_count, request_count;
};

static int peer;

static void hang(const char *rest)
{
    (void)rest;
    for (;;)
        pause();
}

static void end(const char *rest)
{
    fprintf(stderr, "last words\n");
    _exit(atoi(rest));
}

static void crash(const char *rest)
{
    (void)rest;
    raise(SIGSEGV);
}

static void hang_up(const char *rest)
{
    close(peer);
    hang(rest);
}

static void print(const char *rest)
{
    static const char noise[] = "noise noise noise noise noise noise noise noise noise noise noise noise\n";
    for (int stream = STDOUT_FILENO; stream <= STDERR_FILENO; stream++)
        for (long left = atol(rest); left > 0; left -= (long)sizeof noise)
            if (write(stream, noise, sizeof noise) < 0) /* with a NUL */
                _exit(1);
    fprintf(stderr, "the end\n");
}

static void hold(const char *path)
{
    int ends[2];
    char ready;
    if (pipe(ends))
        _exit(1);
    if (fork() == 0) {
        setsid();
        int lock = open(path, O_CREAT | O_RDWR, 0600);
        if (flock(lock, LOCK_EX) || write(ends[1], "", 1) != 1)
            _exit(1);
        hang("");
    }
    if (read(ends[0], &ready, 1) != 1)
        _exit(1);
}

/* Leaves files and a folder in TMPDIR, too. */
static void count(const char *path)
{
    FILE *file = fopen(path, "a");
    if (!file || fprintf(file, "%s\n", getenv("TMPDIR")) < 0 || fclose(file) ||
        system("mkdir -p \"$TMPDIR/a/b\" && echo > \"$TMPDIR/a/b/c\""))
        _exit(1);
}

static void act(const char *action)
{
    static const struct {
        const char *name;
        void (*run)(const char *rest);
    } rows[] = {{"exit", end},    {"kill", crash}, {"hang", hang},  {"close", hang_up},
                {"print", print}, {"child", hold}, {"count", count}};
    const size_t length = strcspn(action, ":");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strncmp(action, rows[i].name, length) == 0)
            rows[i].run(action + length + (action[length] == ':'));
}

static const char *value_of(const char *argument, const char *name)
{
    size_t length = strlen(name);
    return strncmp(argument, name, length) == 0 && argument[length] == '=' ? argument + length + 1 : NULL;
}

static void read_options(int argc, char **argv, struct options *options)
{
    for (int i = 1; i < argc; i++) {
        const char *value;
        if ((value = value_of(argv[i], "hello")))
            options->hello = value;
        else if ((value = value_of(argv[i], "answer")))
            options->answer = value;
        else if ((value = value_of(argv[i], "file")))
            options->file = value;
        else if ((value = value_of(argv[i], "expect")))
            options->expect = value;
        else if ((value = value_of(argv[i], "then")))
            options->then = value;
        else if ((value = value_of(argv[i], "repeat")))
            options->repeat = atol(value);
        else if ((value = value_of(argv[i], "start")) && options->start_count < ACTIONS)
            options->start[options->start_count++] = value;
        else if ((value = value_of(argv[i], "request")) && options->request_count < ACTIONS)
            options->request[options->request_count++] = value;
        else {
            fprintf(stderr, "unknown argument %s\n", argv[i]);
            _exit(2);
        }
    }
}

static void say(const char *text, long repeat)
{
    size_t length = strlen(text);
    char *line = malloc(length + (size_t)repeat + 1);
    if (!line)
        _exit(1);
    memcpy(line, text, length);
    memset(line + length, text[length - 1], (size_t)repeat);
    length += (size_t)repeat;
    line[length++] = '\n';
    for (size_t sent = 0; sent < length;) {
        ssize_t got = write(peer, line + sent, length - sent);
        if (got < 0)
            _exit(1);
        sent += (size_t)got;
    }
    free(line);
}

/* Copies the file to the first of the request's outputs. */
static void write_output(const char *request, const char *file)
{
    static const char outputs[] = "\"outputs\":[\"";
    char command[8192];
    const char *output = strstr(request, outputs);
    if (!output)
        _exit(1);
    output += sizeof outputs - 1;
    snprintf(command, sizeof command, "cp -- '%s' '%.*s'", file, (int)strcspn(output, "\""), output);
    if (system(command))
        _exit(1);
}

static void answer(const char *request, const char *text)
{
    char line[8192];
    const char *id = strstr(request, "\"id\":"), *place = strstr(text, "ID");
    const char *end = place ? place + 2 : text + strlen(text);
    id = id ? id + 5 : "";
    snprintf(line, sizeof line, "%.*s%.*s%s", (int)((place ? place : end) - text), text,
             place ? (int)strspn(id, "0123456789") : 0, id, end);
    say(line, 0);
}

/* No GPU, an empty input, and a folder of its own. */
static bool is_isolated(void)
{
    const char *devices = getenv("CUDA_VISIBLE_DEVICES"), *folder = getenv("TMPDIR");
    return devices && !*devices && getchar() == EOF && folder && access(folder, W_OK) == 0;
}

int main(int argc, char **argv)
{
    struct options options = {.hello = "{\"schema\": 1, \"compiler\": \"stand-in\", \"version\": \"1.0\"}",
                              .answer = "{\"id\": ID, \"kernels\": [{\"entry\": \"k\"}]}",
                              .file = "",
                              .expect = ""};
    static char request[BYTES];
    peer = atoi(getenv("CUTUNE_COMPILER_FD"));
    read_options(argc, argv, &options);
    for (size_t i = 0; i < options.start_count; i++)
        act(options.start[i]);
    say(options.hello, options.repeat);
    FILE *requests = fdopen(dup(peer), "r");
    while (fgets(request, sizeof request, requests)) {
        for (size_t i = 0; i < options.request_count; i++)
            act(options.request[i]);
        if (*options.file)
            write_output(request, options.file);
        const bool expected = is_isolated() && strstr(request, options.expect);
        answer(request, expected ? options.answer : "{\"id\": ID, \"error\": \"an unexpected request\"}");
        if (options.then)
            act(options.then);
    }
    return 0;
}
