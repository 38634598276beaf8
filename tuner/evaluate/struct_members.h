/* Compares the members of a value in a space with those that the compiler's debug information has for a kernel's
 * parameter or a variable. Machine code has only the size of the whole. */
#ifndef CUTUNE_EVALUATE_STRUCT_MEMBERS_H
#define CUTUNE_EVALUATE_STRUCT_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "compile/debug_info.h"
#include "space/space.h"

/* True unless a member is certainly misread; then `error` is ERROR_DATA with the argument's place and a hint. `what`
 * begins the message: "argument 1 of kernel 'k'". */
bool struct_members_agree(const struct space *space, const struct argument *argument,
                          const struct debug_member *members, size_t count, const char *what, struct error *error);

#endif
