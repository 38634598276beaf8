/* The parts of a reference that need no GPU, for `cutune check --reference`: a command, and files of expected
 * results. */
#ifndef CUTUNE_COMMANDS_CHECK_REFERENCE_H
#define CUTUNE_COMMANDS_CHECK_REFERENCE_H

#include "space/space.h"

/* Gets an output, its elements as "float[1000]" or "float32[500,2]", and the command or the file. */
typedef void check_reference_take(void *context, const char *output, const char *elements, const char *from);

/* Runs the command with the default configuration, as a run does, and checks type, shape and size of its outputs, and
 * of the files of expected results. The command's inputs have their types and shapes; buffers that a kernel fills are
 * zeros, and random numbers are others than a run's. The space must be bound. ERROR_USAGE for a reference that is a
 * kernel or the default, without a file beside it; the errors of command_run and space_check_files. */
int check_reference(struct space *space, check_reference_take *take, void *context, struct error *error);

#endif
