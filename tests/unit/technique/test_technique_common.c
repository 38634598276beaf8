/* Statements that several techniques share parts with: their buffers, and repeated statements. */
#include "technique.h"

/* Names of buffers; where a fill is needed, not those of outputs. */
static void buffers(void)
{
    static const struct {
        const char *statement, *message, *hint; /* message "": none */
    } rows[] = {
        {"constant COEFF = table", "", ""},
        {"constant COEFF = out", "'out' is empty before the kernel runs",
         "use a filled buffer: random, zero, iota, file(\"NAME\")"},
        {"constant COEFF = tabel", "expected a buffer, not 'tabel'", "did you mean 'table'?"},
        {"constant COEFF = N", "expected a buffer, not 'N'",
         "expected: constant NAME = BUFFER   or: constant NAME = TYPE VALUE   (or TYPE[COUNT] { VALUE, ... }, or "
         "struct { ... }, as in args)"},
        {"constant COEFF = 7", "expected a buffer, not '7'",
         "expected: constant NAME = BUFFER   or: constant NAME = TYPE VALUE   (or TYPE[COUNT] { VALUE, ... }, or "
         "struct { ... }, as in args)"},
        {"l2_window out bytes 64 set_aside 64", "", ""},
        {"l2_window tabel bytes 64 set_aside 64", "expected a buffer, not 'tabel'", "did you mean 'table'?"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct space *space = NULL;
        struct error error = {0};
        char file[2048];
        snprintf(file, sizeof file, TECHNIQUE_HEAD "%s\nargs out, in\n", rows[i].statement);
        int code = space_parse_text(&space, "t.space", file, strlen(file), technique_source, &error);
        CU_ASSERT_EQUAL(code, *rows[i].message ? ERROR_SYNTAX : 0);
        expect_text(rows[i].statement, error.message, rows[i].message);
        expect_text(rows[i].statement, error.hint, rows[i].hint);
        space_free(space);
    }
}

/* Repeated statements of one technique add to each other, whatever lies between them. */
static void repeated(void)
{
    static const struct meaning_row rows[] = {
        {"constant COEFF = table\nl2_window in bytes 64 set_aside 64\nconstant MORE = in", "", "",
         "window 0 bytes 64 set_aside 64 ratio 1 hit 2 miss 1 COEFF from 2 kept MORE from 0 kept"}};
    expect_meanings(rows, COUNT(rows));
}

/* Each argument has the view of its name, in any order. */
static void views(void)
{
    struct device_limits limits = h200_limits();
    struct space *space = make("texture s = table float 64\ntexture t = table float 32\n", ", t, s", &limits);
    const uint32_t choices[SPACE_PARAMETERS_MAX] = {0};
    struct error error = {0};
    struct launch launch;
    if (!space)
        return;
    CU_ASSERT_EQUAL_FATAL(space_launch(space, choices, &launch, &error), 0);
    CU_ASSERT_EQUAL_FATAL(launch.argument_count, 4);
    CU_ASSERT_EQUAL(launch.arguments[2].role, ARGUMENT_TEXTURE);
    CU_ASSERT_EQUAL(launch.textures[launch.arguments[2].view].width, 32);
    CU_ASSERT_EQUAL(launch.textures[launch.arguments[3].view].width, 64);
    space_free(space);
}

CU_TestInfo tests_technique_common[] = {
    {"names of buffers", buffers}, {"repeated statements", repeated}, {"views", views}, CU_TEST_INFO_NULL};
