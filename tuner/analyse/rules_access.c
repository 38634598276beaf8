/* Rules of the kind ACCESS: how memory is accessed and how threads execute. */
#include "analyse/launch_numbers.h"
#include "analyse/rule_functions.h"

#include <math.h>

/* ---- Accesses to global memory ---- */

enum { SECTOR_BYTES = 32, LINE_SECTORS = 4 };

/* Requests of one kind. */
struct accesses {
    double requests, sectors;
    double needed; /* sectors per request that the used bytes fill */
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

/* Maximum excess by misalignment: a warp that begins within a sector touches one sector more than its bytes fill; other
 * patterns touch more. */
static const double misaligned_most = 1.05;

static bool wasteful(const struct accesses *slow, const struct accesses *fast, double threshold)
{
    double wasted_fast = or_zero(fast->excess * fast->requests);
    return slow->excess / (slow->needed + slow->excess) >= threshold &&
           slow->excess * slow->requests > 1.3 * wasted_fast;
}

static double uncoalesced(const struct rule_pair *pair, double threshold,
                          struct accesses (*of)(const struct evidence *))
{
    struct accesses slow = of(pair->slow), fast = of(pair->fast);
    if (!wasteful(&slow, &fast, threshold) || !(slow.excess > misaligned_most))
        return 0;
    double wasted = slow.excess * slow.requests - or_zero(fast.excess * fast.requests);
    return share_of(wasted / launch_all_sectors(pair->slow) * launch_memory_bound(pair->slow));
}

/* Threshold: the wasted share of the sectors. */
double rule_uncoalesced_load_counters(const struct rule_pair *pair, double threshold)
{
    return uncoalesced(pair, threshold, loads);
}

double rule_uncoalesced_store_counters(const struct rule_pair *pair, double threshold)
{
    return uncoalesced(pair, threshold, stores);
}

/* Above this ratio of requests, slow over fast, the fast one does less work. */
static const double same_data = 1.5;

/* Returns the share of the memory time. A misaligned request also takes a further line of L1, whose tag takes a cycle
 * like each of the others. Fewer requests mean less work, whatever their alignment. */
static double misaligned_kind(const struct rule_pair *pair, double threshold,
                              struct accesses (*of)(const struct evidence *))
{
    struct accesses slow = of(pair->slow), fast = of(pair->fast);
    if (!wasteful(&slow, &fast, threshold) || slow.excess > misaligned_most ||
        slow.requests > same_data * fast.requests)
        return 0;
    double lines = fmax(1, slow.needed / LINE_SECTORS), excess = slow.excess - or_zero(fast.excess);
    double sectors = loads(pair->slow).sectors + stores(pair->slow).sectors;
    return excess / (lines + excess) * slow.sectors / sectors;
}

/* Threshold: as above; a fifth for warps that load 4 bytes a thread, a ninth for 8 bytes. */
double rule_misaligned_counters(const struct rule_pair *pair, double threshold)
{
    return share_of((misaligned_kind(pair, threshold, loads) + misaligned_kind(pair, threshold, stores)) *
                    launch_memory_bound(pair->slow));
}

/* Returns the ratio of the widths, fast over slow; 1 if the fast one has more accesses, as an unrolled loop. NaN:
 * unknown. */
static double widened(double slow_bytes, double slow_count, double fast_bytes, double fast_count)
{
    if (isnan(slow_count) || isnan(fast_count))
        return NAN;
    return fast_count <= slow_count ? fast_bytes / fast_count / (slow_bytes / slow_count) : 1;
}

static double wider_global_loads(const struct rule_pair *pair)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    return fmax(
        widened(s->loop_global_load_bytes, s->loop_global_loads, f->loop_global_load_bytes, f->loop_global_loads),
        widened(s->code_global_load_bytes, s->code_global_loads, f->code_global_load_bytes, f->code_global_loads));
}

static double wider_shared_loads(const struct rule_pair *pair)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    bool loop = s->loop_shared_loads > 0 && f->loop_shared_loads > 0;
    return loop ? widened(s->loop_shared_load_bytes, s->loop_shared_loads, f->loop_shared_load_bytes,
                          f->loop_shared_loads)
                : widened(s->code_shared_load_bytes, s->code_shared_loads, f->code_shared_load_bytes,
                          f->code_shared_loads);
}

