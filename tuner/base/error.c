#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const struct {
    enum error_code code;
    int exit_status;
    const char *name;
} errors[] = {
#define ERROR(code, number, exit_status, text) {ERROR_##code, exit_status, text},
#include "base/errors.def"
#undef ERROR
};

/* Formats into `room` bytes. A message that does not fit ends in a mark that shows the cut. */
__attribute__((format(printf, 3, 0))) static void print_cut(char *buffer, size_t room, const char *format,
                                                            va_list arguments)
{
    int length = text_vformat(buffer, room, format, arguments);
    if (length >= 0 && (size_t)length >= room && room > 4)
        memcpy(buffer + room - 4, "...", 4);
}

int error_set(struct error *error, enum error_code code, const char *format, ...)
{
    if (error && error->code == ERROR_NONE) {
        va_list arguments;
        error_clear(error);
        error->code = code;
        va_start(arguments, format);
        print_cut(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
    }
    return code;
}

int error_errno(struct error *error, enum error_code code, const char *format, ...)
{
    int number = errno;
    if (error && error->code == ERROR_NONE) {
        va_list arguments;
        size_t length;
        error_clear(error);
        error->code = code;
        va_start(arguments, format);
        print_cut(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
        length = strlen(error->message);
        snprintf(error->message + length, sizeof error->message - length, ": %s", strerror(number));
    }
    return code;
}

void error_place(struct error *error, const char *source, int line, int column)
{
    if (!error || error->code == ERROR_NONE || error->source[0] || error->line)
        return;
    if (source)
        snprintf(error->source, sizeof error->source, "%s", source);
    error->line = line;
    error->column = column;
}

void error_hint(struct error *error, const char *format, ...)
{
    if (!error || error->code == ERROR_NONE || error->hint[0])
        return;
    va_list arguments;
    va_start(arguments, format);
    print_cut(error->hint, sizeof error->hint, format, arguments);
    va_end(arguments);
}

int error_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "out of memory");
}

void error_clear(struct error *error)
{
    if (!error)
        return;
    struct error_list *list = error->list;
    *error = (struct error){.list = list};
    if (list)
        list->count = list->total = 0;
}

int error_set_list(struct error *error, const struct error_list *list)
{
    if (list->count == 0)
        return 0;
    if (error && error->code == ERROR_NONE) {
        struct error_list *wanted = error->list;
        *error = list->errors[0];
        error->list = wanted;
        if (wanted && wanted != list)
            *wanted = *list;
    }
    return (int)list->errors[0].code;
}

const char *error_format(const struct error *error, char *buffer, size_t room)
{
    size_t at = 0;
#define PUT(...)                                                                                                       \
    do {                                                                                                               \
        int put = snprintf(buffer + at, room - at, __VA_ARGS__);                                                       \
        at = put < 0 || (size_t)put >= room - at ? room - 1 : at + (size_t)put;                                        \
    } while (0)
    if (room == 0)
        return buffer;
    if (error->source[0])
        PUT("%s:", error->source);
    if (error->line)
        PUT("%d:", error->line);
    if (error->line && error->column)
        PUT("%d:", error->column);
    PUT("%serror: %s\n", at ? " " : "", error->message);
    if (error->excerpt[0]) {
        PUT("  %s\n", error->excerpt);
        if (error->column > 0 && (size_t)error->column <= strlen(error->excerpt) + 1) {
            PUT("  ");
            for (int column = 1; column < error->column; column++)
                PUT("%c", error->excerpt[column - 1] == '\t' ? '\t' : ' ');
            PUT("^\n");
        }
    }
    if (error->hint[0])
        PUT("  %s\n", error->hint);
#undef PUT
    return buffer;
}

const char *error_name(enum error_code code)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == code)
            return errors[i].name;
    return "none";
}

int error_exit_status(enum error_code code)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == code)
            return errors[i].exit_status;
    return 0;
}

bool error_known(enum error_code code)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == code)
            return true;
    return false;
}
