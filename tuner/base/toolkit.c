#include "base/toolkit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Where NVIDIA's packages put a toolkit of the major version that cutune was built with. */
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

void toolkit_folders(struct text *folders, size_t *count)
{
    bool found = false;
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *root = getenv(variables[i]);
        if (root && add_folders(folders, count, root, strlen(root), "/include"))
            return;
    }
    for (const char *at = CUTUNE_CUDA_INCLUDE; *at;) {
        size_t length = strcspn(at, ":;");
        found |= add_folders(folders, count, at, length, "");
        at += length + (at[length] != '\0');
    }
    if (!found)
        add_folders(folders, count, USUAL_PLACE, strlen(USUAL_PLACE), "/include");
}

void toolkit_libraries(const char *name, struct text *paths, size_t *count)
{
    static const char *const folders[] = {CUTUNE_CUDA_LIBRARY, USUAL_PLACE "/lib64"};
    static const char *const below[] = {"lib64", "lib"};
    for (size_t i = 0; i < 2 * sizeof variables / sizeof *variables; i++) {
        const char *root = getenv(variables[i / 2]);
        if (root && *root) {
            text_printf(paths, "%s/%s/%s", root, below[i % 2], name);
            text_append(paths, "", 1);
            ++*count;
        }
    }
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        text_printf(paths, "%s/%s", folders[i], name);
        text_append(paths, "", 1);
        ++*count;
    }
}

void toolkit_options(const char *path, struct text *options, size_t *count)
{
    struct text folders = {0};
    size_t folder_count = 0;
    const char *slash = strrchr(path, '/');
    if (slash)
        text_printf(options, "-I%.*s", slash == path ? 1 : (int)(slash - path), path);
    else
        text_printf(options, "-I.");
    text_append(options, "", 1);
    ++*count;
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
