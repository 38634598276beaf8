#include "evaluate/argument_types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/headers.h"

enum { COUNT_BYTES = 8 };

/* An argument in the notation of compile/headers/arguments.cuh. */
struct wanted {
    char given, family;
    uint32_t bytes, components;
};

static struct wanted wanted_element(char given, const struct element_type *type)
{
    char family = type->scalar == SCALAR_half       ? 'h'
                  : type->scalar == SCALAR_bfloat16 ? 'b'
                  : type->family == FAMILY_FLOAT    ? 'f'
                  : type->family == FAMILY_UINT     ? 'u'
                                                    : 'i';
    return (struct wanted){given, family, type->bytes / type->components, type->components};
}

static bool is_raw(const struct element_type *type)
{
    return type->scalar == SCALAR_char || type->scalar == SCALAR_uchar;
}

static struct wanted wanted_of(const struct space *space, const struct argument *argument)
{
    if (argument->buffer >= 0) {
        const struct element_type *type = space->buffers[argument->buffer].type;
        return wanted_element(is_raw(type) ? 'o' : 'a', type);
    }
    if (argument->role == ARGUMENT_TEXTURE || argument->role == ARGUMENT_SURFACE)
        return (struct wanted){'t', 'c', 0, 1};
    if (argument->role == ARGUMENT_TENSOR_MAP)
        return (struct wanted){'s', 'c', TENSOR_MAP_BYTES, 1};
    if (argument->type)
        return wanted_element('v', argument->type);
    return (struct wanted){argument->is_struct ? 's' : 'n', 'c', argument->bytes, 1};
}

static size_t added_count(const struct typed_arguments *arguments)
{
    return arguments->filled ? FILL_ARGUMENTS : arguments->accepts ? ACCEPT_ARGUMENTS : 0;
}

/* ---- Assertions ---- */

void argument_types_include(bool nvcc, const char *name, struct text *source)
{
    static const char header[] = "cutune/arguments";
    text_printf(source, "\n");
    if (nvcc)
        headers_append(header, source);
    else
        text_printf(source, "#include <%s>\n", header);
    text_printf(source, "#line 1 \"%s\"\n", name);
}

void argument_types_begin(bool nvcc, struct text *source)
{
    argument_types_include(nvcc, "the arguments in the space file", source);
}

static void append_one(const struct typed_arguments *arguments, size_t number, size_t argument,
                       const struct wanted *wanted, struct text *source)
{
    text_printf(source,
                "template struct cutune_argument<%zu, %zu, '%c', '%c', %u, %u, "
                "cutune_at<%zu, decltype(cutune_parameters(%s))>::cutune_is>;\n",
                number, argument, wanted->given, wanted->family, wanted->bytes, wanted->components, argument,
                arguments->step->kernel);
}

void argument_types_append(const struct space *space, const struct typed_arguments *arguments, size_t number,
                           struct text *source)
{
    const struct step *step = arguments->step;
    size_t added = added_count(arguments);
    text_printf(source, "template struct cutune_count<%zu, %zu, decltype(cutune_parameters(%s))>;\n", number,
                added + step->argument_count, step->kernel);
    if (arguments->filled) {
        const struct element_type *type = arguments->filled->type;
        const struct wanted address = wanted_element(is_raw(type) ? 'o' : 'a', type);
        const struct wanted count = {'i', 'i', COUNT_BYTES, 1};
        append_one(arguments, number, 0, &address, source);
        append_one(arguments, number, 1, &count, source);
    }
    if (arguments->accepts)
        append_one(arguments, number, 0, &(const struct wanted){'a', 'u', COUNT_BYTES, 1}, source);
    for (size_t i = 0; i < step->argument_count; i++) {
        const struct wanted wanted = wanted_of(space, &step->arguments[i]);
        append_one(arguments, number, added + i, &wanted, source);
    }
}

/* ---- Findings ---- */

