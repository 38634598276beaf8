#include "compile/levers.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"

/* Precompiled headers that are made again and again, because an option that stays on the command line varies, cost more
 * than they save. */
enum { CREATED_MAX = 3 };

static const char *const blank = " \t\r\n\v\f";

/* ---- Options ---- */

/* Options after which nothing is known of the levers, or of where headers are found. */
static bool is_unfit(const char *option)
{
    static const char *const parts[] = {"pch", "minimal", "include", "options-file", "-optf", "undefine-macro"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(option, parts[i]))
            return true;
    return strncmp(option, "-U", 2) == 0 || strcmp(option, "-I") == 0 || strcmp(option, "-D") == 0;
}

/* A macro that no header of the toolkit asks for, so that it may as well be defined behind them. Theirs have reserved
 * names or those of their libraries. */
static bool is_movable(const char *option)
{
    static const char *const theirs[] = {"CUDA", "CUB", "THRUST", "CCCL", "LIBCU",
                                         "NV",   "CG_", "NDEBUG", "CUTE", "CUTLASS"};
    const char *name = option + 2;
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    if (strncmp(option, "-D", 2) != 0 || name[0] == '_' || length == 0 || (name[length] != '=' && name[length] != '\0'))
        return false;
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++)
        if (strncmp(name, theirs[i], strlen(theirs[i])) == 0)
            return false;
    return !strpbrk(option, "\n\\");
}

static bool same_macro(const char *option, const char *other)
{
    size_t length = strcspn(option, "=");
    return strncmp(option, other, length) == 0 && (other[length] == '=' || other[length] == '\0');
}

/* Moves what is movable among the request's own options into `macros`, as lines of source. False when one of them is
 * unfit, or defines what another defines too: then their order counts. */
static bool sort_options(const struct request *request, struct text *macros, struct text *options, size_t *count)
{
    const char *at = text_string(&request->all_options);
    size_t common = request->all_option_count - request->option_count;
    for (size_t i = 0; i < request->all_option_count; i++, at += strlen(at) + 1) {
        const char *later = at + strlen(at) + 1, *value = strchr(at, '=');
        if (i >= common && is_unfit(at))
            return false;
        if (i < common || !is_movable(at)) {
            text_append(options, at, strlen(at) + 1);
            ++*count;
            continue;
        }
        for (size_t j = i + 1; j < request->all_option_count; j++, later += strlen(later) + 1)
            if (same_macro(at, later))
                return false;
        text_printf(macros, "#define %.*s %s\n", (int)(value ? value - at - 2 : (long)strlen(at + 2)), at + 2,
                    value ? value + 1 : "1");
    }
    return true;
}

/* ---- The toolkit's headers at the beginning of a source ---- */

/* Is this file the toolkit's, and not one of the user's of the same name? */
static bool is_toolkit_header(const struct request *request, const char *name, size_t length)
{
    static const char cccl[] = "/cccl";
    const char *at = text_string(&request->all_options);
    for (size_t i = 0; i < request->all_option_count; i++, at += strlen(at) + 1) {
        char path[PATH_MAX];
        size_t folder = strlen(at);
        if (strncmp(at, "-I", 2) != 0 ||
            snprintf(path, sizeof path, "%s/%.*s", at + 2, (int)length, name) >= (int)sizeof path || access(path, R_OK))
            continue;
        if (folder > strlen(cccl) && strcmp(at + folder - strlen(cccl), cccl) == 0)
            return true;
        return snprintf(path, sizeof path, "%s/cuda_runtime_api.h", at + 2) < (int)sizeof path && !access(path, R_OK);
    }
    return false;
}

/* Behind the comment at `at`; NULL when it does not end. */
static const char *skip_comment(const char *at)
{
    if (at[1] == '/')
        return at + strcspn(at, "\n");
    const char *end = strstr(at + 2, "*/");
    return end ? end + 2 : NULL;
}

/* Behind the line of the #include of a toolkit header at `at`; NULL when it is something else. */
static const char *skip_include(const struct request *request, const char *at)
{
    static const char word[] = "include";
    at += 1 + strspn(at + 1, " \t");
    if (strncmp(at, word, strlen(word)) != 0)
        return NULL;
    at += strlen(word);
    at += strspn(at, " \t");
    size_t length = strcspn(at, ">\n");
    if (at[0] != '<' || at[length] != '>' || !is_toolkit_header(request, at + 1, length - 1))
        return NULL;
    at += length + 1;
    at += strspn(at, " \t\r");
    if (strncmp(at, "//", 2) == 0)
        at = skip_comment(at);
    return *at == '\n' ? at + 1 : NULL;
}

/* Length of the beginning that has nothing but includes of toolkit headers, up to the last of them, and comments. */
static size_t toolkit_part(const struct request *request)
{
    size_t length = 0;
    for (const char *at = request->source; at;) {
        at += strspn(at, blank);
        if (strncmp(at, "//", 2) == 0 || strncmp(at, "/*", 2) == 0)
            at = skip_comment(at);
        else if (*at == '#' && (at = skip_include(request, at)))
            length = (size_t)(at - request->source);
        else
            break;
    }
    /* A backslash may join lines. */
    return memchr(request->source, '\\', length) ? 0 : length;
}

static size_t count_lines(const char *text, size_t length)
{
    size_t lines = 0;
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    return lines;
}

/* ---- Requests ---- */

static void add_option(struct request *quick, const char *option)
{
    text_append(&quick->all_options, option, strlen(option) + 1);
    quick->all_option_count++;
}

static void learn_source(struct levers *levers, const struct request *request)
{
    uint64_t source = hash_u64(request->source, strlen(request->source), 0);
    if (levers->source != source)
        *levers = (struct levers){.source = source};
}

bool levers_apply(struct levers *levers, const struct request *request, struct request *quick, struct text *text)
{
    struct text macros = {0}, options = {0};
    size_t count = 0, length = 0;
    *quick = *request;
    quick->all_options = (struct text){0};
    learn_source(levers, request);
    bool good = !levers->plain && sort_options(request, &macros, &options, &count);
    if (good && !levers->no_headers)
        length = toolkit_part(request);
    if (length) {
        quick->all_options = options;
        options = (struct text){0};
        quick->all_option_count = count;
        text_append(text, request->source, length);
        text_printf(text, "#pragma nv_hdrstop\n%s#line %zu\n%s", text_string(&macros),
                    count_lines(request->source, length) + 1, request->source + length);
        quick->source = text_string(text);
        add_option(quick, "--pch");
        add_option(quick, "--pch-messages=false");
        add_option(quick,
                   "--diag-suppress=20283,624,625,626,627,628,629,630,631,634"); /* that the line numbers are set:
                                                                                    behind the headers they may be */
    } else if (good) {
        text_append(&quick->all_options, request->all_options.bytes, request->all_options.length);
    }
    if (good)
        add_option(quick, "--minimal");
    good = good && !text->failed && !macros.failed && !quick->all_options.failed;
    text_free(&macros);
    text_free(&options);
    return good;
}

void levers_free(struct request *quick, struct text *text)
{
    text_free(&quick->all_options);
    text_free(text);
}

void levers_note(struct levers *levers, bool created)
{
    levers->compiled++;
    levers->created += created;
    levers->no_headers |= levers->created > CREATED_MAX && 2 * levers->created > levers->compiled;
}

void levers_give_up(struct levers *levers)
{
    levers->plain = true;
}
