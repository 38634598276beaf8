#include "analyse/work.h"

#include <math.h>

#include "analyse/binding.h"
#include "analyse/launch_numbers.h"
#include "base/evidence.h"

/* The part of the lost time that less work explains, at least. */
static const double enough = 0.5;
/* The least share of a resource whose work takes time: less of what is idle explains nothing. */
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

static double sum_of(const struct explanation_configuration *configuration, double (*of)(const struct evidence *e))
{
    double sum = 0;
    for (size_t i = 0; i < configuration->launch_count; i++)
        sum += launch_repeats(&configuration->launches[i]) * of(&configuration->launches[i]);
    return sum;
}

/* The mean share of all launches, by their cycles. */
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

struct work work_saved(const struct explanation_configuration *slow, const struct explanation_configuration *fast,
                       double speedup)
{
    struct work found = {0};
    double least = enough * (1 - 1 / speedup);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double share = share_of_run(slow, rows[i].share);
        struct work work = {.shown = &rows[i].shown,
                            .slow = sum_of(slow, rows[i].shown.of),
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
