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
#include "search/strategy.h"
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

struct search {
    const struct synthetic *synthetic;
    struct strategy_choice choice;
    void *state;
    size_t done, most, in_flight; /* most: limit in flight */
    uint64_t flying[IN_FLIGHT_MAX];
    uint64_t sequence;            /* a digest of the first `repeated` proposals */
    double best, cost_s, worst_s; /* cost_s: total of all proposals; worst_s: of the slowest */
};

static void search_open(struct search *search, const struct synthetic *synthetic, const char *strategy, uint64_t seed,
                        size_t in_flight)
{
    struct error error = {0};
    *search = (struct search){.synthetic = synthetic, .best = INFINITY, .most = in_flight};
    if (strategy_choose(&search->choice, strategy, &error))
        fail(&error);
    const struct strategy_setup setup = {
        .space = synthetic->space, .set = synthetic->set, .seed = seed, .options = search->choice.options};
    search->state = calloc(1, search->choice.ops->state_size);
    if (!search->state || search->choice.ops->start(search->state, &setup, &error))
        fail(&error);
}

static void search_close(struct search *search)
{
    if (search->choice.ops->stop)
        search->choice.ops->stop(search->state);
    free(search->state);
    strategy_choice_free(&search->choice);
}

/* Asks for proposals until enough are in flight. */
static void search_ask(struct search *search)
{
    struct error error = {0};
    size_t count = 1;
    while (search->in_flight < search->most && count) {
        uint64_t *config = &search->flying[search->in_flight];
        if (search->choice.ops->ask(search->state, config, 1, &count, &error))
            fail(&error);
        if (count && search->done + search->in_flight < repeated)
            search->sequence = random_mix(search->sequence, *config);
        search->in_flight += count;
    }
}

/* Evaluates one configuration; false if none is left. */
static bool search_step(struct search *search)
{
    double start_s = cpu_s();
    search_ask(search);
    if (search->in_flight == 0)
        return false;
    uint64_t *ended = &search->flying[random_mix(1, search->done) % search->in_flight];
    double time = synthetic_time(search->synthetic, *ended);
    const struct cost cost = {.ok = !isnan(time), .value = time};
    if (search->choice.ops->tell)
        search->choice.ops->tell(search->state, *ended, &cost);
    *ended = search->flying[--search->in_flight];
    double took_s = cpu_s() - start_s;
    search->cost_s += took_s;
    search->worst_s = took_s > search->worst_s ? took_s : search->worst_s;
    search->best = time < search->best ? time : search->best;
    search->done++;
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
                struct search search;
                search_open(&search, &synthetic, bench->strategies[s], seed + 1, bench->in_flight);
                for (size_t b = 0; b < BUDGETS; b++) {
                    while (search.done < budgets[b] && search_step(&search))
                        ;
                    reached_by(bench, i, s, seed)[b] = (float)(1 / search.best);
                }
                search_close(&search);
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
static bool repeats(const struct search *first, const char *strategy, uint64_t seed)
{
    struct search search;
    search_open(&search, first->synthetic, strategy, seed, first->most);
    while (search.done < repeated && search_step(&search))
        ;
    bool same = search.sequence == first->sequence;
    search_close(&search);
    return same;
}

/* Runs in a child process, whose peak memory is the strategy's. False if another run differs. */
static bool cost_of(const char *strategy, enum synthetic_size size, size_t in_flight)
{
    struct synthetic synthetic;
    struct search search;
    struct error error = {0};
    if (synthetic_open(&synthetic, size, 1, &error))
        fail(&error);
    double before_mib = peak_mib();
    search_open(&search, &synthetic, strategy, 1, in_flight);
    printf("%-30s %12llu", strategy, (unsigned long long)valid_set_count(synthetic.set));
    for (size_t m = 0; m < SIZES; m++) {
        while (search.done < marks[m] / 2 && search_step(&search))
            ;
        size_t from = search.done;
        search.cost_s = search.worst_s = 0;
        while (search.done < marks[m] && search_step(&search))
            ;
        double count = (double)(search.done - from);
        printf("  %7.3f %8.2f %7.1f", search.cost_s / count * 1e3, search.worst_s * 1e3, peak_mib() - before_mib);
        fflush(stdout);
    }
    bool same = repeats(&search, strategy, 1);
    printf("  %s\n", same ? "same" : "DIFFERS");
    search_close(&search);
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
