#include "compile/log.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

struct line {
    const char *at;
    size_t length;
};

void log_explain(struct compile_reply *reply, enum status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = text_vformat(reply->message, sizeof reply->message, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof reply->message)
        memcpy(reply->message + sizeof reply->message - 4, "...", 4);
    text_clean(reply->message, "", ' ');
    reply->status = status;
}

static const char *find(struct line line, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= line.length; i++)
        if (text_compare_letters(line.at + i, word, length) == 0)
            return line.at + i;
    return NULL;
}

static bool starts(struct line line, const char *word)
{
    return line.length >= strlen(word) && strncmp(line.at, word, strlen(word)) == 0;
}

static bool is_error(struct line line)
{
    static const char *const harmless[] = {": warning", "ptxas warning", "ptxas info", "ptxas  "};
    /* Indented lines quote the source. */
    if (line.length == 0 || line.at[0] == ' ' || line.at[0] == '\t')
        return false;
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (find(line, harmless[i]))
            return false;
    return find(line, "error") || find(line, "fatal");
}

static struct line first_error(const char *log)
{
    for (const char *at = log; *at;) {
        struct line line = {at, strcspn(at, "\n")};
        if (is_error(line))
            return line;
        at += line.length + (at[line.length] == '\n');
    }
    return (struct line){log, 0};
}

/* True for messages of the assembler about kernels that need more than any block may have. */
static bool is_limit(struct line line)
{
    static const char *const limits[] = {"uses too much ", "space overflowed (", "register limit exceeded",
                                         "Code Size Limit"};
    static const char back_end[] = "): Error: "; /* the front end writes "error" */
    if (!starts(line, "ptxas ") && !memmem(line.at, line.length, back_end, sizeof back_end - 1))
        return false;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (find(line, limits[i]))
            return true;
    return false;
}

/* Drops the program's name from the beginning of the line. */
static struct line without_speaker(struct line line)
{
    static const struct {
        const char *start, *end;
    } speakers[] = {{"nvrtc: error: ", "error: "},
                    {"ptxas error ", ": "},
                    {"ptxas fatal ", ": "},
                    {"__nv_name_map(", "error: "},
                    {LOG_KERNELS "(", "error: "}};
    for (size_t i = 0; i < sizeof speakers / sizeof *speakers; i++) {
        const char *end = starts(line, speakers[i].start) ? find(line, speakers[i].end) : NULL;
        if (end) {
            end += strlen(speakers[i].end);
            return (struct line){end, line.length - (size_t)(end - line.at)};
        }
    }
    return line;
}

/* The name expression that an error concerns; NULL: the error is not in the text that names the kernels. */
static struct line blamed_kernel(const struct request *request, struct line line)
{
    static const char own_text[] = LOG_KERNELS "(", nvrtc_text[] = "__nv_name_map(";
    static const char quoting[] = "#pragma nv_mangled_name ";
    const char *name = request->job.name_expressions, *quoted;
    if (starts(line, own_text)) {
        unsigned long number = strtoul(line.at + sizeof own_text - 1, NULL, 10);
        for (; number > 1 && number <= request->job.name_count; number--)
            name += strlen(name) + 1;
    } else if (!starts(line, nvrtc_text)) {
        return (struct line){NULL, 0};
    } else if (request->job.name_count > 1 && (quoted = strstr(line.at, quoting))) {
        /* NVRTC numbers the expressions in such lines in its own order, but the next line quotes the expression. */
        quoted += strlen(quoting);
        return (struct line){quoted, strcspn(quoted, "\r\n")};
    }
    return (struct line){name, strlen(name)};
}

bool log_explain_error(struct compile_reply *reply, const struct request *request)
{
    struct line line = first_error(reply->log), said = without_speaker(line);
    struct line kernel = blamed_kernel(request, line);
    while (said.length && strchr(" \t\r", said.at[said.length - 1]))
        said.length--;
    if (said.length == 0)
        return false;
    if (kernel.at)
        log_explain(reply, STATUS_COMPILE_ERROR, "kernel '%.*s' in %s: %.*s", (int)kernel.length, kernel.at,
                    request->job.path, (int)said.length, said.at);
    else
        log_explain(reply, is_limit(line) ? STATUS_PRUNED_LIMIT : STATUS_COMPILE_ERROR, "%.*s", (int)said.length,
                    said.at);
    return true;
}

bool log_mentions(const char *log, const char *word)
{
    return find((struct line){log, strlen(log)}, word);
}
