#include "base/regular.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CUnit/Basic.h>

static void files(void)
{
    static const char bytes[] = "some\0bytes";
    enum { LENGTH = sizeof bytes - 1 };
    char folder[] = "/tmp/cutune-regular-XXXXXX", file[64], pipe[64], link[64], none[64];
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/file", folder);
    snprintf(pipe, sizeof pipe, "%s/pipe", folder);
    snprintf(link, sizeof link, "%s/link", folder);
    snprintf(none, sizeof none, "%s/none", folder);
    FILE *stream = fopen(file, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
    fwrite(bytes, 1, LENGTH, stream);
    fclose(stream);
    CU_ASSERT_EQUAL(mkfifo(pipe, 0600), 0);
    CU_ASSERT_EQUAL(symlink("file", link), 0);
    const struct {
        const char *path;
        size_t max_bytes;
        enum regular result;
    } rows[] = {{file, LENGTH, REGULAR_READ}, {file, 1000, REGULAR_READ},         {file, LENGTH - 1, REGULAR_UNFIT},
                {link, 1000, REGULAR_READ},   {none, 1000, REGULAR_ABSENT},       {folder, 1000, REGULAR_UNFIT},
                {pipe, 1000, REGULAR_UNFIT},  {"/dev/zero", 1000, REGULAR_UNFIT}, {"/dev/null", 0, REGULAR_UNFIT}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text text = {0};
        text_printf(&text, "before ");
        CU_ASSERT_EQUAL(regular_read(rows[i].path, rows[i].max_bytes, &text), rows[i].result);
        if (rows[i].result == REGULAR_READ) {
            CU_ASSERT_EQUAL_FATAL(text.length, strlen("before ") + LENGTH);
            CU_ASSERT_EQUAL(memcmp(text.bytes + strlen("before "), bytes, LENGTH), 0);
        }
        text_free(&text);
    }
    unlink(file), unlink(pipe), unlink(link);
    CU_ASSERT_EQUAL(rmdir(folder), 0);
}

/* More than one piece. */
static void large_files(void)
{
    enum { LENGTH = 300001 };
    char path[] = "/tmp/cutune-regular-XXXXXX";
    struct text text = {0};
    int file = mkstemp(path);
    char *bytes = malloc(LENGTH);
    CU_ASSERT_FATAL(file >= 0 && bytes);
    for (size_t i = 0; i < LENGTH; i++)
        bytes[i] = (char)(i * 7 >> 3);
    CU_ASSERT_EQUAL(write(file, bytes, LENGTH), LENGTH);
    close(file);
    CU_ASSERT_EQUAL(regular_read(path, LENGTH, &text), REGULAR_READ);
    CU_ASSERT_FATAL(text.length == LENGTH);
    CU_ASSERT_EQUAL(memcmp(text.bytes, bytes, LENGTH), 0);
    text_free(&text);
    free(bytes);
    unlink(path);
}

CU_TestInfo tests_regular[] = {{"files", files}, {"large files", large_files}, CU_TEST_INFO_NULL};