/* Returns the same ratio by the machine code, which shows a thread's share, else by the bytes of a request, if equally
 * many threads take part. */
static double wider(const struct rule_pair *pair, double by_code, double slow_bytes, double fast_bytes)
{
    bool same_threads = pair->slow->threads_per_instruction / pair->fast->threads_per_instruction > 0.85;
    if (!isnan(by_code))
        return by_code;
    return same_threads ? fast_bytes / slow_bytes : 1;
}

struct narrow_kind {
    double width;                        /* ratio of the widths by the machine code; NaN: unknown */
    double slow_requests, fast_requests; /* instructions executed */
    double slow_bytes, fast_bytes;       /* of a request; NaN: unknown */
    double most;                         /* upper limit of the share of the time that they cost */
};

static double narrow_cost(const struct rule_pair *pair, double threshold, const struct narrow_kind *kind)
{
    double width = wider(pair, kind->width, kind->slow_bytes, kind->fast_bytes);
    double requests = kind->slow_requests / kind->fast_requests;
    if (!(width >= threshold) || !(requests >= threshold) || !(requests <= same_data * width))
        return 0;
    return (1 - 1 / fmin(width, requests)) * share_of(kind->most);
}

/* The costs of narrow accesses. Those to memory have fewer bytes in flight: the time that no resource uses counts for
 * them, by their share of these accesses. All of them keep the pipe of loads and stores and the issue busy longer, by
 * their share of all accesses. */
struct narrow_costs {
    double in_flight, issue, shared;
    double memory_requests, requests;
};

static struct narrow_costs narrow_costs(const struct rule_pair *pair)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    double issue =
        fmax(pair_longer(pair, s->lsu_pipe, f->lsu_pipe), pair_longer(pair, s->issue_active, f->issue_active));
    double shared = fmax(pair_longer(pair, s->l1_busy, f->l1_busy), pair_longer_wait(pair, launch_shared_wait));
    double memory_requests = or_zero(s->global_load_requests) + or_zero(s->global_store_requests);
    return (struct narrow_costs){1 - or_zero(launch_busiest(s)), issue, fmax(issue, shared), memory_requests,
                                 memory_requests + or_zero(s->shared_loads) + or_zero(s->shared_stores)};
}

/* Returns the maximum cost of accesses that make `requests` of all requests. */
static double memory_most(const struct narrow_costs *costs, double requests)
{
    return fmax(or_zero(costs->issue) * requests / costs->requests,
                costs->in_flight * requests / costs->memory_requests);
}

static double shared_most(const struct narrow_costs *costs, double requests)
{
    return costs->shared * requests / costs->requests;
}

/* Threshold: how many times wider the accesses of the fast one are, and how many times more requests the slow one has.
 */
double rule_narrow_access_counters(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    const struct narrow_costs costs = narrow_costs(pair);
    const struct narrow_kind kinds[] = {
        {wider_global_loads(pair), s->global_load_requests, f->global_load_requests, loads(s).needed, loads(f).needed,
         memory_most(&costs, s->global_load_requests)},
        {widened(s->code_global_store_bytes, s->code_global_stores, f->code_global_store_bytes, f->code_global_stores),
         s->global_store_requests, f->global_store_requests, stores(s).needed, stores(f).needed,
         memory_most(&costs, s->global_store_requests)},
        {wider_shared_loads(pair), s->shared_loads, f->shared_loads, NAN, NAN, shared_most(&costs, s->shared_loads)},
        {widened(s->code_shared_store_bytes, s->code_shared_stores, f->code_shared_store_bytes, f->code_shared_stores),
         s->shared_stores, f->shared_stores, NAN, NAN, shared_most(&costs, s->shared_stores)},
    };
    double cost = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        cost += narrow_cost(pair, threshold, &kinds[i]);
    return share_of(cost);
}

/* Threshold: as above, for loads in the hottest loop or in all the code, or for stores. */
double rule_narrow_access_code(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    const double widths[] = {
        wider_global_loads(pair),
        wider_shared_loads(pair),
        widened(s->code_global_store_bytes, s->code_global_stores, f->code_global_store_bytes, f->code_global_stores),
    };
    double width = 1;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        width = fmax(width, widths[i]);
    return width >= threshold ? 1 - 1 / width : 0;
}

/* ---- Other accesses ---- */