bool argument_types_value(const char *line, size_t length, const char *name, char *value, size_t room)
{
    const char *at = strstr(line, name);
    if (!at || (size_t)(at - line) >= length)
        return false;
    at += strlen(name);
    size_t depth = 0, end = 0;
    for (; at + end < line + length; end++) {
        char c = at[end];
        depth += c == '<' || c == '(' || c == '[';
        if (depth == 0 && (c == ',' || c == ']'))
            break;
        depth -= depth && (c == '>' || c == ')' || c == ']');
    }
    snprintf(value, room, "%.*s", (int)end, at);
    return true;
}

bool argument_types_number(const char *line, size_t length, const char *name, size_t *number)
{
    char value[24];
    char *end;
    if (!argument_types_value(line, length, name, value, sizeof value))
        return false;
    *number = strtoul(value, &end, 10);
    return end != value && !*end;
}

static bool read_finding(const char *line, size_t length, struct type_finding *finding)
{
    *finding = (struct type_finding){0};
    finding->counted = !argument_types_number(line, length, "cutune_number=", &finding->argument);
    return argument_types_number(line, length, "with cutune_step=", &finding->number) &&
           argument_types_value(line, length,
                                finding->counted ? "cutune_types=" : "cutune_parameter=", finding->parameter,
                                sizeof finding->parameter);
}

bool argument_types_next(const char **log, struct type_finding *finding)
{
    static const char failed[] = "static assertion failed with \"cutune ", context[] = " [with cutune_step=";
    const char *at;
    while ((at = strstr(*log, failed))) {
        at += sizeof failed - 1;
        const char *next = strstr(at, failed), *with = strstr(at, context);
        *log = at;
        if (!with || (next && with > next))
            continue;
        size_t length = strcspn(with, "\n");
        *log = with + length;
        if (read_finding(with, length, finding))
            return true;
    }
    return false;
}

bool argument_types_first(const char *message)
{
    return strstr(message, "static assertion failed with \"cutune ") != NULL;
}

/* ---- Messages ---- */

const char *argument_types_in_space(const char *type, size_t length)
{
    static const char *const others[][2] = {
        {"unsigned long", "ulong"}, {"signed char", "char"}, {"unsigned", "uint"}, {"__nv_bool", "bool"}};
    for (size_t i = 0; i < element_type_count; i++) {
        const struct element_type *row = &element_types[i];
        if ((strlen(row->name) == length && memcmp(row->name, type, length) == 0) ||
            (strlen(row->c_name) == length && memcmp(row->c_name, type, length) == 0))
            return row->name;
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strlen(others[i][0]) == length && memcmp(others[i][0], type, length) == 0)
            return others[i][1];
    return NULL;
}

/* Finds the target type of a pointer type, without const and volatile. */
static bool pointed_type(const char *type, const char **at, size_t *length)
{
    static const char *const qualifiers[] = {"const ", "volatile "};
    size_t end = strlen(type);
    if (end < 2 || type[end - 1] != '*')
        return false;
    *length = end - 1 - (type[end - 2] == ' ');
    *at = type;
    for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers; i++)
        if (strncmp(*at, qualifiers[i], strlen(qualifiers[i])) == 0) {
            *at += strlen(qualifiers[i]);
            *length -= strlen(qualifiers[i]);
        }
    return true;
}

static int explain_buffer(const struct buffer *buffer, const char *what, const char *parameter, struct error *error)
{
    const char *own = buffer->type->c_name, *pointed = "", *instead = NULL;
    size_t length = 0;
    bool points = pointed_type(parameter, &pointed, &length);
    int code = error_set(error, ERROR_DATA, "%s is the buffer '%s', `%s *`, but its parameter is `%s`", what,
                         buffer->name, own, parameter);
    if (points)
        instead = argument_types_in_space(pointed, length);
    if (instead)
        error_hint(error, "declare the buffer as %s[...], or the parameter as `%s *`; `void *` takes every buffer",
                   instead, own);
    else if (points)
        error_hint(error, "declare the parameter as `%s *`, or as `void *`, which takes every buffer", own);
    else
        error_hint(error, "the arguments stand in the order of the kernel's parameters");
    return code;
}

