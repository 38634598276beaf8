#include "base/error_report.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

/* A pipe whose writing end has CUTUNE_ERROR_FD's number. */
static int open_pipe(int ends[2])
{
    char number[16];
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    snprintf(number, sizeof number, "%d", ends[1]);
    setenv(ERROR_REPORT_VARIABLE, number, 1);
    return error_report_open();
}

static void carries_errors(void)
{
    static const struct error rows[] = {
        {.code = ERROR_USAGE, .message = "wrong"},
        {.code = ERROR_SYNTAX, 7, 12, "a file.space", "two\nlines", "param \"A\"", "say so"},
        {.code = ERROR_INTERRUPTED, .message = "", .hint = "\xc3\xa4"},
    };
    struct error longest = {.code = ERROR_IO, .line = 2147483647, .column = 2147483647};
    memset(longest.source, 's', sizeof longest.source - 1);
    memset(longest.message, 'm', sizeof longest.message - 1);
    memset(longest.excerpt, 'e', sizeof longest.excerpt - 1);
    memset(longest.hint, 'h', sizeof longest.hint - 1);
    for (size_t i = 0; i <= sizeof rows / sizeof *rows; i++) {
        const struct error *error = i < sizeof rows / sizeof *rows ? &rows[i] : &longest;
        struct error_list list = {0};
        struct error found = {.list = &list};
        int ends[2], report = open_pipe(ends);
        CU_ASSERT_EQUAL(report, ends[1]);
        CU_ASSERT_PTR_NULL(getenv(ERROR_REPORT_VARIABLE));
        CU_ASSERT_EQUAL(fcntl(report, F_GETFD), FD_CLOEXEC);
        error_report_write(report, error);
        CU_ASSERT(error_report_read(ends[0], &found));
        CU_ASSERT_PTR_EQUAL(found.list, &list);
        found.list = NULL;
        CU_ASSERT_EQUAL(memcmp(&found, error, sizeof found), 0);
        close(ends[0]);
        close(ends[1]);
    }
}

/* True if a message is read. Each '|' of the text is a NUL. The writing end stays open: reading must not wait. */
static bool is_read(const char *text, size_t length, struct error *found)
{
    char bytes[8192];
    int ends[2];
    open_pipe(ends);
    for (size_t i = 0; i < length; i++)
        bytes[i] = text[i] == '|' ? '\0' : text[i];
    CU_ASSERT_EQUAL(write(ends[1], bytes, length), (ssize_t)length);
    bool read = error_report_read(ends[0], found);
    close(ends[0]);
    close(ends[1]);
    return read;
}

/* Truncated, extended or changed messages are refused and leave the error unchanged. */
static void refuses_the_rest(void)
{
    static const char good[] = "cutune error 1|14|3|4|a|b|c|d|";
    static const char *const rows[] = {
        "cutune error 2|14|3|4|a|b|c|d|",          "cutune error 1|0|3|4|a|b|c|d|",
        "cutune error 1|13x|3|4|a|b|c|d|",         "cutune error 1|-1|3|4|a|b|c|d|",
        "cutune error 1|9|3|4|a|b|c|d|",           "cutune error 1|14||4|a|b|c|d|",
        "cutune error 1|14|3|2147483648|a|b|c|d|", "cutune error 1|14|3|99999999999999999999|a|b|c|d|",
        "cutune error 1|14|3|4|a|b|c|d|more",      "cutune error 1|14|3|4|a|b|c|d|more|",
    };
    enum { TRUNCATIONS = sizeof good - 1, ROWS = sizeof rows / sizeof *rows, ROOM = sizeof((struct error *)0)->source };
    struct error found = {.code = ERROR_USAGE, .message = "before"};
    char text[2 * ROOM];
    for (size_t i = 0; i < TRUNCATIONS; i++)
        CU_ASSERT_FALSE(is_read(good, i, &found));
    for (size_t i = 0; i < ROWS; i++)
        CU_ASSERT_FALSE(is_read(rows[i], strlen(rows[i]), &found));
    snprintf(text, sizeof text, "cutune error 1|14|3|4|%0*d|b|c|d|", (int)ROOM, 0);
    CU_ASSERT_FALSE(is_read(text, strlen(text), &found));
    CU_ASSERT_FALSE(error_report_read(-1, &found));
    CU_ASSERT(found.code == ERROR_USAGE && strcmp(found.message, "before") == 0);
    snprintf(text, sizeof text, "cutune error 1|14|3|4|%0*d|b|c|d|", (int)ROOM - 1, 0);
    CU_ASSERT(is_read(text, strlen(text), &found));
    CU_ASSERT(is_read(good, TRUNCATIONS, &found));
    CU_ASSERT(found.code == ERROR_NOT_FOUND && strcmp(found.hint, "d") == 0);
}

static void opens_what_is_open(void)
{
    static const char *const values[] = {"",    "-1", "0", "1",          "2",
                                         "999", "3x", "x", "4294967299", "99999999999999999999"};
    CU_ASSERT_EQUAL(error_report_open(), -1);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        setenv(ERROR_REPORT_VARIABLE, values[i], 1);
        CU_ASSERT_EQUAL(error_report_open(), -1);
        CU_ASSERT_PTR_NULL(getenv(ERROR_REPORT_VARIABLE));
    }
    error_report_write(-1, &(struct error){.code = ERROR_USAGE});
}

CU_TestInfo tests_error_report[] = {{"carries errors", carries_errors},
                                    {"refuses all else", refuses_the_rest},
                                    {"opens only an open descriptor", opens_what_is_open},
                                    CU_TEST_INFO_NULL};
