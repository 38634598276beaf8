#include "commands/find.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "journal/results.h"
#include "terminal/output.h"

#define SUFFIX ".space"

static bool has_suffix(const char *name)
{
    size_t length = strlen(name), suffix = strlen(SUFFIX);
    return length >= suffix && strcmp(name + length - suffix, SUFFIX) == 0;
}

/* Looks for the name with and without its suffix in `folder` (ending in '/', or empty). Sets *found to the first path
 * that is not a directory and *directory to the first that is one. */
static int look(struct arena *arena, const char *folder, const char *name, const char **found, const char **directory,
                struct error *error)
{
    static const char *const endings[] = {"", SUFFIX};
    size_t count = has_suffix(name) ? 1 : sizeof endings / sizeof *endings;
    for (size_t i = 0; i < count; i++) {
        struct stat status;
        const char *path = arena_printf(arena, "%s%s%s", folder, name, endings[i]);
        if (!path)
            return error_memory(error);
        if (stat(path, &status)) {
            if (errno != ENOENT && errno != ENOTDIR)
                return error_errno(error, ERROR_IO, "cannot open %s", path);
        } else if (!S_ISDIR(status.st_mode)) {
            *found = path;
            return 0;
        } else if (!*directory) {
            *directory = path;
        }
    }
    return 0;
}

/* Returns the path of `name` from the program's folder, without symbolic links if it exists. */
static const char *from_program(struct arena *arena, const char *folder, const char *name)
{
    char program[PATH_MAX], resolved[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    program[file_folder_length(program)] = '\0';
    const char *path = arena_printf(arena, "%s%s%s", program, folder, name);
    return path && realpath(path, resolved) ? arena_copy(arena, resolved, strlen(resolved)) : path;
}

const char *find_data(struct arena *arena, const char *folder)
{
    return from_program(arena, CUTUNE_DATA_FROM_PROGRAM "/", folder);
}

const char *find_script(struct arena *arena, const char *name, struct error *error)
{
    static const char *const folders[] = {"scripts/", CUTUNE_DATA_FROM_PROGRAM "/scripts/"};
    const char *path = NULL;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        if (!(path = from_program(arena, folders[i], name))) {
            error_memory(error);
            return NULL;
        }
        if (access(path, R_OK) == 0)
            return path;
    }
    error_set(error, ERROR_NOT_FOUND, "the script %s is missing: cutune is not installed completely", name);
    error_hint(error, "expected at %s", path);
    return NULL;
}

const char *find_templates(struct arena *arena)
{
    const char *named = getenv("CUTUNE_TEMPLATES");
    return named && *named ? named : find_data(arena, "templates");
}

/* Returns the name of the space file in the folders that resembles `name` most, or NULL. */
static const char *near_space(struct arena *arena, const char *const *folders, size_t count, const char *name)
{
    enum { NAMES_MAX = 256 };
    const char *names[NAMES_MAX];
    size_t found = 0, length = strlen(name) - (has_suffix(name) ? strlen(SUFFIX) : 0);
    const char *plain = arena_copy(arena, name, length);
    for (size_t i = 0; i < count && plain; i++) {
        DIR *folder = opendir(*folders[i] ? folders[i] : ".");
        for (struct dirent *entry; folder && found < NAMES_MAX && (entry = readdir(folder));)
            if (entry->d_name[0] != '.' && has_suffix(entry->d_name) &&
                (names[found] = arena_copy(arena, entry->d_name, strlen(entry->d_name) - strlen(SUFFIX))))
                found++;
        if (folder)
            closedir(folder);
    }
    return plain ? text_nearest(plain, names, found) : NULL;
}

const char *find_space(struct arena *arena, const char *name, struct error *error)
{
    const char *installed = find_templates(arena), *found = NULL, *directory = NULL;
    if (!installed) {
        error_memory(error);
        return NULL;
    }
    if (!*name) {
        error_set(error, ERROR_USAGE, "the name of the space file is empty");
        return NULL;
    }
    const char *last = arena_printf(arena, "%s/", installed);
    if (!last) {
        error_memory(error);
        return NULL;
    }
    const char *const folders[] = {"", "templates/", last};
    size_t count = strchr(name, '/') ? 1 : sizeof folders / sizeof *folders;
    for (size_t i = 0; i < count; i++) {
        if (look(arena, folders[i], name, &found, &directory, error))
            return NULL;
        if (found)
            return found;
    }
    if (directory) {
        error_set(error, ERROR_IO, "%s is a directory, not a space file", directory);
    } else if (count == 1) {
        size_t length = file_folder_length(name);
        const char *folder = arena_copy(arena, name, length);
        const char *near = folder ? near_space(arena, &folder, 1, name + length) : NULL;
        error_set(error, ERROR_NOT_FOUND, "there is no file %s", name);
        if (near)
            error_hint(error, "did you mean %s%s" SUFFIX "?", folder, near);
    } else {
        const char *near = near_space(arena, folders, count, name);
        error_set(error, ERROR_NOT_FOUND, "there is no space file %s", name);
        if (near)
            error_hint(error, "did you mean %s?", near);
        error_hint(error, "looked in the current directory, in templates/ and in %s/ for %s%s%s%s", installed, name,
                   has_suffix(name) ? "" : " and ", has_suffix(name) ? "" : name, has_suffix(name) ? "" : SUFFIX);
    }
    return NULL;
}

