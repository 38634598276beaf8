/* Measures each strategy on recorded landscapes: see usage() and tools/bench/strategies.
 *
 * A journal's rows are the whole set. A failed configuration counts as an evaluation. Prints for each strategy:
 * - mean and stddev of optimum / best found after each budget;
 * - the share of runs within 1% and 5% of the optimum;
 * - the simulated seconds until a run has reached 0.95 and until it has ended 100 evaluations;
 * - the score (tools/bench/score.h);
 * - the search's own processor time per evaluation. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/error.h"
#include "base/statistics.h"
#include "evaluate/rows.h"
#include "search/strategy.h"
#include "tools/bench/share.h"
#include "tools/bench/trace.h"

enum { LIST_MAX = 64, BUDGETS_MAX = 16, SECONDS_EVALUATIONS = 100 };
static const double seconds_fraction = 0.95;

struct bench {
    size_t landscape_count, strategy_count, budget_count, seeds, first, batch, longest, jobs, processes;
    struct landscape *landscapes[LIST_MAX];
    const char *strategies[LIST_MAX];
    size_t budgets[BUDGETS_MAX], greatest; /* the greatest budget */
    const char *csv;
    bool each, score;
    const char *learn_from; /* NULL: no prior runs */
    struct prior_runs {
        size_t count;
        struct prior_run landscapes[LIST_MAX]; /* prior runs: the other journals of the kernel */
        size_t first_count;
        uint64_t first[LIST_MAX]; /* their winners */
    } prior_runs[LIST_MAX];       /* by landscape */
    struct arena arena;
    struct trace *traces; /* by landscape, strategy and seed; shared by all processes, with their arrays */
};

static struct trace *trace_of(const struct bench *bench, size_t landscape, size_t strategy, size_t seed)
{
    return &bench->traces[(landscape * bench->strategy_count + strategy) * bench->seeds + seed];
}

static void fail(const struct error *error)
{
    char text[4096];
    fputs(error_format(error, text, sizeof text), stderr);
    exit(error_exit_status(error->code));
}

/* ---- Running ---- */

/* Evaluations that a run needs for the budgets, and its limit. */
static size_t least(const struct bench *bench, size_t l)
{
    size_t count = bench->landscapes[l]->count;
    return bench->greatest < count ? bench->greatest : count;
}

static size_t most(const struct bench *bench, size_t l)
{
    size_t count = bench->landscapes[l]->count, few = least(bench, l);
    if (!bench->score)
        return few;
    count = bench->longest < count ? bench->longest : count;
    return count < few ? few : count;
}

static void run(const struct bench *bench, size_t l, size_t s, size_t seed)
{
    const struct landscape *landscape = bench->landscapes[l];
    struct error error = {0};
    double start_s, end_s;
    score_range(&landscape->score, &start_s, &end_s);
    struct trace_setup setup = {.landscape = landscape,
                                .strategy = bench->strategies[s],
                                .seed = bench->first + seed,
                                .prior_runs = bench->prior_runs[l].landscapes,
                                .prior_run_count = bench->prior_runs[l].count,
                                .first = bench->prior_runs[l].first,
                                .first_count = bench->prior_runs[l].first_count,
                                .jobs = bench->jobs,
                                .batch = bench->batch,
                                .least = least(bench, l),
                                .least_s = bench->score ? 1.1 * end_s : 0,
                                .most = most(bench, l)};
    if (trace_run(&setup, trace_of(bench, l, s, seed), &error))
        fail(&error);
}

/* Runs numbers `process`, `process` + processes, ... */
static void work(const void *context, size_t process)
{
    const struct bench *bench = context;
    size_t runs = bench->landscape_count * bench->strategy_count * bench->seeds;
    for (size_t i = process; i < runs; i += bench->processes)
        run(bench, i / bench->seeds / bench->strategy_count, i / bench->seeds % bench->strategy_count,
            i % bench->seeds);
}

/* Shared memory that costs only its written pages. */
static void *shared(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        fprintf(stderr, "bench_strategies: out of memory\n");
        exit(1);
    }
    return memory;
}

static void make_room(struct bench *bench)
{
    size_t runs = bench->strategy_count * bench->seeds;
    bench->traces = shared(bench->landscape_count * runs * sizeof *bench->traces);
    for (size_t l = 0; l < bench->landscape_count; l++) {
        size_t room = most(bench, l);
        uint32_t *best = shared(runs * room * sizeof *best);
        float *at_s = shared(runs * room * sizeof *at_s), *own_s = shared(runs * room * sizeof *own_s);
        for (size_t r = 0; r < runs; r++)
            bench->traces[l * runs + r] =
                (struct trace){.best = best + r * room, .at_s = at_s + r * room, .own_s = own_s + r * room};
    }
}

