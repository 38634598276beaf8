/* All error messages of the language: errors/NAME.space produces errors/NAME.expected. To add a case, add a file; with
 * CUTUNE_TEST_UPDATE=1 in the environment, the test rewrites the expected texts, for review before a commit. */
#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "set/valid_set.h"
#include "support.h"

static const char source[] = "extern \"C\" __global__ void fill(int *data, long count, int seed) {}";
static const char folder[] = TEST_FOLDER "/unit/language/errors/";

/* Uses a space as a run does. */
static int use(struct space *space, struct error *error)
{
    struct device_limits limits = h200_limits();
    struct valid_set *set = NULL;
    struct launch launch;
    struct work_amounts amounts;
    struct text options = {0};
    int code = space_bind(space, NULL, 0, &limits, error);
    if (!code)
        code = valid_set_build(&set, space, 1 << 20, error);
    for (uint64_t i = 0; !code && i < valid_set_count(set); i++) {
        uint32_t choices[SPACE_PARAMETERS_MAX];
        size_t count;
        valid_set_get(set, i, choices);
        code = space_launch(space, choices, &launch, error);
        if (!code)
            code = space_compile_options(space, choices, &options, &count, error);
        if (!code)
            code = space_work(space, choices, &amounts, error);
    }
    if (!code && space_reference_launches(space))
        code = space_reference_launch(space, 0, &launch, error);
    if (!code && space->accept)
        code = space_accept_launch(space, 0, &launch, error);
    for (size_t b = 0; b < space->buffer_count && !code; b++)
        code = space->buffers[b].by ? space_fill_launch(space, b, &launch, error) : 0;
    text_free(&options);
    valid_set_free(set);
    return code;
}

static void run_case(const char *name, bool update)
{
    struct error_list list = {0};
    struct error error = {.list = &list}, ignored = {0};
    struct text text = {0}, expected = {0}, actual = {0};
    struct space *space = NULL;
    char path[512], one[4096];
    snprintf(path, sizeof path, "%s%s", folder, name);
    CU_ASSERT_EQUAL_FATAL(file_read(path, 1 << 20, &text, &ignored), 0);
    int code = space_parse_text(&space, name, text_string(&text), text.length, source, &error);
    if (!code)
        code = use(space, &error);
    CU_ASSERT_NOT_EQUAL(code, 0);
    CU_ASSERT_EQUAL(code, (int)error.code);
    for (size_t i = 0; i < list.count || i == 0; i++) {
        const struct error *each = list.count ? &list.errors[i] : &error;
        if (!each->hint[0] && each->code != ERROR_VALUE)
            fprintf(stderr, "\n%s: no hint", name);
        CU_ASSERT(each->hint[0] || each->code == ERROR_VALUE);
        /* Included files of cases are in their own folder. */
        CU_ASSERT(strcmp(each->source, name) == 0 || strncmp(each->source, "included/", strlen("included/")) == 0);
        text_printf(&actual, "%s", error_format(each, one, sizeof one));
    }
    snprintf(path, sizeof path, "%s%.*s.expected", folder, (int)(strlen(name) - strlen(".space")), name);
    if (update)
        CU_ASSERT_EQUAL(file_replace(path, actual.bytes, actual.length, &ignored), 0);
    CU_ASSERT_EQUAL(file_read(path, 1 << 20, &expected, &ignored), 0);
    expect_text(name, text_string(&actual), text_string(&expected));
    text_free(&actual);
    text_free(&text);
    text_free(&expected);
    space_free(space);
}

static int is_case(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && strcmp(dot, ".space") == 0;
}

static void golden(void)
{
    struct dirent **entries = NULL;
    const char *update = getenv("CUTUNE_TEST_UPDATE");
    char here[4096];
    CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(here, sizeof here));
    CU_ASSERT_EQUAL_FATAL(chdir(folder), 0); /* includes are relative to it */
    int count = scandir(folder, &entries, is_case, alphasort);
    CU_ASSERT(count > 100);
    for (int i = 0; i < count; i++) {
        run_case(entries[i]->d_name, update && strcmp(update, "1") == 0);
        free(entries[i]);
    }
    free(entries);
    CU_ASSERT_EQUAL(chdir(here), 0);
}

static void too_many_statements(void)
{
    static const struct {
        const char *keyword, *format;
        size_t most;
    } rows[] = {{"param", "param P%zu = 1\n", 64},
                {"problem", "problem N%zu = 1\n", 64},
                {"buffer", "buffer b%zu int[1] zero\n", 64},
                {"option", "option \"-DX%zu\"\n", 64},
                {"let", "let L%zu = 1\n", 256},
                {"include", "include \"" TEST_FOLDER "/unit/language/errors/included/empty.space\" # %zu\n", 64},
                {"require", "require T < %zu + 2\n", 1024}};
    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t more = 0; more < 2; more++) {
            struct text text = {0};
            struct error error = {0};
            struct space *space = NULL;
            size_t there = strcmp(rows[i].keyword, "param") == 0 || strcmp(rows[i].keyword, "buffer") == 0;
            text_printf(&text, "%s", SPACE_HEAD SPACE_SHAPE "param T = 1\n");
            for (size_t n = there; n < rows[i].most + more; n++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
                text_printf(&text, rows[i].format, n);
#pragma GCC diagnostic pop
            }
            int code = space_parse_text(&space, "many.space", text_string(&text), text.length, source, &error);
            CU_ASSERT_EQUAL(code, more ? ERROR_SYNTAX : 0);
            char expected[64];
            snprintf(expected, sizeof expected, "more than %zu '%s' statements", rows[i].most, rows[i].keyword);
            CU_ASSERT_STRING_EQUAL(error.message, more ? expected : "");
            space_free(space);
            text_free(&text);
        }
}

static void too_large_a_file(void)
{
    struct text text = {0};
    struct error error = {0};
    struct space *space = NULL;
    text_append(&text, "space 2\n", 8);
    while (text.length <= 4 << 20)
        text_append(&text, "# 45678901234567890123456789012345678901234567890123456789012\n", 62);
    CU_ASSERT_EQUAL(space_parse_text(&space, "l.space", text_string(&text), text.length, source, &error), ERROR_DATA);
    CU_ASSERT_STRING_EQUAL(error.message, "l.space is larger than 4194304 bytes");
    CU_ASSERT_PTR_NULL(space);
    text_free(&text);
}

/* A NUL byte is an error like any other unexpected byte. */
static void nul_bytes(void)
{
    static const char text[] = "space 2\nkernel k\0 \"k.cu\"\n";
    struct error error = {0};
    struct space *space = NULL;
    CU_ASSERT_EQUAL(space_parse_text(&space, "n.space", text, sizeof text - 1, "", &error), ERROR_SYNTAX);
    CU_ASSERT_STRING_EQUAL(error.message, "unexpected byte 0x00");
    CU_ASSERT_EQUAL(error.line, 2);
    CU_ASSERT_EQUAL(error.column, 9);
}

CU_TestInfo tests_errors[] = {{"every message", golden},
                              {"too many statements", too_many_statements},
                              {"too large a file", too_large_a_file},
                              {"NUL bytes", nul_bytes},
                              CU_TEST_INFO_NULL};
