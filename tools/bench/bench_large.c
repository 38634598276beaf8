/* Measures strategies in large valid sets, on synthetic landscapes with a known optimum (synthetic.h):
 *
 *     bench_large quality [--instances N] [--seeds N] [--first N] [--in-flight N] [--processes N]
 *                         [STRATEGY[:OPTION=VALUE,...]...]
 *     bench_large cost [--in-flight N] [STRATEGY...]
 *
 * The first prints, by instance, the mean of optimum / best found after 50, 100, 200 and 400 evaluations, and the share
 * of runs within 2% of the optimum after 400. Option --in-flight is the number of simultaneous evaluations, which end
 * in any order (1).
 *
 * The second prints the processor time of a proposal and the memory of the strategy after 200, 2,000 and 10,000
 * evaluations, in sets of 10^4, 10^5 and 10^9. Exits with 1 if a second run with the same seed proposes another
 * sequence, within 2,000 evaluations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "base/random.h"
#include "search/search.h"
#include "tools/bench/share.h"
#include "tools/bench/synthetic.h"

enum { STRATEGIES_MAX = 16, BUDGETS = 4, SIZES = 3, IN_FLIGHT_MAX = 4096 };
static const size_t budgets[BUDGETS] = {50, 100, 200, 400};
static const size_t marks[SIZES] = {200, 2000, 10000}, repeated = 2000;

struct bench {
    bool cost;
    size_t instances, seeds, first, in_flight, processes, strategy_count;
    const char *strategies[STRATEGIES_MAX];
    float *reached; /* by instance, strategy, seed and budget; shared by all processes */
};

static void fail(const struct error *error)
{
    char text[4096];
    fputs(error_format(error, text, sizeof text), stderr);
    exit(error_exit_status(error->code));
}

static double cpu_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double peak_mib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

/* ---- One search ---- */

struct trial {
    const struct synthetic *synthetic;
    struct strategy_choice choice;
    struct search search;
    size_t done, most, in_flight; /* most: limit in flight */
    uint64_t flying[IN_FLIGHT_MAX];
    uint64_t sequence;            /* a digest of the first `repeated` proposals */
    double best, cost_s, worst_s; /* cost_s: total of all proposals; worst_s: of the slowest */
};

static void trial_open(struct trial *trial, const struct synthetic *synthetic, const char *strategy, uint64_t seed,
                       size_t in_flight)
{
    struct error error = {0};
    *trial = (struct trial){.synthetic = synthetic, .best = INFINITY, .most = in_flight};
    if (strategy_choose(&trial->choice, strategy, &error))
        fail(&error);
    const struct strategy_setup setup = {
        .space = synthetic->space, .set = synthetic->set, .seed = seed, .options = trial->choice.options};
    if (search_begin(&trial->search, trial->choice.ops, &setup, &error))
        fail(&error);
}

static void trial_close(struct trial *trial)
{
    search_end(&trial->search);
    strategy_choice_free(&trial->choice);
}

/* Asks for proposals until enough are in flight. */
static void trial_ask(struct trial *trial)
{
    struct error error = {0};
    size_t count = 1;
    while (trial->in_flight < trial->most && count) {
        uint64_t *config = &trial->flying[trial->in_flight];
        if (search_ask(&trial->search, trial->in_flight, trial->done > 0, config, 1, &count, &error))
            fail(&error);
        if (count && trial->done + trial->in_flight < repeated)
            trial->sequence = random_mix(trial->sequence, *config);
        trial->in_flight += count;
    }
}

/* Evaluates one configuration; false if none is left. */
static bool trial_step(struct trial *trial)
{
    double start_s = cpu_s();
    trial_ask(trial);
    if (trial->in_flight == 0)
        return false;
    uint64_t *ended = &trial->flying[random_mix(1, trial->done) % trial->in_flight];
    double time = synthetic_time(trial->synthetic, *ended);
    const struct cost cost = {.ok = !isnan(time), .value = time};
    search_tell(&trial->search, *ended, &cost);
    *ended = trial->flying[--trial->in_flight];
    double took_s = cpu_s() - start_s;
    trial->cost_s += took_s;
    trial->worst_s = took_s > trial->worst_s ? took_s : trial->worst_s;
    trial->best = time < trial->best ? time : trial->best;
    trial->done++;
    return true;
}

