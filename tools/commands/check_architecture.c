#include "commands/check_architecture.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "commands/check_devices.h"
#include "database/limits_file.h"

enum { CC_MAX = 999, OWN_FEATURES_CC = 90 };

static int refuse(const char *text, size_t length, struct error *error)
{
    error_set(error, ERROR_USAGE, "--arch: '%.*s' is not an architecture", (int)(length > 40 ? 40 : length), text);
    error_hint(error, "for example: --arch sm_80,sm_90a");
    return ERROR_USAGE;
}

static int parse_one(const char *text, size_t length, int64_t *cc, struct error *error)
{
    static const char prefix[] = "sm_";
    size_t at = sizeof prefix - 1;
    *cc = 0;
    if (length <= at || memcmp(text, prefix, at) != 0)
        return refuse(text, length, error);
    for (; at < length && text_is_digit(text[at]) && *cc <= CC_MAX; at++)
        *cc = *cc * 10 + (text[at] - '0');
    at += at < length && text[at] == 'a' && *cc >= OWN_FEATURES_CC;
    return at == length && *cc >= 10 && *cc <= CC_MAX ? 0 : refuse(text, length, error);
}

int architectures_parse(const char *text, int64_t capabilities[ARCHITECTURES_MAX], size_t *count, struct error *error)
{
    *count = 0;
    for (;;) {
        size_t length = strcspn(text, ","), i = 0;
        int64_t cc;
        int code = parse_one(text, length, &cc, error);
        if (code)
            return code;
        while (i < *count && capabilities[i] != cc)
            i++;
        if (i == ARCHITECTURES_MAX)
            return error_set(error, ERROR_USAGE, "--arch: more than %d architectures", ARCHITECTURES_MAX);
        capabilities[i] = cc;
        *count += i == *count;
        if (!text[length])
            return 0;
        text += length + 1;
    }
}

const char *architecture_name(int64_t cc, char name[ARCHITECTURE_BYTES])
{
    snprintf(name, ARCHITECTURE_BYTES, "sm_%lld%s", (long long)cc, cc >= OWN_FEATURES_CC ? "a" : "");
    return name;
}

/* True if `cc` is closer to the wanted one than `other`: the same, else the next lower, else the next higher. */
static bool is_nearer(int64_t cc, int64_t other, int64_t wanted)
{
    if ((cc <= wanted) != (other <= wanted))
        return cc <= wanted;
    return cc <= wanted ? cc > other : cc < other;
}

int architecture_limits(struct arena *arena, int64_t cc, struct device_limits *limits, bool *stand_in,
                        struct error *error)
{
    const char *const *files = NULL;
    size_t count = 0;
    int code = device_files(arena, &files, &count, error);
    for (size_t i = 0; i < count && !code; i++) {
        struct device_limits each;
        code = limits_read(files[i], &each, error);
        if (!code && (i == 0 || is_nearer(each.cc, limits->cc, cc)))
            *limits = each;
    }
    if (!code && count == 0)
        code = error_set(error, ERROR_NOT_FOUND, "there are no device files");
    *stand_in = !code && limits->cc != cc;
    if (!code)
        limits->cc = cc;
    return code;
}
