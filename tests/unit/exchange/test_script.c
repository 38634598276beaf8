/* Running Python scripts: input, output, and all failures. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "base/file.h"
#include "exchange/script.h"

static char path[] = "/tmp/cutune-script-XXXXXX";

/* Runs Python source with two arguments. */
static int run(const char *source, const struct text *input, struct text *output, struct error *error)
{
    static const char *const arguments[] = {"first", "second word", NULL};
    char failed[] = "/tmp/cutune-script-XXXXXX";
    memcpy(path, failed, sizeof path);
    int file = mkstemp(path);
    CU_ASSERT_FATAL(file >= 0 && write(file, source, strlen(source)) == (ssize_t)strlen(source) && close(file) == 0);
    int code = script_run(path, arguments, input, output, error);
    unlink(path);
    return code;
}

static void test_streams(void)
{
    struct text input = {0}, output = {0};
    struct error error = {0};
    text_printf(&output, "old");
    for (int i = 0; i < 200000; i++) /* exceeds a pipe's capacity */
        text_printf(&input, "0123456789");
    CU_ASSERT_EQUAL(run("import sys; t = sys.stdin.read(); print(sys.argv[1:], t, t)", &input, &output, &error), 0);
    CU_ASSERT_EQUAL(strncmp(text_string(&output), "['first', 'second word'] 0123", 29), 0);
    CU_ASSERT_EQUAL(output.length, strlen("['first', 'second word']  \n") + 2 * input.length);
    text_free(&input);
    text_free(&output);
}

static void test_isolated(void)
{
    struct text input = {0}, output = {0};
    struct error error = {0};
    CU_ASSERT_EQUAL(run("import sys; f = sys.flags; print(f.isolated, f.no_site, f.utf8_mode, f.dont_write_bytecode)",
                        &input, &output, &error),
                    0);
    CU_ASSERT_STRING_EQUAL(text_string(&output), "1 1 1 1\n");
    text_free(&output);
}

static const struct {
    const char *source, *message;
} failures[] = {
    {"raise SystemExit(3)", "ended with exit status 3"},
    {"import os; os.kill(os.getpid(), 15)", "was killed by signal 15 (Terminated)"},
};

static void test_failures(void)
{
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        struct text input = {0}, output = {0};
        struct error error = {0};
        CU_ASSERT_EQUAL(run(failures[i].source, &input, &output, &error), ERROR_WORKER);
        CU_ASSERT_EQUAL(error.code, ERROR_WORKER);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, failures[i].message));
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, path + strlen("/tmp/"))); /* names the script */
        CU_ASSERT_PTR_NULL(strstr(error.message, "/tmp/"));
        text_free(&output);
    }
}

static void test_no_python(void)
{
    struct text input = {0}, output = {0};
    struct error error = {0};
    char *old = strdup(getenv("PATH"));
    setenv("PATH", "/nonexistent", 1);
    CU_ASSERT_EQUAL(run("", &input, &output, &error), ERROR_NOT_FOUND);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "python3 is not installed"));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.hint, "apt-get install python3"));
    setenv("PATH", old, 1);
    free(old);
    text_free(&output);
}

/* No descriptor stays open, whether the script works or not. */
static void test_descriptors(void)
{
    int before = dup(0);
    close(before);
    test_failures();
    test_isolated();
    int after = dup(0);
    close(after);
    CU_ASSERT_EQUAL(before, after);
}

CU_TestInfo tests_script[] = {{"input, arguments and output", test_streams},
                              {"isolated", test_isolated},
                              {"failures", test_failures},
                              {"no python3", test_no_python},
                              {"descriptors", test_descriptors},
                              CU_TEST_INFO_NULL};
