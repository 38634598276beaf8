/* Uses any bytes as a .space file, in every way that a run does. The text behind a line "%%" becomes the file
 * "more.space" for includes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/random.h"
#include "expression/expr.h"
#include "set/valid_set.h"
#include "space/config.h"
#include "space/space.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Limits like an H200's; others are 0, which expressions must survive. */
static const struct device_limits limits = {.name = "H200",
                                            .driver = "580.0",
                                            .cc = 90,
                                            .sm_count = 132,
                                            .warp = 32,
                                            .max_threads = 1024,
                                            .max_block_x = 1024,
                                            .max_block_y = 1024,
                                            .max_block_z = 64,
                                            .max_grid_x = 2147483647,
                                            .max_grid_y = 65535,
                                            .max_grid_z = 65535,
                                            .shared_limit = 232448,
                                            .memory_bytes = 1ll << 37,
                                            .l2_bytes = 62914560,
                                            .l2_window_bytes = 134217728,
                                            .l2_persisting_bytes = 39321600,
                                            .texture_pitch_alignment = 32};

static char folder[] = "/tmp/cutune-fuzz-XXXXXX";
static char main_path[64], more_path[64];

static void remove_files(void)
{
    unlink(more_path);
    rmdir(folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    if (!mkdtemp(folder) || atexit(remove_files))
        abort();
    snprintf(main_path, sizeof main_path, "%s/fuzz.space", folder);
    snprintf(more_path, sizeof more_path, "%s/more.space", folder);
    return 0;
}

/* Returns the length of the main file; writes the rest to the other one. */
static size_t split(const char *data, size_t size)
{
    static const char mark[] = "\n%%\n";
    const char *at = memmem(data, size, mark, sizeof mark - 1);
    if (!at)
        return size;
    size_t length = (size_t)(at - data) + 1, start = length + sizeof mark - 2;
    FILE *file = fopen(more_path, "wb");
    if (!file || (start < size && fwrite(data + start, 1, size - start, file) != size - start) || fclose(file))
        abort();
    return length;
}

/* The bound and the unbound form of a constraint must agree. */
static void compare_written(const struct space *space, const uint32_t *choices)
{
    struct value values[SPACE_PARAMETERS_MAX];
    const struct expr_inputs inputs = {.space = space, .values = values, .bound = space->parameter_count};
    space_values(space, choices, values);
    for (size_t i = 0; i < space->constraint_count && i < 16; i++) {
        const struct expr *condition = space->constraints[i].condition;
        struct value value = {0}, written = {0};
        int code = expr_eval(condition, &inputs, &value, NULL);
        if (code != expr_eval(condition->written, &inputs, &written, NULL) || (!code && !value_equal(&value, &written)))
            abort();
    }
}

/* A configuration must be found at its index, read back from its text, and be evaluated safely. */
/* Has a kernel for each number, moves no buffer out of the space, and survives packing. */
static void use_launch(const struct space *space, const struct launch *launch)
{
    struct text names = {0}, packed = {0}, again = {0};
    uint32_t *places = calloc(space->buffer_count + 1, sizeof *places);
    struct launch *back = malloc(sizeof *back);
    space_launch_kernels(space, launch, &names);
    if (!launch->step_count || !space_launch_count(launch) ||
        (!names.failed && text_strings_bytes(names.bytes, launch->kernel_count) != names.length))
        abort();
    if (places)
        space_launch_places(launch, space->buffer_count, places);
    for (size_t b = 0; places && b < space->buffer_count; b++)
        if (places[b] >= space->buffer_count || space->buffers[places[b]].type != space->buffers[b].type)
            abort();
    space_pack_launch(&packed, launch);
    struct unpack unpack = unpack_start(packed.bytes, packed.length);
    if (back && !packed.failed && (!space_unpack_launch(&unpack, back) || !unpack_finished(&unpack)))
        abort();
    if (back && !packed.failed)
        space_pack_launch(&again, back);
    if (again.length && (again.length != packed.length || memcmp(again.bytes, packed.bytes, packed.length) != 0))
        abort();
    text_free(&names);
    text_free(&packed);
    text_free(&again);
    free(places);
    free(back);
}

static void use_configuration(const struct space *space, const struct valid_set *set, uint64_t index)
{
    uint32_t choices[SPACE_PARAMETERS_MAX], back[SPACE_PARAMETERS_MAX];
    uint64_t found = 0, neighbours[4];
    struct launch launch;
    struct bundle_plan plan;
    struct error error = {0};
    struct text text = {0};
    size_t count;
    valid_set_get(set, index, choices);
    if (!valid_set_find(set, choices, &found) || found != index)
        abort();
    compare_written(space, choices);
    space_config_text(space, choices, &text);
    if (space_config_parse(space, text_string(&text), back, &error) ||
        memcmp(choices, back, space->parameter_count * sizeof *back) != 0)
        abort();
    text_clear(&text);
    char why[256];
    if (space_launch(space, choices, &launch, &error) == 0) {
        if (space->has_limits)
            space_launch_fits(space, LAUNCH_OF_RUN, choices, why, sizeof why);
        if (space->kernel)
            use_launch(space, &launch);
        if (space->kernel)
            space_launch_options(space, &launch, choices, NULL, &text, &plan, &error);
        text_clear(&text);
    }
    error_clear(&error);
    struct work_amounts amounts;
    if (space_work(space, choices, &amounts, &error) == 0 && space->work_expr && !(amounts.work > 0))
        abort();
    error_clear(&error);
    space_compile_options(space, choices, &text, &count, &error);
    if (valid_set_cartesian(set) < 4096)
        valid_set_neighbours(set, index, NEIGHBOURS_ANY, neighbours, 4);
    text_free(&text);
}

static void use_space(struct space *space, const struct device_limits *device)
{
    struct valid_set *set = NULL;
    struct error error = {0};
    struct random random;
    struct launch launch;
    char message[4096];
    random_seed(&random, 1);
    if (space_bind(space, NULL, 0, device, &error) == 0 &&
        valid_set_build(&set, space, device ? 1 << 20 : 1 << 16, &error) == 0) {
        double in_bytes, out_bytes;
        space_transfers(space, &in_bytes, &out_bytes);
        for (int i = 0; i < 4 && valid_set_count(set) > 0; i++)
            use_configuration(space, set, valid_set_sample(set, &random));
        for (uint32_t s = 0; s < SPACE_SETS_MAX && (s == 0 || space->per_count); s += 85) { /* 0 to 255 */
            uint32_t choices[SPACE_PARAMETERS_MAX];
            space_set_choices(space, s, choices);
            if (space_set(space, choices) >= SPACE_SETS_MAX)
                __builtin_trap();
            if (space_reference_launches(space))
                space_reference_launch(space, s, &launch, &error);
            if (space->accept)
                space_accept_launch(space, s, &launch, &error);
        }
        for (size_t b = 0; b < space->buffer_count; b++)
            if (space->buffers[b].by)
                space_fill_launch(space, b, &launch, &error);
    }
    error_format(&error, message, sizeof message);
    valid_set_free(set);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char source[] = "extern \"C\" __global__ void k(float *out) { out[TILE] = ROWS; }\n"
                                 "template <typename T> void make(T *data, long count) {}\n"
                                 "__constant__ int c, d, e; __device__ int counter, table, nothing, params, *pointer;\n"
                                 "__global__ void fill(int *data, long count); __global__ void j(long long *wrong);\n";
    size_t length = split((const char *)data, size);
    for (int with_device = 0; with_device < 2; with_device++) {
        struct space *space = NULL;
        struct error error = {0};
        char message[4096];
        if (space_parse_text(&space, main_path, (const char *)data, length, source, &error) == 0)
            use_space(space, with_device ? &limits : NULL);
        else
            error_format(&error, message, sizeof message);
        space_free(space);
    }
    return 0;
}
