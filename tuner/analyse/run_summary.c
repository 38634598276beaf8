#include "analyse/run_summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/statistics.h"
#include "base/text.h"

/* ---- Convergence ---- */

size_t run_summary_convergence(const struct comparison *comparison, size_t run, struct run_summary_step *steps,
                               size_t room, size_t *total)
{
    const struct comparison_run *of = &comparison->runs[run];
    size_t better = 0, written = 0;
    *total = of->evaluated;
    if (!of->measured_run->journal || !*of->measured_run->provenance.options)
        return 0;
    for (int pass = 0; pass < 2; pass++) {
        double best_value = objective_worst(comparison->objective);
        size_t seen = 0;
        for (size_t i = 0; i < of->evaluated; i++) {
            const struct measurement *measurement = of->searched[i];
            if (!measurement_timed(measurement) ||
                !objective_better(comparison->objective, measurement->value, best_value))
                continue;
            best_value = measurement->value;
            seen++;
            if (pass == 0)
                better++;
            else if (better <= room || seen == 1 || seen * (room - 1) / better != (seen - 1) * (room - 1) / better)
                steps[written < room ? written++ : room - 1] =
                    (struct run_summary_step){i + 1, of->search_order[i], best_value, measurement->proposer};
        }
    }
    return written;
}

size_t run_summary_warm_start(const struct comparison *comparison, size_t run, size_t *fastest)
{
    double best = objective_worst(comparison->objective);
    size_t count = 0;
    *fastest = COMPARISON_NONE;
    for (size_t c = 0; c < comparison->configuration_count; c++) {
        const struct measurement *measurement = comparison->runs[run].of[c];
        if (!measurement || measurement->proposer != PROPOSER_WARM_START)
            continue;
        count++;
        if (!measurement_timed(measurement) || !objective_better(comparison->objective, measurement->value, best))
            continue;
        best = measurement->value;
        *fastest = c;
    }
    return count;
}

/* ---- Times ---- */

void run_summary_histogram(const struct comparison *comparison, size_t run, struct run_summary_histogram *histogram)
{
    *histogram = (struct run_summary_histogram){.low = NAN, .high = NAN};
    for (size_t c = 0; c < comparison->configuration_count; c++) {
        double value;
        comparison_cell(comparison, c, run, &value);
        if (!(value > 0))
            continue;
        histogram->low = fmin(histogram->low, value); /* fmin and fmax ignore a NaN */
        histogram->high = fmax(histogram->high, value);
    }
    histogram->bins = histogram->high > histogram->low ? RUN_SUMMARY_BINS : 1;
    double range = log(histogram->high / histogram->low);
    for (size_t c = 0; c < comparison->configuration_count; c++) {
        double value;
        enum cell cell = comparison_cell(comparison, c, run, &value);
        if (!(value > 0))
            continue;
        size_t bin = range > 0 ? (size_t)(log(value / histogram->low) / range * RUN_SUMMARY_BINS) : 0;
        bin = bin < histogram->bins ? bin : histogram->bins - 1;
        (cell == CELL_EARLY ? histogram->early : histogram->timed)[bin]++;
    }
}

double run_summary_edge(const struct run_summary_histogram *histogram, size_t bin)
{
    return histogram->low * pow(histogram->high / histogram->low, (double)bin / (double)histogram->bins);
}

long run_summary_ranks(const struct comparison *comparison, size_t run, double *values, size_t room)
{
    double *all = calloc(comparison->configuration_count + 1, sizeof *all);
    size_t count = 0;
    if (!all)
        return -1;
    for (size_t c = 0; c < comparison->configuration_count; c++) {
        comparison_cell(comparison, c, run, &all[count]);
        count += all[count] > 0;
    }
    statistics_sort(all, count);
    size_t written = count < room ? count : room;
    for (size_t i = 0; i < written; i++) {
        size_t rank = written == count ? i : i * (count - 1) / (written - 1);
        values[i] = all[comparison->objective->higher_is_better ? count - 1 - rank : rank];
    }
    free(all);
    return (long)written;
}

/* ---- Parameters and facts ---- */

static uint32_t group_count(const struct comparison_parameter *parameter)
{
    return parameter->value_count < RUN_SUMMARY_GROUPS ? parameter->value_count : RUN_SUMMARY_GROUPS;
}

static uint32_t group_of(const struct comparison_parameter *parameter, uint32_t value)
{
    return (uint32_t)((uint64_t)value * group_count(parameter) / parameter->value_count);
}

struct timed {
    uint32_t group;
    double fact, cost, value; /* fact: unused for parameters */
};

/* Returns the median of values sorted by cost. */
static double median_of(const struct timed *timed, size_t count)
{
    return (timed[(count - 1) / 2].value + timed[count / 2].value) / 2;
}

static int by_group_and_cost(const void *a, const void *b)
{
    const struct timed *one = a, *other = b;
    if (one->group != other->group)
        return one->group < other->group ? -1 : 1;
    return one->cost < other->cost ? -1 : one->cost > other->cost;
}

