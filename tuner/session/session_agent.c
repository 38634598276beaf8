#include "session/session_agent.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "evaluate/agent.h"
#include "session/session_state.h"

/* A job that is being opened. */
struct opening {
    const struct session_agent *agent;
    struct channel *channel;
    uint64_t number;
    struct text bytes; /* of the job's message */
    struct remote_job job;
    struct arena arena;
    const char *store; /* folder of files by hash */
    const char *tree;  /* folder that stands for the root of the other host */
};

static int gone(struct error *error)
{
    return error_set(error, ERROR_WORKER, "the run's other end is gone");
}

static int nonsense(struct error *error)
{
    return error_set(error, ERROR_WORKER, "the run sends what makes no sense");
}

/* Waits for a message. */
static int hear(struct channel *channel, struct message *message, struct error *error)
{
    for (;;) {
        int got = channel_receive(channel, message);
        if (got)
            return got > 0 ? 0 : gone(error);
        struct pollfd poll_fd = {.fd = channel->socket, .events = POLLIN};
        poll(&poll_fd, 1, -1);
    }
}

static int say(const struct opening *opening, enum remote_kind kind, const struct text *text, struct error *error)
{
    if (text->failed)
        return error_memory(error);
    return channel_send(opening->channel, kind, opening->number, text_string(text), text->length,
                        clock_now_ns() + AGENT_SEND_NS)
               ? 0
               : gone(error);
}

/* ---- Files ---- */

struct file_row {
    char hash[HASH_HEX_BYTES];
    unsigned long long bytes;
    const char *path;
};

/* True for a file below the root, with all `..` resolved. */
static bool stays_below(const char *path)
{
    int depth = 0;
    for (const char *at = path; depth >= 0 && *at; at += strcspn(at, "/")) {
        at += strspn(at, "/");
        size_t length = strcspn(at, "/");
        bool up = length == 2 && strncmp(at, "..", 2) == 0, here = length == 1 && *at == '.';
        depth += up ? -1 : !here && length;
        if ((up || here || !length) && !at[length])
            return false;
    }
    return *path == '/' && depth > 0;
}

static bool read_row(const char *row, struct file_row *file)
{
    int length = 0;
    return sscanf(row, "%32[0-9a-f] %llu %n", file->hash, &file->bytes, &length) == 2 && length > 0 &&
           stays_below(file->path = row + length);
}

static const char *stored(struct opening *opening, const struct file_row *file)
{
    return arena_printf(&opening->arena, "%s/%s", opening->store, file->hash);
}

static bool lacks(struct opening *opening, const struct file_row *file)
{
    struct stat about;
    const char *path = stored(opening, file);
    return !path || stat(path, &about) != 0 || (unsigned long long)about.st_size != file->bytes;
}

/* Receives one file, part by part. */
static int receive_file(struct opening *opening, uint64_t number, const struct file_row *file, struct error *error)
{
    struct text content = {0};
    struct message message;
    char hash[HASH_HEX_BYTES];
    int code = 0;
    do {
        struct remote_part part;
        code = hear(opening->channel, &message, error);
        if (!code && message.kind == REMOTE_END)
            code = error_set(error, ERROR_INTERRUPTED, "the run has ended");
        if (!code && (message.kind != REMOTE_FILE || message.id != opening->number ||
                      !unpack_whole(message.bytes, message.length, &remote_part_table, &part) || part.file != number ||
                      part.offset != content.length || part.total != file->bytes ||
                      part.length > part.total - part.offset || (part.length == 0 && part.total > 0)))
            code = nonsense(error);
        if (!code)
            text_append(&content, part.bytes, part.length);
        if (!code && content.failed)
            code = error_memory(error);
    } while (!code && content.length < file->bytes);
    if (!code) {
        hash_hex(text_string(&content), content.length, hash);
        const char *path = stored(opening, file);
        code = strcmp(hash, file->hash) != 0 ? error_set(error, ERROR_DATA, "%s has changed on the way", file->path)
               : path                        ? file_replace(path, text_string(&content), content.length, error)
                                             : error_memory(error);
    }
    text_free(&content);
    return code;
}

