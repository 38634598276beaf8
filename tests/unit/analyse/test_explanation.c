/* Why one configuration is faster than another: causes, answers and sentences. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "analyse/explanation.h"
#include "base/evidence.h"

enum { CONFIGURATIONS_MAX = 5, LAUNCHES_MAX = 2 };

struct world {
    struct arena arena;
    struct provenance provenance;
    struct evidence launches[CONFIGURATIONS_MAX][LAUNCHES_MAX];
    struct measurement measurements[CONFIGURATIONS_MAX];
    struct explanation_configuration configurations[CONFIGURATIONS_MAX];
    struct explanation_input input;
};

static void open_world(struct world *world)
{
    *world = (struct world){
        .provenance = {.bytes = NAN, .flops = NAN, .roofline_ns = NAN, .ceilings = {4e12, NAN, NAN, NAN}},
        .input = {.default_ = EXPLANATION_NONE}};
    world->input.configurations = world->configurations;
    world->input.provenance = &world->provenance;
}

static void add_launch(struct world *world, const char *text)
{
    struct explanation_configuration *configuration = &world->configurations[world->input.count - 1];
    struct evidence *evidence = &world->launches[world->input.count - 1][configuration->launch_count++];
    struct error error = {0};
    *evidence = evidence_unknown();
    CU_ASSERT_EQUAL_FATAL(evidence_parse(text, evidence, &error), 0);
}

/* Adds a configuration that takes `time_ns`, within half a per cent, with one launch; NULL: no evidence. */
static void add(struct world *world, const char *name, double time_ns, const char *evidence)
{
    size_t i = world->input.count++;
    world->measurements[i] = measurement_unknown(STATUS_OK);
    world->measurements[i].value = time_ns;
    world->measurements[i].low = time_ns * 0.995;
    world->measurements[i].high = time_ns * 1.005;
    world->configurations[i] = (struct explanation_configuration){name, &world->measurements[i], world->launches[i], 0};
    if (evidence)
        add_launch(world, evidence);
}

static struct explain_input_change explain(struct world *world, size_t from, size_t to)
{
    struct explain_input_change change;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(explanation_change(&change, &world->arena, &world->input, from, to, &error), 0);
    return change;
}

#define STATIC           "threads=256 blocks=4000 sm_count=100 occupancy=1 waves=5 registers=32 shared_bytes=0 local_bytes=0 "
#define COUNTED          STATIC "sm_active=1 dram_busy=0.5 stall_long_scoreboard=1 "
#define CONFLICTS(count) "shared_loads=10000 shared_load_conflicts=" #count " "

#define PIPELINE                                                                                                       \
    STATIC "chunks=4 in_place=0 managed=0 allocations=0 pooled=0 host_work_ns=0 in_bytes=1e6 out_bytes=1e6 "           \
           "transfers=8 "
#define STAGED PIPELINE "host_locked=1 allocate_ns=0 in_ns=800 out_ns=800 "
#define KERNEL_BOUND                                                                                                   \
    "sm_count=100 occupancy=1 chunks=4 in_place=0 managed=0 host_locked=1 allocate_ns=0 in_ns=800 out_ns=800 "

