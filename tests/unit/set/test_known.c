/* The spaces in known/ have the published numbers of configurations (known/counts.txt). */
#include <stdlib.h>

#include "../language/support.h"
#include "base/file.h"
#include "set/valid_set.h"

static const char folder[] = TEST_FOLDER "/unit/set/known/";

static void check_space(const char *name, const char *combinations, uint64_t valid)
{
    char path[512], message[4096], text[64];
    struct error error = {0};
    struct space *space = NULL;
    struct valid_set *set = NULL;
    double product = 1;
    snprintf(path, sizeof path, "%s%s.space", folder, name);
    int code = space_parse(&space, path, &error);
    if (!code)
        code = space_bind(space, NULL, 0, NULL, &error);
    if (!code)
        code = valid_set_build(&set, space, VALID_SET_DEFAULT_BYTES, &error);
    if (code)
        fprintf(stderr, "\n%s", error_format(&error, message, sizeof message));
    CU_ASSERT_EQUAL(code, 0);
    for (size_t p = 0; space && p < space->parameter_count; p++)
        product *= (double)space->parameters[p].value_count; /* exact: almost all prime factors are 2 */
    snprintf(text, sizeof text, "%.0f", product);
    expect_text(name, text, combinations);
    if (set && valid_set_count(set) != valid)
        fprintf(stderr, "\n%s: %llu valid", name, (unsigned long long)valid_set_count(set));
    CU_ASSERT(set && valid_set_count(set) == valid);
    valid_set_free(set);
    space_free(space);
}

static void test_counts(void)
{
    struct text text = {0};
    struct error error = {0};
    size_t rows = 0;
    CU_ASSERT_EQUAL_FATAL(file_read(TEST_FOLDER "/unit/set/known/counts.txt", 1 << 16, &text, &error), 0);
    for (const char *line = text_string(&text), *end; (end = strchr(line, '\n')); line = end + 1) {
        char name[64], combinations[64], valid[64];
        if (*line == '#')
            continue;
        CU_ASSERT_EQUAL_FATAL(sscanf(line, "%63s %63s %63s", name, combinations, valid), 3);
        check_space(name, combinations, strtoull(valid, NULL, 10));
        rows++;
    }
    CU_ASSERT_EQUAL(rows, 6);
    text_free(&text);
}

CU_TestInfo tests_known[] = {{"counts that are known", test_counts}, CU_TEST_INFO_NULL};
