#include "draft/ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/symbol.h"
#include "compile/ptx.h"
#include "evaluate/compiler_errors.h"
#include "evaluate/host_code.h"
#include "expression/lexer.h"
#include "language/kernel_names.h"

static const int64_t timeout_ns = 300 * (int64_t)1000000000;

/* ---- Compiling ---- */

static int start(struct ask_compiler *compiler, struct error *error)
{
    bool cached = !compile_cache_find(&compiler->cache, NULL) && !compile_cache_open(&compiler->cache, NULL);
    return compile_pool_open(&compiler->pool, 1, timeout_ns, cached ? &compiler->cache : NULL, error);
}

void ask_compiler_close(struct ask_compiler *compiler)
{
    compile_pool_close(compiler->pool);
    compiler->pool = NULL;
}

/* Awaits the only job of a pool. */
static int await(struct compile_pool *pool, struct compile_result *result, struct error *error)
{
    struct worker *workers[1];
    int got;
    while ((got = compile_pool_next(pool, result, error)) == 0)
        worker_wait(workers, compile_pool_workers(pool, workers, 1), INT64_MAX);
    return got < 0 ? ERROR_WORKER : 0;
}

/* The result borrows from the pool. */
static int compile_with(const struct ask *ask, const struct text *options, size_t option_count, const char *kernel,
                        const struct text *source, bool wants_ptx, struct compile_result *result, struct error *error)
{
    const struct compile_job job = {.path = ask->path,
                                    .folder = ask->folder,
                                    .source = text_string(source),
                                    .name_expressions = kernel,
                                    .name_count = 1,
                                    .cc = ask->cc,
                                    .nvcc = ask->nvcc,
                                    .wants_ptx = wants_ptx,
                                    .options = text_string(options),
                                    .option_count = option_count};
    if (source->failed || options->failed)
        return error_memory(error);
    int code = ask->compiler->pool ? 0 : start(ask->compiler, error);
    if (!code)
        code = compile_pool_submit(ask->compiler->pool, &job, error);
    return code ? code : await(ask->compiler->pool, result, error);
}

static int compile(const struct ask *ask, const char *kernel, const struct text *source, bool wants_ptx,
                   struct compile_result *result, struct error *error)
{
    return compile_with(ask, ask->options, ask->option_count, kernel, source, wants_ptx, result, error);
}

static void begin_question(const struct ask *ask, struct text *source)
{
    text_printf(source, "%s", ask->source);
    argument_questions_begin(ask->nvcc, source);
}

/* ---- Names without a definition ---- */

/* True unless the excerpt has the name at the column as a function, a class or a type. */
static bool is_value(const struct compiler_error *found, const char *name)
{
    size_t length = strlen(name);
    const char *at = found->excerpt + found->column - 1;
    if (found->column < 1 || (size_t)found->column - 1 + length > strlen(found->excerpt) ||
        strncmp(at, name, length) != 0)
        return true;
    at += length;
    at += strspn(at, " \t");
    return *at != '(' && !lexer_is_name_start(*at) && strncmp(at, "::", 2) != 0;
}

/* True if the message is about the kernel's own name. */
static bool is_name_of(const char *kernel, const struct compiler_error *found)
{
    const char *symbol, *quote = strchr(found->message, '"');
    size_t length;
    kernel_symbol(kernel, &symbol, &length);
    return quote && strncmp(quote + 1, symbol, length) == 0 && quote[1 + length] == '"';
}

/* Reads the name of the message `identifier "NAME" is undefined`. */
static bool undefined_name(const struct compiler_error *found, char name[SPACE_WORD_MAX + 1])
{
    static const char head[] = "identifier \"";
    const char *at = found->message + sizeof head - 1;
    size_t length = strcspn(at, "\"");
    if (strncmp(found->message, head, sizeof head - 1) != 0 || length > SPACE_WORD_MAX ||
        strspn(at, "_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") != length)
        return false;
    snprintf(name, SPACE_WORD_MAX + 1, "%.*s", (int)length, at);
    return true;
}