static int explain_value(const struct argument *argument, const char *what, const char *parameter, struct error *error)
{
    const char *own = argument->type ? argument->type->c_name : NULL,
               *instead = argument_types_in_space(parameter, strlen(parameter));
    int code;
    const struct view_words *view = view_words_of(argument->role);
    if (view)
        code = error_set(error, ERROR_DATA, "%s is a %s, but its parameter is `%s`", what, view->what, parameter);
    else if (own)
        code = error_set(error, ERROR_DATA, "%s is `%s`, but its parameter is `%s`", what, own, parameter);
    else if (argument->is_struct)
        code = error_set(error, ERROR_DATA, "%s is a struct of %u bytes, but its parameter is `%s`", what,
                         argument->bytes, parameter);
    else
        code = error_set(error, ERROR_DATA, "%s is the null pointer, but its parameter is `%s`", what, parameter);
    if (view)
        error_hint(error, "declare the parameter as %s", view->parameter);
    else if (own && instead)
        error_hint(error, "pass it as %s, or declare the parameter as `%s`", instead, own);
    else
        error_hint(error, "the arguments stand in the order of the kernel's parameters");
    return code;
}

static int explain_count(const struct typed_arguments *arguments, size_t given, const char *parameters,
                         struct error *error)
{
    size_t length = strlen(parameters), taken = length > 2;
    int depth = 0;
    for (const char *c = parameters + 1; length > 2 && c[0] && c[1]; c++) {
        depth += (*c == '<' || *c == '(') - (*c == '>' || *c == ')');
        taken += depth == 0 && *c == ',';
    }
    int code = error_set(error, ERROR_DATA, "kernel '%s' takes %zu argument%s, but gets %zu", arguments->step->kernel,
                         taken, taken == 1 ? "" : "s", given);
    if (length > 2)
        error_hint(error, "its parameters in %s: %.*s", arguments->path, (int)length - 2, parameters + 1);
    else
        error_hint(error, "it has no parameters in %s", arguments->path);
    return code;
}

int argument_types_explain(const struct space *space, const struct typed_arguments *arguments,
                           const struct type_finding *finding, struct error *error)
{
    const struct step *step = arguments->step;
    size_t added = added_count(arguments), number = finding->argument - added;
    char what[SPACE_WORD_MAX + 300];
    int code;
    if (finding->counted) {
        code = explain_count(arguments, added + step->argument_count, finding->parameter, error);
        space_put_arguments_place(step, error);
        return code;
    }
    snprintf(what, sizeof what, "argument %zu of kernel '%s'", finding->argument + 1, step->kernel);
    if (finding->argument < added && arguments->accepts) {
        code =
            error_set(error, ERROR_DATA, "%s counts the faults, but its parameter is `%s`", what, finding->parameter);
        error_hint(error, "expected: __global__ void %s(unsigned long long *faults, ...)", step->kernel);
    } else if (finding->argument < added && finding->argument == 0) {
        code = explain_buffer(arguments->filled, what, finding->parameter, error);
    } else if (finding->argument < added) {
        code = error_set(error, ERROR_DATA, "%s is the number of elements, but its parameter is `%s`", what,
                         finding->parameter);
        error_hint(error, "expected: __global__ void KERNEL(%s *data, long long count, ...)",
                   arguments->filled->type->c_name);
    } else if (number >= step->argument_count) {
        code = error_set(error, ERROR_DATA, "%s does not suit its parameter `%s`", what, finding->parameter);
    } else if (step->arguments[number].buffer >= 0) {
        code = explain_buffer(&space->buffers[step->arguments[number].buffer], what, finding->parameter, error);
    } else {
        code = explain_value(&step->arguments[number], what, finding->parameter, error);
    }
    space_put_place(finding->argument >= added && number < step->argument_count ? &step->arguments[number].place
                                                                                : &step->kernel_place,
                    error);
    return code;
}
