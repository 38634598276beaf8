/* Textures in a configuration's launch, and the limits of the device and the buffer. */
#include "technique.h"

static void meaning(void)
{
    static const struct meaning_row rows[] = {
        {"texture t = table float4 A, 32 linear", ", t", "A=2", "texture 2 float4 2 x 32 filter 1"},
        {"texture t = table half 64 * A", ", t", "A=8", "texture 2 half 512 x 0 filter 0"},
        {"texture t = table float 4096, 2", ", t", "",
         "the texture needs 32768 bytes, but 'table' has 16384, in texture at A=1 R=0.25 HOST=pageable WHEN=before"},
        {"texture t = table float 0", ", t", "",
         "a texture's width must be from 1 to 4294967295, not 0, in texture at A=1 R=0.25 HOST=pageable WHEN=before"},
        {"texture t = table float 64, 32 address border", ", t", "", "texture 2 float 64 x 32 filter 0 address 3 3 0"},
        {"texture t = table float 64, 32 address clamp, border", ", t", "",
         "texture 2 float 64 x 32 filter 0 address 0 3 0"},
        {"texture t = table float 64, 32 coordinates normalized address wrap, mirror", ", t", "",
         "texture 2 float 64 x 32 filter 0 address 1 2 0 coordinates 1 read 0"},
        {"texture t = table uchar 64, 32 linear read normalized", ", t", "",
         "texture 2 uchar 64 x 32 filter 1 coordinates 0 read 1"},
        {"texture t = table short2 64 read normalized", ", t", "",
         "texture 2 short2 64 x 0 filter 0 coordinates 0 read 1"},
        {"texture t = table float 64 linear address border memory array", ", t", "",
         "texture 2 float 64 x 0 filter 1 array 0 layers 0 address 3 0 0"},
        {"texture t = table float 16, 8, A linear", ", t", "A=2", "texture 2 float 16 x 8 filter 1 array 2 layers 0"},
        {"texture t = table float 16, 8, 2 address clamp, border, clamp", ", t", "",
         "texture 2 float 16 x 8 filter 0 array 2 layers 0 address 0 3 0"},
        {"texture t = table float 16 layers A", ", t", "A=8", "texture 2 float 16 x 0 filter 0 array 0 layers 8"},
        {"texture t = table float 16, 8 memory array layers 4", ", t", "",
         "texture 2 float 16 x 8 filter 0 array 0 layers 4"},
        {"param M = buffer, array\ntexture t = table float 16, 8 memory M", ", t", "M=array",
         "texture 2 float 16 x 8 filter 0 array 0 layers 0"},
        {"param M = buffer, array\ntexture t = table float 16, 8 memory M", ", t", "M=buffer",
         "texture 2 float 16 x 8 filter 0"},
        {"texture t = table float 64, 32, 4", ", t", "",
         "the texture needs 32768 bytes, but 'table' has 16384, in texture at A=1 R=0.25 HOST=pageable WHEN=before"},
        {"texture t = table float 64, 32 layers 4", ", t", "",
         "the texture needs 32768 bytes, but 'table' has 16384, in texture at A=1 R=0.25 HOST=pageable WHEN=before"},
        {"texture t = table float 64, 32 layers 0", ", t", "",
         "the number of layers must be from 1 to 4294967295, not 0, in texture at A=1 R=0.25 HOST=pageable "
         "WHEN=before"},
        /* words of parameters */
        {"param EDGE = clamp, mirror\nparam U = elements, normalized\n"
         "texture t = table float 64, 32 linear address EDGE coordinates U",
         ", t", "EDGE=mirror U=normalized", "texture 2 float 64 x 32 filter 1 address 2 2 0 coordinates 1 read 0"},
        {"param U = elements, normalized\ntexture t = table ushort 64, 32 read U", ", t", "U=normalized",
         "texture 2 ushort 64 x 32 filter 0 coordinates 0 read 1"},
    };
    expect_meanings(rows, COUNT(rows));
}