const char *find_kernel_space(struct arena *arena, const char *kernel, struct error *error)
{
    static const char parts[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    if (!*kernel || kernel[strspn(kernel, parts)]) {
        error_set(error, ERROR_NOT_FOUND, "no space can have the kernel '%.60s'", kernel);
        return NULL;
    }
    const char *path = find_space(arena, kernel, error);
    return path && file_check_regular(path, error) == 0 ? path : NULL;
}

static int read_space_file(struct arena *arena, const char *path, bool untrusted, struct space_file *file,
                           struct error *error)
{
    struct text text = {0};
    *file = (struct space_file){.path = path};
    int code = path ? space_read(path, &text, error) : (int)error->code;
    if (!code) {
        file->text = arena_copy(arena, text_string(&text), text.length);
        file->length = text.length;
        code = file->text ? 0 : error_memory(error);
    }
    text_free(&text);
    return !code && untrusted ? space_refuse_untrusted(file->path, file->text, file->length, error) : code;
}

int find_space_file(struct arena *arena, const char *name, bool untrusted, struct space_file *file, struct error *error)
{
    return read_space_file(arena, find_space(arena, name, error), untrusted, file, error);
}

int find_run_space_file(struct arena *arena, const char *name, const char *kernel, bool untrusted,
                        struct space_file *file, struct error *error)
{
    const char *path = name ? find_space(arena, name, error) : find_kernel_space(arena, kernel, error);
    return read_space_file(arena, path, untrusted, file, error);
}

int space_file_parse(const struct space_file *file, struct space **space, struct error *error)
{
    return space_parse_text(space, file->path, file->text, file->length, NULL, error);
}

void find_note_unknown(const struct space *space)
{
    if (space->source_unknown)
        output_note(SPACE_UNKNOWN_NOTE, space->source_unknown);
}

/* Finds the database of the recorded runs: in the repository, or installed. */
static const char *find_recorded(struct arena *arena, struct error *error)
{
    static const char name[] = "recorded", in_repository[] = "db/recorded.csv";
    if (access(name, F_OK) == 0)
        return name;
    if (access(in_repository, F_OK) == 0)
        return in_repository;
    const char *path = find_data(arena, "recorded.csv");
    if (path && access(path, F_OK) == 0)
        return path;
    if (path) {
        error_set(error, ERROR_NOT_FOUND,
                  "the database of the recorded runs is missing: cutune is not installed completely");
        error_hint(error, "expected at %s", path);
    } else {
        error_memory(error);
    }
    return NULL;
}

int find_results_file(struct arena *arena, const char *name, const char **path, const char **journals,
                      struct error *error)
{
    static const char ending[] = ".csv";
    bool recorded = strcmp(name, "recorded") == 0;
    *path = recorded ? find_recorded(arena, error) : name;
    *journals = NULL;
    if (!*path)
        return (int)error->code;
    if (!recorded || strcmp(*path, name) == 0)
        return 0;
    *journals = arena_copy(arena, *path, strlen(*path) - (sizeof ending - 1));
    return *journals ? 0 : error_memory(error);
}

int find_results(struct arena *arena, const char *name, const char **path, struct database **database,
                 struct error *error)
{
    int torn_line;
    const char *journals;
    int code = find_results_file(arena, name, path, &journals, error);
    if (!code)
        code = results_open(database, *path, &torn_line, error);
    if (!code && torn_line)
        output_note("%s:%d: the last line is incomplete and ignored", *path, torn_line);
    return code;
}

int find_only_kernel(const struct database *database, const char *path, const char *command, const char **kernel,
                     struct error *error)
{
    struct text kernels = {0};
    size_t count = 0;
    for (size_t i = 0; i < database_count(database); i++) {
        const char *own = database_get(database, i)->provenance.kernel;
        if (count && strcmp(own, *kernel) == 0)
            continue;
        *kernel = own; /* rows are sorted by kernel */
        text_printf(&kernels, "%s%s", count++ ? ", " : "", own);
    }
    if (count == 0)
        error_set(error, ERROR_NOT_FOUND, "no results in %s", path);
    else if (count > 1)
        error_set(error, ERROR_USAGE, "%s needs --kernel NAME: %s has the kernels %.500s", command, path,
                  text_string(&kernels));
    text_free(&kernels);
    return count == 1 ? 0 : (int)error->code;
}

int find_generation(const struct database *database, const char *generation, struct error *error)
{
    return generation ? database_require_generation(database, generation, error) : 0;
}
