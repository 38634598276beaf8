#include "device/counters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool has_all(void *context, const char *metric)
{
    (void)context, (void)metric;
    return true;
}

static bool lacks(void *context, const char *metric)
{
    return strcmp(metric, context) != 0;
}

/* The value of a metric is the length of its name. */
static struct evidence measured(const struct counters *counters)
{
    struct evidence evidence = evidence_unknown();
    double values[COUNTERS_METRICS_MAX];
    for (size_t i = 0; i < counters->count; i++)
        values[i] = (double)strlen(counters->names[i]);
    counters_put(counters, values, &evidence);
    return evidence;
}

/* The table has a row for each counter, and for nothing else. */
static void items(void)
{
    struct counters counters;
    counters_choose(&counters, has_all, NULL);
    const struct evidence evidence = measured(&counters);
    for (size_t i = 0; i < evidence_count; i++) {
        bool known = !isnan(evidence_get(&evidence, &evidence_rows[i]));
        if (known != (evidence_rows[i].source == EVIDENCE_COUNTER))
            fprintf(stderr, "\n%s", evidence_rows[i].name);
        CU_ASSERT_EQUAL(known, evidence_rows[i].source == EVIDENCE_COUNTER);
    }
    for (size_t i = 0; i < counters.count; i++)
        for (size_t j = 0; j < i; j++)
            CU_ASSERT_STRING_NOT_EQUAL(counters.names[i], counters.names[j]);
}

/* An item may be a sum, a ratio or scaled. Another row replaces one whose metric is missing; without one the item is
 * unknown. */
static void values(void)
{
    static char missing[][COUNTERS_NAME_BYTES] = {"dram__bytes_read.sum", "smsp__warps_issue_stalled_gmma.sum",
                                                  "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"};
    struct counters counters;
    counters_choose(&counters, has_all, NULL);
    struct evidence evidence = measured(&counters);
    CU_ASSERT_EQUAL(evidence.cycles, strlen("sm__cycles_elapsed.max"));
    CU_ASSERT_EQUAL(evidence.l2_bytes, 32 * strlen("lts__t_sectors_srcunit_tex.sum"));
    CU_ASSERT_EQUAL(evidence.atomic_requests, strlen("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"
                                                     "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"));
    CU_ASSERT_DOUBLE_EQUAL(evidence.sm_active,
                           (double)strlen("sm__cycles_active.avg") / (double)strlen("sm__cycles_elapsed.max"), 1e-12);
    CU_ASSERT_EQUAL(evidence.dram_read_bytes, strlen("dram__bytes_read.sum"));
    counters_choose(&counters, lacks, missing[0]);
    CU_ASSERT_EQUAL(measured(&counters).dram_read_bytes, strlen("dram__bytes_op_read.sum"));
    counters_choose(&counters, lacks, missing[1]);
    CU_ASSERT(isnan(measured(&counters).stall_gmma));
    CU_ASSERT_FALSE(isnan(measured(&counters).stall_wait));
    counters_choose(&counters, lacks, missing[2]);
    CU_ASSERT(isnan(measured(&counters).atomic_requests));
    double zeros[COUNTERS_METRICS_MAX] = {0};
    counters_choose(&counters, has_all, NULL);
    evidence = evidence_unknown();
    counters_put(&counters, zeros, &evidence);
    CU_ASSERT_EQUAL(evidence.cycles, 0);
    CU_ASSERT(isnan(evidence.l1_hits)); /* no accesses */
}

CU_TestInfo tests_counters[] = {{"items", items}, {"values", values}, CU_TEST_INFO_NULL};
