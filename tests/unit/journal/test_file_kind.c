#include <sys/stat.h>
#include <unistd.h>

#include "../scratch.h"
#include "journal/file_kind.h"

#define NAMES "schema,kernel,device,problem,objective,configuration"

static void by_the_first_bytes(void)
{
    static const struct {
        const char *text;
        enum file_kind kind;
    } cases[] = {
        {"", FILE_KIND_OTHER},
        {"hello\n", FILE_KIND_OTHER},
        {"# cutune journal 1\n", FILE_KIND_JOURNAL},
        {"\xef\xbb\xbf# cutune journal 1\n", FILE_KIND_JOURNAL},
        {"# cutune journal 99\nof a newer cutune", FILE_KIND_JOURNAL},
        {"# cutune journal", FILE_KIND_OTHER},
        {" # cutune journal 1\n", FILE_KIND_OTHER},
        {NAMES "\n", FILE_KIND_DATABASE},
        {"\xef\xbb\xbf" NAMES "\r\n", FILE_KIND_DATABASE},
        {"configuration,objective,remark,\"problem\",device,kernel,schema\n1,2,\"3\n", FILE_KIND_DATABASE},
        {NAMES, FILE_KIND_OTHER},
        {"schema,kernel,device,problem,objective\n", FILE_KIND_OTHER},
        {"schema,kernel,device,problem,objective,configurations\n", FILE_KIND_OTHER},
        {NAMES ",schema\n", FILE_KIND_OTHER},
        {"\"" NAMES "\n", FILE_KIND_OTHER},
        {"\n" NAMES "\n", FILE_KIND_OTHER},
    };
    int before = dup(STDIN_FILENO);
    close(before);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scratch scratch = scratch_open("file");
        enum file_kind kind;
        scratch_write(&scratch, cases[i].text);
        CU_ASSERT_EQUAL(file_kind_find(scratch.path, &kind, NULL), 0);
        CU_ASSERT_EQUAL(kind, cases[i].kind);
        if (kind != cases[i].kind)
            fprintf(stderr, "%s", cases[i].text);
        scratch_close(&scratch);
    }
    int after = dup(STDIN_FILENO);
    close(after);
    CU_ASSERT_EQUAL(after, before); /* no file is left open */
}

static void what_cannot_be_read(void)
{
    struct scratch scratch = scratch_open("file");
    struct error error = {0};
    enum file_kind kind;
    CU_ASSERT_EQUAL(file_kind_find(scratch.path, &kind, &error), ERROR_NOT_FOUND);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, scratch.path));
    error_clear(&error);
    CU_ASSERT_EQUAL(file_kind_find(scratch.folder, &kind, &error), ERROR_IO);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "cannot read"));
    scratch_close(&scratch);
}

/* The writer of a pipe may not have begun. */
static void pipes(void)
{
    char path[64];
    enum file_kind kind = FILE_KIND_JOURNAL;
    int ends[2];
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    CU_ASSERT_EQUAL(file_kind_find(path, &kind, NULL), 0);
    CU_ASSERT_EQUAL(kind, FILE_KIND_OTHER);
    close(ends[0]);
    close(ends[1]);
}

CU_TestInfo tests_file_kind[] = {{"pipes", pipes},
                                 {"by the first bytes", by_the_first_bytes},
                                 {"unreadable files", what_cannot_be_read},
                                 CU_TEST_INFO_NULL};
