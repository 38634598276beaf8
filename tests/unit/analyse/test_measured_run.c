#include "analyse/measured_run.h"

#include <math.h>

#include "../scratch.h"

/* A journal is one run of all its rows. Each row of a database is one of its winner and its default, if that has a
 * time. */
static void rows(void)
{
    static const struct {
        const char *text;
        bool journal;
        size_t runs, rows, parameters;
        int torn_line;
    } cases[] = {{"# cutune journal 1\n# kernel = k\n# parameters = 2\nA,B,status,time_ns\n1,2,ok,5\n2,2,crashed,\n",
                  true, 1, 2, 2, 0},
                 {"# cutune journal 1\n# parameters = 1\nA,status,time_ns\n1,ok,5\n2,o", true, 1, 1, 1, 5},
                 {"schema,kernel,device,problem,objective,time_ns,configuration,default_configuration,default_time_ns\n"
                  "1,k,d,N=1,time,5,T=2,T=1,7\n1,k,e,N=1,time,5,T=2,T=1,7\n",
                  false, 2, 2, 1, 0},
                 {"schema,kernel,device,problem,objective,time_ns,configuration,default_configuration,default_time_ns\n"
                  "1,k,d,N=1,time,5,T=2 U=3,,\n",
                  false, 1, 1, 2, 0}};
    const struct scratch scratch = scratch_open("runs.csv");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct measured_runs measured = {0};
        struct error error = {0};
        scratch_write(&scratch, cases[i].text);
        CU_ASSERT_EQUAL_FATAL(measured_runs_add(&measured, scratch.path, &error), 0);
        CU_ASSERT_EQUAL_FATAL(measured.count, cases[i].runs);
        CU_ASSERT_EQUAL(measured.items[0].journal != NULL, cases[i].journal);
        CU_ASSERT_EQUAL(measured.items[0].row_count, cases[i].rows);
        CU_ASSERT_EQUAL(measured.items[0].parameter_count, cases[i].parameters);
        CU_ASSERT_EQUAL(measured.items[0].torn_line, cases[i].torn_line);
        CU_ASSERT_STRING_EQUAL(measured.items[0].path, scratch.path);
        CU_ASSERT_EQUAL(measured.items[0].rows[0].measurement->value, 5);
        measured_runs_free(&measured);
    }
    scratch_close(&scratch);
}

/* Appending copies. */
static void appending(void)
{
    const struct scratch scratch = scratch_open("runs.csv");
    char configuration[] = "B=8 A=7";
    struct measured_runs measured = {0};
    struct error error = {0};
    struct measurement measurement = measurement_unknown(STATUS_OK);
    scratch_write(&scratch, "# cutune journal 1\n# parameters = 2\nA,B,status,time_ns\n1,2,ok,5\n");
    CU_ASSERT_EQUAL_FATAL(measured_runs_add(&measured, scratch.path, &error), 0);
    measurement.value = 9;
    CU_ASSERT_EQUAL(measured_run_append(&measured, 0, configuration, &measurement, &error), 0);
    memset(configuration, 'x', sizeof configuration - 1);
    measurement.value = 1;
    CU_ASSERT_EQUAL_FATAL(measured.items[0].row_count, 2);
    CU_ASSERT_STRING_EQUAL(measured.items[0].rows[0].values[0], "1");
    CU_ASSERT_STRING_EQUAL(measured.items[0].rows[1].values[0], "7");
    CU_ASSERT_STRING_EQUAL(measured.items[0].rows[1].values[1], "8");
    CU_ASSERT_EQUAL(measured.items[0].rows[1].measurement->value, 9);
    measured_runs_free(&measured);
    scratch_close(&scratch);
}

#define ROW                                                                                                            \
    "schema,kernel,device,problem,objective,time_ns,samples,configuration,default_configuration\n1,k,d,N=1,time,5,"
static void test_bad_files(void)
{
    static const struct {
        const char *text, *message;
        int code;
    } cases[] = {{"# cutune journal 99\n", "schema 99", ERROR_SCHEMA},
                 {"# cutune journal 1\n# parameters = 1\n", "column names", ERROR_DATA},
                 {"hello\n", "", ERROR_DATA},
                 {ROW "40,T=1 U=a,U=b T=2\n", "", 0},
                 {ROW "40,T=1 U=a,\n", "", 0},
                 {ROW "40,T=1 U,\n", "'U' is not NAME=VALUE", ERROR_DATA},
                 {ROW "40,T=1 U=a T=2,\n", "T has two values", ERROR_DATA},
                 {ROW "40,T=1 U=a,T=1 T=2\n", "T has two values", ERROR_DATA},
                 {ROW "40,T=1 U=a,T=1 V=a\n", "other parameters", ERROR_DATA},
                 {ROW "4294967296,T=1 U=a,\n", "samples cannot be '4294967296'", ERROR_DATA}};
    const struct scratch scratch = scratch_open("runs.csv");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct measured_runs measured = {0};
        struct error error = {0};
        scratch_write(&scratch, cases[i].text);
        CU_ASSERT_EQUAL(measured_runs_add(&measured, scratch.path, &error), cases[i].code);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, cases[i].message));
        measured_runs_free(&measured);
    }
    scratch_close(&scratch);
    struct measured_runs measured = {0};
    struct error error = {0};
    CU_ASSERT_EQUAL(measured_runs_add(&measured, scratch.path, &error), ERROR_NOT_FOUND);
    measured_runs_free(&measured);
}

CU_TestInfo tests_measured_run[] = {{"rows of files", rows},
                                    {"appending", appending},
                                    {"refuses files that are neither", test_bad_files},
                                    CU_TEST_INFO_NULL};
