/* The resource that binds a configuration. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "analyse/binding.h"
#include "base/evidence.h"

struct world {
    struct arena arena;
    struct provenance provenance;
    struct evidence launches[2], ceilings;
    struct measurement measurement;
    struct explanation_configuration configuration;
    struct explanation_input input;
};

/* A run of a microsecond, on a device that copies 4 TB/s and reads 10 TB/s from L2. */
static void open_world(struct world *world)
{
    *world = (struct world){
        .provenance = {.bytes = NAN, .flops = NAN, .roofline_ns = NAN, .ceilings = {4e12, NAN, NAN, NAN}},
        .ceilings = evidence_unknown(),
        .measurement = measurement_unknown(STATUS_OK)};
    world->measurement.value = 1000;
    world->ceilings.ceiling_l2 = 10e12;
    world->ceilings.ceiling_shared = 20e12;
    world->ceilings.ceiling_issue = 1e12;
    world->configuration = (struct explanation_configuration){"A=1", &world->measurement, world->launches, 0};
    world->input = (struct explanation_input){.configurations = &world->configuration,
                                              .count = 1,
                                              .default_ = EXPLANATION_NONE,
                                              .provenance = &world->provenance,
                                              .ceilings = &world->ceilings};
}

static void add(struct world *world, const char *text)
{
    struct error error = {0};
    struct evidence *launch = &world->launches[world->configuration.launch_count++];
    *launch = evidence_unknown();
    CU_ASSERT_EQUAL_FATAL(evidence_parse(text, launch, &error), 0);
}

static struct explain_input_configuration bind(struct world *world)
{
    struct explain_input_configuration bound;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(binding_of(&bound, &world->arena, &world->input, &world->configuration, &error), 0);
    return bound;
}