static void fits(void)
{
    static const struct fits_row rows[] = {
        {"texture t = table float 4096", ", t", "texture_width", 4096, ""},
        {"texture t = table float 4096", ", t", "texture_width", 0, ""}, /* unknown */
        {"texture t = table float 64, 64", ", t", "texture_pitch", 0, ""},
        {"texture t = table float 4096", ", t", "texture_width", 4095,
         "a texture of 4096 elements, the device allows 4095"},
        {"texture t = table float 64, 64", ", t", "texture_width_2d", 63,
         "a texture of 64 x 64 elements, the device allows 63 x 65000"},
        {"texture t = table float 64, 64", ", t", "texture_height_2d", 63,
         "a texture of 64 x 64 elements, the device allows 131072 x 63"},
        {"texture t = table float 64, 64", ", t", "texture_pitch", 255,
         "a texture's rows of 256 bytes, the device allows 255"},
        {"texture t = table float 60, 64", ", t", "cc", 90,
         "a texture's rows of 240 bytes are not a multiple of the device's 32"},
        {"texture t = table float 60, 1", ", t", "cc", 90, ""},
        {"texture t = table float 60, 64 memory array", ", t", "cc", 90, ""},
        {"texture t = table float 64, 64 memory array", ", t", "texture_width_2d", 63, ""},
        {"texture t = table float 4096 memory array", ", t", "texture_width", 4095, ""},
        {"param M = array, buffer\ntexture t = table float 60, 64 memory M", ", t", "cc", 90, ""},
        {"param M = buffer, array\ntexture t = table float 60, 64 memory M", ", t", "cc", 90,
         "a texture's rows of 240 bytes are not a multiple of the device's 32"},
        {"buffer large uchar[1 << 20] zero\ntexture t = large uchar 131073 memory array", ", large, t", "cc", 90,
         "a texture's array has the width 131073, CUDA allows 131072"},
        {"buffer large uchar[1 << 20] zero\ntexture t = large uchar 131072 memory array", ", large, t", "cc", 90, ""},
        {"buffer large uchar[1 << 20] zero\nparam M = array, buffer\ntexture t = large uchar 131073 memory M",
         ", large, t", "cc", 90, "a texture's array has the width 131073, CUDA allows 131072"},
        {"buffer large uchar[1 << 20] zero\nparam M = buffer, array\ntexture t = large uchar 131073 memory M",
         ", large, t", "cc", 90, ""},
        {"buffer large uchar[1 << 20] zero\ntexture t = large uchar 1, 1, 16385", ", large, t", "cc", 90,
         "a texture's array has the depth 16385, CUDA allows 16384"},
        {"buffer large uchar[1 << 20] zero\ntexture t = large uchar 1, 32769 layers 2", ", large, t", "cc", 90,
         "a texture's array has the height 32769, CUDA allows 32768"},
        {"texture t = table float 1 layers 2049", ", t", "cc", 90, "a texture has 2049 layers, CUDA allows 2048"},
        {"param M = buffer, array\ntexture t = table float 64 linear memory M", ", t", "cc", 90,
         "a texture of one dimension needs `memory array` for an address mode, a filter or coordinates"},
        {"param M = buffer, array\ntexture t = table float 64 address clamp memory M", ", t", "cc", 90,
         "a texture of one dimension needs `memory array` for an address mode, a filter or coordinates"},
        {"param M = buffer, array\ntexture t = table float 64 coordinates normalized memory M", ", t", "cc", 90,
         "a texture of one dimension needs `memory array` for an address mode, a filter or coordinates"},
        {"param M = array, buffer\ntexture t = table float 64 linear memory M", ", t", "cc", 90, ""},
        {"param M = buffer, array\ntexture t = table float 64 memory M", ", t", "cc", 90, ""},
        /* words of parameters that do not work together; the first values count */
        {"param U = elements, normalized\ntexture t = table float 64, 64 address border, wrap coordinates U", ", t",
         "cc", 90, "`wrap` and `mirror` are for normalized coordinates only"},
        {"param U = elements, normalized\ntexture t = table float 64, 64 address mirror coordinates U", ", t", "cc", 90,
         "`wrap` and `mirror` are for normalized coordinates only"},
        {"param U = normalized, elements\ntexture t = table float 64, 64 address mirror coordinates U", ", t", "cc", 90,
         ""},
        {"param U = elements, normalized\nparam EDGE = border, wrap\n"
         "texture t = table float 64, 64 address EDGE coordinates U",
         ", t", "cc", 90, ""},
        {"param EDGE = mirror, clamp\ntexture t = table float 64, 64 address EDGE", ", t", "cc", 90,
         "`wrap` and `mirror` are for normalized coordinates only"},
        {"param EDGE = clamp, border\ntexture t = table float 64, 64 address EDGE", ", t", "cc", 90, ""},
        {"param U = elements, normalized\ntexture t = table uchar 64, 64 linear read U", ", t", "cc", 90,
         "elements of type uchar can be filtered only if they are read as normalized"},
        {"param U = normalized, elements\ntexture t = table uchar 64, 64 linear read U", ", t", "cc", 90, ""},
        {"param U = elements, normalized\nparam F = point, linear\ntexture t = table uchar 64, 64 F read U", ", t",
         "cc", 90, ""},
    };
    expect_fits(rows, COUNT(rows));
}

CU_TestInfo tests_technique_texture[] = {{"meaning", meaning}, {"fits", fits}, CU_TEST_INFO_NULL};
