/* Malicious files, and valid files damaged by spreadsheets and other programs: each is read correctly or refused with
 * its line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../scratch.h"
#include "database/database.h"
#include "journal/journal.h"

#define J             "# cutune journal 1\n# kernel = k\n# parameters = 1\n" /* three lines */
#define D             "schema,kernel,device,problem,objective,configuration\n"
#define TEXT(literal) literal, sizeof(literal) - 1

static const struct {
    bool journal;
    const char *text;
    size_t length;
    const char *first; /* the first row's value, or configuration; NULL: refused */
    size_t rows;
    int line;
    const char *message;
} files[] = {
    /* formulas */
    {true, TEXT(J "A,status\n=1+2,ok\n"), "=1+2", 1, 0, NULL},
    {true, TEXT(J "A,status\n\"=cmd|' /C calc'!A0\",ok\n"), "=cmd|' /C calc'!A0", 1, 0, NULL},
    {true, TEXT(J "A,status\n1,=ok\n"), NULL, 0, 5, "status cannot be '=ok'"},
    {true, TEXT(J "A,status,time_ns\n1,ok,=1+2\n"), NULL, 0, 5, "time_ns cannot be '=1+2'"},
    {false, TEXT(D "1,k,d,p,time,=A1\n"), "=A1", 1, 0, NULL},
    {false, TEXT(D "=1,k,d,p,time,c\n"), NULL, 0, 2, "schema cannot be '=1'"},
    {false, TEXT(D "1,\"@k\",d,p,time,+c\n"), "+c", 1, 0, NULL},
    /* newlines and quotes */
    {true, TEXT(J "A,status\n\"a\nb\",ok\n2,ok\n"), "a\nb", 2, 0, NULL},
    {true, TEXT(J "\"A\n\",status\n1,ok\n2,no\n"), NULL, 0, 7, "status cannot be 'no'"},
    {true, TEXT(J "A,status\n\"a\n\"\"b\"\"\",ok\n2,no\n"), NULL, 0, 7, "status cannot be 'no'"},
    {true, TEXT(J "A,status\n\"1,ok\n2,ok\n"), NULL, 0, 5, "no end"},
    {true, TEXT(J "A,status\n1\",ok\n"), NULL, 0, 5, "malformed quoting"},
    {true, TEXT(J "A,status\n\"1\"2,ok\n"), NULL, 0, 5, "malformed quoting"},
    {false, TEXT(D "1,k,\"d \"\"x\"\"\r\n\",p,time,c\n1,k,e,p,time\n"), NULL, 0, 4, "5 cells where there are 6"},
    {false, TEXT(D "1,k,d,p,time,\"\n"), NULL, 0, 2, "no end"},
    /* NUL */
    {true, TEXT("# cutune journal 1\n# kernel = a\0b\n"), NULL, 0, 2, "a NUL byte"},
    {true, TEXT(J "A,status\n1\0,ok\n"), NULL, 0, 5, "a NUL byte in cell 1"},
    {true, TEXT(J "A,status\n\"\0\",ok\n"), NULL, 0, 5, "a NUL byte in cell 1"},
    {true, TEXT(J "A\0,status\n1,ok\n"), NULL, 0, 4, "a NUL byte in cell 1"},
    {true, TEXT("\0\0\0\0\n"), NULL, 0, 1, "a NUL byte"},
    {false, TEXT(D "1,k,d,p,ti\0me,c\n"), NULL, 0, 2, "a NUL byte in cell 5"},
    {false, TEXT(D "1,k,d,p,time,c\n\0"), NULL, 0, 3, "a NUL byte in cell 1"},
    /* mixed line endings, blank lines */
    {true, TEXT("# cutune journal 1\r\n# kernel = k\r\n# parameters = 1\nA,status\r\n1,ok\n2,ok\r\n\r\n \n3,ok\n"), "1",
     3, 0, NULL},
    {true, TEXT(J "A,status\n1,ok\r2,ok\r3,no\n"), NULL, 0, 5, "status cannot be 'no'"},
    {true, TEXT(J "A,status\r\n1,ok\r\n2,no\r\n"), NULL, 0, 6, "status cannot be 'no'"},
    {false, TEXT("\r\n" D "\n1,k,d,p,time,c\r1,k,e,p,time,c\n\r\n"), "c", 2, 0, NULL},
    /* a byte order mark, and other encodings */
    {true, TEXT("\xef\xbb\xbf" J "A,status\n1,ok\n"), "1", 1, 0, NULL},
    {false, TEXT("\xef\xbb\xbf" D "1,k,d,p,time,c\n"), "c", 1, 0, NULL},
    {false, TEXT("\xef\xbb\xbf\xef\xbb\xbf" D "1,k,d,p,time,c\n"), NULL, 0, 1, "no column 'schema'"},
    {true, TEXT("\xff\xfe#\0 \0c\0u\0\n\0"), NULL, 0, 1, "a NUL byte"},
    {true, TEXT(J "A,status\n\xff\xc3\x28,ok\n"), "\xff\xc3\x28", 1, 0, NULL},
    /* foreign, missing and repeated columns */
    {true, TEXT(J "A,mine,status,\"yours, too\"\n1,x,ok,y\n"), "1", 1, 0, NULL},
    {true, TEXT(J "A,status,mine,mine\n1,ok,x,y\n"), NULL, 0, 4, "both named 'mine'"},
    {true, TEXT(J "A,state\n1,ok\n"), NULL, 0, 4, "no column 'status'"},
    {true, TEXT(J "A;status\n1;ok\n"), NULL, 0, 4, "1 columns, too few"},
    {true, TEXT("A,status\n1,ok\n"), NULL, 0, 1, "not a journal of cutune"},
    {true, TEXT("# cutune journal 1\nA,status\n1,ok\n"), NULL, 0, 2, "no line '# parameters = N'"},
    {true, TEXT("# cutune journal 1\n# parameters = 18446744073709551617\nA,status\n"), NULL, 0, 2,
     "parameters cannot"},
    {true, TEXT("# cutune journal 999999999999999999999\nA,status\n"), NULL, 0, 1, "a journal of schema"},
    {true, TEXT("# cutune journal 0\nA,status\n"), NULL, 0, 1, "not a journal of cutune"},
    {false, TEXT("mine,configuration,objective,problem,device,kernel,schema\nx,c,time,p,d,k,1\n"), "c", 1, 0, NULL},
    {false, TEXT("schema;kernel\n1;k\n"), NULL, 0, 1, "no column 'schema'"},
    {false, TEXT("kernel,time\nk,1\n"), NULL, 0, 1, "no column 'schema'"},
    {false, TEXT(D "1,k,d,p,time,c\n1,k,d,p,time,e\n"), NULL, 0, 3, "the same kernel, device"},
    {false, TEXT(D "99999999999999999999,k,d,p,time,c\n"), NULL, 0, 2, "schema cannot be"},
    {false, TEXT("schema,kernel,device,problem,objective,configuration,time_ns\n1,k,d,p,time,c,1e999\n"), NULL, 0, 2,
     "time_ns cannot be '1e999'"},
    {false, TEXT("schema,kernel,device,problem,objective,configuration,time_ns\n1,k,d,p,time,c,nan\n"), NULL, 0, 2,
     "time_ns cannot be 'nan'"},
    /* truncated and empty files */
    {true, TEXT(J "A,status\n1,ok\n2,o"), "1", 1, 0, NULL},
    {true, TEXT(""), NULL, 0, 1, "empty"},
    {true, TEXT("# cutune jour"), NULL, 0, 1, "ends within its first line"},
    {true, TEXT(J), NULL, 0, 4, "ends before its column names"},
};

