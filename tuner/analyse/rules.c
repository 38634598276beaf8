#include "analyse/rules.h"

#include <math.h>

/* Comparisons with an unknown number, NaN, are false: conditions are written so that a rule then does not apply. */

static double positive(double share)
{
    return share > 0 ? fmin(share, 1) : 0;
}

static double known(double value)
{
    return isnan(value) ? 0 : value;
}

/* ---- Derived numbers of a launch
 * -------------------------------------------------------------------------------------- */

/* Cycles of all multiprocessors while they are active. */
static double active_cycles(const struct evidence *e)
{
    return e->cycles * e->sm_count * (isnan(e->sm_active) ? 1 : e->sm_active);
}

/* Cycles that a warp spends per instruction: one to issue it, and the waits. */
static double warp_cycles(const struct evidence *e)
{
    return 1 + e->stall_long_scoreboard + known(e->stall_short_scoreboard) + known(e->stall_barrier) +
           known(e->stall_wait) + known(e->stall_math) + known(e->stall_lg) + known(e->stall_mio) +
           known(e->stall_tex) + known(e->stall_imc) + known(e->stall_no_instruction) + known(e->stall_branch) +
           known(e->stall_drain) + known(e->stall_membar) + known(e->stall_sleeping) + known(e->stall_dispatch) +
           known(e->stall_not_selected) + known(e->stall_gmma);
}

/* The share of the time of its warps that a wait takes. */
static double stall_share(const struct evidence *e, double stall)
{
    return stall / warp_cycles(e);
}

static double memory_wait(const struct evidence *e)
{
    return stall_share(e, e->stall_long_scoreboard + known(e->stall_lg) + known(e->stall_tex) + known(e->stall_drain));
}

static double shared_wait(const struct evidence *e)
{
    return stall_share(e, e->stall_short_scoreboard + known(e->stall_mio));
}

static double constant_wait(const struct evidence *e)
{
    return stall_share(e, e->stall_short_scoreboard + known(e->stall_mio) + known(e->stall_imc));
}

static double copy_wait(const struct evidence *e)
{
    return stall_share(e, e->stall_long_scoreboard + known(e->stall_barrier) + known(e->stall_short_scoreboard) +
                              known(e->stall_mio));
}

static double results_wait(const struct evidence *e)
{
    return stall_share(e, e->stall_long_scoreboard + known(e->stall_wait) + known(e->stall_short_scoreboard));
}

static double barrier_wait(const struct evidence *e)
{
    return stall_share(e, e->stall_barrier);
}

/* The share of the slow launch's time by which one wait is longer there. */
static double longer_wait(const struct rule_pair *pair, double (*wait)(const struct evidence *e))
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    return wait(s) - wait(f) * (f->cycles / s->cycles);
}

/* The use of the busiest resource: what remains of the time if every wait vanishes. */
static double busiest(const struct evidence *e)
{
    double pipes = fmax(fmax(fmax(e->fma_pipe, e->alu_pipe), fmax(e->fp64_pipe, e->xu_pipe)),
                        fmax(fmax(e->lsu_pipe, e->tensor_pipe), fmax(e->issue_active, e->l1_busy)));
    return fmax(fmax(e->dram_busy, e->l2_busy), pipes * (isnan(e->sm_active) ? 1 : e->sm_active));
}

/* The share of the time that the memory of the device, with its caches, takes. */
static double memory_bound(const struct evidence *e)
{
    return fmax(fmax(e->dram_busy, e->l2_busy), fmax(e->l1_busy, memory_wait(e)));
}

/* Resident warps over the most that the device holds, idle multiprocessors included. */
static double resident(const struct evidence *e)
{
    return e->warps_active * (isnan(e->sm_active) ? 1 : e->sm_active);
}

/* The same as the launch allows, before its last blocks. */
static double resident_possible(const struct evidence *e)
{
    return e->occupancy * fmin(e->waves, 1);
}

