#include "mpi/relay.h"

#include <errno.h>
#include <mpi.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "mpi/meet.h"
#include "terminal/output.h"

/* An MPI message is a part of a stream; an empty message ends it. */
enum { PART_BYTES = 64 << 10, TAG = 1 };
/* Pauses grow from the first to the second while nothing arrives: a device measures for milliseconds at least. */
static const long pause_least_ns = 20000, pause_most_ns = 2000000;
/* An agent saves nothing, so that it may be killed soon. Its relay then needs a moment to report the end. */
enum { AGENT_GRACE_S = 2, RANKS_GRACE_S = 6 };
/* Shells use this status for a program that a signal ended. */
enum { STATUS_SIGNAL = 128 };

/* Connection between a socket of the child and another rank. */
struct stream {
    int socket, peer;
    bool sending; /* `out` is being sent */
    MPI_Request request;
    size_t in_length, in_written;
    bool out_ended, in_ended; /* out_ended: the end was sent; in_ended: the end has arrived */
    char *out, *in;           /* PART_BYTES each: towards the peer; towards the child */
};

struct relay {
    struct rank_place place;
    struct rank_place *all; /* by rank */
    pid_t child;            /* 0: ended, with `status` */
    int status;
    struct stream *streams;
    struct pollfd *polls; /* room for one per stream */
    int count;
    time_t ending; /* time since which the relay waits for the end; 0: it does not */
};

/* ---- The streams ---- */

static void end_out(struct stream *stream)
{
    stream->out_ended = true;
    MPI_Isend(stream->out, 0, MPI_BYTE, stream->peer, TAG, MPI_COMM_WORLD, &stream->request);
    stream->sending = true;
}

/* Passes on the child's output. True: something happened. */
static bool pass_out(struct stream *stream)
{
    int done = 1;
    if (stream->sending) {
        MPI_Test(&stream->request, &done, MPI_STATUS_IGNORE);
        stream->sending = !done;
    }
    if (!done || stream->out_ended)
        return false;
    ssize_t got = recv(stream->socket, stream->out, PART_BYTES, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (got <= 0) {
        end_out(stream);
        return true;
    }
    MPI_Isend(stream->out, (int)got, MPI_BYTE, stream->peer, TAG, MPI_COMM_WORLD, &stream->request);
    stream->sending = true;
    return true;
}

static bool take_in(struct stream *stream)
{
    int there = 0, length = 0;
    MPI_Status status;
    if (stream->in_ended || stream->in_length)
        return false;
    MPI_Iprobe(stream->peer, TAG, MPI_COMM_WORLD, &there, &status);
    if (!there)
        return false;
    MPI_Recv(stream->in, PART_BYTES, MPI_BYTE, stream->peer, TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &length);
    stream->in_length = (size_t)length;
    stream->in_written = 0;
    if (length == 0) {
        stream->in_ended = true;
        shutdown(stream->socket, SHUT_WR);
    }
    return true;
}

/* Passes on the peer's messages. Data for a child that has stopped reading is lost. */
static bool pass_in(struct stream *stream)
{
    bool busy = take_in(stream);
    if (!stream->in_length)
        return busy;
    ssize_t sent = send(stream->socket, stream->in + stream->in_written, stream->in_length - stream->in_written,
                        MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR))
        return busy;
    stream->in_written += sent < 0 ? stream->in_length - stream->in_written : (size_t)sent;
    if (stream->in_written == stream->in_length)
        stream->in_length = 0;
    return true;
}

static bool ended(const struct stream *stream)
{
    return stream->out_ended && stream->in_ended && !stream->sending;
}

/* Waits until the child writes, or for the pause. Earlier output of the child may still wait for MPI to send it. */
static void rest(struct relay *relay, struct timespec *pause)
{
    nfds_t count = 0;
    for (int i = 0; i < relay->count; i++)
        if (!relay->streams[i].sending && !relay->streams[i].out_ended)
            relay->polls[count++] = (struct pollfd){.fd = relay->streams[i].socket, .events = POLLIN};
    if (ppoll(relay->polls, count, pause, NULL) == 0 && pause->tv_nsec < pause_most_ns)
        pause->tv_nsec *= 2;
}

