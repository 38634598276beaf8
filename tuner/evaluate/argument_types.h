/* Compares the types of a kernel's parameters with the arguments of a launch. Machine code has only their sizes, so the
 * compiler compares them: assertions that follow the source fail for a parameter that surely misreads its argument. */
#ifndef CUTUNE_EVALUATE_ARGUMENT_TYPES_H
#define CUTUNE_EVALUATE_ARGUMENT_TYPES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "space/space.h"

/* The arguments of a kernel in a space: those of a step, behind those that cutune adds. */
struct typed_arguments {
    const struct step *step;
    const struct buffer *filled; /* of a kernel that fills this buffer; NULL: another */
    bool accepts;                /* of the kernel that accepts outputs */
    const char *path;            /* of the source with the kernel */
};

/* Appends the assertions of one kernel to its source; `number` tells it from others in the compiler's log. A wrong type
 * breaks the compilation; so does a kernel that does not exist or is ambiguous, or a language older than C++11, which
 * is no finding. The first call for a source comes after `argument_types_begin`. */
void argument_types_begin(struct text *source);
void argument_types_append(const struct space *space, const struct typed_arguments *arguments, size_t number,
                           struct text *source);

enum { ARGUMENT_TYPE_BYTES = 200 };
struct type_finding {
    size_t number; /* of the kernel */
    bool counted;  /* the numbers of arguments and parameters differ */
    size_t argument;
    char parameter[ARGUMENT_TYPE_BYTES]; /* the parameter's type, or of all parameters, as the compiler writes them */
};
/* Finds the next failed assertion in a compiler's log and advances *log behind it; false: no more. */
bool argument_types_next(const char **log, struct type_finding *finding);

/* Is the first error of a compilation one of the assertions? */
bool argument_types_first(const char *message);

/* Describes the finding, with the argument's place in the space file and what to do. Returns ERROR_DATA. */
int argument_types_explain(const struct space *space, const struct typed_arguments *arguments,
                           const struct type_finding *finding, struct error *error);

#endif
