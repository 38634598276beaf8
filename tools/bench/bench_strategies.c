/* Measures each strategy on recorded landscapes: bench_strategies JOURNAL... [--budgets N,N,...] [--seeds N] [--first
 * N] [--strategies NAME[:OPTION=VALUE,...]...] [--batch N] [--longest N] [--jobs N] [--csv FILE] [--each].
 *
 * A journal's rows are the whole set. A failed configuration counts as an evaluation. Prints for each strategy: mean
 * and stddev of optimum / best found after each budget, the share of runs within 1% and 5% of the optimum, the score of
 * Willemsen et al., "A methodology for comparing optimization algorithms for auto-tuning" (2024), and the cost of a
 * proposal. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/statistics.h"
#include "search/strategy.h"
#include "tools/bench/landscape.h"

enum { LIST_MAX = 64, BUDGETS_MAX = 16, SCORE_POINTS = 50 };

struct bench {
    size_t landscape_count, strategy_count, budget_count, seeds, first, batch, longest, jobs, evaluations;
    struct landscape *landscapes[LIST_MAX];
    const char *strategies[LIST_MAX];
    size_t budgets[BUDGETS_MAX];
    const char *csv;
    bool each;
    /* Shared by all processes. By landscape, strategy and seed: the best time after each evaluation (NaN: nothing has
     * worked), its moment, and the cost of the proposals. */
    float *best_ns, *at_s;
    double *cost_s;
};

static size_t run_of(const struct bench *bench, size_t landscape, size_t strategy, size_t seed)
{
    return (landscape * bench->strategy_count + strategy) * bench->seeds + seed;
}

static void fail(const struct error *error)
{
    char text[4096];
    fputs(error_format(error, text, sizeof text), stderr);
    exit(error_exit_status(error->code));
}

/* ---- Running ---- */

static double cpu_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void run(const struct bench *bench, size_t l, size_t s, size_t seed)
{
    const struct landscape *landscape = bench->landscapes[l];
    struct error error = {0};
    struct strategy_choice choice = {0};
    uint64_t configs[LIST_MAX];
    size_t number = run_of(bench, l, s, seed), done = 0, count, most = bench->evaluations;
    float *best_ns = bench->best_ns + number * most, *at_s = bench->at_s + number * most, best = NAN;
    double now_s = 0, start_s;
    if (most > landscape->count)
        most = landscape->count;
    if (strategy_choose(&choice, bench->strategies[s], landscape->count, most, &error))
        fail(&error);
    struct strategy_setup setup = {.space = landscape->space,
                                   .set = landscape->set,
                                   .compiler_metrics = landscape->compiler_metrics,
                                   .seed = bench->first + seed,
                                   .options = choice.options};
    void *state = calloc(1, choice.ops->state_size);
    start_s = cpu_s();
    if (!state || choice.ops->start(state, &setup, &error))
        fail(&error);
    while (done < most) {
        size_t room = most - done < bench->batch ? most - done : bench->batch;
        if (choice.ops->ask(state, configs, room, &count, &error))
            fail(&error);
        if (count == 0)
            break;
        for (size_t i = 0; i < count; i++) {
            double time_ns = landscape->time_ns[configs[i]];
            struct cost cost = {.ok = !isnan(time_ns), .value = time_ns};
            best = cost.ok && !(best <= time_ns) ? (float)time_ns : best;
            now_s += landscape->cost_s[configs[i]];
            best_ns[done] = best;
            at_s[done++] = (float)now_s;
            if (choice.ops->tell)
                choice.ops->tell(state, configs[i], &cost);
        }
    }
    bench->cost_s[number] = (cpu_s() - start_s) / (double)(done ? done : 1);
    for (; done < bench->evaluations; done++) {
        best_ns[done] = best;
        at_s[done] = (float)now_s;
    }
    if (choice.ops->stop)
        choice.ops->stop(state);
    free(state);
    strategy_choice_free(&choice);
}

