/* Clusters in a configuration's launch, and the limits of the device and the grid. */
#include "technique.h"

static void meaning(void)
{
    static const struct meaning_row rows[] = {
        {"cluster A", "", "A=1", "none"},
        {"cluster A", "", "A=8", "cluster 8 1 1"},
        {"cluster 1, A, 2", "", "A=2", "cluster 1 2 2"},
        {"cluster A - 1", "", "A=1",
         "a cluster's size must be from 1 to 4294967295, not 0, in cluster at A=1 R=0.25 "
         "HOST=pageable WHEN=before"},
    };
    expect_meanings(rows, COUNT(rows));
}

static void fits(void)
{
    static const struct fits_row rows[] = {
        {"cluster 8", "", "cc", 90, ""},
        {"cluster 3", "", "cc", 90, "8 blocks in x are not a multiple of the cluster's 3"},
        {"cluster 1, 2", "", "cc", 90, "1 blocks in y are not a multiple of the cluster's 2"},
        {"cluster 2", "", "cluster_launch", 0, "the device has no thread block clusters (compute capability 9.0)"},
        {"cluster 1", "", "cluster_launch", 0, ""},
    };
    expect_fits(rows, COUNT(rows));
}

CU_TestInfo tests_technique_cluster[] = {{"meaning", meaning}, {"fits", fits}, CU_TEST_INFO_NULL};
