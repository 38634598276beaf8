/* Surfaces in a configuration's launch, and the limits of CUDA and the buffer. */
#include "technique.h"

static void meaning(void)
{
    static const struct meaning_row rows[] = {
        {"surface s = table float4 A, 32", ", s", "A=2", "surface 2 float4 2 x 32 x 0 layers 0"},
        {"surface s = table half 64 * A", ", s", "A=8", "surface 2 half 512 x 0 x 0 layers 0"},
        {"surface s = table float 16, 8, A", ", s", "A=2", "surface 2 float 16 x 8 x 2 layers 0"},
        {"surface s = table float 16 layers A", ", s", "A=8", "surface 2 float 16 x 0 x 0 layers 8"},
        {"surface s = table float 16, 8 layers 4", ", s", "", "surface 2 float 16 x 8 x 0 layers 4"},
        {"surface s = table float 16, 8 when A > 1 layers 4", ", s", "A=2", "surface 2 float 16 x 8 x 0 layers 4"},
        {"surface s = table float 16, 8 when A > 1", ", s", "A=1", "no surface"},
        /* surfaces are behind the textures, whatever the order of the file */
        {"surface s = table float 16\ntexture t = table float 32", ", s, t", "",
         "texture 2 float 32 x 0 filter 0 surface 2 float 16 x 0 x 0 layers 0"},
        {"surface s = table float 4096, 2", ", s", "",
         "the surface needs 32768 bytes, but 'table' has 16384, in surface at A=1 R=0.25 HOST=pageable WHEN=before"},
        {"surface s = table float 64, 0", ", s", "",
         "a surface's height must be from 1 to 4294967295, not 0, in surface at A=1 R=0.25 HOST=pageable WHEN=before"},
        {"surface s = table float 64, 32 layers 0", ", s", "",
         "the number of layers must be from 1 to 4294967295, not 0, in surface at A=1 R=0.25 HOST=pageable "
         "WHEN=before"},
    };
    expect_meanings(rows, COUNT(rows));
}

static void fits(void)
{
    static const struct fits_row rows[] = {
        {"surface s = table float 60, 64", ", s", "texture_pitch_alignment", 32, ""}, /* limits of linear memory */
        {"surface s = table float 64, 64", ", s", "texture_width_2d", 63, ""},
        {"buffer large uchar[1 << 20] zero\nsurface s = large uchar 32769", ", large, s", "cc", 90,
         "a surface's array has the width 32769, CUDA allows 32768"},
        {"buffer large uchar[1 << 20] zero\nsurface s = large uchar 32768", ", large, s", "cc", 90, ""},
        {"buffer large uchar[1 << 20] zero\nsurface s = large uchar 131072, 2", ", large, s", "cc", 90, ""},
        {"buffer large uchar[1 << 20] zero\nsurface s = large uchar 131073, 2", ", large, s", "cc", 90,
         "a surface's array has the width 131073, CUDA allows 131072"},
        {"buffer large uchar[1 << 20] zero\nsurface s = large uchar 1, 65537", ", large, s", "cc", 90,
         "a surface's array has the height 65537, CUDA allows 65536"},
        {"buffer large uchar[1 << 20] zero\nsurface s = large uchar 1, 1, 16385", ", large, s", "cc", 90,
         "a surface's array has the depth 16385, CUDA allows 16384"},
        {"surface s = table float 1 layers 2049", ", s", "cc", 90, "a surface has 2049 layers, CUDA allows 2048"},
        {"surface s = table float 1 layers 2049 when A > 1", ", s", "cc", 90, ""},
    };
    expect_fits(rows, COUNT(rows));
}

#define TWO_SURFACES                                                                                                   \
    "space 2\nkernel k \"k.cu\"\nparam A = 1, 2\nbuffer in float[64] random\nbuffer out float[64] output\n"            \
    "surface s = out float 64\nsurface t = in float 32\n"                                                              \
    "launch k args s, in block 32 grid 1 when A == 1\n"                                                                \
    "launch j args out, struct { int A, t } block 32 grid 1 when A == 2\n"

/* A launch has the surfaces that its kernels get, because the contents of others would replace results. */
static void passed(void)
{
    static const struct {
        const char *file;
        enum launch_of of;
        uint32_t choice;
        const char *expected;
    } rows[] = {
        {TWO_SURFACES "reference r args out, in block 32 grid 1\n", LAUNCH_OF_RUN, 0,
         "surface 1 float 64 x 0 x 0 layers 0 no surface"},
        {TWO_SURFACES "reference r args out, in block 32 grid 1\n", LAUNCH_OF_RUN, 1,
         "no surface surface 0 float 32 x 0 x 0 layers 0"},
        {TWO_SURFACES "reference r args out, in block 32 grid 1\n", LAUNCH_OF_REFERENCE, 0, "no surface no surface"},
        {TWO_SURFACES "reference r args s, in block 32 grid 1\n", LAUNCH_OF_REFERENCE, 0,
         "surface 1 float 64 x 0 x 0 layers 0 no surface"},
        {TWO_SURFACES "accept a args t, out block 32 grid 1\n", LAUNCH_OF_ACCEPT, 0,
         "no surface surface 0 float 32 x 0 x 0 layers 0"},
    };
    const struct device_limits limits = h200_limits();
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct space *space = bound(rows[i].file, "__global__ void a(unsigned long long *wrong) {}", &limits);
        const uint32_t choices[SPACE_PARAMETERS_MAX] = {rows[i].choice};
        struct launch launch;
        struct error error = {0};
        struct text text = {0};
        CU_ASSERT_PTR_NOT_NULL_FATAL(space);
        CU_ASSERT_EQUAL(rows[i].of == LAUNCH_OF_RUN         ? space_launch(space, choices, &launch, &error)
                        : rows[i].of == LAUNCH_OF_REFERENCE ? space_reference_launch(space, 0, &launch, &error)
                                                            : space_accept_launch(space, 0, &launch, &error),
                        0);
        technique_text(&launch, &text);
        expect_text(rows[i].file, text_string(&text), rows[i].expected);
        text_free(&text);
        space_free(space);
    }
}

CU_TestInfo tests_technique_surface[] = {{"meaning", meaning}, {"fits", fits}, {"passed", passed}, CU_TEST_INFO_NULL};
