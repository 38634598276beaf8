/* Shared by the suites of the cubin cache: caches in scratch folders, never the user's. */
#ifndef CUTUNE_TESTS_CACHE_SCRATCH_H
#define CUTUNE_TESTS_CACHE_SCRATCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "compile/cache.h"

static inline struct compile_cache new_cache(void)
{
    struct compile_cache cache = {.max_bytes = CACHE_BYTES_MAX};
    struct error error = {0};
    strcpy(cache.folder, "/tmp/cutune cache XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(cache.folder));
    CU_ASSERT_EQUAL(compile_cache_open(&cache, &error), 0);
    return cache;
}

static inline void remove_folder(const char *folder)
{
    char command[CACHE_FOLDER_BYTES + 32];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    CU_ASSERT_EQUAL(system(command), 0);
}

static inline struct cache_usage usage_of(const struct compile_cache *cache, uint64_t max_bytes)
{
    struct cache_usage usage;
    struct error error = {0};
    CU_ASSERT_EQUAL(compile_cache_trim(cache, max_bytes, &usage, &error), 0);
    return usage;
}

static inline void write_bytes(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL(fwrite(bytes, 1, length, file), length);
    CU_ASSERT_EQUAL(fclose(file), 0);
}

#endif
