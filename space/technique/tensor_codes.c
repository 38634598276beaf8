#include "space/space.h"

/* Rows of the settings; CUDA's numbers without including cuda.h, which tuner/device compares with them. */
static const struct code {
    enum setting { SETTING_interleave, SETTING_swizzle, SETTING_l2_promotion, SETTING_out_of_bounds } setting;
    uint16_t bytes, atom, flip;
    int number;
} rows[] = {
#define TENSOR_CODE(setting, bytes, atom, flip, cuda, number) {SETTING_##setting, bytes, atom, flip, number},
#include "space/tensor_codes.def"
#undef TENSOR_CODE
};

static int code_of(enum setting setting, uint16_t bytes, uint16_t atom, uint16_t flip)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].setting == setting && rows[i].bytes == bytes && rows[i].atom == atom && rows[i].flip == flip)
            return rows[i].number;
    return -1;
}

struct tensor_codes space_tensor_codes(const struct launch_tensor_map *map)
{
    return (struct tensor_codes){
        .type = map->type, /* tensor_types.def has CUDA's order */
        .interleave = code_of(SETTING_interleave, map->interleave, 0, 0),
        .swizzle = code_of(SETTING_swizzle, map->swizzle, map->atom, map->flip),
        .l2_promotion = code_of(SETTING_l2_promotion, map->l2_promotion, 0, 0),
        .out_of_bounds = code_of(SETTING_out_of_bounds, map->out_of_bounds, 0, 0),
    };
}
