/* The statements about memory techniques: what they mean for a configuration, and what a device does not allow. */
#include <math.h>
#include <stdlib.h>

#include "support.h"

#define HEAD                                                                                                           \
    "space 1\nkernel k \"k.cu\"\nproblem N = 1000\nparam A = 1, 2, 8\nparam R = 0.25, 1.0\n"                           \
    "param HOST = pageable, pinned, registered, write_combined, mapped, managed\nparam WHEN = before, overlapped\n"    \
    "buffer in float[N] random\nbuffer out float[N] output\nbuffer table float[4096] random\nblock 32\ngrid 8\n"       \
    "reference r block 32 grid 32\n"
static const char source[] = "__constant__ float COEFF[4]; __constant__ int MORE;";

/* What is not zero of a launch's techniques. */
static void technique_text(const struct launch *launch, struct text *text)
{
    const struct launch_window *window = &launch->window;
    const struct launch_pipeline *pipeline = &launch->pipeline;
    if (launch->cluster[0])
        text_printf(text, "cluster %u %u %u ", launch->cluster[0], launch->cluster[1], launch->cluster[2]);
    if (launch->has_carveout)
        text_printf(text, "carveout %u ", launch->carveout);
    if (window->bytes)
        text_printf(text, "window %u bytes %llu set_aside %llu ratio %g hit %u miss %u ", window->buffer,
                    (unsigned long long)window->bytes, (unsigned long long)window->set_aside_bytes, window->hit_ratio,
                    window->hit, window->miss);
    for (size_t i = 0; i < launch->constant_count; i++)
        text_printf(text, "%s = %u ", launch->constants[i].symbol, launch->constants[i].buffer);
    for (size_t i = 0; i < launch->texture_count; i++)
        text_printf(text, "texture %u %s %llu x %llu filter %u ", launch->textures[i].buffer,
                    element_types[launch->textures[i].type].name, (unsigned long long)launch->textures[i].width,
                    (unsigned long long)launch->textures[i].height, launch->textures[i].filter);
    for (size_t i = 0; i < pipeline->copy_count; i++)
        text_printf(text, "%s%s %u ", pipeline->copies[i].in ? "in" : "", pipeline->copies[i].out ? "out" : "",
                    pipeline->copies[i].buffer);
    if (pipeline->total)
        text_printf(text, "%llu by %llu streams %u order %u host %u pieces %u packed %u work %llu place %u alloc %u ",
                    (unsigned long long)pipeline->total, (unsigned long long)pipeline->chunk_length, pipeline->streams,
                    pipeline->order, pipeline->host_memory, pipeline->pieces, pipeline->packed,
                    (unsigned long long)pipeline->host_work_ns, pipeline->placement, pipeline->allocation);
    if (text->length)
        text->bytes[--text->length] = '\0';
}

static struct space *make(const char *statements, const char *args, const struct device_limits *limits)
{
    char file[2048];
    snprintf(file, sizeof file, HEAD "%s\nargs out, in%s\n", statements, args);
    return bound(file, source, limits);
}

/* The choices of `configuration`, "A=2 R=1.0 ..."; what it does not name has its first value. */
static void choose(const struct space *space, const char *configuration, uint32_t *choices)
{
    memset(choices, 0, SPACE_PARAMETERS_MAX * sizeof *choices);
    for (size_t p = 0; p < space->parameter_count; p++)
        for (size_t v = 0; v < space->parameters[p].value_count; v++) {
            char value[VALUE_TEXT_BYTES], item[256];
            snprintf(item, sizeof item, "%s=%s", space->parameters[p].name,
                     value_text(&space->parameters[p].values[v], value, sizeof value));
            if (strstr(configuration, item))
                choices[p] = (uint32_t)v;
        }
}