/* Runs job numbers `job`, `job` + jobs, ... */
static void work(const struct bench *bench, size_t job)
{
    size_t runs = bench->landscape_count * bench->strategy_count * bench->seeds;
    for (size_t i = job; i < runs; i += bench->jobs)
        run(bench, i / bench->seeds / bench->strategy_count, i / bench->seeds % bench->strategy_count,
            i % bench->seeds);
}

static void *shared(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        fprintf(stderr, "bench_strategies: out of memory\n");
        exit(1);
    }
    return memory;
}

static void run_all(struct bench *bench)
{
    size_t runs = bench->landscape_count * bench->strategy_count * bench->seeds;
    int failed = 0, status;
    bench->best_ns = shared(runs * bench->evaluations * sizeof *bench->best_ns);
    bench->at_s = shared(runs * bench->evaluations * sizeof *bench->at_s);
    bench->cost_s = shared(runs * sizeof *bench->cost_s);
    for (size_t j = 1; j < bench->jobs; j++) {
        pid_t child = fork();
        if (child == 0) {
            work(bench, j);
            _exit(0);
        }
        failed |= child < 0;
    }
    work(bench, 0);
    while (wait(&status) > 0)
        failed |= status != 0;
    if (failed) {
        fprintf(stderr, "bench_strategies: a worker failed\n");
        exit(1);
    }
}

/* ---- Results ---- */

struct figures {
    double mean, stddev, within_1, within_5;
};

static double fraction(const struct bench *bench, size_t l, size_t s, size_t seed, size_t budget)
{
    size_t last = budget < bench->landscapes[l]->count ? budget : bench->landscapes[l]->count;
    double best = bench->best_ns[run_of(bench, l, s, seed) * bench->evaluations + last - 1];
    return isnan(best) ? 0 : fmin(bench->landscapes[l]->optimum_ns / best, 1);
}

/* Covers the runs on landscapes `from` .. `to` - 1; the stddev is that within a landscape, averaged. */
static struct figures summarise(const struct bench *bench, size_t from, size_t to, size_t s, size_t budget)
{
    struct figures figures = {0};
    double *values = malloc(bench->seeds * sizeof *values), landscapes = (double)(to - from);
    for (size_t l = from; l < to && values; l++) {
        for (size_t i = 0; i < bench->seeds; i++) {
            values[i] = fraction(bench, l, s, i, budget);
            figures.within_1 += (values[i] >= 1 / 1.01) / landscapes / (double)bench->seeds;
            figures.within_5 += (values[i] >= 1 / 1.05) / landscapes / (double)bench->seeds;
        }
        figures.mean += statistics_mean(values, bench->seeds) / landscapes;
        figures.stddev += statistics_stddev(values, bench->seeds) / landscapes;
    }
    free(values);
    return figures;
}

/* Mean over the seeds of the best time at a moment; until something has worked, the worst time. */
static double curve_ns(const struct bench *bench, size_t l, size_t s, double moment_s)
{
    double sum = 0;
    for (size_t i = 0; i < bench->seeds; i++) {
        size_t at = run_of(bench, l, s, i) * bench->evaluations, low = 0, high = bench->evaluations;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (bench->at_s[at + middle] <= moment_s)
                low = middle + 1;
            else
                high = middle;
        }
        double best = low ? bench->best_ns[at + low - 1] : NAN;
        sum += isnan(best) ? bench->landscapes[l]->worst_ns : best;
    }
    return sum / (double)bench->seeds;
}

static double score(const struct bench *bench, size_t l, size_t s)
{
    const struct landscape *landscape = bench->landscapes[l];
    double most = fmin(landscape->random_evaluations, (double)bench->evaluations), sum = 0;
    for (int point = 1; point <= SCORE_POINTS; point++) {
        double evaluations = fmax(most * point / SCORE_POINTS, 1);
        double random_ns = landscape_random_ns(landscape, evaluations);
        double found_ns = curve_ns(bench, l, s, evaluations * landscape->mean_cost_s);
        sum += (random_ns - found_ns) / fmax(random_ns - landscape->optimum_ns, 1e-9 * random_ns);
    }
    return sum / SCORE_POINTS;
}

