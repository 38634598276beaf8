/* Common behaviour of techniques. */
#include "technique.h"

/* Equal launches are packed as equal bytes, whatever the memory held before. */
static void same_bytes(void)
{
    struct space *space = make("pipeline copy_in in copy_out out split N over A streams A host_memory HOST\n"
                               "l2_window table bytes 64 set_aside 64 hit_ratio R\nconstant COEFF = table\n"
                               "texture t = table float 64, 64\ncluster A\ncarveout 10",
                               ", int chunk_offset, t", NULL);
    struct launch *launches = malloc(2 * sizeof *launches);
    uint32_t choices[SPACE_PARAMETERS_MAX] = {2};
    struct text packed[2] = {{0}};
    struct error error = {0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(launches);
    for (int i = 0; i < 2 && space; i++) {
        memset(&launches[i], i ? 0xff : 0x11, sizeof launches[i]);
        CU_ASSERT_EQUAL(space_launch(space, choices, &launches[i], &error), 0);
        space_pack_launch(&packed[i], &launches[i]);
    }
    CU_ASSERT_EQUAL_FATAL(packed[0].length, packed[1].length);
    CU_ASSERT_EQUAL(memcmp(packed[0].bytes, packed[1].bytes, packed[0].length), 0);
    for (int i = 0; i < 2; i++)
        text_free(&packed[i]);
    free(launches);
    space_free(space);
}

static unsigned bits_of(const struct launch *launch, const struct launch_argument *argument)
{
    bool has = argument->buffer < 0 && argument->role == ARGUMENT_PLAIN;
    return has ? (unsigned)launch->words[argument->word].bits : 0;
}

/* A chunk's arguments are known at its launch; the reference's chunk is the whole. */
static void arguments(void)
{
    struct space *space = make("param B = 64\npipeline copy_in in split N over A\n"
                               "texture t = table float4 A, 32 linear\nshared chunk_length * 4",
                               ", long chunk_offset, t, ushort chunk_length, int A", NULL);
    struct launch launch;
    struct error error = {0};
    struct text text = {0};
    uint32_t choices[SPACE_PARAMETERS_MAX] = {1};
    CU_ASSERT_PTR_NOT_NULL_FATAL(space);
    CU_ASSERT_EQUAL(space_launch(space, choices, &launch, &error), 0);
    CU_ASSERT_EQUAL(launch.steps[0].shared_bytes, 2000);
    for (size_t i = 0; i < launch.argument_count; i++) {
        const struct launch_argument *argument = &launch.arguments[i];
        text_printf(&text, "%d %u %u %u %u, ", argument->buffer, argument->role, argument->view, argument->bytes,
                    bits_of(&launch, argument));
    }
    expect_text("the kernel's", text_string(&text),
                "1 0 0 0 0, 0 0 0 0 0, -1 4 0 8 0, -1 1 0 0 0, -1 5 0 2 0, -1 0 0 4 2, ");
    text_clear(&text);
    CU_ASSERT_EQUAL(space_reference_launch(space, 0, &launch, &error), 0);
    for (size_t i = 2; i < launch.argument_count; i++) {
        const struct launch_argument *argument = &launch.arguments[i];
        text_printf(&text, "%d %u %u %u %u, ", argument->buffer, argument->role, argument->view, argument->bytes,
                    bits_of(&launch, argument));
    }
    expect_text("the reference's", text_string(&text), "-1 0 0 8 0, -1 1 0 0 0, -1 0 0 2 1000, -1 0 0 4 1, ");
    text_clear(&text);
    technique_text(&launch, &text);
    expect_text("the reference's techniques", text_string(&text), "texture 2 float4 1 x 32 filter 1");
    text_free(&text);
    space_free(space);
}

/* Nothing else may hold the address of a moving buffer. */
static void same_buffer(void)
{
    static const struct {
        const char *statements, *args, *expected, *hint;
    } rows[] = {
        {"l2_window in bytes 16 set_aside 0", "", "'in' is in a pipeline and in a 'l2_window' statement",
         "a pipeline moves its buffers: use another buffer for 'l2_window'"},
        {"constant COEFF = in", "", "'in' is in a pipeline and in a 'constant' statement",
         "a pipeline moves its buffers: use another buffer for 'constant'"},
        {"texture t = in float 10", ", t", "'in' is in a pipeline and in a 'texture' statement",
         "a pipeline moves its buffers: use another buffer for 'texture'"},
        {"constant COEFF = in\nl2_window in bytes 16 set_aside 0\ntexture t = in float 10", ", t",
         "'in' is in a pipeline and in a 'texture' statement",
         "a pipeline moves its buffers: use another buffer for 'texture'"},
        {"l2_window table bytes 16 set_aside 0", "", "", ""},
        /* another buffer, or another statement, remains */
        {"constant COEFF = table\nconstant MORE = in", "", "'in' is in a pipeline and in a 'constant' statement",
         "a pipeline moves its buffers: use another buffer for 'constant'"},
        {"texture t = table float 10\ntexture u = in float 10", ", t, u",
         "'in' is in a pipeline and in a 'texture' statement",
         "a pipeline moves its buffers: use another buffer for 'texture'"},
        {"texture t = table float 10\nl2_window in bytes 16 set_aside 0", ", t",
         "'in' is in a pipeline and in a 'l2_window' statement",
         "a pipeline moves its buffers: use another buffer for 'l2_window'"},
        {"l2_window table bytes 16 set_aside 0\nconstant COEFF = in", "",
         "'in' is in a pipeline and in a 'constant' statement",
         "a pipeline moves its buffers: use another buffer for 'constant'"},
        {"constant COEFF = table\nl2_window in bytes 16 set_aside 0", "",
         "'in' is in a pipeline and in a 'l2_window' statement",
         "a pipeline moves its buffers: use another buffer for 'l2_window'"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char file[2048];
        struct space *space = NULL;
        struct error error = {0};
        snprintf(file, sizeof file, TECHNIQUE_HEAD "pipeline copy_in in\n%s\nargs out, in%s\n", rows[i].statements,
                 rows[i].args);
        int code = space_parse_text(&space, "t.space", file, strlen(file), technique_source, &error);
        CU_ASSERT_EQUAL(code, *rows[i].expected ? ERROR_SYNTAX : 0);
        expect_text(rows[i].statements, error.message, rows[i].expected);
        expect_text(rows[i].statements, error.hint, rows[i].hint);
        space_free(space);
    }
}

CU_TestInfo tests_technique[] = {
    {"same bytes", same_bytes}, {"arguments", arguments}, {"same buffer", same_buffer}, CU_TEST_INFO_NULL};