static double local_sectors(const struct evidence *e)
{
    return e->local_load_sectors + e->local_store_sectors;
}

static double all_sectors(const struct evidence *e)
{
    return e->global_load_sectors + e->global_store_sectors + known(local_sectors(e)) + known(e->atomic_sectors);
}

/* Bytes that a load or store instruction of the machine code moves per thread. */
static double access_bytes(const struct evidence *e)
{
    return (e->code_global_load_bytes + e->code_global_store_bytes + e->code_shared_load_bytes +
            e->code_shared_store_bytes) /
           (e->code_global_loads + e->code_global_stores + e->code_shared_loads + e->code_shared_stores);
}

/* Instructions of the hottest loop that do its work: accesses and floating-point operations, or the chain of results
 * from one iteration to the next where its work is that of integers. */
static double useful(const struct evidence *e)
{
    return fmax(e->loop_global_loads + e->loop_shared_loads + e->loop_stores + e->loop_fma + e->loop_tensor,
                e->loop_chain);
}

/* Instructions of the loop per useful one. */
static double loop_size(const struct evidence *e)
{
    return e->loop_instructions / useful(e);
}

static double barrier_rate(const struct evidence *e)
{
    return e->loop_barriers / useful(e);
}

/* The part of the loop whose instructions wait for each other. */
static double dependence(const struct evidence *e)
{
    return e->loop_chain / e->loop_instructions;
}

/* ---- Accesses to global memory
 * ---------------------------------------------------------------------------------------- */

enum { SECTOR_BYTES = 32, LINE_SECTORS = 4 };

/* Requests of one kind. */
struct accesses {
    double requests, sectors;
    double needed; /* sectors per request that its bytes fill */
    double excess; /* further sectors per request */
};

static struct accesses accesses_of(double requests, double sectors, double used_bytes)
{
    struct accesses accesses = {requests, sectors, NAN, NAN};
    double per_request = sectors / requests;
    accesses.needed = fmax(1, per_request * fmin(used_bytes, SECTOR_BYTES) / SECTOR_BYTES);
    if (isnan(per_request) || isnan(used_bytes))
        accesses.needed = NAN;
    accesses.excess = per_request - accesses.needed;
    return accesses;
}

static struct accesses loads(const struct evidence *e)
{
    return accesses_of(e->global_load_requests, e->global_load_sectors, e->global_load_used_bytes);
}

static struct accesses stores(const struct evidence *e)
{
    return accesses_of(e->global_store_requests, e->global_store_sectors, e->global_store_used_bytes);
}

/* A warp that begins within a sector touches one more than its bytes fill; other patterns touch more. */
static const double misaligned_most = 1.05;

static bool wasteful(const struct accesses *slow, const struct accesses *fast, double threshold)
{
    double wasted_fast = known(fast->excess * fast->requests);
    return slow->excess / (slow->needed + slow->excess) >= threshold &&
           slow->excess * slow->requests > 1.3 * wasted_fast;
}

static double uncoalesced(const struct rule_pair *pair, double threshold,
                          struct accesses (*of)(const struct evidence *))
{
    struct accesses slow = of(pair->slow), fast = of(pair->fast);
    if (!wasteful(&slow, &fast, threshold) || !(slow.excess > misaligned_most))
        return 0;
    double wasted = slow.excess * slow.requests - known(fast.excess * fast.requests);
    return positive(wasted / all_sectors(pair->slow) * memory_bound(pair->slow));
}

/* Threshold: the share of the sectors that carry nothing needed. */
static double uncoalesced_load_counters(const struct rule_pair *pair, double threshold)
{
    return uncoalesced(pair, threshold, loads);
}

static double uncoalesced_store_counters(const struct rule_pair *pair, double threshold)
{
    return uncoalesced(pair, threshold, stores);
}

