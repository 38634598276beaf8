/* Rules about memory accesses and the execution of threads, with their thresholds. */
#include "rule_cases.h"

#define CYCLES "cycles=1000 sm_count=100 sm_active=1 "
#define BUSY   CYCLES "dram_busy=0.8 "
#define LOADS  CYCLES "dram_busy=0.18 global_load_used_bytes=32 "

static void test_counters(void)
{
    static const struct strength_case cases[] = {
        /* 60 k of 100 k cycles repeat loads; from a quarter of a repetition per load on. */
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
        /* Fewer requests mean less work. */
        {"misaligned", BUSY,
         "global_load_requests=150 global_load_sectors=750 global_load_used_bytes=25.6 global_store_sectors=0 "
         "global_store_requests=0",
         "global_load_requests=100 global_load_sectors=400 global_load_used_bytes=32 global_store_sectors=0 "
         "global_store_requests=0",
         0.5 * 0.8},
        {"misaligned", BUSY,
         "global_load_requests=160 global_load_sectors=800 global_load_used_bytes=25.6 global_store_sectors=0 "
         "global_store_requests=0",
         "global_load_requests=100 global_load_sectors=400 global_load_used_bytes=32 global_store_sectors=0 "
         "global_store_requests=0",
         0},
        /* Eight bytes a thread: nine sectors instead of eight. */
        {"misaligned", BUSY,
         "global_load_requests=100 global_load_sectors=900 global_load_used_bytes=28.444 global_store_sectors=0 "
         "global_store_requests=0",
         "global_load_requests=100 global_load_sectors=800 global_load_used_bytes=32 global_store_sectors=0 "
         "global_store_requests=0",
         1.0 / 3 * 0.8},
        {"misaligned", BUSY,
         "global_load_requests=100 global_load_sectors=800 global_load_used_bytes=16 global_store_sectors=0",
         "global_load_requests=100 global_load_sectors=400 global_load_used_bytes=32 global_store_sectors=0", 0},
        /* Twice the requests of half the bytes. */
        {"narrow_access", LOADS,
         "code_global_load_bytes=8 code_global_loads=2 global_load_requests=200 global_load_sectors=800",
         "code_global_load_bytes=16 code_global_loads=2 global_load_requests=100 global_load_sectors=800", 0.4},
        {"narrow_access", LOADS "threads_per_instruction=32 ", "global_load_requests=200 global_load_sectors=800",
         "global_load_requests=100 global_load_sectors=800", 0.4},
        {"narrow_access", LOADS, "threads_per_instruction=16 global_load_requests=200 global_load_sectors=800",
         "threads_per_instruction=32 global_load_requests=100 global_load_sectors=800", 0},
        /* Sixteen times more requests: for other data. */
        {"narrow_access", LOADS "threads_per_instruction=32 ", "global_load_requests=1600 global_load_sectors=6400",
         "global_load_requests=100 global_load_sectors=800", 0},
        /* The unrolled loop has more loads, which the compiler makes wider. */
        {"narrow_access", CYCLES, "loop_shared_load_bytes=4 loop_shared_loads=1 shared_loads=400 l1_busy=0.9",
         "loop_shared_load_bytes=32 loop_shared_loads=2 shared_loads=100 l1_busy=0.3", 0},
        {"narrow_access", CYCLES, "loop_shared_load_bytes=16 loop_shared_loads=4 shared_loads=400 l1_busy=0.9",
         "loop_shared_load_bytes=16 loop_shared_loads=1 shared_loads=100 l1_busy=0.3", 0.75 * 0.6},
        /* A fifth of the accesses. */
        {"narrow_access", LOADS "global_store_requests=800 ",
         "code_global_load_bytes=8 code_global_loads=2 global_load_requests=200 global_load_sectors=800",
         "code_global_load_bytes=16 code_global_loads=2 global_load_requests=100 global_load_sectors=800", 0.08},
        /* A resource binds: the time in flight is the same, but instructions take longer to issue. */
        {"narrow_access", CYCLES "dram_busy=0.9 ",
         "code_global_load_bytes=8 code_global_loads=2 global_load_requests=200 lsu_pipe=0.8",
         "code_global_load_bytes=16 code_global_loads=2 global_load_requests=100 lsu_pipe=0.2", 0.3},
        {"narrow_access", CYCLES, "code_shared_load_bytes=4 code_shared_loads=1 shared_loads=400 l1_busy=0.9",
         "code_shared_load_bytes=16 code_shared_loads=1 shared_loads=100 l1_busy=0.3", 0.75 * 0.6},
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
        {"divergence", "threads=256 ", "active_threads=16 threads_per_instruction=15",
         "active_threads=32 threads_per_instruction=30", 0.5},
        /* Guards, and branches that the compiler replaced by predicates. */
        {"divergence", "threads=256 active_threads=32 ", "threads_per_instruction=22", "threads_per_instruction=32", 0},
        {"divergence", "threads=256 active_threads=32 ", "threads_per_instruction=16", "threads_per_instruction=32",
         0.5},
        {"divergence", "threads=256 ", "threads_per_instruction=29", "threads_per_instruction=32", 0},
        {"divergence", "", "threads=16 threads_per_instruction=16", "threads=32 threads_per_instruction=32", 0},
        {"l2_capacity", BUSY "l2_bytes=1000 ", "dram_read_bytes=900 dram_write_bytes=100 l2_hits=0.1",
         "dram_read_bytes=150 dram_write_bytes=100 l2_hits=0.8", 0.75 * 0.8},
        {"l2_capacity", BUSY, "l2_bytes=2000 dram_read_bytes=900 dram_write_bytes=100 l2_hits=0.1",
         "l2_bytes=1000 dram_read_bytes=150 dram_write_bytes=100 l2_hits=0.8", 0},
        /* The same requests, but a few more miss. */
        {"l2_capacity", BUSY "l2_bytes=1000 ", "dram_read_bytes=900 dram_write_bytes=100 l2_hits=0.47",
         "dram_read_bytes=150 dram_write_bytes=100 l2_hits=0.5", 0.75 * 0.8},
        {"l2_capacity", BUSY "l2_bytes=1000 ", "dram_read_bytes=900 dram_write_bytes=100 l2_hits=0.49",
         "dram_read_bytes=150 dram_write_bytes=100 l2_hits=0.5", 0},
        {"l2_capacity", BUSY "dram_write_bytes=100 ", "l2_bytes=1100 dram_read_bytes=900 l2_hits=0.47",
         "l2_bytes=1000 dram_read_bytes=150 l2_hits=0.5", 0},
        /* Data for sectors that the fast one does not request. */
        {"l2_capacity", BUSY, "l2_bytes=1200 dram_read_bytes=650 dram_write_bytes=100 l2_hits=0.4",
         "l2_bytes=1000 dram_read_bytes=350 dram_write_bytes=100 l2_hits=0.5", 0},
        {"l2_capacity", BUSY, "l2_bytes=1200 dram_read_bytes=1200 dram_write_bytes=100 l2_hits=0.4",
         "l2_bytes=1000 dram_read_bytes=350 dram_write_bytes=100 l2_hits=0.5", 0.5 * 0.8},
        {"l2_capacity", BUSY, "l2_bytes=800 dram_read_bytes=800 dram_write_bytes=100 l2_hits=0.4",
         "l2_bytes=1000 dram_read_bytes=350 dram_write_bytes=100 l2_hits=0.5", 0.5 * 0.8},
        /* Data that fits L2 may fit the caches of the multiprocessors, too: they request less of L2. */
        {"l2_capacity", BUSY "global_load_sectors=100 global_store_sectors=0 ",
         "l2_bytes=2000 dram_read_bytes=900 dram_write_bytes=100 l2_hits=0",
         "l2_bytes=1000 dram_read_bytes=150 dram_write_bytes=100 l2_hits=0", 0.75 * 0.8},
        {"l2_capacity", BUSY "global_store_sectors=0 ",
         "global_load_sectors=200 l2_bytes=2000 dram_read_bytes=900 dram_write_bytes=100 l2_hits=0",
         "global_load_sectors=100 l2_bytes=1000 dram_read_bytes=150 dram_write_bytes=100 l2_hits=0", 0},
        {"l2_capacity", BUSY "l2_bytes=1000 l2_hits=0.5 ", "dram_read_bytes=900 dram_write_bytes=100",
         "dram_read_bytes=150 dram_write_bytes=100", 0},
        {"atomics_contention", CYCLES "atomic_requests=10 ", "atomic_cycles_most=900", "atomic_cycles_most=100", 0.8},
        {"atomics_contention", CYCLES "atomic_requests=10 ", "atomic_cycles_most=150", "atomic_cycles_most=100", 0},
        /* One slice handles those on one address, longer than it counts: warps wait. */
        {"atomics_contention", CYCLES "atomic_requests=10 ",
         "atomic_cycles_most=300 atomic_cycles=30 stall_long_scoreboard=9",
         "atomic_cycles_most=10 atomic_cycles=10 stall_long_scoreboard=0", 0.9},
        {"atomics_contention", CYCLES "atomic_requests=10 ",
         "atomic_cycles_most=300 atomic_cycles=290 stall_long_scoreboard=9",
         "atomic_cycles_most=10 atomic_cycles=10 stall_long_scoreboard=0", 0.29},
        {"atomics_contention", CYCLES, "shared_atomic_conflicts=50000", "shared_atomic_conflicts=0", 0.5},
        {"constant_serialised", CYCLES "stall_long_scoreboard=0 ",
         "constant_requests=32000 constant_replays=31000 stall_short_scoreboard=9",
         "constant_requests=1000 constant_replays=0 stall_short_scoreboard=1", 0.4},
        {"constant_serialised", CYCLES "stall_long_scoreboard=0 ",
         "constant_requests=32000 constant_replays=31000 stall_short_scoreboard=9",
         "constant_requests=8000 constant_replays=7000 stall_short_scoreboard=1", 0.4},
        {"constant_serialised", CYCLES "stall_long_scoreboard=0 ",
         "constant_requests=1200 constant_replays=190 stall_short_scoreboard=9",
         "constant_requests=0 constant_replays=0 stall_short_scoreboard=1", 0},
        {"texture", CYCLES, "texture_requests=5000 stall_tex=0", "texture_requests=0", 0.4},
        {"texture", CYCLES, "texture_requests=5000 stall_tex=0", "texture_requests=5000", 0},
    };
    check_strengths(cases, sizeof cases / sizeof *cases, true);
}

