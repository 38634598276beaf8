#include "commands/check_members.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/bundle.h"
#include "base/text.h"
#include "compile/debug_info.h"
#include "evaluate/struct_members.h"
#include "language/variable.h"

bool check_members_wanted(const struct space *space, const struct step *step)
{
    bool wanted = false;
    for (size_t a = 0; step && a < step->argument_count; a++)
        wanted |= step->arguments[a].is_struct;
    for (size_t v = 0; v < variables_count(space); v++)
        wanted |= !variables_statement(space, v)->contents;
    return wanted;
}

static void compare(const struct space *space, const struct argument *argument, const struct debug_member *members,
                    size_t count, const char *what, check_members_found *found, void *context)
{
    struct error error = {0};
    if (count && !struct_members_agree(space, argument, members, count, what, &error))
        found(context, &error);
}

void check_members_of_kernel(const struct space *space, const struct typed_arguments *arguments,
                             const struct compile_result *result, size_t kernel, check_members_found *found,
                             void *context)
{
    const struct bundle_part cubin = bundle_part_of(result->cubin, result->cubin_bytes, kernel);
    const char *lowered = result->lowered_names + text_strings_bytes(result->lowered_names, kernel);
    const struct step *step = arguments->step;
    size_t added = arguments->filled ? FILL_ARGUMENTS : arguments->accepts ? ACCEPT_ARGUMENTS : 0;
    for (size_t a = 0; a < step->argument_count; a++) {
        struct debug_member *members = NULL;
        char what[SPACE_KERNEL_NAME_MAX + 64];
        if (!step->arguments[a].is_struct)
            continue;
        snprintf(what, sizeof what, "argument %zu of kernel '%s'", added + a + 1, step->kernel);
        size_t count = debug_parameter(cubin.bytes, cubin.length, lowered, added + a, &members);
        compare(space, &step->arguments[a], members, count, what, found, context);
        free(members);
    }
}

void check_members_of_variables(const struct space *space, const struct compile_result *result,
                                check_members_found *found, void *context)
{
    struct bundle bundle;
    if (!bundle_read(result->cubin, result->cubin_bytes, &bundle))
        return;
    for (size_t v = 0; v < variables_count(space); v++) {
        const struct variable_statement *variable = variables_statement(space, v);
        struct debug_member *members = NULL;
        char what[SPACE_SYMBOL_BYTES + 64];
        if (variable->contents)
            continue;
        snprintf(what, sizeof what, "the variable %s", variable->name);
        size_t count = 0;
        for (size_t p = 0; p < bundle.part_count && count == 0; p++)
            count = debug_variable(bundle.parts[p].bytes, bundle.parts[p].length, variable->name, &members);
        compare(space, &variable->value, members, count, what, found, context);
        free(members);
    }
}
