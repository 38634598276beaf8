#include "compile/include_cache.h"

#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/includes.h"
#include "compile/dependencies.h"
#include "compile/headers.h"

static void append_hash(struct text *text, const char *bytes, size_t length)
{
    char hash[HASH_HEX_BYTES];
    hash_hex(bytes, length, hash);
    text_append(text, hash, sizeof hash);
}

/* Macros are not part of the question: they differ between configurations. */
static void make_question(const struct request *request, struct text *question)
{
    const char *at = text_string(&request->all_options);
    bool waits = false;
    text_append(question, request->job.path, strlen(request->job.path) + 1);
    append_hash(question, request->job.source, strlen(request->job.source));
    for (size_t i = 0; i < request->all_option_count; i++, at += strlen(at) + 1) {
        bool matters = includes_option(at);
        if (matters || waits)
            text_append(question, at, strlen(at) + 1);
        waits = matters;
    }
}

static void watch(struct include_cache *include_cache, const char *path, size_t length)
{
    size_t start = include_cache->paths.length;
    text_append(&include_cache->paths, path, length);
    text_append(&include_cache->paths, "", 1);
    if (!include_cache->paths.failed)
        dependencies_state(&include_cache->states, include_cache->paths.bytes + start);
}

/* A NUL in a file splits it into two texts. */
static void add_included(struct include_cache *include_cache, const struct included *file)
{
    text_append(&include_cache->included, file->text, file->length);
    text_append(&include_cache->included, "", 1);
    include_cache->included_count++;
    for (size_t i = 0; i < file->length; i++)
        include_cache->included_count += file->text[i] == '\0';
}

static int take_file(void *context, const struct included *file, struct error *error)
{
    struct include_cache *include_cache = context;
    text_append(&include_cache->digest, file->path, strlen(file->path) + 1);
    append_hash(&include_cache->digest, file->text, file->length);
    if (!file->toolkit && *file->name)
        add_included(include_cache, file);
    if (!file->toolkit) {
        include_cache->hidden |= headers_bit(file->name);
        size_t folder_length = file_folder_length(file->path);
        if (*file->name) /* the source itself is available as text */
            watch(include_cache, file->path, strlen(file->path));
        /* A new file here may be found in place of another. */
        watch(include_cache, folder_length ? file->path : ".", folder_length ? folder_length : 1);
    }
    return include_cache->digest.failed || include_cache->paths.failed || include_cache->included.failed
               ? error_memory(error)
               : 0;
}

static int hide_header(void *context, const struct included *file, struct error *error)
{
    (void)error;
    if (!file->toolkit)
        *(uint64_t *)context |= headers_bit(file->name);
    return 0;
}

/* A file of unknown name may include any header. Hides those that the source itself would find as files. */
static void hide_any(struct include_cache *include_cache, const struct includes *asked)
{
    struct error error = {0};
    struct text source = {0};
    struct includes includes = *asked;
    headers_source(&source);
    includes.source = text_string(&source);
    includes.length = source.length;
    includes.take = hide_header;
    includes.context = &include_cache->hidden;
    includes.unknown = (struct text){0};
    includes_scan(&includes, &error);
    text_free(&includes.unknown);
    text_free(&source);
}

static void scan(struct include_cache *include_cache, const struct request *request)
{
    struct error error = {0};
    struct includes includes = {.path = request->job.path,
                                .source = request->job.source,
                                .length = strlen(request->job.source),
                                .options = text_string(&request->all_options),
                                .option_count = request->all_option_count,
                                .take = take_file,
                                .context = include_cache};
    text_clear(&include_cache->digest);
    text_clear(&include_cache->paths);
    text_clear(&include_cache->states);
    text_clear(&include_cache->included);
    include_cache->included_count = 0;
    include_cache->hidden = 0;
    include_cache->known = includes_scan(&includes, &error) == 0 && includes.unknown.length == 0;
    if (!include_cache->known)
        hide_any(include_cache, &includes);
    text_free(&includes.unknown);
}

static bool same_text(const struct text *a, const struct text *b)
{
    return !a->failed && !b->failed && a->length == b->length && (!a->length || !memcmp(a->bytes, b->bytes, a->length));
}

static bool is_current(const struct include_cache *include_cache)
{
    struct text states = {0};
    const char *at = text_string(&include_cache->paths), *end = at + include_cache->paths.length;
    for (; at < end; at += strlen(at) + 1)
        dependencies_state(&states, at);
    bool same = same_text(&states, &include_cache->states);
    text_free(&states);
    return same;
}

static void refresh(struct include_cache *include_cache, const struct request *request, bool anew)
{
    struct text question = {0};
    make_question(request, &question);
    if (anew || !same_text(&question, &include_cache->question) || !is_current(include_cache)) {
        text_free(&include_cache->question);
        include_cache->question = question;
        question = (struct text){0};
        scan(include_cache, request);
    }
    text_free(&question);
}

bool include_cache_append(struct include_cache *include_cache, const struct request *request, bool anew,
                          struct text *digest)
{
    refresh(include_cache, request, anew);
    if (include_cache->known)
        text_append(digest, text_string(&include_cache->digest), include_cache->digest.length);
    return include_cache->known;
}

uint64_t include_cache_hidden(struct include_cache *include_cache, const struct request *request)
{
    refresh(include_cache, request, false);
    return include_cache->hidden;
}

const char *include_cache_included(struct include_cache *include_cache, const struct request *request, size_t *count)
{
    refresh(include_cache, request, false);
    *count = include_cache->included_count;
    return include_cache->known ? text_string(&include_cache->included) : NULL;
}

void include_cache_free(struct include_cache *include_cache)
{
    text_free(&include_cache->question);
    text_free(&include_cache->digest);
    text_free(&include_cache->paths);
    text_free(&include_cache->states);
    text_free(&include_cache->included);
    *include_cache = (struct include_cache){0};
}
