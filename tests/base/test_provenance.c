#include "base/provenance.h"

#include <string.h>

#include <CUnit/Basic.h>

static void every_field_counts(void)
{
    enum { FIELDS = sizeof(struct provenance) / sizeof(const char *) };
    const char *texts[FIELDS];
    char fingerprints[FIELDS + 1][HASH_HEX_BYTES];
    struct error error = {0};
    for (size_t changed = 0; changed <= FIELDS; changed++) {
        struct provenance provenance;
        for (size_t i = 0; i < FIELDS; i++)
            texts[i] = i == changed ? "b" : "a";
        memcpy(&provenance, texts, sizeof provenance);
        CU_ASSERT_EQUAL(provenance_fingerprint(&provenance, fingerprints[changed], &error), 0);
        for (size_t i = 0; i < changed; i++)
            CU_ASSERT_STRING_NOT_EQUAL(fingerprints[i], fingerprints[changed]);
    }
}

CU_TestInfo tests_provenance[] = {{"every field counts", every_field_counts}, CU_TEST_INFO_NULL};
