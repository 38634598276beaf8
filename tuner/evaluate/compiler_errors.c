#include "evaluate/compiler_errors.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

/* ---- Reading a log ---- */

static bool is_name_part(char c)
{
    return text_is_letter(c) || text_is_digit(c) || c == '_';
}

static void copy(char *to, size_t room, const char *from, size_t length)
{
    snprintf(to, room, "%.*s", (int)(length < room ? length : room - 1), from);
    text_clean(to, "", ' ');
}

static const char *next_line(const char *line)
{
    size_t length = strcspn(line, "\n");
    return line + length + (line[length] == '\n');
}

/* Reads "FILE(LINE): error: MESSAGE" or "FILE(LINE): catastrophic error: MESSAGE". */
static bool read_head(const char *line, struct compiler_error *found)
{
    static const char *const kinds[] = {"): error: ", "): catastrophic error: "};
    size_t length = strcspn(line, "\n");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const char *kind = memmem(line, length, kinds[k], strlen(kinds[k])), *open = kind;
        while (open && open > line && text_is_digit(open[-1]))
            open--;
        if (!open || open == kind || open <= line + 1 || open[-1] != '(')
            continue;
        const char *message = kind + strlen(kinds[k]);
        long number = strtol(open, NULL, 10);
        *found = (struct compiler_error){.line = number > INT_MAX ? INT_MAX : (int)number};
        copy(found->path, sizeof found->path, line, (size_t)(open - 1 - line));
        copy(found->message, sizeof found->message, message, (size_t)(line + length - message));
        return *found->message;
    }
    return false;
}

/* The quoted line is indented by two blanks, and so is the caret below it. */
static void read_excerpt(const char *line, struct compiler_error *found)
{
    enum { INDENT = 2 };
    size_t length = strcspn(line, "\n");
    const char *below = next_line(line);
    size_t caret = strspn(below, " ");
    if (strncmp(line, "  ", INDENT) != 0 || length < INDENT)
        return;
    copy(found->excerpt, sizeof found->excerpt, line + INDENT, length - INDENT);
    if (below[caret] == '^' && caret >= INDENT && caret < sizeof found->excerpt)
        found->column = (int)(caret - INDENT) + 1;
}

/* A log also names texts that are no files. */
static void find_file(const char *folder, struct compiler_error *found)
{
    char path[sizeof found->path];
    if (*folder && *found->path != '/' && snprintf(path, sizeof path, "%s%s", folder, found->path) < (int)sizeof path &&
        access(path, F_OK) == 0)
        memcpy(found->path, path, sizeof path);
}

bool compiler_errors_next(const char *folder, const char **log, struct compiler_error *found)
{
    while (**log) {
        const char *line = *log;
        *log = next_line(line);
        if (*line == ' ' || !read_head(line, found))
            continue;
        find_file(folder, found);
        read_excerpt(*log, found);
        return true;
    }
    return false;
}

/* ---- Hints ---- */

static const struct {
    const char *name, *header;
} headers[] = {
#define NAME(name, header) {name, header},
#define UNFIT(name, advice)
#define MESSAGE(words, advice)
#include "evaluate/compiler_hints.def"
#undef NAME
#undef UNFIT
#undef MESSAGE
};
static const struct {
    const char *name, *advice;
} unfit[] = {
#define NAME(name, header)
#define UNFIT(name, advice) {name, advice},
#define MESSAGE(words, advice)
#include "evaluate/compiler_hints.def"
#undef NAME
#undef UNFIT
#undef MESSAGE
};
static const struct {
    const char *words, *advice;
} messages[] = {
#define NAME(name, header)
#define UNFIT(name, advice)
#define MESSAGE(words, advice) {words, advice},
#include "evaluate/compiler_hints.def"
#undef NAME
#undef UNFIT
#undef MESSAGE
};

/* An error that is asked about, and the name in it. */
struct question {
    const struct space *space;
    const struct compiler_error *found;
    char name[64];
    char *hint;
    size_t room;
};