/* The launch, the message of the error that there is, or "none". */
static void meaning(void)
{
    static const struct {
        const char *statements, *configuration, *expected;
    } rows[] = {
        {"carveout 50", "", "carveout 50"},
        {"carveout A > 1 ? 0 : -1", "A=1", "none"},
        {"carveout A > 1 ? 0 : -1", "A=2", "carveout 0"},
        {"carveout 99 + A", "A=2",
         "the carve-out in percent must be from -1 to 100, not 101, in carveout at A=2 R=0.25 "
         "HOST=pageable WHEN=before"},
        {"cluster A", "A=1", "none"},
        {"cluster A", "A=8", "cluster 8 1 1"},
        {"cluster 1, A, 2", "A=2", "cluster 1 2 2"},
        {"cluster A - 1", "A=1",
         "a cluster's size must be from 1 to 4294967295, not 0, in cluster at A=1 R=0.25 "
         "HOST=pageable WHEN=before"},
        {"l2_window table bytes 4096 set_aside 8192", "", "window 2 bytes 4096 set_aside 8192 ratio 1 hit 2 miss 1"},
        {"l2_window table hit normal miss normal hit_ratio R set_aside A bytes A * 1024", "A=2 R=0.25",
         "window 2 bytes 2048 set_aside 2 ratio 0.25 hit 0 miss 0"},
        {"l2_window table bytes A - 1 hit_ratio R set_aside 8192 hit streaming", "A=1 R=0.25", "none"},
        {"l2_window table bytes 16 hit_ratio A set_aside 0", "A=2",
         "a hit ratio is from 0 to 1, not 2, in l2_window at A=2 R=0.25 HOST=pageable WHEN=before"},
        {"l2_window table bytes -A set_aside 0", "A=2",
         "the size of a window must be at least 0, not -2, in l2_window at A=2 R=0.25 HOST=pageable "
         "WHEN=before"},
        {"constant COEFF = table\nconstant MORE = in", "", "COEFF = 2 MORE = 0"},
        {"pipeline copy_in in copy_out out", "",
         "in 0 out 1 1 by 1 streams 1 order 0 host 1 pieces 1 packed 0 work 0 place 0 alloc 0"},
        {"pipeline copy_out out copy_in in, out", "",
         "inout 1 in 0 1 by 1 streams 1 order 0 host 1 pieces 1 packed 0 work 0 place 0 alloc 0"},
        {"pipeline copy_in in split N over 3 streams 2 order breadth host_memory pageable pieces 4 packed 1 host_work "
         "5000 placement overlapped allocation pool",
         "", "in 0 1000 by 334 streams 2 order 1 host 0 pieces 4 packed 1 work 5000 place 1 alloc 2"},
        {"pipeline copy_in in split N over A streams 4 * A order breadth placement WHEN", "A=8 WHEN=overlapped",
         "in 0 1000 by 125 streams 8 order 1 host 1 pieces 1 packed 0 work 0 place 0 alloc 0"},
        {"pipeline copy_in in split N / 2 over 300 host_memory HOST", "HOST=registered",
         "in 0 500 by 2 streams 1 order 0 host 2 pieces 1 packed 0 work 0 place 0 alloc 0"},
        {"pipeline copy_in in host_memory HOST pieces 9 packed 1 allocation each", "HOST=mapped",
         "in 0 1 by 1 streams 1 order 0 host 4 pieces 1 packed 0 work 0 place 0 alloc 0"},
        {"pipeline copy_in in host_work 3000 placement A == 1 ? WHEN : before", "A=1 WHEN=overlapped",
         "in 0 1 by 1 streams 1 order 0 host 1 pieces 1 packed 0 work 3000 place 1 alloc 0"},
        {"pipeline copy_in in host_memory A == 1 ? HOST : WHEN", "A=2",
         "before is not a kind of host memory, in pipeline at A=2 R=0.25 HOST=pageable WHEN=before"},
        {"pipeline copy_in in split N over 1001", "",
         "the number of chunks must be from 1 to 1000, not 1001, in pipeline at A=1 R=0.25 HOST=pageable WHEN=before"},
        {"pipeline copy_in in split 300 over 3", "",
         "the 1000 elements of 'in' are no multiple of the 300 that are split, in pipeline at A=1 R=0.25 HOST=pageable "
         "WHEN=before"},
        {"pipeline copy_in in packed A", "A=2",
         "`packed` must be from 0 to 1, not 2, in pipeline at A=2 R=0.25 HOST=pageable WHEN=before"},
        {"pipeline copy_in in streams 0", "",
         "the number of streams must be from 1 to 128, not 0, in pipeline at A=1 R=0.25 HOST=pageable WHEN=before"},
    };
    struct device_limits limits = h200_limits();
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint32_t choices[SPACE_PARAMETERS_MAX];
        struct error error = {0};
        struct launch launch;
        struct text text = {0};
        struct space *space = make(rows[i].statements, "", &limits);
        if (!space)
            continue;
        choose(space, rows[i].configuration, choices);
        if (space_launch(space, choices, &launch, &error))
            expect_text(rows[i].statements, error.message, rows[i].expected);
        else {
            technique_text(&launch, &text);
            expect_text(rows[i].statements, text.length ? text_string(&text) : "none", rows[i].expected);
        }
        text_free(&text);
        space_free(space);
    }
}

