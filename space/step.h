/* Reading and checking the launches of a space: `launch` and the statements of a single launch. */
#ifndef CUTUNE_SPACE_STEP_H
#define CUTUNE_SPACE_STEP_H

#include "space/clauses.h"
#include "space/parser.h"

/* Reads a kernel's name expression: an identifier, a template instance, or a quoted string. */
int step_kernel_name(struct parser *parser, const char **name);

/* A statement's parser: of a `launch`, and of the single launch's parts. */
int parse_launch(struct parser *parser);
int parse_args(struct parser *parser);
int parse_block(struct parser *parser);
int parse_grid(struct parser *parser);
int parse_shared(struct parser *parser);
int parse_cluster(struct parser *parser);

/* Is the buffer an argument, or the buffer of a view that is one? */
bool step_passes(const struct space *space, const struct step *step, size_t buffer);

/* The clauses of `launch`; those of `reference` and `accept` come first. */
extern const struct clause step_clauses[];
enum { STEP_CLAUSES = 9, STEP_REFERENCE_CLAUSES = 6 };

/* After all statements were read: completes the single launch and the reference, numbers the kernels, and checks that
 * every output is passed and that no address in use elsewhere is swapped. */
int steps_check(struct parser *parser);

#endif
