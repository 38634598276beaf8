#include "draft/macros.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* ---- Values by the name ---- */

struct role {
    const char *words, *values, *value;
    bool threads;
};
static const struct role roles[] = {
#define AXIS(values, value)           {"=", values, value, false},
#define ROLE(words, values, value)    {words, values, value, false},
#define THREADS(words, values, value) {words, values, value, true},
#include "draft/roles.def"
#undef AXIS
#undef ROLE
#undef THREADS
};
enum { ROLE_COUNT = sizeof roles / sizeof *roles };

static void plain_name(const char *name, char plain[SPACE_WORD_MAX + 1])
{
    size_t length = 0;
    for (; *name && length < SPACE_WORD_MAX; name++)
        if (*name != '_')
            plain[length++] = *name >= 'A' && *name <= 'Z' ? (char)(*name - 'A' + 'a') : *name;
    plain[length] = '\0';
}

static bool suits(const struct role *role, const char *plain)
{
    for (const char *at = role->words;; at++) {
        char word[SPACE_WORD_MAX + 1];
        size_t length = strcspn(at, "|");
        bool whole = *at == '=';
        snprintf(word, sizeof word, "%.*s", (int)(length - whole), at + whole);
        if (whole ? strcmp(plain, word) == 0 : strstr(plain, word) != NULL)
            return true;
        at += length;
        if (!*at)
            return false;
    }
}

/* "block_size_x", "BLOCK_Y", "threads_x", "WORK_GROUP_SIZE_X". */
static bool is_axis(const char *plain)
{
    size_t length = strlen(plain);
    return length > 1 && strchr("xyz", plain[length - 1]) &&
           (strstr(plain, "block") || strstr(plain, "thread") || strstr(plain, "groupsize"));
}

static const struct role *role_of(const char *name, unsigned dimensions)
{
    char plain[SPACE_WORD_MAX + 1];
    size_t row = 0;
    plain_name(name, plain);
    while (row + 1 < ROLE_COUNT && !(is_axis(plain) ? roles[row].threads : suits(&roles[row], plain)))
        row++;
    return roles[row].threads && dimensions > 1 ? &roles[0] : &roles[row];
}

bool macros_is_block(const char *name, char axis)
{
    char plain[SPACE_WORD_MAX + 1];
    plain_name(name, plain);
    if (is_axis(plain))
        return plain[strlen(plain) - 1] == axis;
    return axis == 0 && role_of(name, 1)->threads;
}

static bool has_value(const char *values, long value)
{
    for (const char *at = values; *at; at += strspn(at, ", ")) {
        char *end;
        if (strtol(at, &end, 10) == value)
            return true;
        at = end;
    }
    return false;
}

static const char *values_around(struct arena *arena, long value)
{
    bool power = value > 1 && (value & (value - 1)) == 0 && value < LONG_MAX / 2;
    return power ? arena_printf(arena, "%ld, %ld, %ld", value / 2, value, 2 * value)
                 : arena_printf(arena, "%ld", value);
}

/* ---- The list ---- */

const struct macro *macros_find(const struct macros *macros, const char *name)
{
    for (size_t i = 0; i < macros->count; i++)
        if (strcmp(macros->items[i].name, name) == 0)
            return &macros->items[i];
    return NULL;
}

int macros_add(struct macros *macros, struct arena *arena, const struct macro *macro, const char *value,
               unsigned dimensions, struct error *error)
{
    if (macros->count == MACROS_MAX || macros_find(macros, macro->name) || strlen(macro->name) > SPACE_WORD_MAX)
        return 0;
    const struct role *role = role_of(macro->of ? macro->of : macro->name, dimensions);
    struct macro *added = &macros->items[macros->count++];
    char *end;
    *added = *macro;
    added->value = value ? value : added->value ? added->value : role->value;
    added->values = added->values ? added->values : role->values;
    long number = strtol(added->value, &end, 0);
    bool is_number = *added->value && !*end;
    if (is_number)
        added->value = arena_printf(arena, "%ld", number);
    if (is_number && !has_value(added->values, number))
        added->values = values_around(arena, number);
    return added->value && added->values ? 0 : error_memory(error);
}

