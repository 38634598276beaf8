#include "base/error_report.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A message consists of strings with their NULs. The first one identifies the format. */
#define FORMAT "cutune error 1"
enum { NUMBERS = 3, MESSAGE_BYTES = 4096 };
_Static_assert(sizeof FORMAT + NUMBERS * sizeof "-2147483648" + sizeof(struct error) < MESSAGE_BYTES &&
                   MESSAGE_BYTES <= PIPE_BUF,
               "a pipe takes a message as a whole");

static const struct field {
    size_t offset, room;
} texts[] = {
#define TEXT(member)                                                                                                   \
    {                                                                                                                  \
        offsetof(struct error, member), sizeof((struct error *)0)->member                                              \
    }
    TEXT(source), TEXT(message), TEXT(excerpt), TEXT(hint)
#undef TEXT
};
enum { TEXTS = sizeof texts / sizeof *texts };

int error_report_open(void)
{
    const char *value = getenv(ERROR_REPORT_VARIABLE);
    char *end = NULL;
    long number = value ? strtol(value, &end, 10) : -1;
    bool valid = value && *value && !*end && number > STDERR_FILENO && number <= INT_MAX;
    unsetenv(ERROR_REPORT_VARIABLE);
    return valid && fcntl((int)number, F_SETFD, FD_CLOEXEC) == 0 ? (int)number : -1;
}

void error_report_write(int descriptor, const struct error *error)
{
    char message[MESSAGE_BYTES];
    if (descriptor < 0)
        return;
    size_t used = (size_t)snprintf(message, sizeof message, FORMAT "%c%d%c%d%c%d", 0, (int)error->code, 0, error->line,
                                   0, error->column) +
                  1;
    for (size_t i = 0; i < TEXTS; i++) {
        const char *text = (const char *)error + texts[i].offset;
        size_t length = strnlen(text, texts[i].room - 1);
        memcpy(message + used, text, length);
        message[used + length] = '\0';
        used += length + 1;
    }
    while (write(descriptor, message, used) < 0 && errno == EINTR)
        ;
}

/* The next string of a message; NULL at its end. */
static const char *next(const char **at, const char *end)
{
    const char *text = *at, *nul = memchr(text, 0, (size_t)(end - text));
    *at = nul ? nul + 1 : end;
    return nul ? text : NULL;
}

static bool read_number(const char *text, int *number)
{
    char *end = NULL;
    errno = 0;
    long value = text ? strtol(text, &end, 10) : 0;
    *number = (int)value;
    return text && *text && !*end && errno == 0 && value >= 0 && value <= INT_MAX;
}

bool error_report_read(int descriptor, struct error *error)
{
    char message[MESSAGE_BYTES];
    struct error found = {0};
    int code, flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK))
        return false;
    ssize_t got = read(descriptor, message, sizeof message);
    const char *at = message, *end = message + (got > 0 ? got : 0), *format = next(&at, end);
    if (!format || strcmp(format, FORMAT) != 0 || !read_number(next(&at, end), &code) ||
        !read_number(next(&at, end), &found.line) || !read_number(next(&at, end), &found.column) ||
        !error_known((enum error_code)code))
        return false;
    found.code = (enum error_code)code;
    for (size_t i = 0; i < TEXTS; i++) {
        const char *text = next(&at, end);
        if (!text || strlen(text) >= texts[i].room)
            return false;
        strcpy((char *)&found + texts[i].offset, text);
    }
    if (at != end)
        return false;
    found.list = error->list;
    *error = found;
    return true;
}
