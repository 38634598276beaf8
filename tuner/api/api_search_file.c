/* The file of a saved search: a line for each step of its dialogue, and a hash of them all.
 *
 *     cutune search 1
 *     strategy surrogate
 *     seed 42
 *     space HASH
 *     default                      the next proposal is the default
 *     ask ROOM                     the next proposals are the strategy's
 *     propose CONFIGURATION
 *     value VALUE EFFORT CONFIGURATION
 *     stopped VALUE LEAST EFFORT CONFIGURATION
 *     failure CAUSE EFFORT CONFIGURATION
 *     end HASH
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/api_search.h"
#include "base/file.h"
#include "base/hash.h"

static const char title[] = "cutune search ";
enum { VERSION = 1, FILE_BYTES_MAX = 1 << 30 };

/* ---- Writing ---- */

static void print_number(struct text *text, double number)
{
    char buffer[TEXT_REAL_BYTES];
    text_printf(text, " %s", text_real(isnan(number) ? 0 : number, buffer));
}

static void print_configuration(const struct cutune_search *search, uint64_t configuration, struct text *text)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    valid_set_get(search->set, configuration, choices);
    text_printf(text, " ");
    space_config_text(search->space, choices, text);
}

static void print_answer(const struct cutune_answer *answer, struct text *text)
{
    if (answer->kind == CUTUNE_ANSWER_FAILURE) {
        text_printf(text, "failure %u", answer->cause);
    } else {
        text_printf(text, answer->kind == CUTUNE_ANSWER_VALUE ? "value" : "stopped");
        print_number(text, answer->value);
    }
    if (answer->kind == CUTUNE_ANSWER_STOPPED)
        print_number(text, answer->least);
    print_number(text, answer->effort_s);
}

static void print_event(const struct cutune_search *search, const struct search_event *event, struct text *text)
{
    switch (event->kind) {
    case EVENT_ASK:
        text_printf(text, "ask %zu", event->room);
        break;
    case EVENT_DEFAULT:
        text_printf(text, "default");
        break;
    case EVENT_PROPOSAL:
        text_printf(text, "propose");
        print_configuration(search, event->configuration, text);
        break;
    case EVENT_ANSWER:
        print_answer(&event->answer, text);
        print_configuration(search, event->configuration, text);
        break;
    }
    text_printf(text, "\n");
}

void search_print(const struct cutune_search *search, struct text *text)
{
    char hash[HASH_HEX_BYTES];
    text_printf(text, "%s%d\nstrategy %s\nseed %llu\nspace %s\n", title, VERSION, search->strategy,
                (unsigned long long)search->seed, search->space_hash);
    for (size_t i = 0; i < search->event_count; i++)
        print_event(search, &search->events[i], text);
    if (text->failed)
        return;
    hash_hex(text->bytes, text->length, hash);
    text_printf(text, "end %s\n", hash);
}

int cutune_search_save(const struct cutune_search *search, const char *path, struct cutune_error *error)
{
    struct error own = {0};
    struct text text = {0};
    if (!search || !path)
        return api_null(error, __func__);
    search_print(search, &text);
    int code = text.failed ? error_memory(&own) : file_replace(path, text_string(&text), text.length, &own);
    text_free(&text);
    return code ? api_error(error, &own) : 0;
}

/* ---- Reading ---- */

/* A place in the text of a file, of which all lines end with a NUL. */
struct reader {
    const char *path, *at, *end;
    int line;
    struct error *error;
};

static int damaged(const struct reader *reader, const char *why)
{
    int code = error_set(reader->error, ERROR_DATA, "not a whole saved search: %s", why);
    error_place(reader->error, reader->path, reader->line, 0);
    return code;
}

/* Goes to the next line and returns it; NULL at the end. */
static const char *next_line(struct reader *reader)
{
    const char *line = reader->at;
    if (line >= reader->end)
        return NULL;
    reader->at += strlen(line) + 1;
    reader->line++;
    return line;
}

/* Returns the text behind "WORD " at the beginning of a line, or behind "WORD" alone; NULL: the line has another. */
static const char *behind(const char *line, const char *word)
{
    size_t length = line ? strlen(word) : 0;
    if (!line || strncmp(line, word, length) != 0 || (line[length] != ' ' && line[length] != '\0'))
        return NULL;
    return line + length + (line[length] == ' ');
}

