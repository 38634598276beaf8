#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "base/hash.h"

/* Published values of XXH3: fingerprints in journals stay valid whatever xxHash is installed. */
static void known_fingerprints(void)
{
    char hex[HASH_HEX_BYTES];
    hash_hex("", 0, hex);
    CU_ASSERT_STRING_EQUAL(hex, "99aa06d3014798d86001c324468d497f");
    CU_ASSERT_EQUAL(hash_u64("", 0, 0), 0x2d06800538d394c2u);
}

/* Hashing in pieces gives the same result. */
static void files(void)
{
    enum { LENGTH = 600000 }; /* more than two pieces */
    static const uint64_t lengths[] = {0, 1, 1 << 18, (1 << 18) + 1, LENGTH - 1, LENGTH, LENGTH + 1, UINT64_MAX};
    char path[] = "/tmp/cutune hash XXXXXX", whole[HASH_HEX_BYTES], read[HASH_HEX_BYTES];
    struct error error = {0};
    int descriptor = mkstemp(path);
    char *text = malloc(LENGTH);
    CU_ASSERT_FATAL(descriptor >= 0 && text != NULL);
    for (int i = 0; i < LENGTH; i++)
        text[i] = (char)(i * 7 + i / 1000);
    CU_ASSERT_EQUAL(write(descriptor, text, LENGTH), LENGTH);
    close(descriptor);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        hash_hex(text, lengths[i] < LENGTH ? (size_t)lengths[i] : LENGTH, whole);
        CU_ASSERT_EQUAL(hash_file(path, lengths[i], read, &error), 0);
        CU_ASSERT_STRING_EQUAL(whole, read);
    }
    unlink(path);
    free(text);
    CU_ASSERT_EQUAL(hash_file(path, 1, read, &error), ERROR_NOT_FOUND);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, path));
    error_clear(&error);
    CU_ASSERT_EQUAL(hash_file("/tmp", 1, read, &error), ERROR_IO);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "/tmp is a directory"));
}

static void every_byte_counts(void)
{
    char text[1000], whole[HASH_HEX_BYTES], other[HASH_HEX_BYTES];
    size_t same = 0;
    memset(text, 'a', sizeof text);
    hash_hex(text, sizeof text, whole);
    CU_ASSERT_EQUAL(strlen(whole), HASH_HEX_BYTES - 1);
    CU_ASSERT_EQUAL(strspn(whole, "0123456789abcdef"), HASH_HEX_BYTES - 1);
    for (size_t i = 0; i < sizeof text; i++) {
        text[i] = 'b';
        hash_hex(text, sizeof text, other);
        same += strcmp(whole, other) == 0;
        same += hash_u64(text, sizeof text, 0) == hash_u64(text, sizeof text, 1);
        text[i] = 'a';
    }
    hash_hex(text, sizeof text - 1, other);
    same += strcmp(whole, other) == 0;
    CU_ASSERT_EQUAL(same, 0);
    hash_hex(text, sizeof text, other);
    CU_ASSERT_STRING_EQUAL(whole, other);
}

CU_TestInfo tests_hash[] = {{"known fingerprints", known_fingerprints},
                            {"files", files},
                            {"every byte counts", every_byte_counts},
                            CU_TEST_INFO_NULL};