static void run_all(struct bench *bench)
{
    make_room(bench);
    if (!share(bench->processes, work, bench)) {
        fprintf(stderr, "bench_strategies: a worker failed\n");
        exit(1);
    }
}

/* ---- Leave one out ---- */

/* Makes the slowest configuration the best. */
static void reverse(const struct prior_run *landscape, double *costs)
{
    for (size_t i = 0; i < landscape->count; i++)
        costs[i] = 1 / landscape->costs[i];
}

/* Adds the configuration of the least cost, if it is in the set and not yet added. */
static void add_winner(const struct landscape *landscape, const struct prior_run *other, struct prior_runs *prior_runs)
{
    size_t best = 0, known = 0;
    uint64_t index;
    for (size_t i = 1; i < other->count; i++)
        if (!(other->costs[i] >= other->costs[best]) && !isnan(other->costs[i]))
            best = i;
    if (!valid_set_find(landscape->set, other->choices + best * landscape->space->parameter_count, &index))
        return;
    while (known < prior_runs->first_count && prior_runs->first[known] != index)
        known++;
    if (known == prior_runs->first_count)
        prior_runs->first[prior_runs->first_count++] = index;
}

/* Collects prior runs of a landscape: the other journals of the same kernel. */
static void ask_other_devices(struct bench *bench, size_t l)
{
    const struct landscape *landscape = bench->landscapes[l];
    struct prior_runs *prior_runs = &bench->prior_runs[l];
    struct error error = {0};
    for (size_t o = 0; o < bench->landscape_count; o++) {
        struct prior_run *other = &prior_runs->landscapes[prior_runs->count];
        size_t left_out;
        if (o == l || strcmp(bench->landscapes[o]->space->name, landscape->space->name) != 0)
            continue;
        if (rows_landscape(landscape->space, bench->landscapes[o]->journal, &bench->arena, other, &left_out, &error))
            fail(&error);
        double *costs = arena_array(&bench->arena, other->count + 1, sizeof *costs);
        if (!costs) {
            error_memory(&error);
            fail(&error);
        }
        reverse(other, costs);
        if (*bench->learn_from == 'r')
            other->costs = costs;
        if (*bench->learn_from == 'w')
            add_winner(landscape, other, prior_runs);
        else
            prior_runs->count++;
    }
}

/* ---- Results ---- */

struct figures {
    double mean, stddev, within_1, within_5;
};

/* optimum / best found after `budget` evaluations, or after all if there are fewer. */
static double fraction(const struct bench *bench, size_t l, size_t s, size_t seed, size_t budget)
{
    const struct trace *trace = trace_of(bench, l, s, seed);
    const struct landscape *landscape = bench->landscapes[l];
    size_t last = budget < trace->count ? budget : trace->count;
    uint32_t best = last ? trace->best[last - 1] : UINT32_MAX;
    return best == UINT32_MAX ? 0 : landscape->sorted_ns[0] / landscape->sorted_ns[best];
}

/* Covers the runs on landscapes `from` .. `to` - 1; the stddev is the average within a landscape. */
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

/* Simulated seconds, averaged over runs. */
struct seconds {
    double to_fraction; /* until seconds_fraction; until its end for a run that does not reach it */
    double reached;     /* share of the runs that reach it */
    double to_budget;   /* until the end of `budget` evaluations */
};