static void test_resources(void)
{
    static const struct {
        const char *evidence;
        double bytes; /* least traffic */
        enum resource binds;
        double share;
        const char *sentence;
    } cases[] = {
        {"cycles=1000 dram_read_bytes=3e6 dram_write_bytes=6e5 l2_bytes=4e6", 3e6, RESOURCE_DRAM, 0.9,
         "DRAM binds: 90% of the copy ceiling; DRAM moves 1.20 times the bytes needed"},
        {"cycles=1000 dram_read_bytes=0 dram_write_bytes=0 l2_bytes=8e6", NAN, RESOURCE_L2, 0.8,
         "L2 binds: 80% of its ceiling"},
        {"cycles=1000 dram_read_bytes=3.9e6 dram_write_bytes=6e4", NAN, RESOURCE_DRAM, 0.99,
         "DRAM binds: at the copy ceiling"},
        {"cycles=1000 l1_busy=1 sm_active=0.7", NAN, RESOURCE_L1, 0.7,
         "L1 and shared memory binds: 70% of its ceiling"},
        {"cycles=1000 instructions=7e5 instructions_issued=8e5", NAN, RESOURCE_ISSUE, 0.8, NULL},
        {"cycles=1000 fma_pipe=0.9", NAN, RESOURCE_FMA, 0.9, NULL},
        {"cycles=1000 alu_pipe=0.9", NAN, RESOURCE_ALU, 0.9, NULL},
        {"cycles=1000 fp64_pipe=0.9", NAN, RESOURCE_FP64, 0.9, NULL},
        {"cycles=1000 xu_pipe=0.9", NAN, RESOURCE_XU, 0.9, NULL},
        {"cycles=1000 tensor_pipe=0.9", NAN, RESOURCE_TENSOR, 0.9, NULL},
        {"cycles=1000 dram_busy=0.59 l2_busy=0.3 stall_long_scoreboard=7 stall_barrier=1 "
         "stall_not_selected=11",
         NAN, RESOURCE_LATENCY, 0.59,
         "latency binds: the busiest resource, DRAM, is at 59% of the copy ceiling; a warp waits for global, local or "
         "texture memory for 35% of its time"},
        {"cycles=1000 dram_busy=0.61", NAN, RESOURCE_DRAM, 0.61, NULL},
        {"registers=9", 3.6e6, RESOURCE_DRAM, 0.9, "DRAM binds: 90% of the copy ceiling"},
        {"registers=9", 1.2e6, RESOURCE_UNKNOWN, 0.3,
         "what binds is unknown without hardware counters; the least traffic is at 30% of the copy ceiling"},
        {"registers=9", NAN, RESOURCE_UNKNOWN, NAN, "what binds is unknown without hardware counters"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world world;
        open_world(&world);
        world.provenance.bytes = cases[i].bytes;
        add(&world, cases[i].evidence);
        const struct explain_input_configuration bound = bind(&world);
        CU_ASSERT_STRING_EQUAL(resource_name(bound.binds), resource_name(cases[i].binds));
        CU_ASSERT(isnan(cases[i].share) ? isnan(bound.share) : fabs(bound.share - cases[i].share) < 1e-9);
        if (cases[i].sentence)
            CU_ASSERT_STRING_EQUAL(bound.sentence, cases[i].sentence);
        arena_free(&world.arena);
    }
}

/* Launches are summed, repetitions counted, and shares weighted by cycles. */
static void test_launches(void)
{
    struct world world;
    open_world(&world);
    add(&world,
        "cycles=100 repeats=2 dram_read_bytes=1e5 dram_write_bytes=0 l2_bytes=1e6 instructions=1e4 fma_pipe=0.9 "
        "l1_busy=0.5 warps_active=0.3");
    add(&world,
        "cycles=100 dram_read_bytes=1e5 dram_write_bytes=0 l2_bytes=2e6 instructions=1e4 fma_pipe=0 l1_busy=0.5 "
        "warps_active=0.7");
    const struct explain_input_configuration bound = bind(&world);
    CU_ASSERT_DOUBLE_EQUAL(bound.bytes_moved, 3e5, 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(bound.resources[RESOURCE_FMA].share, 0.6, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(bound.resources[RESOURCE_L2].used, 4e12, 1);
    CU_ASSERT_DOUBLE_EQUAL(bound.occupancy, 0.3, 1e-9);
    CU_ASSERT_EQUAL(bound.points[0].level, RESOURCE_DRAM);
    CU_ASSERT_DOUBLE_EQUAL(bound.points[0].intensity, 0.1, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(bound.points[0].instructions, 3e10, 1);
    CU_ASSERT_DOUBLE_EQUAL(bound.points[0].slope, 4e12, 1);
    CU_ASSERT_DOUBLE_EQUAL(bound.points[2].intensity, 3e4 / 10e6, 1e-9);
    arena_free(&world.arena);
}

/* For a time per unit of work, the run's time counts. */
static void test_work(void)
{
    struct world world;
    open_world(&world);
    world.measurement.objective = OBJECTIVE_time_per_work;
    world.measurement.value = 1;
    world.measurement.run_ns = 2000;
    world.measurement.bytes = 1e6;
    add(&world, "cycles=1000 dram_read_bytes=3e6 dram_write_bytes=1e6");
    const struct explain_input_configuration bound = bind(&world);
    CU_ASSERT_DOUBLE_EQUAL(bound.share, 0.5, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(bound.bytes_needed, 1e6, 1e-3);
    arena_free(&world.arena);
}

/* A run that copies over the host link has the link's roofline time; others, that of their traffic in device memory. */
static void test_link(void)
{
    static const struct {
        double bytes, roofline_ns;
        enum resource binds;
        const char *sentence;
    } cases[] = {
        {NAN, 800, RESOURCE_LINK, "host link binds: 80% of its ceiling"},
        {4e5, 800, RESOURCE_LINK, "host link binds: 80% of its ceiling"},
        {3.2e6, 800, RESOURCE_DRAM, "DRAM binds: 80% of the copy ceiling"},
        {3.2e6, NAN, RESOURCE_DRAM, "DRAM binds: 80% of the copy ceiling"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world world;
        open_world(&world);
        world.provenance.ceilings.link_both = 1e11;
        world.provenance.bytes = cases[i].bytes;
        world.provenance.roofline_ns = cases[i].roofline_ns;
        const struct explain_input_configuration bound = bind(&world);
        CU_ASSERT_STRING_EQUAL(resource_name(bound.binds), resource_name(cases[i].binds));
        CU_ASSERT_STRING_EQUAL(bound.sentence, cases[i].sentence);
        arena_free(&world.arena);
    }
}

/* A pipeline on a link of 100 GB/s in both directions, whose roofline time is 400 of 1000 ns, or 800. */
static void test_stages(void)
{
    static const struct {
        const char *evidence;
        double roofline_ns;
        enum resource binds;
        double share;
        const char *sentence;
    } cases[] = {
        {"in_ns=830 kernel_ns=20 out_ns=100 in_place=0", 400, RESOURCE_COPIES_IN, 0.83,
         "copies to the device take 83% of the run, at 12% of the link's ceiling"},
        {"in_ns=100 kernel_ns=20 out_ns=500 in_place=0", 400, RESOURCE_COPIES_OUT, 0.5,
         "copies to the host take 50% of the run, at 32% of the link's ceiling"},
        {"in_ns=100 kernel_ns=900 out_ns=100 in_place=0", 400, RESOURCE_KERNEL, 0.9, "the kernel takes 90% of the run"},
        {"in_ns=0 kernel_ns=900 out_ns=0 in_place=1", 400, RESOURCE_KERNEL, 0.9,
         "the kernel takes 90% of the run, with accesses to host memory at 20% of the link's ceiling"},
        {"in_ns=100 kernel_ns=200 out_ns=100 allocate_ns=600 in_place=0", 400, RESOURCE_ALLOCATION, 0.6,
         "allocations take 60% of the run"},
        {"in_ns=100 kernel_ns=200 out_ns=100 host_work_ns=600 in_place=0", 400, RESOURCE_HOST_WORK, 0.6,
         "work of the host takes 60% of the run"},
        /* The link binds near its ceiling, unless a stage without it takes longer. */
        {"in_ns=950 kernel_ns=200 out_ns=950 in_place=0", 800, RESOURCE_LINK, 0.8,
         "host link binds: 80% of its ceiling"},
        {"in_ns=0 kernel_ns=1000 out_ns=0 in_place=1", 800, RESOURCE_LINK, 0.8, "host link binds: 80% of its ceiling"},
        {"in_ns=950 kernel_ns=900 out_ns=950 in_place=0", 800, RESOURCE_KERNEL, 0.9, "the kernel takes 90% of the run"},
        /* A run shorter than one of its stages alone. */
        {"in_ns=100 kernel_ns=1010 out_ns=100 in_place=0", 400, RESOURCE_KERNEL, 1, "the kernel takes 100% of the run"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world world;
        char evidence[512];
        open_world(&world);
        world.provenance.ceilings = (struct ceilings){4e12, 60e9, 50e9, 100e9};
        world.provenance.bytes = 3e6;
        world.provenance.roofline_ns = cases[i].roofline_ns;
        snprintf(evidence, sizeof evidence, "chunks=1 in_bytes=5976 out_bytes=8000 run_ns=1000 %s", cases[i].evidence);
        if (strstr(evidence, "in_place=1"))
            snprintf(evidence, sizeof evidence, "chunks=1 in_bytes=9000 out_bytes=9000 run_ns=1000 %s",
                     cases[i].evidence);
        add(&world, evidence);
        const struct explain_input_configuration bound = bind(&world);
        CU_ASSERT_STRING_EQUAL(resource_name(bound.binds), resource_name(cases[i].binds));
        CU_ASSERT_DOUBLE_EQUAL(bound.share, cases[i].share, 1e-9);
        CU_ASSERT(isnan(bound.resources[RESOURCE_DRAM].share));
        if (strcmp(bound.sentence, cases[i].sentence) != 0)
            printf("\n    %s", bound.sentence);
        CU_ASSERT_STRING_EQUAL(bound.sentence, cases[i].sentence);
        arena_free(&world.arena);
    }
}

/* Without the times of its stages, only the link may bind. */
static void test_no_stages(void)
{
    struct world world;
    open_world(&world);
    world.provenance.ceilings.link_both = 1e11;
    world.provenance.roofline_ns = 300;
    add(&world, "chunks=1 transfers=2");
    CU_ASSERT_STRING_EQUAL(bind(&world).sentence, "what binds is unknown without the times of the pipeline's stages; "
                                                  "the least traffic is at 30% of the link's ceiling");
    world.provenance.roofline_ns = 700;
    CU_ASSERT_STRING_EQUAL(bind(&world).sentence, "host link binds: 70% of its ceiling");
    arena_free(&world.arena);
}

static void test_names(void)
{
    CU_ASSERT_STRING_EQUAL(resource_name(RESOURCE_LATENCY), "latency");
    CU_ASSERT_STRING_EQUAL(resource_name(RESOURCE_UNKNOWN), "unknown");
    CU_ASSERT_STRING_EQUAL(resource_unit(RESOURCE_L2), "bytes/s");
    CU_ASSERT_STRING_EQUAL(resource_unit(RESOURCE_UNKNOWN), "");
}

CU_TestInfo tests_binding[] = {{"the resource with the largest share binds", test_resources},
                               {"sums over launches", test_launches},
                               {"time per work", test_work},
                               {"host link", test_link},
                               {"stages of a pipeline", test_stages},
                               {"a pipeline without times", test_no_stages},
                               {"names", test_names},
                               CU_TEST_INFO_NULL};
