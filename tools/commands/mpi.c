#include "commands/mpi.h"

#include <stdlib.h>
#include <string.h>

static const struct option_row silence = {
    .name = "silence",
    .argument = "T",
    .type = OPTION_TIME,
    .offset = offsetof(struct mpi_values, silence_s),
    .min = 1,
    .max = 1e6,
    .help = "leave out a rank that has not answered for T (default: 60 seconds, and 120 when it starts)"};

/* Rows that differ from cutune's options. */
static const struct {
    const char *name, *default_, *help;
} changes[] = {
    {"device", "all",
     "CUDA devices of each host, by number or UUID, separated by commas, or all: its ranks divide them; GPUs of one "
     "model share a run"},
    {"each", NULL, "is for the GPUs of one machine, and is refused here"},
    {"jobs", NULL,
     "compiler processes of each rank, by default one per usable core less one for each device; the ranks of a host "
     "divide its cores"},
};

static const struct command_example examples[] = {
    {"mpirun -n 8 --host node1:4,node2:4 --bind-to none cutune-mpi --space matmul",
     "tune with the GPUs of two hosts, by four ranks each"},
    {"srun --mpi=pmix --nodes=4 --ntasks-per-node=1 --gpus-per-node=8 cutune-mpi --space matmul --db "
     "\"$HOME/cutune.csv\"",
     "tune with 32 GPUs by Slurm, one rank for each host"},
};

extern const struct command command_tune;

int mpi_command(struct command *command, struct error *error)
{
    size_t count = command_tune.option_count;
    struct option_row *rows = malloc((count + 1) * sizeof *rows);
    *command = command_tune;
    command->name = "mpi";
    command->summary = "find the fastest configuration of a kernel with the GPUs of many hosts";
    command->description =
        "cutune-mpi is one tuning run over the GPUs of many hosts, or of many processes on one host. MPI starts its "
        "ranks and carries their messages, by mpirun or Slurm. Rank 0 searches, and keeps the journal and the "
        "database; all ranks compile and measure. Each rank answers for its share of the devices of its host.\n"
        "Install the program on each host, in the same version, for the same driver and CUDA version. Spaces, their "
        "sources and their input files travel from rank 0 to the others. Rank 0 names each rank that drops out, and "
        "why; the others evaluate its pending configurations. The exit status is that of rank 0.\n"
        "Files, environment and behaviour of a run are those of `cutune`(1).";
    command->examples = examples;
    command->example_count = sizeof examples / sizeof *examples;
    command->options = rows;
    command->option_count = count + 1;
    command->values_size = sizeof(struct mpi_values);
    command->run = NULL;
    if (!rows)
        return error_memory(error);
    memcpy(rows, command_tune.options, count * sizeof *rows);
    rows[count] = silence;
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < sizeof changes / sizeof *changes; c++)
            if (strcmp(rows[i].name, changes[c].name) == 0) {
                rows[i].default_ = changes[c].default_;
                rows[i].help = changes[c].help;
            }
    return 0;
}

void mpi_command_free(struct command *command)
{
    free((void *)command->options);
    *command = (struct command){0};
}
