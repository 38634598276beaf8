#include "analyse/launch_numbers.h"

#include <math.h>

double share_of(double share)
{
    return share > 0 ? fmin(share, 1) : 0;
}

double or_zero(double value)
{
    return isnan(value) ? 0 : value;
}

double launch_repeats(const struct evidence *e)
{
    return e->repeats > 1 ? e->repeats : 1;
}

double launch_active_cycles(const struct evidence *e)
{
    return e->cycles * e->sm_count * (isnan(e->sm_active) ? 1 : e->sm_active);
}

/* Returns the cycles of a warp per instruction: one to issue it, and the waits. */
static double launch_warp_cycles(const struct evidence *e)
{
    return 1 + e->stall_long_scoreboard + or_zero(e->stall_short_scoreboard) + or_zero(e->stall_barrier) +
           or_zero(e->stall_wait) + or_zero(e->stall_math) + or_zero(e->stall_lg) + or_zero(e->stall_mio) +
           or_zero(e->stall_tex) + or_zero(e->stall_imc) + or_zero(e->stall_no_instruction) + or_zero(e->stall_branch) +
           or_zero(e->stall_drain) + or_zero(e->stall_membar) + or_zero(e->stall_sleeping) +
           or_zero(e->stall_dispatch) + or_zero(e->stall_not_selected) + or_zero(e->stall_gmma);
}

double launch_stall_share(const struct evidence *e, double stall)
{
    return stall / launch_warp_cycles(e);
}

double launch_memory_wait(const struct evidence *e)
{
    return launch_stall_share(e, e->stall_long_scoreboard + or_zero(e->stall_lg) + or_zero(e->stall_tex) +
                                     or_zero(e->stall_drain));
}

double launch_shared_wait(const struct evidence *e)
{
    return launch_stall_share(e, e->stall_short_scoreboard + or_zero(e->stall_mio));
}

double launch_constant_wait(const struct evidence *e)
{
    return launch_stall_share(e, e->stall_short_scoreboard + or_zero(e->stall_mio) + or_zero(e->stall_imc));
}

double launch_copy_wait(const struct evidence *e)
{
    return launch_stall_share(e, e->stall_long_scoreboard + or_zero(e->stall_barrier) +
                                     or_zero(e->stall_short_scoreboard) + or_zero(e->stall_mio));
}

double launch_results_wait(const struct evidence *e)
{
    return launch_stall_share(e,
                              e->stall_long_scoreboard + or_zero(e->stall_wait) + or_zero(e->stall_short_scoreboard));
}

double launch_loop_wait(const struct evidence *e)
{
    return launch_results_wait(e) + launch_stall_share(e, or_zero(e->stall_branch) + or_zero(e->stall_no_instruction));
}

double launch_latency_wait(const struct evidence *e)
{
    return launch_stall_share(e, e->stall_wait + or_zero(e->stall_short_scoreboard));
}

double launch_barrier_wait(const struct evidence *e)
{
    return launch_stall_share(e, e->stall_barrier);
}

double pair_longer_wait(const struct rule_pair *pair, double (*wait)(const struct evidence *e))
{
    return pair_longer(pair, wait(pair->slow), wait(pair->fast));
}

/* Reachable shares of the peaks of device memory and L2: by a copy, and by reads that hit L2, on an H200. */
static const double dram_reachable = 0.9, l2_reachable = 0.65;

static double active(const struct evidence *e)
{
    return isnan(e->sm_active) ? 1 : e->sm_active;
}

double launch_dram_share(const struct evidence *e)
{
    return e->dram_busy / dram_reachable;
}

double launch_l2_share(const struct evidence *e)
{
    return e->l2_busy / l2_reachable;
}

double launch_l1_share(const struct evidence *e)
{
    return e->l1_busy * active(e);
}

double launch_issue_share(const struct evidence *e)
{
    return e->issue_active * active(e);
}

double launch_busiest(const struct evidence *e)
{
    double pipes =
        fmax(fmax(fmax(e->fma_pipe, e->alu_pipe), fmax(e->fp64_pipe, e->xu_pipe)), fmax(e->lsu_pipe, e->tensor_pipe));
    double memory = fmax(launch_dram_share(e), launch_l2_share(e));
    double multiprocessor = fmax(launch_l1_share(e), launch_issue_share(e));
    double busiest = fmax(fmax(memory, multiprocessor), pipes * active(e));
    return busiest > 1 ? 1 : busiest;
}

double pair_longer(const struct rule_pair *pair, double slow, double fast)
{
    return slow - fast * (pair->fast->cycles / pair->slow->cycles);
}

double launch_memory_bound(const struct evidence *e)
{
    return fmax(fmax(e->dram_busy, e->l2_busy), fmax(e->l1_busy, launch_memory_wait(e)));
}

bool launch_is_pipeline(const struct evidence *e)
{
    return e->chunks > 0;
}

double launch_transfer_bytes(const struct evidence *e)
{
    return e->transfers > 0 ? (e->in_bytes + e->out_bytes) / e->transfers : NAN;
}

double launch_copies_ns(const struct evidence *e)
{
    return e->in_ns + e->out_ns;
}

double launch_longest_ns(const struct evidence *e)
{
    double longest = fmax(fmax(e->in_ns, e->out_ns), fmax(e->kernel_ns, or_zero(e->host_work_ns)));
    return isnan(e->kernel_ns) ? NAN : longest;
}

double launch_exposed(const struct evidence *e)
{
    double exposed = (e->run_ns - e->allocate_ns - launch_longest_ns(e)) / e->run_ns;
    return exposed < 0 ? 0 : exposed;
}

bool launch_is_measured(const struct evidence *e)
{
    return e->cycles > 0 || e->run_ns > 0;
}

double launch_resident(const struct evidence *e)
{
    return e->warps_active * (isnan(e->sm_active) ? 1 : e->sm_active);
}

double launch_resident_possible(const struct evidence *e)
{
    return e->occupancy * fmin(e->waves, 1);
}

double launch_filled(const struct evidence *e)
{
    return e->waves > 1 ? e->waves / ceil(e->waves) : isnan(e->waves) ? NAN : 1;
}

double launch_scheduler_warps(const struct evidence *e)
{
    enum { SCHEDULERS = 4 }; /* per multiprocessor, since compute capability 5.0 */
    return e->blocks_sm * ceil(e->threads / 32) / SCHEDULERS * fmin(e->waves, 1);
}

double launch_local_sectors(const struct evidence *e)
{
    return e->local_load_sectors + e->local_store_sectors;
}

double launch_all_sectors(const struct evidence *e)
{
    return e->global_load_sectors + e->global_store_sectors + or_zero(launch_local_sectors(e)) +
           or_zero(e->atomic_sectors);
}

double launch_loop_accesses(const struct evidence *e)
{
    return e->loop_global_loads + e->loop_shared_loads + e->loop_stores + or_zero(e->loop_local_accesses) +
           or_zero(e->loop_async_copies);
}

double launch_loop_operations(const struct evidence *e)
{
    return launch_loop_accesses(e) + e->loop_fma + or_zero(e->loop_tensor) + or_zero(e->loop_transcendental) +
           or_zero(e->loop_texture) + or_zero(e->loop_atomics) + or_zero(e->loop_shared_atomics) +
           or_zero(e->loop_constant_indexed);
}

double launch_loop_work(const struct evidence *e)
{
    return e->loop_instructions - e->loop_control;
}

double launch_barrier_rate(const struct evidence *e)
{
    return e->loop_barriers / launch_loop_work(e);
}

double launch_dependence(const struct evidence *e)
{
    return e->loop_chain_cycles / launch_loop_work(e);
}
