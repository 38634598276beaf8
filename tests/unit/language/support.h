/* Shared by the suites of space/. */
#ifndef CUTUNE_TESTS_SPACE_SUPPORT_H
#define CUTUNE_TESTS_SPACE_SUPPORT_H

#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/limits.h"
#include "set/valid_set.h"
#include "space/space.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A space file without parameters and the test's statements. */
#define SPACE_HEAD  "space 2\nkernel k \"k.cu\"\nbuffer out float[16] output\nargs out\nreference r block 1 grid 1\n"
#define SPACE_SHAPE "block 1\ngrid 1\n"

static inline struct device_limits h200_limits(void)
{
    struct device_limits limits = {.name = "NVIDIA H200",
                                   .driver = "580.0",
                                   .cuda = 13000,
                                   .cc = 90,
                                   .sm_count = 132,
                                   .warp = 32,
                                   .max_threads = 1024,
                                   .max_threads_sm = 2048,
                                   .max_blocks_sm = 32,
                                   .max_block_x = 1024,
                                   .max_block_y = 1024,
                                   .max_block_z = 64,
                                   .max_grid_x = 2147483647,
                                   .max_grid_y = 65535,
                                   .max_grid_z = 65535,
                                   .shared_default = 49152,
                                   .shared_limit = 232448,
                                   .shared_sm = 233472,
                                   .shared_reserved = 1024,
                                   .registers_block = 65536,
                                   .registers_sm = 65536,
                                   .constant_bytes = 65536,
                                   .memory_bytes = 150754820096,
                                   .l2_bytes = 62914560,
                                   .l2_persisting_bytes = 39321600,
                                   .l2_window_bytes = 134217728,
                                   .copy_engines = 3,
                                   .host_mapped = 1,
                                   .cluster_launch = 1,
                                   .host_registered = 1,
                                   .managed_memory = 1,
                                   .managed_concurrent = 1,
                                   .memory_pools = 1,
                                   .texture_width = 268435456,
                                   .texture_width_2d = 131072,
                                   .texture_height_2d = 65000,
                                   .texture_pitch = 2097120,
                                   .texture_pitch_alignment = 32};
    return limits;
}

/* Returns NULL and fails the test if the text has an error. */
static inline struct space *parsed(const char *text, const char *source)
{
    struct space *space = NULL;
    struct error error = {0};
    char message[4096];
    if (space_parse_text(&space, "test.space", text, strlen(text), source, &error)) {
        fprintf(stderr, "%s", error_format(&error, message, sizeof message));
        CU_FAIL("the space does not parse");
    }
    return space;
}

/* Same, bound without overrides. */
static inline struct space *bound(const char *text, const char *source, const struct device_limits *limits)
{
    struct space *space = parsed(text, source);
    struct error error = {0};
    char message[4096];
    if (space && space_bind(space, NULL, 0, limits, &error)) {
        fprintf(stderr, "%s", error_format(&error, message, sizeof message));
        CU_FAIL("the space cannot be bound");
        space_free(space);
        space = NULL;
    }
    return space;
}

/* Compares texts and shows both if they differ. */
static inline void expect_text(const char *what, const char *actual, const char *expected)
{
    if (strcmp(actual, expected) != 0)
        fprintf(stderr, "\n%s: '%s', expected '%s'", what, actual, expected);
    CU_ASSERT_STRING_EQUAL(actual, expected);
}

static inline struct valid_set *built(const char *text, struct space **space, const struct device_limits *limits)
{
    struct valid_set *set = NULL;
    struct error error = {0};
    *space = bound(text, "", limits);
    CU_ASSERT_EQUAL(valid_set_build(&set, *space, VALID_SET_DEFAULT_BYTES, &error), 0);
    expect_text("message", error.message, "");
    return set;
}

#endif
