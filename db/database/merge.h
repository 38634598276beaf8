/* Merges databases of several machines into one. */
#ifndef CUTUNE_DATABASE_MERGE_H
#define CUTUNE_DATABASE_MERGE_H

#include "database/database.h"

/* Keeps one row per key by the rule of database/rule.h, with the same bytes for any order of the files. A row that
 * loses to a different one is reported with the winner and the reason. */
struct merge_conflict {
    const struct best *kept, *dropped;
    const char *kept_path, *dropped_path;
    int kept_line, dropped_line;
    const char *reason; /* "newer NVRTC" */
};
typedef void merge_observe(void *context, const struct merge_conflict *conflict);

/* Appends the merged database: cutune's columns first, then the others by name; rows by key. `observe` may be NULL. */
int database_merge(const struct database *const *databases, size_t count, struct text *out, merge_observe *observe,
                   void *context, struct error *error);

#endif
