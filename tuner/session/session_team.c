/* Agents on other hosts: sends them the job, and decides who takes part. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "evaluate/agent.h"
#include "language/files.h"
#include "session/session_state.h"

/* Files travel in parts. */
enum { PART_BYTES = 4 << 20 };
/* Time limit for opening: drivers of hosts with many devices start slowly, and agents first copy files and compile. */
static const int64_t open_ns = 120000000000;

/* ---- The job ---- */

static void append_strings(struct text *text, const char *const *strings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        text_append(text, strings[i], strlen(strings[i]) + 1);
}

/* The files of a job: "HASH BYTES PATH", one after the other. */
struct job_files {
    struct text text;
    uint64_t count;
    char folder[PATH_MAX];
};

static int add_file(void *context, const char *path, struct error *error)
{
    struct job_files *files = context;
    char hash[HASH_HEX_BYTES];
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) /* opening it will report this */
        return 0;
    int code = hash_file(path, (uint64_t)about.st_size, hash, error);
    if (code)
        return code;
    text_printf(&files->text, "%s %llu %s%s%s", hash, (unsigned long long)about.st_size,
                *path == '/' ? "" : files->folder, *path == '/' ? "" : "/", path);
    text_append(&files->text, "", 1);
    files->count++;
    return 0;
}

/* Those that the hello of a compiler command lists; the space knows those that the command's words name. */
static int add_command_files(struct session *session, struct job_files *files, struct error *error)
{
    const struct text *paths = &session->process_pool->command_files;
    int code = session_ask_compiler(session, error);
    for (size_t at = 0; !code && at < paths->length; at += strlen(paths->bytes + at) + 1)
        code = add_file(files, paths->bytes + at, error);
    return code;
}

static int list_files(struct session *session, struct job_files *files, struct error *error)
{
    const struct session_request *request = session->request;
    int code = 0;
    if (!getcwd(files->folder, sizeof files->folder))
        return error_errno(error, ERROR_IO, "cannot find the working directory");
    if (request->replay)
        code = add_file(files, request->replay, error);
    if (!code && session->space)
        code = space_each_file(session->space, add_file, files, error);
    if (!code && session->space && session->space->compiler_command && !request->replay && !request->synthetic)
        code = add_command_files(session, files, error);
    return code || !files->text.failed ? code : error_memory(error);
}

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static void take_note(void *context, const char *text)
{
    session_note(context, "%s", text);
}

int session_ask_team(struct session *session, struct error *error)
{
    const struct session_request *request = session->request;
    struct job_files files = {0};
    struct text conditions = {0}, defines = {0}, sets = {0}, configurations = {0}, packed = {0};
    if (!request->link_count)
        return 0;
    session->team =
        (struct team_setup){.local = &session->alone,
                            .links = request->links,
                            .link_count = request->link_count,
                            .kept = request->keep_samples ? &session->kept : NULL,
                            .silence_ns = (int64_t)((request->silence_s > 0 ? request->silence_s : 60) * 1e9),
                            .stop = request->stop,
                            .note = take_note,
                            .context = session};
    int code = list_files(session, &files, error);
    conditions_text(&request->conditions, &conditions);
    append_strings(&defines, request->defines, request->define_count);
    append_strings(&sets, request->sets, request->set_count);
    append_strings(&configurations, request->configurations, request->configuration_count);
    const struct remote_job job = {.synthetic = request->synthetic,
                                   .no_cache = request->no_cache,
                                   .keep_samples = request->keep_samples,
                                   .space_memory_bytes = request->space_memory_bytes,
                                   .folder = files.folder,
                                   .space_path = or_empty(request->space_path),
                                   .replay = or_empty(request->replay),
                                   .space_text = or_empty(request->space_text),
                                   .space_length = request->space_length,
                                   .conditions = text_string(&conditions),
                                   .part = or_empty(request->part),
                                   .defines = text_string(&defines),
                                   .define_count = request->define_count,
                                   .sets = text_string(&sets),
                                   .set_count = request->set_count,
                                   .configurations = text_string(&configurations),
                                   .configuration_count = request->configuration_count,
                                   .files = text_string(&files.text),
                                   .file_count = files.count};
    if (!code)
        pack_struct(&packed, &remote_job_table, &job);
    if (!code && (packed.failed || conditions.failed || defines.failed || sets.failed || configurations.failed))
        code = error_memory(error);
    for (size_t i = 0; i < request->link_count && !code; i++) {
        struct team_link *link = &request->links[i];
        link->job++;
        if (link->state == LINK_LOST)
            continue;
        link->state = LINK_OPENING;
        if (!channel_send(&link->channel, REMOTE_JOB, link->job, packed.bytes, packed.length,
                          clock_now_ns() + AGENT_SEND_NS))
            team_lose_link(&session->team, link, "it has ended");
    }
    session->files = files.text;
    text_free(&conditions);
    text_free(&defines);
    text_free(&sets);
    text_free(&configurations);
    text_free(&packed);
    return code;
}

/* ---- Answers ---- */

/* Returns the path of a row "HASH BYTES PATH" by its number; NULL: the number is too large. */
static const char *file_path(const struct text *files, uint64_t number)
{
    const char *at = text_string(files), *end = at + files->length;
    for (; number > 0 && at < end; number--)
        at += strlen(at) + 1;
    const char *path = at < end ? strchr(at, ' ') : NULL;
    path = path ? strchr(path + 1, ' ') : NULL;
    return path ? path + 1 : NULL;
}

