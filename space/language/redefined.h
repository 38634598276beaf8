/* Rejects sources that lack values of the space: a source that redefines a macro of the space, or has a constant with
 * the name of a size that only the space knows. */
#ifndef CUTUNE_LANGUAGE_REDEFINED_H
#define CUTUNE_LANGUAGE_REDEFINED_H

#include "base/text_set.h"
#include "expression/space_internal.h"

struct redefined {
    const struct space *space;
    struct text_set included; /* files surely included by the sources read so far, by the name in the directive */
    struct arena names;       /* owns these names */
};

/* Checks a source or an included file. ERROR_DATA, at the line, for the first
 * - `#define` of a parameter or of a `define` statement's name that is surely compiled, unless `reference`: the
 * reference's own file may have its own values;
 * - surely compiled constant (a `#define`, or a `const`, `constexpr` or enumerator at file scope or in a kernel) with
 * the name of a problem size or named expression that no `define` statement makes a macro.
 * Considers conditions as far as code_walk knows them. Accepts a file that is not surely included. */
int redefined_check(struct redefined *redefined, const char *name, const struct source_text *source, bool reference,
                    struct error *error);
void redefined_free(struct redefined *redefined);

#endif