static double mean_score(const struct bench *bench, size_t from, size_t to, size_t s)
{
    double sum = 0;
    for (size_t l = from; l < to; l++)
        sum += score(bench, l, s);
    return sum / (double)(to - from);
}

static double proposal_us(const struct bench *bench, size_t from, size_t to, size_t s)
{
    double sum = 0;
    for (size_t l = from; l < to; l++)
        for (size_t i = 0; i < bench->seeds; i++)
            sum += bench->cost_s[run_of(bench, l, s, i)];
    return sum / (double)((to - from) * bench->seeds) * 1e6;
}

static void print_table(const struct bench *bench, const char *title, size_t from, size_t to)
{
    printf("\n%s\n%-32s", title, "strategy");
    for (size_t b = 0; b < bench->budget_count; b++)
        printf("  %5zu   +-    1%%   5%%", bench->budgets[b]);
    printf("   score  us/proposal\n");
    for (size_t s = 0; s < bench->strategy_count; s++) {
        printf("%-32s", bench->strategies[s]);
        for (size_t b = 0; b < bench->budget_count; b++) {
            struct figures figures = summarise(bench, from, to, s, bench->budgets[b]);
            printf("  %.4f %.3f %3.0f%% %3.0f%%", figures.mean, figures.stddev, 100 * figures.within_1,
                   100 * figures.within_5);
        }
        printf("  %6.3f %8.1f\n", mean_score(bench, from, to, s), proposal_us(bench, from, to, s));
    }
}

static void print_csv(const struct bench *bench)
{
    FILE *file = fopen(bench->csv, "w");
    if (!file) {
        perror(bench->csv);
        exit(1);
    }
    fprintf(file, "landscape,strategy,budget,seeds,mean_fraction,sd,sem,share_within_1pct,share_within_5pct,score,"
                  "us_per_proposal\n");
    for (size_t l = 0; l < bench->landscape_count; l++)
        for (size_t s = 0; s < bench->strategy_count; s++)
            for (size_t b = 0; b < bench->budget_count; b++) {
                struct figures figures = summarise(bench, l, l + 1, s, bench->budgets[b]);
                fprintf(file, "%s,\"%s\",%zu,%zu,%.5f,%.5f,%.5f,%.4f,%.4f,%.4f,%.1f\n", bench->landscapes[l]->name,
                        bench->strategies[s], bench->budgets[b], bench->seeds, figures.mean, figures.stddev,
                        figures.stddev / sqrt((double)bench->seeds), figures.within_1, figures.within_5,
                        score(bench, l, s), proposal_us(bench, l, l + 1, s));
            }
    if (fclose(file)) {
        perror(bench->csv);
        exit(1);
    }
}

/* ---- The command line ---- */

static void usage(const char *why)
{
    fprintf(stderr,
            "bench_strategies: %s\nusage: bench_strategies JOURNAL... [--budgets N,N,...] [--seeds N] [--first N] "
            "[--strategies NAME[:OPTION=VALUE,...]...] [--batch N] [--longest N] [--jobs N] [--csv FILE] [--each]\n",
            why);
    exit(2);
}

static size_t natural(const char *text, size_t most)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    if (end == text || *end || number == 0 || number > most)
        usage("a number is missing or out of range");
    return number;
}

static void read_budgets(struct bench *bench, char *text)
{
    char *rest;
    bench->budget_count = 0;
    for (char *item = strtok_r(text, ",", &rest); item; item = strtok_r(NULL, ",", &rest)) {
        if (bench->budget_count == BUDGETS_MAX)
            usage("too many budgets");
        bench->budgets[bench->budget_count++] = natural(item, 1000000);
    }
}

