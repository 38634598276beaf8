/* Finds files: --space and `check` accept the bare name of a template, --db that of the recorded runs. */
#ifndef CUTUNE_COMMANDS_FIND_H
#define CUTUNE_COMMANDS_FIND_H

#include "base/arena.h"
#include "base/error.h"
#include "base/option.h"
#include "database/database.h"
#include "space/space.h"

/* Finds a space file. A name with a '/' is a path. A bare name, with or without ".space", is looked up in the current
 * folder, in ./templates and in the folder of the installed templates, which CUTUNE_TEMPLATES in the environment
 * replaces. Returns the path in the arena, or NULL and an error with the searched places. A directory is an error. */
const char *find_space(struct arena *arena, const char *name, struct error *error);

/* Same for the space of a recorded kernel, whose name comes from any file: never a path, and only a regular file. */
const char *find_kernel_space(struct arena *arena, const char *kernel, struct error *error);

/* A space file with its text, which is read once because the file may be a pipe. Arena memory. */
struct space_file {
    const char *path, *text;
    size_t length;
};
/* Reads the file of find_space. `untrusted`: refuses what space_refuse_untrusted does. */
int find_space_file(struct arena *arena, const char *name, bool untrusted, struct space_file *file,
                    struct error *error);
/* Reads the file of find_space for `name`, or of find_kernel_space if `name` is NULL. */
int find_run_space_file(struct arena *arena, const char *name, const char *kernel, bool untrusted,
                        struct space_file *file, struct error *error);
int space_file_parse(const struct space_file *file, struct space **space, struct error *error);

/* Help of an option that names a file for find_results. */
#define FIND_RESULTS_HELP "; a database, a journal, or `recorded`: the recorded runs that come with cutune"
/* Finds the file of results. `recorded`, unless a file has that name, is db/recorded.csv or the installed
 * recorded.csv. *journals: the folder of the recorded runs that it comes from; NULL for other files. Arena memory. */
int find_results_file(struct arena *arena, const char *name, const char **path, const char **journals,
                      struct error *error);
/* Opens that file: a database, or a journal as one (results_open). Notes a journal's incomplete last row. */
int find_results(struct arena *arena, const char *name, const char **path, struct database **database,
                 struct error *error);

/* Finds the only kernel of the rows. ERROR_NOT_FOUND without a row; ERROR_USAGE for several, among which --kernel of
 * the `command` must select. Memory of the database. */
int find_only_kernel(const struct database *database, const char *path, const char *command, const char **kernel,
                     struct error *error);

/* Option row of every command that answers from a file of find_results; it fills a text. */
#define GENERATION_OPTION(structure, member)                                                                           \
    {                                                                                                                  \
        .name = "generation", .argument = "HASH", .type = OPTION_TEXT, .offset = offsetof(structure, member),          \
        .help = "answer only from this generation of the file, the hash that merge and show print; an error if the "   \
                "file has another content"                                                                             \
    }
/* ERROR_DATA unless the database has the generation of the option; NULL: any. */
int find_generation(const struct database *database, const char *generation, struct error *error);

/* Returns the folder of the installed templates, or the one that CUTUNE_TEMPLATES names. Memory of the arena or the
 * environment; NULL when out of memory. */
const char *find_templates(struct arena *arena);

/* Returns a folder or file of the installed data, such as "templates". Its path is relative to the running program, so
 * that an installed tree can be moved. Arena memory; NULL when out of memory. */
const char *find_data(struct arena *arena, const char *folder);

/* Returns the script `name`, from scripts/ beside the program in a build folder, else from the installed data. Arena
 * memory, or NULL and an error with the searched places. */
const char *find_script(struct arena *arena, const char *name, struct error *error);

/* Reports on standard error if files included by the kernel's source cannot be determined, and which. */
void find_note_unknown(const struct space *space);

/* Option rows of every command that builds a valid set; they fill a struct option_list. */
#define SET_OPTION(structure, member)                                                                                  \
    {                                                                                                                  \
        .name = "set", .argument = "NAME=V,...", .type = OPTION_LIST, .offset = offsetof(structure, member),           \
        .help = "keep only these values of a parameter; may be repeated"                                               \
    }

/* Option row of every command that reads a space to compile or run it; it fills a bool. */
#define UNTRUSTED_OPTION(structure, member)                                                                            \
    {                                                                                                                  \
        .name = "untrusted", .type = OPTION_FLAG, .offset = offsetof(structure, member),                               \
        .help = "refuse a space that runs nvcc, commands or host code, or names files outside of its folder"           \
    }

/* Fills an int64_t in MiB. */
#define SPACE_MEMORY_OPTION(structure, member)                                                                         \
    {                                                                                                                  \
        .name = "space-memory", .argument = "MIB", .type = OPTION_INT, .offset = offsetof(structure, member),          \
        .min = 1, .max = 1 << 20, .default_ = "1024",                                                                  \
        .help = "memory limit of the set of valid configurations, in MiB"                                              \
    }

#endif
