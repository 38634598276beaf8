/* Numbers that follow from the evidence of a launch. NaN where it is unknown: comparisons are then false, and
 * conditions are written so that a rule does not apply. Shares are of the launch's time. */
#ifndef CUTUNE_ANALYSE_LAUNCH_NUMBERS_H
#define CUTUNE_ANALYSE_LAUNCH_NUMBERS_H

#include <stdbool.h>

#include "analyse/rules.h"
#include "base/evidence.h"

/* The share between 0 and 1; 0 if it is unknown. */
double share_of(double share);
/* 0 if it is unknown. */
double or_zero(double value);

/* How often it is made in a row. */
double launch_repeats(const struct evidence *e);

/* Cycles of all multiprocessors while they are active, summed. */
double launch_active_cycles(const struct evidence *e);

/* The share of the time of its warps that one wait takes: `stall`, cycles per instruction. */
double launch_stall_share(const struct evidence *e, double stall);
/* Several at once: for memory; for shared memory; for constants; for copies to shared memory; for results of earlier
 * instructions; for these and for branches, which a loop has; for those of arithmetic and shared memory; at barriers.
 */
double launch_memory_wait(const struct evidence *e);
double launch_shared_wait(const struct evidence *e);
double launch_constant_wait(const struct evidence *e);
double launch_copy_wait(const struct evidence *e);
double launch_results_wait(const struct evidence *e);
double launch_loop_wait(const struct evidence *e);
double launch_latency_wait(const struct evidence *e);
double launch_barrier_wait(const struct evidence *e);
/* The share of the slow launch's time by which a part of it is longer there: `slow` and `fast` are its shares of their
 * launches; and the same of one wait. */
double pair_longer(const struct rule_pair *pair, double slow, double fast);
double pair_longer_wait(const struct rule_pair *pair, double (*wait)(const struct evidence *e));

/* The use of a resource, of what it reaches. */
double launch_dram_share(const struct evidence *e);
double launch_l2_share(const struct evidence *e);
double launch_l1_share(const struct evidence *e);
double launch_issue_share(const struct evidence *e);
/* The use of the busiest resource, 0..1 of what it reaches: what remains of the time if every wait vanishes. */
double launch_busiest(const struct evidence *e);
/* The share of the time that accesses to memory, with its caches, take at most. */
double launch_memory_bound(const struct evidence *e);

/* Of a pipeline, which has its launch made for each chunk: whether it is one; the bytes of a copy over the link; the
 * times of its copies, and of its longest stage, host work included; and the share of its run in which that stage has
 * ended or not begun, allocations left out. */
bool launch_is_pipeline(const struct evidence *e);
double launch_transfer_bytes(const struct evidence *e);
double launch_copies_ns(const struct evidence *e);
double launch_longest_ns(const struct evidence *e);
double launch_exposed(const struct evidence *e);

/* Has the profiler measured the launch: its cycles, or the stages of its pipeline? */
bool launch_is_measured(const struct evidence *e);

/* Resident warps over the most that the device holds, idle multiprocessors included; and what the launch allows before
 * its last blocks. */
double launch_resident(const struct evidence *e);
double launch_resident_possible(const struct evidence *e);

/* The share of the places for blocks in its waves that is filled; 1 if all blocks run at once. */
double launch_filled(const struct evidence *e);

/* Resident warps of a scheduler, as the launch allows. */
double launch_scheduler_warps(const struct evidence *e);

double launch_local_sectors(const struct evidence *e);
/* Of all loads, stores and atomics in global and local memory. */
double launch_all_sectors(const struct evidence *e);

/* Of the hottest loop: its loads and stores; its accesses and operations outside the integer pipe; its instructions
 * that do not count and test the iterations; and, per such instruction, barriers, and cycles of the longest chain of
 * dependent instructions. */
double launch_loop_accesses(const struct evidence *e);
double launch_loop_operations(const struct evidence *e);
double launch_loop_work(const struct evidence *e);
double launch_barrier_rate(const struct evidence *e);
double launch_dependence(const struct evidence *e);

#endif