static double conflicts(const struct rule_pair *pair, double threshold, double slow, double fast, double slow_accesses,
                        double fast_accesses)
{
    double fast_ways = fast_accesses > 0 ? fast / fast_accesses : 0;
    if (!(slow / slow_accesses - fast_ways >= threshold))
        return 0;
    return share_of((slow - fast) / launch_active_cycles(pair->slow));
}

/* Threshold: extra cycles per access. */
double rule_bank_conflicts_load_counters(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    return conflicts(pair, threshold, s->shared_load_conflicts, f->shared_load_conflicts, s->shared_loads,
                     f->shared_loads);
}

double rule_bank_conflicts_store_counters(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    return conflicts(pair, threshold, s->shared_store_conflicts, f->shared_store_conflicts, s->shared_stores,
                     f->shared_stores);
}

/* True if spilled registers explain the stack: each of its bytes is stored at least once, by a spill store. */
static bool by_spills(const struct rule_pair *pair)
{
    double stack = pair->slow->local_bytes - pair->fast->local_bytes;
    double spills = pair->slow->spill_store_bytes - pair->fast->spill_store_bytes;
    return spills > 0 && !(stack > spills + 16);
}

static double local_cost(const struct rule_pair *pair, double threshold)
{
    double slow = launch_local_sectors(pair->slow), fast = launch_local_sectors(pair->fast);
    if (!(slow > 0) || !(slow >= threshold * fast))
        return 0;
    return share_of((slow - fast) / launch_all_sectors(pair->slow) * launch_memory_bound(pair->slow));
}

/* Threshold: how many times more local sectors the slow one has. */
double rule_spills_counters(const struct rule_pair *pair, double threshold)
{
    return by_spills(pair) ? local_cost(pair, threshold) : 0;
}

double rule_local_array_counters(const struct rule_pair *pair, double threshold)
{
    bool array = pair->slow->local_bytes > pair->fast->local_bytes && !by_spills(pair);
    return array ? local_cost(pair, threshold) : 0;
}

double rule_spills_code(const struct rule_pair *pair, double threshold)
{
    double slow = pair->slow->spill_store_bytes + pair->slow->spill_load_bytes;
    double fast = pair->fast->spill_store_bytes + pair->fast->spill_load_bytes;
    return by_spills(pair) && slow >= threshold * fast ? rule_code_strength : 0;
}

double rule_local_array_code(const struct rule_pair *pair, double threshold)
{
    bool array = pair->slow->local_bytes >= threshold * pair->fast->local_bytes && pair->slow->local_bytes > 0;
    return array && !by_spills(pair) ? rule_code_strength : 0;
}

/* Returns the active threads of an instruction over the threads of its warp. */
static double lanes(const struct evidence *e, double active)
{
    return active / (e->threads / ceil(e->threads / 32));
}

/* Ratio of threads with a true predicate, slow over fast, that also shows divergence: predicates replace branches and
 * leave threads active. Guards, in which few instructions differ, stay above it. */
static const double predicated_most = 0.6;

/* Threshold: active threads of the slow one over those of the fast one, including those with a false predicate. */
double rule_divergence_counters(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    double active = lanes(s, s->active_threads) / lanes(f, f->active_threads);
    double predicated = lanes(s, s->threads_per_instruction) / lanes(f, f->threads_per_instruction);
    if (!(active <= threshold) && !(predicated <= predicated_most))
        return 0;
    return share_of(1 - fmin(active, predicated));
}

static double dram_bytes(const struct evidence *e)
{
    return e->dram_read_bytes + e->dram_write_bytes;
}

/* Least differences of the L2 hit rates: among similar numbers of requests, and among equal ones. */
static const double hits_alike = 0.05, hits_same = 0.02;

/* True if both request as much: from L2, with fewer hits; or from the multiprocessors' own caches, which then request
 * more from L2. */
static bool same_requests(const struct rule_pair *pair)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    double of_l2 = s->l2_bytes / f->l2_bytes, of_l1 = launch_all_sectors(s) / launch_all_sectors(f);
    double fewer = of_l2 > 0.95 && of_l2 < 1.05 ? hits_same : hits_alike;
    return (of_l2 > 0.75 && of_l2 < 1.33 && s->l2_hits <= f->l2_hits - fewer) ||
           (of_l1 > 0.75 && of_l1 < 1.33 && of_l2 >= 1.33);
}

