/* Finds what keeps values of the space from its sources: macros of the space that a source defines anew, and sizes that
 * only the space knows while a source has a constant of the same name. */
#ifndef CUTUNE_SPACE_REDEFINED_H
#define CUTUNE_SPACE_REDEFINED_H

#include "base/text_set.h"
#include "space/private.h"

struct redefined {
    const struct space *space;
    struct text_set included; /* files that the sources read so far include surely, by the name in the directive */
    struct arena names;       /* owns these names */
};

/* Checks a source, or a file that it includes. ERROR_DATA, at the line, for the first
 * - `#define` of a parameter or of a `define` statement's name that is surely compiled, unless `reference`: the
 *   reference's own file may have values of its own;
 * - constant (a `#define`, or a `const`, `constexpr` or enumerator at file scope or in a kernel) that is surely
 *   compiled and named like a problem size or named expression that no `define` statement makes a macro.
 * Conditions count as far as code_walk knows them. A file that is not surely included is right. */
int redefined_check(struct redefined *redefined, const char *name, const struct source_text *source, bool reference,
                    struct error *error);
void redefined_free(struct redefined *redefined);

#endif
