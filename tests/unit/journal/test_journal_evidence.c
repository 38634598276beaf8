#include "journal/journal_evidence.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

static struct evidence make(double launch, double blocks)
{
    struct evidence evidence = evidence_unknown();
    evidence.launch = launch;
    evidence.blocks = blocks;
    return evidence;
}

/* The last row of a configuration and launch counts; launches are ordered, whatever the order of the rows. */
static void last_counts(void)
{
    static const struct {
        const char *values[2];
        double launch, blocks;
    } rows[] = {{{"16", "a"}, 2, 1}, {{"16", "b"}, NAN, 2}, {{"16", "a"}, 0, 3}, {{"16", "a"}, 1, 4},
                {{"16", "a"}, 2, 5}, {{"16", "b"}, 0, 6},   {{"1", "6a"}, 0, 7}};
    static const double wanted[3][4] = {{3, 4, 5, 0}, {6, 0, 0, 0}, {7, 0, 0, 0}};
    static const size_t counts[3] = {3, 1, 1};
    struct journal_evidences evidences = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct evidence evidence = make(rows[i].launch, rows[i].blocks);
        CU_ASSERT_EQUAL(journal_evidences_add(&evidences, rows[i].values, 2, &evidence, NULL), 0);
    }
    CU_ASSERT_EQUAL_FATAL(evidences.count, 3);
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL_FATAL(evidences.items[i].count, counts[i]);
        for (size_t l = 0; l < counts[i]; l++) {
            CU_ASSERT_EQUAL(evidences.items[i].launches[l].blocks, wanted[i][l]);
            CU_ASSERT_EQUAL(evidences.items[i].launches[l].launch, (double)l);
        }
        CU_ASSERT_PTR_EQUAL(journal_evidences_find(&evidences, evidences.items[i].values), &evidences.items[i]);
    }
    const char *other[2] = {"16", "c"};
    CU_ASSERT_PTR_NULL(journal_evidences_find(&evidences, other));
    journal_evidences_free(&evidences);
    CU_ASSERT_EQUAL(evidences.count, 0);
}

static void many(void)
{
    enum { CONFIGURATIONS = 1000, LAUNCHES = 9 };
    struct journal_evidences evidences = {0};
    char text[16];
    const char *values[1] = {text};
    for (int i = 0; i < CONFIGURATIONS * LAUNCHES; i++) {
        struct evidence evidence = make(LAUNCHES - 1 - i / CONFIGURATIONS, i);
        snprintf(text, sizeof text, "%d", i % CONFIGURATIONS);
        CU_ASSERT_EQUAL_FATAL(journal_evidences_add(&evidences, values, 1, &evidence, NULL), 0);
    }
    CU_ASSERT_EQUAL_FATAL(evidences.count, CONFIGURATIONS);
    for (int i = 0; i < CONFIGURATIONS; i++) {
        snprintf(text, sizeof text, "%d", i);
        const struct journal_evidence *found = journal_evidences_find(&evidences, values);
        CU_ASSERT_EQUAL_FATAL(found->count, LAUNCHES);
        for (int l = 0; l < LAUNCHES; l++)
            CU_ASSERT_EQUAL(found->launches[l].blocks, (LAUNCHES - 1 - l) * CONFIGURATIONS + i);
    }
    journal_evidences_free(&evidences);
}

static void no_launch(void)
{
    static const double wrong[] = {-1, 0.5, JOURNAL_LAUNCHES_MAX, 1e300};
    const char *values[1] = {"1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct journal_evidences evidences = {0};
        struct evidence evidence = make(wrong[i], 1);
        struct error error = {0};
        CU_ASSERT_EQUAL(journal_evidences_add(&evidences, values, 1, &evidence, &error), ERROR_DATA);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "not the number of a launch"));
        CU_ASSERT_EQUAL(evidences.count, 0);
        journal_evidences_free(&evidences);
    }
}

CU_TestInfo tests_journal_evidence[] = {{"the last row of a launch counts", last_counts},
                                        {"many configurations and launches", many},
                                        {"invalid launch numbers", no_launch},
                                        CU_TEST_INFO_NULL};
