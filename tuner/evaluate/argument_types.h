/* Compares the types of a kernel's parameters with the arguments of a launch. Machine code has only their sizes, so the
 * compiler compares the types: assertions appended to the source fail for a parameter that certainly misreads its
 * argument. */
#ifndef CUTUNE_EVALUATE_ARGUMENT_TYPES_H
#define CUTUNE_EVALUATE_ARGUMENT_TYPES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "space/space.h"

/* The arguments of a kernel in a space: those of a step, after those that cutune adds. */
struct typed_arguments {
    const struct step *step;
    const struct buffer *filled; /* buffer that the kernel fills; NULL: the kernel fills none */
    bool accepts;                /* the kernel accepts outputs */
    const char *path;            /* file of the kernel's source */
};

/* Appends the declarations of <cutune/arguments>, which nvcc does not have, and names the lines behind them in a log.
 */
void argument_types_include(bool nvcc, const char *name, struct text *source);

/* Appends the assertions of a kernel to its source; `number` identifies the kernel in the compiler's log. A wrong type
 * breaks the compilation. So does a missing or ambiguous kernel, or a language older than C++11; these are no findings.
 * Call argument_types_begin once for each source, before the first kernel. */
void argument_types_begin(bool nvcc, struct text *source);
void argument_types_append(const struct space *space, const struct typed_arguments *arguments, size_t number,
                           struct text *source);

enum { ARGUMENT_TYPE_BYTES = 200 };
struct type_finding {
    size_t number; /* of the kernel */
    bool counted;  /* the numbers of arguments and parameters differ */
    size_t argument;
    char parameter[ARGUMENT_TYPE_BYTES]; /* the parameter's type, or those of all parameters, in the compiler's
                                            notation */
};
/* Returns the space language's name of a C++ type; NULL: it has none. */
const char *argument_types_in_space(const char *type, size_t length);

/* Reads the text behind `name`, such as "cutune_bytes=", in the list of a template's arguments in a line, up to the
 * next argument. False: the line lacks it. */
bool argument_types_value(const char *line, size_t length, const char *name, char *value, size_t room);

/* Reads a number in the same way. False also for other text. */
bool argument_types_number(const char *line, size_t length, const char *name, size_t *number);

/* Finds the next failed assertion in a compiler's log and moves *log behind it; false: no more. */
bool argument_types_next(const char **log, struct type_finding *finding);

/* True if a compilation's first error is one of the assertions. */
bool argument_types_first(const char *message);

/* Describes the finding, with the argument's place in the space file and a hint. Returns ERROR_DATA. */
int argument_types_explain(const struct space *space, const struct typed_arguments *arguments,
                           const struct type_finding *finding, struct error *error);

#endif
