/* Runs commands of the program on any bytes: the first byte selects the command line, the rest are the files, separated
 * by NUL bytes. Sanitizers detect faults; failures must give a reason. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check_json.h"
#include "commands/commands.h"
#include "terminal/options.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

enum { WORDS_MAX = 12, FILES_MAX = 3 };

/* "%1", "%2" and "%3" stand for the files; the first word is the command. */
static const char *const lines[][WORDS_MAX] = {
    {"tune", "--replay", "%1", "--warm-start", "0", "--quiet"},
    {"tune", "--replay", "%1", "--db", "%2", "--quiet", "--format", "json", "--max-evals", "20"},
    {"tune", "--replay", "%1", "--db", "%2", "--quiet", "--format", "csv", "--strategy", "surrogate:candidates=100"},
    {"tune", "--replay", "%1", "--warm-start", "0", "--quiet", "--max-time", "1", "--strategy", "surrogate"},
    {"compare", "%1", "%2", "%3"},
    {"compare", "%1", "%2", "%3", "--format", "csv"},
    {"compare", "%1", "%2", "%3", "--format", "json"},
    {"report", "%1", "%2"},
    {"show", "--db", "%1"},
    {"show", "--db", "%1", "--format", "json"},
    {"export", "--t4", "%1"},
    {"import", "%1"},
    {"tune", "--space", "stride", "--replay", "%1", "--db", "%2", "--quiet", "--max-evals", "30"},
};

/* Redirects all output of the program to a file; libFuzzer's own messages go to standard error. */
static int open_output(void)
{
    int output = memfd_create("output", 0);
    if (output < 0 || dup2(output, STDOUT_FILENO) < 0)
        __builtin_trap();
    return output;
}

static void check_output(int output, const char *const *line, int code)
{
    bool json = strcmp(line[0], "export") == 0;
    for (int i = 0; i < WORDS_MAX && line[i]; i++)
        json |= strcmp(line[i], "json") == 0;
    fflush(stdout);
    off_t length = lseek(output, 0, SEEK_END);
    char *text = calloc(1, (size_t)length + 1);
    if (!text || pread(output, text, (size_t)length, 0) != length)
        __builtin_trap();
    if (json && length && !code)
        check_json(text);
    else if (strcmp(line[0], "import") != 0) /* a journal */
        check_clean(text);
    free(text);
    if (ftruncate(output, 0) || lseek(output, 0, SEEK_SET))
        __builtin_trap();
}

static int run_line(const char *const *line, char (*files)[32])
{
    const struct command *command = commands_find(line[0]);
    char *words[WORDS_MAX + 1] = {0};
    const char *arguments[WORDS_MAX + 1];
    struct options_result result = {.arguments = arguments};
    struct error error = {0};
    void *values = command ? calloc(1, command->values_size + 1) : NULL;
    int count = 0, code;
    if (!values)
        __builtin_trap();
    for (; count < WORDS_MAX && line[count]; count++) {
        bool file = line[count][0] == '%';
        words[count] = strdup(file ? files[line[count][1] - '1'] : line[count]);
    }
    if (options_parse(command, "", count, words, values, &result, &error))
        __builtin_trap(); /* the table above is wrong */
    code = command->run(values, result.arguments, result.argument_count, &error);
    if (code && (!error.code || !*error.message))
        __builtin_trap();
    for (int i = 0; i < count; i++)
        free(words[i]);
    free(values);
    return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static int descriptors[FILES_MAX], output = -1;
    static char files[FILES_MAX][32];
    if (length == 0)
        return 0;
    setenv("CUTUNE_TEMPLATES", TEMPLATES, 1);
    const uint8_t *at = bytes + 1, *end = bytes + length;
    for (int i = 0; i < FILES_MAX; i++) {
        if (!*files[i]) {
            descriptors[i] = memfd_create("fuzz", 0);
            snprintf(files[i], sizeof files[i], "/proc/self/fd/%d", descriptors[i]);
        }
        const uint8_t *nul = at < end && i < FILES_MAX - 1 ? memchr(at, 0, (size_t)(end - at)) : NULL;
        size_t part = (size_t)((nul ? nul : end) - at);
        if (ftruncate(descriptors[i], 0) || pwrite(descriptors[i], at, part, 0) != (ssize_t)part)
            __builtin_trap();
        at = nul ? nul + 1 : end;
    }
    if (output < 0)
        output = open_output();
    const char *const *line = lines[bytes[0] % (sizeof lines / sizeof *lines)];
    check_output(output, line, run_line(line, files));
    return 0;
}