static struct seconds seconds_of(const struct bench *bench, size_t from, size_t to, size_t s, size_t budget)
{
    struct seconds seconds = {0};
    double runs = (double)((to - from) * bench->seeds);
    for (size_t l = from; l < to; l++)
        for (size_t i = 0; i < bench->seeds; i++) {
            const struct trace *trace = trace_of(bench, l, s, i);
            size_t last = budget < trace->count ? budget : trace->count, first = 1;
            while (first < trace->count && fraction(bench, l, s, i, first) < seconds_fraction)
                first++;
            if (trace->count == 0)
                continue;
            seconds.reached += (fraction(bench, l, s, i, first) >= seconds_fraction) / runs;
            seconds.to_fraction += trace->at_s[first - 1] / runs;
            seconds.to_budget += trace->at_s[last - 1] / runs;
        }
    return seconds;
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* End of the curve of several runs: that of the first run that is longer than half of them. */
static double last_s(const double *ends_s, size_t runs)
{
    double median = statistics_median(ends_s, runs);
    for (size_t i = 0; i < runs; i++)
        if (ends_s[i] > median)
            return ends_s[i];
    return INFINITY;
}

static double score_on(const struct bench *bench, size_t l, size_t s)
{
    struct score_observation *observations = NULL;
    double *ends_s = calloc(bench->seeds, sizeof *ends_s), result = NAN;
    size_t count = 0, all = 0;
    for (size_t i = 0; i < bench->seeds; i++)
        all += trace_of(bench, l, s, i)->count;
    observations = malloc((all + 1) * sizeof *observations);
    for (size_t i = 0; i < bench->seeds && observations && ends_s; i++) {
        const struct trace *trace = trace_of(bench, l, s, i);
        for (size_t e = 0; e < trace->count; e++)
            if (trace->best[e] != UINT32_MAX)
                observations[count++] =
                    (struct score_observation){ends_s[i] = trace->at_s[e] + trace->own_s[e], trace->best[e]};
    }
    if (observations && ends_s) {
        qsort(ends_s, bench->seeds, sizeof *ends_s, by_size);
        result = score(&bench->landscapes[l]->score, observations, count, last_s(ends_s, bench->seeds));
    }
    free(observations);
    free(ends_s);
    return result;
}

static double mean_score(const struct bench *bench, size_t from, size_t to, size_t s)
{
    double sum = 0;
    for (size_t l = from; l < to; l++)
        sum += score_on(bench, l, s);
    return sum / (double)(to - from);
}

static double own_us(const struct bench *bench, size_t from, size_t to, size_t s)
{
    double sum = 0;
    for (size_t l = from; l < to; l++)
        for (size_t i = 0; i < bench->seeds; i++) {
            const struct trace *trace = trace_of(bench, l, s, i);
            sum += trace->count ? trace->own_s[trace->count - 1] / (double)trace->count : 0;
        }
    return sum / (double)((to - from) * bench->seeds) * 1e6;
}

static void print_table(const struct bench *bench, const char *title, size_t from, size_t to)
{
    printf("\n%s\n%-32s", title, "strategy");
    for (size_t b = 0; b < bench->budget_count; b++)
        printf("  %5zu   +-    1%%   5%%", bench->budgets[b]);
    printf("  s to %.2f  reached  s to %d%s  us/proposal\n", seconds_fraction, SECONDS_EVALUATIONS,
           bench->score ? "   score" : "");
    for (size_t s = 0; s < bench->strategy_count; s++) {
        struct seconds seconds = seconds_of(bench, from, to, s, SECONDS_EVALUATIONS);
        printf("%-32s", bench->strategies[s]);
        for (size_t b = 0; b < bench->budget_count; b++) {
            struct figures figures = summarise(bench, from, to, s, bench->budgets[b]);
            printf("  %.4f %.3f %3.0f%% %3.0f%%", figures.mean, figures.stddev, 100 * figures.within_1,
                   100 * figures.within_5);
        }
        printf("  %9.2f  %6.0f%%  %8.2f", seconds.to_fraction, 100 * seconds.reached, seconds.to_budget);
        if (bench->score)
            printf("  %6.3f", mean_score(bench, from, to, s));
        printf("  %11.1f\n", own_us(bench, from, to, s));
    }
}

static void print_row(FILE *file, const struct bench *bench, size_t l, size_t s, size_t budget)
{
    struct figures figures = summarise(bench, l, l + 1, s, budget);
    struct seconds seconds = seconds_of(bench, l, l + 1, s, budget);
    fprintf(file, "%s,\"%s\",%zu,%zu,%.5f,%.5f,%.5f,%.4f,%.4f,%.4f,%.4f,%.4f,", bench->landscapes[l]->name,
            bench->strategies[s], budget, bench->seeds, figures.mean, figures.stddev,
            figures.stddev / sqrt((double)bench->seeds), figures.within_1, figures.within_5, seconds.to_budget,
            seconds.to_fraction, seconds.reached);
    if (bench->score)
        fprintf(file, "%.4f", score_on(bench, l, s));
    fprintf(file, ",%.1f\n", own_us(bench, l, l + 1, s));
}

static void print_csv(const struct bench *bench)
{
    FILE *file = fopen(bench->csv, "w");
    if (!file) {
        perror(bench->csv);
        exit(1);
    }
    fprintf(file,
            "landscape,strategy,budget,seeds,mean_fraction,sd,sem,share_within_1pct,share_within_5pct,s_to_budget,"
            "s_to_095,share_to_095,score,us_per_proposal\n");
    for (size_t l = 0; l < bench->landscape_count; l++)
        for (size_t s = 0; s < bench->strategy_count; s++)
            for (size_t b = 0; b < bench->budget_count; b++)
                print_row(file, bench, l, s, bench->budgets[b]);
    if (fclose(file)) {
        perror(bench->csv);
        exit(1);
    }
}

/* ---- The command line ---- */

static void usage(const char *why)
{
    fprintf(
        stderr,
        "bench_strategies: %s\n"
        "usage: bench_strategies JOURNAL... [OPTION...]\n"
        "  --strategies NAME[:OPTION=VALUE,...]...  default: all\n"
        "  --budgets N,N,...  evaluations; default: 25,50,100,200\n"
        "  --seeds N          runs of each strategy; default: 20. --first N: the first one's seed\n"
        "  --batch N          proposals at once, evaluated one after the other; default: 1\n"
        "  --jobs N           runs as deployed: N compilers and one device, which take the recorded times\n"
        "  --learn-from WHAT  of the other journals of the same kernel: landscapes, winners (evaluated first), or\n"
        "                     reversed (landscapes in which the slowest configuration is the best)\n"
        "  --score            also the score of Willemsen et al. (2024): the gain of a strategy on calculated random\n"
        "                     search over simulated time; 1: the optimum at once. See tools/bench/score.h\n"
        "  --longest N        runs for the score end after N evaluations; default: when they have taken its time\n"
        "  --each             a table for each journal\n"
        "  --csv FILE         figures by journal\n"
        "  --processes N      of this benchmark, in parallel; default: 1\n",
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
                   {"--batch", offsetof(struct bench, batch), TRACE_BATCH_MAX},
                   {"--longest", offsetof(struct bench, longest), 1000000},
                   {"--jobs", offsetof(struct bench, jobs), 1024},
                   {"--processes", offsetof(struct bench, processes), 1024}};
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
        bool each = strcmp(argv[i], "--each") == 0, score = strcmp(argv[i], "--score") == 0;
        bench->each |= each;
        bench->score |= score;
        if (naming || each || score)
            continue;
        if (i + 1 == argc)
            usage("an option lacks its value");
        while (n < sizeof numbers / sizeof *numbers && strcmp(argv[i], numbers[n].name) != 0)
            n++;
        if (n < sizeof numbers / sizeof *numbers)
            *(size_t *)((char *)bench + numbers[n].offset) = natural(argv[i + 1], numbers[n].most);
        else if (strcmp(argv[i], "--budgets") == 0)
            read_budgets(bench, argv[i + 1]);
        else if (strcmp(argv[i], "--learn-from") == 0)
            bench->learn_from = argv[i + 1];
        else if (strcmp(argv[i], "--csv") == 0)
            bench->csv = argv[i + 1];
        else
            usage("unknown option");
        i++;
    }
    if (count == 0)
        usage("no journal");
    if (bench->learn_from && strcmp(bench->learn_from, "landscapes") && strcmp(bench->learn_from, "winners") &&
        strcmp(bench->learn_from, "reversed"))
        usage("--learn-from: landscapes, winners or reversed");
    if (bench->jobs && bench->batch > 1)
        usage("--batch is for runs without --jobs");
    return count;
}

