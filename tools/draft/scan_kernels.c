#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "draft/scan.h"

enum { DEPTH_MAX = 32, KERNELS_MAX = 512 };

struct reading {
    const struct scan *scan;
    struct arena *arena;
    const char *wanted;
    const char *scopes[DEPTH_MAX]; /* names of the open namespaces; "": extern "C", or unnamed */
    size_t depth;
    struct scan_kernels *kernels;
    bool failed; /* out of memory */
};

/* ---- Parameters ---- */

static bool is_type_word(const struct code_token *token)
{
    static const char *const words[] = {"int",   "unsigned", "signed", "long",     "short",
                                        "char",  "float",    "double", "bool",     "void",
                                        "const", "volatile", "size_t", "typename", "class"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (code_is(token, words[i]))
            return true;
    return false;
}

/* Finds the declared name: the last word outside brackets, or in parentheses as in `float (&a)[4]`. Returns the end of
 * the range for an unnamed parameter. */
static size_t find_name(const struct scan *scan, struct scan_range range)
{
    size_t name = range.end, words = 0;
    for (size_t i = range.begin; i < range.end; i++) {
        const struct code_token *token = &scan->tokens[i];
        if (code_is_sign(token, '[')) {
            break;
        } else if (code_is_sign(token, '(')) {
            const struct code_token *inside = token + 1;
            i += code_is_sign(inside, '&') || code_is_sign(inside, '*') ? 1 : scan_close(scan, i) - i;
        } else if (code_is_sign(token, '<')) {
            i = scan_close_angle(scan, i);
        } else if (token->kind == CODE_WORD) {
            name = i;
            words++;
        }
    }
    bool qualified = name < range.end && name > range.begin && code_is_sign(&scan->tokens[name - 1], ':');
    bool alone = words < 2 && name < range.end && name + 1 == range.end && name == range.begin;
    return name == range.end || qualified || alone || is_type_word(&scan->tokens[name]) ? range.end : name;
}

static const char *copy_range(struct reading *reading, size_t begin, size_t end)
{
    const char *text = scan_range_text(reading->scan, reading->arena, (struct scan_range){begin, end});
    reading->failed |= !text;
    return text ? text : "";
}

static struct scan_parameter read_parameter(struct reading *reading, struct scan_range range)
{
    const struct scan *scan = reading->scan;
    size_t equals = range.begin;
    while (equals < range.end && !code_is_sign(&scan->tokens[equals], '='))
        equals++;
    const struct scan_range declared = {range.begin, equals};
    size_t name = find_name(scan, declared);
    return (struct scan_parameter){.name = name < declared.end ? copy_range(reading, name, name + 1) : "",
                                   .type =
                                       copy_range(reading, declared.begin, name < declared.end ? name : declared.end),
                                   .value = equals < range.end ? copy_range(reading, equals + 1, range.end) : ""};
}

static struct scan_parameter *read_parameters(struct reading *reading, struct scan_range range, size_t *count)
{
    size_t length, parts = 0;
    for (struct scan_range rest = range; rest.begin < rest.end; parts++)
        rest.begin = scan_next_part(reading->scan, rest, true, &length);
    struct scan_parameter *parameters = arena_array(reading->arena, parts, sizeof *parameters);
    reading->failed |= !parameters;
    *count = 0;
    for (struct scan_range rest = range; parameters && rest.begin < rest.end;) {
        size_t begin = rest.begin;
        rest.begin = scan_next_part(reading->scan, rest, true, &length);
        parameters[(*count)++] = read_parameter(reading, (struct scan_range){begin, begin + length});
    }
    if (*count == 1 && strcmp(parameters->type, "void") == 0)
        *count = 0;
    return parameters;
}

/* ---- Kernels ---- */

/* Reads an attribute with arguments at `at`; false: none is there. */
static bool read_attribute(struct reading *reading, size_t *at, struct scan_kernel *kernel)
{
    const struct scan *scan = reading->scan;
    const struct code_token *token = &scan->tokens[*at];
    bool bounds = code_is(token, "__launch_bounds__"), cluster = code_is(token, "__cluster_dims__");
    if (token->kind != CODE_WORD || token->length < 3 || memcmp(token->start, "__", 2) != 0 ||
        !code_is_sign(token + 1, '('))
        return false;
    size_t close = scan_close(scan, *at + 1), length;
    if (bounds) {
        scan_next_part(scan, (struct scan_range){*at + 2, close}, true, &length);
        kernel->launch_bounds = copy_range(reading, *at + 2, *at + 2 + length);
    } else if (cluster) {
        kernel->cluster = copy_range(reading, *at + 2, close);
    }
    *at = close;
    return true;
}

static const char *full_name(struct reading *reading, const char *short_name)
{
    const char *name = short_name;
    for (size_t i = reading->depth; i > 0 && name; i--)
        if (*reading->scopes[i - 1])
            name = arena_printf(reading->arena, "%s::%s", reading->scopes[i - 1], name);
    reading->failed |= !name;
    return name;
}

static void add_kernel(struct reading *reading, const struct scan_kernel *kernel)
{
    struct scan_kernels *kernels = reading->kernels;
    for (size_t k = 0; k < kernels->count; k++) {
        struct scan_kernel *known = &kernels->items[k];
        bool same = strcmp(known->name, kernel->name) == 0 && known->parameter_count == kernel->parameter_count;
        for (size_t p = 0; p < kernel->parameter_count && same; p++)
            same = strcmp(known->parameters[p].type, kernel->parameters[p].type) == 0;
        bool declared = known->body.begin == known->body.end, declares = kernel->body.begin == kernel->body.end;
        if (same && (declared || declares)) {
            if (declared)
                *known = *kernel;
            return;
        }
    }
    if (kernels->count < KERNELS_MAX)
        kernels->items[kernels->count++] = *kernel;
}

/* Reads the kernel whose declaration begins at `begin`, from `at` on. Returns the index behind it, or 0: there is no
 * kernel. */
static size_t read_kernel(struct reading *reading, size_t begin, size_t at)
{
    const struct scan *scan = reading->scan;
    struct scan_kernel kernel = {.launch_bounds = "", .cluster = "", .templates = NULL};
    const struct code_token *first = &scan->tokens[begin];
    struct scan_range head = {begin, begin};
    if (code_is(first, "template") && code_is_sign(first + 1, '<'))
        head = (struct scan_range){begin + 2, scan_close_angle(scan, begin + 1)};
    bool instance = code_is(first, "template") && head.begin == head.end; /* or a specialization */
    for (; at < scan->count; at++) {
        const struct code_token *token = &scan->tokens[at];
        if (code_is_sign(token, ';') || code_is_sign(token, '{') || code_is_sign(token, '}'))
            return 0;
        if (read_attribute(reading, &at, &kernel))
            continue;
        if (token->kind == CODE_WORD && code_is_sign(token + 1, '<'))
            instance = true;
        if (token->kind == CODE_WORD && (code_is_sign(token + 1, '(') || instance))
            break;
    }
    if (instance || at >= scan->count)
        return at;
    size_t close = scan_close(scan, at + 1), behind = close + 1;
    while (behind < scan->count && read_attribute(reading, &behind, &kernel))
        behind++;
    if (close >= scan->count || behind >= scan->count ||
        !(code_is_sign(&scan->tokens[behind], '{') || code_is_sign(&scan->tokens[behind], ';')))
        return 0;
    kernel.line = scan->tokens[at].line;
    kernel.short_name = copy_range(reading, at, at + 1);
    kernel.name = full_name(reading, kernel.short_name);
    kernel.parameters = read_parameters(reading, (struct scan_range){at + 2, close}, &kernel.parameter_count);
    kernel.templates = read_parameters(reading, head, &kernel.template_count);
    if (code_is_sign(&scan->tokens[behind], '{'))
        kernel.body = (struct scan_range){behind, scan_close(scan, behind)};
    if (!reading->failed)
        add_kernel(reading, &kernel);
    return kernel.body.end > behind ? kernel.body.end + 1 : behind + 1;
}

/* ---- Scopes ---- */

/* Enters the block at `at` if it is a namespace or extern "C"; else returns the end of the block. */
static size_t enter_or_skip(struct reading *reading, size_t begin, size_t at)
{
    const struct scan *scan = reading->scan;
    const struct code_token *first = &scan->tokens[begin];
    bool is_inline = code_is(first, "inline");
    bool space = code_is(first, "namespace") || (is_inline && code_is(first + 1, "namespace"));
    bool literal = code_is(first, "extern") && first[1].kind == CODE_STRING && begin + 2 == at;
    if ((!space && !literal) || reading->depth == DEPTH_MAX)
        return scan_close(scan, at);
    size_t name = begin + 1 + is_inline;
    reading->scopes[reading->depth++] = space && name < at ? copy_range(reading, name, at) : "";
    return at;
}

static bool is_wanted(const struct reading *reading, size_t at)
{
    return reading->wanted && code_is(&reading->scan->tokens[at], reading->wanted) &&
           code_is_sign(&reading->scan->tokens[at + 1], '(');
}

int scan_find_kernels(const struct scan *scan, struct arena *arena, const char *wanted, struct scan_kernels *kernels,
                      struct error *error)
{
    struct reading reading = {.scan = scan, .arena = arena, .wanted = wanted, .kernels = kernels};
    *kernels = (struct scan_kernels){.items = arena_array(arena, KERNELS_MAX, sizeof *kernels->items)};
    if (!kernels->items)
        return error_memory(error);
    size_t begin = 0;
    for (size_t at = 0; at < scan->count && !reading.failed; at++) {
        const struct code_token *token = &scan->tokens[at];
        bool global = code_is(token, "__global__");
        size_t behind = global || is_wanted(&reading, at) ? read_kernel(&reading, begin, at + global) : 0;
        if (behind > at) {
            at = behind - 1;
            begin = behind;
        } else if (code_is_sign(token, '{')) {
            at = enter_or_skip(&reading, begin, at);
            begin = at + 1;
        } else if (code_is_sign(token, '}') || code_is_sign(token, ';')) {
            reading.depth -= code_is_sign(token, '}') && reading.depth;
            begin = at + 1;
        }
    }
    return reading.failed ? error_memory(error) : 0;
}
