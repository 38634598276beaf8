/* Rules about pipelines, with their thresholds. */
#include "rule_cases.h"

#define COPIED  "chunks=4 in_place=0 managed=0 host_locked=1 allocate_ns=0 host_work_ns=0 "
#define STAGES_ "in_ns=300 kernel_ns=200 out_ns=300 "

static void test_stages(void)
{
    static const struct strength_case cases[] = {
        /* Nothing overlaps, or half of the overlappable time does. */
        {"no_overlap", COPIED STAGES_, "run_ns=800", "run_ns=300", 0.625},
        {"no_overlap", COPIED STAGES_, "run_ns=800", "run_ns=550", 0.3125},
        {"no_overlap", COPIED STAGES_, "run_ns=800", "run_ns=770", 0},
        {"no_overlap", COPIED STAGES_, "run_ns=550", "run_ns=800", 0},
        /* Allocations hide nothing, but work of the host does. */
        {"no_overlap", "chunks=1 host_locked=1 in_place=0 managed=0 " STAGES_, "run_ns=1000 allocate_ns=200",
         "run_ns=800 allocate_ns=0", 0},
        {"no_overlap", "chunks=1 host_locked=1 in_place=0 managed=0 allocate_ns=0 " STAGES_,
         "run_ns=1300 host_work_ns=500", "run_ns=800 host_work_ns=500", 0.385},
        /* A shorter stage; copies by the kernel. */
        {"no_overlap", COPIED "in_ns=300 out_ns=300 ", "kernel_ns=300 run_ns=400", "kernel_ns=100 run_ns=310", 0},
        {"no_overlap", "chunks=1 allocate_ns=0 managed=0 host_locked=1 ",
         "in_place=0 in_ns=300 kernel_ns=200 out_ns=300 run_ns=800",
         "in_place=1 in_ns=0 kernel_ns=200 out_ns=0 run_ns=250", 0.625},
        /* The kind of memory makes copies wait. */
        {"no_overlap", "chunks=4 in_place=0 managed=0 allocate_ns=0 " STAGES_, "host_locked=0 run_ns=800",
         "host_locked=1 run_ns=300", 0},
        {"no_overlap", "chunks=4 in_place=0 allocate_ns=0 " STAGES_, "managed=1 run_ns=800",
         "managed=0 host_locked=1 run_ns=300", 0},
        {"pageable_memory", "chunks=4 in_place=0 managed=0 allocate_ns=0 " STAGES_, "host_locked=0 run_ns=800",
         "host_locked=1 run_ns=300", 0.625},
        {"pageable_memory", "chunks=1 in_place=0 managed=0 allocate_ns=0 kernel_ns=200 ",
         "host_locked=0 in_ns=500 out_ns=500 run_ns=1200", "host_locked=1 in_ns=300 out_ns=300 run_ns=800", 0.333},
        {"pageable_memory", "chunks=1 in_place=0 managed=0 allocate_ns=0 kernel_ns=200 ",
         "host_locked=0 in_ns=300 out_ns=320 run_ns=820", "host_locked=1 in_ns=300 out_ns=300 run_ns=800", 0},
        {"pageable_memory", COPIED "kernel_ns=200 ", "in_ns=500 out_ns=500 run_ns=1200",
         "in_ns=300 out_ns=300 run_ns=800", 0},
        {"small_transfers", COPIED "kernel_ns=200 in_bytes=1e6 out_bytes=1e6 ",
         "transfers=2000 in_ns=700 out_ns=700 run_ns=1600", "transfers=2 in_ns=300 out_ns=300 run_ns=800", 0.5},
        {"small_transfers", COPIED "kernel_ns=200 in_bytes=1e6 out_bytes=1e6 ",
         "transfers=15 in_ns=700 out_ns=700 run_ns=1600", "transfers=8 in_ns=300 out_ns=300 run_ns=800", 0},
        {"small_transfers", COPIED "kernel_ns=200 in_bytes=1e6 out_bytes=1e6 ",
         "transfers=2 in_ns=700 out_ns=700 run_ns=1600", "transfers=0 in_ns=0 out_ns=0 run_ns=800", 0},
        {"allocation", STAGES_, "allocate_ns=200 run_ns=1000", "allocate_ns=0 run_ns=800", 0.2},
        {"allocation", STAGES_, "allocate_ns=200 run_ns=1000", "allocate_ns=160 run_ns=960", 0},
        {"host_reads", "managed=0 ", "in_place=1 kernel_ns=900 run_ns=1000", "in_place=0 kernel_ns=100 run_ns=700",
         0.8},
        {"host_reads", "managed=0 ", "in_place=1 kernel_ns=900 run_ns=1000", "in_place=1 kernel_ns=100 run_ns=200", 0},
        {"host_reads", "managed=0 ", "in_place=0 kernel_ns=900 run_ns=1000", "in_place=1 kernel_ns=100 run_ns=200", 0},
        {"migration", "in_place=0 kernel_ns=200 ", "managed=1 in_ns=900 out_ns=900 run_ns=2000",
         "managed=0 in_ns=300 out_ns=300 run_ns=800", 0.6},
        {"migration", "in_place=0 kernel_ns=200 ", "managed=0 in_ns=900 out_ns=900 run_ns=2000",
         "managed=1 in_ns=300 out_ns=300 run_ns=800", 0},
    };
    check_strengths(cases, sizeof cases / sizeof *cases, true);
}

static void test_static(void)
{
    static const struct strength_case cases[] = {
        {"no_overlap", COPIED, "streams=1", "streams=4", 0},
        {"pageable_memory", "", "host_locked=0", "host_locked=1", 0.5},
        {"pageable_memory", "", "host_locked=1", "host_locked=0", 0},
        {"pageable_memory", "", "managed=1", "host_locked=1", 0},
        {"small_transfers", "in_bytes=1e6 out_bytes=1e6 ", "transfers=32", "transfers=2", 0.5},
        /* Larger copies may have another reason, nearly equal ones do. */
        {"small_transfers", "in_bytes=1e6 out_bytes=1e6 ", "transfers=30", "transfers=2", 0},
        {"small_transfers", "in_bytes=1e6 out_bytes=1e6 ", "transfers=60", "transfers=32", 0},
        {"allocation", "", "allocations=2 pooled=0", "allocations=0 pooled=0", 0.5},
        {"allocation", "", "allocations=2 pooled=0", "allocations=2 pooled=1", 0.5},
        {"allocation", "", "allocations=2 pooled=1", "allocations=0 pooled=0", 0},
        {"host_reads", "", "in_place=1", "in_place=0", 0},
        {"migration", "", "managed=1", "managed=0", 0},
    };
    check_strengths(cases, sizeof cases / sizeof *cases, false);
}

CU_TestInfo tests_rules_pipeline[] = {
    {"strength by stages", test_stages}, {"strength by static evidence", test_static}, CU_TEST_INFO_NULL};