/* Places a file in the tree at its path on the other host. */
static int place_file(struct opening *opening, const struct file_row *file, struct error *error)
{
    const char *place = arena_printf(&opening->arena, "%s%s", opening->tree, file->path);
    const char *target = stored(opening, file);
    if (!place || !target)
        return error_memory(error);
    char *folder = arena_copy(&opening->arena, place, file_folder_length(place));
    int code = folder ? file_make_folder(folder, error) : error_memory(error);
    if (!code && symlink(target, place) != 0 && errno != EEXIST)
        code = error_errno(error, ERROR_IO, "cannot write %s", place);
    return code;
}

static int find_folders(struct opening *opening, struct error *error)
{
    struct compile_cache cache;
    struct text key = {0};
    char hash[HASH_HEX_BYTES];
    int code = compile_cache_find(&cache, error);
    text_printf(&key, "%s\n", opening->job.folder);
    text_append(&key, opening->job.files, text_strings_bytes(opening->job.files, opening->job.file_count));
    hash_hex(text_string(&key), key.length, hash);
    text_free(&key);
    if (code)
        return code;
    opening->store = arena_printf(&opening->arena, "%s/files", cache.folder);
    opening->tree = arena_printf(&opening->arena, "%s/hosts/%s", cache.folder, hash);
    const char *folder =
        opening->tree ? arena_printf(&opening->arena, "%s%s", opening->tree, opening->job.folder) : NULL;
    if (!opening->store || !folder)
        return error_memory(error);
    code = file_make_folder(opening->store, error);
    if (!code)
        code = file_make_folder(folder, error);
    if (!code && chdir(folder) != 0)
        code = error_errno(error, ERROR_IO, "cannot enter %s", folder);
    return code;
}

static int fetch_files(struct opening *opening, struct error *error)
{
    const char *row = opening->job.files;
    struct file_row file;
    struct text missing = {0};
    int code = 0;
    for (uint64_t i = 0; i < opening->job.file_count && !code; i++, row += strlen(row) + 1) {
        if (!read_row(row, &file))
            code = nonsense(error);
        else if (lacks(opening, &file))
            pack_u64(&missing, i);
    }
    if (!code)
        code = say(opening, REMOTE_LACKS, &missing, error);
    struct unpack unpack = unpack_start(text_string(&missing), missing.length);
    row = opening->job.files;
    for (uint64_t i = 0, next = UINT64_MAX; i < opening->job.file_count && !code; i++, row += strlen(row) + 1) {
        if (next == UINT64_MAX && unpack.at < unpack.end)
            next = unpack_u64(&unpack);
        read_row(row, &file);
        if (i == next)
            code = receive_file(opening, i, &file, error);
        if (i == next)
            next = UINT64_MAX;
        if (!code)
            code = place_file(opening, &file, error);
    }
    text_free(&missing);
    return code;
}

/* ---- The job ---- */

/* Makes pointers to consecutive strings. */
static const char *const *list(struct arena *arena, const char *strings, uint64_t count)
{
    const char **items = arena_alloc(arena, (size_t)(count + 1) * sizeof *items);
    for (uint64_t i = 0; items && i < count; i++, strings += strlen(strings) + 1)
        items[i] = strings;
    return items;
}

/* Maps a path of the other host to this one. */
static const char *path_here(struct opening *opening, const char *path)
{
    return *path == '/' ? arena_printf(&opening->arena, "%s%s", opening->tree, path) : *path ? path : NULL;
}

