/* Reads and checks the launches of a space: `launch` and the statements of a single launch. */
#ifndef CUTUNE_LANGUAGE_STEP_H
#define CUTUNE_LANGUAGE_STEP_H

#include "language/clauses.h"
#include "language/parser.h"

/* Reads a kernel's name expression: an identifier, a template instance, or a quoted string. */
int step_kernel_name(struct parser *parser, const char **name);

/* A statement's parser: of a `launch`, and of the single launch's parts. */
int parse_launch(struct parser *parser);
int parse_args(struct parser *parser);
int parse_block(struct parser *parser);
int parse_grid(struct parser *parser);
int parse_shared(struct parser *parser);
int parse_cluster(struct parser *parser);

/* True if the buffer, or a view of it, is an argument. */
bool step_passes(const struct space *space, const struct step *step, size_t buffer);

/* Clauses of `launch`; those of `accept` come first, then the others of `reference`. */
extern const struct clause step_clauses[];
enum { STEP_CLAUSES = 10, STEP_SEQUENCE_CLAUSES = 9, STEP_REFERENCE_CLAUSES = 6, STEP_MACROS_MAX = 16 };

/* True if the step has a macro of its own with that name; `step` NULL: false. */
bool step_has_macro(const struct step *step, const char *name);
/* True if one compilation serves both, because they have the same macros of their own. */
bool step_same_macros(const struct step *a, const struct step *b);

/* Completes the single launch and the reference and numbers the kernels, once all statements are read. Checks that
 * every output is passed and that no address in use elsewhere is swapped. */
int steps_check(struct parser *parser);

#endif