void macros_mark_elsewhere(struct macros *macros, const struct scan *scan, const struct scan_kernels *kernels,
                           const char *kernel)
{
    for (size_t m = 0; m < macros->count; m++) {
        struct macro *macro = &macros->items[m];
        bool here = macro->origin == MACRO_TEMPLATE || macro->origin == MACRO_BLOCK, other = false;
        for (size_t i = 0; i < scan->count && !here; i++)
            if (code_is(&scan->tokens[i], macro->name)) {
                here = !scan_is_elsewhere(kernels, kernel, i);
                other = true;
            }
        for (size_t i = 0; i < scan->directive_count && !here; i++)
            here = code_is(&scan->directives[i], macro->name);
        macro->elsewhere = other && !here;
    }
}

/* ---- Directives ---- */

static const struct code_token *line_end(const struct code_token *token)
{
    while (token->kind != CODE_LINE_END)
        token++;
    return token;
}

static bool same_word(const struct code_token *a, const struct code_token *b)
{
    return a->kind == CODE_WORD && b->kind == CODE_WORD && a->length == b->length &&
           memcmp(a->start, b->start, a->length) == 0;
}

/* Reads NAME INTEGER behind `#define`, perhaps with parentheses around the integer. */
static bool read_integer(const struct code_token *token, long *value)
{
    bool round = code_is_sign(token, '(');
    char *end;
    token += round;
    if (token->kind != CODE_NUMBER || (round && !code_is_sign(token + 1, ')')) ||
        token[1 + round].kind != CODE_LINE_END)
        return false;
    *value = strtol(token->start, &end, 0);
    return (size_t)(end - token->start) == token->length && *value < LONG_MAX;
}

bool macros_next_fixed(const struct scan *scan, size_t *at, struct fixed_macro *fixed)
{
    const struct code_token *before = NULL;
    for (; *at < scan->directive_count; *at = (size_t)(line_end(&scan->directives[*at]) - scan->directives) + 1) {
        const struct code_token *word = &scan->directives[*at] + 1;
        bool defines = code_is(word, "define") && word[1].kind == CODE_WORD;
        if (defines && read_integer(word + 2, &fixed->value)) {
            fixed->name = word[1];
            fixed->guarded = before && same_word(before, &word[1]);
            *at = (size_t)(line_end(word) - scan->directives) + 1;
            return true;
        }
        before = code_is(word, "ifndef") ? word + 1 : NULL;
        if (code_is(word, "if") && code_is_sign(word + 1, '!') && code_is(word + 2, "defined"))
            before = word + 3 + code_is_sign(word + 3, '(');
    }
    return false;
}

static bool is_defined(const struct scan *scan, const struct code_token *name)
{
    for (size_t i = 0; i + 2 < scan->directive_count; i++)
        if (code_is(&scan->directives[i], "define") && scan->directives[i - 1].kind == CODE_HASH &&
            same_word(&scan->directives[i + 1], name))
            return true;
    return false;
}

/* True for macros that the compiler and the host's libraries define, or may define. */
static bool is_known(const struct code_token *name)
{
    static const char *const parts[] = {"VERSION", "DEBUG",   "WIN32", "WIN64",  "LINUX",
                                        "APPLE",   "MSC_VER", "CUDA_", "CUBLAS_"};
    bool known = *name->start == '_' || code_is(name, "defined");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        known |= memmem(name->start, name->length, parts[i], strlen(parts[i])) != NULL;
    return known;
}

/* True if the line behind that of the token is an #error. */
static bool precedes_error(const struct code_token *token, const struct code_token *end)
{
    const struct code_token *next = line_end(token) + 1;
    return next < end && next->kind == CODE_HASH && code_is(next + 1, "error");
}

/* True if one of several branches is always wanted: the chain that begins with the #if at `at` has #elif, and no #else
 * or only an #error there. */
