#include "base/toolkit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "root.h"

/* Toolkits in folders: one with cccl, one without, one empty. */
static const char *const root_folders[] = {"new", "new/include", "new/include/cccl", "old", "old/include", "none"};

/* Sets the variables; "" stands for an unset one. */
static void set_variables(const char *home, const char *path)
{
    CU_ASSERT_EQUAL(*home ? setenv("CUDA_HOME", home, 1) : unsetenv("CUDA_HOME"), 0);
    CU_ASSERT_EQUAL(*path ? setenv("CUDA_PATH", path, 1) : unsetenv("CUDA_PATH"), 0);
}

/* Compares with consecutive strings, each followed by a blank. */
static void expect_list(const struct text *list, size_t count, const char *expected)
{
    struct text line = {0};
    const char *at = text_string(list), *end = at + list->length;
    size_t found = 0;
    for (; at < end; at += strlen(at) + 1, found++)
        text_printf(&line, "%s ", at);
    CU_ASSERT_EQUAL(found, count);
    CU_ASSERT_STRING_EQUAL(text_string(&line), expected);
    text_free(&line);
}

static void variables_come_first(void)
{
    static const struct {
        const char *home, *path, *folders; /* folders NULL: those of the built-in toolkit */
    } rows[] = {{"new", "", "new/include new/include/cccl "},
                {"old", "", "old/include "},
                {"", "old", "old/include "},
                {"new", "old", "new/include new/include/cccl "},
                {"old", "new", "old/include "},
                {"none", "old", "old/include "},
                {"nowhere", "new", "new/include new/include/cccl "},
                {"none", "", NULL},
                {"none", "none", NULL},
                {"", "", NULL}};
    struct text built_with = {0};
    size_t built_count = 0;
    root_enter(root_folders, sizeof root_folders / sizeof *root_folders);
    set_variables("", "");
    toolkit_folders(&built_with, &built_count);
    CU_ASSERT(built_count > 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text folders = {0};
        size_t count = 0;
        set_variables(rows[i].home, rows[i].path);
        toolkit_folders(&folders, &count);
        if (rows[i].folders) {
            expect_list(&folders, strstr(rows[i].folders, "cccl") ? 2 : 1, rows[i].folders);
        } else {
            CU_ASSERT_EQUAL(count, built_count);
            CU_ASSERT_EQUAL(folders.length, built_with.length);
            CU_ASSERT_EQUAL(memcmp(text_string(&folders), text_string(&built_with), folders.length), 0);
        }
        text_free(&folders);
    }
    set_variables("", "");
    text_free(&built_with);
    root_leave();
}

/* The list takes the place of every toolkit; what it names and does not exist is left out. */
static void a_list_of_folders_comes_before_the_variables(void)
{
    static const struct {
        const char *list, *folders;
        size_t count;
    } rows[] = {{"old/include", "old/include ", 1},
                {"old/include:new/include", "old/include new/include new/include/cccl ", 3},
                {"nowhere", "", 0},
                {":old/include:", "old/include ", 1}};
    root_enter(root_folders, sizeof root_folders / sizeof *root_folders);
    set_variables("new", "new");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text folders = {0};
        size_t count = 0;
        setenv("CUTUNE_CUDA_INCLUDE", rows[i].list, 1);
        toolkit_folders(&folders, &count);
        expect_list(&folders, rows[i].count, rows[i].folders);
        CU_ASSERT_EQUAL(count, rows[i].count);
        text_free(&folders);
    }
    unsetenv("CUTUNE_CUDA_INCLUDE");
    set_variables("", "");
    root_leave();
}

