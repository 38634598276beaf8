/* Parameters of a kernel that are classes. */
#ifndef CUTUNE_DRAFT_CLASSES_H
#define CUTUNE_DRAFT_CLASSES_H

#include "draft/draft.h"

/* Finds the members of each class by the text, and their types by the compiler. */
int classes_learn(struct draft *draft, const struct ask *ask, struct error *error);

/* The number type of a member, in the space language, and how many of them it has: more than one in an array. NULL: it
 * is no number. */
const char *classes_number(const struct member_answer *member, size_t *count);

#endif
