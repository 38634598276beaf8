/* First messages between the two processes of a rank. Its relay (mpi/relay.h) knows the rank's place, and tells its
 * child, the coordinator or an agent, which talks to each other rank through a separate socket. */
#ifndef CUTUNE_MPI_MEET_H
#define CUTUNE_MPI_MEET_H

#include <stdbool.h>
#include <stdint.h>

enum { HOST_NAME_BYTES = 64 };

/* Place of a rank among the others. */
struct rank_place {
    int32_t rank, ranks;           /* among all */
    int32_t host_rank, host_ranks; /* among those on its host */
    int32_t core_sharers;          /* ranks of its host that may run on its cores, itself included */
    int32_t cores, host_cores;     /* usable by the rank; all of its host */
    int32_t own_devices;           /* not 0: the launcher of the host's ranks has divided the devices */
    char host[HOST_NAME_BYTES];
};

/* Connection to another rank. */
struct rank_link {
    struct rank_place place; /* place of the other rank */
    int socket;
};

/* The child's view of a rank: a link to each other rank for the coordinator (rank 0), else one, to rank 0. */
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
