#include "evaluate/rows.h"

#include "../scratch.h"
#include "synthetic.h"

/* A journal belongs to a space with exactly its parameters. */
static void has_the_parameters(void)
{
    static const struct {
        const char *columns, *row;
        int code;
    } journals[] = {
        {"1\nA", "2", 0}, {"2\nA,B", "2,1", ERROR_DATA}, {"1\nB", "2", ERROR_DATA}, {"1\nA", "9", ERROR_DATA}};
    struct space *space = NULL;
    struct error error = {0};
    space = synthetic_space("param A = 1..4\n");
    for (size_t i = 0; i < sizeof journals / sizeof *journals; i++) {
        struct journal *journal = NULL;
        struct error refused = {0};
        uint32_t *choices = NULL;
        char text[128];
        snprintf(text, sizeof text, "# cutune journal 1\n# kernel = k\n# parameters = %s,status\n%s,crashed\n",
                 journals[i].columns, journals[i].row);
        CU_ASSERT_EQUAL_FATAL(journal_parse(&journal, "j.csv", text, strlen(text), &error), 0);
        CU_ASSERT_EQUAL(rows_choices(space, journal, &choices, &refused), journals[i].code);
        free(choices);
        journal_close(journal, NULL);
    }
    space_free(space);
}

/* A prior run has the outcome of each configuration whose values the space lists, in the space's order of parameters.
 * Duplicates and failures count; configurations pruned by an option do not. */
static void landscape(void)
{
    static const char rows[] =
        "# cutune journal 1\n# parameters = 2\nB,A,status,time_ns,message\ny,1,ok,10,\nx,4,ok,40,\n"
        "x,2,duplicate,40,the same machine code and launch as B=x A=4\ny,9,ok,5,\nz,1,ok,5,\n"
        "x,3,crashed,,\ny,1,ok,12,\ny,3,pruned_occupancy,,\n";
    static const uint32_t choices[] = {0, 1, 3, 0, 1, 0, 2, 0};
    static const double costs[] = {12, 40, 40, -1};
    struct space *space = synthetic_space("param A = 1..4\nparam B = x, y\nrequire A < 4\n");
    struct journal *journal = NULL;
    struct prior_run landscape;
    struct arena arena = {0};
    struct error error = {0};
    size_t left_out = 0;
    CU_ASSERT_EQUAL_FATAL(journal_parse(&journal, "j.csv", rows, strlen(rows), &error), 0);
    CU_ASSERT_EQUAL_FATAL(rows_landscape(space, journal, &arena, &landscape, &left_out, &error), 0);
    CU_ASSERT_EQUAL(left_out, 2);
    CU_ASSERT_EQUAL_FATAL(landscape.count, 4);
    CU_ASSERT_EQUAL(memcmp(landscape.choices, choices, sizeof choices), 0);
    for (size_t i = 0; i < 4; i++)
        CU_ASSERT(costs[i] < 0 ? landscape.costs[i] != landscape.costs[i] : landscape.costs[i] == costs[i]);
    arena_free(&arena);
    journal_close(journal, NULL);
    space_free(space);
}

/* Rows outside the set are marked, and count as originals of duplicates. */
static void outcomes(void)
{
    static const char rows[] = "# cutune journal 1\n# parameters = 1\nA,status,time_ns,message\n1,ok,10,\n4,ok,40,\n"
                               "2,duplicate,40,the same machine code and launch as A=4\n1,ok,12,\n";
    struct space *space = synthetic_space("param A = 1..4\nrequire A < 4\n");
    struct valid_set *set = NULL;
    struct journal *journal = NULL;
    struct outcomes outcomes = {0};
    struct arena arena = {0};
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, space, VALID_SET_DEFAULT_BYTES, &error), 0);
    CU_ASSERT_EQUAL_FATAL(journal_parse(&journal, "j.csv", rows, strlen(rows), &error), 0);
    CU_ASSERT_EQUAL_FATAL(rows_outcomes(space, set, journal, &outcomes, &arena, &error), 0);
    CU_ASSERT_EQUAL_FATAL(outcomes.count, 3);
    CU_ASSERT_EQUAL(outcomes.items[0].key, 0);
    CU_ASSERT_EQUAL(outcomes.items[0].marks & ROWS_OUTSIDE, 0);
    CU_ASSERT_NOT_EQUAL(outcomes.items[1].marks & ROWS_OUTSIDE, 0);
    CU_ASSERT_EQUAL(outcomes_measurement(&outcomes, &outcomes.items[0], OUTCOME_OF_SEARCH).value, 12);
    CU_ASSERT_EQUAL(outcomes.items[2].duplicate, outcomes.items[1].key);
    CU_ASSERT_EQUAL(outcomes.items[0].duplicate, OUTCOME_NO_DUPLICATE);
    outcomes_free(&outcomes);
    arena_free(&arena);
    journal_close(journal, NULL);
    valid_set_free(set);
    space_free(space);
}