int run_summary_groups(const struct comparison *comparison, size_t parameter, struct run_summary_group *groups)
{
    const struct comparison_parameter *of = &comparison->parameters[parameter];
    uint32_t count = group_count(of);
    for (uint32_t g = 0; g < count; g++)
        groups[g] = (struct run_summary_group){.first = UINT32_MAX, .best_value = NAN, .median_value = NAN};
    for (uint32_t v = 0; v < of->value_count; v++) {
        struct run_summary_group *group = &groups[group_of(of, v)];
        group->first = group->first == UINT32_MAX ? v : group->first;
        group->last = v;
    }
    return (int)count;
}

int run_summary_parameter(const struct comparison *comparison, size_t run, size_t parameter,
                          struct run_summary_group *groups)
{
    const struct comparison_parameter *of = &comparison->parameters[parameter];
    int count = run_summary_groups(comparison, parameter, groups);
    struct timed *all = calloc(comparison->configuration_count + 1, sizeof *all);
    size_t total = 0, begin = 0;
    if (!all)
        return -1;
    for (size_t c = 0; c < comparison->configuration_count; c++) {
        uint32_t group = group_of(of, comparison->choices[c * comparison->parameter_count + parameter]);
        double value;
        groups[group].failed += comparison_cell(comparison, c, run, &value) == CELL_FAILED;
        if (value > 0)
            all[total++] = (struct timed){group, 0, objective_cost(comparison->objective, value), value};
    }
    qsort(all, total, sizeof *all, by_group_and_cost);
    for (size_t i = 1; i <= total; i++) {
        if (i < total && all[i].group == all[begin].group)
            continue;
        struct run_summary_group *group = &groups[all[begin].group];
        group->timed = i - begin;
        group->best_value = all[begin].value;
        group->median_value = median_of(&all[begin], group->timed);
        begin = i;
    }
    free(all);
    return count;
}

void run_summary_pair(const struct comparison *comparison, size_t run, size_t one, size_t other,
                      double best_value[RUN_SUMMARY_GROUPS][RUN_SUMMARY_GROUPS])
{
    for (size_t i = 0; i < RUN_SUMMARY_GROUPS; i++)
        for (size_t j = 0; j < RUN_SUMMARY_GROUPS; j++)
            best_value[i][j] = NAN;
    for (size_t c = 0; c < comparison->configuration_count; c++) {
        const uint32_t *choices = comparison->choices + c * comparison->parameter_count;
        double value, *best = &best_value[group_of(&comparison->parameters[one], choices[one])]
                                         [group_of(&comparison->parameters[other], choices[other])];
        comparison_cell(comparison, c, run, &value);
        *best = objective_best(comparison->objective, *best, value);
    }
}

/* Returns a fact; NaN: not recorded. */
static double fact_of(const struct measurement *measurement, enum run_summary_fact fact)
{
    int64_t number = fact == RUN_SUMMARY_REGISTERS ? measurement->registers : measurement->clock_mhz;
    if (fact == RUN_SUMMARY_OCCUPANCY)
        return measurement->occupancy;
    return number > 0 ? (double)number : NAN;
}

static int by_fact(const void *a, const void *b)
{
    const struct timed *one = a, *other = b;
    return one->fact < other->fact ? -1 : one->fact > other->fact;
}

/* Numbers the groups of configurations sorted by fact: one for each value, or for neighbouring values. */
static int group_facts(struct timed *all, size_t total)
{
    uint32_t values = 0;
    for (size_t i = 0; i < total; i++)
        all[i].group = values += i > 0 && all[i].fact > all[i - 1].fact;
    if (values < RUN_SUMMARY_GROUPS)
        return total ? (int)values + 1 : 0;
    for (size_t i = 0; i < total; i++)
        all[i].group = (uint32_t)((uint64_t)all[i].group * RUN_SUMMARY_GROUPS / (values + 1));
    return RUN_SUMMARY_GROUPS;
}

int run_summary_levels(const struct comparison *comparison, size_t run, enum run_summary_fact fact,
                       struct run_summary_level levels[RUN_SUMMARY_GROUPS])
{
    struct timed *all = calloc(comparison->configuration_count + 1, sizeof *all);
    size_t total = 0, begin = 0;
    if (!all)
        return -1;
    for (size_t c = 0; c < comparison->configuration_count; c++) {
        double value;
        comparison_cell(comparison, c, run, &value);
        double recorded = value > 0 ? fact_of(comparison->runs[run].of[c], fact) : NAN;
        if (!isnan(recorded))
            all[total++] = (struct timed){0, recorded, objective_cost(comparison->objective, value), value};
    }
    qsort(all, total, sizeof *all, by_fact);
    int count = group_facts(all, total);
    for (size_t i = 1; i <= total; i++) {
        if (i < total && all[i].group == all[begin].group)
            continue;
        struct run_summary_level *level = &levels[all[begin].group];
        *level = (struct run_summary_level){.low = all[begin].fact, .high = all[i - 1].fact, .timed = i - begin};
        qsort(&all[begin], level->timed, sizeof *all, by_group_and_cost);
        level->best_value = all[begin].value;
        level->median_value = median_of(&all[begin], level->timed);
        begin = i;
    }
    free(all);
    return count;
}

