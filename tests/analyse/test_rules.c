/* The rules one by one: what applies, at which threshold, and that unknown evidence shows nothing. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "analyse/rules.h"
#include "base/error.h"

static struct evidence parse(const char *common, const char *own)
{
    char text[2048];
    struct evidence evidence = evidence_unknown();
    struct error error = {0};
    CU_ASSERT_FATAL(snprintf(text, sizeof text, "%s %s", common, own) < (int)sizeof text);
    CU_ASSERT_EQUAL_FATAL(evidence_parse(text, &evidence, &error), 0);
    return evidence;
}

struct strength_case {
    const char *id, *common, *slow, *fast;
    double strength; /* 0: does not apply */
};

static void check(const struct strength_case *cases, size_t count, bool counted)
{
    for (size_t i = 0; i < count; i++) {
        const struct rule *rule = NULL;
        for (size_t r = 0; r < CAUSE_COUNT; r++)
            if (strcmp(rule_rows[r].id, cases[i].id) == 0)
                rule = &rule_rows[r];
        CU_ASSERT_PTR_NOT_NULL_FATAL(rule);
        const struct evidence slow = parse(cases[i].common, cases[i].slow),
                              fast = parse(cases[i].common, cases[i].fast);
        double strength = rule_strength(rule, &(struct rule_pair){&slow, &fast}, counted);
        if (!(fabs(strength - cases[i].strength) < 0.005))
            printf("\n    %s, case %zu: %g instead of %g\n", cases[i].id, i, strength, cases[i].strength);
        CU_ASSERT_DOUBLE_EQUAL(strength, cases[i].strength, 0.005);
    }
}

#define CYCLES "cycles=1000 sm_count=100 sm_active=1 "
#define BUSY   CYCLES "dram_busy=0.8 "

