#include "commands/run_request.h"

#include "base/pairs.h"
#include "commands/find.h"

int run_request(struct session_request *request, struct arena *arena, const struct provenance *provenance,
                const char *space, bool untrusted, struct error *error)
{
    struct space_file file;
    struct pairs sizes;
    int code = find_run_space_file(arena, space, provenance->kernel, untrusted, &file, error);
    if (!code)
        code = pairs_read(arena, provenance->problem, &sizes, error);
    if (!code)
        code = conditions_read(&request->conditions, arena, provenance->options, error);
    const char **defines = code ? NULL : arena_array(arena, sizes.count + 1, sizeof *defines);
    if (!code && !defines)
        code = error_memory(error);
    for (size_t i = 0; !code && i < sizes.count; i++)
        if (!(defines[i] = arena_printf(arena, "%s=%s", sizes.items[i].name, sizes.items[i].value)))
            code = error_memory(error);
    if (code)
        return code;
    request->space_path = file.path;
    request->space_text = file.text;
    request->space_length = file.length;
    request->defines = defines;
    request->define_count = sizes.count;
    return 0;
}