/* An L2 miss may fetch a second sector. */
static const double sectors_fetched = 2;

/* Threshold: how many times more bytes come from device memory for the same requests. Bytes for additional requests do
 * not count. */
double rule_l2_capacity_counters(const struct rule_pair *pair, double threshold)
{
    double added = pair->slow->l2_bytes / pair->fast->l2_bytes < 1.33 ? pair->slow->l2_bytes - pair->fast->l2_bytes : 0;
    double more = (dram_bytes(pair->slow) - sectors_fetched * fmax(0, added)) / dram_bytes(pair->fast);
    if (!(more >= threshold) || !same_requests(pair))
        return 0;
    return share_of((1 - 1 / more) * fmax(pair->slow->dram_busy, launch_memory_wait(pair->slow)));
}

/* Above this ratio of the busiest slice's cycles to the mean, atomics contend. One slice of L2 executes atomics on one
 * address one after the other, and each may take longer than the one cycle of the counter: floating-point additions
 * take 3.5 on an H200. */
static const double slices_unequal = 4;

static double global_contention(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    double busy = (s->atomic_cycles_most - or_zero(f->atomic_cycles_most)) / s->cycles;
    if (!(s->atomic_requests > 0) || !(busy >= threshold))
        return 0;
    bool unequal = s->atomic_cycles_most >= slices_unequal * s->atomic_cycles;
    return fmax(busy, unequal ? pair_longer_wait(pair, launch_memory_wait) : 0);
}

/* Threshold: the share of the time in which the busiest atomic unit works, or shared memory repeats atomics. */
double rule_atomics_contention_counters(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    double shared = (s->shared_atomic_conflicts - or_zero(f->shared_atomic_conflicts)) / launch_active_cycles(s);
    return share_of(fmax(global_contention(pair, threshold), shared >= threshold ? shared : 0));
}

/* True if all threads of the slow one execute atomics, and those of the fast one do not: its code or its hottest loop
 * has none. */
static bool atomics_gone(double slow, double fast, double slow_loop, double fast_loop)
{
    return slow > 0 && (fast == 0 || (slow_loop > 0 && fast_loop == 0));
}

double rule_atomics_contention_code(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    (void)threshold;
    bool gone =
        atomics_gone(s->code_atomics, f->code_atomics, s->loop_atomics, f->loop_atomics) ||
        atomics_gone(s->code_shared_atomics, f->code_shared_atomics, s->loop_shared_atomics, f->loop_shared_atomics);
    return gone ? rule_code_strength : 0;
}

/* Returns the replays of a load: each further address repeats the request. */
static double replays_per_load(const struct evidence *e)
{
    double loads = e->constant_requests - e->constant_replays;
    return e->constant_replays == 0 ? 0 : e->constant_replays / loads;
}

/* Threshold: replays per load. */
double rule_constant_serialised_counters(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    if (!(replays_per_load(s) - replays_per_load(f) >= threshold))
        return 0;
    double replays = (s->constant_replays - f->constant_replays) / launch_active_cycles(s);
    return share_of(fmax(replays, pair_longer_wait(pair, launch_constant_wait)));
}

/* An unrolled loop with constants in its instructions is no evidence: loads at one address by all threads are as
 * fast. */
double rule_constant_serialised_code(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    bool unrolled = f->code_loops < s->code_loops;
    (void)threshold;
    return s->code_constant_indexed > 0 && f->code_constant_indexed == 0 && !unrolled ? rule_code_strength : 0;
}

/* Cycles of the pipe for a texture access of a warp: 4 threads a cycle (Nsight Compute documentation, Hardware Model: a
 * quad). */
static const double texture_cycles = 8;

/* Threshold: how many times more texture accesses the slow one has. */
double rule_texture_counters(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    double more = s->texture_requests - f->texture_requests;
    if (!(s->texture_requests >= threshold * f->texture_requests) || !(more > 0))
        return 0;
    return share_of(fmax(more * texture_cycles / launch_active_cycles(s), launch_stall_share(s, s->stall_tex)));
}

double rule_texture_code(const struct rule_pair *pair, double threshold)
{
    double slow = pair->slow->code_texture, fast = pair->fast->code_texture;
    return slow > 0 && slow >= threshold * fast ? rule_code_strength : 0;
}
