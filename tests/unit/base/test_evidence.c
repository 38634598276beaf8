#include "base/evidence.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/pairs.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void rows_are_fields(void)
{
    struct evidence evidence = evidence_unknown();
    for (size_t i = 0; i < evidence_count; i++) {
        CU_ASSERT(isnan(evidence_get(&evidence, &evidence_rows[i])));
        evidence_put(&evidence, &evidence_rows[i], (double)i);
    }
    size_t field = 0;
#define EVIDENCE(name, unit, source, range, meaning) CU_ASSERT_EQUAL(evidence.name, (double)field++);
#include "base/evidence.def"
#undef EVIDENCE
    CU_ASSERT_EQUAL(field, evidence_count);
    CU_ASSERT(evidence_count < PAIRS_MAX); /* with the kernel's name they fit a text of pairs */
}

static void names(void)
{
    for (size_t i = 0; i < evidence_count; i++) {
        CU_ASSERT_PTR_EQUAL(evidence_find(evidence_rows[i].name), &evidence_rows[i]);
        CU_ASSERT_NOT_EQUAL(evidence_rows[i].meaning[0], '\0');
        CU_ASSERT_STRING_NOT_EQUAL(evidence_rows[i].name, "kernel");
        for (const char *c = evidence_rows[i].name; *c; c++)
            CU_ASSERT(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '_');
    }
    CU_ASSERT_PTR_NULL(evidence_find("register"));
    CU_ASSERT_PTR_NULL(evidence_find(""));
    CU_ASSERT_STRING_EQUAL(evidence_source_name(EVIDENCE_LAUNCH), "launch");
    CU_ASSERT_STRING_EQUAL(evidence_source_name(EVIDENCE_CODE), "code");
    CU_ASSERT_STRING_EQUAL(evidence_source_name(EVIDENCE_COUNTER), "counter");
    CU_ASSERT_STRING_EQUAL(evidence_source_name(EVIDENCE_STAGE), "stage");
    CU_ASSERT_STRING_EQUAL(evidence_source_name(EVIDENCE_CEILING), "ceiling");
}

static void measured(void)
{
    for (size_t i = 0; i < evidence_count; i++) {
        struct evidence evidence = evidence_unknown();
        enum evidence_source source = evidence_rows[i].source;
        bool expected = source == EVIDENCE_COUNTER || source == EVIDENCE_STAGE;
        CU_ASSERT_FALSE(evidence_has_measured(&evidence));
        evidence_put(&evidence, &evidence_rows[i], 0);
        CU_ASSERT_EQUAL(evidence_has_measured(&evidence), expected);
        CU_ASSERT_EQUAL(evidence_is_measured(source), expected);
    }
}

#define K63 "k23456789_123456789_123456789_123456789_123456789_123456789_123"

/* Reads and prints again, or returns the error. */
static void texts(void)
{
    static const struct {
        const char *text, *printed, *message; /* printed NULL: as read */
    } rows[] = {{"", NULL, NULL},
                {"kernel=k", NULL, NULL},
                {"registers=32 dram_busy=0.25", NULL, NULL},
                {"kernel=" K63 " launch=2 cycles=1e+20", NULL, NULL},
                {"dram_busy=0.25 registers=32 of_a_later_version=7 other=word", "registers=32 dram_busy=0.25", NULL},
                {"registers", NULL, "'registers' is not NAME=VALUE"},
                {"registers=1 registers=2", NULL, "registers has two values"},
                {"registers=many", NULL, "the evidence 'registers=many' is not a number"},
                {"registers=nan", NULL, "the evidence 'registers=nan' is not a number"},
                {"registers=-1", NULL, "the evidence 'registers=-1' is impossible"},
                {"cycles=0", NULL, "the evidence 'cycles=0' is impossible"},
                {"occupancy=1.01", NULL, "the evidence 'occupancy=1.01' is impossible"},
                {"issue_active=-1", NULL, "the evidence 'issue_active=-1' is impossible"},
                {"issue_active=1.02", NULL, NULL},
                {"in_place=0.5", NULL, "the evidence 'in_place=0.5' is impossible"},
                {"ceiling_l2=0", NULL, "the evidence 'ceiling_l2=0' is impossible"},
                {"registers=", NULL, "the evidence 'registers=' is not a number"},
                {"kernel=" K63 "4", NULL, "the evidence names a kernel of more than 63 characters"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct evidence evidence;
        struct error error = {0};
        struct text text = {0};
        int code = evidence_parse(rows[i].text, &evidence, &error);
        CU_ASSERT_EQUAL(code, rows[i].message ? ERROR_DATA : 0);
        if (rows[i].message) {
            CU_ASSERT_STRING_EQUAL(error.message, rows[i].message);
            continue;
        }
        evidence_append(&text, &evidence);
        CU_ASSERT_STRING_EQUAL(text.bytes ? text.bytes : "", rows[i].printed ? rows[i].printed : rows[i].text);
        text_free(&text);
    }
}

/* Values that cannot be read are not written. */
static void impossible_is_unknown(void)
{
    struct evidence evidence = evidence_unknown();
    struct text text = {0};
    evidence.occupancy = 7;
    evidence.cycles = 0;
    evidence.blocks = 4;
    evidence_append(&text, &evidence);
    CU_ASSERT_STRING_EQUAL(text.bytes, "blocks=4");
    text_free(&text);
}

static void infinite_is_unknown(void)
{
    struct evidence evidence = evidence_unknown();
    struct text text = {0};
    evidence.waves = INFINITY;
    evidence.blocks = 4;
    evidence_append(&text, &evidence);
    CU_ASSERT_STRING_EQUAL(text.bytes, "blocks=4");
    text_free(&text);
}

static void adding(void)
{
    struct evidence evidence = evidence_unknown(), other = evidence_unknown();
    evidence.registers = 32;
    other.registers = 40;
    other.cycles = 1000;
    strcpy(other.kernel, "other");
    CU_ASSERT(evidence_has(&evidence, EVIDENCE_LAUNCH));
    CU_ASSERT_FALSE(evidence_has(&evidence, EVIDENCE_COUNTER));
    evidence_add(&evidence, &other);
    CU_ASSERT_EQUAL(evidence.registers, 32);
    CU_ASSERT_EQUAL(evidence.cycles, 1000);
    CU_ASSERT_STRING_EQUAL(evidence.kernel, "other");
    CU_ASSERT(evidence_has(&evidence, EVIDENCE_COUNTER));
    strcpy(evidence.kernel, "own");
    evidence_add(&evidence, &other);
    CU_ASSERT_STRING_EQUAL(evidence.kernel, "own");
}

CU_TestInfo tests_evidence[] = {{"rows are fields", rows_are_fields},
                                {"names", names},
                                {"texts", texts},
                                {"infinite numbers are unknown", infinite_is_unknown},
                                {"impossible numbers are unknown", impossible_is_unknown},
                                {"adding", adding},
                                {"measured", measured},
                                CU_TEST_INFO_NULL};