/* A misaligned request takes a further line of L1, too, whose tag takes a cycle like each of the others. */
static double misaligned_kind(const struct rule_pair *pair, double threshold,
                              struct accesses (*of)(const struct evidence *))
{
    struct accesses slow = of(pair->slow), fast = of(pair->fast);
    if (!wasteful(&slow, &fast, threshold) || slow.excess > misaligned_most)
        return 0;
    double lines = fmax(1, slow.needed / LINE_SECTORS), excess = slow.excess - known(fast.excess);
    double sectors = loads(pair->slow).sectors + stores(pair->slow).sectors;
    return excess / (lines + excess) * slow.sectors / sectors;
}

/* Threshold: likewise; a fifth for warps that load 4 bytes a thread, a ninth for 8 bytes. */
static double misaligned_counters(const struct rule_pair *pair, double threshold)
{
    return positive((misaligned_kind(pair, threshold, loads) + misaligned_kind(pair, threshold, stores)) *
                    memory_bound(pair->slow));
}

/* How many times wider the accesses of the fast one are: by the machine code, which knows a thread's share, or by the
 * bytes of a request, if as many threads take part. */
static double wider(const struct rule_pair *pair, double slow_width, double fast_width, double slow_lanes,
                    double fast_lanes)
{
    double by_code = fast_width / slow_width, by_requests = fast_lanes / slow_lanes;
    bool same_threads = pair->slow->threads_per_instruction / pair->fast->threads_per_instruction > 0.85;
    return fmax(known(by_code), same_threads ? known(by_requests) : 0);
}

struct narrow_kind {
    double slow_width, fast_width;       /* bytes a thread */
    double slow_requests, fast_requests; /* instructions executed */
    double slow_bytes, fast_bytes;       /* of a request; NaN: unknown */
    double bound;                        /* share of the time that such accesses take at most */
};

static double narrow_cost(const struct rule_pair *pair, double threshold, const struct narrow_kind *kind)
{
    double width = wider(pair, kind->slow_width, kind->fast_width, kind->slow_bytes, kind->fast_bytes);
    double requests = kind->slow_requests / kind->fast_requests;
    if (!(width >= threshold) || !(requests >= threshold))
        return 0;
    return positive((1 - 1 / fmin(width, requests)) * kind->bound);
}

/* Threshold: how many times wider the accesses of the fast one are, and how many times more requests the slow one has.
 */
static double narrow_access_counters(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    double memory = memory_bound(s),
           shared = fmax(fmax(s->l1_busy, s->lsu_pipe), fmax(s->issue_active, shared_wait(s)));
    const struct narrow_kind kinds[] = {
        {s->code_global_load_bytes / s->code_global_loads, f->code_global_load_bytes / f->code_global_loads,
         s->global_load_requests, f->global_load_requests, loads(s).needed, loads(f).needed, memory},
        {s->code_global_store_bytes / s->code_global_stores, f->code_global_store_bytes / f->code_global_stores,
         s->global_store_requests, f->global_store_requests, stores(s).needed, stores(f).needed, memory},
        {s->code_shared_load_bytes / s->code_shared_loads, f->code_shared_load_bytes / f->code_shared_loads,
         s->shared_loads, f->shared_loads, NAN, NAN, shared},
        {s->code_shared_store_bytes / s->code_shared_stores, f->code_shared_store_bytes / f->code_shared_stores,
         s->shared_stores, f->shared_stores, NAN, NAN, shared},
    };
    double cost = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        cost = fmax(cost, narrow_cost(pair, threshold, &kinds[i]));
    return cost;
}

static double narrow_access_code(const struct rule_pair *pair, double threshold)
{
    double width = access_bytes(pair->fast) / access_bytes(pair->slow);
    return width >= threshold ? 1 - 1 / width : 0;
}

/* ---- Other accesses
 * --------------------------------------------------------------------------------------------------- */

static double conflicts(const struct rule_pair *pair, double threshold, double slow, double fast, double slow_accesses,
                        double fast_accesses)
{
    double fast_ways = fast_accesses > 0 ? fast / fast_accesses : 0;
    if (!(slow / slow_accesses - fast_ways >= threshold))
        return 0;
    return positive((slow - fast) / active_cycles(pair->slow));
}

