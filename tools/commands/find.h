/* Finds files: --space and `check` accept the bare name of a template, --db that of the recorded runs. */
#ifndef CUTUNE_COMMANDS_FIND_H
#define CUTUNE_COMMANDS_FIND_H

#include "base/arena.h"
#include "base/error.h"
#include "base/option.h"
#include "database/database.h"
#include "space/space.h"

/* A name with a '/' is a path. A bare name, with or without ".space", is looked up in the current folder, in
 * ./templates and in the folder of the installed templates, which CUTUNE_TEMPLATES in the environment replaces. Returns
 * the path in memory of the arena, or NULL and an error that says where it looked. A directory is an error. */
const char *find_space(struct arena *arena, const char *name, struct error *error);

/* The same for the space of a recorded kernel, whose name any file may hold: it is never a path, and only a regular
 * file is taken. */
const char *find_kernel_space(struct arena *arena, const char *kernel, struct error *error);

/* A space file with its text, which is read once because the file may be a pipe. Memory of the arena. */
struct space_file {
    const char *path, *text;
    size_t length;
};
/* Reads the file that find_space finds. `untrusted`: refuses what space_refuse_untrusted does. */
int find_space_file(struct arena *arena, const char *name, bool untrusted, struct space_file *file,
                    struct error *error);
/* Reads the file that find_space finds for `name`, or that find_kernel_space finds if `name` is NULL. */
int find_run_space_file(struct arena *arena, const char *name, const char *kernel, bool untrusted,
                        struct space_file *file, struct error *error);
int space_file_parse(const struct space_file *file, struct space **space, struct error *error);

/* Help of an option that names a file for find_results. */
#define FIND_RESULTS_HELP "; a database, a journal, or `recorded`: the recorded runs that come with cutune"
/* Opens a database, or a journal as one (results_open). Notes a journal's incomplete last row. `recorded`, unless a
 * file has that name, is db/recorded.csv or the installed recorded.csv. *path: the file; memory of the arena. */
int find_results(struct arena *arena, const char *name, const char **path, struct database **database,
                 struct error *error);

/* The folder of the installed templates, or the one that CUTUNE_TEMPLATES names. Memory of the arena or the
 * environment; NULL if memory is out. */
const char *find_templates(struct arena *arena);

/* A folder or file of the installed data, such as "templates". Its path is relative to the running program, so that an
 * installed tree can be moved. Memory of the arena; NULL if memory is out. */
const char *find_data(struct arena *arena, const char *folder);

/* The script `name`, from scripts/ beside the program in a build folder, else from the installed data. Memory of the
 * arena, or NULL and an error that says where it looked. */
const char *find_script(struct arena *arena, const char *name, struct error *error);

/* Says on standard error which of the files that the kernel's source includes cannot be determined, if so. */
void find_note_unknown(const struct space *space);

/* The option rows of every command that builds a valid set. A struct option_list: */
#define SET_OPTION(structure, member)                                                                                  \
    {                                                                                                                  \
        .name = "set", .argument = "NAME=V,...", .type = OPTION_LIST, .offset = offsetof(structure, member),           \
        .help = "keep only these values of a parameter; may be repeated"                                               \
    }

/* The option row of every command that reads a space to compile or run it. A bool: */
#define UNTRUSTED_OPTION(structure, member)                                                                            \
    {                                                                                                                  \
        .name = "untrusted", .type = OPTION_FLAG, .offset = offsetof(structure, member),                               \
        .help = "refuse a space that runs nvcc, commands or host code, or names files outside of its folder"           \
    }

/* An int64_t in MiB: */
#define SPACE_MEMORY_OPTION(structure, member)                                                                         \
    {                                                                                                                  \
        .name = "space-memory", .argument = "MIB", .type = OPTION_INT, .offset = offsetof(structure, member),          \
        .min = 1, .max = 1 << 20, .default_ = "1024",                                                                  \
        .help = "memory limit of the set of valid configurations, in MiB"                                              \
    }

#endif
