/* Processes of a rank: the started one relays (mpi/relay.h); its child, forked before MPI_Init, tunes. */
#ifndef CUTUNE_MPI_RANKS_H
#define CUTUNE_MPI_RANKS_H

#include "base/error.h"
#include "commands/tune.h"
#include "mpi/meet.h"

/* Rank number from the launcher of this process; 0 also without one. */
int ranks_launched(void);

/* Forks, and returns in the child only; the parent relays, and ends with the rank's status. The child of rank 0 has its
 * parent's signals, and gets SIGTERM when the parent dies; others end with the parent. ERROR_USAGE, in the parent, if
 * Slurm has started several tasks and MPI knows of only one. */
int ranks_start(struct rank *rank, struct error *error);

/* For rank 0: makes the team; the caller closes its links by ranks_leave. Notes conditions that slow ranks down, unless
 * `quiet`. */
int ranks_team(const struct rank *rank, bool quiet, struct tune_team *team, struct error *error);
void ranks_leave(struct rank *rank, struct tune_team *team);

/* For other ranks: serves as an agent until rank 0 ends. `device` and `jobs` as in struct session_agent. */
int ranks_serve(struct rank *rank, const char *device, size_t jobs, struct error *error);

#endif
