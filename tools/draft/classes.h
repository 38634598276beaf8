/* Parameters of a kernel that are classes. */
#ifndef CUTUNE_DRAFT_CLASSES_H
#define CUTUNE_DRAFT_CLASSES_H

#include "draft/draft.h"
#include "draft/writer.h"

/* Finds the members of each class, and of constants, by the compiler's debug information. The uses of the code are
 * known.
 */
int classes_learn(struct draft *draft, const struct ask *ask, struct error *error);

/* Writes a class as `struct { ... }`, and its numbers and buffers. `bytes`: its size; 0: unknown. False: a person has
 * to write it. */
bool classes_write(struct writer *writer, const struct draft_class *class, uint64_t bytes, const char *name,
                   struct text *text);
/* Writes the value of a constant that is a number or a class; false: it is something else. */
bool classes_write_constant(struct writer *writer, size_t number, struct text *text);

#endif
