/* Command line of cutune-mpi. Needs no MPI, so that its manual page is one of cutune's. */
#ifndef CUTUNE_COMMANDS_MPI_H
#define CUTUNE_COMMANDS_MPI_H

#include "commands/tune.h"
#include "terminal/command.h"

/* cutune's own options, and another. */
struct mpi_values {
    struct tune_values tune; /* first: the rows of the main command hold offsets in it */
    double silence_s;
};

/* Fills the command, named "mpi" like its page, without its function `run`; the values are a struct mpi_values. Close
 * it with mpi_command_free. The only error is ERROR_MEMORY. */
int mpi_command(struct command *command, struct error *error);
void mpi_command_free(struct command *command);

#endif