static bool read_integer(const char **at, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoull(*at, &end, 10);
    bool read = text_is_digit(**at) && !errno && (*end == ' ' || *end == '\0');
    *at = end + (*end == ' ');
    return read;
}

static bool read_real(const char **at, double *number)
{
    char *end;
    *number = text_number(*at, &end);
    bool read = end > *at && (*end == ' ' || *end == '\0') && isfinite(*number);
    *at = end + (*end == ' ');
    return read;
}

/* Reads a configuration, which ends the line. */
static bool read_configuration(const struct cutune_search *search, const char *at, uint64_t *configuration)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    struct error unknown = {0};
    return !space_config_parse(search->space, at, choices, &unknown) &&
           valid_set_find(search->set, choices, configuration) && *configuration != UINT64_MAX;
}

/* Reads a line "value ...", "stopped ..." or "failure ...". */
static bool read_answer(const struct cutune_search *search, const char *line, struct search_event *event)
{
    struct cutune_answer *answer = &event->answer;
    const char *at;
    uint64_t cause = 0;
    *event = (struct search_event){.kind = EVENT_ANSWER, .answer.kind = CUTUNE_ANSWER_VALUE};
    if ((at = behind(line, "failure"))) {
        answer->kind = CUTUNE_ANSWER_FAILURE;
        if (!read_integer(&at, &cause) || cause > UINT32_MAX)
            return false;
        answer->cause = (unsigned)cause;
    } else if ((at = behind(line, "stopped"))) {
        answer->kind = CUTUNE_ANSWER_STOPPED;
        if (!read_real(&at, &answer->value) || !read_real(&at, &answer->least))
            return false;
    } else if (!(at = behind(line, "value")) || !read_real(&at, &answer->value)) {
        return false;
    }
    return read_real(&at, &answer->effort_s) && read_configuration(search, at, &event->configuration);
}

/* Repeats an answer. */
static int repeat_answer(struct cutune_search *search, const struct reader *reader, const char *line)
{
    struct search_event event;
    struct error refused = {0};
    if (!read_answer(search, line, &event))
        return damaged(reader, "the line is no step of a search in this space");
    int code = search_answer(search, event.configuration, &event.answer, &refused);
    return code == ERROR_MEMORY ? error_memory(reader->error) : code ? damaged(reader, refused.message) : 0;
}

/* Reads the proposals behind a line "ask" or "default". */
static int read_proposals(const struct cutune_search *search, struct reader *reader, uint64_t *proposals, size_t room,
                          size_t *count)
{
    for (*count = 0; reader->at < reader->end && behind(reader->at, "propose"); (*count)++) {
        const char *line = next_line(reader);
        if (*count == room)
            return damaged(reader, "more proposals than were asked for");
        if (!read_configuration(search, behind(line, "propose"), &proposals[*count]))
            return damaged(reader, "the configuration is not of this space");
    }
    return *count ? 0 : damaged(reader, "no proposal follows");
}

/* Repeats a request. *same: the proposals are the same. */
static int repeat_request(struct cutune_search *search, struct reader *reader, const char *line, bool repeats,
                          bool *same)
{
    uint64_t recorded[SEARCH_ROOM_MAX], now[SEARCH_ROOM_MAX], room = 1;
    const char *asked = behind(line, "ask");
    size_t recorded_count, now_count = 0;
    if (asked && (!read_integer(&asked, &room) || *asked || room < 1 || room > SEARCH_ROOM_MAX))
        return damaged(reader, "the number of the request is impossible");
    int code = read_proposals(search, reader, recorded, (size_t)room, &recorded_count);
    if (code || !repeats)
        return code;
    code = asked ? search_propose(search, now, (size_t)room, &now_count, reader->error)
                 : search_propose_default(search, now, &now_count, reader->error);
    *same = now_count == recorded_count && memcmp(now, recorded, now_count * sizeof *now) == 0;
    return code;
}

