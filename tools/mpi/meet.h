/* How the two processes of a rank meet. Its relay (mpi/relay.h) knows where the rank is among the others, and tells its
 * child, the coordinator or an agent, which talks to each other rank through a socket of its own. */
#ifndef CUTUNE_MPI_MEET_H
#define CUTUNE_MPI_MEET_H

#include <stdbool.h>
#include <stdint.h>

enum { HOST_NAME_BYTES = 64 };

/* Where a rank is among the others. */
struct rank_place {
    int32_t rank, ranks;           /* of all */
    int32_t host_rank, host_ranks; /* of those on its host */
    int32_t core_sharers;          /* ranks of its host that may run on its cores, itself included */
    int32_t cores, host_cores;     /* on which it may run; all of its host */
    int32_t own_devices;           /* not 0: whoever started the ranks of the host has divided its devices */
    char host[HOST_NAME_BYTES];
};

/* The way to another rank. */
struct rank_link {
    struct rank_place place; /* of the other */
    int socket;
};

/* A rank as its child knows it: a link to each other rank for the coordinator (rank 0), else one, to rank 0. */
struct rank {
    struct rank_place place;
    struct rank_link *links;
    int link_count;
};

/* The relay's side: `places` are the others', in the order of links. Fills `sockets` with the relay's ends, which do
 * not block. False: no more sockets. A child that has ended is no error: its sockets are at their end. */
bool meet_tell(int control, const struct rank_place *own, const struct rank_place *places, int count, int *sockets);

/* The child's side. False when the relay has ended. The caller frees `links`. */
bool meet_hear(int control, struct rank *rank);

#endif
