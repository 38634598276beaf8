#include "draft/scan.h"

#include <string.h>

#include "base/text.h"

/* ---- Tokens ---- */

static size_t count_tokens(const struct source_text *source)
{
    struct code code = code_start(source);
    size_t count = 0;
    while (code_next(&code).kind != CODE_END)
        count++;
    return count;
}

int scan_text(struct scan *scan, struct arena *arena, const struct source_text *source, struct error *error)
{
    size_t room = count_tokens(source) + 1;
    struct code code = code_start(source);
    struct code_token token;
    bool directive = false;
    *scan = (struct scan){.tokens = arena_array(arena, room, sizeof *scan->tokens),
                          .directives = arena_array(arena, room, sizeof *scan->directives)};
    if (!scan->tokens || !scan->directives)
        return error_memory(error);
    while ((token = code_next(&code)).kind != CODE_END) {
        directive = directive || token.kind == CODE_HASH;
        if (directive)
            scan->directives[scan->directive_count++] = token;
        else
            scan->tokens[scan->count++] = token;
        directive = directive && token.kind != CODE_LINE_END;
    }
    scan->tokens[scan->count] = token; /* CODE_END: reading one token ahead is always possible */
    return 0;
}

size_t scan_close(const struct scan *scan, size_t at)
{
    size_t depth = 0;
    for (; at < scan->count; at++) {
        const struct code_token *token = &scan->tokens[at];
        if (token->kind != CODE_SIGN)
            continue;
        depth += strchr("([{", *token->start) != NULL;
        depth -= strchr(")]}", *token->start) != NULL;
        if (depth == 0)
            return at;
    }
    return scan->count;
}

static bool opens(const struct code_token *token)
{
    return token->kind == CODE_SIGN && strchr("([{", *token->start);
}

size_t scan_close_angle(const struct scan *scan, size_t at)
{
    size_t depth = 0;
    for (; at < scan->count; at++) {
        const struct code_token *token = &scan->tokens[at];
        if (opens(token))
            at = scan_close(scan, at);
        else if (code_is_sign(token, ';'))
            return scan->count;
        depth += code_is_sign(token, '<');
        depth -= depth && code_is_sign(token, '>');
        if (depth == 0)
            return at < scan->count ? at : scan->count;
    }
    return scan->count;
}

size_t scan_next_part(const struct scan *scan, struct scan_range range, bool angles, size_t *length)
{
    size_t at = range.begin;
    while (at < range.end && !code_is_sign(&scan->tokens[at], ',')) {
        size_t close = at;
        if (opens(&scan->tokens[at]))
            close = scan_close(scan, at);
        else if (angles && code_is_sign(&scan->tokens[at], '<'))
            close = scan_close_angle(scan, at);
        at = close < range.end ? close + 1 : range.end;
    }
    *length = at - range.begin;
    return at < range.end ? at + 1 : range.end;
}

/* Words are separated, signs are as in the source: "const float *", "(n + 255) / 256". */
const char *scan_range_text(const struct scan *scan, struct arena *arena, struct scan_range range)
{
    struct text text = {0};
    for (size_t i = range.begin; i < range.end && i < scan->count; i++) {
        const struct code_token *token = &scan->tokens[i];
        if (i > range.begin && token->start > token[-1].start + token[-1].length)
            text_append(&text, " ", 1);
        text_append(&text, token->start, token->length);
    }
    char *copy = text.failed ? NULL : arena_copy(arena, text_string(&text), text.length);
    text_free(&text);
    if (copy)
        text_clean(copy, "", ' ');
    return copy;
}

bool scan_has_word(const struct scan *scan, const char *word)
{
    for (size_t i = 0; i < scan->count; i++)
        if (code_is(&scan->tokens[i], word))
            return true;
    for (size_t i = 0; i < scan->directive_count; i++)
        if (code_is(&scan->directives[i], word))
            return true;
    return false;
}

/* ---- Uses ---- */

bool scan_is_elsewhere(const struct scan_kernels *kernels, const char *name, size_t token)
{
    for (size_t k = 0; k < kernels->count; k++)
        if (token >= kernels->items[k].body.begin && token < kernels->items[k].body.end)
            return strcmp(kernels->items[k].short_name, name) != 0;
    return false;
}

/* Adds the dimension behind `threadIdx`, or all of them where the whole vector is used. */
static void add_dimension(const struct code_token *token, unsigned *dimensions)
{
    enum { ALL = 7 };
    const struct code_token *member = token + 1;
    bool dot = code_is_sign(member, '.');
    member += dot;
    *dimensions |=
        dot && member->kind == CODE_WORD && member->length == 1 && *member->start >= 'x' && *member->start <= 'z'
            ? 1u << (*member->start - 'x')
            : ALL;
}

/* Finds the name of the array in `extern __shared__ __align__(16) float tile[];`. */
static const char *shared_name(const struct scan *scan, struct arena *arena, size_t at)
{
    size_t name = scan->count;
    for (; at < scan->count && !code_is_sign(&scan->tokens[at], ';') && !code_is_sign(&scan->tokens[at], '['); at++) {
        if (code_is_sign(&scan->tokens[at], '('))
            at = scan_close(scan, at);
        else if (scan->tokens[at].kind == CODE_WORD)
            name = at;
    }
    return at < scan->count && code_is_sign(&scan->tokens[at], '[') && name < scan->count
               ? scan_range_text(scan, arena, (struct scan_range){name, name + 1})
               : "";
}

static bool begins_shared(const struct scan *scan, size_t at)
{
    enum { WORDS_BETWEEN = 4 };
    for (size_t i = at + 1; code_is(&scan->tokens[at], "extern") && i < scan->count && i < at + WORDS_BETWEEN; i++)
        if (code_is(&scan->tokens[i], "__shared__"))
            return true;
    return false;
}

int scan_uses(const struct scan *scan, struct arena *arena, const struct scan_kernels *kernels, const char *name,
              struct scan_uses *uses, struct error *error)
{
    static const char *const grid_words[] = {"this_grid", "grid_group"};
    static const char *const cluster_words[] = {"this_cluster", "cluster_group", "__cluster_relative_block_rank"};
    *uses = (struct scan_uses){.dynamic_shared = ""};
    for (size_t i = 0; i < scan->count; i++) {
        const struct code_token *token = &scan->tokens[i];
        if (token->kind != CODE_WORD || scan_is_elsewhere(kernels, name, i))
            continue;
        if (code_is(token, "threadIdx"))
            add_dimension(token, &uses->threads);
        else if (code_is(token, "blockIdx"))
            add_dimension(token, &uses->blocks);
        else if (code_is(token, "blockDim"))
            add_dimension(token, &uses->sizes);
        for (size_t w = 0; w < sizeof grid_words / sizeof *grid_words; w++)
            uses->grid_sync |= code_is(token, grid_words[w]);
        for (size_t w = 0; w < sizeof cluster_words / sizeof *cluster_words; w++)
            uses->cluster |= code_is(token, cluster_words[w]);
        if (!*uses->dynamic_shared && begins_shared(scan, i) &&
            !(uses->dynamic_shared = shared_name(scan, arena, i + 1)))
            return error_memory(error);
    }
    return 0;
}
