#include "compile/folder.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

/* Makes a list of paths, separated by ':', absolute; empty ones stay. */
static void settle_variable(const char *name, const char *here)
{
    const char *at = getenv(name);
    struct text settled = {0};
    if (!at)
        return;
    for (;;) {
        size_t length = strcspn(at, ":");
        if (length && *at != '/')
            text_printf(&settled, "%s/", here);
        text_append(&settled, at, length);
        if (!at[length])
            break;
        text_append(&settled, ":", 1);
        at += length + 1;
    }
    if (!settled.failed)
        setenv(name, text_string(&settled), 1);
    text_free(&settled);
}

int folder_settle(struct compile_cache *cache)
{
    static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH", "PATH", "TMPDIR", "CPATH", "CPLUS_INCLUDE_PATH"};
    char here[PATH_MAX], folder[CACHE_FOLDER_BYTES];
    int home = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (!getcwd(here, sizeof here))
        return home;
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        settle_variable(variables[i], here);
    if (cache && *cache->folder != '/' &&
        snprintf(folder, sizeof folder, "%s/%s", here, cache->folder) < (int)sizeof folder)
        memcpy(cache->folder, folder, sizeof folder);
    return home;
}

int folder_enter(struct request *request, struct error *error)
{
    const char *folder = request->job.folder;
    if (!*folder)
        return 0;
    if (chdir(folder))
        return error_errno(error, ERROR_IO, "cannot enter the folder %s", folder);
    request->job.path = file_below(folder, request->job.path);
    return 0;
}

void folder_leave(int home)
{
    if (home < 0 || fchdir(home))
        _exit(EXIT_FAILURE); /* the pool starts another process */
}
