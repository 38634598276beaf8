#include "tools/emit.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/emit_model.h"

/* ---- Reading what the rows say ---- */

static bool is_identifier(const char *text, size_t length)
{
    if (length == 0 || isdigit((unsigned char)text[0]))
        return false;
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)text[i]) && text[i] != '_')
            return false;
    return true;
}

static bool classify(const char *value, enum emit_kind *kind)
{
    char *end;
    size_t length = strlen(value);
    errno = 0;
    long long integer = strtoll(value, &end, 10);
    if (length && *end == '\0' && errno == 0 && !isspace((unsigned char)*value)) {
        *kind = integer >= INT_MIN && integer <= INT_MAX ? EMIT_INT : EMIT_LONG;
        return true;
    }
    if (length && strspn(value, "+-.0123456789eE") == length && strpbrk(value, "0123456789")) {
        double real = strtod(value, &end);
        *kind = EMIT_REAL;
        if (*end == '\0' && isfinite(real))
            return true;
    }
    *kind = EMIT_WORD;
    return is_identifier(value, length);
}

static const struct emit_pair *find_pair(const struct emit_pairs *pairs, const char *name)
{
    for (size_t i = 0; i < pairs->count; i++)
        if (strcmp(pairs->items[i].name, name) == 0)
            return &pairs->items[i];
    return NULL;
}

static int add_pair(struct emit_model *model, struct emit_pairs *pairs, const char *text, size_t length,
                    struct error *error)
{
    const char *equals = memchr(text, '=', length);
    size_t name_length = equals ? (size_t)(equals - text) : 0;
    struct emit_pair *pair = &pairs->items[pairs->count];
    if (pairs->count == EMIT_PAIRS_MAX)
        return error_set(error, ERROR_DATA, "more than %d parameters", EMIT_PAIRS_MAX);
    if (!is_identifier(text, name_length))
        return error_set(error, ERROR_DATA, "'%.*s' is not NAME=VALUE", (int)(length < 80 ? length : 80), text);
    pair->name = arena_copy(&model->arena, text, name_length);
    pair->value = arena_copy(&model->arena, equals + 1, length - name_length - 1);
    if (!pair->name || !pair->value)
        return error_memory(error);
    if (!classify(pair->value, &pair->kind))
        return error_set(error, ERROR_DATA, "%.60s has the value '%.60s': neither a number nor a word", pair->name,
                         pair->value);
    if (find_pair(pairs, pair->name))
        return error_set(error, ERROR_DATA, "%.60s has two values", pair->name);
    pairs->count++;
    return 0;
}

/* `first`: NULL, or the pairs that these must agree with in names; they are then brought into its order. */
static int read_pairs(struct emit_model *model, const char *text, const struct emit_pairs *first,
                      struct emit_pairs **result, bool *same, struct error *error)
{
    struct emit_pairs *pairs = arena_alloc(&model->arena, sizeof *pairs), *ordered = pairs;
    int code = pairs ? 0 : error_memory(error);
    for (const char *at = text + strspn(text, " "); *at && !code; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        code = add_pair(model, pairs, at, length, error);
        at += length;
    }
    if (code)
        return code;
    *same = !first || first->count == pairs->count;
    if (first && *same) {
        if (!(ordered = arena_alloc(&model->arena, sizeof *ordered)))
            return error_memory(error);
        for (size_t i = 0; i < first->count && *same; i++) {
            const struct emit_pair *pair = find_pair(pairs, first->items[i].name);
            if ((*same = pair))
                ordered->items[ordered->count++] = *pair;
        }
    }
    *result = ordered;
    return 0;
}

static int different(const struct best *first, const struct best *other, const char *what, const char *first_text,
                     const char *text, struct error *error)
{
    error_set(error, ERROR_DATA,
              "the %s of %.60s differ between its rows: '%.100s' (%.80s, %.80s) and '%.100s' "
              "(%.80s, %.80s)",
              what, first->kernel, first_text, first->device, first->problem, text, other->device, other->problem);
    error_hint(error, "the space has changed since one of them was tuned: tune that one again, or delete its row");
    return ERROR_DATA;
}

