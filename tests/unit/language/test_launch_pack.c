/* Launches are packed for other processes. */
#include "../base/pack_check.h"
#include "space/space.h"

static struct launch full(void)
{
    struct launch launch = {.kernel_count = 2,
                            .kernels = {3, 1},
                            .step_count = 2,
                            .swap_count = 1,
                            .scratch_bytes = {4000, 0, 5},
                            .argument_count = 3,
                            .has_carveout = 1,
                            .carveout = 50,
                            .variable_count = 1,
                            .texture_count = 2,
                            .tensor_map_count = 2};
    launch.steps[0] = (struct launch_step){.block = {32, 4, 1},
                                           .grid = {7, 8, 9},
                                           .cluster = {2, 1, 1},
                                           .repeat = 1,
                                           .argument_count = 2,
                                           .shared_bytes = 1000};
    launch.steps[1] = (struct launch_step){.kernel = 1,
                                           .cooperative = 1,
                                           .block = {64, 1, 1},
                                           .repeat = 10,
                                           .argument_first = 2,
                                           .argument_count = 1,
                                           .swap_count = 1};
    launch.swaps[0] = (struct launch_swap){4, 5};
    launch.arguments[0].buffer = 5;
    launch.arguments[0].offset_bytes = 64;
    launch.arguments[1] = (struct launch_argument){.buffer = -1, .bytes = 12, .word = 1};
    launch.arguments[1].part_count = 1;
    launch.part_count = 1;
    launch.parts[0] = (struct launch_argument){.buffer = 2, .offset_bytes = 32, .at = 4};
    launch.word_count = 3;
    launch.words[2].bits = UINT64_C(0x8000000000000001);
    launch.arguments[2] = (struct launch_argument){.buffer = -1, .role = ARGUMENT_TEXTURE, .view = 1};
    launch.window = (struct launch_window){
        .bytes = 4096, .set_aside_bytes = 8192, .hit_ratio = 0.5, .buffer = 3, .hit = L2_PERSISTING};
    launch.variables[0] = (struct launch_variable){.name = "coefficients", .contents = 1, .restored = 1};
    launch.textures[1] = (struct launch_texture){.width = 64,
                                                 .height = 32,
                                                 .buffer = 1,
                                                 .filter = FILTER_LINEAR,
                                                 .depth = 4,
                                                 .layers = 5,
                                                 .address = {ADDRESS_WRAP, ADDRESS_BORDER, ADDRESS_MIRROR},
                                                 .memory = MEMORY_ARRAY,
                                                 .coordinates = UNIT_NORMALIZED,
                                                 .read = UNIT_NORMALIZED};
    launch.tensor_maps[1] = (struct launch_tensor_map){.offset_bytes = 64,
                                                       .sizes = {64, 32, 1, 2, 8},
                                                       .strides = {256, 8192, 16, 32},
                                                       .box = {8, 4, 1, 1, 1},
                                                       .element_strides = {1, 2, 3, 4, 5},
                                                       .buffer = 1,
                                                       .rank = 5,
                                                       .type = TENSOR_TYPE_COUNT - 1,
                                                       .interleave = 32,
                                                       .swizzle = 128,
                                                       .atom = 32,
                                                       .l2_promotion = 256,
                                                       .flip = 1,
                                                       .out_of_bounds = TENSOR_NAN};
    launch.pipeline = (struct launch_pipeline){.total = 100,
                                               .chunk_length = 30,
                                               .streams = 4,
                                               .pieces = 1,
                                               .host_memory = HOST_PINNED,
                                               .allocation = ALLOCATION_POOL,
                                               .copy_count = 2};
    launch.pipeline.copies[1] = (struct launch_copy){.buffer = 4, .in = 1};
    /* calls 0 1 1, of which the last two are a round, and all are another loop */
    launch.steps[0].field_count = 2;
    launch.fields[0] = (struct launch_field){FIELD_GRID, 1};
    launch.fields[1] = (struct launch_field){FIELD_WORD, 1};
    launch.field_count = 2;
    launch.values[0].bits = 7;
    launch.values[2].bits = 8;
    launch.value_count = 3;
    launch.calls[0] = (struct launch_call){.step = 0, .value = 1};
    launch.calls[1] = launch.calls[2] = (struct launch_call){.step = 1};
    launch.call_count = 3;
    launch.loops[0] = (struct launch_loop){.first = 0, .end = 1, .rounds = 4};
    launch.loops[1] = (struct launch_loop){.end = 3, .rounds = 9, .until = 1, .exit = 3, .next = 2, .last = 1};
    launch.loop_count = 2;
    launch.untils[0] = (struct launch_until){.buffer = 2, .sign = UNTIL_LESS, .bits = 5};
    launch.until_count = 1;
    return launch;
}