/* Adds a name that the space could define as a macro, and drops one that follows from another; false: the error has
 * another cure. */
static bool take_undefined(const struct ask *ask, const struct space *none, const struct compiler_error *found,
                           struct arena *arena, struct answer *answer)
{
    char hint[512], name[SPACE_WORD_MAX + 1];
    if (!undefined_name(found, name) || strncmp(name, "__", 2) == 0)
        return false;
    bool of_cuda = strncmp(name, "CUDA_", 5) == 0 || strncmp(name, "CUBLAS_", 7) == 0; /* a header is missing */
    enum ask_name kind = is_value(found, name) && !of_cuda ? ask->name(ask->context, name) : ASK_MISSING;
    if (kind == ASK_FOLLOWS)
        return true;
    if (kind == ASK_MISSING || compiler_errors_hint(none, found, hint, sizeof hint) ||
        answer->undefined_count == ASK_NAMES_MAX) {
        answer->missing = true;
        return false;
    }
    for (size_t i = 0; i < answer->undefined_count; i++)
        if (strcmp(answer->undefined[i], name) == 0)
            return true;
    answer->lines[answer->undefined_count] = found->line;
    answer->undefined[answer->undefined_count] = arena_copy(arena, name, strlen(name));
    return answer->undefined[answer->undefined_count++] != NULL;
}

/* Adds an error with the path that the user gave. */
static void add_error(const struct ask *ask, const struct space *none, const struct compiler_error *found,
                      struct error_list *list)
{
    char hint[512];
    if (list->count < ERROR_LIST_MAX) {
        struct error *error = &list->errors[list->count++];
        error_set(error, ERROR_COMPILE, "%s", found->message);
        error_place(error, strcmp(found->path, ask->path) == 0 ? ask->shown : found->path, found->line, found->column);
        memcpy(error->excerpt, found->excerpt, sizeof error->excerpt);
        if (compiler_errors_hint(none, found, hint, sizeof hint))
            error_hint(error, "%s", hint);
    }
    list->total++;
}

static bool is_about_host(const struct compiler_error *found)
{
    static const char *const words[] = {"execution space annotations", "__host__ function",
                                        "could not open source file", "cannot open source file", "<<<"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(found->message, words[i]))
            return true;
    return strstr(found->excerpt, "<<<") != NULL;
}

/* ---- Questions ---- */

static const char defined_message[] = "static assertion failed with \"cutune defined ";

static void ask_defined(const struct ask *ask, struct text *source)
{
    for (size_t i = 0; i < ask->doubted_count; i++)
        text_printf(source, "#ifdef %s\nstatic_assert(false, \"cutune defined %zu\");\n#endif\n", ask->doubted[i], i);
}

static void take_defined(const struct ask *ask, const struct compiler_error *found, struct answer *answer)
{
    if (strncmp(found->message, defined_message, sizeof defined_message - 1) != 0)
        return;
    unsigned long number = strtoul(found->message + sizeof defined_message - 1, NULL, 10);
    if (number < ask->doubted_count)
        answer->defined |= (uint64_t)1 << number;
}

static void take_types(const char *log, struct answer *answer)
{
    struct argument_answer found;
    while (argument_questions_next(&log, &found)) {
        if (found.number >= SPACE_ARGUMENTS_MAX)
            continue;
        answer->parameters[found.number] = found;
        if (answer->parameter_count <= found.number)
            answer->parameter_count = found.number + 1;
    }
}

/* True if the error is about the text that cutune or the compiler adds to the source, which names the kernel. */
static bool is_question(const struct compiler_error *found)
{
    static const char *const texts[] = {ARGUMENT_QUESTIONS_PATH, "__nv_name_map", "cutune_kernels", "cutune/arguments"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(found->path, texts[i]) == 0)
            return true;
    return false;
}

