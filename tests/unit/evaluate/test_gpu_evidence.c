/* Evidence of the evaluator `gpu`, over the fake runtime with real compilers. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device_kit.h"
#include "world.h"

enum { MOST = 7 }; /* more than compilers */

struct include_cache {
    size_t count, counted, failing; /* failing: number of the configuration that `take` refuses; 0: none */
    uint64_t indices[MOST];
    char why[MOST][256];
    struct evidence first[MOST];
};

static int take(void *context, const struct evaluator_evidence *evidence, struct error *error)
{
    struct include_cache *taken = context;
    CU_ASSERT_FATAL(taken->count < MOST);
    CU_ASSERT_EQUAL(evidence->launch_count, 1);
    taken->indices[taken->count] = evidence->index;
    taken->first[taken->count] = evidence->launches[0];
    snprintf(taken->why[taken->count], sizeof *taken->why, "%.255s", evidence->no_counters);
    taken->counted += !*evidence->no_counters;
    return ++taken->count == taken->failing ? error_set(error, ERROR_IO, "no space") : 0;
}

static int collect(struct world *world, const uint64_t *indices, size_t count, int64_t until_ns,
                   struct include_cache *taken, struct error *error)
{
    const struct evaluator_ops *ops = world->evaluator.ops;
    size_t room = ops->room(world->evaluator.state, false);
    *error = (struct error){0};
    int code = ops->device->evidence(world->evaluator.state, indices, count, until_ns, take, taken, error);
    CU_ASSERT_EQUAL(ops->room(world->evaluator.state, false), room); /* nothing stays in flight */
    return code;
}

/* Resources, spills and counters come together, in the requested order. Measuring continues afterwards. */
static void evidence(void)
{
    static struct include_cache taken;
    struct world world;
    struct error error;
    struct evaluation done;
    fake_reset();
    fake.cupti = true;
    open_world(&world, NULL);
    const uint64_t indices[] = {index_of(&world, "TIME=6000"), index_of(&world, "TIME=5000 SHARED=100000")};
    taken = (struct include_cache){0};
    CU_ASSERT_EQUAL(collect(&world, indices, COUNT(indices), INT64_MAX, &taken, &error), 0);
    CU_ASSERT_EQUAL_FATAL(taken.count, COUNT(indices));
    CU_ASSERT_EQUAL(taken.counted, COUNT(indices));
    for (size_t i = 0; i < COUNT(indices); i++) {
        const struct evidence *first = &taken.first[i];
        CU_ASSERT_EQUAL(taken.indices[i], indices[i]);
        CU_ASSERT_STRING_EQUAL(first->kernel, "twice");
        CU_ASSERT_EQUAL(first->threads, 64);
        CU_ASSERT_EQUAL(first->shared_bytes, i ? 100000 : 0);
        CU_ASSERT(first->registers > 0);
        CU_ASSERT_EQUAL(first->spill_store_bytes, 0);
        CU_ASSERT_EQUAL(first->bytes_needed, 8000);
        CU_ASSERT_EQUAL(first->cycles, 1000);
        CU_ASSERT(first->ceiling_fma > 0);
    }
    unsigned lives = fake_lives();
    CU_ASSERT_EQUAL(collect(&world, indices, 1, INT64_MAX, &taken, &error), 0);
    CU_ASSERT_EQUAL(fake_lives(), lives); /* the profiler stays for the next call */
    CU_ASSERT_EQUAL(evaluate(&world, indices, 1, true, &done, &error), 0);
    CU_ASSERT_EQUAL(done.measurement.value, 6000);
    close_world(&world);
}