/* ---- The end ---- */

static bool child_ended(struct relay *relay)
{
    if (relay->child && waitpid(relay->child, &relay->status, WNOHANG) == relay->child)
        relay->child = 0;
    return relay->child == 0;
}

static int exit_status(const struct relay *relay)
{
    return WIFEXITED(relay->status) ? WEXITSTATUS(relay->status) : STATUS_SIGNAL + WTERMSIG(relay->status);
}

/* The job ends with the coordinator, even if another rank does not end. */
static void abort_job(const struct relay *relay, const struct rank_place *other)
{
    output_note("rank %d on %s does not end: ending the job", (int)other->rank, other->host);
    MPI_Abort(MPI_COMM_WORLD, exit_status(relay));
}

/* Speeds up an end that does not come by itself. `open`: a conversation that has not ended; NULL: none. */
static void hasten(struct relay *relay, const struct stream *open)
{
    bool coordinates = relay->place.rank == 0;
    time_t now = time(NULL);
    if (coordinates ? !child_ended(relay) : !relay->streams[0].in_ended)
        return;
    if (!relay->ending)
        relay->ending = now;
    if (!coordinates && relay->child && now - relay->ending >= AGENT_GRACE_S)
        kill(relay->child, SIGKILL);
    if (coordinates && open && now - relay->ending >= RANKS_GRACE_S)
        abort_job(relay, &relay->all[open->peer]);
}

static void pass_all(struct relay *relay)
{
    struct timespec pause = {.tv_nsec = pause_least_ns};
    for (bool more = true; more;) {
        bool busy = false;
        const struct stream *open = NULL;
        for (int i = 0; i < relay->count; i++) {
            struct stream *stream = &relay->streams[i];
            busy |= pass_out(stream);
            busy |= pass_in(stream);
            open = ended(stream) ? open : stream;
        }
        hasten(relay, open);
        more = open || !child_ended(relay);
        if (busy)
            pause.tv_nsec = pause_least_ns;
        else if (more)
            rest(relay, &pause);
    }
}

static volatile sig_atomic_t status_at_end; /* of the first rank */

/* Ends the first rank, so that the launcher ends the job. */
static void leave(int number)
{
    static const char text[] = "cutune: a rank does not end: ending the job\n";
    (void)number;
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    _exit(status_at_end);
}

/* A rank that was left out may freeze after it has entered the barrier. */
static void finalize(const struct relay *relay, int status)
{
    if (relay->place.rank == 0) {
        status_at_end = status;
        sigaction(SIGALRM, &(struct sigaction){.sa_handler = leave}, NULL);
        alarm(RANKS_GRACE_S);
    }
    MPI_Finalize();
    alarm(0);
}

/* MPI_Finalize waits for the other ranks, and spins, so that it begins when all have ended. */
static void await_ranks(struct relay *relay)
{
    MPI_Request request;
    int done = 0;
    relay->ending = time(NULL);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done; MPI_Test(&request, &done, MPI_STATUS_IGNORE)) {
        nanosleep(&(struct timespec){.tv_nsec = pause_most_ns}, NULL);
        if (relay->place.rank == 0 && time(NULL) - relay->ending >= RANKS_GRACE_S)
            abort_job(relay, &relay->all[relay->place.ranks - 1]);
    }
}

/* ---- The rank ---- */

static volatile sig_atomic_t signalled; /* process that receives this one's signals; 0: none */

static void forward(int number)
{
    if (signalled)
        kill((pid_t)signalled, number);
}

static void handle_signals(pid_t child)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    signalled = child;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction before, action = {.sa_handler = forward, .sa_flags = SA_RESTART};
        if (!sigaction(numbers[i], NULL, &before) && before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
}

/* Data that the ranks of a host compare. */
struct visible {
    cpu_set_t cores;
    char devices[256]; /* CUDA_VISIBLE_DEVICES */
};