static int read_row(struct emit_model *model, size_t row, struct error *error)
{
    const struct best *newest = model->rows[model->newest], *best = model->rows[row];
    const bool first = row == model->newest;
    bool same = true;
    int code = 0;
    if (best->cc < 0 || best->cc > INT_MAX || best->sm_count < 0 || best->sm_count > INT_MAX || best->l2_bytes < 0)
        code = error_set(error, ERROR_DATA, "the compute capability, SM count or L2 size of %.80s is no such number",
                         best->device);
    if (!code)
        code = read_pairs(model, best->problem, first ? NULL : model->problems[model->newest], &model->problems[row],
                          &same, error);
    if (!code && !same)
        code = different(newest, best, "problem sizes", newest->problem, best->problem, error);
    if (!code)
        code = read_pairs(model, best->configuration, first ? NULL : model->configs[model->newest],
                          &model->configs[row], &same, error);
    if (!code && !same)
        code = different(newest, best, "parameters", newest->configuration, best->configuration, error);
    if (code)
        error_hint(error, "in the row of %.80s, %.80s", best->device, best->problem);
    return code;
}

static int read_default(struct emit_model *model, struct error *error)
{
    const struct best *newest = model->rows[model->newest];
    const struct emit_pairs *first = model->configs[model->newest];
    bool same = true;
    if (!*newest->default_configuration && first->count) {
        error_set(error, ERROR_DATA, "the row of %.80s, %.80s has no default configuration", newest->device,
                  newest->problem);
        error_hint(error, "tune it again");
        return ERROR_DATA;
    }
    int code = read_pairs(model, newest->default_configuration, first, &model->configs[model->count], &same, error);
    if (!code && !same)
        code = different(newest, newest, "parameters", newest->configuration, newest->default_configuration, error);
    return code;
}

/* The newest row is what the space says now: the order of sizes and parameters and the default are its. */
static int read_rows(struct emit_model *model, struct error *error)
{
    model->problems = arena_array(&model->arena, model->count, sizeof *model->problems);
    model->configs = arena_array(&model->arena, model->count + 1, sizeof *model->configs);
    if (!model->problems || !model->configs)
        return error_memory(error);
    for (size_t i = 1; i < model->count; i++)
        if (strcmp(model->rows[i]->date, model->rows[model->newest]->date) > 0)
            model->newest = i;
    int code = read_row(model, model->newest, error);
    for (size_t i = 0; i < model->count && !code; i++)
        if (i != model->newest)
            code = read_row(model, i, error);
    return code ? code : read_default(model, error);
}

/* Names that a member cannot have: keywords of C, C++ and CUDA, usual macros, and the other members. */
static bool is_taken(const char *name)
{
    static const char words[] =
        " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t "
        "char32_t class co_await co_return co_yield compl concept const const_cast consteval constexpr "
        "constinit continue decltype default delete do double dynamic_cast else enum explicit export extern "
        "false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr "
        "operator or or_eq private protected public register reinterpret_cast requires restrict return short "
        "signed sizeof static static_assert static_cast struct switch template this thread_local throw true "
        "try typedef typeid typename typeof typeof_unqual union unsigned using virtual void volatile wchar_t "
        "while xor xor_eq NULL linux unix i386 device cc sm_count l2_bytes time_ns ";
    size_t length = strlen(name);
    for (const char *at = words; (at = strstr(at, name)); at += length)
        if (at[-1] == ' ' && at[length] == ' ')
            return true;
    return false;
}

static bool is_member(const struct emit_member *members, size_t count, const char *field)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(members[i].field, field) == 0)
            return true;
    return false;
}

static int make_members(struct emit_model *model, struct emit_pairs **pairs, size_t rows, const char *prefix,
                        struct emit_member **members, size_t *count, struct error *error)
{
    *count = pairs[model->newest]->count;
    *members = arena_array(&model->arena, *count + 1, sizeof **members);
    for (size_t i = 0; i < *count && *members; i++) {
        struct emit_member *member = &(*members)[i];
        member->name = pairs[model->newest]->items[i].name;
        member->field = arena_printf(&model->arena, "%s%s", prefix, member->name);
        while (member->field && (is_taken(member->field) || is_member(*members, i, member->field) ||
                                 (model->problem_members && model->problem_members != *members &&
                                  is_member(model->problem_members, model->problem_count, member->field))))
            member->field = arena_printf(&model->arena, "%s_", member->field);
        if (!member->field)
            return error_memory(error);
        for (size_t row = 0; row < rows; row++)
            if (pairs[row]->items[i].kind > member->kind)
                member->kind = pairs[row]->items[i].kind;
    }
    return *members ? 0 : error_memory(error);
}