static void plan(struct bench *bench)
{
    for (size_t b = 0; b < bench->budget_count; b++)
        if (bench->greatest < bench->budgets[b])
            bench->greatest = bench->budgets[b];
    for (size_t s = 0; s < strategy_count && bench->strategy_count <= s; s++)
        bench->strategies[bench->strategy_count++] = strategies[s]->name;
}

static void describe(const struct landscape *landscape)
{
    double start_s, end_s;
    score_range(&landscape->score, &start_s, &end_s);
    printf("%-40s %6zu configurations; the score looks at the first %.0f evaluations of random search, %.1f s\n",
           landscape->name, landscape->count, end_s / landscape->score.median_s, end_s);
}

int main(int argc, char **argv)
{
    static struct bench bench = {.budget_count = 4,
                                 .budgets = {25, 50, 100, 200},
                                 .seeds = 20,
                                 .first = 1,
                                 .batch = 1,
                                 .longest = SIZE_MAX,
                                 .processes = 1};
    static char *journals[LIST_MAX];
    struct error error = {0};
    int count = read_line(&bench, argc, argv, journals);
    for (int i = 0; i < count; i++)
        if (landscape_open(&bench.landscapes[bench.landscape_count++], journals[i], &error))
            fail(&error);
    for (size_t l = 0; l < bench.landscape_count && bench.learn_from; l++)
        ask_other_devices(&bench, l);
    plan(&bench);
    run_all(&bench);
    for (size_t l = 0; l < bench.landscape_count; l++) {
        if (bench.each)
            print_table(&bench, bench.landscapes[l]->name, l, l + 1);
        else
            describe(bench.landscapes[l]);
    }
    print_table(&bench, "all landscapes", 0, bench.landscape_count);
    if (bench.csv)
        print_csv(&bench);
    for (size_t l = 0; l < bench.landscape_count; l++)
        landscape_close(bench.landscapes[l]);
    arena_free(&bench.arena);
    return 0;
}