/* Returns NULL, or the reason of a failure. */
static const char *send_file(struct session *session, struct team_link *link, uint64_t number)
{
    struct text content = {0};
    struct error error = {0};
    const char *path = file_path(&session->files, number), *why = NULL;
    if (!path || file_read(path, SIZE_MAX / 2, &content, &error)) {
        text_free(&content);
        return "it lacks a file that cannot be read";
    }
    uint64_t offset = 0;
    do {
        struct text packed = {0};
        uint64_t left = content.length - offset;
        const struct remote_part part = {.file = number,
                                         .offset = offset,
                                         .total = content.length,
                                         .length = left < PART_BYTES ? left : PART_BYTES,
                                         .bytes = text_string(&content) + offset};
        pack_struct(&packed, &remote_part_table, &part);
        if (packed.failed || !channel_send(&link->channel, REMOTE_FILE, link->job, packed.bytes, packed.length,
                                           clock_now_ns() + AGENT_SEND_NS))
            why = "it does not read its messages";
        text_free(&packed);
        offset += part.length;
    } while (offset < content.length && !why);
    text_free(&content);
    return why;
}

static const char *send_files(struct session *session, struct team_link *link, const struct message *message)
{
    struct unpack unpack = unpack_start(message->bytes, message->length);
    const char *why = NULL;
    while (unpack.at < unpack.end && !unpack.failed && !why)
        why = send_file(session, link, unpack_u64(&unpack));
    return unpack.failed ? "it sends messages that make no sense" : why;
}

/* Processes one message. Returns NULL, or why the agent is left out. */
static const char *take(struct session *session, struct team_link *link, const struct message *message,
                        const struct remote_ready *own, char *why, size_t room)
{
    struct unpack unpack = unpack_start(message->bytes, message->length);
    if (message->id < link->job)
        return NULL;
    switch (message->id == link->job ? message->kind : 0) {
    case REMOTE_LACKS:
        return send_files(session, link, message);
    case REMOTE_REFUSED:
        snprintf(why, room, "%s", unpack_string(&unpack));
        return why;
    case REMOTE_READY:
        if (!unpack_whole(message->bytes, message->length, &remote_ready_table, &link->ready))
            break;
        link->state = LINK_READY;
        return remote_differs(own, &link->ready, why, room) ? why : NULL;
    }
    return "it sends messages that make no sense";
}

static void hear(struct session *session, struct team_link *link, const struct remote_ready *own)
{
    char room[512];
    const char *why = NULL;
    struct message message;
    struct error error = {0};
    int got = 0;
    while (!why && link->state == LINK_OPENING && (got = channel_receive(&link->channel, &message)) > 0)
        why = take(session, link, &message, own, room, sizeof room);
    if (!why && got < 0)
        why = channel_check_version(&link->channel, "rank", &error) ? error.message : "it has ended";
    if (why)
        team_lose_link(&session->team, link, why);
}

static void await_all(struct session *session, const struct remote_ready *own)
{
    const struct session_request *request = session->request;
    int64_t limit_ns = request->silence_s > 0 ? (int64_t)(request->silence_s * 1e9) : open_ns;
    int64_t end_ns = clock_now_ns() + limit_ns;
    struct channel *channel;
    for (bool more = true; more && !(request->stop && *request->stop);) {
        more = false;
        for (size_t i = 0; i < request->link_count; i++) {
            struct team_link *link = &request->links[i];
            if (link->state == LINK_OPENING)
                hear(session, link, own);
            if (link->state == LINK_OPENING && clock_now_ns() > end_ns)
                team_lose_link(&session->team, link, "it does not answer");
            if (link->state != LINK_OPENING || more)
                continue;
            more = true;
            channel = &link->channel;
        }
        if (more) /* poll this channel briefly, then the others */
            evaluator_await(&session->evaluator, false, &channel, 1, clock_now_ns() + 10000000);
    }
}

int session_describe_ready(struct session *session, const struct evaluator *evaluator, struct remote_ready *ready,
                           struct error *error)
{
    const struct space *space = session->space;
    *ready = (struct remote_ready){.limits = *session->limits,
                                   .devices = evaluator->ops->devices(evaluator->state),
                                   .configurations = valid_set_count(session->set),
                                   .state = agent_state(evaluator)};
    snprintf(ready->version, sizeof ready->version, "%s", CUTUNE_VERSION);
    snprintf(ready->text_hash, sizeof ready->text_hash, "%s", space->text_hash);
    snprintf(ready->compiler, sizeof ready->compiler, "%s",
             space->compiler_command ? session->process_pool->compiler.build : "");
    snprintf(ready->source_hash, sizeof ready->source_hash, "%s", space->source_hash);
    int code = session->recorded ? 0 : space_open_files(session->space, error);
    return code || session->recorded ? code : space_data_hash(space, ready->data_hash, error);
}

int session_join_team(struct session *session, struct error *error)
{
    const struct session_request *request = session->request;
    struct remote_ready own;
    if (!request->link_count)
        return 0;
    int code = session_describe_ready(session, &session->evaluator, &own, error);
    if (code)
        return code;
    await_all(session, &own);
    session->alone = session->evaluator;
    session->evaluator = (struct evaluator){0};
    return evaluator_open_team(&session->evaluator, &session->team, error);
}

void session_end_team(struct session *session)
{
    for (size_t i = 0; i < session->request->link_count; i++) {
        struct team_link *link = &session->request->links[i];
        if (link->state != LINK_OPENING && link->state != LINK_READY)
            continue;
        link->state = LINK_IDLE;
        if (!channel_send(&link->channel, REMOTE_END, link->job, "", 0, clock_now_ns() + AGENT_SEND_NS))
            team_lose_link(&session->team, link, "it has ended");
    }
}