/* Threshold: extra cycles per access. */
static double bank_conflicts_load_counters(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    return conflicts(pair, threshold, s->shared_load_conflicts, f->shared_load_conflicts, s->shared_loads,
                     f->shared_loads);
}

static double bank_conflicts_store_counters(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    return conflicts(pair, threshold, s->shared_store_conflicts, f->shared_store_conflicts, s->shared_stores,
                     f->shared_stores);
}

/* Each byte of the stack that is for a spilled register is stored at least once, by a spill store. */
static bool by_spills(const struct rule_pair *pair)
{
    double stack = pair->slow->local_bytes - pair->fast->local_bytes;
    double spills = pair->slow->spill_store_bytes - pair->fast->spill_store_bytes;
    return spills > 0 && !(stack > spills + 16);
}

static double local_cost(const struct rule_pair *pair, double threshold)
{
    double slow = local_sectors(pair->slow), fast = local_sectors(pair->fast);
    if (!(slow > 0) || !(slow >= threshold * fast))
        return 0;
    return positive((slow - fast) / all_sectors(pair->slow) * memory_bound(pair->slow));
}

/* Threshold: how many times more local sectors the slow one has. */
static double spills_counters(const struct rule_pair *pair, double threshold)
{
    return by_spills(pair) ? local_cost(pair, threshold) : 0;
}

static double local_array_counters(const struct rule_pair *pair, double threshold)
{
    bool array = pair->slow->local_bytes > pair->fast->local_bytes && !by_spills(pair);
    return array ? local_cost(pair, threshold) : 0;
}

/* Static evidence shows that they are there, not what they cost. */
static const double code_strength = 0.5;

static double spills_code(const struct rule_pair *pair, double threshold)
{
    double slow = pair->slow->spill_store_bytes + pair->slow->spill_load_bytes;
    double fast = pair->fast->spill_store_bytes + pair->fast->spill_load_bytes;
    return by_spills(pair) && slow >= threshold * fast ? code_strength : 0;
}

static double local_array_code(const struct rule_pair *pair, double threshold)
{
    bool array = pair->slow->local_bytes >= threshold * pair->fast->local_bytes && pair->slow->local_bytes > 0;
    return array && !by_spills(pair) ? code_strength : 0;
}

/* Active threads of an instruction over the threads that its warp has. */
static double lanes(const struct evidence *e)
{
    return e->threads_per_instruction / (e->threads / ceil(e->threads / 32));
}

/* Threshold: active threads of the slow one over those of the fast one. */
static double divergence_counters(const struct rule_pair *pair, double threshold)
{
    double ratio = lanes(pair->slow) / lanes(pair->fast);
    return ratio <= threshold ? positive(1 - ratio) : 0;
}

static double dram_bytes(const struct evidence *e)
{
    return e->dram_read_bytes + e->dram_write_bytes;
}

/* Threshold: how many times more bytes come from device memory, although the multiprocessors request as many. */
static double l2_capacity_counters(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    double more = dram_bytes(s) / dram_bytes(f), requested = s->l2_bytes / f->l2_bytes;
    if (!(more >= threshold) || !(requested > 0.75 && requested < 1.33) || !(s->l2_hits <= f->l2_hits - 0.05))
        return 0;
    return positive((1 - 1 / more) * fmax(s->dram_busy, memory_wait(s)));
}

/* Threshold: the share of the time in which the busiest atomic unit works, or shared memory repeats atomics. */
static double atomics_contention_counters(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    double global = (s->atomic_cycles_most - known(f->atomic_cycles_most)) / s->cycles;
    double shared = (s->shared_atomic_conflicts - known(f->shared_atomic_conflicts)) / active_cycles(s);
    double cost = fmax(s->atomic_requests > 0 ? known(global) : 0, known(shared));
    return cost >= threshold ? positive(cost) : 0;
}