static void test_answers(void)
{
    static const struct {
        const char *slow, *fast;
        double slow_ns, fast_ns;
        enum change_answer answer;
        const char *cause, *sentence;
    } cases[] = {
        {COUNTED "cycles=2000 " CONFLICTS(100000), COUNTED "cycles=1000 " CONFLICTS(100), 2000, 1000, CHANGE_EXPLAINED,
         "bank_conflicts_load",
         "A 0 -> 1: shared load conflicts 100.0 k -> 0.1 k; 2.0 times faster: the limit was bank conflicts of shared "
         "loads"},
        /* A tenth of the time does not explain a half; nor do conflicts that the faster one has, too. */
        {COUNTED "cycles=2000 " CONFLICTS(20000), COUNTED "cycles=1000 " CONFLICTS(100), 2000, 1000, CHANGE_NOT_KNOWN,
         NULL, "A 0 -> 1: 2.0 times faster; the cause is unknown: no rule applies"},
        {COUNTED "cycles=2000 " CONFLICTS(100000), COUNTED "cycles=2000 " CONFLICTS(100), 1000, 990, CHANGE_SAME, NULL,
         "A 0 -> 1: the times do not differ measurably"},
        {COUNTED "cycles=2000 instructions=20000000", COUNTED "cycles=1000 instructions=11000000", 2000, 1500,
         CHANGE_LESS_WORK, NULL, "A 0 -> 1: instructions executed 20.0 M -> 11.0 M; 1.33 times faster, with less work"},
        {COUNTED "cycles=2000 l2_busy=0.6 l2_bytes=2000000", COUNTED "cycles=1000 l2_busy=0.6 l2_bytes=1000000", 2000,
         1000, CHANGE_LESS_WORK, NULL,
         "A 0 -> 1: bytes from and to L2 1953.1 KiB -> 976.6 KiB; 2.0 times faster: the limit was L2"},
        /* Waiting at barriers that costs less than the L2 work saved; and more. */
        {COUNTED "cycles=2000 l2_busy=0.4 l2_bytes=2000000 stall_barrier=1.5",
         COUNTED "cycles=1000 l2_bytes=400000 stall_barrier=0", 2000, 1000, CHANGE_LESS_WORK, NULL, NULL},
        {COUNTED "cycles=2000 l2_busy=0.4 l2_bytes=2000000 stall_barrier=1.5",
         COUNTED "cycles=1000 l2_bytes=1300000 stall_barrier=0", 2000, 1000, CHANGE_EXPLAINED, "barriers", NULL},
        /* Work comes before a fault that explains only a part. */
        {COUNTED "cycles=2000 l2_busy=0.6 l2_bytes=2000000 " CONFLICTS(35000),
         COUNTED "cycles=1000 l2_bytes=1000000 " CONFLICTS(0), 2000, 1000, CHANGE_LESS_WORK, NULL, NULL},
        /* A cause whose number stays the same. */
        {COUNTED "cycles=2000 global_store_sectors=0 global_load_used_bytes=8 global_load_requests=1000 "
                 "global_load_sectors=16000",
         COUNTED "cycles=1000 global_store_sectors=0 global_load_used_bytes=8 global_load_requests=100 "
                 "global_load_sectors=1600",
         2000, 1000, CHANGE_NOT_KNOWN, NULL, NULL},
        {STATIC, STATIC, 2000, 1500, CHANGE_NEEDS_COUNTERS, NULL,
         "A 0 -> 1: 1.33 times faster; the cause is unknown without hardware counters"},
        {STATIC "spill_store_bytes=80 spill_load_bytes=120", STATIC "spill_store_bytes=0 spill_load_bytes=0", 2000,
         1500, CHANGE_EXPLAINED, "spills",
         "A 0 -> 1: bytes spilled 200 B -> 0 B; 1.33 times faster: the limit was spilled registers"},
        {STATIC "spill_store_bytes=80 spill_load_bytes=120", STATIC "spill_store_bytes=0 spill_load_bytes=0", 1040,
         1000, CHANGE_NEEDS_COUNTERS, NULL, NULL},
        {COUNTED "cycles=1040 " CONFLICTS(100000), COUNTED "cycles=1000 " CONFLICTS(100), 1040, 1000, CHANGE_EXPLAINED,
         "bank_conflicts_load", NULL},
        {COUNTED "cycles=1040 stall_barrier=9", COUNTED "cycles=1000 stall_barrier=1", 1040, 1000, CHANGE_NOT_KNOWN,
         NULL, NULL},
        {COUNTED "cycles=1060 stall_barrier=9", COUNTED "cycles=1000 stall_barrier=1", 1060, 1000, CHANGE_EXPLAINED,
         "barriers", NULL},
        /* Static evidence shows several: the first one of the table counts. */
        {STATIC "spill_store_bytes=80 spill_load_bytes=120 code_texture=1",
         STATIC "spill_store_bytes=0 spill_load_bytes=0 code_texture=0", 2000, 1500, CHANGE_EXPLAINED, "spills", NULL},
        /* Counters of one configuration alone: static evidence decides. */
        {COUNTED "cycles=2000 spill_store_bytes=80 spill_load_bytes=120",
         STATIC "spill_store_bytes=0 spill_load_bytes=0", 2000, 1500, CHANGE_EXPLAINED, "spills", NULL},
        /* Threads wait longer at barriers because of the bank conflicts: those are the reason. */
        {COUNTED "cycles=2000 stall_barrier=9 " CONFLICTS(110000),
         COUNTED "cycles=1000 stall_barrier=0.1 " CONFLICTS(0), 2000, 1000, CHANGE_EXPLAINED, "bank_conflicts_load",
         NULL},
        /* ... unless the conflicts cost little. */
        {COUNTED "cycles=2000 stall_barrier=9 " CONFLICTS(35000), COUNTED "cycles=1000 stall_barrier=0.1 " CONFLICTS(0),
         2000, 1000, CHANGE_EXPLAINED, "barriers", NULL},
        /* Waiting that costs a third of the time lost is not the reason; faulty accesses may be a part of it. */
        {COUNTED "cycles=2000 stall_barrier=1.2", COUNTED "cycles=1000 stall_barrier=0.9", 2000, 1000, CHANGE_NOT_KNOWN,
         NULL, NULL},
        {COUNTED "cycles=2000 " CONFLICTS(35000), COUNTED "cycles=1000 " CONFLICTS(0), 2000, 1000, CHANGE_EXPLAINED,
         "bank_conflicts_load", NULL},
        /* The rule applies, but its numbers are unknown. */
        {"threads=256 occupancy=0.25 blocks_sm_most=32 blocks_sm_warps=8 blocks_sm_registers=2 blocks_sm_shared=9 "
         "blocks_sm=2",
         "threads=256 occupancy=1 blocks_sm_most=32 blocks_sm_warps=8 blocks_sm_registers=8 blocks_sm_shared=9 "
         "blocks_sm=8",
         2000, 1500, CHANGE_EXPLAINED, "occupancy_registers",
         "A 0 -> 1: registers of a thread unknown; 1.33 times faster: the limit was the occupancy that the registers "
         "allow"},
        {"threads=256 registers=64 occupancy=0.25 blocks_sm_most=32 blocks_sm_warps=8 blocks_sm_registers=2 "
         "blocks_sm_shared=9 blocks_sm=2",
         "threads=256 occupancy=1 blocks_sm_most=32 blocks_sm_warps=8 blocks_sm_registers=8 blocks_sm_shared=9 "
         "blocks_sm=8",
         2000, 1500, CHANGE_EXPLAINED, "occupancy_registers",
         "A 0 -> 1: registers of a thread unknown; 1.33 times faster: the limit was the occupancy that the registers "
         "allow"},
        /* The largest unit. */
        {COUNTED "cycles=2000 instructions=20000000000000000", COUNTED "cycles=1000 instructions=11000000000000000",
         2000, 1500, CHANGE_LESS_WORK, NULL,
         "A 0 -> 1: instructions executed 20000.0 T -> 11000.0 T; 1.33 times faster, with less work"},
        /* Pipelines: the way of the data to the kernel; a fault of the kernel, by the additional time of its stage; a
         * stage. */
        {STAGED "kernel_ns=400 run_ns=2000", STAGED "kernel_ns=400 run_ns=1000", 2000, 1000, CHANGE_EXPLAINED,
         "no_overlap",
         "A 0 -> 1: time of the run beyond its longest stage 60% -> 20%; 2.0 times faster: the limit was copies and "
         "kernels that do not overlap"},
        {PIPELINE "host_locked=0 allocate_ns=0 in_ns=1800000 out_ns=1800000 kernel_ns=400000 run_ns=4000000",
         PIPELINE "host_locked=1 allocate_ns=0 in_ns=800000 out_ns=800000 kernel_ns=400000 run_ns=2000000", 4000, 2000,
         CHANGE_EXPLAINED, "pageable_memory",
         "A 0 -> 1: time of the copies 3600.0 us -> 1600.0 us; 2.0 times faster: the limit was pageable host memory"},
        {STAGED "kernel_ns=2400 run_ns=4000 spill_store_bytes=80 spill_load_bytes=120",
         STAGED "kernel_ns=400 run_ns=2000 spill_store_bytes=0 spill_load_bytes=0", 4000, 2000, CHANGE_EXPLAINED,
         "spills", "A 0 -> 1: bytes spilled 200 B -> 0 B; 2.0 times faster: the limit was spilled registers"},
        {STAGED "kernel_ns=400 run_ns=2000 spill_store_bytes=80 spill_load_bytes=120",
         STAGED "kernel_ns=390 run_ns=1000 spill_store_bytes=0 spill_load_bytes=0", 2000, 1000, CHANGE_EXPLAINED,
         "no_overlap", NULL},
        {STAGED "kernel_ns=2400 run_ns=4000", STAGED "kernel_ns=400 run_ns=2000", 4000, 2000, CHANGE_LESS_WORK, NULL,
         "A 0 -> 1: time of the kernel 2400 ns -> 400 ns; 2.0 times faster: the limit was the kernel"},
        {STAGED "kernel_ns=400 run_ns=2000", STAGED "kernel_ns=400 run_ns=1980", 1100, 1000, CHANGE_NOT_KNOWN, NULL,
         "A 0 -> 1: 1.10 times faster; the cause is unknown: no rule applies"},
        /* A fault that makes the kernel slightly longer. */
        {STAGED "kernel_ns=2400 run_ns=4000 spill_store_bytes=80 spill_load_bytes=120",
         STAGED "kernel_ns=2300 run_ns=3900 spill_store_bytes=0 spill_load_bytes=0", 4000, 3000, CHANGE_NOT_KNOWN, NULL,
         NULL},
        /* A fault of the launch comes before the stage that it makes longer. */
        {KERNEL_BOUND "waves=0.5 blocks=50 kernel_ns=2400 run_ns=4000",
         KERNEL_BOUND "waves=2 blocks=200 kernel_ns=400 run_ns=2000", 4000, 2000, CHANGE_EXPLAINED, "few_blocks", NULL},
        /* Without the times of its stages: only certain facts, and no fault of the kernel. */
        {PIPELINE "host_locked=0", PIPELINE "host_locked=1", 2000, 1500, CHANGE_EXPLAINED, "pageable_memory",
         "A 0 -> 1: page-locked host memory no -> yes; 1.33 times faster: the limit was pageable host memory"},
        {"chunks=1 in_bytes=134217728 out_bytes=134217728 transfers=65536",
         "chunks=1 in_bytes=134217728 out_bytes=134217728 transfers=2", 2000, 1000, CHANGE_EXPLAINED, "small_transfers",
         "A 0 -> 1: bytes of a copy 4096 B -> 128.0 MiB; 2.0 times faster: the limit was small transfers"},
        {PIPELINE "spill_store_bytes=80 spill_load_bytes=120", PIPELINE "spill_store_bytes=0 spill_load_bytes=0", 2000,
         1500, CHANGE_NEEDS_COUNTERS, NULL,
         "A 0 -> 1: 1.33 times faster; the cause is unknown without the times of the pipeline's stages"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world world;
        open_world(&world);
        add(&world, "A=1 B=7", cases[i].fast_ns, cases[i].fast);
        add(&world, "B=7 A=0", cases[i].slow_ns, cases[i].slow);
        const struct explain_input_change change = explain(&world, 1, 0);
        CU_ASSERT_EQUAL(change.from, 1);
        CU_ASSERT_EQUAL(change.to, 0);
        CU_ASSERT_EQUAL(change.parameter_count, 1);
        CU_ASSERT_STRING_EQUAL(change_answer_name(change.answer), change_answer_name(cases[i].answer));
        CU_ASSERT_STRING_EQUAL(change.cause_count ? change.causes[0].id : "", cases[i].cause ? cases[i].cause : "");
        if (cases[i].sentence && strcmp(change.sentence, cases[i].sentence) != 0)
            printf("\n    %s", change.sentence);
        if (cases[i].sentence)
            CU_ASSERT_STRING_EQUAL(change.sentence, cases[i].sentence);
        arena_free(&world.arena);
    }
}

/* A change keeps its direction even if it costs time: its numbers lead from `from` to `to`, its causes are of `to`. */
static void test_costs(void)
{
    static const struct {
        const char *fast, *slow;
        double fast_ns, slow_ns;
        enum change_answer answer;
        const char *sentence;
    } cases[] = {
        {COUNTED "cycles=1000 " CONFLICTS(100), COUNTED "cycles=2000 " CONFLICTS(100000), 1000, 2000, CHANGE_EXPLAINED,
         "A 0 -> 1: shared load conflicts 0.1 k -> 100.0 k; alone 2.0 times slower: the limit is bank conflicts of "
         "shared loads"},
        {COUNTED "cycles=1000 instructions=11000000", COUNTED "cycles=2000 instructions=20000000", 1500, 2000,
         CHANGE_LESS_WORK, "A 0 -> 1: instructions executed 11.0 M -> 20.0 M; alone 1.33 times slower, with more work"},
        {COUNTED "cycles=1000 l2_busy=0.6 l2_bytes=1000000", COUNTED "cycles=2000 l2_busy=0.6 l2_bytes=2000000", 1000,
         2000, CHANGE_LESS_WORK,
         "A 0 -> 1: bytes from and to L2 976.6 KiB -> 1953.1 KiB; alone 2.0 times slower: the limit is L2"},
        {STATIC, STATIC, 1500, 2000, CHANGE_NEEDS_COUNTERS,
         "A 0 -> 1: alone 1.33 times slower; the cause is unknown without hardware counters"},
        {COUNTED "cycles=1000", COUNTED "cycles=2000", 1000, 2000, CHANGE_NOT_KNOWN,
         "A 0 -> 1: alone 2.0 times slower; the cause is unknown: no rule applies"},
        {COUNTED "cycles=1000", COUNTED "cycles=1000", 1000, 1010, CHANGE_SAME,
         "A 0 -> 1: the times do not differ measurably"},
        {PIPELINE "host_locked=1", PIPELINE "host_locked=0", 1500, 2000, CHANGE_EXPLAINED,
         "A 0 -> 1: page-locked host memory yes -> no; alone 1.33 times slower: the limit is pageable host memory"},
        {STAGED "kernel_ns=400 run_ns=1000", STAGED "kernel_ns=400 run_ns=2000", 1000, 2000, CHANGE_EXPLAINED,
         "A 0 -> 1: time of the run beyond its longest stage 20% -> 60%; alone 2.0 times slower: the limit is copies "
         "and kernels that do not overlap"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world world;
        open_world(&world);
        add(&world, "A=1", cases[i].slow_ns, cases[i].slow);
        add(&world, "A=0", cases[i].fast_ns, cases[i].fast);
        const struct explain_input_change change = explain(&world, 1, 0);
        CU_ASSERT_EQUAL(change.from, 1);
        CU_ASSERT_EQUAL(change.to, 0);
        CU_ASSERT_DOUBLE_EQUAL(change.speedup, cases[i].fast_ns / cases[i].slow_ns, 1e-12);
        CU_ASSERT_STRING_EQUAL(change_answer_name(change.answer), change_answer_name(cases[i].answer));
        CU_ASSERT_STRING_EQUAL(change.sentence, cases[i].sentence);
        arena_free(&world.arena);
    }
}

static void test_costs_of_several(void)
{
    struct world world;
    open_world(&world);
    add(&world, "A=1 B=1", 2000, STATIC);
    add(&world, "A=0 B=0", 1500, STATIC);
    CU_ASSERT_STRING_EQUAL(explain(&world, 1, 0).sentence,
                           "A 0 -> 1, B 0 -> 1: 1.33 times slower; the cause is unknown without hardware counters");
    arena_free(&world.arena);
}

/* The focus is slower than others: the costs of its parameters are sorted among the gains, and no cause of the focus
 * counts as gone. */
static void test_slow_focus(void)
{
    struct world world;
    struct explanation explanation;
    struct error error = {0};
    open_world(&world);
    add(&world, "A=0 B=0", 1000, COUNTED "cycles=1000 " CONFLICTS(0));
    add(&world, "A=1 B=1", 3000, COUNTED "cycles=3000 " CONFLICTS(200000));
    add(&world, "A=0 B=1", 1500, COUNTED "cycles=1500 " CONFLICTS(50000));
    add(&world, "A=1 B=0", 4500, COUNTED "cycles=4500 " CONFLICTS(50000));
    add(&world, "A=2 B=1", 3000, COUNTED "cycles=3000 " CONFLICTS(200000));
    world.input.focus = 1;
    world.input.default_ = 0;
    CU_ASSERT_EQUAL_FATAL(explanation_make(&explanation, &world.arena, &world.input, &error), 0);
    CU_ASSERT_EQUAL_FATAL(explanation.change_count, 3);
    static const char *const parameters[] = {"A 0 -> 1", "B 0 -> 1", "A 2 -> 1"};
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(explanation.changes[i].to, 1);
        CU_ASSERT_STRING_EQUAL(explanation.changes[i].parameters, parameters[i]);
    }
    CU_ASSERT_STRING_EQUAL(explanation.overall->parameters, "A 0 -> 1, B 0 -> 1");
    CU_ASSERT_EQUAL(explanation.overall->cause_count, 1);
    CU_ASSERT_STRING_EQUAL(explanation.why, "latency-bound: no resource above 50% of its ceiling");
    arena_free(&world.arena);
}

/* The launches of a sequence are compared one by one, weighted by their times. */
static void test_sequence(void)
{
    static const struct {
        double cycles;
        const char *numbers;
    } cases[] = {{1000, "launch 2: shared load conflicts 100.0 k -> 0.1 k"}, {9000, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world world;
        char other[512];
        open_world(&world);
        snprintf(other, sizeof other, COUNTED CONFLICTS(0) "cycles=%g", cases[i].cycles);
        add(&world, "A=0", 3000, other);
        add_launch(&world, COUNTED "cycles=2000 " CONFLICTS(100000));
        add(&world, "A=1", 2000, other);
        add_launch(&world, COUNTED "cycles=1000 " CONFLICTS(100));
        const struct explain_input_change change = explain(&world, 0, 1);
        CU_ASSERT_EQUAL_FATAL(change.cause_count, cases[i].numbers != NULL);
        if (cases[i].numbers) {
            CU_ASSERT_STRING_EQUAL(change.causes[0].numbers, cases[i].numbers);
            CU_ASSERT_DOUBLE_EQUAL(change.causes[0].strength, 1.0 / 3, 1e-3);
        }
        arena_free(&world.arena);
    }
}

/* Without the counters of one launch, no counters decide. */
static void test_partly_counted(void)
{
    struct world world;
    open_world(&world);
    for (int a = 0; a < 2; a++) {
        add(&world, a ? "A=1" : "A=0", a ? 2000 : 3000, COUNTED "cycles=1000");
        add_launch(&world, STATIC);
    }
    CU_ASSERT_EQUAL(explain(&world, 0, 1).answer, CHANGE_NEEDS_COUNTERS);
    arena_free(&world.arena);
}

static void test_different_launches(void)
{
    struct world world;
    open_world(&world);
    add(&world, "A=0", 2000, COUNTED "cycles=2000 " CONFLICTS(100000));
    add(&world, "A=1", 1000, COUNTED "cycles=500 " CONFLICTS(100));
    add_launch(&world, COUNTED "cycles=500 " CONFLICTS(100));
    CU_ASSERT_EQUAL(explain(&world, 0, 1).answer, CHANGE_NOT_KNOWN);
    arena_free(&world.arena);
}

/* The focus is C=0: the default differs in two parameters, others in one. */
static void test_all(void)
{
    struct world world;
    struct explanation explanation;
    struct error error = {0};
    open_world(&world);
    add(&world, "PAD=0 T=32", 3000, COUNTED "cycles=3000 " CONFLICTS(200000));
    add(&world, "PAD=1 T=64", 1000,
        COUNTED "cycles=1000 dram_read_bytes=3000000 dram_write_bytes=760000 " CONFLICTS(0));
    add(&world, "PAD=0 T=64", 2000, COUNTED "cycles=2000 " CONFLICTS(100000));
    add(&world, "PAD=1 T=32", 1005, NULL);
    world.measurements[2].status = STATUS_SLOWER; /* stopped early, but clearly slower */
    world.input.default_ = 0;
    world.input.focus = 1;
    CU_ASSERT_EQUAL_FATAL(explanation_make(&explanation, &world.arena, &world.input, &error), 0);
    CU_ASSERT_EQUAL_FATAL(explanation.change_count, 1);
    CU_ASSERT_EQUAL(explanation.changes[0].from, 2);
    CU_ASSERT_PTR_NOT_NULL_FATAL(explanation.overall);
    CU_ASSERT_STRING_EQUAL(explanation.overall->parameters, "PAD 0 -> 1, T 32 -> 64");
    CU_ASSERT_STRING_EQUAL(explanation.why, "bank conflicts gone (PAD=1); now DRAM-bound at 94% of the copy ceiling");
    CU_ASSERT_EQUAL(explanation.configurations[0].binds, RESOURCE_LATENCY);
    CU_ASSERT_EQUAL(explanation.configurations[3].binds, RESOURCE_UNKNOWN);
    arena_free(&world.arena);
}

static void test_why(void)
{
    static const struct {
        const char *slow, *fast, *why;
        bool default_is_focus;
    } cases[] = {
        {STATIC, STATIC, "the default is the fastest; the limit is unknown without hardware counters", true},
        {COUNTED "cycles=2000", COUNTED "cycles=1000", "latency-bound: no resource above 50% of its ceiling", false},
        {COUNTED "cycles=2000 " CONFLICTS(100000), COUNTED "cycles=1000 l2_busy=0.8 " CONFLICTS(0),
         "bank conflicts gone (A=1); now L2-bound at 80% of its ceiling", false},
        {COUNTED "cycles=2000 l2_busy=0.6 l2_bytes=3000000", COUNTED "cycles=1000 l2_busy=0.99 l2_bytes=1000000",
         "3.0 times fewer bytes from and to L2 (A=1); now L2-bound at its ceiling", false},
        {STAGED "kernel_ns=400 run_ns=2000", STAGED "kernel_ns=400 run_ns=1000",
         "copies and kernels overlap (A=1); now copies to the device take 80% of the run", false},
        {STAGED "kernel_ns=2400 run_ns=4000", STAGED "kernel_ns=1300 run_ns=2000",
         "time of the kernel 2400 ns -> 1300 ns (A=1); now the kernel takes 65% of the run", false},
        {PIPELINE, PIPELINE, "the limit is unknown without the times of the pipeline's stages", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world world;
        struct explanation explanation;
        struct error error = {0};
        open_world(&world);
        add(&world, "A=0", 2000, cases[i].slow);
        add(&world, "A=1", 1000, cases[i].fast);
        world.input.focus = 1;
        world.input.default_ = cases[i].default_is_focus;
        CU_ASSERT_EQUAL_FATAL(explanation_make(&explanation, &world.arena, &world.input, &error), 0);
        CU_ASSERT_STRING_EQUAL(explanation.why, cases[i].why);
        arena_free(&world.arena);
    }
}

/* A parameter with the same value in default and focus is no reason, however much it matters. */
static void test_why_of_the_default(void)
{
    struct world world;
    struct explanation explanation;
    struct error error = {0};
    open_world(&world);
    add(&world, "T=1 PADS=1 PAD=0", 2000, COUNTED "cycles=2000 " CONFLICTS(100000));
    add(&world, "T=2 PADS=1 PAD=1", 1000, COUNTED "cycles=1000 l2_busy=0.8 " CONFLICTS(0));
    add(&world, "T=2 PADS=0 PAD=1", 9000, COUNTED "cycles=9000 " CONFLICTS(800000));
    world.input.focus = 1;
    world.input.default_ = 0;
    CU_ASSERT_EQUAL_FATAL(explanation_make(&explanation, &world.arena, &world.input, &error), 0);
    CU_ASSERT_EQUAL(explanation.change_count, 1);
    CU_ASSERT_STRING_EQUAL(explanation.why, "bank conflicts gone; now L2-bound at 80% of its ceiling");
    add(&world, "T=2 PADS=1 PAD=0", 2000, COUNTED "cycles=2000 " CONFLICTS(100000));
    CU_ASSERT_EQUAL_FATAL(explanation_make(&explanation, &world.arena, &world.input, &error), 0);
    CU_ASSERT_EQUAL(explanation.change_count, 2);
    CU_ASSERT_STRING_EQUAL(explanation.why, "bank conflicts gone (PAD=1); now L2-bound at 80% of its ceiling");
    arena_free(&world.arena);
}

/* Neither is a parameter that alone brings the fault back. */
static void test_why_without_costs(void)
{
    struct world world;
    struct explanation explanation;
    struct error error = {0};
    open_world(&world);
    add(&world, "A=0 B=0", 3000, COUNTED "cycles=3000 " CONFLICTS(220000));
    add(&world, "A=1 B=1", 1500, COUNTED "cycles=1500 " CONFLICTS(60000));
    add(&world, "A=0 B=1", 1000, COUNTED "cycles=1000 " CONFLICTS(0));
    world.input.focus = 1;
    world.input.default_ = 0;
    CU_ASSERT_EQUAL_FATAL(explanation_make(&explanation, &world.arena, &world.input, &error), 0);
    CU_ASSERT_EQUAL_FATAL(explanation.change_count, 1);
    CU_ASSERT_EQUAL(explanation.changes[0].cause_count, 1);
    CU_ASSERT_STRING_EQUAL(explanation.why,
                           "bank conflicts gone; now latency-bound: no resource above 50% of its ceiling");
    arena_free(&world.arena);
}

static void test_no_focus(void)
{
    struct world world;
    struct explanation explanation;
    struct error error = {0};
    open_world(&world);
    world.input.focus = EXPLANATION_NONE;
    for (size_t i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL_FATAL(explanation_make(&explanation, &world.arena, &world.input, &error), 0);
        CU_ASSERT_STRING_EQUAL(explanation.why, "");
        CU_ASSERT_EQUAL(explanation.change_count, 0);
        CU_ASSERT_PTR_NULL(explanation.overall);
        add(&world, i ? "A=1" : "A=0", 1000, STATIC);
    }
    arena_free(&world.arena);
}

static void test_bad_configuration(void)
{
    struct world world;
    struct explain_input_change change;
    struct error error = {0};
    open_world(&world);
    add(&world, "A", 2000, STATIC);
    add(&world, "A=1", 1000, STATIC);
    CU_ASSERT_EQUAL(explanation_change(&change, &world.arena, &world.input, 0, 1, &error), ERROR_DATA);
    arena_free(&world.arena);
}

CU_TestInfo tests_explanation[] = {{"answers and sentences", test_answers},
                                   {"changes that cost time", test_costs},
                                   {"several parameters that cost time", test_costs_of_several},
                                   {"a focus that others are faster than", test_slow_focus},
                                   {"launches of a sequence", test_sequence},
                                   {"counters of one launch", test_partly_counted},
                                   {"different numbers of launches", test_different_launches},
                                   {"all changes", test_all},
                                   {"the line of the summary", test_why},
                                   {"the line names what the default lacks", test_why_of_the_default},
                                   {"the line names what gains", test_why_without_costs},
                                   {"no focus", test_no_focus},
                                   {"text without NAME=VALUE", test_bad_configuration},
                                   CU_TEST_INFO_NULL};
