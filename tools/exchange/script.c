#include "exchange/script.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

extern char **environ;

/* Isolates the script from the user's modules and settings; leaves no compiled files beside it. */
static const char *const python[] = {"python3", "-B", "-I", "-S", "-X", "utf8"};
enum { PYTHON_WORDS = sizeof python / sizeof *python };

static int fail_spawn(int number, struct error *error)
{
    if (number != ENOENT && number != EACCES) {
        errno = number;
        return error_errno(error, ERROR_WORKER, "cannot start python3");
    }
    error_set(error, ERROR_NOT_FOUND, "python3 is not installed, or not in PATH: this command needs it");
    error_hint(error, "apt-get install python3");
    return ERROR_NOT_FOUND;
}

static int wait_for(pid_t child, const char *path, struct error *error)
{
    const char *name = path + file_folder_length(path);
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return error_errno(error, ERROR_WORKER, "cannot wait for python3");
    if (WIFSIGNALED(status))
        return error_set(error, ERROR_WORKER, "python3, which ran %s, was killed by signal %d (%s)", name,
                         WTERMSIG(status), strsignal(WTERMSIG(status)));
    if (WEXITSTATUS(status))
        return error_set(error, ERROR_WORKER, "python3, which ran %s, ended with exit status %d", name,
                         WEXITSTATUS(status));
    return 0;
}

/* Input and output are files in memory, so that neither side waits for the other, however large they are. */
static int run(const char *const *words, int input, int output, struct error *error)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int number = posix_spawn_file_actions_init(&actions);
    if (number)
        return fail_spawn(number, error);
    number = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    if (!number)
        number = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (!number)
        number = posix_spawnp(&child, words[0], &actions, NULL, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return number ? fail_spawn(number, error) : wait_for(child, words[PYTHON_WORDS], error);
}

static int read_output(int file, struct text *output, struct error *error)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return file_read(path, SCRIPT_OUTPUT_BYTES_MAX, output, error);
}

int script_run(const char *path, const char *const *arguments, const struct text *input, struct text *output,
               struct error *error)
{
    const char *words[PYTHON_WORDS + 1 + SCRIPT_ARGUMENTS_MAX + 1] = {0};
    int code = 0, in = memfd_create("input", MFD_CLOEXEC), out = memfd_create("output", MFD_CLOEXEC);
    memcpy(words, python, sizeof python);
    words[PYTHON_WORDS] = path;
    for (size_t i = 0; arguments[i] && i < SCRIPT_ARGUMENTS_MAX; i++)
        words[PYTHON_WORDS + 1 + i] = arguments[i];
    if (in < 0 || out < 0)
        code = error_errno(error, ERROR_WORKER, "cannot create a file in memory");
    if (!code)
        code = file_write_all(in, input->bytes, input->length, "the script's input", error);
    if (!code && lseek(in, 0, SEEK_SET) < 0)
        code = error_errno(error, ERROR_IO, "cannot rewind the script's input");
    if (!code)
        code = run(words, in, out, error);
    if (!code)
        code = read_output(out, output, error);
    if (in >= 0)
        close(in);
    if (out >= 0)
        close(out);
    return code;
}