/* ---- Quality ---- */

static float *reached_by(const struct bench *bench, size_t instance, size_t strategy, size_t seed)
{
    return bench->reached + ((instance * bench->strategy_count + strategy) * bench->seeds + seed) * BUDGETS;
}

/* Runs seeds `process`, `process` + processes, ... of all instances and strategies. */
static void work(const void *context, size_t process)
{
    const struct bench *bench = context;
    size_t runs = 0;
    for (size_t i = 0; i < bench->instances; i++) {
        struct synthetic synthetic;
        struct error error = {0};
        if (synthetic_open(&synthetic, SYNTHETIC_BILLION, bench->first + i, &error))
            fail(&error);
        for (size_t s = 0; s < bench->strategy_count; s++)
            for (size_t seed = 0; seed < bench->seeds; seed++) {
                if (runs++ % bench->processes != process)
                    continue;
                struct trial trial;
                trial_open(&trial, &synthetic, bench->strategies[s], seed + 1, bench->in_flight);
                for (size_t b = 0; b < BUDGETS; b++) {
                    while (trial.done < budgets[b] && trial_step(&trial))
                        ;
                    reached_by(bench, i, s, seed)[b] = (float)(1 / trial.best);
                }
                trial_close(&trial);
            }
        synthetic_close(&synthetic);
    }
}

static void run_all(struct bench *bench)
{
    size_t bytes = bench->instances * bench->strategy_count * bench->seeds * BUDGETS * sizeof *bench->reached;
    bench->reached = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (bench->reached == MAP_FAILED) {
        fprintf(stderr, "bench_large: out of memory\n");
        exit(1);
    }
    if (!share(bench->processes, work, bench)) {
        fprintf(stderr, "bench_large: a process failed\n");
        exit(1);
    }
}

static void print_line(const struct bench *bench, const char *name, size_t strategy, size_t first, size_t end)
{
    size_t runs = (end - first) * bench->seeds, within = 0;
    double means[BUDGETS] = {0};
    for (size_t i = first; i < end; i++)
        for (size_t seed = 0; seed < bench->seeds; seed++) {
            const float *reached = reached_by(bench, i, strategy, seed);
            for (size_t b = 0; b < BUDGETS; b++)
                means[b] += (double)reached[b] / (double)runs;
            within += reached[BUDGETS - 1] >= 0.98f;
        }
    printf("%-9s %-40s", name, bench->strategies[strategy]);
    for (size_t b = 0; b < BUDGETS; b++)
        printf(" %8.4f", means[b]);
    printf(" %6zu of %zu\n", within, runs);
}

static void quality(struct bench *bench)
{
    printf("%-9s %-40s", "instance", "strategy");
    for (size_t b = 0; b < BUDGETS; b++)
        printf(" %8zu", budgets[b]);
    printf(" within 2%% after %zu\n", budgets[BUDGETS - 1]);
    run_all(bench);
    for (size_t i = 0; i <= bench->instances; i++)
        for (size_t s = 0; s < bench->strategy_count; s++) {
            char name[32];
            bool all = i == bench->instances;
            snprintf(name, sizeof name, "%zu", bench->first + i);
            print_line(bench, all ? "all" : name, s, all ? 0 : i, all ? i : i + 1);
        }
}

/* ---- Cost ---- */

/* True if another search with the same seed proposes the same sequence. */
static bool repeats(const struct trial *first, const char *strategy, uint64_t seed)
{
    struct trial trial;
    trial_open(&trial, first->synthetic, strategy, seed, first->most);
    while (trial.done < repeated && trial_step(&trial))
        ;
    bool same = trial.sequence == first->sequence;
    trial_close(&trial);
    return same;
}

