/* Rules about the shape of the launch, with their thresholds. */
#include "rule_cases.h"

#define CYCLES "cycles=1000 sm_count=100 sm_active=1 "

static void test_counters(void)
{
    static const struct strength_case cases[] = {
        {"few_blocks", CYCLES, "waves=0.1 blocks=50 warps_active=0.125", "waves=2 blocks=1000 warps_active=0.5", 0.75},
        {"few_blocks", CYCLES "dram_busy=0.45 ", "waves=0.1 blocks=50 warps_active=0.125",
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
        /* A small grid: equally many but larger blocks; or more blocks. */
        {"occupancy_block_size", CYCLES "occupancy=1 ", "warps_active=0.25 threads=64 waves=0.125 blocks=8",
         "warps_active=0.5 threads=128 waves=0.25 blocks=8", 0.5},
        {"occupancy_block_size", CYCLES "occupancy=1 ", "warps_active=0.25 threads=64 waves=0.125 blocks=8",
         "warps_active=0.5 threads=128 waves=0.5 blocks=16", 0},
        {"occupancy_block_size", CYCLES "registers=32 shared_bytes=0 ",
         "waves=0.4 occupancy=0.5 warps_active=0.5 threads=32", "waves=4 occupancy=1 warps_active=1 threads=256", 0},
    };
    check_strengths(cases, sizeof cases / sizeof *cases, true);
}

static void test_code(void)
{
    static const struct strength_case cases[] = {
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
        /* Threads have equally many registers: blocks of the other size leave fewer unused. */
        {"occupancy_block_size", "waves=4 registers=40 shared_bytes=0 ",
         "occupancy=0.5 threads=1024 blocks_sm_registers=1 blocks_sm_shared=32 blocks_sm_warps=2 blocks_sm_most=32",
         "occupancy=0.75 threads=256 blocks_sm_registers=6 blocks_sm_warps=8", 1.0 / 3},
        /* A few more registers do not limit: the blocks are too small. */
        {"occupancy_registers", "waves=4 shared_bytes=0 ",
         "occupancy=0.5 registers=33 threads=32 blocks_sm_registers=60 blocks_sm_shared=32 blocks_sm_warps=64 "
         "blocks_sm_most=32",
         "occupancy=1 registers=32 threads=256 blocks_sm_registers=8 blocks_sm_warps=8", 0},
    };
    check_strengths(cases, sizeof cases / sizeof *cases, false);
}

CU_TestInfo tests_rules_shape[] = {
    {"strength by counters", test_counters}, {"strength by static evidence", test_code}, CU_TEST_INFO_NULL};