static void test_code(void)
{
    static const struct strength_case cases[] = {
        {"narrow_access", "loop_global_loads=2 ", "loop_global_load_bytes=8", "loop_global_load_bytes=32", 0.75},
        {"narrow_access", "", "loop_shared_loads=8 loop_shared_load_bytes=32",
         "loop_shared_loads=2 loop_shared_load_bytes=32", 0.75},
        {"narrow_access", "loop_global_loads=2 ", "loop_global_load_bytes=18", "loop_global_load_bytes=32", 0},
        /* The unrolled loop has more loads. */
        {"narrow_access", "", "loop_shared_loads=1 loop_shared_load_bytes=4",
         "loop_shared_loads=2 loop_shared_load_bytes=32", 0},
        {"narrow_access", "",
         "loop_global_loads=1 loop_global_load_bytes=1 code_global_loads=29 code_global_load_bytes=29",
         "loop_global_loads=4 loop_global_load_bytes=64 code_global_loads=5 code_global_load_bytes=80", 15.0 / 16},
        {"narrow_access", "", "loop_global_loads=0 code_global_loads=4 code_global_load_bytes=16",
         "loop_global_loads=0 code_global_loads=1 code_global_load_bytes=16", 0.75},
        {"narrow_access", "", "code_global_stores=4 code_global_store_bytes=16",
         "code_global_stores=1 code_global_store_bytes=16", 0.75},
        {"spills", "", "spill_store_bytes=80 spill_load_bytes=100 local_bytes=80",
         "spill_store_bytes=0 spill_load_bytes=0 local_bytes=0", 0.5},
        {"local_array", "spill_store_bytes=0 spill_load_bytes=0 ", "local_bytes=80", "local_bytes=0", 0.5},
        {"local_array", "", "spill_store_bytes=80 spill_load_bytes=100 local_bytes=80",
         "spill_store_bytes=0 spill_load_bytes=0 local_bytes=0", 0},
        {"atomics_contention", "", "code_atomics=1 code_shared_atomics=0", "code_atomics=0 code_shared_atomics=0", 0.5},
        {"atomics_contention", "code_atomics=1 code_shared_atomics=0 ", "", "", 0},
        {"atomics_contention", "code_atomics=1 code_shared_atomics=0 ", "loop_atomics=1", "loop_atomics=0", 0.5},
        {"atomics_contention", "code_atomics=1 ", "loop_atomics=1 code_shared_atomics=0",
         "loop_atomics=0 code_shared_atomics=1", 0.5},
        {"atomics_contention", "code_atomics=1 code_shared_atomics=1 ", "loop_shared_atomics=1",
         "loop_shared_atomics=0", 0.5},
        {"constant_serialised", "code_loops=1 ", "code_constant_indexed=1", "code_constant_indexed=0", 0.5},
        {"constant_serialised", "", "code_loops=2 code_constant_indexed=1", "code_loops=1 code_constant_indexed=0", 0},
        {"texture", "", "code_texture=1", "code_texture=0", 0.5},
        {"bank_conflicts_load", "", "shared_loads=1 shared_load_conflicts=9", "", 0},
    };
    check_strengths(cases, sizeof cases / sizeof *cases, false);
}

CU_TestInfo tests_rules_access[] = {
    {"strength by counters", test_counters}, {"strength by static evidence", test_code}, CU_TEST_INFO_NULL};