static void test_counters(void)
{
    static const struct strength_case cases[] = {
        /* 60 k of 100 k cycles repeat loads; at a quarter of a repetition per load and more. */
        {"bank_conflicts_load", CYCLES, "shared_loads=10000 shared_load_conflicts=60000",
         "shared_loads=10000 shared_load_conflicts=0", 0.6},
        {"bank_conflicts_load", CYCLES, "shared_loads=10000 shared_load_conflicts=2600",
         "shared_loads=10000 shared_load_conflicts=0", 0.026},
        {"bank_conflicts_load", CYCLES, "shared_loads=10000 shared_load_conflicts=2400",
         "shared_loads=10000 shared_load_conflicts=0", 0},
        {"bank_conflicts_load", CYCLES, "shared_loads=10000 shared_load_conflicts=60000",
         "shared_loads=10000 shared_load_conflicts=59000", 0},
        {"bank_conflicts_load", CYCLES, "shared_loads=10000 shared_load_conflicts=60000", "shared_loads=0", 0},
        {"bank_conflicts_store", CYCLES, "shared_stores=10000 shared_store_conflicts=60000",
         "shared_stores=10000 shared_store_conflicts=10000", 0.5},
        /* Stride 8: 32 sectors instead of 4, of which 4 bytes are used. */
        {"uncoalesced_load", BUSY,
         "global_load_requests=100 global_load_sectors=3200 global_load_used_bytes=4 global_store_sectors=0",
         "global_load_requests=100 global_load_sectors=400 global_load_used_bytes=32 global_store_sectors=0",
         0.875 * 0.8},
        {"uncoalesced_load", BUSY,
         "global_load_requests=100 global_load_sectors=500 global_load_used_bytes=25.6 global_store_sectors=0",
         "global_load_requests=100 global_load_sectors=400 global_load_used_bytes=32 global_store_sectors=0", 0},
        /* One thread loads 4 bytes: its sector is needed. */
        {"uncoalesced_load", BUSY,
         "global_load_requests=100 global_load_sectors=100 global_load_used_bytes=4 global_store_sectors=0",
         "global_load_requests=50 global_load_sectors=50 global_load_used_bytes=4 global_store_sectors=0", 0},
        {"uncoalesced_store", BUSY,
         "global_store_requests=100 global_store_sectors=3200 global_store_used_bytes=4 global_load_sectors=400",
         "global_store_requests=100 global_store_sectors=400 global_store_used_bytes=32 global_load_sectors=400",
         2800.0 / 3600 * 0.8},
        {"misaligned", BUSY,
         "global_load_requests=100 global_load_sectors=500 global_load_used_bytes=25.6 global_store_sectors=0 "
         "global_store_requests=0",
         "global_load_requests=100 global_load_sectors=400 global_load_used_bytes=32 global_store_sectors=0 "
         "global_store_requests=0",
         0.5 * 0.8},
        {"misaligned", BUSY,
         "global_load_requests=100 global_load_sectors=800 global_load_used_bytes=16 global_store_sectors=0",
         "global_load_requests=100 global_load_sectors=400 global_load_used_bytes=32 global_store_sectors=0", 0},
        /* Twice the requests of half the bytes. */
        {"narrow_access", BUSY "global_load_used_bytes=32 ",
         "code_global_load_bytes=8 code_global_loads=2 global_load_requests=200 global_load_sectors=800",
         "code_global_load_bytes=16 code_global_loads=2 global_load_requests=100 global_load_sectors=800", 0.4},
        {"narrow_access", BUSY "global_load_used_bytes=32 threads_per_instruction=32 ",
         "global_load_requests=200 global_load_sectors=800", "global_load_requests=100 global_load_sectors=800", 0.4},
        {"narrow_access", BUSY "global_load_used_bytes=32 ",
         "threads_per_instruction=16 global_load_requests=200 global_load_sectors=800",
         "threads_per_instruction=32 global_load_requests=100 global_load_sectors=800", 0},
        {"narrow_access", CYCLES "l1_busy=0.9 ", "code_shared_load_bytes=4 code_shared_loads=1 shared_loads=400",
         "code_shared_load_bytes=16 code_shared_loads=1 shared_loads=100", 0.75 * 0.9},
        {"spills", BUSY "global_load_sectors=500 global_store_sectors=0 ",
         "local_load_sectors=300 local_store_sectors=200 local_bytes=80 spill_store_bytes=80",
         "local_load_sectors=0 local_store_sectors=0 local_bytes=0 spill_store_bytes=0", 0.4},
        {"spills", BUSY "global_load_sectors=500 global_store_sectors=0 spill_store_bytes=0 ",
         "local_load_sectors=300 local_store_sectors=200 local_bytes=80",
         "local_load_sectors=0 local_store_sectors=0 local_bytes=0", 0},
        {"local_array", BUSY "global_load_sectors=500 global_store_sectors=0 spill_store_bytes=0 ",
         "local_load_sectors=300 local_store_sectors=200 local_bytes=80",
         "local_load_sectors=0 local_store_sectors=0 local_bytes=0", 0.4},
        {"local_array", BUSY "global_load_sectors=500 global_store_sectors=0 ",
         "local_load_sectors=300 local_store_sectors=200 local_bytes=80 spill_store_bytes=80",
         "local_load_sectors=0 local_store_sectors=0 local_bytes=0 spill_store_bytes=0", 0},
        {"divergence", "threads=256 ", "threads_per_instruction=16", "threads_per_instruction=32", 0.5},
        {"divergence", "threads=256 ", "threads_per_instruction=27", "threads_per_instruction=32", 0},
        {"divergence", "", "threads=16 threads_per_instruction=16", "threads=32 threads_per_instruction=32", 0},
        {"l2_capacity", BUSY "l2_bytes=1000 ", "dram_read_bytes=900 dram_write_bytes=100 l2_hits=0.1",
         "dram_read_bytes=150 dram_write_bytes=100 l2_hits=0.8", 0.75 * 0.8},
        {"l2_capacity", BUSY, "l2_bytes=2000 dram_read_bytes=900 dram_write_bytes=100 l2_hits=0.1",
         "l2_bytes=1000 dram_read_bytes=150 dram_write_bytes=100 l2_hits=0.8", 0},
        {"l2_capacity", BUSY "l2_bytes=1000 l2_hits=0.5 ", "dram_read_bytes=900 dram_write_bytes=100",
         "dram_read_bytes=150 dram_write_bytes=100", 0},
        {"atomics_contention", CYCLES "atomic_requests=10 ", "atomic_cycles_most=900", "atomic_cycles_most=100", 0.8},
        {"atomics_contention", CYCLES "atomic_requests=10 ", "atomic_cycles_most=150", "atomic_cycles_most=100", 0},
        {"atomics_contention", CYCLES, "shared_atomic_conflicts=50000", "shared_atomic_conflicts=0", 0.5},
        {"constant_serialised", CYCLES "constant_requests=1000 stall_long_scoreboard=0 ",
         "constant_replays=31000 stall_short_scoreboard=9", "constant_replays=0 stall_short_scoreboard=1", 0.4},
        {"texture", CYCLES, "texture_requests=5000 stall_tex=0", "texture_requests=0", 0.4},
        {"texture", CYCLES, "texture_requests=5000 stall_tex=0", "texture_requests=5000", 0},
        {"few_blocks", CYCLES, "waves=0.1 blocks=50 warps_active=0.125", "waves=2 blocks=1000 warps_active=0.5", 0.75},
        {"few_blocks", CYCLES "dram_busy=0.5 ", "waves=0.1 blocks=50 warps_active=0.125",
         "waves=2 blocks=1000 warps_active=0.5", 0.5},
        {"few_blocks", CYCLES, "waves=1.1 blocks=50 warps_active=0.125", "waves=2 blocks=1000 warps_active=0.5", 0},
        {"tail", CYCLES "occupancy=1 ", "waves=1.25 warps_active=0.625", "waves=1 warps_active=1", 0.375},
        {"tail", CYCLES "occupancy=1 ", "waves=1.25 warps_active=0.9", "waves=1 warps_active=1", 0.1},
        {"tail", CYCLES "occupancy=1 ", "waves=9.5 warps_active=0.95", "waves=1 warps_active=1", 0},
        {"occupancy_registers", CYCLES "waves=4 threads=256 shared_bytes=0 ",
         "occupancy=0.25 warps_active=0.25 registers=128 blocks_sm_registers=2 blocks_sm_shared=32 blocks_sm_warps=8 "
         "blocks_sm_most=32",
         "occupancy=1 warps_active=1 registers=32 blocks_sm_registers=8 blocks_sm_shared=32 blocks_sm_warps=8 "
         "blocks_sm_most=32",
         0.75},
        {"occupancy_shared", CYCLES "waves=4 threads=256 registers=32 ",
         "occupancy=0.25 warps_active=0.25 shared_bytes=99000 blocks_sm_registers=8 blocks_sm_shared=2 "
         "blocks_sm_warps=8 blocks_sm_most=32",
         "occupancy=1 warps_active=1 shared_bytes=0 blocks_sm_registers=8 blocks_sm_shared=32 blocks_sm_warps=8 "
         "blocks_sm_most=32",
         0.75},
        {"occupancy_block_size", CYCLES "waves=4 registers=32 shared_bytes=0 ",
         "occupancy=0.5 warps_active=0.5 threads=32 blocks_sm_registers=64 blocks_sm_shared=32 blocks_sm_warps=64 "
         "blocks_sm_most=32",
         "occupancy=1 warps_active=1 threads=256 blocks_sm_registers=8 blocks_sm_shared=32 blocks_sm_warps=8 "
         "blocks_sm_most=32",
         0.5},
        {"occupancy_block_size", CYCLES "waves=4 registers=32 shared_bytes=0 threads=256 ",
         "occupancy=0.5 warps_active=0.5", "occupancy=1 warps_active=1", 0},
        {"occupancy_block_size", CYCLES "registers=32 shared_bytes=0 ",
         "waves=0.4 occupancy=0.5 warps_active=0.5 threads=32", "waves=4 occupancy=1 warps_active=1 threads=256", 0},
        {"synchronous_copies", CYCLES "code_shared_stores=1 ", "code_async_copies=0 stall_long_scoreboard=9",
         "code_async_copies=4 stall_long_scoreboard=0.25", 0.7},
        {"not_unrolled", CYCLES "loop_shared_loads=0 loop_stores=0 loop_tensor=0 loop_fma=0 loop_chain=1 code_loops=1 ",
         "instructions=2000 loop_global_loads=1 loop_instructions=4",
         "instructions=1000 loop_global_loads=4 loop_instructions=8", 0.5},
        {"not_unrolled", CYCLES "loop_shared_loads=0 loop_stores=0 loop_tensor=0 loop_fma=0 loop_chain=1 code_loops=1 ",
         "instructions=1000 loop_global_loads=1 loop_instructions=4",
         "instructions=1000 loop_global_loads=4 loop_instructions=8", 0},
        {"barriers", CYCLES "stall_long_scoreboard=0 ", "stall_barrier=9", "stall_barrier=0.25", 0.7},
        {"barriers", CYCLES "stall_long_scoreboard=0 ", "stall_barrier=0.05", "stall_barrier=0", 0},
        {"serial_dependence", CYCLES "instructions=1000 stall_long_scoreboard=0 loop_instructions=10 ",
         "stall_wait=9 loop_chain=8", "stall_wait=0.25 loop_chain=2", 0.7},
        {"serial_dependence", CYCLES "instructions=1000 stall_long_scoreboard=0 loop_instructions=10 loop_chain=2 ",
         "stall_wait=9", "stall_wait=0.25", 0},
        {"serial_dependence",
         CYCLES "instructions=1000 stall_long_scoreboard=0 global_load_requests=9 global_load_sectors=36 l2_bytes=1 "
                "warps_active=0.5 ",
         "stall_wait=9", "stall_wait=0.25", 0.7},
    };
    check(cases, sizeof cases / sizeof *cases, true);
}