static int make_all_members(struct emit_model *model, struct error *error)
{
    int code = make_members(model, model->problems, model->count, "problem_", &model->problem_members,
                            &model->problem_count, error);
    for (size_t i = 0; i < model->problem_count && !code; i++) {
        struct emit_member *member = &model->problem_members[i];
        if (member->kind == EMIT_WORD)
            code = error_set(error, ERROR_DATA, "the problem size %.60s is no number", member->name);
        else if (member->kind == EMIT_INT)
            member->kind = EMIT_LONG;
    }
    if (!code)
        code = make_members(model, model->configs, model->count + 1, "", &model->parameter_members,
                            &model->parameter_count, error);
    for (size_t i = 0; i < model->parameter_count && !code; i++) {
        const char *name = model->parameter_members[i].name;
        if (strcmp(name, "TUNED_DEVICE") == 0 || strcmp(name, "TUNED_H") == 0 || strncmp(name, "TUNED_RULE_", 11) == 0)
            code = error_set(error, ERROR_DATA, "the parameter %.60s has the name of a macro of the header", name);
    }
    return code;
}

/* ---- Whose row the macros are ---- */

/* The devices among the rows whose names contain `part`, as a list for people; returns how many they are. */
static size_t list_devices(const struct emit_model *model, const char *part, struct text *list)
{
    size_t devices = 0;
    for (size_t i = 0; i < model->count; i++) {
        const char *device = model->rows[i]->device;
        bool seen = !strcasestr(device, part) || (i && strcmp(model->rows[i - 1]->device, device) == 0);
        if (!seen)
            text_printf(list, "%s%s", devices++ ? ", " : "", device);
    }
    return devices;
}

static int choose(struct emit_model *model, struct error *error)
{
    const char *wanted = model->request->device;
    struct text list = {0};
    bool exact = false;
    int code = 0;
    size_t found = model->count;
    for (size_t i = 0; wanted && i < model->count; i++)
        exact |= strcmp(model->rows[i]->device, wanted) == 0;
    if (wanted && !exact && list_devices(model, wanted, &list) > 1) {
        code = error_set(error, ERROR_USAGE, "'%.80s' is a part of more than one device's name", wanted);
        error_hint(error, "which of them: %s?", text_string(&list));
    }
    for (size_t i = 0; i < model->count; i++) {
        const struct best *row = model->rows[i];
        if (wanted && !(exact ? strcmp(row->device, wanted) == 0 : strcasestr(row->device, wanted) != NULL))
            continue;
        if (found == model->count || strcmp(row->date, model->rows[found]->date) > 0)
            found = i;
    }
    if (found == model->count) {
        code = error_set(error, ERROR_NOT_FOUND, "no row of %.60s is of the device '%.80s'", model->request->kernel,
                         wanted);
        list_devices(model, "", &list);
        error_hint(error, "its devices are: %s", text_string(&list));
    }
    model->chosen = found;
    text_free(&list);
    return code;
}

/* ---- The whole ---- */

static int set_prefix(struct emit_model *model, struct error *error)
{
    const char *prefix = model->request->prefix;
    if (!is_identifier(prefix, strlen(prefix))) {
        error_set(error, ERROR_USAGE, "the prefix '%.80s' is no C identifier", prefix);
        error_hint(error, "--prefix NAME sets one: letters, digits and _, no digit first");
        return ERROR_USAGE;
    }
    char *upper = arena_copy(&model->arena, prefix, strlen(prefix));
    if (!upper)
        return error_memory(error);
    for (char *c = upper; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    model->prefix = prefix;
    model->upper = upper;
    return 0;
}

int emit_header(const struct best *const *rows, size_t count, const struct emit_request *request, struct text *text,
                struct error *error)
{
    struct emit_model model = {.rows = rows, .count = count, .request = request};
    int code = set_prefix(&model, error);
    if (!code)
        code = read_rows(&model, error);
    if (!code)
        code = make_all_members(&model, error);
    if (!code)
        code = choose(&model, error);
    if (!code) {
        emit_text(&model, text);
        code = text->failed ? error_memory(error) : 0;
    }
    arena_free(&model.arena);
    return code;
}