/* Repeats the dialogue until the proposals differ. Without `repeats`, gives the answers alone. */
static int repeat(struct cutune_search *search, struct reader reader, bool repeats, bool *same)
{
    const char *line;
    int code = 0;
    *same = true;
    while (!code && *same && (line = next_line(&reader)))
        code = behind(line, "ask") || strcmp(line, "default") == 0
                   ? repeat_request(search, &reader, line, repeats, same)
                   : repeat_answer(search, &reader, line);
    return code;
}

/* Checks the first and the last line; sets reader->end to the last. */
static int check_whole(struct reader *reader, char *text, size_t length)
{
    char hash[HASH_HEX_BYTES];
    uint64_t version;
    size_t last = strlen("end \n") + HASH_HEX_BYTES - 1;
    const char *number = text + strlen(title);
    reader->line = 1;
    if (strncmp(text, title, strlen(title)) != 0 || memchr(text, '\0', length))
        return damaged(reader, "the file begins otherwise, or has NUL bytes");
    version = text_is_digit(*number) ? strtoull(number, NULL, 10) : 0;
    if (version < VERSION)
        return damaged(reader, "the first line has no version");
    if (version > VERSION) {
        int code = error_set(reader->error, ERROR_SCHEMA, "%s was saved by a newer cutune: version %llu, not %d",
                             reader->path, (unsigned long long)version, VERSION);
        error_hint(reader->error, "update cutune");
        return code;
    }
    reader->line = text_lines(text, length);
    if (length < last || strncmp(text + length - last, "end ", 4) != 0 || text[length - 1] != '\n')
        return damaged(reader, "the last line is missing");
    hash_hex(text, length - last, hash);
    if (strncmp(text + length - last + 4, hash, strlen(hash)) != 0)
        return damaged(reader, "the hash of the lines is another");
    reader->end = text + length - last;
    for (char *at = text; (at = memchr(at, '\n', (size_t)(reader->end - at))); *at++ = '\0')
        ;
    reader->line = 0;
    return 0;
}

/* Reads the lines above the dialogue. */
static int read_head(struct reader *reader, const struct cutune_search *search, const char **strategy, uint64_t *seed)
{
    next_line(reader); /* the title */
    *strategy = behind(next_line(reader), "strategy");
    const char *number = behind(next_line(reader), "seed"), *hash = behind(next_line(reader), "space");
    if (!*strategy || !number || !read_integer(&number, seed) || *number || !hash)
        return damaged(reader, "strategy, seed and space are expected");
    if (strcmp(hash, search->space_hash) == 0)
        return 0;
    int code = error_set(reader->error, ERROR_DATA, "%s was saved for another space", reader->path);
    error_hint(reader->error, "its parameters, values, constraints, sizes or limits differ; tell its answers to a new "
                              "search instead");
    return code;
}

int search_parse(struct cutune_search *search, const char *path, const char *text, size_t length, bool *same,
                 struct error *error)
{
    struct arena arena = {0};
    char *copy = arena_copy(&arena, text, length);
    struct reader reader = {.path = path, .at = copy, .error = error};
    const char *strategy = NULL;
    uint64_t seed = 0;
    int code = copy ? check_whole(&reader, copy, length) : error_memory(error);
    if (!code)
        code = read_head(&reader, search, &strategy, &seed);
    if (!code)
        code = search_start(search, strategy, seed, error);
    if (!code)
        code = repeat(search, reader, true, same);
    if (!code && !*same) {
        bool ignored;
        code = search_start(search, strategy, seed, error);
        if (!code)
            code = repeat(search, reader, false, &ignored);
    }
    arena_free(&arena);
    return code;
}

int cutune_search_restore(struct cutune_search **search, const struct cutune_search_space *space, const char *path,
                          int *same, struct cutune_error *error)
{
    struct error own = {0};
    struct text text = {0};
    struct cutune_search *opened;
    bool repeated = false;
    if (search)
        *search = NULL;
    if (!search || !space || !path)
        return api_null(error, __func__);
    int code = search_open(&opened, space, &own);
    if (!code)
        code = file_read_regular(path, FILE_BYTES_MAX, &text, &own);
    if (!code)
        code = search_parse(opened, path, text_string(&text), text.length, &repeated, &own);
    text_free(&text);
    if (code) {
        cutune_search_close(opened);
        return api_error(error, &own);
    }
    if (same)
        *same = repeated;
    *search = opened;
    return 0;
}
