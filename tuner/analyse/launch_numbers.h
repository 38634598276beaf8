/* Numbers derived from the evidence of a launch. Unknown ones are NaN: comparisons with them are false, and conditions
 * are written so that a rule then does not apply. Shares are of the launch's time. */
#ifndef CUTUNE_ANALYSE_LAUNCH_NUMBERS_H
#define CUTUNE_ANALYSE_LAUNCH_NUMBERS_H

#include <stdbool.h>

#include "analyse/rules.h"
#include "base/evidence.h"

/* Clamps a share to 0..1; 0 if it is unknown. */
double share_of(double share);
/* Returns 0 for an unknown value. */
double or_zero(double value);

/* Returns the number of repetitions in a run. */
double launch_repeats(const struct evidence *e);

/* Returns the sum over all multiprocessors of their active cycles. */
double launch_active_cycles(const struct evidence *e);

/* Returns the share of the warps' time in one wait: `stall`, in cycles per instruction. */
double launch_stall_share(const struct evidence *e, double stall);
/* Return the share of several waits together. In order: for memory; for shared memory; for constants; for copies to
 * shared memory; for results of earlier instructions. For these and branches, as in a loop; for results of arithmetic
 * and shared memory; at barriers. */
double launch_memory_wait(const struct evidence *e);
double launch_shared_wait(const struct evidence *e);
double launch_constant_wait(const struct evidence *e);
double launch_copy_wait(const struct evidence *e);
double launch_results_wait(const struct evidence *e);
double launch_loop_wait(const struct evidence *e);
double launch_latency_wait(const struct evidence *e);
double launch_barrier_wait(const struct evidence *e);
/* Return by how much a part of the slow launch is longer than in the fast launch, as a share of the slow launch's time.
 * `slow` and `fast`: the part's shares of their launches. The second function does this for one wait. */
double pair_longer(const struct rule_pair *pair, double slow, double fast);
double pair_longer_wait(const struct rule_pair *pair, double (*wait)(const struct evidence *e));

/* Return the use of a resource, as a share of its reachable use. */
double launch_dram_share(const struct evidence *e);
double launch_l2_share(const struct evidence *e);
double launch_l1_share(const struct evidence *e);
double launch_issue_share(const struct evidence *e);
/* Returns the use of the busiest resource, as a share of its reachable use: the time that remains if every wait
 * vanishes. */
double launch_busiest(const struct evidence *e);
/* Returns an upper limit for the share of the time in accesses to memory and its caches. */
double launch_memory_bound(const struct evidence *e);

/* Describe a pipeline, which launches its kernel for each chunk. In order: true for a pipeline; the bytes of a copy
 * over the link; the times of its copies, and of its longest stage, host work included. Last, the share of its run
 * outside that stage, without allocations. */
bool launch_is_pipeline(const struct evidence *e);
double launch_transfer_bytes(const struct evidence *e);
double launch_copies_ns(const struct evidence *e);
double launch_longest_ns(const struct evidence *e);
double launch_exposed(const struct evidence *e);

/* True if the profiler has measured the launch: its cycles, or the stages of its pipeline. */
bool launch_is_measured(const struct evidence *e);

/* Return resident warps over the maximum of the device, idle multiprocessors included; and the same as the launch
 * allows before its last blocks. */
double launch_resident(const struct evidence *e);
double launch_resident_possible(const struct evidence *e);

/* Returns the filled share of the places for blocks in its waves; 1 if all blocks run at once. */
double launch_filled(const struct evidence *e);

/* Returns the resident warps of a scheduler that the launch allows. */
double launch_scheduler_warps(const struct evidence *e);

double launch_local_sectors(const struct evidence *e);
/* Returns the sectors of all loads, stores and atomics in global and local memory. */
double launch_all_sectors(const struct evidence *e);

/* Describe the hottest loop. In order: its loads and stores; its accesses and operations outside the integer pipe; its
 * instructions except those that count and test iterations. Per such instruction: barriers, and cycles of the longest
 * dependence chain. */
double launch_loop_accesses(const struct evidence *e);
double launch_loop_operations(const struct evidence *e);
double launch_loop_work(const struct evidence *e);
double launch_barrier_rate(const struct evidence *e);
double launch_dependence(const struct evidence *e);

#endif