static double atomics_contention_code(const struct rule_pair *pair, double threshold)
{
    double slow = pair->slow->code_atomics + pair->slow->code_shared_atomics;
    double fast = pair->fast->code_atomics + pair->fast->code_shared_atomics;
    (void)threshold;
    return slow > 0 && fast == 0 ? code_strength : 0;
}

/* Threshold: replays per request. */
static double constant_serialised_counters(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    double fast = f->constant_requests > 0 ? f->constant_replays / f->constant_requests : 0;
    if (!(s->constant_replays / s->constant_requests - fast >= threshold))
        return 0;
    double replays = (s->constant_replays - f->constant_replays) / active_cycles(s);
    return positive(fmax(replays, longer_wait(pair, constant_wait)));
}

static double constant_serialised_code(const struct rule_pair *pair, double threshold)
{
    (void)threshold;
    return pair->slow->code_constant_indexed > 0 && pair->fast->code_constant_indexed == 0 ? code_strength : 0;
}

/* A texture access of a warp takes the pipe for 8 cycles: 4 threads a cycle (Nsight Compute documentation, Hardware
 * Model: a quad). */
static const double texture_cycles = 8;

/* Threshold: how many times more texture accesses the slow one has. */
static double texture_counters(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    double more = s->texture_requests - f->texture_requests;
    if (!(s->texture_requests >= threshold * f->texture_requests) || !(more > 0))
        return 0;
    return positive(fmax(more * texture_cycles / active_cycles(s), stall_share(s, s->stall_tex)));
}

static double texture_code(const struct rule_pair *pair, double threshold)
{
    double slow = pair->slow->code_texture, fast = pair->fast->code_texture;
    return slow > 0 && slow >= threshold * fast ? code_strength : 0;
}

/* ---- The shape of the launch
 * ------------------------------------------------------------------------------------------ */

/* What more resident warps can win: throughput follows them until a resource is full (Little's law). */
static double by_residence(const struct rule_pair *pair, double ratio)
{
    return positive(1 - fmax(ratio, known(busiest(pair->slow))));
}

/* Threshold: resident warps of the slow one over those of the fast one, or active multiprocessors. */
static double few_blocks_counters(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    double ratio = resident(s) / resident(f), active = s->sm_active / f->sm_active;
    if (!(s->waves < 1) || !(s->blocks < f->blocks))
        return 0;
    return fmax(ratio <= threshold ? by_residence(pair, ratio) : 0, active <= threshold ? positive(1 - active) : 0);
}

static double few_blocks_code(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    double ratio = resident_possible(s) / resident_possible(f);
    double active = fmin(s->blocks / s->sm_count, 1) / fmin(f->blocks / f->sm_count, 1);
    if (!(s->waves < 1) || !(s->blocks < f->blocks))
        return 0;
    return fmin(ratio, active) <= threshold ? positive(1 - fmin(ratio, active)) : 0;
}

/* The share of the waves that is full. */
static double filled(const struct evidence *e)
{
    return e->waves > 1 ? e->waves / ceil(e->waves) : 1;
}

/* Threshold: by how much the share of filled waves differs. */
static double tail_code(const struct rule_pair *pair, double threshold)
{
    double slow = filled(pair->slow), fast = filled(pair->fast);
    return fast - slow >= threshold ? positive(1 - slow / fast) : 0;
}

/* Counters show how long the device is not full. */
static double tail_counters(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    double empty = 1 - resident(s) / resident_possible(s) / (resident(f) / resident_possible(f));
    double cost = tail_code(pair, threshold);
    return isnan(empty) ? cost : fmin(cost, positive(empty));
}

enum limiter { BY_NOTHING, BY_REGISTERS, BY_SHARED, BY_BLOCK_SIZE };

/* Resident threads of a multiprocessor if blocks of the slow one had so many threads and resources allowed so many
 * blocks.
 */
static double residents(double threads, double by_registers, double by_shared, double by_warps, double most)
{
    return threads * fmin(fmin(floor(by_registers), floor(by_shared)), fmin(floor(by_warps), most));
}

