#include "draft/launch.h"

#include <string.h>

#include "base/text.h"
#include "evaluate/argument_types.h"

enum { NESTED_MAX = 8, TEXT_MAX = 200 };

/* ---- Finding the launch ---- */

/* True if three such signs are adjacent, as in <<< and >>>. */
static bool is_triple(const struct scan *scan, size_t at, char sign)
{
    const struct code_token *token = &scan->tokens[at];
    return at + 2 < scan->count && code_is_sign(token, sign) && code_is_sign(token + 1, sign) &&
           code_is_sign(token + 2, sign) && token[1].start == token->start + 1 && token[2].start == token->start + 2;
}

static size_t end_of_configuration(const struct scan *scan, size_t at)
{
    for (; at < scan->count && !is_triple(scan, at, '>') && !code_is_sign(&scan->tokens[at], ';'); at++)
        if (code_is_sign(&scan->tokens[at], '(') || code_is_sign(&scan->tokens[at], '{'))
            at = scan_close(scan, at);
    return at < scan->count && is_triple(scan, at, '>') ? at : scan->count;
}

static void read_configuration(struct host_launch *launch, struct scan_range range)
{
    struct scan_range *parts[] = {&launch->grid, &launch->block, &launch->shared};
    size_t length;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && range.begin < range.end; i++) {
        size_t begin = range.begin;
        range.begin = scan_next_part(launch->scan, range, false, &length);
        *parts[i] = (struct scan_range){begin, begin + length};
    }
}

static void read_arguments(struct host_launch *launch, struct scan_range range)
{
    size_t length;
    while (range.begin < range.end && launch->argument_count < LAUNCH_ARGUMENTS_MAX) {
        size_t begin = range.begin;
        range.begin = scan_next_part(launch->scan, range, false, &length);
        launch->arguments[launch->argument_count++] = (struct scan_range){begin, begin + length};
    }
}

void launch_find(struct host_launch *launch, const struct scan *scan, struct arena *arena, const char *kernel)
{
    *launch = (struct host_launch){.scan = scan, .arena = arena};
    for (size_t at = 0; at < scan->count && !launch->line; at++) {
        size_t behind = at + 1, end;
        if (!code_is(&scan->tokens[at], kernel))
            continue;
        if (code_is_sign(&scan->tokens[behind], '<') && !is_triple(scan, behind, '<')) {
            launch->templates = (struct scan_range){behind + 1, scan_close_angle(scan, behind)};
            behind = launch->templates.end + 1;
        }
        if (behind >= scan->count || !is_triple(scan, behind, '<') ||
            (end = end_of_configuration(scan, behind + 3)) >= scan->count ||
            !code_is_sign(&scan->tokens[end + 3], '(')) {
            launch->templates = (struct scan_range){0, 0};
            continue;
        }
        launch->at = at;
        launch->line = scan->tokens[at].line;
        read_configuration(launch, (struct scan_range){behind + 3, end});
        read_arguments(launch, (struct scan_range){end + 4, scan_close(scan, end + 3)});
    }
}

struct scan_range launch_template(const struct host_launch *launch, size_t number)
{
    struct scan_range rest = launch->templates;
    for (size_t i = 0, length; rest.begin < rest.end; i++) {
        size_t begin = rest.begin;
        rest.begin = scan_next_part(launch->scan, rest, true, &length);
        if (i == number)
            return (struct scan_range){begin, begin + length};
    }
    return (struct scan_range){0, 0};
}

const char *launch_argument_name(const struct host_launch *launch, size_t number)
{
    if (number >= launch->argument_count)
        return NULL;
    struct scan_range range = launch->arguments[number];
    const struct code_token *token = &launch->scan->tokens[range.begin];
    bool word = token->kind == CODE_WORD && range.end == range.begin + 1;
    bool member = token->kind == CODE_WORD && range.end == range.begin + 3 && code_is_sign(token + 1, '.');
    return word || member ? scan_range_text(launch->scan, launch->arena, range) : NULL;
}

void launch_alias(struct host_launch *launch, const char *name, const char *text)
{
    if (launch->alias_count == LAUNCH_ALIASES_MAX)
        return;
    launch->aliases[launch->alias_count].name = name;
    launch->aliases[launch->alias_count++].text = text;
}

/* ---- Definitions ---- */

/* True if the word at `at` is declared there: behind its type, or behind a comma in `int width = 640, height = 480;`.
 */
