/* The space of a public search: a space file, or names, values and conditions in memory. These become the text of a
 * space file: the language has one reader. */
#include <string.h>

#include "api/api.h"
#include "api/api_search.h"
#include "base/hash.h"
#include "base/pairs.h"

static const char in_memory[] = "search space"; /* in place of a file name */

/* ---- In memory ---- */

/* True if a text is one value of the language: a number or an identifier. */
static bool is_value(const char *text)
{
    struct value value;
    return text && value_read(text, &value) && (value.kind != VALUE_WORD || pairs_identifier(text, strlen(text)));
}

static int print_parameter(const struct cutune_search_parameter *parameter, struct text *text, struct error *error)
{
    if (!parameter->name || !pairs_identifier(parameter->name, strlen(parameter->name)))
        return error_set(error, ERROR_USAGE, "the name '%.100s' of a parameter is not a C identifier",
                         parameter->name ? parameter->name : "");
    text_printf(text, "param %s = ", parameter->name);
    for (size_t v = 0; v < parameter->value_count; v++) {
        const char *value = parameter->values ? parameter->values[v] : NULL;
        if (!is_value(value)) {
            int code =
                error_set(error, ERROR_VALUE, "value %zu of '%s', '%.100s', is neither a number nor an identifier",
                          v + 1, parameter->name, value ? value : "");
            error_hint(error, "name it by an identifier or a number of its own");
            return code;
        }
        text_printf(text, "%s%s", v ? ", " : "", value);
    }
    text_printf(text, "\n");
    return 0;
}

/* Prints a statement of one line; `rest` must not end it. */
static int print_statement(const char *keyword, const char *rest, struct text *text, struct error *error)
{
    for (const char *at = rest; at && *at; at++)
        if ((unsigned char)*at < ' ' || *at == '#' || *at == '\\')
            return error_set(error, ERROR_USAGE, "a `%s` has the character %d, at %td", keyword, *at, at - rest);
    text_printf(text, "%s %s\n", keyword, rest ? rest : "");
    return 0;
}

static int print_space(const struct cutune_search_space *from, struct text *text, struct error *error)
{
    int code = 0;
    text_printf(text, "space 2\n");
    for (size_t p = 0; p < from->parameter_count && !code; p++)
        code = print_parameter(&from->parameters[p], text, error);
    for (size_t c = 0; c < from->constraint_count && !code; c++)
        code = print_statement("require", from->constraints[c], text, error);
    if (!code && from->default_)
        code = print_statement("default", from->default_, text, error);
    return code ? code : text->failed ? error_memory(error) : 0;
}

static int check_members(const struct cutune_search_space *from, struct error *error)
{
    if (!from->path == !from->parameter_count)
        return error_set(error, ERROR_USAGE, "a search needs a space file or parameters, and not both");
    if (from->parameter_count > CUTUNE_PARAMETERS_MAX)
        return error_set(error, ERROR_USAGE, "%zu parameters are more than %d", from->parameter_count,
                         CUTUNE_PARAMETERS_MAX);
    if (from->path && (from->constraint_count || from->configuration_count || from->default_))
        return error_set(error, ERROR_USAGE, "%.200s has its own constraints and default", from->path);
    if (!from->path && from->problem && *from->problem)
        return error_set(error, ERROR_USAGE, "sizes belong to a space file: there are only parameters");
    if (from->constraint_count && from->configuration_count)
        return error_set(error, ERROR_USAGE, "valid configurations are listed or meet constraints, not both");
    if ((from->parameter_count && !from->parameters) || (from->constraint_count && !from->constraints) ||
        (from->configuration_count && !from->configurations))
        return error_set(error, ERROR_USAGE, "a list of the search space is NULL, and its count is not 0");
    return 0;
}
_Static_assert((int)CUTUNE_PARAMETERS_MAX == (int)SPACE_PARAMETERS_MAX, "parameters of a search");

static int parse_space(struct cutune_search *search, const struct cutune_search_space *from, struct error *error)
{
    struct text text = {0};
    if (from->path)
        return space_parse(&search->space, from->path, error);
    int code = print_space(from, &text, error);
    if (!code)
        code = space_parse_text(&search->space, in_memory, text_string(&text), text.length, "", error);
    text_free(&text);
    return code;
}