/* Whatever was in the memory before: equal launches are equal bytes. */
static void same_bytes(void)
{
    struct space *space = make("pipeline copy_in in copy_out out split N over A streams A host_memory HOST\n"
                               "l2_window table bytes 64 set_aside 64 hit_ratio R\nconstant COEFF = table\n"
                               "texture t = table float 64, 64\ncluster A\ncarveout 10",
                               ", int chunk_offset, t", NULL);
    struct launch *launches = malloc(2 * sizeof *launches);
    uint32_t choices[SPACE_PARAMETERS_MAX] = {2};
    struct error error = {0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(launches);
    for (int i = 0; i < 2 && space; i++) {
        memset(&launches[i], i ? 0xff : 0x11, sizeof launches[i]);
        CU_ASSERT_EQUAL(space_launch(space, choices, &launches[i], &error), 0);
    }
    CU_ASSERT_EQUAL(memcmp(&launches[0], &launches[1], sizeof *launches), 0);
    free(launches);
    space_free(space);
}

/* Of a chunk the arguments are known when it is launched; the reference's chunk is everything. */
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
    CU_ASSERT_EQUAL(launch.shared_bytes, 2000);
    for (size_t i = 0; i < launch.argument_count; i++) {
        const struct launch_argument *argument = &launch.arguments[i];
        text_printf(&text, "%d %u %u %u %u, ", argument->buffer, argument->role, argument->texture, argument->bytes,
                    argument->scalar[0] + 256u * argument->scalar[1]);
    }
    expect_text("the kernel's", text_string(&text),
                "1 0 0 0 0, 0 0 0 0 0, -1 2 0 8 0, -1 1 0 0 0, -1 3 0 2 0, -1 0 0 4 2, ");
    text_clear(&text);
    CU_ASSERT_EQUAL(space_reference_launch(space, &launch, &error), 0);
    for (size_t i = 2; i < launch.argument_count; i++) {
        const struct launch_argument *argument = &launch.arguments[i];
        text_printf(&text, "%d %u %u %u %u, ", argument->buffer, argument->role, argument->texture, argument->bytes,
                    argument->scalar[0] + 256u * argument->scalar[1]);
    }
    expect_text("the reference's", text_string(&text), "-1 0 0 8 0, -1 1 0 0 0, -1 0 0 2 1000, -1 0 0 4 1, ");
    text_clear(&text);
    technique_text(&launch, &text);
    expect_text("the reference's techniques", text_string(&text), "texture 2 float4 1 x 32 filter 1");
    text_free(&text);
    space_free(space);
}

