#include "compile/minimal.h"

#include <string.h>

#include "base/hash.h"
#include "compile/kernel_filter.h"
#include "compile/tokens.h"

/* True for options that select themselves which features NVRTC omits, or that include files of unknown content. */
static bool is_unfit(const char *option)
{
    static const char *const parts[] = {"minimal", "pre-include", "options-file", "-optf"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(option, parts[i]))
            return true;
    return false;
}

static bool is_fit(const struct request *request)
{
    const char *at = text_string(&request->all_options);
    size_t common = request->all_option_count - request->job.option_count;
    for (size_t i = 0; i < request->all_option_count; i++, at += strlen(at) + 1)
        if (i >= common && is_unfit(at))
            return false;
    return request->included != NULL;
}

/* True if the word begins like a name that --minimal omits or defines. If a directive or an overload asks for such a
 * name, the source has another meaning without it. */
static bool is_feature(const struct token *word)
{
    static const struct {
        const char *begin, *next; /* `next`: the letters that may follow; NULL: any */
    } rows[] = {{"cuda", NULL},
                {"CUDA", NULL},
                {"CU", "_abcdefghijklmnopqrstuvwxyz"},
                {"tex", "123C"},
                {"textureReference", NULL},
                {"surf", NULL},
                {"libraryProp", NULL},
                {"MAJOR_VERSION", NULL},
                {"MINOR_VERSION", NULL},
                {"PATCH_LEVEL", NULL},
                {"__CUDACC_RTC_", NULL},
                {"__CUDART_API", NULL},
                {"__SURFACE_INDIRECT", NULL},
                {"__TEXTURE_IND", NULL},
                {"__nv_isurf", NULL},
                {"__nv_itex", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t length = strlen(rows[i].begin);
        if (word->length >= length && strncmp(word->at, rows[i].begin, length) == 0 &&
            (!rows[i].next || (word->length > length && strchr(rows[i].next, word->at[length]))))
            return true;
    }
    return false;
}

static bool has_features(const char *source)
{
    struct token token;
    while ((token = token_next(&source)).kind != TOKEN_END)
        if (token.kind == TOKEN_DIRECTIVE)
            source = token.at + 1;
        else if (token.kind == TOKEN_WORD && is_feature(&token))
            return true;
    return false;
}

static bool needs_features(const struct request *request)
{
    const char *at = request->included, *option = request->job.options;
    bool needed = has_features(request->job.source);
    for (size_t i = 0; i < request->included_count && !needed; i++, at += strlen(at) + 1)
        needed = has_features(at);
    for (size_t i = 0; i < request->job.option_count && !needed; i++, option += strlen(option) + 1)
        needed = has_features(option);
    return needed;
}

static void leave_out_features(struct request *quick)
{
    static const char option[] = "--minimal";
    text_append(&quick->all_options, option, sizeof option);
    quick->all_option_count++;
}

bool minimal_apply(struct minimal *minimal, const struct request *request, struct request *quick, struct text *alone)
{
    uint64_t source = hash_u64(request->job.source, strlen(request->job.source), 0);
    if (minimal->source != source)
        *minimal = (struct minimal){.source = source};
    *quick = *request;
    quick->all_options = (struct text){0};
    if (minimal->level == MINIMAL_NOT || !is_fit(request))
        return false;
    text_append(&quick->all_options, request->all_options.bytes, request->all_options.length);
    if (minimal->level != MINIMAL_ALONE && !needs_features(request))
        leave_out_features(quick);
    minimal->alone = minimal->level <= MINIMAL_ALONE &&
                     kernel_filter_source(&request->job, request->included, request->included_count, alone) > 0;
    if (minimal->alone)
        quick->job.source = text_string(alone);
    return !quick->all_options.failed && (minimal->alone || quick->all_option_count > request->all_option_count);
}

void minimal_free(struct request *quick)
{
    text_free(&quick->all_options);
}

void minimal_give_up(struct minimal *minimal)
{
    minimal->level = minimal->alone ? minimal->level + 1 : MINIMAL_NOT;
}
