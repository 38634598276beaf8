/* Parameters of a kernel that are classes. */
#ifndef CUTUNE_DRAFT_CLASSES_H
#define CUTUNE_DRAFT_CLASSES_H

#include "draft/draft.h"

/* Finds the members of each class by the text, and their types by the compiler. */
int classes_learn(struct draft *draft, const struct ask *ask, struct error *error);

/* The number of elements of a member that is a number or an array of numbers; 0: it is neither. */
size_t classes_numbers(const struct argument_answer *member);

#endif
