#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/known_devices.h"
#include "database/limits_file.h"

#define FOLDER SOURCE_FOLDER "/space/devices/"

/* The table has every file of the folder, with its numbers. */
static void as_in_the_files(void)
{
    DIR *folder = opendir(FOLDER);
    size_t files = 0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[1024];
        struct device_limits limits;
        if (!strstr(entry->d_name, ".csv"))
            continue;
        files++;
        snprintf(path, sizeof path, FOLDER "%s", entry->d_name);
        CU_ASSERT_EQUAL_FATAL(limits_read(path, &limits, NULL), 0);
        const struct device_limits *known = known_device_find(limits.name);
        CU_ASSERT_PTR_NOT_NULL_FATAL(known);
        CU_ASSERT_STRING_EQUAL(known->driver, limits.driver);
        CU_ASSERT_EQUAL(known->cuda, limits.cuda);
        for (size_t l = 0; l < limit_count; l++)
            CU_ASSERT_EQUAL(limit_get(known, &limit_rows[l]), limit_get(&limits, &limit_rows[l]));
    }
    closedir(folder);
    CU_ASSERT_EQUAL(files, known_device_count);
}

static void unknown_names(void)
{
    static const char *const names[] = {"", "NVIDIA", "nvidia h200", "NVIDIA H200 NVL"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        CU_ASSERT_PTR_NULL(known_device_find(names[i]));
}

CU_TestInfo tests_known_devices[] = {
    {"numbers of the files", as_in_the_files}, {"unknown names", unknown_names}, CU_TEST_INFO_NULL};
