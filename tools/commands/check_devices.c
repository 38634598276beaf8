#include "commands/check_devices.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "commands/find.h"
#include "database/limits_file.h"
#include "expression/expr.h"
#include "set/valid_set.h"

enum {
    FILES_MAX = 64,
    COUNT_BYTES_MAX = 64 << 20 /* for a set built only to be counted */
};

static bool is_csv(const char *name)
{
    const char *dot = strrchr(name, '.');
    return name[0] != '.' && dot && strcmp(dot, ".csv") == 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A missing folder has no files. */
static int read_folder(struct arena *arena, const char *folder, const char **paths, size_t *count, struct error *error)
{
    DIR *directory = opendir(folder);
    int code = 0;
    *count = 0;
    if (!directory)
        return 0;
    for (struct dirent *entry; !code && *count < FILES_MAX && (entry = readdir(directory));) {
        if (!is_csv(entry->d_name))
            continue;
        paths[*count] = arena_printf(arena, "%s/%s", folder, entry->d_name);
        code = paths[*count] ? 0 : error_memory(error);
        ++*count;
    }
    closedir(directory);
    if (!code)
        qsort(paths, *count, sizeof *paths, by_name);
    return code;
}

int device_files(struct arena *arena, const char *const **result, size_t *count, struct error *error)
{
    const char *wanted = getenv("CUTUNE_DEVICES");
    const char *const folders[] = {"space/devices", find_data(arena, "devices")};
    const char **paths = arena_array(arena, FILES_MAX, sizeof *paths);
    int code = 0;
    *count = 0;
    *result = paths;
    if (!paths || !folders[1])
        return error_memory(error);
    if (wanted && *wanted)
        return read_folder(arena, wanted, paths, count, error);
    for (size_t i = 0; i < sizeof folders / sizeof *folders && !code && *count == 0; i++)
        code = read_folder(arena, folders[i], paths, count, error);
    return code;
}

static bool depends_on_device(const struct space *space)
{
    bool depends = space->kernel != NULL; /* a launch must fit the device */
    for (size_t c = 0; c < space->constraint_count && !depends; c++)
        depends = space->constraints[c].condition->uses_limits;
    return depends;
}

int device_count_valid(const struct space_file *file, const char *device, const struct option_list *sets,
                       const char *const *defines, size_t define_count, struct device_count *count, bool *depends,
                       struct error *error)
{
    struct space *space = NULL;
    struct valid_set *set = NULL;
    struct device_limits limits;
    struct error ignored = {0};
    *count = (struct device_count){0};
    *depends = false;
    int code = space_file_parse(file, &space, error);
    if (code || !depends_on_device(space)) {
        space_free(space);
        return code;
    }
    *depends = true;
    code = limits_read(device, &limits, error);
    if (!code) {
        memcpy(count->name, limits.name, sizeof count->name);
        int failed = 0;
        for (size_t i = 0; i < sets->count && !failed; i++)
            failed = space_narrow(space, sets->items[i], &ignored);
        if (!failed)
            failed = space_bind(space, defines, define_count, &limits, &ignored);
        if (!failed)
            failed = valid_set_build(&set, space, COUNT_BYTES_MAX, &ignored);
        count->known = !failed;
        count->valid = failed ? 0 : valid_set_count(set);
    }
    valid_set_free(set);
    space_free(space);
    return code;
}