/* The machine code is read with nvdisasm: the toolkit's, else this stand-in. */
static void machine_code(void)
{
    static struct include_cache taken;
    struct world world;
    struct error error;
    char folder[] = "/tmp/cutune-gpu-evidence-XXXXXX", program[64], folders[4096];
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(program, sizeof program, "%s/nvdisasm", folder);
    FILE *file = fopen(program, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs("#!/bin/sh\necho '.text.twice:'\necho '  /*0000*/ LDG.E R4, [R2.64] ;'\n", file);
    fclose(file);
    chmod(program, 0700);
    char *before = strdup(getenv("PATH"));
    snprintf(folders, sizeof folders, "%s:%s", folder, before);
    setenv("PATH", folders, 1);
    fake_reset();
    open_world(&world, NULL);
    const uint64_t indices[] = {index_of(&world, "TIME=6000")};
    taken = (struct include_cache){0};
    CU_ASSERT_EQUAL(collect(&world, indices, 1, INT64_MAX, &taken, &error), 0);
    CU_ASSERT_EQUAL_FATAL(taken.count, 1);
    CU_ASSERT(taken.first[0].code_global_loads > 0);
    close_world(&world);
    setenv("PATH", before, 1);
    free(before);
    unlink(program);
    rmdir(folder);
}

/* Without a device, only the compilers start. */
static void no_device(void)
{
    static struct include_cache taken;
    struct world world;
    struct error error;
    fake_reset();
    open_world(&world, NULL);
    unsigned lives = test_lives(1);
    struct evaluator_setup setup = world.setup;
    setup.limits = device_limits(world.devices[0]);
    setup.device_count = 0;
    setup.devices = NULL;
    const uint64_t indices[] = {index_of(&world, "TIME=6000"), index_of(&world, "TIME=5000 SHARED=100000")};
    evaluator_close(&world.evaluator);
    CU_ASSERT_EQUAL_FATAL(evaluator_open_gpu(&world.evaluator, &setup, &error), 0);
    taken = (struct include_cache){0};
    CU_ASSERT_EQUAL(collect(&world, indices, COUNT(indices), INT64_MAX, &taken, &error), 0);
    CU_ASSERT_EQUAL_FATAL(taken.count, COUNT(indices));
    CU_ASSERT_STRING_EQUAL(taken.why[0], "the device is not at hand");
    CU_ASSERT_EQUAL(taken.first[0].threads, 64);
    CU_ASSERT_EQUAL(taken.first[1].shared_bytes, 100000);
    CU_ASSERT(isnan(taken.first[0].cycles));
    CU_ASSERT(isnan(taken.first[0].ceiling_dram));
    CU_ASSERT_EQUAL(fake_lives(), lives);
    close_world(&world);
}

/* Without counters there is static evidence, and a reason. */
static void no_counters(void)
{
    static const struct {
        bool cupti;
        int result, start;
        const char *why;
    } rows[] = {
        {false, 0, FAKE_CUPTI_STARTS, "CUPTI, which reads performance counters, is not installed: install NVIDIA's"},
        {true, 35, FAKE_CUPTI_STARTS, "the driver lets administrators alone read performance counters: run as root or"},
        {true, 0, FAKE_CUPTI_CRASHES, "the profiler was killed by signal 11 (Segmentation fault)"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        static struct include_cache taken;
        struct world world;
        struct error error;
        struct evaluation done;
        fake_reset();
        fake.cupti = rows[i].cupti;
        fake.cupti_result = rows[i].result;
        fake.cupti_start = rows[i].start;
        open_world(&world, NULL);
        const uint64_t indices[] = {index_of(&world, "TIME=6000"), index_of(&world, "TIME=5000"),
                                    index_of(&world, "TIME=20000")};
        taken = (struct include_cache){0};
        CU_ASSERT_EQUAL(collect(&world, indices, COUNT(indices), INT64_MAX, &taken, &error), 0);
        CU_ASSERT_EQUAL_FATAL(taken.count, COUNT(indices));
        CU_ASSERT_EQUAL(taken.counted, 0);
        for (size_t k = 0; k < taken.count; k++) {
            CU_ASSERT_EQUAL(strncmp(taken.why[k], rows[i].why, strlen(rows[i].why)), 0);
            CU_ASSERT(taken.first[k].registers > 0);
            CU_ASSERT(isnan(taken.first[k].cycles));
        }
        CU_ASSERT_EQUAL(evaluate(&world, indices, 1, true, &done, &error), 0);
        CU_ASSERT_EQUAL(done.measurement.value, 6000);
        close_world(&world);
    }
}

/* If a kernel fails under the profiler, the others still have counters. */
static void one_fails(void)
{
    static struct include_cache taken;
    struct world world;
    struct error error;
    fake_reset();
    fake.cupti = true;
    open_world(&world, NULL);
    const uint64_t indices[] = {index_of(&world, "TIME=6000"), index_of(&world, "TIME=5000 FAULT=kill"),
                                index_of(&world, "TIME=20000")};
    taken = (struct include_cache){0};
    CU_ASSERT_EQUAL(collect(&world, indices, COUNT(indices), INT64_MAX, &taken, &error), 0);
    CU_ASSERT_EQUAL_FATAL(taken.count, COUNT(indices));
    CU_ASSERT_STRING_EQUAL(taken.why[0], "");
    CU_ASSERT_STRING_EQUAL(taken.why[1], "the profiler was killed by signal 11 (Segmentation fault)");
    CU_ASSERT_STRING_EQUAL(taken.why[2], "");
    CU_ASSERT_EQUAL(taken.first[2].cycles, 1000);
    close_world(&world);
}

/* Collecting ends in time, at a stop, and with the receiver's error. Configurations may outnumber the compilers, or
 * repeat. */
static void ends(void)
{
    static struct include_cache taken;
    static const struct {
        int64_t until_ns;
        int stop;
        size_t failing, count, expected;
        int code;
    } rows[] = {{0, 0, 0, 2, 0, 0},
                {INT64_MAX, 1, 0, 2, 0, 0},
                {INT64_MAX, 0, 1, 3, 1, ERROR_IO},
                {INT64_MAX, 0, 0, MOST, MOST, 0}};
    struct world world;
    struct error error;
    fake_reset();
    fake.cupti = true;
    open_world(&world, NULL);
    uint64_t indices[MOST];
    for (size_t i = 0; i < MOST; i++)
        indices[i] = index_of(&world, i % 2 ? "TIME=6000" : "TIME=5000");
    for (size_t i = 0; i < COUNT(rows); i++) {
        taken = (struct include_cache){.failing = rows[i].failing};
        world.stop = rows[i].stop;
        CU_ASSERT_EQUAL(collect(&world, indices, rows[i].count, rows[i].until_ns, &taken, &error), rows[i].code);
        CU_ASSERT_EQUAL(taken.count, rows[i].expected);
    }
    close_world(&world);
}

CU_TestInfo tests_gpu_evidence[] = {{"evidence", evidence},   {"machine code", machine_code},
                                    {"no device", no_device}, {"no counters", no_counters},
                                    {"one fails", one_fails}, {"ends", ends},
                                    CU_TEST_INFO_NULL};