static bool put(const struct question *question, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool put(const struct question *question, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_vformat(question->hint, question->room, format, arguments);
    va_end(arguments);
    return true;
}

/* A name of the space file that its author takes for a macro. */
static bool hint_undefined(const struct question *question)
{
    struct space_declared declared;
    return space_declared(question->space, question->name, strlen(question->name), &declared) && !declared.macro &&
           put(question, "`%s` is a %s, line %d of %s, and no macro: write `define %s` below it", declared.name,
               declared.statement, declared.line, declared.path, declared.name);
}

static bool hint_header(const struct question *question)
{
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (strcmp(headers[i].name, question->name) == 0)
            return put(question, "`%s` needs #include <%s>", question->name, headers[i].header);
    return false;
}

static bool hint_unfit(const struct question *question)
{
    for (size_t i = 0; i < sizeof unfit / sizeof *unfit; i++) {
        size_t length = strlen(unfit[i].name);
        bool folder = unfit[i].name[length - 1] == '/';
        if (strncmp(question->name, unfit[i].name, length) == 0 && (folder || !question->name[length]))
            return put(question, "kernels cannot use `%s` of the host's library: %s%s", question->name, unfit[i].advice,
                       question->space->nvcc ? ""
                                             : "; `compiler nvcc` in the space file allows it in code of the host");
    }
    return false;
}

static bool hint_missing_file(const struct question *question)
{
    return put(question,
               "cutune looks in the folder of the source, in the toolkit's, and in those of: option \"-IFOLDER\"");
}

/* The identifier at that offset of the excerpt, or the one that ends before it. */
static bool name_near(const char *excerpt, size_t at, bool before, const char **name, size_t *length)
{
    size_t end = before && at > 0 && excerpt[at - 1] == ' ' ? at - 1 : at, start = end;
    while (start > 0 && is_name_part(excerpt[start - 1]))
        start--;
    while (!before && is_name_part(excerpt[end]))
        end++;
    *name = excerpt + start;
    *length = end - start;
    return *length > 0 && !text_is_digit(**name);
}

/* The text of an error does not show that a name in it was replaced. */
static bool hint_macro(const struct question *question)
{
    const struct compiler_error *found = question->found;
    struct space_declared declared;
    if (found->column == 0 || (size_t)found->column > strlen(found->excerpt))
        return false;
    /* What a compiler expects, it expects behind the place where the name was. */
    for (int before = 0; before < 1 + (strncmp(found->message, "expected ", 9) == 0); before++) {
        const char *name;
        size_t length;
        if (name_near(found->excerpt, (size_t)found->column - 1, before, &name, &length) &&
            space_declared(question->space, name, length, &declared) && declared.macro)
            return put(
                question,
                "`%s` is a macro here: %s %s, line %d of %s; if it should be a name of its own, rename one of the two",
                declared.name, declared.statement, declared.name, declared.line, declared.path);
    }
    return false;
}

/* Advice for a message, whatever it quotes. */
static bool hint_message(const struct question *question)
{
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
        if (strstr(question->found->message, messages[i].words))
            return put(question, "%s", messages[i].advice);
    return false;
}

typedef bool hint_rule(const struct question *question);

/* Rules by what the message begins with, asked in order. The name is what is quoted next; '^': what the caret is at. */
static const struct {
    const char *message;
    hint_rule *rule;
} rules[] = {
    {"identifier \"", hint_undefined},
    {"identifier \"", hint_header},
    {"namespace \"std\" has no member \"", hint_header},
    {"namespace \"std\" has no member \"", hint_unfit},
    {"^name must be a namespace name", hint_header},
    {"^name followed by \"::\" must be", hint_header},
    {"could not open source file \"", hint_unfit},
    {"cannot open source file \"", hint_unfit},
    {"could not open source file \"", hint_missing_file},
    {"cannot open source file \"", hint_missing_file},
    {"", hint_message},
    {"", hint_macro},
};

static void find_name(const struct compiler_error *found, bool at_caret, size_t behind, struct question *question)
{
    const char *name = found->message + behind;
    size_t length = strcspn(name, "\"");
    if (at_caret && (found->column == 0 || (size_t)found->column > strlen(found->excerpt) ||
                     !name_near(found->excerpt, (size_t)found->column - 1, false, &name, &length)))
        length = 0;
    copy(question->name, sizeof question->name, name, length);
}

bool compiler_errors_hint(const struct space *space, const struct compiler_error *found, char *hint, size_t room)
{
    struct question question = {.space = space, .found = found, .hint = hint, .room = room};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        bool at_caret = rules[i].message[0] == '^';
        const char *message = rules[i].message + at_caret;
        size_t length = strlen(message);
        if (strncmp(found->message, message, length) != 0)
            continue;
        find_name(found, at_caret, length, &question);
        if (rules[i].rule(&question))
            return true;
    }
    return false;
}

bool compiler_errors_hint_log(const struct space *space, const char *log, char *hint, size_t room)
{
    struct compiler_error found;
    while (compiler_errors_next(space->folder, &log, &found))
        if (compiler_errors_hint(space, &found, hint, room))
            return true;
    return false;
}