static bool is_choice(const struct scan *scan, size_t at)
{
    bool more = false;
    int depth = 0;
    for (; at < scan->directive_count; at++) {
        const struct code_token *word = &scan->directives[at] + 1;
        if (scan->directives[at].kind != CODE_HASH)
            continue;
        depth += code_is(word, "if") || code_is(word, "ifdef") || code_is(word, "ifndef");
        depth -= code_is(word, "endif");
        more |= depth == 1 && code_is(word, "elif");
        bool other = depth == 1 && code_is(word, "else");
        if (other && precedes_error(word, scan->directives + scan->directive_count))
            return true;
        if (depth == 0 || other)
            return depth == 0 && more;
    }
    return false;
}

/* Collects the numbers that conditions compare the name with, and 0 and 1 where a condition may be false. */
static const char *compared_values(const struct scan *scan, struct arena *arena, const struct code_token *name)
{
    struct text values = {0};
    bool choice = code_is(name - 1, "if") && is_choice(scan, (size_t)(name - 2 - scan->directives));
    text_printf(&values, choice ? "" : "0, 1");
    for (size_t i = 0; i + 3 < scan->directive_count; i++) {
        const struct code_token *token = &scan->directives[i];
        char *end;
        if (!same_word(token, name) || token[2].kind != CODE_SIGN || !code_is_sign(&token[2], '=') ||
            token[3].kind != CODE_NUMBER)
            continue;
        long value = strtol(token[3].start, &end, 0);
        if ((size_t)(end - token[3].start) == token[3].length && !has_value(text_string(&values), value))
            text_printf(&values, "%s%ld", values.length ? ", " : "", value);
    }
    const char *copy = values.failed ? NULL : arena_copy(arena, text_string(&values), values.length);
    text_free(&values);
    return copy;
}

static int add_condition(struct macros *macros, struct arena *arena, const struct scan *scan,
                         const struct code_token *name, unsigned dimensions, struct error *error)
{
    struct macro macro = {.name = arena_copy(arena, name->start, name->length),
                          .origin = MACRO_CONDITION,
                          .values = compared_values(scan, arena, name),
                          .line = name->line};
    macro.value = macro.values ? arena_copy(arena, macro.values, strcspn(macro.values, ",")) : NULL;
    if (!macro.name || !macro.value)
        return error_memory(error);
    return macros_add(macros, arena, &macro, NULL, dimensions, error);
}

/* Adds the words of #if and #elif that have a value there: not those behind `defined`, nor names of functions. */
static int add_conditions(struct macros *macros, struct arena *arena, const struct scan *scan, unsigned dimensions,
                          struct error *error)
{
    bool condition = false;
    for (size_t i = 0; i < scan->directive_count; i++) {
        const struct code_token *token = &scan->directives[i];
        if (token->kind == CODE_HASH)
            condition = code_is(token + 1, "if") || code_is(token + 1, "elif");
        if (!condition || token->kind != CODE_WORD || token[-1].kind == CODE_HASH || code_is(token - 1, "defined") ||
            (code_is_sign(token - 1, '(') && code_is(token - 2, "defined")) || code_is_sign(token + 1, '(') ||
            is_known(token) || is_defined(scan, token))
            continue;
        int code = add_condition(macros, arena, scan, token, dimensions, error);
        if (code)
            return code;
    }
    return 0;
}

int macros_scan(struct macros *macros, struct arena *arena, const struct scan *scan, unsigned dimensions,
                struct error *error)
{
    struct fixed_macro fixed;
    for (size_t at = 0; macros_next_fixed(scan, &at, &fixed);) {
        const struct macro macro = {.name = arena_copy(arena, fixed.name.start, fixed.name.length),
                                    .origin = MACRO_GUARDED,
                                    .line = fixed.name.line};
        const char *value = arena_printf(arena, "%ld", fixed.value);
        if (!macro.name || !value)
            return error_memory(error);
        int code = fixed.guarded ? macros_add(macros, arena, &macro, value, dimensions, error) : 0;
        if (code)
            return code;
    }
    return add_conditions(macros, arena, scan, dimensions, error);
}
