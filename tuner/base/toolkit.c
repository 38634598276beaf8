#include "base/toolkit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The place where NVIDIA's packages install a toolkit of the major version that cutune was built with. */
#define USUAL_PLACE "/usr/local/cuda-" CUTUNE_CUDA_MAJOR

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* Appends <root>/<below> and its subfolder cccl if they exist. */
static bool add_folders(struct text *folders, size_t *count, const char *root, size_t root_length, const char *below)
{
    static const char *const parts[] = {"", "/cccl"};
    bool found = false;
    for (size_t i = 0; root_length && i < sizeof parts / sizeof *parts; i++) {
        struct text folder = {0};
        text_printf(&folder, "%.*s%s%s", (int)root_length, root, below, parts[i]);
        folders->failed |= folder.failed;
        if (!folder.failed && is_folder(folder.bytes)) {
            text_append(folders, folder.bytes, folder.length + 1);
            ++*count;
            found = true;
        }
        text_free(&folder);
    }
    return found;
}

static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH"};

/* Appends the folders of a list, each with its cccl. */
static bool add_list(struct text *folders, size_t *count, const char *list)
{
    bool found = false;
    for (const char *at = list; *at;) {
        size_t length = strcspn(at, ":;");
        found |= add_folders(folders, count, at, length, "");
        at += length + (at[length] != '\0');
    }
    return found;
}

void toolkit_folders(struct text *folders, size_t *count)
{
    const char *list = getenv("CUTUNE_CUDA_INCLUDE");
    if (list && *list) {
        add_list(folders, count, list);
        return;
    }
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *root = getenv(variables[i]);
        if (root && add_folders(folders, count, root, strlen(root), "/include"))
            return;
    }
    if (!add_list(folders, count, CUTUNE_CUDA_INCLUDE))
        add_folders(folders, count, USUAL_PLACE, strlen(USUAL_PLACE), "/include");
}

static void add_path(struct text *paths, size_t *count, const char *folder, size_t length, const char *below,
                     const char *name)
{
    text_printf(paths, "%.*s/%s%s", (int)length, folder, below, name);
    text_append(paths, "", 1);
    ++*count;
}

/* Appends the possible paths of the file `name`: in the folders `below` those of the variables, then in the `usual`
 * ones. */
static void add_paths(struct text *paths, size_t *count, const char *const below[2], const char *const usual[2],
                      const char *name)
{
    for (size_t i = 0; i < 2 * sizeof variables / sizeof *variables; i++) {
        const char *root = getenv(variables[i / 2]);
        if (root && *root && below[i % 2])
            add_path(paths, count, root, strlen(root), below[i % 2], name);
    }
    for (size_t i = 0; i < 2; i++)
        add_path(paths, count, usual[i], strlen(usual[i]), "", name);
}

void toolkit_libraries(const char *name, struct text *paths, size_t *count)
{
    static const char *const below[2] = {"lib64/", "lib/"}, *const usual[2] = {CUTUNE_CUDA_LIBRARY,
                                                                               USUAL_PLACE "/lib64"};
    add_paths(paths, count, below, usual, name);
}

void toolkit_programs(const char *name, struct text *paths, size_t *count)
{
    static const char *const below[2] = {"bin/"}, *const usual[2] = {CUTUNE_CUDA_PROGRAMS, USUAL_PLACE "/bin"};
    const char *path = getenv("PATH");
    add_paths(paths, count, below, usual, name);
    while (path && *path) {
        size_t length = strcspn(path, ":");
        if (length)
            add_path(paths, count, path, length, "", name);
        path += length + (path[length] != '\0');
    }
}

void toolkit_source_option(const char *path, struct text *options, size_t *count)
{
    const char *slash = strrchr(path, '/');
    if (slash)
        text_printf(options, "-I%.*s", slash == path ? 1 : (int)(slash - path), path);
    else
        text_printf(options, "-I.");
    text_append(options, "", 1);
    ++*count;
}

void toolkit_options(const char *path, struct text *options, size_t *count)
{
    struct text folders = {0};
    size_t folder_count = 0;
    toolkit_source_option(path, options, count);
    toolkit_folders(&folders, &folder_count);
    options->failed |= folders.failed;
    const char *at = text_string(&folders);
    for (size_t i = 0; i < folder_count && !folders.failed; i++, at += strlen(at) + 1) {
        text_printf(options, "-I%s", at);
        text_append(options, "", 1);
    }
    *count += folder_count;
    text_free(&folders);
}
