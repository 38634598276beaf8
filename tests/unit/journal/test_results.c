/* The choice of a journal's winner is tested by tests/unit/run/test_readers.c. */
#include "journal/results.h"

#include <math.h>

#include "../scratch.h"

#define HEAD  "# cutune journal 1\n# kernel = k\n# problem = N=1\n"
#define TAIL  "# device = D\n# default = A=1\n# parameters = 1\nA,status,time_ns\n"
#define NAMES "schema,kernel,device,problem,objective,configuration,time_ns\n"

/* The content of a file as a database: the number of its rows and the first one's time, or an error. */
static void files(void)
{
    static const struct {
        const char *text; /* NULL: the file is missing */
        size_t count;
        double value;
        int torn_line;
        int code;
        const char *message, *hint;
    } cases[] = {
        {NULL, 0, 0, 0, 0, NULL, NULL},
        {"", 0, 0, 0, 0, NULL, NULL},
        {NAMES "1,k,D,N=1,time,A=1,5\n1,k,E,N=1,time,A=1,6\n", 2, 5, 0, 0, NULL, NULL},
        {HEAD TAIL "1,ok,1000\n2,ok,900\n", 1, 900, 0, 0, NULL, NULL},
        {"\xef\xbb\xbf" HEAD TAIL "1,ok,1000\n2,ok,900\n", 1, 900, 0, 0, NULL, NULL},
        {HEAD TAIL "1,ok,1000\n2,ok,90", 1, 1000, 9, 0, NULL, NULL},
        {HEAD TAIL "1,crashed,\n2,slower,90\n", 0, 0, 0, ERROR_NOT_FOUND, "none of its configurations was timed", NULL},
        {HEAD TAIL, 0, 0, 0, ERROR_NOT_FOUND, "none of its configurations was timed", NULL},
        {HEAD "# parameters = 1\nA,status,time_ns\n1,ok,5\n", 0, 0, 0, ERROR_DATA, "names no device",
         "# device = NAME"},
        {"# cutune journal 1\n" TAIL "1,ok,5\n", 0, 0, 0, ERROR_DATA, "names no kernel", "# kernel = NAME"},
        {"# cutune journal 9\n", 0, 0, 0, ERROR_SCHEMA, "schema 9", NULL},
        {"hello\nworld\n", 0, 0, 0, ERROR_DATA, "not a database of cutune", "# cutune journal 1"},
        {NAMES "1,k,D\n", 0, 0, 0, ERROR_DATA, "3 cells where", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scratch scratch = scratch_open("file.csv");
        struct database *database = NULL;
        struct error error = {0};
        int torn_line = -1;
        if (cases[i].text)
            scratch_write(&scratch, cases[i].text);
        int code = results_open(&database, scratch.path, &torn_line, &error);
        CU_ASSERT_EQUAL(code, cases[i].code);
        if (!code) {
            CU_ASSERT_EQUAL(torn_line, cases[i].torn_line);
            CU_ASSERT_EQUAL_FATAL(database_count(database), cases[i].count);
            CU_ASSERT(!cases[i].count || database_get(database, 0)->value == cases[i].value);
            CU_ASSERT(cases[i].text == NULL || !cases[i].count || strcmp(database_path(database), scratch.path) == 0);
        } else {
            CU_ASSERT_PTR_NOT_NULL(strstr(error.message, cases[i].message));
            CU_ASSERT(cases[i].hint ? strstr(error.hint, cases[i].hint) != NULL
                                    : strstr(error.hint, "journal's first line") == NULL);
        }
        database_close(database);
        scratch_close(&scratch);
    }
}

/* The row has the known properties of the journal; the rest is unknown. */
static void row_of_a_journal(void)
{
    struct scratch scratch = scratch_open("file.csv");
    struct database *database = NULL;
    struct error error = {0};
    int torn_line;
    scratch_write(&scratch,
                  "# cutune journal 1\n# kernel = k\n# problem = N=1\n# source_hash = s\n# space_hash = p\n"
                  "# created = 2026-01-02T03:04:05Z\n# version = 0.0.1\n# bytes = 4000\n# copy_ceiling = 1e10\n"
                  "# device = D\n# limit.cc = 90\n# default = A=1\n# parameters = 1\n"
                  "A,status,time_ns,low_ns,high_ns,samples\n1,ok,1000,990,1010,9\n2,ok,800,790,810,8\n3,crashed,,,,\n");
    CU_ASSERT_EQUAL_FATAL(results_open(&database, scratch.path, &torn_line, &error), 0);
    CU_ASSERT_EQUAL_FATAL(database_count(database), 1);
    const struct best *best = database_get(database, 0);
    CU_ASSERT_STRING_EQUAL(best->configuration, "A=2");
    CU_ASSERT_STRING_EQUAL(best->provenance.kernel, "k");
    CU_ASSERT_STRING_EQUAL(best->provenance.device.name, "D");
    CU_ASSERT_STRING_EQUAL(best->provenance.problem, "N=1");
    CU_ASSERT_STRING_EQUAL(best->provenance.source_hash, "s");
    CU_ASSERT_STRING_EQUAL(best->provenance.date, "2026-01-02T03:04:05Z");
    CU_ASSERT_STRING_EQUAL(best->provenance.version, "0.0.1");
    CU_ASSERT_STRING_EQUAL(best->provenance.default_, "A=1");
    CU_ASSERT_EQUAL(best->provenance.device.cc, 90);
    CU_ASSERT(best->low == 790 && best->high == 810 && best->samples == 8 && best->evaluated == 3);
    CU_ASSERT(best->default_value == 1000 && best->speedup == 1.25);
    CU_ASSERT_DOUBLE_EQUAL(best->ceiling_percent, 50, 1e-9); /* 4000 bytes at 10 GB/s take 400 ns */
    CU_ASSERT(best->valid == 0 && !*best->strategy && best->seed == 0);
    CU_ASSERT_EQUAL(database_line(database, 0), 0);
    database_close(database);
    scratch_close(&scratch);
}

CU_TestInfo tests_results[] = {
    {"the content of a file", files}, {"the row of a journal", row_of_a_journal}, CU_TEST_INFO_NULL};
