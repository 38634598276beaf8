#include "mpi/ranks.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "mpi/relay.h"
#include "session/session_agent.h"
#include "terminal/output.h"

/* ---- The launcher of this process ---- */

/* Value of a numeric environment variable; 0: unset. */
static int number_of(const char *variable)
{
    const char *text = getenv(variable);
    return text ? (int)strtol(text, NULL, 10) : 0;
}

int ranks_launched(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (getenv(variables[i]))
            return number_of(variables[i]);
    return 0;
}

/* MPI would start each task as a run of its own, and all would write the same files. */
static int check_launch(struct error *error)
{
    int tasks = number_of("SLURM_STEP_NUM_TASKS");
    tasks = tasks ? tasks : number_of("SLURM_NTASKS");
    if (tasks < 2 || getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMIX_RANK"))
        return 0;
    error_set(error, ERROR_USAGE, "Slurm has %d tasks, of which MPI knows this one alone", tasks);
    error_hint(error, "start them with `srun --mpi=pmix cutune-mpi ...` or with `mpirun cutune-mpi ...`");
    return ERROR_USAGE;
}

/* ---- The two processes ---- */

static void be_child(int control, pid_t parent, struct rank *rank)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0); /* mpirun signals the parent's group, and kills it a second later */
    if (getppid() != parent || !meet_hear(control, rank))
        _exit(1);
    close(control);
    if (rank->place.rank == 0)
        prctl(PR_SET_PDEATHSIG, SIGTERM);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && rank->place.rank != 0; i++)
        signal(numbers[i], SIG_IGN);
    if (getppid() != parent)
        _exit(1);
}

int ranks_start(struct rank *rank, struct error *error)
{
    int ends[2], code = check_launch(error);
    pid_t parent = getpid();
    if (code)
        return code;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return error_errno(error, ERROR_WORKER, "cannot create a socket pair");
    pid_t child = fork();
    if (child < 0) {
        code = error_errno(error, ERROR_WORKER, "cannot start a process");
        close(ends[0]);
        close(ends[1]);
        return code;
    }
    close(ends[child == 0 ? 0 : 1]);
    if (child > 0)
        _exit(relay_run(ends[0], child));
    be_child(ends[1], parent, rank);
    return 0;
}

/* ---- Rank 0 ---- */

static void name_link(const struct rank_place *place, struct team_link *link)
{
    snprintf(link->name, sizeof link->name, "rank %d on %.50s", (int)place->rank, place->host);
}

static bool is_bound(const struct rank_place *place)
{
    return place->cores == 1 && place->host_cores > 1;
}

/* mpirun binds each of a few ranks to one core, where compilers wait for each other. */
static void note_bound(const struct rank *rank)
{
    int bound = is_bound(&rank->place);
    for (int i = 0; i < rank->link_count; i++)
        bound += is_bound(&rank->links[i].place);
    if (bound)
        output_note("%d of %d ranks may use one core only, which slows compiling down: start them with --bind-to none",
                    bound, (int)rank->place.ranks);
}

static struct device_share device_share(const struct rank_place *place)
{
    bool alone = place->own_devices || place->host_ranks < 2;
    return alone ? (struct device_share){0}
                 : (struct device_share){.number = (size_t)place->host_rank, .sharers = (size_t)place->host_ranks};
}

int ranks_team(const struct rank *rank, bool quiet, struct tune_team *team, struct error *error)
{
    *team = (struct tune_team){.links = calloc((size_t)rank->link_count + 1, sizeof *team->links),
                               .link_count = (size_t)rank->link_count,
                               .device_share = device_share(&rank->place),
                               .core_sharers = (size_t)rank->place.core_sharers};
    if (!team->links)
        return error_memory(error);
    for (int i = 0; i < rank->link_count; i++) {
        team->links[i].channel = channel_open(rank->links[i].socket);
        name_link(&rank->links[i].place, &team->links[i]);
    }
    if (!quiet)
        note_bound(rank);
    return 0;
}

void ranks_leave(struct rank *rank, struct tune_team *team)
{
    for (size_t i = 0; team->links && i < team->link_count; i++)
        if (team->links[i].state != LINK_LOST)
            channel_close(&team->links[i].channel);
    free(team->links);
    free(rank->links);
    rank->links = NULL;
}

/* ---- Other ranks ---- */

int ranks_serve(struct rank *rank, const char *device, size_t jobs, struct error *error)
{
    const struct session_agent agent = {.device = device,
                                        .device_share = device_share(&rank->place),
                                        .jobs = jobs,
                                        .core_sharers = (size_t)rank->place.core_sharers};
    int code = session_serve(rank->links[0].socket, &agent, error);
    free(rank->links);
    rank->links = NULL;
    return code;
}