/* A space without a kernel, for hints about errors of the source. */
static int make_none(const struct ask *ask, struct space **none, struct error *error)
{
    static const char text[] = "space 2\nparam cutune_none = 1\n";
    int code = space_parse_text(none, ask->path, text, sizeof text - 1, NULL, error);
    if (code)
        return code;
    (*none)->source = ask->source;
    (*none)->source_path = ask->path;
    (*none)->nvcc = ask->nvcc;
    return 0;
}

int ask_types(const struct ask *ask, const char *kernel, struct arena *arena, struct answer *answer,
              struct error *error)
{
    struct compile_result result;
    struct compiler_error found;
    struct space *none = NULL;
    struct text source = {0};
    *answer = (struct answer){.known = true, .errors = arena_alloc(arena, sizeof *answer->errors)};
    begin_question(ask, &source);
    argument_questions_types(kernel, &source);
    ask_defined(ask, &source);
    int code = answer->errors ? make_none(ask, &none, error) : error_memory(error);
    if (!code)
        code = compile(ask, kernel, &source, false, &result, error);
    if (!code)
        take_types(result.log, answer);
    for (const char *log = code ? "" : result.log; compiler_errors_next(ask->folder, &log, &found);) {
        if (strstr(found.message, "static assertion failed with \"cutune ")) {
            take_defined(ask, &found, answer);
        } else if (is_question(&found)) {
            answer->known &= !is_name_of(kernel, &found) && take_undefined(ask, none, &found, arena, answer);
        } else {
            answer->host_code |= is_about_host(&found);
            if (!take_undefined(ask, none, &found, arena, answer))
                add_error(ask, none, &found, answer->errors);
        }
    }
    if (!code && result.status != STATUS_OK && !answer->errors->total && !answer->undefined_count &&
        !answer->parameter_count && answer->known) {
        code = error_set(error, ERROR_COMPILE, "%s", result.message);
        if (strstr(result.message, "No such file"))
            error_hint(error, "give the folder of the included file: --option -IFOLDER");
        else
            error_hint(error,
                       "cutune learns a kernel from the compiler: correct the source, or give options by --option");
    }
    space_free(none);
    text_free(&source);
    return code;
}

int ask_debug(const struct ask *ask, const char *kernel, struct compile_result *result, struct error *error)
{
    static const char option[] = "-G";
    struct text source = {0}, options = {0};
    text_printf(&source, "%s", ask->source);
    text_append(&options, text_string(ask->options), ask->options->length);
    text_append(&options, option, sizeof option);
    int code = compile_with(ask, &options, ask->option_count + 1, kernel, &source, false, result, error);
    text_free(&source);
    text_free(&options);
    return code;
}

static int take_code(const struct compile_result *result, uint64_t pointers, struct arena *arena,
                     struct code_answer *answer, struct error *error)
{
    struct ptx_use use;
    char name[PTX_NAME_BYTES];
    const char *at = result->ptx;
    if (result->status != STATUS_OK || !ptx_use_of(result->ptx, result->lowered_names, pointers, &use))
        return 0;
    answer->compiled = true;
    answer->changed = use.calls ? pointers : use.changed;
    answer->dynamic_shared = use.dynamic_shared;
    answer->grid_sync = use.grid_sync;
    answer->threads = use.threads;
    answer->blocks = use.blocks;
    while (answer->constant_count < ASK_CONSTANTS_MAX &&
           ptx_next_constant(result->ptx, result->lowered_names, &at, name)) {
        char own[SYMBOL_BYTES];
        symbol_name(name, own);
        const char *copy = arena_copy(arena, own, strlen(own));
        if (!copy)
            return error_memory(error);
        answer->constants[answer->constant_count++] = copy;
    }
    return 0;
}

int ask_code(const struct ask *ask, const char *kernel, uint64_t pointers, struct arena *arena,
             struct code_answer *answer, struct error *error)
{
    struct compile_result result;
    struct text source = {0};
    *answer = (struct code_answer){0};
    text_printf(&source, "%s", ask->source);
    int code = compile(ask, kernel, &source, true, &result, error);
    if (!code)
        code = take_code(&result, pointers, arena, answer, error);
    text_free(&source);
    return code;
}