/* What most increases the resident warps of the slow one: the registers, the shared memory, or the block size of the
 * fast one. */
static enum limiter limiter(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    if (!(s->waves >= 1) || !(resident_possible(s) / resident_possible(f) <= threshold))
        return BY_NOTHING;
    double registers = s->blocks_sm_registers, shared = s->blocks_sm_shared, warps = s->blocks_sm_warps;
    double most = s->blocks_sm_most, fewer = f->blocks_sm_registers * f->threads / s->threads;
    double smaller = f->blocks_sm_registers * f->registers / s->registers;
    const double now = residents(s->threads, registers, shared, warps, most);
    const double with[] = {[BY_NOTHING] = 1.05 * now,
                           [BY_REGISTERS] = residents(s->threads, fewer, shared, warps, most),
                           [BY_SHARED] = residents(s->threads, registers, f->blocks_sm_shared, warps, most),
                           [BY_BLOCK_SIZE] = residents(f->threads, smaller, shared, f->blocks_sm_warps, most)};
    enum limiter best = BY_NOTHING;
    for (enum limiter by = BY_REGISTERS; by <= BY_BLOCK_SIZE; by++)
        if (with[by] > with[best])
            best = by;
    return best;
}

static double occupancy_counters(const struct rule_pair *pair, double threshold, enum limiter of)
{
    double ratio = resident(pair->slow) / resident(pair->fast);
    return limiter(pair, threshold) == of && ratio <= 0.95 ? by_residence(pair, ratio) : 0;
}

static double occupancy_code(const struct rule_pair *pair, double threshold, enum limiter of)
{
    double ratio = resident_possible(pair->slow) / resident_possible(pair->fast);
    return limiter(pair, threshold) == of ? positive(1 - ratio) : 0;
}

/* Threshold: possible resident warps of the slow one over those of the fast one. */
static double occupancy_registers_counters(const struct rule_pair *pair, double threshold)
{
    return occupancy_counters(pair, threshold, BY_REGISTERS);
}

static double occupancy_registers_code(const struct rule_pair *pair, double threshold)
{
    return occupancy_code(pair, threshold, BY_REGISTERS);
}

static double occupancy_shared_counters(const struct rule_pair *pair, double threshold)
{
    return occupancy_counters(pair, threshold, BY_SHARED);
}

static double occupancy_shared_code(const struct rule_pair *pair, double threshold)
{
    return occupancy_code(pair, threshold, BY_SHARED);
}

static double occupancy_block_size_counters(const struct rule_pair *pair, double threshold)
{
    return occupancy_counters(pair, threshold, BY_BLOCK_SIZE);
}

static double occupancy_block_size_code(const struct rule_pair *pair, double threshold)
{
    return occupancy_code(pair, threshold, BY_BLOCK_SIZE);
}

/* ---- The order of the instructions
 * ------------------------------------------------------------------------------------ */

/* Threshold: how many times more asynchronous copies the fast one's code has. */
static bool copies_synchronous(const struct rule_pair *pair, double threshold)
{
    double slow = pair->slow->code_async_copies, fast = pair->fast->code_async_copies;
    return fast > slow && fast >= threshold * slow && pair->slow->code_shared_stores > 0;
}

static double synchronous_copies_counters(const struct rule_pair *pair, double threshold)
{
    return copies_synchronous(pair, threshold) ? positive(longer_wait(pair, copy_wait)) : 0;
}

static double synchronous_copies_code(const struct rule_pair *pair, double threshold)
{
    return copies_synchronous(pair, threshold) ? code_strength : 0;
}

/* A loop that does less work per iteration, with more instructions around it; or the fast one has fewer loops. */
static bool rolled(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    if (s->code_loops > 0 && f->code_loops == 0)
        return true;
    return useful(f) >= threshold * useful(s) && loop_size(s) > 1.05 * loop_size(f);
}

/* Threshold: how many times more work an iteration of the fast one does. The loop costs its instructions and the waits
 * that more independent work in an iteration shares. */
