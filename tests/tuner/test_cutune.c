#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "db/database.h"
#include "tuner/cutune.h"

static void finds_rows(void)
{
    char folder[] = "/tmp/cutune-api-XXXXXX", path[64], lock[80], message[256];
    struct cutune_best best;
    struct error error = {0};
    enum database_outcome outcome;
    struct best row = {.schema = DATABASE_SCHEMA,
                       .kernel = "k",
                       .device = "GPU",
                       .problem = "N=1",
                       .objective = "time",
                       .configuration = "TILE=8",
                       .time_ns = 5,
                       .low_ns = 4,
                       .high_ns = 6,
                       .default_configuration = "",
                       .speedup = 2,
                       .strategy = "",
                       .options = "",
                       .driver = "",
                       .nvrtc = "",
                       .source_hash = "",
                       .space_hash = "",
                       .date = "",
                       .version = ""};
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/db.csv", folder);
    snprintf(lock, sizeof lock, "%s.lock", path);
    CU_ASSERT_EQUAL_FATAL(database_put(path, &row, &outcome, NULL, &error), 0);
    CU_ASSERT_EQUAL(cutune_find(path, "k", "GPU", "N=1", &best, message, sizeof message), 0);
    CU_ASSERT_STRING_EQUAL(best.configuration, "TILE=8");
    CU_ASSERT_EQUAL(best.time_ns, 5);
    CU_ASSERT_EQUAL(best.speedup, 2);
    CU_ASSERT_STRING_EQUAL(message, "");
    CU_ASSERT_EQUAL(cutune_find(path, "k", "GPU", "N=2", &best, message, sizeof message), 1);
    CU_ASSERT_STRING_EQUAL(message, "error: no result for k, N=2 on GPU\n");
    CU_ASSERT_EQUAL(cutune_find(folder, "k", "GPU", "N=1", &best, message, sizeof message), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(message, "directory"));
    unlink(path);
    unlink(lock);
    rmdir(folder);
}

CU_TestInfo tests_cutune[] = {{"looks up the database", finds_rows}, CU_TEST_INFO_NULL};
