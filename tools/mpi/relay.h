/* Relay of a rank: the only process of cutune that calls MPI. It passes bytes between the sockets of its child, which
 * was forked before MPI_Init and is the coordinator (rank 0) or an agent, and the relays of other ranks. It polls with
 * growing pauses, and does not interpret the bytes. */
#ifndef CUTUNE_MPI_RELAY_H
#define CUTUNE_MPI_RELAY_H

#include <sys/types.h>

/* Starts MPI, tells the child its place over `control` (mpi/meet.h), and relays until the child and all its
 * conversations have ended. SIGINT, SIGTERM and SIGHUP go to a coordinator; an agent ends when rank 0 does. An agent
 * that does not end is killed; ranks that do not end make this one abort the job. Returns the exit status of the rank:
 * the coordinator's, and 0 for an agent, so that MPI does not end the job of the others. */
int relay_run(int control, pid_t child);

#endif