/* An argument that cannot hold what is split, and a texture that the buffer cannot hold. */
static void wrong_arguments(void)
{
    static const struct {
        const char *statements, *args, *expected;
    } rows[] = {
        {"pipeline copy_in in split N over A", ", uchar chunk_offset",
         "1000, which is split, does not fit the type uchar, in pipeline at A=1 R=0.25 HOST=pageable WHEN=before"},
        {"texture t = table float 4096, 2", ", t",
         "the texture needs 32768 bytes, but 'table' has 16384, in texture at A=1 R=0.25 HOST=pageable WHEN=before"},
        {"texture t = table float 0", ", t",
         "a texture's width must be from 1 to 4294967295, not 0, in texture at A=1 R=0.25 HOST=pageable WHEN=before"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct space *space = make(rows[i].statements, rows[i].args, NULL);
        struct launch launch;
        struct error error = {0};
        const uint32_t choices[SPACE_PARAMETERS_MAX] = {0};
        if (!space)
            continue;
        CU_ASSERT_EQUAL(space_launch(space, choices, &launch, &error), ERROR_VALUE);
        expect_text(rows[i].statements, error.message, rows[i].expected);
        space_free(space);
    }
}

/* Each row takes one thing from a device that has everything; "" where the launch still fits. */
static void fits(void)
{
    static const struct {
        const char *statements, *args, *limit;
        int64_t value;
        const char *expected;
    } rows[] = {
        {"l2_window table bytes 16384 set_aside 1 << 20", "", "cc", 90, ""},
        {"l2_window table bytes 16385 set_aside 0", "", "cc", 90, "an L2 window of 16385 bytes, but 'table' has 16384"},
        {"l2_window table bytes 16384 set_aside 0", "", "l2_window_bytes", 16383,
         "an L2 window of 16384 bytes, the device allows 16383"},
        {"l2_window table bytes 16 set_aside 0", "", "l2_window_bytes", 0, "the device has no L2 access policy window"},
        {"l2_window table bytes 0 set_aside 1 << 40", "", "l2_window_bytes", 0, ""},
        {"l2_window table bytes 16 set_aside 4097", "", "l2_persisting_bytes", 4096,
         "4097 bytes of the L2 set aside, the device allows 4096"},
        {"cluster 8", "", "cc", 90, ""},
        {"cluster 3", "", "cc", 90, "8 blocks in x are no multiple of the cluster's 3"},
        {"cluster 1, 2", "", "cc", 90, "1 blocks in y are no multiple of the cluster's 2"},
        {"cluster 2", "", "cluster_launch", 0, "the device has no clusters of blocks (compute capability 9.0)"},
        {"cluster 1", "", "cluster_launch", 0, ""},
        {"constant COEFF = table", "", "constant_bytes", 16384, ""},
        {"constant COEFF = table", "", "constant_bytes", 16383,
         "'table' has 16384 bytes, the device's constant memory 16383"},
        {"texture t = table float 4096", ", t", "texture_width", 4096, ""},
        {"texture t = table float 4096", ", t", "texture_width", 4095,
         "a texture of 4096 elements, the device allows 4095"},
        {"texture t = table float 64, 64", ", t", "texture_width_2d", 63,
         "a texture of 64 x 64 elements, the device allows 63 x 65000"},
        {"texture t = table float 64, 64", ", t", "texture_height_2d", 63,
         "a texture of 64 x 64 elements, the device allows 131072 x 63"},
        {"texture t = table float 64, 64", ", t", "texture_pitch", 255,
         "a texture's rows of 256 bytes, the device allows 255"},
        {"texture t = table float 60, 64", ", t", "cc", 90,
         "a texture's rows of 240 bytes are no multiple of the device's 32"},
        {"texture t = table float 60, 1", ", t", "cc", 90, ""},
        {"pipeline copy_in in host_memory mapped", "", "host_mapped", 0, "the device cannot map host memory"},
        {"pipeline copy_in in host_memory registered", "", "host_registered", 0,
         "the device cannot register host memory"},
        {"pipeline copy_in in host_memory managed", "", "managed_memory", 0,
         "the device cannot prefetch managed memory"},
        {"pipeline copy_in in host_memory managed", "", "managed_concurrent", 0,
         "the device cannot prefetch managed memory"},
        {"pipeline copy_in in host_memory managed", "", "host_mapped", 0, ""},
        {"pipeline copy_in in allocation pool", "", "memory_pools", 0, "the device has no memory pools"},
        {"pipeline copy_in in allocation each", "", "memory_pools", 0, ""},
        {"pipeline copy_in in split N over 4 streams 2", "", "copy_engines", 0,
         "the device has no copy engine: streams would not overlap anything"},
        {"pipeline copy_in in split N over 1 streams 2", "", "copy_engines", 0, ""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct device_limits limits = h200_limits();
        const uint32_t choices[SPACE_PARAMETERS_MAX] = {0};
        struct launch launch;
        struct error error = {0};
        char why[256] = "";
        limit_put(&limits, limit_find(rows[i].limit), rows[i].value);
        struct space *space = make(rows[i].statements, rows[i].args, &limits);
        if (!space)
            continue;
        CU_ASSERT_EQUAL(space_launch(space, choices, &launch, &error), 0);
        CU_ASSERT_EQUAL(space_launch_fits(space, &launch, why, sizeof why), !*rows[i].expected);
        expect_text(rows[i].statements, why, rows[i].expected);
        space_free(space);
    }
}

static void transfers(void)
{
    struct space *space = make("pipeline copy_in in, table copy_out out", "", NULL);
    double in_bytes, out_bytes;
    space_transfers(space, &in_bytes, &out_bytes);
    CU_ASSERT_EQUAL(in_bytes, 4000 + 16384);
    CU_ASSERT_EQUAL(out_bytes, 4000);
    space_free(space);
    space = make("flops 2 * N", "", NULL);
    space_transfers(space, &in_bytes, &out_bytes);
    CU_ASSERT_EQUAL(in_bytes, 0);
    CU_ASSERT_EQUAL(out_bytes, 0);
    CU_ASSERT_EQUAL(space->flops, 2000);
    CU_ASSERT(isnan(space->bytes));
    space_free(space);
}

CU_TestInfo tests_technique[] = {
    {"meaning", meaning}, {"same bytes", same_bytes}, {"arguments", arguments}, {"wrong arguments", wrong_arguments},
    {"fits", fits},       {"transfers", transfers},   CU_TEST_INFO_NULL};
