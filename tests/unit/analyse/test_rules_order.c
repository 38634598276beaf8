/* Rules about the order of the instructions, with their thresholds. */
#include "rule_cases.h"

#define CYCLES "cycles=1000 sm_count=100 sm_active=1 "
#define LOADS  "loop_control=3 code_loops=1 loop_shared_loads=0 loop_stores=0 loop_fma=0 "

#define STRAIGHT "code_tensor=0 code_transcendental=0 code_global_loads=0 stall_long_scoreboard=0 "

static void test_counters(void)
{
    static const struct strength_case cases[] = {
        {"synchronous_copies", CYCLES "code_shared_stores=1 ", "code_async_copies=0 stall_long_scoreboard=9",
         "code_async_copies=4 stall_long_scoreboard=0.25", 0.7},
        {"not_unrolled", CYCLES LOADS "stall_long_scoreboard=0 ",
         "instructions=2000 issue_active=0.6 loop_global_loads=1 loop_instructions=5 loop_chain_cycles=4",
         "instructions=1000 issue_active=0.1 loop_global_loads=4 loop_instructions=11 loop_chain_cycles=16", 0.5},
        {"not_unrolled", CYCLES LOADS "stall_long_scoreboard=0 ",
         "instructions=1000 loop_global_loads=1 loop_instructions=5 loop_chain_cycles=4",
         "instructions=1000 loop_global_loads=4 loop_instructions=11 loop_chain_cycles=16", 0},
        /* The loop is gone. */
        {"not_unrolled", CYCLES STRAIGHT,
         "instructions=2000 issue_active=0.6 code_loops=2 code_fma=1 code_shared_loads=1",
         "instructions=1000 issue_active=0.1 code_loops=1 code_fma=49 code_shared_loads=49", 0.5},
        {"not_unrolled", CYCLES STRAIGHT,
         "instructions=2000 issue_active=0.6 code_loops=1 code_fma=1 code_shared_loads=1",
         "instructions=1000 issue_active=0.1 code_loops=1 code_fma=49 code_shared_loads=49", 0},
        {"not_unrolled", CYCLES STRAIGHT,
         "instructions=2000 issue_active=0.6 code_loops=2 code_fma=1 code_shared_loads=1",
         "instructions=1000 issue_active=0.1 code_loops=1 code_fma=49 code_shared_loads=1", 0},
        {"not_unrolled", CYCLES STRAIGHT,
         "instructions=2000 issue_active=0.6 code_loops=2 code_fma=40 code_shared_loads=1",
         "instructions=1000 issue_active=0.1 code_loops=1 code_fma=49 code_shared_loads=49", 0},
        {"synchronous_copies", CYCLES "shared_stores=1 ", "async_copies=0 stall_long_scoreboard=9",
         "async_copies=4 stall_long_scoreboard=0.25", 0.7},
        {"synchronous_copies", CYCLES "shared_stores=1 ", "async_copies=3 stall_long_scoreboard=9",
         "async_copies=4 stall_long_scoreboard=0.25", 0},
        {"not_unrolled", CYCLES LOADS "stall_long_scoreboard=0 stall_wait=0 ",
         "instructions=2000 stall_branch=9 loop_global_loads=1 loop_instructions=5 loop_chain_cycles=4",
         "instructions=1000 stall_branch=0 loop_global_loads=4 loop_instructions=11 loop_chain_cycles=16", 0.75 * 0.9},
        /* A resource uses the rest of the time. */
        {"barriers", CYCLES "stall_long_scoreboard=0 l1_busy=0.6 ", "stall_barrier=9", "stall_barrier=0.25", 0.4},
        {"barriers", CYCLES "stall_long_scoreboard=0 ", "stall_barrier=9", "stall_barrier=0.25", 0.7},
        {"barriers", CYCLES "stall_long_scoreboard=0 ", "stall_barrier=0.05", "stall_barrier=0", 0},
        {"serial_dependence",
         CYCLES "instructions=1000 stall_long_scoreboard=0 loop_instructions=10 loop_control=2 code_loops=1 ",
         "stall_wait=9 loop_chain_cycles=32", "stall_wait=0.25 loop_chain_cycles=8", 0.7},
        {"serial_dependence",
         CYCLES "instructions=1000 stall_long_scoreboard=0 loop_instructions=10 loop_control=2 loop_chain_cycles=8 "
                "code_loops=1 ",
         "stall_wait=9", "stall_wait=0.25", 0},
        {"serial_dependence",
         CYCLES "instructions=1000 stall_long_scoreboard=0 global_load_requests=9 global_load_sectors=36 l2_bytes=1 "
                "warps_active=0.5 ",
         "stall_wait=9", "stall_wait=0.25", 0.7},
        {"serial_dependence",
         CYCLES "instructions=1000 stall_long_scoreboard=0 global_load_requests=9 global_load_sectors=36 l2_bytes=1 "
                "warps_active=0.5 ",
         "stall_wait=1.2", "stall_wait=1", 0},
        {"serial_dependence",
         CYCLES "instructions=1000 global_load_requests=9 global_load_sectors=36 l2_bytes=1 warps_active=0.5 ",
         "stall_wait=1 stall_long_scoreboard=9", "stall_wait=1 stall_long_scoreboard=0.25", 0},
    };
    check_strengths(cases, sizeof cases / sizeof *cases, true);
}