/* Evidence without counters does not replace evidence in the journal. */
static void evidence(void)
{
    struct scratch scratch = scratch_open("j.csv");
    struct space *space = synthetic_space("param A = 1..4\n");
    const char *const names[] = {"A"};
    struct journal_header header = journal_header_unknown();
    struct journal *journal = NULL;
    const uint32_t choices[] = {2};
    header.parameter_count = 1;
    header.parameters = names;
    header.provenance.fingerprint = "f";
    static const struct {
        double blocks, cycles, known;
    } rows[] = {{1, NAN, 1}, {2, NAN, 1}, {3, 9, 3}, {4, NAN, 3}, {5, 8, 5}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct evidence launches[2] = {evidence_unknown(), evidence_unknown()};
        launches[0].blocks = rows[i].blocks;
        launches[1].cycles = rows[i].cycles;
        CU_ASSERT_EQUAL_FATAL(journal_open(&journal, scratch.path, &header, NULL), 0);
        CU_ASSERT_EQUAL(rows_append_evidence(journal, space, choices, launches, 2, NULL), 0);
        CU_ASSERT_EQUAL(journal_close(journal, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(journal_read(&journal, scratch.path, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(journal_evidence_count(journal), 1);
        const struct journal_evidence got = journal_get_evidence(journal, 0);
        CU_ASSERT_STRING_EQUAL(got.values[0], "3");
        CU_ASSERT_EQUAL_FATAL(got.count, 2);
        CU_ASSERT_EQUAL(got.launches[0].blocks, rows[i].known);
        CU_ASSERT(got.launches[0].launch == 0 && got.launches[1].launch == 1);
        journal_close(journal, NULL);
    }
    space_free(space);
    scratch_close(&scratch);
}

/* A journal alone defines a space of its values. */
static void space_of_rows(void)
{
    static const struct {
        const char *rows;
        int code;
        size_t values;
    } cases[] = {{"16,ok\n32,ok\n16,ok\n", 0, 2}, {"", ERROR_DATA, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct journal *journal = NULL;
        struct space *space = NULL;
        struct error error = {0};
        char text[256];
        snprintf(
            text, sizeof text,
            "# cutune journal 1\n# kernel = k\n# bytes = 12\n# source_hash = aa\n# parameters = 1\nTILE,status\n%s",
            cases[i].rows);
        CU_ASSERT_EQUAL_FATAL(journal_parse(&journal, "j.csv", text, strlen(text), &error), 0);
        CU_ASSERT_EQUAL(rows_space(&space, journal, &error), cases[i].code);
        if (space) {
            CU_ASSERT_EQUAL(space->parameters[0].value_count, cases[i].values);
            CU_ASSERT_EQUAL(space->bytes, 12);
            CU_ASSERT_STRING_EQUAL(space->name, "k");
            CU_ASSERT_STRING_EQUAL(space->source_hash, "aa");
        }
        space_free(space);
        journal_close(journal, NULL);
    }
}

CU_TestInfo tests_rows[] = {{"a landscape elsewhere", landscape},
                            {"a journal has the parameters of its space", has_the_parameters},
                            {"outcomes", outcomes},
                            {"a space of rows", space_of_rows},
                            {"evidence", evidence},
                            CU_TEST_INFO_NULL};
