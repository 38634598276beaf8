/* Where a space file is: what --space and `check` are given may be a path or the bare name of a template. */
#ifndef CUTUNE_COMMANDS_FIND_H
#define CUTUNE_COMMANDS_FIND_H

#include "base/arena.h"
#include "base/error.h"
#include "base/option.h"
#include "space/space.h"

/* A name with a '/' is a path. A bare name is looked up in the current folder, in ./templates and in the folder of the
 * installed templates (the environment's CUTUNE_TEMPLATES replaces that one). ".space" may be left out. Returns the
 * path in memory of the arena, or NULL and an error that says where it looked; a directory is an error that says so. */
const char *find_space(struct arena *arena, const char *name, struct error *error);

/* A space file with its text, which is read once: the file may be a pipe. Memory of the arena. */
struct space_file {
    const char *path, *text;
    size_t length;
};
/* The file that find_space finds. */
int find_space_file(struct arena *arena, const char *name, struct space_file *file, struct error *error);
int space_file_parse(const struct space_file *file, struct space **space, struct error *error);

/* A folder of the installed data, "templates": found from where the running program is, so that an installed tree may
 * be moved. Memory of the arena; NULL when it is out. */
const char *find_data(struct arena *arena, const char *folder);

/* The script `name`: in scripts/ beside the program, where a build folder has it, or of the installed data. Memory of
 * the arena, or NULL and an error that says where it looked. */
const char *find_script(struct arena *arena, const char *name, struct error *error);

/* Says on standard error which of the files that the kernel's source includes cannot be determined, if so. */
void find_note_unknown(const struct space *space);

/* The option row of every command that builds a valid set, into an int64_t of MiB. */
#define SPACE_MEMORY_OPTION(structure, member)                                                                         \
    {                                                                                                                  \
        .name = "space-memory", .argument = "MIB", .type = OPTION_INT, .offset = offsetof(structure, member),          \
        .min = 1, .max = 1 << 20, .default_ = "1024",                                                                  \
        .help = "memory, in MiB, that the set of valid configurations may take"                                        \
    }

#endif