static void test_code(void)
{
    static const struct strength_case cases[] = {
        {"synchronous_copies", "", "code_async_copies=0 code_shared_stores=2",
         "code_async_copies=2 code_shared_stores=0", 0.5},
        {"synchronous_copies", "", "code_async_copies=0 code_shared_stores=0", "code_async_copies=2", 0},
        {"not_unrolled", LOADS, "loop_global_loads=1 loop_instructions=5 loop_chain_cycles=4",
         "loop_global_loads=4 loop_instructions=11 loop_chain_cycles=16", 0.5},
        {"not_unrolled", STRAIGHT, "code_loops=2 code_fma=1 code_shared_loads=1",
         "code_loops=1 code_fma=49 code_shared_loads=49", 0.5},
        {"not_unrolled", STRAIGHT, "code_loops=2 code_fma=0 code_shared_loads=1",
         "code_loops=1 code_fma=0 code_shared_loads=49", 0},
        {"not_unrolled", "loop_global_loads=0 loop_shared_loads=0 loop_stores=0 loop_fma=0 ",
         "code_loops=1 loop_instructions=5 loop_control=3 loop_chain_cycles=4",
         "code_loops=0 loop_instructions=32 loop_control=0 loop_chain_cycles=64", 0.5},
        /* The fast one also breaks a dependence. */
        {"not_unrolled", LOADS, "loop_global_loads=1 loop_instructions=5 loop_chain_cycles=4",
         "loop_global_loads=4 loop_instructions=11 loop_chain_cycles=4", 0},
        {"barriers", "loop_instructions=10 " LOADS "loop_global_loads=1 ", "loop_barriers=2", "loop_barriers=1", 0.5},
        {"barriers", "loop_instructions=10 " LOADS, "loop_global_loads=2 loop_barriers=2",
         "loop_global_loads=1 loop_barriers=1", 0},
        {"barriers", "loop_instructions=10 " LOADS "loop_global_loads=1 loop_barriers=0 ", "", "", 0},
        {"serial_dependence", "loop_instructions=10 loop_control=2 code_loops=1 ", "loop_chain_cycles=32",
         "loop_chain_cycles=8", 0.5},
        /* Three warps hide a part of the dependence chain; four, all of it. */
        {"serial_dependence", "loop_instructions=10 loop_control=2 code_loops=1 blocks_sm=4 threads=96 waves=1 ",
         "loop_chain_cycles=32", "loop_chain_cycles=8", 0.5},
        {"serial_dependence", "loop_instructions=10 loop_control=2 code_loops=1 blocks_sm=4 threads=128 waves=1 ",
         "loop_chain_cycles=32", "loop_chain_cycles=8", 0},
        /* Eight instructions that run once. */
        {"serial_dependence", "loop_instructions=10 loop_control=2 code_loops=0 ", "loop_chain_cycles=32",
         "loop_chain_cycles=8", 0},
        {"serial_dependence", "loop_instructions=110 loop_control=2 code_loops=0 ", "loop_chain_cycles=432",
         "loop_chain_cycles=108", 0.5},
        {"serial_dependence", "loop_instructions=14 loop_control=2 code_loops=1 ", "loop_chain_cycles=16",
         "loop_chain_cycles=8", 0.5},
        /* The dependence chain of the addresses, in an unrolled loop. */
        {"serial_dependence", "loop_control=2 code_loops=1 loop_chain_cycles=8 ", "loop_instructions=8",
         "loop_instructions=26", 0},
        /* The dependence chain is short against the other work; or both are equally serial. */
        {"serial_dependence", "loop_instructions=10 loop_control=2 code_loops=1 ", "loop_chain_cycles=7",
         "loop_chain_cycles=2", 0},
        {"serial_dependence", "loop_control=2 code_loops=1 ", "loop_instructions=10 loop_chain_cycles=32",
         "loop_instructions=30 loop_chain_cycles=64", 0},
    };
    check_strengths(cases, sizeof cases / sizeof *cases, false);
}

CU_TestInfo tests_rules_order[] = {
    {"strength by counters", test_counters}, {"strength by static evidence", test_code}, CU_TEST_INFO_NULL};
