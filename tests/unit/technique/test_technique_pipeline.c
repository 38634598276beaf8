/* Pipelines in a configuration's launch, and their requirements on the device. */
#include <math.h>

#include "technique.h"

static void meaning(void)
{
    static const struct meaning_row rows[] = {
        {"pipeline copy_in in copy_out out", "", "",
         "in 0 out 1 1 by 1 streams 1 order 0 host 1 pieces 1 packed 0 work 0 place 0 alloc 0"},
        {"pipeline copy_out out copy_in in, out", "", "",
         "inout 1 in 0 1 by 1 streams 1 order 0 host 1 pieces 1 packed 0 work 0 place 0 alloc 0"},
        {"pipeline copy_in in split N over 3 streams 2 order breadth host_memory pageable pieces 4 packed 1 host_work "
         "5000 placement overlapped allocation pool",
         "", "", "in 0 1000 by 334 streams 2 order 1 host 0 pieces 4 packed 1 work 5000 place 1 alloc 2"},
        {"pipeline copy_in in split N over A streams 4 * A order breadth placement WHEN", "", "A=8 WHEN=overlapped",
         "in 0 1000 by 125 streams 8 order 1 host 1 pieces 1 packed 0 work 0 place 0 alloc 0"},
        {"pipeline copy_in in split N / 2 over 300 host_memory HOST", "", "HOST=registered",
         "in 0 500 by 2 streams 1 order 0 host 2 pieces 1 packed 0 work 0 place 0 alloc 0"},
        {"pipeline copy_in in host_memory HOST pieces 9 packed 1 allocation each", "", "HOST=mapped",
         "in 0 1 by 1 streams 1 order 0 host 4 pieces 1 packed 0 work 0 place 0 alloc 0"},
        {"pipeline copy_in in host_work 3000 placement A == 1 ? WHEN : before", "", "A=1 WHEN=overlapped",
         "in 0 1 by 1 streams 1 order 0 host 1 pieces 1 packed 0 work 3000 place 1 alloc 0"},
        {"pipeline copy_in in host_memory A == 1 ? HOST : WHEN", "", "A=2",
         "before is not a kind of host memory, in pipeline at A=2 R=0.25 HOST=pageable WHEN=before"},
        {"pipeline copy_in in split N over 1001", "", "",
         "the number of chunks must be from 1 to 1000, not 1001, in pipeline at A=1 R=0.25 HOST=pageable WHEN=before"},
        {"pipeline copy_in in split 300 over 3", "", "",
         "the 1000 elements of 'in' are not a multiple of the 300 that are split, in pipeline at A=1 R=0.25 "
         "HOST=pageable "
         "WHEN=before"},
        {"pipeline copy_in in packed A", "", "A=2",
         "`packed` must be from 0 to 1, not 2, in pipeline at A=2 R=0.25 HOST=pageable WHEN=before"},
        {"pipeline copy_in in streams 0", "", "",
         "the number of streams must be from 1 to 128, not 0, in pipeline at A=1 R=0.25 HOST=pageable WHEN=before"},
        {"pipeline copy_in in split N over A", ", uchar chunk_offset", "",
         "1000, which is split, does not fit the type uchar, in pipeline at A=1 R=0.25 HOST=pageable WHEN=before"},
    };
    expect_meanings(rows, COUNT(rows));
}

static void fits(void)
{
    static const struct fits_row rows[] = {
        {"pipeline copy_in in host_memory mapped", "", "host_mapped", 0, "the device cannot map host memory"},
        {"pipeline copy_in in host_memory registered", "", "host_registered", 0,
         "the device cannot register host memory"},
        {"pipeline copy_in in host_memory managed", "", "managed_memory", 0,
         "the device cannot prefetch managed memory"},
        {"pipeline copy_in in host_memory managed", "", "managed_concurrent", 0,
         "the device cannot prefetch managed memory"},
        {"pipeline copy_in in host_memory managed", "", "host_mapped", 0, ""},
        {"pipeline copy_in in allocation pool", "", "memory_pools", 0, "the device has no memory pools"},
        {"pipeline copy_in in allocation each", "", "memory_pools", 0, ""},
        {"pipeline copy_in in split N over 4 streams 2", "", "copy_engines", 0,
         "the device has no copy engine: streams would not overlap anything"},
        {"pipeline copy_in in split N over 1 streams 2", "", "copy_engines", 0, ""},
    };
    expect_fits(rows, COUNT(rows));
}

static void transfers(void)
{
    struct space *space = make("pipeline copy_in in, table copy_out out", "", NULL);
    double in_bytes, out_bytes;
    space_transfers(space, &in_bytes, &out_bytes);
    CU_ASSERT_EQUAL(in_bytes, 4000 + 16384);
    CU_ASSERT_EQUAL(out_bytes, 4000);
    CU_ASSERT(space_uses_streams(space));
    space_free(space);
    space = make("flops 2 * N", "", NULL);
    space_transfers(space, &in_bytes, &out_bytes);
    CU_ASSERT_EQUAL(in_bytes, 0);
    CU_ASSERT_EQUAL(out_bytes, 0);
    CU_ASSERT_EQUAL(space->flops, 2000);
    CU_ASSERT(isnan(space->bytes));
    CU_ASSERT_FALSE(space_uses_streams(space));
    space_free(space);
}

CU_TestInfo tests_technique_pipeline[] = {
    {"meaning", meaning}, {"fits", fits}, {"transfers", transfers}, CU_TEST_INFO_NULL};
