#include "analyse/work.h"

#include <math.h>

#include "analyse/binding.h"
#include "analyse/launch_numbers.h"
#include "base/evidence.h"

/* Least part of the lost time that less work must explain. */
static const double enough = 0.5;
/* Least share of a resource whose work takes time: less work of an idle resource explains nothing. */
static const double noticed = 0.1;

static double dram_bytes(const struct evidence *e)
{
    return e->dram_read_bytes + e->dram_write_bytes;
}

static double l2_bytes(const struct evidence *e)
{
    return e->l2_bytes;
}

static double l1_cycles(const struct evidence *e)
{
    return e->l1_wavefronts;
}

static double instructions(const struct evidence *e)
{
    return e->instructions;
}

static const struct {
    struct rule_shown shown;
    enum resource resource;
    double (*share)(const struct evidence *e);
} rows[] = {
    {{"bytes from and to device memory", RULE_BYTES, dram_bytes}, RESOURCE_DRAM, launch_dram_share},
    {{"bytes from and to L2", RULE_BYTES, l2_bytes}, RESOURCE_L2, launch_l2_share},
    {{"cycles of L1 and shared memory", RULE_COUNT, l1_cycles}, RESOURCE_L1, launch_l1_share},
    {{"instructions executed", RULE_COUNT, instructions}, RESOURCE_ISSUE, launch_issue_share},
};

/* The stages of a pipeline, each measured by its time. */
#define STAGE(item)                                                                                                    \
    static double item(const struct evidence *e)                                                                       \
    {                                                                                                                  \
        return e->item;                                                                                                \
    }
STAGE(allocate_ns)
STAGE(in_ns)
STAGE(kernel_ns)
STAGE(out_ns)
#undef STAGE

static const struct {
    struct rule_shown shown;
    enum resource resource;
} stages[] = {
    {{"time to allocate", RULE_TIME, allocate_ns}, RESOURCE_ALLOCATION},
    {{"time of the copies to the device", RULE_TIME, in_ns}, RESOURCE_COPIES_IN},
    {{"time of the kernel", RULE_TIME, kernel_ns}, RESOURCE_KERNEL},
    {{"time of the copies to the host", RULE_TIME, out_ns}, RESOURCE_COPIES_OUT},
};

/* Finds the stage whose time explains most of the time lost. */
static struct work stage_saved(const struct evidence *slow, const struct evidence *fast, double least)
{
    struct work found = {0};
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        const struct rule_shown *shown = &stages[i].shown;
        struct work work = {
            .shown = shown, .slow = shown->of(slow), .fast = shown->of(fast), .resource = stages[i].resource};
        work.saved = (work.slow - work.fast) / slow->run_ns;
        work.binds = work.slow / slow->run_ns >= binding_least;
        if (work.saved >= least && work.saved > found.saved)
            found = work;
    }
    return found;
}

static double sum_of(const struct explanation_configuration *configuration, double (*of)(const struct evidence *e))
{
    double sum = 0;
    for (size_t i = 0; i < configuration->launch_count; i++)
        sum += launch_repeats(&configuration->launches[i]) * of(&configuration->launches[i]);
    return sum;
}

/* Returns the mean share of all launches, weighted by their cycles. */
static double share_of_run(const struct explanation_configuration *configuration,
                           double (*share)(const struct evidence *e))
{
    double used = 0, cycles = 0;
    for (size_t i = 0; i < configuration->launch_count; i++) {
        const struct evidence *e = &configuration->launches[i];
        used += launch_repeats(e) * e->cycles * share(e);
        cycles += launch_repeats(e) * e->cycles;
    }
    return used / cycles;
}

/* Returns how many runs of one do as much useful work as a run of the other. */
static double runs_for(const struct explanation_configuration *configuration,
                       const struct explanation_configuration *other)
{
    double runs = other->measurement->work / configuration->measurement->work;
    return isnan(runs) ? 1 : runs;
}

struct work work_saved(const struct explanation_configuration *slow, const struct explanation_configuration *fast,
                       double speedup)
{
    struct work found = {0};
    double least = enough * (1 - 1 / speedup), runs = runs_for(slow, fast);
    if (slow->launch_count && fast->launch_count && launch_is_pipeline(&slow->launches[0]))
        return stage_saved(&slow->launches[0], &fast->launches[0], least);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double share = share_of_run(slow, rows[i].share);
        struct work work = {.shown = &rows[i].shown,
                            .slow = runs * sum_of(slow, rows[i].shown.of),
                            .fast = sum_of(fast, rows[i].shown.of),
                            .resource = rows[i].resource,
                            .binds = share >= binding_least};
        work.saved = 1 - work.fast / work.slow;
        if (share < noticed || !(work.saved >= least) || (found.binds && !work.binds) ||
            (found.binds == work.binds && work.saved <= found.saved))
            continue;
        found = work;
    }
    return found;
}
