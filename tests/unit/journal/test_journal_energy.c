#include "journal/journal_energy.h"

#include <math.h>
#include <string.h>

#include <CUnit/Basic.h>

static const char *const names[] = {"TILE"};

/* Printed energies read back, apart from the evaluations, in the order of the file. */
static void reads_back(void)
{
    const char *a[] = {"16"}, *b[] = {"32"};
    struct journal_row row = {.values = a, .measurement = measurement_unknown(STATUS_OK)};
    struct journal_energy energy = {.values = b, .energy = energy_unknown()};
    struct journal_header header = journal_header_unknown();
    struct text text = {0};
    struct journal *journal = NULL;
    size_t count = 0;
    header.parameter_count = 1;
    header.parameters = names;
    energy.energy.round_count = 2;
    energy.energy.joules[0] = 0.25;
    energy.energy.times_ns[0] = 1e6;
    energy.energy.joules[1] = energy.energy.times_ns[1] = NAN;
    energy.energy.group = 7;
    energy.energy.idle_w = 88.5;
    strcpy(energy.energy.states, "2x1980:0:45");
    CU_ASSERT_EQUAL(journal_print_header(&text, &header, NULL), 0);
    CU_ASSERT_EQUAL(journal_print_row(&text, &header, &row, NULL), 0);
    CU_ASSERT_EQUAL(journal_print_energy(&text, &header, &energy, NULL), 0);
    energy.values = a;
    CU_ASSERT_EQUAL(journal_print_energy(&text, &header, &energy, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(journal_parse(&journal, "j.csv", text_string(&text), text.length, NULL), 0);
    CU_ASSERT_EQUAL(journal_row_count(journal), 1);
    const struct journal_energy *read = journal_get_energies(journal, &count);
    CU_ASSERT_EQUAL_FATAL(count, 2);
    CU_ASSERT_STRING_EQUAL(read[0].values[0], "32");
    CU_ASSERT_STRING_EQUAL(read[1].values[0], "16");
    CU_ASSERT_EQUAL(read[0].energy.round_count, 2);
    CU_ASSERT_EQUAL(read[0].energy.joules[0], 0.25);
    CU_ASSERT_EQUAL(read[0].energy.times_ns[0], 1e6);
    CU_ASSERT(isnan(read[0].energy.joules[1]));
    CU_ASSERT_EQUAL(read[0].energy.group, 7);
    CU_ASSERT_EQUAL(read[0].energy.idle_w, 88.5);
    CU_ASSERT(isnan(read[0].energy.cap_w));
    CU_ASSERT_STRING_EQUAL(read[0].energy.states, "2x1980:0:45");
    journal_close(journal, NULL);
    text_free(&text);
}

/* A damaged row is an error with its line. */
static void damage(void)
{
    static const struct {
        const char *numbers, *states, *message; /* message "": it is read */
    } rows[] = {
        {"rounds=1:2", "", ""},
        {"rounds=one:2", "", "the energy row's 'one:2' is impossible"},
        {"idle_w=4", "", "the energy row's 'rounds' is impossible"},
        {"rounds=1:2 idle_w=-4", "", "the energy row's 'idle_w' is impossible"},
        {"rounds", "", "'rounds'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *values[] = {"16"};
        struct journal_energies energies = {0};
        struct error error = {0};
        int code = journal_energies_read(&energies, values, 1, rows[i].numbers, rows[i].states, &error);
        CU_ASSERT_EQUAL(code == 0, *rows[i].message == '\0');
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, rows[i].message));
        CU_ASSERT_EQUAL(energies.count, code == 0);
        journal_energies_free(&energies);
    }
}

CU_TestInfo tests_journal_energy[] = {{"reads back", reads_back}, {"damage", damage}, CU_TEST_INFO_NULL};
