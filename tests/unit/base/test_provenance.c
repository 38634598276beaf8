#include "base/provenance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

static bool is_real(enum provenance_kind kind)
{
    return kind == PROVENANCE_REAL || kind == PROVENANCE_ABOVE_ZERO;
}

static void *field_of(struct provenance *provenance, const struct provenance_field *field)
{
    return (char *)provenance + field->offset;
}

/* Sets a field to one of two values. */
static void put(struct provenance *provenance, const struct provenance_field *field, bool other)
{
    void *at = field_of(provenance, field);
    if (field->kind == PROVENANCE_CHARS)
        strcpy(at, other ? "b" : "a");
    else if (is_real(field->kind))
        *(double *)at = other;
    else if (field->kind == PROVENANCE_INTEGER)
        *(int64_t *)at = other;
    else
        *(const char **)at = field->kind == PROVENANCE_PAIRS ? (other ? "N=1 M=3" : "N=1 M=2") : (other ? "b" : "a");
}

static struct provenance make(void)
{
    struct provenance provenance = provenance_unknown();
    for (size_t i = 0; i < provenance_field_count; i++)
        put(&provenance, &provenance_fields[i], false);
    return provenance;
}

static void unknown_is_unknown(void)
{
    struct provenance unknown = provenance_unknown();
    for (size_t i = 0; i < provenance_field_count; i++) {
        void *at = field_of(&unknown, &provenance_fields[i]);
        enum provenance_kind kind = provenance_fields[i].kind;
        CU_ASSERT(kind == PROVENANCE_CHARS     ? *(char *)at == '\0'
                  : is_real(kind)              ? isnan(*(double *)at)
                  : kind == PROVENANCE_INTEGER ? *(int64_t *)at == 0
                                               : **(char **)at == '\0');
    }
}