static double not_unrolled_counters(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    double more = 1 - f->instructions / s->instructions;
    if (!rolled(pair, threshold) || !(more >= 0.05))
        return 0;
    double shared = useful(f) > 0 ? 1 - useful(s) / useful(f) : 1;
    return positive(fmax(more, fmin(known(shared), 1) * longer_wait(pair, results_wait)));
}

static double not_unrolled_code(const struct rule_pair *pair, double threshold)
{
    return rolled(pair, threshold) ? code_strength : 0;
}

/* Threshold: the share of the time by which the slow one waits longer at barriers. */
static double barriers_counters(const struct rule_pair *pair, double threshold)
{
    double cost = longer_wait(pair, barrier_wait);
    return cost >= threshold ? positive(cost) : 0;
}

static double barriers_code(const struct rule_pair *pair, double threshold)
{
    (void)threshold;
    double slow = barrier_rate(pair->slow), fast = barrier_rate(pair->fast);
    return slow > 0 && slow >= 1.5 * fast ? code_strength : 0;
}

static bool alike(double a, double b)
{
    return (a == 0 && b == 0) || (a / b > 0.8 && a / b < 1.25);
}

/* Below it other warps and instructions hide the latency: an FP32 result takes four cycles. */
static const double dependence_least = 0.25;

static bool chained(const struct rule_pair *pair, double threshold)
{
    double slow = dependence(pair->slow), fast = dependence(pair->fast);
    return slow >= dependence_least && slow >= threshold * fast;
}

/* Threshold: how many times longer the chain per instruction is in the slow one's code. Where the machine code does not
 * show the chain, as that of loads, the rule applies if both execute and move the same with as many warps. */
static double serial_dependence_counters(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    bool same = alike(s->instructions, f->instructions) && alike(s->global_load_requests, f->global_load_requests) &&
                alike(s->global_load_sectors, f->global_load_sectors) && alike(s->l2_bytes, f->l2_bytes) &&
                resident(s) / resident(f) > 0.85;
    bool shown = chained(pair, threshold) && alike(s->instructions, f->instructions);
    return same || shown ? positive(longer_wait(pair, results_wait)) : 0;
}

static double serial_dependence_code(const struct rule_pair *pair, double threshold)
{
    return chained(pair, threshold) ? code_strength : 0;
}

/* ---- The table
 * -------------------------------------------------------------------------------------------------------- */

#define RULE(id, kind, decided, threshold, title, gone, what, unit, of, code_what, code_unit, code_of, source)         \
    static double id##_shown(const struct evidence *e)                                                                 \
    {                                                                                                                  \
        return of;                                                                                                     \
    }                                                                                                                  \
    static double id##_code_shown(const struct evidence *e)                                                            \
    {                                                                                                                  \
        (void)e;                                                                                                       \
        return code_of;                                                                                                \
    }
#include "analyse/rules.def"
#undef RULE

#define CODE(id)     id##_code
#define COUNTERS(id) NULL

const struct rule rule_rows[CAUSE_COUNT] = {
#define RULE(id, kind, decided, threshold, title, gone, what, unit, of, code_what, code_unit, code_of, source)         \
    {#id,                                                                                                              \
     title,                                                                                                            \
     gone,                                                                                                             \
     source,                                                                                                           \
     RULE_##kind,                                                                                                      \
     threshold,                                                                                                        \
     {what, RULE_##unit, id##_shown},                                                                                  \
     {code_what, RULE_##code_unit, id##_code_shown},                                                                   \
     id##_counters,                                                                                                    \
     decided(id)},
#include "analyse/rules.def"
#undef RULE
};

double rule_strength(const struct rule *rule, const struct rule_pair *pair, bool counted)
{
    double (*of)(const struct rule_pair *, double) = counted ? rule->by_counters : rule->by_code;
    double strength = of ? of(pair, rule->threshold) : 0;
    return strength > 0 ? strength : 0;
}
