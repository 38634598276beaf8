/* Bundles of several cubins in one range of bytes. */
#include "base/bundle.h"

#include <string.h>

#include <CUnit/Basic.h>

enum { KERNELS = 4 };

static void make(struct text *text)
{
    const struct bundle bundle = {
        .part_count = 3, .parts = {{"first", 5}, {"second\0", 7}, {"third", 5}}, .of = {0, 2, 1, 2}};
    bundle_write(text, &bundle, KERNELS);
}

static bool has(struct bundle_part part, const char *bytes, size_t length)
{
    return part.length == length && memcmp(part.bytes, bytes, length) == 0;
}

static void parts(void)
{
    struct text text = {0};
    struct bundle bundle;
    make(&text);
    CU_ASSERT(bundle_read(text.bytes, text.length, &bundle));
    CU_ASSERT_EQUAL(bundle.part_count, 3);
    CU_ASSERT(has(bundle.parts[1], "second\0", 7));
    CU_ASSERT(has(bundle_part_of(text.bytes, text.length, 0), "first", 5));
    CU_ASSERT(has(bundle_part_of(text.bytes, text.length, 2), "second\0", 7));
    CU_ASSERT(has(bundle_part_of(text.bytes, text.length, 3), "third", 5));
    text_free(&text);
}

/* A cubin alone is the part of all kernels. */
static void a_cubin(void)
{
    struct bundle bundle;
    CU_ASSERT(bundle_read("\177ELF and so on", 14, &bundle));
    CU_ASSERT_EQUAL(bundle.part_count, 1);
    CU_ASSERT(has(bundle.parts[0], "\177ELF and so on", 14));
    CU_ASSERT(has(bundle_part_of("\177ELF", 4, BUNDLE_KERNELS_MAX - 1), "\177ELF", 4));
    CU_ASSERT(bundle_read("", 0, &bundle));
}

/* No shortened bundle is read, nor one with a part that is not there. */
static void damage(void)
{
    struct text text = {0};
    struct bundle bundle;
    make(&text);
    for (size_t length = 16; length < text.length; length++)
        CU_ASSERT(!bundle_read(text.bytes, length, &bundle));
    text.bytes[16] = 2; /* the number of parts */
    CU_ASSERT(!bundle_read(text.bytes, text.length, &bundle));
    text.bytes[16] = 0;
    CU_ASSERT(!bundle_read(text.bytes, text.length, &bundle));
    text.bytes[16] = BUNDLE_PARTS_MAX + 1;
    CU_ASSERT(!bundle_read(text.bytes, text.length, &bundle));
    text_free(&text);
}

static void logs(void)
{
    struct text log = {0};
    for (size_t p = 0; p < 3; p++) {
        bundle_log_begin(&log, p);
        text_printf(&log, "%zu warnings\n", p + 5);
    }
    CU_ASSERT_EQUAL(strncmp(bundle_log(text_string(&log), 0), "5 warnings\n", 11), 0);
    CU_ASSERT_STRING_EQUAL(bundle_log(text_string(&log), 2), "7 warnings\n");
    CU_ASSERT_STRING_EQUAL(bundle_log("plain", 0), "plain");
    text_free(&log);
}

CU_TestInfo tests_bundle[] = {
    {"parts", parts}, {"a cubin", a_cubin}, {"damage", damage}, {"logs", logs}, CU_TEST_INFO_NULL};