static bool is_declared(const struct scan *scan, size_t at)
{
    const struct code_token *before = &scan->tokens[at - 1];
    size_t start = at;
    if (before->kind == CODE_WORD)
        return !code_is(before, "return");
    if (!code_is_sign(before, ','))
        return false;
    while (start > 0 && !(scan->tokens[start - 1].kind == CODE_SIGN && strchr(";{}", *scan->tokens[start - 1].start)))
        start--;
    start += code_is(&scan->tokens[start], "const");
    return start + 1 < at && scan->tokens[start].kind == CODE_WORD && scan->tokens[start + 1].kind == CODE_WORD;
}

/* Finds the value in the last definition above the launch: `TYPE NAME = ...`, `TYPE NAME(...)` or `TYPE NAME{...}`.
 * False if the name changes after it. */
static bool find_definition(const struct host_launch *launch, const struct code_token *name, struct scan_range *value)
{
    const struct scan *scan = launch->scan;
    size_t found = 0, changes = 0;
    for (size_t i = 1; i < launch->at; i++) {
        const struct code_token *token = &scan->tokens[i];
        if (token->kind != CODE_WORD || token->length != name->length ||
            memcmp(token->start, name->start, name->length) != 0 || code_is_sign(token - 1, '.'))
            continue;
        bool assigns = code_is_sign(token + 1, '=') && !code_is_sign(token + 2, '=');
        bool opens = code_is_sign(token + 1, '(') || code_is_sign(token + 1, '{');
        if ((assigns || opens) && is_declared(scan, i)) {
            found = i;
            changes = 0;
        } else if (assigns || (token[1].kind == CODE_SIGN && strchr("+-*/%&|^<>", *token[1].start) &&
                               code_is_sign(token + 2, '='))) {
            changes++;
        }
    }
    if (!found || changes)
        return false;
    if (code_is_sign(&scan->tokens[found + 1], '=')) {
        size_t length, end = found + 2;
        while (end < scan->count && !code_is_sign(&scan->tokens[end], ';'))
            end++;
        scan_next_part(scan, (struct scan_range){found + 2, end}, false, &length);
        *value = (struct scan_range){found + 2, found + 2 + length};
    } else {
        *value = (struct scan_range){found + 2, scan_close(scan, found + 1)};
    }
    return value->begin < value->end;
}

size_t launch_dimensions(struct host_launch *launch, struct scan_range range, struct scan_range parts[3],
                         const char **name)
{
    const struct scan *scan = launch->scan;
    struct scan_range value = range;
    size_t count = 0;
    *name = "";
    if (range.end == range.begin + 1 && scan->tokens[range.begin].kind == CODE_WORD) {
        *name = scan_range_text(scan, launch->arena, range);
        if (!find_definition(launch, &scan->tokens[range.begin], &value))
            value = range;
    }
    if (code_is(&scan->tokens[value.begin], "dim3") && value.begin + 2 < value.end)
        value = (struct scan_range){value.begin + 2, value.end - 1};
    for (size_t length; value.begin < value.end && count < 3; count++) {
        size_t begin = value.begin;
        value.begin = scan_next_part(scan, value, false, &length);
        parts[count] = (struct scan_range){begin, begin + length};
    }
    return value.begin < value.end ? 0 : count;
}

/* ---- Translation ---- */

static bool translate(struct host_launch *launch, struct scan_range range, int depth, struct text *out);

static const char *find_alias(const struct host_launch *launch, const char *name)
{
    for (size_t i = 0; i < launch->alias_count; i++)
        if (strcmp(launch->aliases[i].name, name) == 0)
            return launch->aliases[i].text;
    return NULL;
}

/* Translates the type behind `sizeof` at *at. */
static bool translate_size(const struct host_launch *launch, size_t *at, size_t end, struct text *out)
{
    const struct code_token *token = &launch->scan->tokens[*at];
    const char *type = *at + 2 < end && code_is_sign(token, '(') && code_is_sign(token + 2, ')')
                           ? argument_types_in_space(token[1].start, token[1].length)
                           : NULL;
    text_printf(out, "sizeof(%s)", type ? type : "");
    *at += 3;
    return type;
}

/* Names of functions that mean the same in the space language. */
static const char *same_meaning(const char *name)
{
    static const char *const rows[][2] = {{"ceildiv", "ceildiv"}, {"ceil_div", "ceildiv"}, {"CEIL_DIV", "ceildiv"},
                                          {"cdiv", "ceildiv"},    {"div_up", "ceildiv"},   {"DIV_UP", "ceildiv"},
                                          {"divUp", "ceildiv"},   {"iDivUp", "ceildiv"},   {"div_ceil", "ceildiv"},
                                          {"DIVUP", "ceildiv"},   {"min", "min"},          {"max", "max"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i][0], name) == 0)
            return rows[i][1];
    return NULL;
}

