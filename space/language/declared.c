#include <string.h>

#include "expression/space_internal.h"

static const struct define *find_define(const struct space *space, const char *name)
{
    for (size_t i = 0; i < space->private->define_count; i++)
        if (strcmp(space->private->defines[i].name, name) == 0)
            return &space->private->defines[i];
    return NULL;
}

bool space_declared(const struct space *space, const char *name, size_t length, struct space_declared *declared)
{
    static const struct {
        enum name_kind kind;
        const char *statement;
    } rows[] = {{NAME_PARAMETER, "param"}, {NAME_PROBLEM, "problem"}, {NAME_LET, "let"}};
    const struct name *found = names_find(&space->private->names, name, length);
    const char *macro = NULL;
    for (size_t i = 0; found && i < sizeof rows / sizeof *rows; i++) {
        if (found->kind != rows[i].kind)
            continue;
        const struct define *define = find_define(space, found->text);
        macro = found->kind == NAME_PARAMETER ? space->parameters[found->index].macro : define ? define->name : NULL;
        bool own = define && found->kind == NAME_LET && define->value->line == found->line;
        *declared = (struct space_declared){.name = found->text,
                                            .statement = own ? "define" : rows[i].statement,
                                            .path = found->source ? found->source->path : space->path,
                                            .line = found->line,
                                            .macro = macro};
        return true;
    }
    for (size_t p = 0; p < space->parameter_count; p++) {
        const struct parameter *parameter = &space->parameters[p];
        if (strlen(parameter->macro) == length && memcmp(parameter->macro, name, length) == 0)
            return space_declared(space, parameter->name, strlen(parameter->name), declared);
    }
    return false;
}