static void test_code(void)
{
    static const struct strength_case cases[] = {
        {"narrow_access",
         "code_global_loads=1 code_global_stores=1 code_shared_loads=0 code_shared_stores=0 "
         "code_shared_load_bytes=0 code_shared_store_bytes=0 ",
         "code_global_load_bytes=4 code_global_store_bytes=4", "code_global_load_bytes=16 code_global_store_bytes=16",
         0.75},
        {"spills", "", "spill_store_bytes=80 spill_load_bytes=100 local_bytes=80",
         "spill_store_bytes=0 spill_load_bytes=0 local_bytes=0", 0.5},
        {"local_array", "spill_store_bytes=0 spill_load_bytes=0 ", "local_bytes=80", "local_bytes=0", 0.5},
        {"local_array", "", "spill_store_bytes=80 spill_load_bytes=100 local_bytes=80",
         "spill_store_bytes=0 spill_load_bytes=0 local_bytes=0", 0},
        {"few_blocks", "sm_count=100 occupancy=1 ", "waves=0.1 blocks=50", "waves=2 blocks=1000", 0.9},
        {"few_blocks", "sm_count=100 ", "waves=0.9 blocks=50 occupancy=0.2", "waves=0.95 blocks=200 occupancy=0.2",
         0.5},
        {"tail", "occupancy=1 ", "waves=1.25", "waves=1", 0.375},
        {"occupancy_registers", "waves=4 threads=256 shared_bytes=0 ",
         "occupancy=0.25 registers=128 blocks_sm_registers=2 blocks_sm_shared=32 blocks_sm_warps=8 blocks_sm_most=32",
         "occupancy=1 registers=32 blocks_sm_registers=8 blocks_sm_shared=32 blocks_sm_warps=8 blocks_sm_most=32",
         0.75},
        {"occupancy_shared", "waves=4 threads=256 registers=32 ",
         "occupancy=0.25 shared_bytes=99000 blocks_sm_registers=8 blocks_sm_shared=2 blocks_sm_warps=8 "
         "blocks_sm_most=32",
         "occupancy=1 shared_bytes=0 blocks_sm_registers=8 blocks_sm_shared=32 blocks_sm_warps=8 blocks_sm_most=32",
         0.75},
        {"occupancy_block_size", "waves=4 registers=32 shared_bytes=0 ",
         "occupancy=0.5 threads=32 blocks_sm_registers=64 blocks_sm_shared=32 blocks_sm_warps=64 blocks_sm_most=32",
         "occupancy=1 threads=256 blocks_sm_registers=8 blocks_sm_warps=8", 0.5},
        {"occupancy_block_size", "waves=4 registers=32 shared_bytes=0 ",
         "occupancy=0.9 threads=32 blocks_sm_registers=64 blocks_sm_shared=32 blocks_sm_warps=64 blocks_sm_most=32",
         "occupancy=1 threads=256 blocks_sm_registers=8 blocks_sm_warps=8", 0},
        /* The registers of a thread are the same: blocks of the other size leave fewer of them unused. */
        {"occupancy_block_size", "waves=4 registers=40 shared_bytes=0 ",
         "occupancy=0.5 threads=1024 blocks_sm_registers=1 blocks_sm_shared=32 blocks_sm_warps=2 blocks_sm_most=32",
         "occupancy=0.75 threads=256 blocks_sm_registers=6 blocks_sm_warps=8", 1.0 / 3},
        /* Few more registers do not limit: the blocks are too small. */
        {"occupancy_registers", "waves=4 shared_bytes=0 ",
         "occupancy=0.5 registers=33 threads=32 blocks_sm_registers=60 blocks_sm_shared=32 blocks_sm_warps=64 "
         "blocks_sm_most=32",
         "occupancy=1 registers=32 threads=256 blocks_sm_registers=8 blocks_sm_warps=8", 0},
        {"atomics_contention", "", "code_atomics=1 code_shared_atomics=0", "code_atomics=0 code_shared_atomics=0", 0.5},
        {"atomics_contention", "code_atomics=1 code_shared_atomics=0 ", "", "", 0},
        {"constant_serialised", "", "code_constant_indexed=1", "code_constant_indexed=0", 0.5},
        {"texture", "", "code_texture=1", "code_texture=0", 0.5},
        {"synchronous_copies", "", "code_async_copies=0 code_shared_stores=2",
         "code_async_copies=2 code_shared_stores=0", 0.5},
        {"synchronous_copies", "", "code_async_copies=0 code_shared_stores=0", "code_async_copies=2", 0},
        {"not_unrolled", "loop_shared_loads=0 loop_stores=0 loop_tensor=0 loop_fma=0 loop_chain=1 code_loops=1 ",
         "loop_global_loads=1 loop_instructions=4", "loop_global_loads=4 loop_instructions=8", 0.5},
        {"not_unrolled", "", "code_loops=1", "code_loops=0", 0.5},
        {"barriers", "loop_shared_loads=0 loop_stores=0 loop_tensor=0 loop_fma=8 loop_global_loads=0 ",
         "loop_chain=1 loop_barriers=2", "loop_chain=1 loop_barriers=1", 0.5},
        {"serial_dependence", "loop_instructions=10 ", "loop_chain=8", "loop_chain=2", 0.5},
        {"bank_conflicts_load", "", "shared_loads=1 shared_load_conflicts=9", "", 0},
    };
    check(cases, sizeof cases / sizeof *cases, false);
}

static void test_unknown(void)
{
    const struct evidence unknown = evidence_unknown();
    for (size_t r = 0; r < CAUSE_COUNT; r++) {
        const struct rule_pair pair = {&unknown, &unknown};
        CU_ASSERT_EQUAL(rule_strength(&rule_rows[r], &pair, true), 0);
        CU_ASSERT_EQUAL(rule_strength(&rule_rows[r], &pair, false), 0);
        CU_ASSERT(isnan(rule_rows[r].counters.of(&unknown)));
        CU_ASSERT(isnan(rule_rows[r].code.of(&unknown)));
    }
}

CU_TestInfo tests_rules[] = {{"strength by counters", test_counters},
                             {"strength by static evidence", test_code},
                             {"unknown evidence shows nothing", test_unknown},
                             CU_TEST_INFO_NULL};
