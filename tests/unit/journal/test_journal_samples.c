/* The column of samples, which only the journals of some runs have. */
#include <sys/stat.h>
#include <unistd.h>

#include "../scratch.h"
#include "journal/journal.h"
#include "journal/journal_merge.h"

static const char *const names[] = {"A"}, *const values[] = {"1"};

static struct journal_header header_of(bool kept)
{
    struct journal_header header = journal_header_unknown();
    header.provenance.kernel = "k";
    header.provenance.fingerprint = "f";
    header.parameters = names;
    header.parameter_count = 1;
    header.extras = journal_samples_column;
    header.extra_count = kept;
    return header;
}

/* A run appends a row with this many samples. */
static void run(const char *path, bool kept, const char *samples, uint32_t count, int torn)
{
    struct error error = {0};
    struct journal *journal = NULL;
    struct journal_row row = {.values = values, .measurement = measurement_unknown(STATUS_OK), .samples = samples};
    const struct journal_header header = header_of(kept);
    row.measurement.value = 7;
    row.measurement.samples = count;
    CU_ASSERT_EQUAL_FATAL(journal_open(&journal, path, &header, &error), 0);
    CU_ASSERT_EQUAL(journal_torn(journal, NULL), torn);
    CU_ASSERT_EQUAL(journal_append(journal, &row, &error), 0);
    CU_ASSERT_EQUAL(journal_close(journal, &error), 0);
}

/* The samples of each row; "none": there is no column. */
static void expect(const char *path, const char *samples)
{
    struct journal *journal = NULL;
    char found[256] = "";
    CU_ASSERT_EQUAL_FATAL(journal_read(&journal, path, NULL), 0);
    for (size_t i = 0; i < journal_row_count(journal); i++) {
        const struct journal_row row = journal_get_row(journal, i);
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s|", row.samples ? row.samples : "none");
    }
    if (strcmp(found, samples) != 0)
        fprintf(stderr, "\n%s, not %s\n", found, samples);
    CU_ASSERT_STRING_EQUAL(found, samples);
    journal_close(journal, NULL);
}

static void append_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "a");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT(fputs(text, file) >= 0);
    CU_ASSERT_EQUAL(fclose(file), 0);
}

/* Runs with and without the option in turn: the column appears once it is asked for, and stays. */
static void in_turn(void)
{
    struct scratch scratch = scratch_open("j.csv");
    const struct journal_header header = header_of(true);
    struct journal *journal = NULL;
    struct error error = {0};
    struct stat about;
    run(scratch.path, false, "1 2", 2, 0);
    expect(scratch.path, "none|");
    CU_ASSERT_EQUAL(chmod(scratch.path, 0640), 0);
    append_text(scratch.path, "1,o");
    run(scratch.path, true, "1 2", 2, 1);
    expect(scratch.path, "|1 2|");
    CU_ASSERT(stat(scratch.path, &about) == 0 && (about.st_mode & 0777) == 0640);
    run(scratch.path, false, NULL, 1, 0);
    run(scratch.path, true, "4*3", 3, 0);
    expect(scratch.path, "|1 2||4*3|");
    /* the file is locked that is there now */
    CU_ASSERT_EQUAL_FATAL(journal_open(&journal, scratch.path, &header, &error), 0);
    CU_ASSERT_EQUAL(journal_open(&(struct journal *){NULL}, scratch.path, &header, &error), ERROR_BUSY);
    journal_close(journal, NULL);
    scratch_close(&scratch);
}

