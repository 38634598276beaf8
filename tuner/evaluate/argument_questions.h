/* Asks the compiler for the types of a kernel's parameters: assertions behind the source that fail, so that its log
 * names them. The parameters are known even if the source has other errors, such as macros without a definition. */
#ifndef CUTUNE_EVALUATE_ARGUMENT_QUESTIONS_H
#define CUTUNE_EVALUATE_ARGUMENT_QUESTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "space/space.h"

#define ARGUMENT_QUESTIONS_PATH "the questions behind the source" /* names their lines in a log */

/* Call it once, behind the source. `nvcc`: it compiles the source, and has none of cutune's headers. */
void argument_questions_begin(bool nvcc, struct text *source);
/* Asks for all parameters of a kernel, a name expression: answer i is parameter i. */
void argument_questions_types(const char *kernel, struct text *source);

enum { ARGUMENT_ANSWER_BYTES = 200 };
struct argument_answer {
    size_t number;
    char type[ARGUMENT_ANSWER_BYTES];   /* in the compiler's notation */
    const struct element_type *element; /* of a value, or of a pointer's target; NULL: no number */
    bool points, constant;              /* a pointer; to const */
    size_t bytes;
};
/* Finds the next answer in a compiler's log and moves *log behind it; false: no more. */
bool argument_questions_next(const char **log, struct argument_answer *answer);

#endif