static int read_one(bool is_journal, const char *text, size_t length, struct text *first, size_t *rows,
                    struct error *error)
{
    struct journal *journal = NULL;
    struct database *database = NULL;
    int code = is_journal ? journal_parse(&journal, "f.csv", text, length, error)
                          : database_parse(&database, "f.csv", text, length, error);
    if (!code && is_journal) {
        *rows = journal_row_count(journal);
        text_printf(first, "%s", *rows ? journal_get_values(journal, 0)[0] : "");
    } else if (!code) {
        *rows = database_count(database);
        text_printf(first, "%s", *rows ? database_get(database, 0)->configuration : "");
    }
    journal_close(journal, NULL);
    database_close(database);
    return code;
}

static void hostile_files(void)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct text first = {0};
        struct error error = {0};
        size_t rows = 0;
        int code = read_one(files[i].journal, files[i].text, files[i].length, &first, &rows, &error);
        bool right = files[i].first ? !code && rows == files[i].rows && strcmp(text_string(&first), files[i].first) == 0
                                    : code && error.line == files[i].line && strstr(error.message, files[i].message) &&
                                          strcmp(error.source, "f.csv") == 0;
        if (!right)
            fprintf(stderr, "\n%s\n  %d %zu rows, '%s', line %d: %s", files[i].text, code, rows, text_string(&first),
                    error.line, error.message);
        CU_ASSERT(right);
        text_free(&first);
    }
}