static int read_line(struct bench *bench, int argc, char **argv, char **journals)
{
    static const struct {
        const char *name;
        size_t offset, most;
    } numbers[] = {{"--seeds", offsetof(struct bench, seeds), 10000},
                   {"--first", offsetof(struct bench, first), 1000000},
                   {"--batch", offsetof(struct bench, batch), LIST_MAX},
                   {"--longest", offsetof(struct bench, longest), 1000000},
                   {"--jobs", offsetof(struct bench, jobs), 1024}};
    int count = 0;
    bool naming = false;
    for (int i = 1; i < argc; i++) {
        size_t n = 0;
        if (argv[i][0] != '-') {
            if ((naming ? (int)bench->strategy_count : count) == LIST_MAX)
                usage("too many journals or strategies");
            if (naming)
                bench->strategies[bench->strategy_count++] = argv[i];
            else
                journals[count++] = argv[i];
            continue;
        }
        naming = strcmp(argv[i], "--strategies") == 0;
        bench->each |= strcmp(argv[i], "--each") == 0;
        if (naming || strcmp(argv[i], "--each") == 0)
            continue;
        if (i + 1 == argc)
            usage("an option lacks its value");
        while (n < sizeof numbers / sizeof *numbers && strcmp(argv[i], numbers[n].name) != 0)
            n++;
        if (n < sizeof numbers / sizeof *numbers)
            *(size_t *)((char *)bench + numbers[n].offset) = natural(argv[i + 1], numbers[n].most);
        else if (strcmp(argv[i], "--budgets") == 0)
            read_budgets(bench, argv[i + 1]);
        else if (strcmp(argv[i], "--csv") == 0)
            bench->csv = argv[i + 1];
        else
            usage("unknown option");
        i++;
    }
    if (count == 0)
        usage("no journal");
    return count;
}

/* Plans as many evaluations as the largest budget and the longest score need. */
static void plan(struct bench *bench)
{
    for (size_t b = 0; b < bench->budget_count; b++)
        if (bench->evaluations < bench->budgets[b])
            bench->evaluations = bench->budgets[b];
    for (size_t l = 0; l < bench->landscape_count; l++) {
        double wanted = fmin(ceil(bench->landscapes[l]->random_evaluations), (double)bench->longest);
        if ((double)bench->evaluations < wanted)
            bench->evaluations = (size_t)wanted;
    }
    for (size_t s = 0; s < strategy_count && bench->strategy_count <= s; s++)
        bench->strategies[bench->strategy_count++] = strategies[s]->name;
}

int main(int argc, char **argv)
{
    static struct bench bench = {.budget_count = 4,
                                 .budgets = {25, 50, 100, 200},
                                 .seeds = 20,
                                 .first = 1,
                                 .batch = 1,
                                 .longest = 200,
                                 .jobs = 1};
    static char *journals[LIST_MAX];
    struct error error = {0};
    int count = read_line(&bench, argc, argv, journals);
    for (int i = 0; i < count; i++)
        if (landscape_open(&bench.landscapes[bench.landscape_count++], journals[i], &error))
            fail(&error);
    plan(&bench);
    run_all(&bench);
    for (size_t l = 0; l < bench.landscape_count; l++) {
        const struct landscape *landscape = bench.landscapes[l];
        if (bench.each)
            print_table(&bench, landscape->name, l, l + 1);
        else
            printf("%-40s %6zu configurations, random search needs %.0f evaluations to the target\n", landscape->name,
                   landscape->count, landscape->random_evaluations);
    }
    print_table(&bench, "all landscapes", 0, bench.landscape_count);
    if (bench.csv)
        print_csv(&bench);
    for (size_t l = 0; l < bench.landscape_count; l++)
        landscape_close(bench.landscapes[l]);
    return 0;
}
