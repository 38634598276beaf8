#include "base/generator.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/hash.h"

bool generator_is_subject(const char *message)
{
    return strncmp(message, GENERATOR_SUBJECT, sizeof GENERATOR_SUBJECT - 1) == 0;
}

int generator_each_file(const char *command, const char *folder, generator_take_file *take, void *context,
                        struct error *error)
{
    static const char between[] = " \t\"'";
    char path[PATH_MAX];
    struct stat about;
    int code = 0;
    for (const char *word = command; *word && !code;) {
        int length = (int)strcspn(word, between);
        bool fits = length && snprintf(path, sizeof path, "%s%s%.*s", *word == '/' ? "" : folder,
                                       *word == '/' ? "" : "/", length, word) < (int)sizeof path;
        if (fits && stat(path, &about) == 0 && S_ISREG(about.st_mode))
            code = take(context, path, error);
        word += length ? (size_t)length : 1;
    }
    return code;
}

static int add_hash(void *context, const char *path, struct error *error)
{
    char content[HASH_HEX_BYTES];
    struct stat about;
    if (stat(path, &about))
        return error_errno(error, ERROR_IO, "cannot read %s", path);
    int code = hash_file(path, (uint64_t)about.st_size, content, error);
    text_printf(context, "command %s\n", content);
    return code;
}

int generator_digest(const char *command, const char *folder, struct text *digest, struct error *error)
{
    int code = generator_each_file(command, folder, add_hash, digest, error);
    return !code && digest->failed ? error_memory(error) : code;
}
