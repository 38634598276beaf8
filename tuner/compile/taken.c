#include "compile/taken.h"

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

static void watch(struct taken *taken, const char *path, size_t length)
{
    size_t start = taken->paths.length;
    text_append(&taken->paths, path, length);
    text_append(&taken->paths, "", 1);
    if (!taken->paths.failed)
        dependencies_state(&taken->states, taken->paths.bytes + start);
}

/* A NUL in a file splits it into two texts. */
static void add_included(struct taken *taken, const struct included *file)
{
    text_append(&taken->included, file->text, file->length);
    text_append(&taken->included, "", 1);
    taken->included_count++;
    for (size_t i = 0; i < file->length; i++)
        taken->included_count += file->text[i] == '\0';
}

static int take_file(void *context, const struct included *file, struct error *error)
{
    struct taken *taken = context;
    text_append(&taken->digest, file->path, strlen(file->path) + 1);
    append_hash(&taken->digest, file->text, file->length);
    if (!file->toolkit && *file->name)
        add_included(taken, file);
    if (!file->toolkit) {
        taken->hidden |= headers_bit(file->name);
        size_t folder_length = file_folder_length(file->path);
        if (*file->name) /* the source itself is available as text */
            watch(taken, file->path, strlen(file->path));
        /* A new file here may be found in place of another. */
        watch(taken, folder_length ? file->path : ".", folder_length ? folder_length : 1);
    }
    return taken->digest.failed || taken->paths.failed || taken->included.failed ? error_memory(error) : 0;
}

static int hide_header(void *context, const struct included *file, struct error *error)
{
    (void)error;
    if (!file->toolkit)
        *(uint64_t *)context |= headers_bit(file->name);
    return 0;
}

/* A file of unknown name may include any header. Hides those that the source itself would find as files. */
static void hide_any(struct taken *taken, const struct includes *asked)
{
    struct error error = {0};
    struct text source = {0};
    struct includes includes = *asked;
    headers_source(&source);
    includes.source = text_string(&source);
    includes.length = source.length;
    includes.take = hide_header;
    includes.context = &taken->hidden;
    includes.unknown = (struct text){0};
    includes_scan(&includes, &error);
    text_free(&includes.unknown);
    text_free(&source);
}

static void scan(struct taken *taken, const struct request *request)
{
    struct error error = {0};
    struct includes includes = {.path = request->job.path,
                                .source = request->job.source,
                                .length = strlen(request->job.source),
                                .options = text_string(&request->all_options),
                                .option_count = request->all_option_count,
                                .take = take_file,
                                .context = taken};
    text_clear(&taken->digest);
    text_clear(&taken->paths);
    text_clear(&taken->states);
    text_clear(&taken->included);
    taken->included_count = 0;
    taken->hidden = 0;
    taken->known = includes_scan(&includes, &error) == 0 && includes.unknown.length == 0;
    if (!taken->known)
        hide_any(taken, &includes);
    text_free(&includes.unknown);
}

static bool same_text(const struct text *a, const struct text *b)
{
    return !a->failed && !b->failed && a->length == b->length && (!a->length || !memcmp(a->bytes, b->bytes, a->length));
}

static bool is_current(const struct taken *taken)
{
    struct text states = {0};
    const char *at = text_string(&taken->paths), *end = at + taken->paths.length;
    for (; at < end; at += strlen(at) + 1)
        dependencies_state(&states, at);
    bool same = same_text(&states, &taken->states);
    text_free(&states);
    return same;
}

static void refresh(struct taken *taken, const struct request *request, bool anew)
{
    struct text question = {0};
    make_question(request, &question);
    if (anew || !same_text(&question, &taken->question) || !is_current(taken)) {
        text_free(&taken->question);
        taken->question = question;
        question = (struct text){0};
        scan(taken, request);
    }
    text_free(&question);
}

bool taken_append(struct taken *taken, const struct request *request, bool anew, struct text *digest)
{
    refresh(taken, request, anew);
    if (taken->known)
        text_append(digest, text_string(&taken->digest), taken->digest.length);
    return taken->known;
}

uint64_t taken_hidden(struct taken *taken, const struct request *request)
{
    refresh(taken, request, false);
    return taken->hidden;
}

const char *taken_included(struct taken *taken, const struct request *request, size_t *count)
{
    refresh(taken, request, false);
    *count = taken->included_count;
    return taken->known ? text_string(&taken->included) : NULL;
}

void taken_free(struct taken *taken)
{
    text_free(&taken->question);
    text_free(&taken->digest);
    text_free(&taken->paths);
    text_free(&taken->states);
    text_free(&taken->included);
    *taken = (struct taken){0};
}
