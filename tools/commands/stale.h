/* Whether a row of the database is of the source and the space that are there now: one that is not may be wrong, or
 * slower than what a new run would find. */
#ifndef CUTUNE_COMMANDS_STALE_H
#define CUTUNE_COMMANDS_STALE_H

#include "base/option.h"
#include "db/database.h"

/* The option row of every command that asks: --space, into a struct option_list. */
#define STALE_SPACE_OPTION(structure, member)                                                                          \
    {                                                                                                                  \
        .name = "space", .argument = "FILE", .type = OPTION_LIST, .offset = offsetof(structure, member),               \
        .help =                                                                                                        \
            "space that rows were tuned from, to tell stale ones; without it, the template named like the kernel; "    \
            "may be repeated"                                                                                          \
    }

enum stale {
    STALE_UNKNOWN, /* no space of that kernel was found, or the row does not say what it was tuned from */
    STALE_NO,
    STALE_SOURCE, /* the kernel's source, or a file that it includes, is another now */
    STALE_SPACE   /* the .space file, or one that it includes, is */
};

/* "", "current", "stale" */
const char *stale_name(enum stale stale);

struct stale_check;
/* Parses the spaces that are given: their errors are reported. Those of other kernels are looked for when a row asks,
 * by find_space with the kernel's name, when `look` is true; there, a file that is no space of that kernel means
 * STALE_UNKNOWN. A build does not look: a kernel of one's own may have the name of a template. */
int stale_open(struct stale_check **check, const struct option_list *spaces, bool look, struct error *error);
/* The files of the given spaces: the space itself and its kernel's source. They live as long as `check`. */
const char *const *stale_inputs(const struct stale_check *check, size_t *count);
/* ERROR_MEMORY or 0. */
int stale_row(struct stale_check *check, const struct best *best, enum stale *stale, struct error *error);
void stale_close(struct stale_check *check); /* may be NULL */

#endif
