/* cutune-mpi: one tuning run over the GPUs of many hosts. Rank 0 searches and keeps the results; all measure. */
#include <stdio.h>
#include <unistd.h>

#include "commands/mpi.h"
#include "mpi/ranks.h"
#include "terminal/program.h"

static int run(const void *given, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct mpi_values *values = given;
    struct rank rank = {0};
    struct tune_team team = {0};
    (void)arguments, (void)argument_count;
    int code = ranks_start(&rank, error);
    if (code)
        return code;
    if (rank.place.rank > 0)
        return ranks_serve(&rank, values->tune.session.device, (size_t)values->tune.session.jobs, error);
    code = ranks_team(&rank, values->tune.session.quiet, &team, error);
    team.silence_s = values->silence_s;
    if (!code)
        code = tune_run(&values->tune, &team, error);
    ranks_leave(&rank, &team);
    return code;
}

/* Only the first rank reports a wrong command line, or prints --help. The others end without a failure, which would
 * make mpirun end the first rank too early. */
static int dispatch(int argc, char **argv, struct error *error)
{
    const char *surplus;
    bool first = ranks_launched() == 0;
    struct command command;
    char name[] = "cutune-mpi";
    pid_t launched = getpid();
    int code = mpi_command(&command, error);
    command.name = name;
    command.run = run;
    argv[0] = name;
    if (!code && !first && !freopen("/dev/null", "w", stdout))
        code = ERROR_IO;
    if (!code)
        code = program_command(&command, "", argc, argv, &surplus, error);
    mpi_command_free(&command);
    if (!first && getpid() == launched)
        _exit(0);
    return code;
}

int main(int argc, char **argv)
{
    return program_main(dispatch, argc, argv);
}
