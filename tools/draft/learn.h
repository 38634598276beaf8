/* Learns a kernel from the compiler. */
#ifndef CUTUNE_DRAFT_LEARN_H
#define CUTUNE_DRAFT_LEARN_H

#include "draft/draft.h"

/* Fills the compiler's answers about the chosen kernel, and adds the macros that they name. */
int draft_ask_compiler(struct draft *draft, struct error *error);

/* Reports that the compiler does not find the kernel: it is overloaded, a template, or absent. Returns ERROR_DATA. */
int draft_not_found(struct draft *draft, struct error *error);

#endif
