#include "compile/minimal.h"

#include <string.h>

#include "base/hash.h"
#include "compile/unasked.h"

/* Options that choose themselves what NVRTC leaves out, or include files of unknown content. */
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
    return true;
}

bool minimal_apply(struct minimal *minimal, const struct request *request, struct request *quick)
{
    static const char option[] = "--minimal";
    uint64_t source = hash_u64(request->job.source, strlen(request->job.source), 0);
    if (minimal->source != source)
        *minimal = (struct minimal){.source = source};
    *quick = *request;
    quick->all_options = (struct text){0};
    if (minimal->level == MINIMAL_NOT || !is_fit(request))
        return false;
    text_append(&quick->all_options, request->all_options.bytes, request->all_options.length);
    if (minimal->level != MINIMAL_ALONE) {
        text_append(&quick->all_options, option, sizeof option);
        quick->all_option_count++;
    }
    size_t unasked = minimal->level <= MINIMAL_ALONE ? unasked_options(&request->job, &quick->all_options) : 0;
    quick->all_option_count += unasked;
    minimal->alone = unasked > 0;
    return !quick->all_options.failed && quick->all_option_count > request->all_option_count;
}

void minimal_free(struct request *quick)
{
    text_free(&quick->all_options);
}

void minimal_give_up(struct minimal *minimal)
{
    minimal->level = minimal->alone ? minimal->level + 1 : MINIMAL_NOT;
}
