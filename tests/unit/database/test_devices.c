/* The shipped device files load, and agree with NVIDIA's specifications. */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/architecture.h"
#include "database/limits_file.h"

static const char folder[] = SOURCE_FOLDER "/space/devices/";

/* From the CUDA C++ Programming Guide and the product's data, in their own units. */
static const struct {
    const char *file, *name;
    int cc, warps_sm, blocks_sm, shared_sm_kib, shared_block_kib, registers_thread;
    int sm_count, l2_mib, memory_gib;
    double bandwidth_gb; /* per second */
} facts[] = {
    {"V100-SXM2-16GB.csv", "Tesla V100-SXM2-16GB", 70, 64, 32, 96, 96, 32, 80, 6, 16, 900},
    {"A100-SXM4-40GB.csv", "NVIDIA A100-SXM4-40GB", 80, 64, 32, 164, 163, 32, 108, 40, 40, 1555},
    {"RTX-3090.csv", "NVIDIA GeForce RTX 3090", 86, 48, 16, 100, 99, 42, 82, 6, 24, 936},
    {"RTX-4090.csv", "NVIDIA GeForce RTX 4090", 89, 48, 24, 100, 99, 42, 128, 72, 24, 1008},
    {"H100-SXM5-80GB.csv", "NVIDIA H100 80GB HBM3", 90, 64, 32, 228, 227, 32, 132, 50, 80, 3350},
    {"H200.csv", "NVIDIA H200", 90, 64, 32, 228, 227, 32, 132, 60, 141, 4800},
};
enum { FACTS = sizeof facts / sizeof *facts };

static bool load(const char *file, struct device_limits *limits)
{
    char path[512], message[4096];
    struct error error = {0};
    snprintf(path, sizeof path, "%s%s", folder, file);
    int code = limits_read(path, limits, &error);
    if (code)
        fprintf(stderr, "\n%s", error_format(&error, message, sizeof message));
    CU_ASSERT_EQUAL(code, 0);
    return code == 0;
}

/* The files agree with the limits that follow from the compute capability alone. */
static void test_architectures(void)
{
    for (size_t i = 0; i < FACTS; i++) {
        struct device_limits limits;
        if (!load(facts[i].file, &limits))
            continue;
        for (size_t l = 0; l < limit_count; l++) {
            int64_t known = architecture_limit(&limit_rows[l], limits.cc);
            bool open = strncmp(limit_rows[l].name, "texture_", 8) == 0 && !known;
            CU_ASSERT(known == LIMIT_UNKNOWN || open || known == limit_get(&limits, &limit_rows[l]));
        }
    }
}

static void test_facts(void)
{
    for (size_t i = 0; i < FACTS; i++) {
        struct device_limits limits;
        if (!load(facts[i].file, &limits))
            continue;
        CU_ASSERT_STRING_EQUAL(limits.name, facts[i].name);
        CU_ASSERT_EQUAL(limits.cc, facts[i].cc);
        CU_ASSERT_EQUAL(limits.max_threads_sm / limits.warp, facts[i].warps_sm);
        CU_ASSERT_EQUAL(limits.max_blocks_sm, facts[i].blocks_sm);
        CU_ASSERT_EQUAL(limits.shared_sm, facts[i].shared_sm_kib * 1024);
        CU_ASSERT_EQUAL(limits.shared_limit, facts[i].shared_block_kib * 1024);
        CU_ASSERT_EQUAL(limits.registers_sm / limits.max_threads_sm, facts[i].registers_thread);
        CU_ASSERT_EQUAL(limits.sm_count, facts[i].sm_count);
        CU_ASSERT_EQUAL(limits.l2_bytes, (int64_t)facts[i].l2_mib << 20);
        double bandwidth = 2e3 * (double)limits.memory_clock_khz * (double)limits.memory_bus_bits / 8 / 1e9;
        CU_ASSERT_DOUBLE_EQUAL(bandwidth / facts[i].bandwidth_gb, 1, 0.005);
        CU_ASSERT_DOUBLE_EQUAL((double)limits.memory_bytes / 1073741824.0 / facts[i].memory_gib, 1, 0.025);
    }
}

/* Invariants of all devices. */
static void test_consistent(void)
{
    for (size_t i = 0; i < FACTS; i++) {
        struct device_limits limits;
        if (!load(facts[i].file, &limits))
            continue;
        CU_ASSERT_EQUAL(limits.warp, 32);
        CU_ASSERT_EQUAL(limits.max_threads, 1024);
        CU_ASSERT(limits.shared_default <= limits.shared_limit);
        CU_ASSERT_EQUAL(limits.shared_limit + limits.shared_reserved, limits.shared_sm);
        CU_ASSERT(limits.l2_persisting_bytes < limits.l2_bytes);
        CU_ASSERT_EQUAL(limits.l2_persisting_bytes > 0, limits.cc >= 80);
        CU_ASSERT_EQUAL(limits.l2_window_bytes > 0, limits.cc >= 80);
        CU_ASSERT(limits.cuda >= 9000);
    }
}

/* Every file has its facts above. */
static void test_complete(void)
{
    size_t files = 0;
    DIR *directory = opendir(folder);
    CU_ASSERT_PTR_NOT_NULL_FATAL(directory);
    for (struct dirent *entry; (entry = readdir(directory));)
        files += strstr(entry->d_name, ".csv") != NULL;
    closedir(directory);
    CU_ASSERT_EQUAL(files, FACTS);
}

CU_TestInfo tests_devices[] = {{"as their architectures", test_architectures},
                               {"facts of the products", test_facts},
                               {"facts of all devices", test_consistent},
                               {"every file has its facts", test_complete},
                               CU_TEST_INFO_NULL};
