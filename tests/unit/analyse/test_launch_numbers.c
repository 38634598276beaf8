/* Numbers derived from the evidence of a launch. */
#include "rule_cases.h"

#include "analyse/launch_numbers.h"

static void test_numbers(void)
{
    static const struct {
        double (*of)(const struct evidence *);
        const char *evidence;
        double value;
    } cases[] = {
        {launch_active_cycles, "cycles=1000 sm_count=100 sm_active=0.5", 5e4},
        {launch_active_cycles, "cycles=1000 sm_count=100", 1e5},
        /* One cycle to issue, and all waits. */
        {launch_memory_wait, "stall_long_scoreboard=4 stall_lg=1 stall_tex=1 stall_drain=1 stall_not_selected=2", 0.7},
        {launch_shared_wait, "stall_long_scoreboard=1 stall_short_scoreboard=5 stall_mio=2 stall_math=1", 0.7},
        {launch_constant_wait,
         "stall_long_scoreboard=1 stall_short_scoreboard=5 stall_mio=1 stall_imc=1 stall_no_instruction=1", 0.7},
        {launch_copy_wait,
         "stall_long_scoreboard=1 stall_barrier=4 stall_short_scoreboard=1 stall_mio=1 stall_branch=2", 0.7},
        {launch_results_wait, "stall_long_scoreboard=1 stall_wait=5 stall_short_scoreboard=1 stall_membar=2", 0.7},
        {launch_loop_wait, "stall_long_scoreboard=1 stall_wait=3 stall_branch=2 stall_no_instruction=1 stall_barrier=2",
         0.7},
        {launch_latency_wait, "stall_long_scoreboard=2 stall_wait=5 stall_short_scoreboard=2", 0.7},
        {launch_barrier_wait,
         "stall_long_scoreboard=1 stall_barrier=7 stall_sleeping=0.5 stall_dispatch=0.25 "
         "stall_gmma=0.25",
         0.7},
        {launch_busiest, "dram_busy=0.3 l2_busy=0.26 sm_active=0.5 fma_pipe=0.7", 0.4},
        {launch_busiest, "dram_busy=0.45 l2_busy=0.26 sm_active=0.5 fma_pipe=0.7", 0.5},
        {launch_busiest, "dram_busy=0.95", 1},
        {launch_busiest, "dram_busy=0.3 l2_busy=0.26 sm_active=0.9 lsu_pipe=0.8", 0.72},
        {launch_dram_share, "dram_busy=0.45", 0.5},
        {launch_l2_share, "l2_busy=0.26", 0.4},
        {launch_l1_share, "l1_busy=0.5 sm_active=0.5", 0.25},
        {launch_issue_share, "issue_active=0.5", 0.5},
        {launch_transfer_bytes, "transfers=4 in_bytes=600 out_bytes=200", 200},
        {launch_copies_ns, "in_ns=300 out_ns=200", 500},
        {launch_longest_ns, "in_ns=300 out_ns=200 kernel_ns=250", 300},
        {launch_longest_ns, "in_ns=100 out_ns=200 kernel_ns=150 host_work_ns=400", 400},
        {launch_exposed, "in_ns=300 out_ns=200 kernel_ns=250 allocate_ns=100 run_ns=800", 0.5},
        {launch_exposed, "in_ns=300 out_ns=200 kernel_ns=250 allocate_ns=0 run_ns=290", 0},
        {launch_filled, "waves=1.25", 0.625},
        {launch_filled, "waves=0.25", 1},
        {launch_memory_bound, "dram_busy=0.3 stall_long_scoreboard=1", 0.5},
        {launch_memory_bound, "dram_busy=0.6 l2_busy=0.7 l1_busy=0.8 stall_long_scoreboard=1", 0.8},
        {launch_resident, "warps_active=0.5 sm_active=0.5", 0.25},
        {launch_resident_possible, "occupancy=0.5 waves=0.5", 0.25},
        {launch_resident_possible, "occupancy=0.5 waves=2.5", 0.5},
        {launch_scheduler_warps, "blocks_sm=2 threads=65 waves=0.5", 0.75},
        {launch_scheduler_warps, "blocks_sm=2 threads=64 waves=1.5", 1},
        {launch_local_sectors, "local_load_sectors=3 local_store_sectors=4", 7},
        {launch_all_sectors,
         "global_load_sectors=1 global_store_sectors=2 local_load_sectors=3 local_store_sectors=4 "
         "atomic_sectors=5",
         15},
        {launch_loop_accesses,
         "loop_global_loads=1 loop_shared_loads=2 loop_stores=3 loop_local_accesses=4 loop_async_copies=5", 15},
        {launch_loop_operations,
         "loop_global_loads=1 loop_shared_loads=0 loop_stores=0 loop_fma=2 loop_tensor=3 loop_transcendental=4 "
         "loop_texture=5 loop_atomics=6 loop_shared_atomics=7 loop_constant_indexed=8",
         36},
        {launch_barrier_rate, "loop_instructions=10 loop_control=2 loop_barriers=2", 0.25},
        {launch_dependence, "loop_instructions=10 loop_control=2 loop_chain_cycles=16", 2},
    };
    const struct evidence unknown = evidence_unknown();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct evidence evidence = parse("", cases[i].evidence);
        CU_ASSERT_DOUBLE_EQUAL(cases[i].of(&evidence), cases[i].value, 1e-9);
        CU_ASSERT(isnan(cases[i].of(&unknown)));
    }
}

static void test_repeats(void)
{
    const struct evidence once = parse("", "cycles=1"), twice = parse("", "repeats=2");
    CU_ASSERT_EQUAL(launch_repeats(&once), 1);
    CU_ASSERT_EQUAL(launch_repeats(&twice), 2);
}

/* 0.8 of 1000 cycles and 0.5 of 400. */
static void test_longer_wait(void)
{
    const struct evidence slow = parse("cycles=1000", "stall_long_scoreboard=1 stall_barrier=8"),
                          fast = parse("cycles=400", "stall_long_scoreboard=0 stall_barrier=1");
    const struct rule_pair pair = {&slow, &fast};
    CU_ASSERT_DOUBLE_EQUAL(pair_longer_wait(&pair, launch_barrier_wait), 0.6, 1e-9);
}

static void test_shares(void)
{
    CU_ASSERT_EQUAL(share_of(-1), 0);
    CU_ASSERT_EQUAL(share_of(0.5), 0.5);
    CU_ASSERT_EQUAL(share_of(2), 1);
    CU_ASSERT_EQUAL(share_of(NAN), 0);
    CU_ASSERT_EQUAL(or_zero(NAN), 0);
    CU_ASSERT_EQUAL(or_zero(7), 7);
}

CU_TestInfo tests_launch_numbers[] = {{"numbers of a launch", test_numbers},
                                      {"repetitions", test_repeats},
                                      {"longer waits", test_longer_wait},
                                      {"shares", test_shares},
                                      CU_TEST_INFO_NULL};