/* ---- Parameters that made the best faster ---- */

static bool differs(const struct comparison *comparison, size_t one, size_t other, size_t parameter)
{
    size_t width = comparison->parameter_count;
    return comparison->choices[one * width + parameter] != comparison->choices[other * width + parameter];
}

size_t run_summary_causes(const struct comparison *comparison, size_t run, const struct importance *importance,
                          size_t parameters[RUN_SUMMARY_CAUSES])
{
    const struct comparison_run *of = &comparison->runs[run];
    const double *shares = importance->shares;
    size_t count = 0;
    if (!(importance->fit >= 0.5) || of->best == COMPARISON_NONE)
        return 0;
    for (size_t p = 0; p < comparison->parameter_count; p++) {
        if (shares[p] <= 0 || (of->default_ != COMPARISON_NONE && !differs(comparison, of->best, of->default_, p)))
            continue;
        if (count == 0 || shares[p] > shares[parameters[0]]) {
            if (count)
                parameters[1] = parameters[0];
            parameters[0] = p;
        } else if (count == 1 || shares[p] > shares[parameters[1]])
            parameters[1] = p;
        else
            continue;
        count = count < RUN_SUMMARY_CAUSES ? count + 1 : count;
    }
    return count == RUN_SUMMARY_CAUSES && 2 * shares[parameters[1]] < shares[parameters[0]] ? 1 : count;
}

/* ---- Reasons ---- */

enum { REASONS_MAX = 256 };

/* Hashes a message with every number replaced by "#". */
static uint64_t message_kind(const char *message)
{
    char kind[MEASUREMENT_MESSAGE_BYTES];
    size_t length = 0;
    for (const char *c = message; *c && length < sizeof kind; c++) {
        bool digit = text_is_digit(*c);
        if (!digit || c == message || !text_is_digit(c[-1]))
            kind[length++] = digit ? '#' : *c;
    }
    return hash_u64(kind, length, 0);
}

static int by_count(const void *a, const void *b)
{
    const struct run_summary_reason *one = a, *other = b;
    if (one->count != other->count)
        return one->count > other->count ? -1 : 1;
    return one->configuration < other->configuration ? -1 : one->configuration > other->configuration;
}

long run_summary_reasons(const struct comparison *comparison, size_t run, enum status status,
                         struct run_summary_reason *reasons, size_t room, size_t *others)
{
    struct run_summary_reason *all = calloc(REASONS_MAX, sizeof *all);
    uint64_t *kinds = calloc(REASONS_MAX, sizeof *kinds);
    size_t count = 0, written;
    *others = 0;
    for (size_t c = 0; all && kinds && c < comparison->configuration_count; c++) {
        const struct measurement *measurement = comparison->runs[run].of[c];
        if (!measurement || measurement->status != status)
            continue;
        uint64_t kind = message_kind(measurement->message);
        size_t at = 0;
        while (at < count && kinds[at] != kind)
            at++;
        if (at == REASONS_MAX) {
            ++*others;
            continue;
        }
        if (at == count) {
            kinds[count++] = kind;
            all[at] = (struct run_summary_reason){status, 0, c, measurement->message};
        }
        all[at].count++;
    }
    bool good = all && kinds;
    if (good)
        qsort(all, count, sizeof *all, by_count);
    written = count < room ? count : room;
    for (size_t i = 0; i < count && good; i++)
        if (i < written)
            reasons[i] = all[i];
        else
            *others += all[i].count;
    free(all);
    free(kinds);
    return good ? (long)written : -1;
}

/* ---- The best ---- */

struct ranked {
    double cost; /* 0 for the run's best, so that it comes first */
    size_t configuration;
};

static int by_cost(const void *a, const void *b)
{
    const struct ranked *one = a, *other = b;
    if (one->cost != other->cost)
        return one->cost < other->cost ? -1 : 1;
    return one->configuration < other->configuration ? -1 : one->configuration > other->configuration;
}

long run_summary_top(const struct comparison *comparison, size_t run, size_t *configurations, size_t room)
{
    struct ranked *all = calloc(comparison->configuration_count + 1, sizeof *all);
    size_t count = 0;
    if (!all)
        return -1;
    for (size_t c = 0; c < comparison->configuration_count; c++) {
        double value;
        if (comparison_cell(comparison, c, run, &value) == CELL_TIMED)
            all[count++] =
                (struct ranked){c == comparison->runs[run].best ? 0 : objective_cost(comparison->objective, value), c};
    }
    qsort(all, count, sizeof *all, by_cost);
    if (count > room)
        count = room;
    for (size_t i = 0; i < count; i++)
        configurations[i] = all[i].configuration;
    free(all);
    return (long)count;
}
