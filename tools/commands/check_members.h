/* check --compile: compares the members of structs, and the types of variables, with the debug information of a further
 * compilation. */
#ifndef CUTUNE_COMMANDS_CHECK_MEMBERS_H
#define CUTUNE_COMMANDS_CHECK_MEMBERS_H

#include "compile/pool.h"
#include "evaluate/argument_types.h"
#include "space/space.h"

/* The option of the compiler. */
#define CHECK_MEMBERS_OPTION "-G"

/* True if an argument of the step is a struct, or if a variable is set to a value. `step` NULL: only variables. */
bool check_members_wanted(const struct space *space, const struct step *step);

/* Called with each error, which has its place and hint. */
typedef void check_members_found(void *context, const struct error *error);

/* Compares the arguments of a kernel, by its number among those of the compilation. */
void check_members_of_kernel(const struct space *space, const struct typed_arguments *arguments,
                             const struct compile_result *result, size_t kernel, check_members_found *found,
                             void *context);
void check_members_of_variables(const struct space *space, const struct compile_result *result,
                                check_members_found *found, void *context);

#endif
