/* Rules of the kind ORDER: the order in which a thread works. */
#include "analyse/launch_numbers.h"
#include "analyse/rule_functions.h"

#include <math.h>

/* Limits the cost of waiting: a resource that binds takes its time whatever the threads wait for. */
static double by_waiting(const struct rule_pair *pair, double longer)
{
    return fmin(longer, 1 - or_zero(launch_busiest(pair->slow)));
}

/* ---- The order of the instructions ---- */

/* Threshold: how many times more asynchronous copies the fast one has, in its code or executed. */
static bool copies_synchronous(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    bool by_code =
        f->code_async_copies > s->code_async_copies && f->code_async_copies >= threshold * s->code_async_copies;
    bool counted = f->async_copies > s->async_copies && f->async_copies >= threshold * s->async_copies;
    return (by_code || counted) && (s->code_shared_stores > 0 || s->shared_stores > 0);
}

double rule_synchronous_copies_counters(const struct rule_pair *pair, double threshold)
{
    return copies_synchronous(pair, threshold) ? share_of(by_waiting(pair, pair_longer_wait(pair, launch_copy_wait)))
                                               : 0;
}

double rule_synchronous_copies_code(const struct rule_pair *pair, double threshold)
{
    return copies_synchronous(pair, threshold) ? rule_code_strength : 0;
}

/* Cycles of the longest dependence chain per instruction of the loop. From the first number on, any chain binds; from
 * the second, one that is longer than the chain of a loop's addresses: two integer additions and a move. */
static const double dependence_most = 2, dependence_least = 1, address_cycles = 12;

/* Least instructions of code without a loop: it waits once for each result, so short code is irrelevant. */
static const double straight_least = 100;

static bool repeats(const struct evidence *e)
{
    return e->code_loops > 0 || launch_loop_work(e) >= straight_least;
}

/* True if the fast one does at least as much work within a chain that is not longer. */
static bool chained(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    double slow = launch_dependence(s), fast = launch_dependence(f);
    bool binds = slow >= dependence_most || (slow >= dependence_least && s->loop_chain_cycles >= address_cycles);
    return repeats(s) && repeats(f) && binds && slow >= threshold * fast &&
           f->loop_chain_cycles <= 1.1 * s->loop_chain_cycles;
}

/* Least ratio of the loop's instructions for the same work. */
static const double rolled_least = 1.3;

/* True if a loop of the slow one is gone: the fast one has its operations and accesses one after the other. */
static bool straightened(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    double slow = s->code_fma + s->code_tensor + s->code_transcendental;
    double fast = f->code_fma + f->code_tensor + f->code_transcendental;
    double slow_loads = s->code_global_loads + s->code_shared_loads;
    double fast_loads = f->code_global_loads + f->code_shared_loads;
    return f->code_loops < s->code_loops && slow > 0 && fast >= threshold * slow &&
           fast_loads >= threshold * slow_loads;
}

/* True for a loop that does less work per iteration, so that more of its instructions count, test and compute
 * addresses. Unrolling alone neither breaks dependences nor makes accesses wider. */
static bool rolled(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    bool integers = launch_loop_operations(s) == 0 || launch_loop_operations(f) == 0;
    double slow = integers ? launch_loop_work(s) : launch_loop_operations(s);
    double fast = integers ? launch_loop_work(f) : launch_loop_operations(f);
    double smaller = s->loop_instructions / slow / (f->loop_instructions / fast);
    return s->code_loops > 0 && fast >= threshold * slow && smaller >= rolled_least &&
           launch_loop_accesses(f) >= threshold * launch_loop_accesses(s) && !chained(pair, threshold);
}

/* Threshold: how many times more work an iteration of the fast one does. The loop costs the time to issue its
 * instructions, and the waits that more independent work in an iteration would share. */
double rule_not_unrolled_counters(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    double more = 1 - f->instructions / s->instructions;
    bool gone = straightened(pair, threshold);
    if ((!rolled(pair, threshold) && !gone) || !(more >= 0.05))
        return 0;
    double issue = pair_longer(pair, launch_issue_share(s), launch_issue_share(f));
    double shared = gone ? more : 1 - launch_loop_work(s) / launch_loop_work(f);
    return share_of(fmax(issue, by_waiting(pair, shared * pair_longer_wait(pair, launch_loop_wait))));
}

double rule_not_unrolled_code(const struct rule_pair *pair, double threshold)
{
    return rolled(pair, threshold) || straightened(pair, threshold) ? rule_code_strength : 0;
}

/* Threshold: the share of the time by which the slow one waits longer at barriers. */
double rule_barriers_counters(const struct rule_pair *pair, double threshold)
{
    double cost = pair_longer_wait(pair, launch_barrier_wait);
    return cost >= threshold ? share_of(by_waiting(pair, cost)) : 0;
}

static bool within(double a, double b, double most)
{
    return (a == 0 && b == 0) || (a / b < most && b / a < most);
}

static bool alike(double a, double b)
{
    return within(a, b, 1.25);
}

/* Applies if the loops do the same operations, with more barriers in the slow one: other block sizes or algorithms also
 * change the number of barriers. */
double rule_barriers_code(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    (void)threshold;
    bool more = launch_barrier_rate(s) >= 1.5 * launch_barrier_rate(f) && s->loop_barriers > 0;
    return more && alike(launch_loop_operations(s), launch_loop_operations(f)) ? rule_code_strength : 0;
}

/* Least share of a longer wait: other differences lengthen it a little, too. */
static const double latency_least = 0.1;

/* Threshold: how many times longer the chain per instruction is in the slow one's code. The machine code does not show
 * all chains, such as those through shared memory. There, the rule applies if both execute and move the same with as
 * many warps, and the slow one waits for arithmetic or shared memory: other waits have many reasons. */
double rule_serial_dependence_counters(const struct rule_pair *pair, double threshold)
{
    const struct evidence *s = pair->slow, *f = pair->fast;
    if (chained(pair, threshold) && within(s->instructions, f->instructions, 2))
        return share_of(by_waiting(pair, pair_longer_wait(pair, launch_results_wait)));
    bool same = alike(s->instructions, f->instructions) && alike(s->global_load_requests, f->global_load_requests) &&
                alike(s->global_load_sectors, f->global_load_sectors) && alike(s->l2_bytes, f->l2_bytes) &&
                launch_resident(s) / launch_resident(f) > 0.85;
    double longer = pair_longer_wait(pair, launch_latency_wait);
    return same && longer >= latency_least ? share_of(by_waiting(pair, longer)) : 0;
}

/* True if other warps of a scheduler hide the chain: each of them issues the whole loop during the cycles of the
 * chain. */
static bool hidden(const struct evidence *e)
{
    return launch_scheduler_warps(e) * e->loop_instructions >= e->loop_chain_cycles;
}

double rule_serial_dependence_code(const struct rule_pair *pair, double threshold)
{
    return chained(pair, threshold) && !hidden(pair->slow) ? rule_code_strength : 0;
}