/* The source's folder comes first; the count is added to *count. */
static void options_begin_with_the_folder_of_the_source(void)
{
    static const struct {
        const char *path, *options;
    } rows[] = {{"k.cu", "-DA -I. -Inew/include -Inew/include/cccl "},
                {"src/k.cu", "-DA -Isrc -Inew/include -Inew/include/cccl "},
                {"../a b/k.cu", "-DA -I../a b -Inew/include -Inew/include/cccl "},
                {"/src/k.cu", "-DA -I/src -Inew/include -Inew/include/cccl "},
                {"/k.cu", "-DA -I/ -Inew/include -Inew/include/cccl "}};
    root_enter(root_folders, sizeof root_folders / sizeof *root_folders);
    set_variables("new", "");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text options = {0};
        size_t count = 1;
        text_append(&options, "-DA", 4);
        toolkit_options(rows[i].path, &options, &count);
        expect_list(&options, count, rows[i].options);
        CU_ASSERT_EQUAL(count, 4);
        text_free(&options);
    }
    set_variables("", "");
    root_leave();
}

/* The variables' toolkits first, then the toolkit of the build and the one in the usual place. */
static void libraries_come_in_the_order_of_the_headers(void)
{
    static const struct {
        const char *home, *path, *first;
        size_t count;
    } rows[] = {{"new", "", "new/lib64/libx.so new/lib/libx.so ", 2},
                {"", "old", "old/lib64/libx.so old/lib/libx.so ", 2},
                {"new", "old", "new/lib64/libx.so new/lib/libx.so old/lib64/libx.so old/lib/libx.so ", 4},
                {"", "", "", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text paths = {0}, first = {0};
        size_t count = 0, length = 0;
        set_variables(rows[i].home, rows[i].path);
        toolkit_libraries("libx.so", &paths, &count);
        CU_ASSERT_EQUAL_FATAL(count, rows[i].count + 2);
        for (size_t p = 0; p < rows[i].count; p++)
            length += strlen(paths.bytes + length) + 1;
        text_append(&first, paths.bytes, length);
        expect_list(&first, rows[i].count, rows[i].first);
        for (size_t p = 0; p < 2; p++, length += strlen(paths.bytes + length) + 1)
            CU_ASSERT(paths.bytes[length] == '/' && strstr(paths.bytes + length, "/libx.so"));
        CU_ASSERT_EQUAL(length, paths.length);
        text_free(&first);
        text_free(&paths);
    }
    set_variables("", "");
}

/* In the same order, followed by the folders of PATH. */
static void programs_come_in_the_same_order(void)
{
    static const struct {
        const char *home, *path, *programs, *first, *last;
        size_t count;
    } rows[] = {{"new", "old", "a b::/c", "new/bin/nvcc old/bin/nvcc ", "a b/nvcc /c/nvcc ", 4},
                {"", "old", "/c", "old/bin/nvcc ", "/c/nvcc ", 2},
                {"", "", "", "", "", 0}};
    char *programs = strdup(getenv("PATH"));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text paths = {0}, line = {0};
        size_t count = 0;
        set_variables(rows[i].home, rows[i].path);
        CU_ASSERT_EQUAL(setenv("PATH", rows[i].programs, 1), 0);
        toolkit_programs("nvcc", &paths, &count);
        CU_ASSERT_EQUAL(count, rows[i].count + 2);
        const char *at = text_string(&paths);
        for (size_t p = 0; p < count; p++, at += strlen(at) + 1)
            text_printf(&line, "%s ", at);
        CU_ASSERT_EQUAL(strncmp(text_string(&line), rows[i].first, strlen(rows[i].first)), 0);
        CU_ASSERT_STRING_EQUAL(text_string(&line) + line.length - strlen(rows[i].last), rows[i].last);
        CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&line), "/bin/nvcc /usr/local/cuda-"));
        text_free(&line);
        text_free(&paths);
    }
    CU_ASSERT_EQUAL(setenv("PATH", programs, 1), 0);
    free(programs);
    set_variables("", "");
}

CU_TestInfo tests_toolkit[] = {
    {"libraries come in the order of the headers", libraries_come_in_the_order_of_the_headers},
    {"programs come in the same order", programs_come_in_the_same_order},
    {"variables come first", variables_come_first},
    {"a list of folders comes before the variables", a_list_of_folders_comes_before_the_variables},
    {"options begin with the folder of the source", options_begin_with_the_folder_of_the_source},
    CU_TEST_INFO_NULL};