static bool compare(struct rank_place *place, MPI_Comm host)
{
    const char *devices = getenv("CUDA_VISIBLE_DEVICES"), *each = getenv("SLURM_GPUS_PER_TASK");
    struct visible own, *all = calloc((size_t)place->host_ranks, sizeof *all);
    if (!all)
        return false;
    memset(&own, 0, sizeof own);
    snprintf(own.devices, sizeof own.devices, "%s", devices ? devices : "");
    if (sched_getaffinity(0, sizeof own.cores, &own.cores) != 0)
        memset(&own.cores, -1, sizeof own.cores); /* more processors than the mask has bits */
    MPI_Allgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, host);
    place->own_devices = each && *each;
    for (int i = 0; i < place->host_ranks; i++) {
        cpu_set_t both;
        CPU_AND(&both, &own.cores, &all[i].cores);
        place->core_sharers += CPU_COUNT(&both) > 0;
        place->own_devices |= strcmp(all[i].devices, own.devices) != 0;
    }
    place->cores = CPU_COUNT(&own.cores);
    place->host_cores = (int32_t)sysconf(_SC_NPROCESSORS_ONLN);
    free(all);
    return true;
}

static bool find_place(struct relay *relay)
{
    struct rank_place *place = &relay->place;
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    MPI_Comm host;
    int rank, ranks, host_rank, host_ranks, length;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &host_rank);
    MPI_Comm_size(host, &host_ranks);
    MPI_Get_processor_name(name, &length);
    *place = (struct rank_place){.rank = rank, .ranks = ranks, .host_rank = host_rank, .host_ranks = host_ranks};
    snprintf(place->host, sizeof place->host, "%.*s", HOST_NAME_BYTES - 1, name);
    bool compared = compare(place, host);
    MPI_Comm_free(&host);
    relay->all = calloc((size_t)ranks, sizeof *relay->all);
    if (compared && relay->all)
        MPI_Allgather(place, sizeof *place, MPI_BYTE, relay->all, sizeof *place, MPI_BYTE, MPI_COMM_WORLD);
    return compared && relay->all;
}

static bool open_streams(struct relay *relay, int control)
{
    bool coordinates = relay->place.rank == 0;
    int count = coordinates ? relay->place.ranks - 1 : 1;
    int *sockets = calloc((size_t)count + 1, sizeof *sockets);
    relay->streams = calloc((size_t)count + 1, sizeof *relay->streams);
    relay->polls = calloc((size_t)count + 1, sizeof *relay->polls);
    bool open = sockets && relay->streams && relay->polls &&
                meet_tell(control, &relay->place, coordinates ? relay->all + 1 : relay->all, count, sockets);
    for (; open && relay->count < count; relay->count++) {
        struct stream *stream = &relay->streams[relay->count];
        stream->socket = sockets[relay->count];
        stream->peer = coordinates ? relay->count + 1 : 0;
        stream->out = malloc(PART_BYTES);
        stream->in = malloc(PART_BYTES);
        open = stream->out && stream->in;
    }
    free(sockets);
    return open;
}

static void close_streams(struct relay *relay)
{
    for (int i = 0; i < relay->count; i++) {
        close(relay->streams[i].socket);
        free(relay->streams[i].out);
        free(relay->streams[i].in);
    }
    free(relay->streams);
    free(relay->polls);
    free(relay->all);
}

int relay_run(int control, pid_t child)
{
    struct relay relay = {.child = child};
    MPI_Init(NULL, NULL);
    if (!find_place(&relay) || !open_streams(&relay, control)) {
        output_note("rank %d on %s: out of memory or descriptors", (int)relay.place.rank, relay.place.host);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    handle_signals(relay.place.rank == 0 ? child : 0);
    pass_all(&relay);
    signalled = 0;
    int status = relay.place.rank == 0 ? exit_status(&relay) : 0;
    await_ranks(&relay);
    finalize(&relay, status);
    close_streams(&relay);
    return status;
}
