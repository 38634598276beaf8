/* cutune-mpi: one tuning run over the GPUs of many hosts. Rank 0 searches and keeps the results; all measure. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi/ranks.h"
#include "terminal/program.h"

/* cutune's own options, and one more. */
struct mpi_values {
    struct tune_values tune; /* first: the rows of the main command hold offsets in it */
    double silence_s;
};

static const struct option_row silence = {
    .name = "silence",
    .argument = "S",
    .type = OPTION_REAL,
    .offset = offsetof(struct mpi_values, silence_s),
    .min = 1,
    .max = 1e6,
    .help = "leave out a rank that has not answered for S seconds (default: 60, and 120 when it starts)"};

/* What differs. */
static const struct {
    const char *name, *default_, *help;
} changes[] = {
    {"device", "all",
     "CUDA devices of each host, by number or UUID, separated by commas, or all: its ranks divide them; GPUs of one "
     "model share a run"},
    {"jobs", NULL,
     "compiler processes of each rank, by default one per usable core less one for each device; the ranks of a host "
     "divide its cores"},
};

extern const struct command command_tune;

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

static struct option_row *make_options(void)
{
    struct option_row *rows = malloc((command_tune.option_count + 1) * sizeof *rows);
    if (!rows)
        return NULL;
    memcpy(rows, command_tune.options, command_tune.option_count * sizeof *rows);
    rows[command_tune.option_count] = silence;
    for (size_t i = 0; i < command_tune.option_count; i++)
        for (size_t c = 0; c < sizeof changes / sizeof *changes; c++)
            if (strcmp(rows[i].name, changes[c].name) == 0) {
                rows[i].default_ = changes[c].default_;
                rows[i].help = changes[c].help;
            }
    return rows;
}

/* A wrong command line, or --help, is told once, by the first rank. The others end without a failure, which would make
 * mpirun end that one before it has told. */
static int dispatch(int argc, char **argv, struct error *error)
{
    struct option_row *options = make_options();
    const char *surplus;
    bool first = ranks_launched() == 0;
    struct command command = command_tune;
    char name[] = "cutune-mpi";
    pid_t launched = getpid();
    if (!options)
        return error_memory(error);
    command.name = name;
    command.summary = "find the fastest configuration of a kernel with the GPUs of many hosts";
    command.options = options;
    command.option_count++;
    command.values_size = sizeof(struct mpi_values);
    command.run = run;
    argv[0] = name;
    if (!first && !freopen("/dev/null", "w", stdout))
        return ERROR_IO;
    int code = program_command(&command, "", argc, argv, &surplus, error);
    free(options);
    if (!first && getpid() == launched)
        _exit(0);
    return code;
}

int main(int argc, char **argv)
{
    return program_main(dispatch, argc, argv);
}
