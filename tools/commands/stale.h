/* Checks that a row of the database matches the current source and space. A stale row may be wrong, or slower than the
 * result of a new run. */
#ifndef CUTUNE_COMMANDS_STALE_H
#define CUTUNE_COMMANDS_STALE_H

#include "base/option.h"
#include "database/database.h"

/* Option row --space of commands that check rows; fills a struct option_list. */
#define STALE_SPACE_OPTION(structure, member)                                                                          \
    {                                                                                                                  \
        .name = "space", .argument = "FILE", .type = OPTION_LIST, .offset = offsetof(structure, member),               \
        .values = "templates",                                                                                         \
        .help =                                                                                                        \
            "space that rows were tuned from, to detect stale ones; by default, the template named like the kernel; "  \
            "may be repeated"                                                                                          \
    }

enum stale {
    STALE_UNKNOWN, /* no space of that kernel was found, or the row has no record of its source and space */
    STALE_NO,
    STALE_SOURCE, /* the kernel's source, or a file that it includes, has changed */
    STALE_SPACE   /* the .space file, or one that it includes, has changed */
};

/* Returns "", "current" or "stale". */
const char *stale_name(enum stale stale);

struct stale_check;
/* Parses the given spaces and reports their errors. With `look`, find_space looks up the spaces of other kernels by the
 * kernel's name as rows need them; a file that is not a space of that kernel means STALE_UNKNOWN. A build does not
 * look: a user's own kernel may have the name of a template. */
int stale_open(struct stale_check **check, const struct option_list *spaces, bool look, struct error *error);
/* Returns the files of the given spaces: each space and its kernel's source. Valid as long as `check`. */
const char *const *stale_inputs(const struct stale_check *check, size_t *count);
/* Returns ERROR_MEMORY or 0. */
int stale_row(struct stale_check *check, const struct best *best, enum stale *stale, struct error *error);
void stale_close(struct stale_check *check); /* may be NULL */

#endif
