/* Measures how busy a coordinator keeps many devices, which are simulated by the times of a recorded journal (fleet.h):
 *
 *     bench_fleet JOURNAL [--devices N,...] [--rank N] [--ms N] [--seconds N] [--strategies NAME,...]
 *
 * --devices: in all (1,8,64,256,1024); --rank: of each process (8); --ms: a mean evaluation (20); --seconds: of each
 * run (5). A line per strategy and number of devices. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/bench/fleet.h"

static const char space[] = "space 2\nparam A = 1..32\nparam B = 1..32\nparam C = 1..32\nparam D = 1..32\n";

static void fail(const struct error *error)
{
    char text[4096];
    fputs(error_format(error, text, sizeof text), stderr);
    exit(error_exit_status(error->code));
}

static void usage(const char *what)
{
    fprintf(stderr,
            "bench_fleet: %s\nusage: bench_fleet JOURNAL [--devices N,...] [--rank N] [--ms N] [--seconds N] "
            "[--strategies NAME,...]\n",
            what);
    exit(2);
}

static size_t natural(const char *text)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (end == text || *end || value < 1 || value > 1000000)
        usage("a number is expected");
    return value;
}

static void run(const struct fleet_setup *given, const char *name, size_t devices)
{
    struct fleet_setup setup = *given;
    struct fleet_result result;
    struct error error = {0};
    struct strategy_choice choice = {0};
    char folder[] = "/tmp/cutune-fleet-XXXXXX", journal[64];
    if (!mkdtemp(folder))
        usage("no temporary folder");
    snprintf(journal, sizeof journal, "%s/journal.csv", folder);
    if (strategy_choose(&choice, name, &error))
        fail(&error);
    setup.strategy = choice.ops;
    setup.devices = devices;
    setup.journal = journal;
    if ((devices + setup.devices_of_a_rank - 1) / setup.devices_of_a_rank > FLEET_RANKS_MAX)
        usage("too many processes");
    int code = fleet_run(&setup, &result, &error);
    unlink(journal);
    rmdir(folder);
    strategy_choice_free(&choice);
    if (code)
        fail(&error);
    double seconds = (double)result.search_ns * 1e-9;
    printf("%-12s %5zu %9.0f %9.0f %6.1f %10.1f %6.0f\n", name, devices, (double)result.evaluated / seconds,
           (double)devices * 1e9 / (double)setup.evaluation_ns,
           100 * (double)result.measured_ns / ((double)result.search_ns * (double)devices),
           (double)result.coordinator_ns * 1e-3 / (double)result.evaluated,
           100 * (double)result.coordinator_ns / (double)result.search_ns);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    struct fleet_setup setup = {.space = space, .devices_of_a_rank = 8, .evaluation_ns = 20000000, .seed = 1};
    char devices[200] = "1,8,64,256,1024", names[200] = "random,surrogate";
    struct journal *journal = NULL;
    struct error error = {0};
    size_t seconds = 5;
    char *outer, *inner;
    if (argc < 2 || argc % 2)
        usage("a journal and options with values are expected");
    for (int i = 2; i < argc; i += 2)
        if (strcmp(argv[i], "--devices") == 0)
            snprintf(devices, sizeof devices, "%s", argv[i + 1]);
        else if (strcmp(argv[i], "--strategies") == 0)
            snprintf(names, sizeof names, "%s", argv[i + 1]);
        else if (strcmp(argv[i], "--rank") == 0)
            setup.devices_of_a_rank = natural(argv[i + 1]);
        else if (strcmp(argv[i], "--ms") == 0)
            setup.evaluation_ns = (int64_t)natural(argv[i + 1]) * 1000000;
        else if (strcmp(argv[i], "--seconds") == 0)
            seconds = natural(argv[i + 1]);
        else
            usage("unknown option");
    setup.max_time_ns = (int64_t)seconds * 1000000000;
    if (journal_read(&journal, argv[1], &error))
        fail(&error);
    setup.recorded = journal;
    printf("                             busy without  busy  us of the coordinator\n"
           "strategy   devices   a second      waits     %%  each      %% of a core\n");
    for (char *name = strtok_r(names, ",", &outer); name; name = strtok_r(NULL, ",", &outer)) {
        char list[sizeof devices];
        memcpy(list, devices, sizeof list);
        for (char *count = strtok_r(list, ",", &inner); count; count = strtok_r(NULL, ",", &inner))
            run(&setup, name, natural(count));
    }
    journal_close(journal, NULL);
    return 0;
}
