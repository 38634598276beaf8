#include "evaluate/argument_questions.h"

#include <stdlib.h>
#include <string.h>

#include "evaluate/argument_types.h"

/* ---- Questions ---- */

void argument_questions_begin(bool nvcc, struct text *source)
{
    argument_types_include(nvcc, ARGUMENT_QUESTIONS_PATH, source);
}

void argument_questions_types(const char *kernel, struct text *source)
{
    for (size_t i = 0; i < SPACE_ARGUMENTS_MAX; i++)
        text_printf(source,
                    "template struct cutune_asked<%zu, cutune_at<%zu, decltype(cutune_parameters(%s))>::cutune_is, "
                    "sizeof(cutune_at<%zu, decltype(cutune_parameters(%s))>::cutune_is)>;\n",
                    i, i, kernel, i, kernel);
}

/* ---- Answers ---- */

static const struct element_type *type_named(const char *name)
{
    for (size_t i = 0; name && i < element_type_count; i++)
        if (strcmp(element_types[i].name, name) == 0)
            return &element_types[i];
    return NULL;
}

/* The type with these parts, in the notation of compile/headers/arguments.cuh. */
static const struct element_type *type_of(size_t family, size_t bytes, size_t components)
{
    for (size_t i = 0; i < element_type_count; i++) {
        const struct element_type *type = &element_types[i];
        char own = type->scalar == SCALAR_half       ? 'h'
                   : type->scalar == SCALAR_bfloat16 ? 'b'
                   : type->family == FAMILY_FLOAT    ? 'f'
                   : type->family == FAMILY_UINT     ? 'u'
                                                     : 'i';
        if ((size_t)own == family && type->components == components && type->bytes == bytes * components)
            return type;
    }
    return NULL;
}

bool argument_questions_next(const char **log, struct argument_answer *answer)
{
    static const char failed[] = "static assertion failed with \"cutune named\"", context[] = " [with cutune_number=";
    const char *at;
    while ((at = strstr(*log, failed))) {
        at += sizeof failed - 1;
        const char *next = strstr(at, failed), *with = strstr(at, context);
        size_t points, family, bytes, components;
        *log = at;
        if (!with || (next && with > next))
            continue;
        size_t length = strcspn(with, "\n");
        *log = with + length;
        if (!argument_types_number(with, length, "cutune_number=", &answer->number) ||
            !argument_types_number(with, length, "cutune_points=", &points) ||
            !argument_types_number(with, length, "cutune_family=", &family) ||
            !argument_types_number(with, length, "cutune_element=", &bytes) ||
            !argument_types_number(with, length, "cutune_count=", &components) ||
            !argument_types_number(with, length, "cutune_bytes=", &answer->bytes) ||
            !argument_types_value(with, length, "cutune_parameter=", answer->type, sizeof answer->type))
            continue;
        answer->points = points > 0;
        answer->constant = points > 1;
        const char *type = answer->points ? NULL : argument_types_in_space(answer->type, strlen(answer->type));
        answer->element = type ? type_named(type) : type_of(family, bytes, components);
        return true;
    }
    return false;
}