/* Runs in a child process, whose peak memory is the strategy's. False if another run differs. */
static bool cost_of(const char *strategy, enum synthetic_size size, size_t in_flight)
{
    struct synthetic synthetic;
    struct trial trial;
    struct error error = {0};
    if (synthetic_open(&synthetic, size, 1, &error))
        fail(&error);
    double before_mib = peak_mib();
    trial_open(&trial, &synthetic, strategy, 1, in_flight);
    printf("%-30s %12llu", strategy, (unsigned long long)valid_set_count(synthetic.set));
    for (size_t m = 0; m < SIZES; m++) {
        while (trial.done < marks[m] / 2 && trial_step(&trial))
            ;
        size_t from = trial.done;
        trial.cost_s = trial.worst_s = 0;
        while (trial.done < marks[m] && trial_step(&trial))
            ;
        double count = (double)(trial.done - from);
        printf("  %7.3f %8.2f %7.1f", trial.cost_s / count * 1e3, trial.worst_s * 1e3, peak_mib() - before_mib);
        fflush(stdout);
    }
    bool same = repeats(&trial, strategy, 1);
    printf("  %s\n", same ? "same" : "DIFFERS");
    trial_close(&trial);
    synthetic_close(&synthetic);
    return same;
}

static void cost(const struct bench *bench)
{
    printf("%43s", "after evaluations:");
    for (size_t m = 0; m < SIZES; m++)
        printf("  %24zu", marks[m]);
    printf("\n%-30s %12s", "strategy", "valid");
    for (size_t m = 0; m < SIZES; m++)
        printf("  %7s %8s %7s", "mean ms", "most ms", "MiB");
    printf("  again\n");
    for (size_t s = 0; s < bench->strategy_count; s++)
        for (size_t size = 0; size < SIZES; size++) {
            int status;
            fflush(stdout);
            pid_t child = fork();
            if (child == 0) {
                bool same = cost_of(bench->strategies[s], (enum synthetic_size)size, bench->in_flight);
                fflush(stdout);
                _exit(!same);
            }
            if (child < 0 || waitpid(child, &status, 0) != child || status)
                exit(1);
        }
}

/* ---- The command line ---- */

static void usage(void)
{
    fprintf(stderr, "Usage: bench_large quality|cost [--instances N] [--seeds N] [--first N] [--in-flight N] "
                    "[--processes N] [STRATEGY[:OPTION=VALUE,...]...]\n");
    exit(2);
}

static size_t number_of(const char *text)
{
    char *end;
    unsigned long number = text ? strtoul(text, &end, 10) : 0;
    if (number == 0 || *end)
        usage();
    return number;
}

static void parse(struct bench *bench, char **arguments)
{
    const struct {
        const char *name;
        size_t *value;
    } options[] = {{"--instances", &bench->instances},
                   {"--seeds", &bench->seeds},
                   {"--first", &bench->first},
                   {"--in-flight", &bench->in_flight},
                   {"--processes", &bench->processes}};
    for (; *arguments; arguments++) {
        size_t o = 0;
        while (o < sizeof options / sizeof *options && strcmp(*arguments, options[o].name) != 0)
            o++;
        if (o < sizeof options / sizeof *options)
            *options[o].value = number_of(*++arguments);
        else if (**arguments == '-' || bench->strategy_count == STRATEGIES_MAX)
            usage();
        else
            bench->strategies[bench->strategy_count++] = *arguments;
    }
}

int main(int argc, char **argv)
{
    struct bench bench = {.instances = 5, .seeds = 10, .first = 1, .in_flight = 1, .processes = 1};
    if (argc < 2 || (strcmp(argv[1], "quality") != 0 && strcmp(argv[1], "cost") != 0))
        usage();
    bench.cost = argv[1][0] == 'c';
    parse(&bench, argv + 2);
    if (bench.in_flight > IN_FLIGHT_MAX)
        usage();
    if (!bench.strategy_count)
        bench.strategies[bench.strategy_count++] = "surrogate";
    if (bench.cost)
        cost(&bench);
    else
        quality(&bench);
    return 0;
}