static void unverified(void)
{
    static const struct {
        const char *options;
        bool unverified;
    } rows[] = {{NULL, false},
                {"", false},
                {"cache=cold timeout=30", false},
                {"cache=cold " PROVENANCE_UNVERIFIED, true},
                {"reference=unverified2", false},
                {"reference=", false},
                {"preference=unverified", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_EQUAL(provenance_unverified(&(struct provenance){.options = rows[i].options}), rows[i].unverified);
}

/* A difference counts in the field's own part only. */
static void parts(void)
{
    static const enum provenance_part all[] = {PROVENANCE_KEY, PROVENANCE_VERSION, PROVENANCE_CONDITIONS,
                                               PROVENANCE_TOOLS, PROVENANCE_PROGRAM};
    for (size_t i = 0; i < provenance_field_count; i++) {
        const struct provenance_field *field = &provenance_fields[i];
        const struct provenance a = make();
        struct provenance b = a;
        put(&b, field, true);
        for (size_t part = 0; part < sizeof all / sizeof *all; part++) {
            int order = provenance_compare(&a, &b, all[part]), back = provenance_compare(&b, &a, all[part]);
            CU_ASSERT_EQUAL(order < 0, field->part == all[part]);
            CU_ASSERT_EQUAL(back > 0, field->part == all[part]);
            CU_ASSERT_EQUAL(provenance_same(&a, &b, all[part]), field->part != all[part]);
        }
        CU_ASSERT_EQUAL(provenance_same(&a, &b, PROVENANCE_QUESTION),
                        field->part != PROVENANCE_VERSION && field->part != PROVENANCE_CONDITIONS);
        CU_ASSERT(!is_real(field->kind) || field->part == PROVENANCE_FREE);
    }
}

static void pairs_in_any_order(void)
{
    struct provenance a = make(), b = a;
    b.problem = "M=2 N=1";
    CU_ASSERT(provenance_same(&a, &b, PROVENANCE_KEY));
}

/* NULL means unknown, like "". */
static void null_is_unknown(void)
{
    struct provenance a = provenance_unknown(), b = a;
    b.source_hash = b.problem = NULL;
    CU_ASSERT(provenance_same(&a, &b, PROVENANCE_KEY | PROVENANCE_QUESTION));
}

/* The part of each key decides which results answer the same question, and so which of them is kept. */
static void part_of_each(void)
{
    static const struct {
        const char *key;
        enum provenance_part part;
    } rows[] = {
        {"kernel", PROVENANCE_KEY},           {"problem", PROVENANCE_KEY},        {"device", PROVENANCE_KEY},
        {"source_hash", PROVENANCE_VERSION},  {"space_hash", PROVENANCE_VERSION}, {"options", PROVENANCE_CONDITIONS},
        {"data_hash", PROVENANCE_CONDITIONS}, {"nvrtc", PROVENANCE_TOOLS},        {"nvrtc_build", PROVENANCE_TOOLS},
        {"toolkit_hash", PROVENANCE_TOOLS},   {"driver", PROVENANCE_TOOLS},       {"cuda", PROVENANCE_TOOLS},
        {"version", PROVENANCE_PROGRAM}};
    size_t free = provenance_field_count, found = 0;
    for (size_t i = 0; i < provenance_field_count; i++) {
        free -= provenance_fields[i].part != PROVENANCE_FREE;
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
            if (strcmp(provenance_fields[i].key, rows[r].key) == 0) {
                CU_ASSERT_EQUAL(provenance_fields[i].part, rows[r].part);
                found++;
            }
    }
    CU_ASSERT_EQUAL(found, sizeof rows / sizeof *rows);
    CU_ASSERT_EQUAL(provenance_field_count - free, found);
}

static void the_compiler_has_a_name(void)
{
    static const struct {
        const char *build, *name;
    } rows[] = {{"nvcc cuda_13.0.r13.0/compiler.1_0", "nvcc"}, {"0123abcd", "NVRTC"}, {"", "NVRTC"}, {NULL, "NVRTC"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct provenance provenance = {.nvrtc_build = rows[i].build};
        CU_ASSERT_STRING_EQUAL(provenance_compiler(&provenance), rows[i].name);
    }
}

static void newer_tools(void)
{
    static const struct {
        const char *nvrtc, *driver;
        int64_t cuda;
        const char *reason; /* NULL: not newer than 13.0 with CUDA 13000 and driver 580.9 */
    } rows[] = {{"13.0", "580.9", 13000, NULL},
                {"13.1", "1", 1, "newer NVRTC"},
                {"13.10", "580.9", 13000, "newer NVRTC"},
                {"13.0", "1", 13010, "newer CUDA version"},
                {"13.0", "580.10", 13000, "newer driver"}};
    struct provenance old = provenance_unknown();
    old.nvrtc = "13.0";
    old.device.cuda = 13000;
    strcpy(old.device.driver, "580.9");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct provenance fresh = old;
        const char *reason;
        fresh.nvrtc = rows[i].nvrtc;
        fresh.device.cuda = rows[i].cuda;
        snprintf(fresh.device.driver, sizeof fresh.device.driver, "%s", rows[i].driver);
        CU_ASSERT_EQUAL(provenance_newer_tools(&fresh, &old, &reason) < 0, rows[i].reason != NULL);
        CU_ASSERT(!rows[i].reason || strcmp(reason, rows[i].reason) == 0);
        CU_ASSERT_EQUAL(provenance_newer_tools(&old, &fresh, &reason) > 0, rows[i].reason != NULL);
    }
}

/* The identity includes every part of a run except measured results and the individual GPU. */
static void fingerprints(void)
{
    char plain[HASH_HEX_BYTES], changed[HASH_HEX_BYTES];
    struct provenance provenance = make();
    CU_ASSERT_EQUAL_FATAL(provenance_fingerprint(&provenance, 1, plain, NULL), 0);
    for (size_t i = 0; i < provenance_field_count; i++) {
        struct provenance other = make();
        put(&other, &provenance_fields[i], true);
        CU_ASSERT_EQUAL_FATAL(provenance_fingerprint(&other, 1, changed, NULL), 0);
        CU_ASSERT_EQUAL(strcmp(plain, changed) == 0, provenance_fields[i].part == PROVENANCE_FREE);
    }
    CU_ASSERT_EQUAL_FATAL(provenance_fingerprint(&provenance, 2, changed, NULL), 0);
    CU_ASSERT_STRING_NOT_EQUAL(plain, changed);
    provenance.device.cc = 90;
    CU_ASSERT_EQUAL_FATAL(provenance_fingerprint(&provenance, 1, changed, NULL), 0);
    CU_ASSERT_STRING_NOT_EQUAL(plain, changed);
}

CU_TestInfo tests_provenance[] = {{"unverified", unverified},
                                  {"unknown is unknown", unknown_is_unknown},
                                  {"parts", parts},
                                  {"pairs in any order", pairs_in_any_order},
                                  {"NULL is unknown", null_is_unknown},
                                  {"the part of each key", part_of_each},
                                  {"the compiler has a name", the_compiler_has_a_name},
                                  {"newer tools", newer_tools},
                                  {"fingerprints", fingerprints},
                                  CU_TEST_INFO_NULL};
