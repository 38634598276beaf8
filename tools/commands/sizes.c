#include "commands/sizes.h"

#include <stdio.h>

#include "base/text.h"
#include "terminal/output.h"

int sizes_make(struct sweep **sweep, const struct space_file *file, const char *const *defines, size_t count,
               struct error *error)
{
    struct space *space = NULL;
    int code = sweep_make(sweep, defines, count, error);
    if (code || !file || count == 0)
        return code;
    code = space_file_parse(file, &space, error);
    if (!code)
        code = sweep_check(*sweep, space, error);
    space_free(space);
    return code;
}

static void name_size(const char *const *defines, size_t count, struct text *names)
{
    text_printf(names, "%s", names->length ? "; " : "");
    for (size_t i = 0; i < count; i++)
        text_printf(names, "%s%s", i ? " " : "", defines[i]);
}

int sizes_each(struct sweep *sweep,
               int (*run)(void *context, size_t number, const char *const *defines, struct error *error), void *context,
               struct error *error)
{
    size_t failed = 0, runs = sweep_runs(sweep);
    struct text names = {0};
    int first = 0, code = 0;
    for (size_t i = 0; i < runs && !code; i++) {
        code = run(context, i, sweep_get(sweep, i), error);
        if (runs == 1 || (code != ERROR_NOTHING_VALID && code != ERROR_VALUE))
            continue;
        fflush(stdout);
        output_error(error);
        error_clear(error);
        name_size(sweep_get(sweep, i), sweep_defines(sweep), &names);
        first = failed++ ? first : code;
        code = 0;
    }
    if (!code && failed)
        code = error_set(error, (enum error_code)first, "%zu of %zu sizes have no result: %s", failed, runs,
                         text_string(&names));
    text_free(&names);
    return code;
}
