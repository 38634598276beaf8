/* The source line of an error of nvcc, whose front end quotes preprocessed text, or none. */
#ifndef CUTUNE_EVALUATE_COMPILER_SOURCE_H
#define CUTUNE_EVALUATE_COMPILER_SOURCE_H

#include "evaluate/compiler_errors.h"

/* Replaces the excerpt by the line of the file, and the column by that in it; without an excerpt, by that of the name
 * that the message quotes. Has no effect unless the space has `compiler nvcc`, or if the excerpt does not come from
 * that line. */
void compiler_source_restore(const struct space *space, struct compiler_error *found);

#endif
