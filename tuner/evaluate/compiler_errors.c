#include "evaluate/compiler_errors.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/regular.h"
#include "base/text.h"
#include "base/toolkit.h"
#include "evaluate/compiler_source.h"
#include "evaluate/host_code.h"

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

/* Reads the host compiler's "FILE:LINE:COLUMN: error: MESSAGE", also with "fatal error". It runs nvcc's preprocessor.
 */
static bool read_host_head(const char *line, struct compiler_error *found)
{
    static const char *const kinds[] = {": error: ", ": fatal error: "};
    size_t length = strcspn(line, "\n");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const char *kind = memmem(line, length, kinds[k], strlen(kinds[k])), *column = kind, *number;
        while (column && column > line && text_is_digit(column[-1]))
            column--;
        for (number = column ? column - 1 : line; number > line && text_is_digit(number[-1]);)
            number--;
        if (!column || column == kind || column < line + 2 || column[-1] != ':' || number + 1 >= column ||
            number < line + 2 || number[-1] != ':')
            continue;
        const char *message = kind + strlen(kinds[k]);
        long in_line = strtol(number, NULL, 10), in_column = strtol(column, NULL, 10);
        *found = (struct compiler_error){.line = in_line > INT_MAX ? INT_MAX : (int)in_line,
                                         .column = in_column > INT_MAX ? INT_MAX : (int)in_column};
        copy(found->path, sizeof found->path, line, (size_t)(number - 1 - line));
        copy(found->message, sizeof found->message, message, (size_t)(line + length - message));
        return *found->message;
    }
    return false;
}

/* Reads the line that the host compiler quotes behind its number and a bar. */
static void read_host_excerpt(const char *line, struct compiler_error *found)
{
    static const char bar[] = " | ";
    size_t length = strcspn(line, "\n"), digits = strspn(line, " ");
    const char *text = memmem(line, length, bar, sizeof bar - 1);
    if (text && text_is_digit(line[digits]))
        copy(found->excerpt, sizeof found->excerpt, text + sizeof bar - 1,
             (size_t)(line + length - text) - (sizeof bar - 1));
    else
        found->column = 0;
}

/* Reads the quoted line, which is indented by two blanks, as is the caret below it. */
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

/* Completes the path of a file in the folder. A log also names texts that are not files. */
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
        bool host = *line != ' ' && !read_head(line, found);
        if (*line == ' ' || (host && !read_host_head(line, found)))
            continue;
        find_file(folder, found);
        (host ? read_host_excerpt : read_excerpt)(*log, found);
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
#define KERNEL(words, advice)
#include "evaluate/compiler_hints.def"
#undef NAME
#undef UNFIT
#undef MESSAGE
#undef KERNEL
};
static const struct {
    const char *name, *advice;
} unfit[] = {
#define NAME(name, header)
#define UNFIT(name, advice) {name, advice},
#define MESSAGE(words, advice)
#define KERNEL(words, advice)
#include "evaluate/compiler_hints.def"
#undef NAME
#undef UNFIT
#undef MESSAGE
#undef KERNEL
};
static const struct {
    const char *words, *advice;
    bool of_kernel;
} messages[] = {
#define NAME(name, header)
#define UNFIT(name, advice)
#define MESSAGE(words, advice) {words, advice, false},
#define KERNEL(words, advice)  {words, advice, true},
#include "evaluate/compiler_hints.def"
#undef NAME
#undef UNFIT
#undef MESSAGE
#undef KERNEL
};