static void launches_travel(void)
{
    struct launch launch = full(), back;
    struct text packed = {0};
    expect_complete("launch", &launch_table, NULL, 0);
    expect_travels("launch", &launch_table, &launch);
    space_pack_launch(&packed, &launch);
    struct unpack unpack = unpack_start(packed.bytes, packed.length);
    memset(&back, 1, sizeof back);
    CU_ASSERT(space_unpack_launch(&unpack, &back) && unpack_finished(&unpack));
    CU_ASSERT_EQUAL(memcmp(&back, &launch, sizeof launch), 0);
    unpack = unpack_start(packed.bytes, packed.length - 1);
    CU_ASSERT(!space_unpack_launch(&unpack, &back) && unpack.failed);
    text_free(&packed);
}

/* Numbers that index arrays or divide. */
static void bad_numbers_are_refused(void)
{
    static struct {
        struct launch launch;
        bool good;
    } rows[128]; /* large */
    size_t count = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        rows[i].launch = full();
#define ROW(member, value, good_) rows[count].launch.member = (value), rows[count++].good = (good_)
    ROW(arguments[0].buffer, SPACE_ARGUMENTS_MAX - 1, true);
    ROW(arguments[0].buffer, SPACE_ARGUMENTS_MAX, false);
    ROW(arguments[0].buffer, -2, false);
    ROW(arguments[2].view, SPACE_TEXTURES_MAX - 1, true);
    ROW(arguments[2].view, SPACE_TEXTURES_MAX, false);
    ROW(arguments[2],
        ((struct launch_argument){.buffer = -1, .role = ARGUMENT_TENSOR_MAP, .view = SPACE_TENSOR_MAPS_MAX}), false);
    ROW(textures[1].address[0], ADDRESS_COUNT, false);
    ROW(textures[1].address[1], ADDRESS_COUNT, false);
    ROW(textures[1].address[2], ADDRESS_COUNT, false);
    ROW(textures[1].address[2], ADDRESS_BORDER, true);
    ROW(textures[1].memory, MEMORY_SURFACE, true);
    ROW(textures[1].memory, MEMORY_SURFACE + 1, false);
    ROW(textures[1].coordinates, UNIT_NORMALIZED + 1, false);
    ROW(textures[1].read, UNIT_NORMALIZED + 1, false);
    ROW(kernels[1], 2, true);
    ROW(steps[1].kernel, 2, false);
    ROW(steps[1].repeat, 0, false);
    ROW(steps[1].repeat, SPACE_REPEATS_MAX, true);
    ROW(steps[1].repeat, SPACE_REPEATS_MAX + 1, false);
    ROW(steps[1].argument_first, 3, false);
    ROW(steps[1].argument_count, 2, false);
    ROW(steps[1].swap_first, 1, false);
    ROW(steps[1].swap_count, 2, false);
    ROW(steps[1].cooperative, 2, false);
    ROW(swaps[0].b, SPACE_ARGUMENTS_MAX, false);
    ROW(step_count, 0, false);
    ROW(arguments[1].bytes, 16, true);
    ROW(arguments[1].bytes, 17, false);
    ROW(arguments[1].word, 2, false);
    ROW(arguments[1].bytes, SPACE_ARGUMENT_BYTES_MAX + 1, false);
    ROW(word_count, 2, false);
    ROW(arguments[1].part_first, 1, false);
    ROW(arguments[1].part_count, 2, false);
    ROW(arguments[0].part_count, 1, false); /* of an address */
    ROW(parts[0].at, 5, false);             /* behind its argument's bytes */
    ROW(parts[0].part_count, 1, false);
    ROW(parts[0].buffer, SPACE_ARGUMENTS_MAX, false);
    ROW(parts[0], ((struct launch_argument){.buffer = -1, .role = ARGUMENT_CHUNK_LENGTH, .bytes = 8}), true);
    ROW(parts[0], ((struct launch_argument){.buffer = -1, .role = ARGUMENT_CHUNK_LENGTH, .bytes = 9}), false);
    ROW(parts[0], ((struct launch_argument){.buffer = -1, .role = ARGUMENT_TENSOR_MAP}), false); /* larger */
    ROW(parts[0], ((struct launch_argument){.buffer = -1, .bytes = 8, .word = 3}), false);
    ROW(variables[0].argument, 1, false); /* a number, which has no contents */
    ROW(variables[0].argument, 3, false);
    ROW(variables[0].contents, 2, false);
    ROW(variables[0].restored, 2, false);
    ROW(window.buffer, SPACE_ARGUMENTS_MAX, false);
    ROW(textures[0].type, (uint16_t)element_type_count, false);
    ROW(textures[1].type, (uint16_t)(element_type_count - 1), true);
    ROW(textures[2].type, UINT16_MAX, true); /* unused */
    ROW(tensor_maps[0].buffer, SPACE_ARGUMENTS_MAX, false);
    ROW(tensor_maps[0].rank, TENSOR_RANK_MAX + 1, false);
    ROW(tensor_maps[1].type, TENSOR_TYPE_COUNT, false);
    ROW(tensor_maps[2].type, TENSOR_TYPE_COUNT, true); /* unused */
    ROW(tensor_maps[0].out_of_bounds, TENSOR_NAN + 1, false);
    ROW(pipeline.chunk_length, 0, false);
    ROW(pipeline.chunk_length, 100, true);
    ROW(pipeline.chunk_length, 101, false);
    ROW(pipeline.streams, 0, false);
    ROW(pipeline.streams, PIPELINE_STREAMS_MAX + 1, false);
    ROW(pipeline.pieces, 0, false);
    ROW(pipeline.total, 30 * PIPELINE_CHUNKS_MAX, true);
    ROW(pipeline.total, 30 * PIPELINE_CHUNKS_MAX + 1, false);
    ROW(steps[1].field_count, 1, true);
    ROW(steps[1].field_count, 3, false);
    ROW(calls[1].step, 2, false);
    ROW(calls[1].value, 1, true);
    ROW(calls[0].value, 3, false);
    ROW(call_count, 0, false);
    ROW(value_count, 2, false);
    ROW(fields[0].index, 3, false);
    ROW(fields[0].kind, LAUNCH_FIELD_KINDS, false);
    ROW(fields[0], ((struct launch_field){FIELD_PART, 0}), true);
    ROW(fields[0], ((struct launch_field){FIELD_PART, 1}), false);
    ROW(fields[0].kind, FIELD_SHARED, false);
    ROW(loops[0].first, 1, false);
    ROW(loops[0].end, 4, false);
    ROW(loops[1].end, 0, false);
    ROW(loops[0].rounds, 0, false);
    ROW(loops[0].rounds, SPACE_REPEATS_MAX, true);
    ROW(loops[0].rounds, SPACE_REPEATS_MAX + 1, false);
    ROW(loops[0].inner, 1, false);
    ROW(loops[1].until, 2, false);
    ROW(loops[1].exit, 2, false);
    ROW(loops[1].exit, 4, false);
    ROW(loops[1].next, 1, false);
    ROW(loops[1].next, 3, false);
    ROW(loops[1].last, 2, false);
    ROW(untils[0].buffer, SPACE_ARGUMENTS_MAX, false);
    ROW(untils[0].sign, UNTIL_SIGN_COUNT, false);
    ROW(untils[0].type, (uint16_t)element_type_count, false);
#undef ROW
    for (size_t i = 0; i < count; i++) {
        struct text packed = {0};
        struct launch back;
        space_pack_launch(&packed, &rows[i].launch);
        struct unpack unpack = unpack_start(packed.bytes, packed.length);
        bool good = space_unpack_launch(&unpack, &back);
        if (good != rows[i].good)
            fprintf(stderr, "\nrow %zu is %s", i, good ? "accepted" : "refused");
        CU_ASSERT_EQUAL(good, rows[i].good);
        text_free(&packed);
    }
    /* Without a pipeline, its other numbers are ignored. */
    struct launch plain = full(), back;
    struct text packed = {0};
    plain.pipeline = (struct launch_pipeline){0};
    space_pack_launch(&packed, &plain);
    struct unpack unpack = unpack_start(packed.bytes, packed.length);
    CU_ASSERT(space_unpack_launch(&unpack, &back));
    text_free(&packed);
}

CU_TestInfo tests_launch_pack[] = {
    {"launches travel", launches_travel}, {"bad numbers are refused", bad_numbers_are_refused}, CU_TEST_INFO_NULL};
