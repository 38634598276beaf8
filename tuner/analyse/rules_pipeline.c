/* Rules of the kind PIPELINE: how data comes to the kernel and back. */
#include "analyse/launch_numbers.h"
#include "analyse/rule_functions.h"

#include <math.h>

/* Returns the time of the stages without overlap. */
static double stages_ns(const struct evidence *e)
{
    return launch_copies_ns(e) + e->kernel_ns + or_zero(e->host_work_ns);
}

/* Returns the time that the longest stage could hide. */
static double hideable_ns(const struct evidence *e)
{
    return stages_ns(e) - launch_longest_ns(e);
}

/* Returns the share of that time which is not hidden, 0..1. */
static double bare(const struct evidence *e)
{
    double hideable = hideable_ns(e);
    return hideable > 0 ? share_of(launch_exposed(e) * e->run_ns / hideable) : 0;
}

/* Returns the share of the slow run that it would save by overlapping its stages like the fast one. */
static double overlap_lost(const struct rule_pair *pair)
{
    return share_of((bare(pair->slow) - bare(pair->fast)) * hideable_ns(pair->slow) / pair->slow->run_ns);
}

/* Returns by how much a part of the run is longer, as a share of the slow run; 0 below the threshold. */
static double longer(const struct rule_pair *pair, double slow_ns, double fast_ns, double threshold)
{
    double share = (slow_ns - fast_ns) / pair->slow->run_ns;
    return share >= threshold ? share_of(share) : 0;
}

static double copies_longer(const struct rule_pair *pair, double threshold)
{
    return longer(pair, launch_copies_ns(pair->slow), launch_copies_ns(pair->fast), threshold);
}

static bool locks(const struct rule_pair *pair)
{
    return pair->slow->host_locked == 0 && pair->fast->host_locked == 1;
}

static bool leaves_managed(const struct rule_pair *pair)
{
    return pair->slow->managed == 1 && pair->fast->managed == 0;
}

/* Returns by how much the stages are longer. A kernel in host memory does the copies itself: then 0. */
static double stages_longer(const struct rule_pair *pair)
{
    return pair->slow->in_place == pair->fast->in_place ? longer(pair, stages_ns(pair->slow), stages_ns(pair->fast), 0)
                                                        : 0;
}

/* Threshold: the share of the run. Shorter stages also change the overlap, and only copies of page-locked memory are
 * asynchronous: then the stages or the memory are the reason. */
double rule_no_overlap_counters(const struct rule_pair *pair, double threshold)
{
    double lost = overlap_lost(pair);
    bool other = locks(pair) || leaves_managed(pair) || stages_longer(pair) > lost;
    return lost >= threshold && !other ? lost : 0;
}

/* Threshold: the share of the run. */
double rule_pageable_memory_counters(const struct rule_pair *pair, double threshold)
{
    double lost = copies_longer(pair, 0) + overlap_lost(pair);
    return locks(pair) && lost >= threshold ? share_of(lost) : 0;
}

double rule_pageable_memory_code(const struct rule_pair *pair, double threshold)
{
    (void)threshold;
    return locks(pair) ? rule_code_strength : 0;
}

static bool larger_transfers(const struct rule_pair *pair, double threshold)
{
    return launch_transfer_bytes(pair->fast) >= threshold * launch_transfer_bytes(pair->slow);
}

/* Threshold: bytes of a copy of the fast one over those of the slow one. */
double rule_small_transfers_counters(const struct rule_pair *pair, double threshold)
{
    return larger_transfers(pair, threshold) ? copies_longer(pair, 0) : 0;
}

/* Copies of at most this many bytes take longer to start than to run: some microseconds at tens of GB/s. */
static const double small_bytes = 65536;

double rule_small_transfers_code(const struct rule_pair *pair, double threshold)
{
    bool small = launch_transfer_bytes(pair->slow) <= small_bytes;
    return small && larger_transfers(pair, threshold) ? rule_code_strength : 0;
}

/* Threshold: the share of the run. */
double rule_allocation_counters(const struct rule_pair *pair, double threshold)
{
    return longer(pair, pair->slow->allocate_ns, pair->fast->allocate_ns, threshold);
}

/* A pool keeps its memory. */
double rule_allocation_code(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    (void)threshold;
    return s->allocations > 0 && s->pooled == 0 && (f->allocations == 0 || f->pooled == 1) ? rule_code_strength : 0;
}

/* Threshold: the share of the run. */
double rule_host_reads_counters(const struct rule_pair *pair, double threshold)
{
    bool copied = pair->slow->in_place == 1 && pair->fast->in_place == 0;
    return copied ? longer(pair, pair->slow->kernel_ns, pair->fast->kernel_ns, threshold) : 0;
}

/* Threshold: the share of the run. */
double rule_migration_counters(const struct rule_pair *pair, double threshold)
{
    double slow_ns = launch_copies_ns(pair->slow) + pair->slow->kernel_ns;
    double fast_ns = launch_copies_ns(pair->fast) + pair->fast->kernel_ns;
    return leaves_managed(pair) ? longer(pair, slow_ns, fast_ns, threshold) : 0;
}