/* An error to explain, and the name in it. */
struct question {
    const struct space *space;
    const struct compiler_error *found;
    const char *text; /* of the file with the error, or the kernel's source if that file is a header of the toolkit or
                         unknown */
    bool toolkit;     /* the error is in a header of the toolkit */
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

/* Explains a name of the space file that is used like a macro. */
static bool hint_undefined(const struct question *question)
{
    struct space_declared declared;
    if (!space_declared(question->space, question->name, strlen(question->name), &declared) ||
        (declared.macro && strcmp(declared.macro, question->name) == 0))
        return false;
    if (declared.macro)
        return put(question, "the macro of the %s `%s`, line %d of %s, is `%s`", declared.statement, declared.name,
                   declared.line, declared.path, declared.macro);
    return put(question, "`%s` is a %s, line %d of %s, and no macro: write `define %s` below it", declared.name,
               declared.statement, declared.line, declared.path, declared.name);
}

/* Suggests the name's header unless the source includes it. */
static bool hint_header(const struct question *question)
{
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (strcmp(headers[i].name, question->name) == 0)
            return !host_code_includes(question->text, headers[i].header) &&
                   put(question, "`%s` needs #include <%s>", question->name, headers[i].header);
    return false;
}

/* Explains a name without a namespace. Some headers declare their names in namespace std only, so that such a name may
 * be anything else. */
static bool hint_unqualified(const struct question *question)
{
    static const char *const of_std[] = {"utility", "algorithm", "limits", "type_traits"};
    bool in_std = false, has = false;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        for (size_t s = 0; s < sizeof of_std / sizeof *of_std; s++)
            if (strcmp(headers[i].name, question->name) == 0 && strcmp(headers[i].header, of_std[s]) == 0) {
                in_std = true;
                has = host_code_includes(question->text, of_std[s]);
            }
    if (!in_std || strstr(question->text, "using namespace std"))
        return hint_header(question);
    return has && put(question, "`%s` is in namespace std: write std::%s", question->name, question->name);
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

/* Explains errors in headers of the toolkit. A header that needs the host's library is itself host code. */
static bool hint_toolkit(const struct question *question)
{
    static const struct {
        const char *included, *advice;
    } rows[] = {
        {"thrust/", "Thrust is code of the host, which launches kernels: launch them by the space file"},
        {"cub/device/", "CUB's device headers are code of the host; its block and warp headers (cub/block/..., "
                        "cub/warp/...) are not"},
        {"cub/cub.cuh", "cub/cub.cuh has code of the host; CUB's block and warp headers (cub/block/..., cub/warp/...) "
                        "have not"},
    };
    for (size_t i = 0; question->toolkit && i < sizeof rows / sizeof *rows; i++)
        if (host_code_includes(question->text, rows[i].included))
            return put(question, "%s%s", rows[i].advice,
                       question->space->nvcc ? "" : "; such code needs `compiler nvcc` in the space file");
    return question->toolkit;
}

static bool hint_missing_file(const struct question *question)
{
    return put(question,
               "cutune looks in the folder of the source, in the toolkit's, and in those of: option \"-IFOLDER\"");
}

/* Finds the identifier at an offset of the excerpt, or the one that ends before it. */
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

/* True if a macro in place of a name may cause the error: its message names an expected token, or quotes the macro's
 * text, which the line does not contain. */
static bool is_about_text(const struct compiler_error *found)
{
    static const char *const beginnings[] = {"expected ", "expression must be a modifiable lvalue",
                                             "this declaration has no storage class", "unrecognized token",
                                             "extra text after expected end of number"};
    const char *quote = strchr(found->message, '"');
    char quoted[64] = "";
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(found->message, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    if (quote && strncmp(found->message, "identifier ", strlen("identifier ")) == 0)
        copy(quoted, sizeof quoted, quote + 1, strcspn(quote + 1, "\""));
    return *quoted && !strstr(found->excerpt, quoted);
}

static bool put_macro(const struct question *question, const struct space_declared *declared)
{
    bool parameter = strcmp(declared->statement, "param") == 0;
    return put(question, "`%s` is a macro here: %s %s, line %d of %s; to keep both names, rename one of them%s%s%s",
               declared->macro, declared->statement, declared->name, declared->line, declared->path,
               parameter ? ", or the macro alone: param " : "", parameter ? declared->name : "",
               parameter ? " as \"MACRO\" = ..." : "");
}

/* Explains an error at a macro's name. The error's text does not show the replacement. */
static bool hint_macro(const struct question *question)
{
    const struct compiler_error *found = question->found;
    struct space_declared declared;
    if (found->column == 0 || (size_t)found->column > strlen(found->excerpt) || !is_about_text(found))
        return false;
    /* "expected" errors point behind the place of the name */
    for (int before = 0; before < 1 + (strncmp(found->message, "expected ", 9) == 0); before++) {
        const char *name;
        size_t length;
        if (name_near(found->excerpt, (size_t)found->column - 1, before, &name, &length) &&
            space_declared(question->space, name, length, &declared) && declared.macro &&
            strlen(declared.macro) == length && memcmp(declared.macro, name, length) == 0)
            return put_macro(question, &declared);
    }
    return false;
}

/* Returns the advice of a message, without regard to names. Errors about kernels that the space names have no file. */
static bool hint_message(const struct question *question)
{
    const struct compiler_error *found = question->found;
    bool in_file = found->line && access(found->path, F_OK) == 0;
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
        if (strstr(found->message, messages[i].words) && !(messages[i].of_kernel && in_file))
            return put(question, "%s", messages[i].advice);
    return false;
}

/* ---- Hints about host code ---- */

#define NOT_COMPILED "put it between #ifndef __CUDACC_RTC__ and #endif, or write `compiler nvcc` in the space file"

/* `add`: annotation that also makes it device code */
static bool hint_host(const struct question *question, const char *add)
{
    const char *name = question->name;
    if (question->toolkit || !*name)
        return hint_toolkit(question);
    const struct host_code code = host_code_of(question->text, name, question->found->line);
    if (code.of_host)
        return put(question, "`%s` is code of the host, which NVRTC does not compile: " NOT_COMPILED, name);
    if (code.on_device)
        return put(question, "device code uses `%s`: write %s before it", name, add);
    return put(question, "if kernels use `%s`, write %s before it; else " NOT_COMPILED, name, add);
}

static bool hint_unmarked(const struct question *question)
{
    return hint_host(question, "__device__");
}

static bool hint_marked(const struct question *question)
{
    return hint_host(question, "__host__ __device__");
}

static bool hint_variable(const struct question *question)
{
    const struct host_code code = host_code_of(question->text, question->name, 0);
    const char *line = question->found->excerpt; /* a lambda is not a variable, and references cannot be annotated */
    return !question->toolkit && code.on_device && !strstr(line, "= [") && !strstr(line, "texture<") &&
           !strstr(line, "surface<") &&
           put(question, "device code uses `%s`: write __device__ or __constant__ before it", question->name);
}

/* Reduces "space::plus<int>(float)" to "plus". */
static void bare_name(char name[64])
{
    size_t end = strcspn(name, "<("), start;
    while (end > 0 && !is_name_part(name[end - 1]))
        end--;
    for (start = end; start > 0 && is_name_part(name[start - 1]);)
        start--;
    memmove(name, name + start, end - start);
    name[end - start] = '\0';
}

/* Explains a call of a host function. Only a function that this file defines can be annotated. */
static bool hint_called(const struct question *question)
{
    struct question own = *question;
    if (strncmp(own.name, "lambda ", strlen("lambda ")) == 0)
        return put(question, "define the lambda in device code");
    bare_name(own.name);
    if (strncmp(question->name, "std::", strlen("std::")) == 0)
        return put(question, "kernels cannot call the host's library, which has `%s`", own.name);
    return !own.toolkit && host_code_of(own.text, own.name, 0).defined &&
           put(question, "device code uses `%s`: write __device__ before it", own.name);
}

/* Explains `1.0h`: half precision has no literals. */
static bool hint_literal(const struct question *question)
{
    const struct compiler_error *found = question->found;
    const char *at = found->excerpt + (found->column > 0 ? found->column - 1 : 0);
    size_t digits = strspn(at, "0123456789.");
    return found->column > 0 && (size_t)found->column <= strlen(found->excerpt) && digits &&
           (at[digits] == 'h' || at[digits] == 'H') && !is_name_part(at[digits + 1]) &&
           put(question, "C++ has no literals of half precision: write __float2half(%.*s), with cuda_fp16.h",
               (int)(digits < 20 ? digits : 20), at);
}

/* Explains a lambda that needs an option of nvcc. NVRTC has no such lambdas. */
static bool hint_lambda(const struct question *question)
{
    return question->space->nvcc && put(question, "write: compiler nvcc \"--extended-lambda\"");
}

/* Explains a name of the host in device code, which nvcc finds later than NVRTC. */
static bool hint_on_device(const struct question *question)
{
    struct question own = *question;
    if (!strstr(question->found->message, "\" is undefined in device code"))
        return false;
    if (strncmp(own.name, "std::", strlen("std::")) == 0) {
        memmove(own.name, own.name + strlen("std::"), strlen(own.name + strlen("std::")) + 1);
        if (hint_unfit(&own))
            return true;
        bare_name(own.name);
        return put(question, "kernels cannot call the host's library, which has `%s`", own.name);
    }
    return !own.toolkit && host_code_of(own.text, own.name, 0).defined &&
           put(question, "device code uses `%s`: write __device__%s before it", own.name,
               host_code_is_function(own.text, own.name) ? "" : " or __constant__");
}

/* Explains a constexpr function of the host. */
static bool hint_relaxed(const struct question *question)
{
    bool lambda = strcmp(question->name, "operator()") == 0;
    return question->space->nvcc && !lambda && strstr(question->found->message, "'--expt-relaxed-constexpr'") &&
           put(question, "write: compiler nvcc \"--expt-relaxed-constexpr\"");
}

/* Explains a file that the host compiler does not find. */
static bool hint_not_found(const struct question *question)
{
    return strstr(question->found->message, ": No such file or directory") && hint_missing_file(question);
}

typedef bool hint_rule(const struct question *question);

/* Rules by the beginning of the message, applied in order. The name is the following quotation; after '^', the word at
 * the caret. */
static const struct {
    const char *message;
    hint_rule *rule;
} rules[] = {
    {"identifier \"", hint_on_device},
    {"identifier \"", hint_undefined},
    {"identifier \"", hint_unqualified},
    {"namespace \"std\" has no member \"", hint_header},
    {"namespace \"std\" has no member \"", hint_unfit},
    {"^name must be a namespace name", hint_header},
    {"^name followed by \"::\" must be", hint_header},
    {"could not open source file \"", hint_toolkit},
    {"cannot open source file \"", hint_toolkit},
    {"could not open source file \"", hint_unfit},
    {"cannot open source file \"", hint_unfit},
    {"could not open source file \"", hint_missing_file},
    {"cannot open source file \"", hint_missing_file},
    {"^A function without execution space annotations", hint_unmarked},
    {"^A function explicitly marked as a __host__ function", hint_marked},
    {"^A namespace scope variable without memory space annotations", hint_variable},
    {"calling a __host__ function(\"", hint_called},
    {"user-defined literal operator not found", hint_literal},
    {"__host__ or __device__ annotation on lambda requires", hint_lambda},
    {"calling a constexpr __host__ function(\"", hint_relaxed},
    {"", hint_not_found},
    {"", hint_message},
    {"", hint_macro},
    {"", hint_toolkit},
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

static bool is_toolkit(const char *path)
{
    struct text folders = {0};
    size_t count = 0;
    bool found = false;
    toolkit_folders(&folders, &count);
    const char *at = text_string(&folders);
    for (size_t i = 0; i < count && !folders.failed; i++, at += strlen(at) + 1)
        found |= strncmp(path, at, strlen(at)) == 0;
    text_free(&folders);
    return found;
}

/* Returns the text of the file with the error; `read` owns it if the space does not. */
static const char *find_text(const struct space *space, const char *path, bool toolkit, struct text *read)
{
    enum { FILE_BYTES_MAX = 4 << 20 };
    const char *source = space->source ? space->source : "";
    if (toolkit || !*path || (space->source_path && strcmp(path, space->source_path) == 0))
        return source;
    return regular_read(path, FILE_BYTES_MAX, read) == REGULAR_READ ? text_string(read) : source;
}

static bool ask(struct question *question)
{
    const struct compiler_error *found = question->found;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        bool at_caret = rules[i].message[0] == '^';
        const char *message = rules[i].message + at_caret;
        size_t length = strlen(message);
        if (strncmp(found->message, message, length) != 0)
            continue;
        *question->hint = '\0';
        find_name(found, at_caret, length, question);
        if (rules[i].rule(question))
            return *question->hint;
    }
    return false;
}

bool compiler_errors_hint(const struct space *space, const struct compiler_error *found, char *hint, size_t room)
{
    struct text read = {0};
    bool toolkit = is_toolkit(found->path);
    struct question question = {.space = space,
                                .found = found,
                                .text = find_text(space, found->path, toolkit, &read),
                                .toolkit = toolkit,
                                .hint = hint,
                                .room = room};
    bool some = ask(&question);
    text_free(&read);
    return some;
}

bool compiler_errors_hint_log(const struct space *space, const char *log, char *hint, size_t room)
{
    struct compiler_error found;
    while (compiler_errors_next(space->folder, &log, &found)) {
        compiler_source_restore(space, &found);
        if (compiler_errors_hint(space, &found, hint, room))
            return true;
    }
    return false;
}