static int make_request(struct opening *opening, struct session_request *request, struct error *error)
{
    const struct remote_job *job = &opening->job;
    *request =
        (struct session_request){.space_path = path_here(opening, job->space_path),
                                 .space_text = *job->space_path ? job->space_text : NULL,
                                 .space_length = (size_t)job->space_length,
                                 .defines = list(&opening->arena, job->defines, job->define_count),
                                 .define_count = (size_t)job->define_count,
                                 .sets = list(&opening->arena, job->sets, job->set_count),
                                 .set_count = (size_t)job->set_count,
                                 .configurations = list(&opening->arena, job->configurations, job->configuration_count),
                                 .configuration_count = (size_t)job->configuration_count,
                                 .part = *job->part ? job->part : NULL,
                                 .space_memory_bytes = (size_t)job->space_memory_bytes,
                                 .synthetic = job->synthetic,
                                 .device = opening->agent->device,
                                 .device_share = opening->agent->device_share,
                                 .replay = path_here(opening, job->replay),
                                 .jobs = opening->agent->jobs,
                                 .core_sharers = opening->agent->core_sharers,
                                 .no_cache = job->no_cache,
                                 .keep_samples = job->keep_samples};
    if (!request->defines || !request->sets || !request->configurations)
        return error_memory(error);
    return conditions_read(&request->conditions, &opening->arena, job->conditions, error);
}

static int serve_session(struct opening *opening, struct session *session, struct error *error)
{
    struct remote_ready ready;
    struct ceilings ceilings;
    struct event_timer timer;
    struct text text = {0};
    const struct evaluator *evaluator = &session->evaluator;
    /* Set the devices up, which may take long: an agent that is ready must answer soon. */
    int code =
        evaluator->ops->device ? evaluator->ops->device->ceilings(evaluator->state, &ceilings, &timer, error) : 0;
    if (!code)
        code = session_describe_ready(session, evaluator, &ready, error);
    if (!code)
        pack_struct(&text, &remote_ready_table, &ready);
    if (!code)
        code = say(opening, REMOTE_READY, &text, error);
    text_free(&text);
    return code ? code
                : agent_serve(opening->channel, opening->number, &session->evaluator,
                              session->request->keep_samples ? &session->kept : NULL, error);
}

/* Serves one job. Errors end the job; the other end receives those that it did not cause. */
static int serve_job(struct opening *opening, struct error *error)
{
    struct session_request request = {0}; /* session_close reads it even if it is never made */
    struct session session = {.request = &request, .error = error, .objective = objective_default()};
    struct text why = {0};
    int code = 0;
    if (!unpack_whole(opening->bytes.bytes, opening->bytes.length, &remote_job_table, &opening->job))
        code = nonsense(error);
    if (!code)
        code = find_folders(opening, error);
    if (!code)
        code = fetch_files(opening, error);
    if (!code)
        code = make_request(opening, &request, error);
    if (!code)
        code = session_open(&session, error);
    if (!code)
        code = serve_session(opening, &session, error);
    if (code && code != ERROR_WORKER) {
        pack_string(&why, error->message);
        say(opening, REMOTE_REFUSED, &why, NULL);
        text_free(&why);
    }
    session_close(&session);
    return code;
}

int session_serve(int socket, const struct session_agent *agent, struct error *error)
{
    struct channel channel = channel_open(socket);
    struct message message;
    int code = 0;
    while (!hear(&channel, &message, NULL)) {
        struct opening opening = {.agent = agent, .channel = &channel, .number = message.id};
        struct error own = {0};
        if (message.kind == REMOTE_END || message.kind == REMOTE_SUBMIT || message.kind == REMOTE_INCUMBENT)
            continue; /* sent for a job that was refused */
        text_append(&opening.bytes, message.bytes, message.length);
        code = message.kind != REMOTE_JOB ? nonsense(&own) : serve_job(&opening, &own);
        arena_free(&opening.arena);
        text_free(&opening.bytes);
        if (code == ERROR_WORKER) {
            code = channel.spoiled && !channel.garbled ? 0 : error_set(error, ERROR_WORKER, "%s", own.message);
            break;
        }
        code = 0;
    }
    channel_close(&channel);
    return code;
}
