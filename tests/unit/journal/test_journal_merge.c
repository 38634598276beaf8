/* Merging journals of one kernel. */
#include "journal/journal_merge.h"

#include <string.h>

#include <CUnit/Basic.h>

#define HEAD(fingerprint, uuid, parameters, columns)                                                                   \
    "# cutune journal 1\n# kernel = k\n# fingerprint = " fingerprint "\n# uuid = " uuid                                \
    "\n# parameters = 1\n" parameters ",status,time_ns,message" columns "\n"

/* Files, and the rows of the result: those without '#', each as its joined cells. */
static const struct {
    const char *files[3];
    int code;
    const char *message, *columns, *rows; /* columns: behind cutune's own */
} cases[] = {
    {{HEAD("f", "U", "A", "") "1,ok,5,\n2,ok,6,\n"}, 0, "", "", "1 ok 5|2 ok 6|"},
    {{HEAD("f", "U", "A", "") "1,ok,5,\n", HEAD("f", "U", "A", "") "2,ok,6,\n"}, 0, "", "", "1 ok 5|2 ok 6|"},
    /* the order of the files; equal rows once, and those that differ again */
    {{HEAD("f", "U", "A", "") "2,ok,6,\n", HEAD("f", "U", "A", "") "1,ok,5,\n2,ok,6,\n2,ok,7,\n"},
     0,
     "",
     "",
     "2 ok 6|1 ok 5|2 ok 7|"},
    /* other devices of the model */
    {{HEAD("f", "U", "A", "") "1,ok,5,\n", HEAD("f", "V", "A", "") "1,ok,5,\n"}, 0, "", "", "1 ok 5|1 ok 5 V|"},
    {{HEAD("f", "U", "A", ",uuid") "1,ok,5,,W\n2,ok,6,,\n", HEAD("f", "V", "A", "") "3,ok,7,\n"},
     0,
     "",
     "",
     "1 ok 5 W|2 ok 6|3 ok 7 V|"},
    /* extra columns */
    {{HEAD("f", "U", "A", ",x") "1,ok,5,,a\n", HEAD("f", "U", "A", ",y,x") "2,ok,6,,b,c\n"},
     0,
     "",
     " x y",
     "1 ok 5 a|2 ok 6 c b|"},
    /* play-offs: omitted except for failures; sessions: in times of the last one */
    {{HEAD("f", "U", "A", ",playoff") "1,ok,5,,\n2,ok,6,,\n1,ok,5.5,,leader\n2,crashed,,x,lost\n"},
     0,
     "",
     "",
     "1 ok 5|2 crashed nan|"},
    {{HEAD("f", "U", "A",
           ",low_ns,high_ns,proposer") "1,ok,500,,499,501,strategy\n2,slower,600,,,,strategy\n1,ok,1000,,"
                                       "999,1001,resume\n3,ok,3000,,,,strategy\n",
      HEAD("f", "U", "A", "") "4,duplicate,,A=1\n"},
     0,
     "",
     "",
     "1 ok 1000|2 slower 1200|3 ok 3000|4 duplicate nan|"},
    {{HEAD("f", "U", "A", ",playoff") "1,ok,5,,leader\n"}, 0, "", "", "1 ok 5|"},
    /* a library, too */
    {{HEAD("f", "U", "A", "") "1,library,4,winner=5 hash=a\n1,ok,5,\n", HEAD("f", "U", "A", "") "2,ok,6,\n"},
     0,
     "",
     "",
     "1 ok 5|2 ok 6|"},
    /* evidence is separate */
    {{HEAD("f", "U", "A", "") "1,evidence,,launch=0\n1,ok,5,\n",
      HEAD("f", "U", "A", "") "1,evidence,,launch=0\n2,ok,5,\n"},
     0,
     "",
     "",
     "1 ok 5|2 ok 5|"},
    {{HEAD("f", "U", "A", "") "1,ok,5,\n", HEAD("g", "U", "A", "") "1,ok,5,\n"},
     ERROR_DATA,
     "b has another fingerprint than a",
     "",
     ""},
    {{HEAD("f", "U", "A", "") "1,ok,5,\n", HEAD("f", "U", "A", "") "1,ok,5,\n", HEAD("f", "U", "B", "") "1,ok,5,\n"},
     ERROR_DATA,
     "c has another list of parameters than a",
     "",
     ""},
};

static void print_rows(const struct journal *journal, struct text *columns, struct text *rows)
{
    const struct journal_header *header = journal_get_header(journal);
    for (size_t i = 0; i < header->extra_count; i++)
        text_printf(columns, " %s", header->extras[i]);
    for (size_t i = 0; i < journal_row_count(journal); i++) {
        const struct journal_row row = journal_get_row(journal, i);
        CU_ASSERT_EQUAL(row.measurement.playoff, PLAYOFF_NONE);
        CU_ASSERT(row.measurement.proposer != PROPOSER_RESUME);
        text_printf(rows, "%s %s %g", row.values[0], status_name(row.measurement.status), row.measurement.value);
        text_printf(rows, "%s%s", *row.measurement.uuid ? " " : "", row.measurement.uuid);
        for (size_t e = 0; e < header->extra_count; e++)
            text_printf(rows, "%s%s", *row.extras[e] ? " " : "", row.extras[e]);
        text_printf(rows, "|");
    }
}

static void merged(void)
{
    static const char *const names[] = {"a", "b", "c"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct journal *journals[3] = {NULL}, *result = NULL;
        struct text text = {0}, columns = {0}, rows = {0};
        struct error error = {0};
        size_t count = 0;
        for (; count < 3 && cases[i].files[count]; count++)
            CU_ASSERT_EQUAL_FATAL(journal_parse(&journals[count], names[count], cases[i].files[count],
                                                strlen(cases[i].files[count]), NULL),
                                  0);
        CU_ASSERT_EQUAL(journal_merge((const struct journal *const *)journals, count, &text, &error), cases[i].code);
        CU_ASSERT_STRING_EQUAL(error.message, cases[i].message);
        CU_ASSERT_EQUAL(*error.hint != '\0', cases[i].code != 0);
        if (cases[i].code == 0) {
            CU_ASSERT_EQUAL_FATAL(journal_parse(&result, "r", text_string(&text), text.length, NULL), 0);
            print_rows(result, &columns, &rows);
            CU_ASSERT_STRING_EQUAL(text_string(&columns), cases[i].columns);
            CU_ASSERT_STRING_EQUAL(text_string(&rows), cases[i].rows);
            CU_ASSERT_STRING_EQUAL(journal_get_header(result)->provenance.kernel, "k");
            CU_ASSERT_EQUAL(journal_evidence_count(result), strstr(cases[i].files[0], "evidence") ? 1 : 0);
            journal_close(result, NULL);
        }
        for (size_t j = 0; j < count; j++)
            journal_close(journals[j], NULL);
        text_free(&text);
        text_free(&columns);
        text_free(&rows);
    }
}

CU_TestInfo tests_journal_merge[] = {{"merged", merged}, CU_TEST_INFO_NULL};
