/* Kernel arguments: reading one behind `args`, and its value for a configuration. */
#ifndef CUTUNE_LANGUAGE_ARGUMENTS_H
#define CUTUNE_LANGUAGE_ARGUMENTS_H

#include "language/parser.h"

/* Reads an argument. */
int argument_parse(struct parser *parser, bool may_be_array, struct argument *argument);

/* Evaluates an argument into `result` and writes its bytes into the pool of the launch, whose scratch sizes are
 * known. */
int argument_evaluate(const struct argument *argument, const struct expr_inputs *inputs, bool reference,
                      struct launch *launch, struct launch_argument *result, struct error *error);

#endif