/* Cells and lines of 10 MB, from memory and, in pieces, from a file. */
static void huge_cells(void)
{
    static const struct {
        const char *head, *unit, *tail;
        int count;
        const char *message; /* NULL: it is read */
        int line;
    } rows[] = {
        {J "A,status\n", "x", ",ok\n2,ok\n", 2 << 20, NULL, 0},
        {J "A,status\n\"", "\"\"", "\",ok\n2,ok\n", 1 << 20, NULL, 0},
        {J "A,status\n\"", "\n", "\",ok\n2,no\n", 2 << 20, "status cannot be 'no'", 5 + (2 << 20) + 1},
        {J "A,status\n1,ok\n2,", "x", "\n", 2 << 20, "status cannot be 'xxx", 6},
        {J "A,status,message\n1,ok,", "x", "\n", 2 << 20, "message cannot be 'xxx", 5},
        {J "A,status\n1,ok", ",", "\n", 2 << 20, "more than 4096 cells", 5},
        {J "A,status\n1,ok\n", "\n", "2,no\n", 2 << 20, "status cannot be 'no'", 6 + (2 << 20)},
        {"# cutune journal 1\n# kernel = ", "x", "\n# parameters = 1\nA,status\n1,ok\n2,ok\n", 2 << 20, NULL, 0},
        {"# cutune journal 1\n", "#\n", "", 1 << 20, "no '='", 2},
        {J "A,status\n1,ok\n2,ok\n", "x", "", 2 << 20, NULL, 0}, /* truncated */
    };
    struct scratch scratch = scratch_open("j.csv");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text text = {0}, first = {0};
        struct error errors[2] = {{0}, {0}};
        struct journal *journal = NULL;
        size_t found[2] = {0, 0};
        text_printf(&text, "%s", rows[i].head);
        for (int n = 0; n < rows[i].count; n++)
            text_append(&text, rows[i].unit, strlen(rows[i].unit));
        text_printf(&text, "%s", rows[i].tail);
        CU_ASSERT_EQUAL_FATAL(file_replace(scratch.path, text.bytes, text.length, NULL), 0);
        int codes[2] = {read_one(true, text.bytes, text.length, &first, &found[0], &errors[0]),
                        journal_read(&journal, scratch.path, &errors[1])};
        found[1] = codes[1] ? 0 : journal_row_count(journal);
        journal_close(journal, NULL);
        for (size_t k = 0; k < 2; k++) {
            bool right = rows[i].message
                             ? codes[k] && errors[k].line == rows[i].line && strstr(errors[k].message, rows[i].message)
                             : !codes[k] && found[k] == 2;
            if (!right)
                fprintf(stderr, "\nrow %zu, way %zu: %zu rows, line %d: %s", i, k, found[k], errors[k].line,
                        errors[k].message);
            CU_ASSERT(right);
        }
        text_free(&text);
        text_free(&first);
    }
    scratch_close(&scratch);
}

CU_TestInfo tests_hostile[] = {{"hostile files", hostile_files}, {"huge cells", huge_cells}, CU_TEST_INFO_NULL};