/* Other extra columns, texts in quotes and a mark at the start of the file stay as they are. */
static void widened(void)
{
    static const char before[] = "\xef\xbb\xbf# cutune journal 1\n# kernel = k\n# fingerprint = f\n# parameters = 1\n"
                                 "A,status,time_ns,low_ns,high_ns,samples,registers,shared_bytes,local_bytes,occupancy,"
                                 "compile_ns,measure_ns,playoff,proposer,discarded,clock_mhz,throttle_reasons,uuid,"
                                 "correction,kernel,message,mine\n"
                                 "1,ok,7,,,2,,,,,,,,,,,,,,,\"a, \"\"b\"\"\",\"two\nlines\"\n"
                                 "2,ok,7,,,2,,,,,,,,,,,,,,,,'=1+1\n";
    static const char after[] = "throttle_reasons,uuid,correction,kernel,message,mine,samples_ns\n"
                                "1,ok,7,,,2,,,,,,,,,,,,,,,\"a, \"\"b\"\"\",\"two\nlines\",\n"
                                "2,ok,7,,,2,,,,,,,,,,,,,,,,'=1+1,\n"
                                "1,ok,7,,,1,,,,,,,,,0,,,,,,,,5\n";
    struct scratch scratch = scratch_open("j.csv");
    struct text text = {0};
    append_text(scratch.path, before);
    run(scratch.path, true, "5", 1, 0);
    CU_ASSERT_EQUAL_FATAL(csv_load(scratch.path, &text, NULL), 0);
    const char *found = strstr(text_string(&text), "throttle_reasons");
    CU_ASSERT_EQUAL(strncmp(text_string(&text), before, 60), 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    if (strcmp(found, after) != 0)
        fprintf(stderr, "\n%s", found);
    CU_ASSERT_STRING_EQUAL(found, after);
    text_free(&text);
    scratch_close(&scratch);
}

#define HEAD  "# cutune journal 1\n# fingerprint = f\n# parameters = 1\nA,status,time_ns,playoff,proposer,samples"
#define KEPT  HEAD ",samples_ns\n"
#define WIDE  HEAD ",samples_ns,low_ns,high_ns\n"
#define PLAIN HEAD "\n"

/* A bad cell is an error with its line, whatever the order of the columns. Rows that are no evaluations have none. */
static void bad_cells(void)
{
    static const struct {
        const char *text, *message; /* NULL: good */
        int line;
    } rows[] = {
        {KEPT "1,ok,7,,,3,5*2 6\n2,ok,7,,,9,\n", NULL, 0},
        {KEPT "1,ok,7,,,3,5*2 6\n2,ok,7,,,2,5 x\n", "samples_ns: entry 2 of the samples, 'x', is not a time in ns", 6},
        {KEPT "1,ok,7,,,2,5*3\n", "samples_ns: 3 samples where the count is 2", 5},
        {"# cutune journal 1\n# parameters = 1\nA,samples_ns,status,time_ns,samples\n1,5*3,ok,7,2\n",
         "samples_ns: 3 samples where the count is 2", 4},
        {"# cutune journal 1\n# parameters = 1\nA,samples_ns,status,time_ns,samples,kernel,message\n"
         "1,,library,7,2,lib,winner=5 hash=a\n",
         NULL, 0},
        /* a parameter of this name is another matter */
        {"# cutune journal 1\n# parameters = 1\nsamples_ns,status,time_ns\nx,ok,7\n", NULL, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct journal *journal = NULL;
        struct error error = {0};
        int code = journal_parse(&journal, "j.csv", rows[i].text, strlen(rows[i].text), &error);
        CU_ASSERT_EQUAL(code, rows[i].message ? ERROR_DATA : 0);
        CU_ASSERT_STRING_EQUAL(error.message, rows[i].message ? rows[i].message : "");
        CU_ASSERT_EQUAL(error.line, rows[i].line);
        journal_close(journal, NULL);
    }
}

/* A merged journal has the samples of the row whose time it has, in the same times. */
static void merged(void)
{
    static const struct {
        const char *files[2], *samples;
    } rows[] = {
        {{KEPT "1,ok,7,,strategy,2,6 8\n", PLAIN "2,ok,7,,,2\n"}, "6 8||"},
        {{PLAIN "2,ok,7,,,2\n", KEPT "1,ok,7,,strategy,2,6 8\n"}, "|6 8|"},
        /* without those of a play-off */
        {{KEPT "1,ok,7,,strategy,2,6 8\n1,ok,9,leader,strategy,40,\n", PLAIN "2,ok,7,,,2\n"}, "6 8||"},
        {{KEPT "1,ok,9,leader,strategy,40,\n", PLAIN "2,ok,7,,,2\n"}, "||"},
        /* the later session finds the device half as fast */
        {{WIDE "1,ok,700,,strategy,2,600 800,699,701\n3,ok,1000,,strategy,3,900 1000 1100,,\n"
               "1,ok,1400,,resume,3,1400*3,1399,1401\n",
          PLAIN "2,ok,7,,,2\n"},
         "1400*3|1800 2000 2200||"},
        {{KEPT "1,ok,7,,strategy,2,6 8\n1,crashed,,,resume,0,\n", PLAIN "2,ok,7,,,2\n"}, "||"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct journal *journals[2] = {NULL, NULL}, *result = NULL;
        struct text text = {0};
        struct error error = {0};
        char found[256] = "";
        for (int j = 0; j < 2; j++)
            CU_ASSERT_EQUAL_FATAL(
                journal_parse(&journals[j], "j.csv", rows[i].files[j], strlen(rows[i].files[j]), &error), 0);
        CU_ASSERT_EQUAL_FATAL(journal_merge((const struct journal *const *)journals, 2, &text, &error), 0);
        CU_ASSERT_EQUAL_FATAL(journal_parse(&result, "merged.csv", text.bytes, text.length, &error), 0);
        for (size_t r = 0; r < journal_row_count(result); r++)
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s|", journal_get_row(result, r).samples);
        if (strcmp(found, rows[i].samples) != 0)
            fprintf(stderr, "\n%s, not %s\n", found, rows[i].samples);
        CU_ASSERT_STRING_EQUAL(found, rows[i].samples);
        journal_close(result, NULL);
        journal_close(journals[0], NULL);
        journal_close(journals[1], NULL);
        text_free(&text);
    }
}

CU_TestInfo tests_journal_samples[] = {{"runs with and without the option", in_turn},
                                       {"a column is added to a file", widened},
                                       {"bad cells", bad_cells},
                                       {"merging", merged},
                                       CU_TEST_INFO_NULL};