/* ---- The valid configurations ---- */

static int build_list(struct cutune_search *search, const struct cutune_search_space *from, struct error *error)
{
    const struct space *space = search->space;
    for (size_t i = 0; i < from->configuration_count * space->parameter_count; i++) {
        const struct parameter *parameter = &space->parameters[i % space->parameter_count];
        if (from->configurations[i] >= parameter->value_count)
            return error_set(error, ERROR_USAGE, "configuration %zu has choice %u of '%s', which has %zu values",
                             i / space->parameter_count, from->configurations[i], parameter->name,
                             parameter->value_count);
    }
    return valid_set_from_list(&search->set, space, from->configurations, from->configuration_count, error);
}
_Static_assert(sizeof(unsigned) == sizeof(uint32_t), "choices");

/* A space file always has a default, which a run passes over if it is not valid. */
static int find_default(struct cutune_search *search, const struct cutune_search_space *from, struct error *error)
{
    bool valid = valid_set_find_default(search->set, search->space, &search->default_);
    search->has_default = valid && (from->path || from->default_);
    if (from->default_ && !valid)
        return error_set(error, ERROR_NOTHING_VALID, "the default %.300s is not valid", from->default_);
    return 0;
}

/* ---- Texts and the hash ---- */

static int keep_values(struct cutune_search *search, struct error *error)
{
    const struct space *space = search->space;
    char buffer[VALUE_TEXT_BYTES];
    const char *const **all = arena_array(&search->arena, space->parameter_count, sizeof *all);
    search->values = all;
    for (size_t p = 0; p < space->parameter_count && all; p++) {
        const struct parameter *parameter = &space->parameters[p];
        const char **texts = arena_array(&search->arena, parameter->value_count, sizeof *texts);
        all[p] = texts;
        for (size_t v = 0; v < parameter->value_count && texts; v++) {
            const char *text = value_text(&parameter->values[v], buffer, sizeof buffer);
            if (!(texts[v] = arena_copy(&search->arena, text, strlen(text))))
                return error_memory(error);
        }
        if (!texts)
            return error_memory(error);
    }
    return all ? 0 : error_memory(error);
}

/* Hashes all that the proposals depend on, besides strategy and seed. */
static int make_hash(struct cutune_search *search, const struct cutune_search_space *from, struct error *error)
{
    const struct space *space = search->space;
    struct text text = {0};
    for (size_t p = 0; p < space->parameter_count; p++) {
        text_printf(&text, "param %s =", space->parameters[p].name);
        for (size_t v = 0; v < space->parameters[p].value_count; v++)
            text_printf(&text, " %s", search->values[p][v]);
        text_printf(&text, "\n");
    }
    space_problem_text(space, &text);
    for (size_t c = 0; c < space->constraint_count; c++)
        text_printf(&text, "\nrequire %s", space->constraints[c].text);
    text_printf(&text, "\n%.17g %d %llu\n", valid_set_count_real(search->set), search->has_default,
                search->has_default ? (unsigned long long)search->default_ : 0);
    text_append(&text, from->configurations,
                from->configuration_count * from->parameter_count * sizeof *from->configurations);
    search_hash_prior_runs(search, &text);
    if (!text.failed)
        hash_hex(text.bytes, text.length, search->space_hash);
    bool failed = text.failed;
    text_free(&text);
    return failed ? error_memory(error) : 0;
}

int search_make_space(struct cutune_search *search, const struct cutune_search_space *from, struct error *error)
{
    int code = check_members(from, error);
    if (!code)
        code = parse_space(search, from, error);
    if (!code)
        code = api_bind(search->space, from->problem ? from->problem : "", from->device, error);
    if (!code && from->configuration_count)
        code = build_list(search, from, error);
    else if (!code)
        code = valid_set_build(&search->set, search->space, VALID_SET_DEFAULT_BYTES, error);
    if (!code && valid_set_count(search->set) == 0)
        code = error_set(error, ERROR_NOTHING_VALID, "%s: no configuration meets all constraints", search->space->path);
    if (!code)
        code = find_default(search, from, error);
    if (!code)
        code = keep_values(search, error);
    if (!code)
        code = search_copy_prior_runs(search, from, error);
    return code ? code : make_hash(search, from, error);
}