static bool fixed_value(const struct host_launch *launch, const struct code_token *name, struct text *out)
{
    struct fixed_macro fixed;
    for (size_t at = 0; macros_next_fixed(launch->scan, &at, &fixed);)
        if (fixed.name.length == name->length && memcmp(fixed.name.start, name->start, name->length) == 0) {
            text_printf(out, "%ld", fixed.value);
            return true;
        }
    return false;
}

/* Translates the word at *at and moves behind it. */
static bool translate_word(struct host_launch *launch, size_t *at, size_t end, int depth, struct text *out)
{
    const struct scan *scan = launch->scan;
    const struct code_token *token = &scan->tokens[*at];
    bool member = *at + 2 < end && code_is_sign(token + 1, '.') && token[2].kind == CODE_WORD;
    const char *name = scan_range_text(scan, launch->arena, (struct scan_range){*at, *at + (member ? 3 : 1)}), *text;
    struct scan_range value;
    *at += member ? 3 : 1;
    if (!name)
        return false;
    if (strcmp(name, "sizeof") == 0)
        return translate_size(launch, at, end, out);
    if ((text = find_alias(launch, name)) || (!member && (text = same_meaning(name)))) {
        text_printf(out, "%s", text);
        return true;
    }
    if (member)
        return false;
    if (launch->macros && macros_find(launch->macros, name)) {
        text_printf(out, "%s", name);
        return true;
    }
    if (fixed_value(launch, token, out))
        return true;
    if (depth == NESTED_MAX || !find_definition(launch, token, &value))
        return false;
    bool several = value.end > value.begin + 1;
    text_printf(out, several ? "(" : "");
    bool known = translate(launch, value, depth + 1, out);
    text_printf(out, several ? ")" : "");
    return known;
}

/* Writes a number without its suffix. In the space language, digits stand on both sides of a point. */
static bool translate_number(const struct code_token *token, struct text *out)
{
    const char *start = token->start;
    size_t length = token->length;
    bool hex = length > 1 && (start[1] == 'x' || start[1] == 'X');
    bool real = !hex && (memchr(start, '.', length) || memchr(start, 'e', length) || memchr(start, 'E', length));
    while (length > 0 && strchr(real ? "fF" : "uUlL", start[length - 1]))
        length--;
    for (size_t i = 0; i < length; i++) {
        bool point = start[i] == '.';
        if (!lexer_is_digit(start[i]) && !(hex && lexer_is_name_part(start[i])) && !(real && strchr(".eE+-", start[i])))
            return false;
        text_printf(out, "%s%c%s", point && i == 0 ? "0" : "", start[i],
                    point && (i + 1 == length || !lexer_is_digit(start[i + 1])) ? "0" : "");
    }
    return length > 0;
}

static bool translate(struct host_launch *launch, struct scan_range range, int depth, struct text *out)
{
    const struct scan *scan = launch->scan;
    bool known = range.begin < range.end;
    for (size_t at = range.begin; at < range.end && known && out->length < TEXT_MAX;) {
        const struct code_token *token = &scan->tokens[at];
        if (at > range.begin && token->start > token[-1].start + token[-1].length)
            text_append(out, " ", 1);
        if (token->kind == CODE_WORD) {
            known = translate_word(launch, &at, range.end, depth, out);
            continue;
        }
        at++;
        if (token->kind == CODE_NUMBER)
            known = translate_number(token, out);
        else if (token->kind == CODE_SIGN && strchr("+-*/%()<>=?:,&|!", *token->start))
            text_append(out, token->start, 1);
        else
            known = false;
    }
    return known && out->length < TEXT_MAX;
}

static const char *finish(struct host_launch *launch, bool known, struct text *out)
{
    const char *copy = known && !out->failed ? arena_copy(launch->arena, text_string(out), out->length) : NULL;
    text_free(out);
    return copy;
}

const char *launch_translate(struct host_launch *launch, struct scan_range range)
{
    struct text out = {0};
    bool known = translate(launch, range, 0, &out);
    return finish(launch, known, &out);
}

const char *launch_definition(struct host_launch *launch, const char *name)
{
    const struct code_token token = {.kind = CODE_WORD, .start = name, .length = strlen(name)};
    struct scan_range value;
    struct text out = {0};
    bool known = fixed_value(launch, &token, &out) ||
                 (find_definition(launch, &token, &value) && translate(launch, value, 0, &out));
    return finish(launch, known, &out);
}

const char *launch_number(struct host_launch *launch, size_t number)
{
    if (number >= launch->argument_count)
        return NULL;
    for (size_t i = launch->arguments[number].begin; i < launch->arguments[number].end; i++)
        if (launch->scan->tokens[i].kind == CODE_WORD)
            return NULL;
    return launch_translate(launch, launch->arguments[number]);
}
