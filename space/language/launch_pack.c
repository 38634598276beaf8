/* Packs launches for other processes. Limits every index to the size of its array, so that no message makes a reader
 * access memory outside it. */
#include "space/space.h"

#define BELOW(member, end) PACK_BELOW(struct launch_argument, member, end)
PACK_OWN_TABLE(argument_table, struct launch_argument, BELOW(buffer, SPACE_ARGUMENTS_MAX),
               BELOW(role, ARGUMENT_WORKSPACE + 1), BELOW(view, SPACE_TEXTURES_MAX),
               BELOW(bytes, SPACE_ARGUMENT_BYTES_MAX + 1), BELOW(word, LAUNCH_WORDS_MAX), BELOW(offset_bytes, 0),
               BELOW(part_first, SPACE_PARTS_MAX + 1), BELOW(part_count, SPACE_PARTS_MAX + 1),
               BELOW(at, SPACE_ARGUMENT_BYTES_MAX));
#undef BELOW

#define BELOW(member, end) PACK_BELOW(struct launch_window, member, end)
PACK_OWN_TABLE(window_table, struct launch_window, BELOW(bytes, 0), BELOW(set_aside_bytes, 0), BELOW(hit_ratio, 0),
               BELOW(buffer, SPACE_ARGUMENTS_MAX), BELOW(hit, L2_PERSISTING + 1), BELOW(miss, L2_PERSISTING + 1));
#undef BELOW

PACK_OWN_TABLE(variable_table, struct launch_variable, PACK_TEXT(struct launch_variable, name),
               PACK_BELOW(struct launch_variable, argument, SPACE_POOL_MAX),
               PACK_BELOW(struct launch_variable, contents, 2), PACK_BELOW(struct launch_variable, restored, 2));

#define BELOW(member, end) PACK_BELOW(struct launch_texture, member, end)
PACK_OWN_TABLE(texture_table, struct launch_texture, BELOW(width, 0), BELOW(height, 0), BELOW(depth, 0),
               BELOW(layers, 0), BELOW(buffer, SPACE_ARGUMENTS_MAX), BELOW(type, 0), BELOW(filter, FILTER_LINEAR + 1),
               BELOW(address[0], ADDRESS_COUNT), BELOW(address[1], ADDRESS_COUNT), BELOW(address[2], ADDRESS_COUNT),
               BELOW(coordinates, UNIT_NORMALIZED + 1), BELOW(read, UNIT_NORMALIZED + 1),
               BELOW(memory, MEMORY_SURFACE + 1));
#undef BELOW

#define BELOW(member, end) PACK_BELOW(struct launch_tensor_map, member, end)
PACK_OWN_TABLE(tensor_map_table, struct launch_tensor_map, BELOW(offset_bytes, 0),
               PACK_NUMBERS(struct launch_tensor_map, sizes), PACK_NUMBERS(struct launch_tensor_map, strides),
               PACK_NUMBERS(struct launch_tensor_map, box), PACK_NUMBERS(struct launch_tensor_map, element_strides),
               BELOW(buffer, SPACE_ARGUMENTS_MAX), BELOW(rank, TENSOR_RANK_MAX + 1), BELOW(type, TENSOR_TYPE_COUNT),
               BELOW(interleave, 0), BELOW(swizzle, 0), BELOW(atom, 0), BELOW(l2_promotion, 0), BELOW(flip, 0),
               BELOW(out_of_bounds, TENSOR_NAN + 1));
#undef BELOW

PACK_OWN_TABLE(word_table, struct launch_word, PACK_NUMBER(struct launch_word, bits));

PACK_OWN_TABLE(copy_table, struct launch_copy, PACK_BELOW(struct launch_copy, buffer, SPACE_ARGUMENTS_MAX),
               PACK_BELOW(struct launch_copy, in, 2), PACK_BELOW(struct launch_copy, out, 2));

#define BELOW(member, end) PACK_BELOW(struct launch_pipeline, member, end)
PACK_OWN_TABLE(pipeline_table, struct launch_pipeline, BELOW(total, 0), BELOW(chunk_length, 0), BELOW(host_work_ns, 0),
               BELOW(streams, PIPELINE_STREAMS_MAX + 1), BELOW(pieces, PIPELINE_PIECES_MAX + 1),
               BELOW(order, ORDER_BREADTH + 1), BELOW(host_memory, HOST_COUNT), BELOW(packed, 2),
               BELOW(placement, PLACEMENT_OVERLAPPED + 1), BELOW(allocation, ALLOCATION_POOL + 1),
               PACK_ROWS(struct launch_pipeline, copies, copy_count, copy_table));
#undef BELOW

#define BELOW(member, end) PACK_BELOW(struct launch_step, member, end)
PACK_OWN_TABLE(step_table, struct launch_step, BELOW(kernel, SPACE_LAUNCHES_MAX), BELOW(cooperative, 2),
               BELOW(programmatic, 2), BELOW(undecided, 8), PACK_NUMBERS(struct launch_step, block),
               PACK_NUMBERS(struct launch_step, grid), PACK_NUMBERS(struct launch_step, cluster),
               BELOW(repeat, SPACE_REPEATS_MAX + 1), BELOW(argument_first, SPACE_POOL_MAX + 1),
               BELOW(argument_count, SPACE_ARGUMENTS_MAX + 1), BELOW(swap_first, SPACE_SWAPS_MAX + 1),
               BELOW(swap_count, SPACE_SWAPS_MAX + 1), BELOW(field_first, LAUNCH_FIELDS_MAX + 1),
               BELOW(field_count, LAUNCH_FIELDS_MAX + 1), BELOW(shared_bytes, 0), BELOW(fp64, 2));
#undef BELOW

PACK_OWN_TABLE(swap_table, struct launch_swap, PACK_BELOW(struct launch_swap, a, SPACE_ARGUMENTS_MAX),
               PACK_BELOW(struct launch_swap, b, SPACE_ARGUMENTS_MAX));

PACK_OWN_TABLE(field_table, struct launch_field, PACK_BELOW(struct launch_field, kind, LAUNCH_FIELD_KINDS),
               PACK_BELOW(struct launch_field, index, LAUNCH_WORDS_MAX));

PACK_OWN_TABLE(until_table, struct launch_until, PACK_BELOW(struct launch_until, buffer, SPACE_ARGUMENTS_MAX),
               PACK_NUMBER(struct launch_until, type), PACK_BELOW(struct launch_until, sign, UNTIL_SIGN_COUNT),
               PACK_NUMBER(struct launch_until, bits));

#define BELOW(member, end) PACK_BELOW(struct launch_loop, member, end)
PACK_OWN_TABLE(loop_table, struct launch_loop, BELOW(first, LAUNCH_CALLS_MAX), BELOW(end, LAUNCH_CALLS_MAX + 1),
               BELOW(rounds, SPACE_REPEATS_MAX + 1), BELOW(inner, LAUNCH_LOOPS_MAX),
               BELOW(until, LAUNCH_UNTILS_MAX + 1), BELOW(exit, LAUNCH_CALLS_MAX + 1),
               BELOW(next, LAUNCH_LOOPS_MAX + 1), BELOW(last, 2));
#undef BELOW

PACK_OWN_TABLE(call_table, struct launch_call, PACK_BELOW(struct launch_call, step, SPACE_LAUNCHES_MAX),
               PACK_BELOW(struct launch_call, value, LAUNCH_VALUES_MAX));

PACK_OWN_TABLE(value_table, struct launch_value, PACK_NUMBER(struct launch_value, bits));

PACK_TABLE(launch_table, struct launch, PACK_BELOW(struct launch, kernel_count, SPACE_LAUNCHES_MAX + 1),
           PACK_NUMBERS(struct launch, kernels), PACK_NUMBERS(struct launch, scratch_bytes),
           PACK_NUMBER(struct launch, workspace_bytes), PACK_ROWS(struct launch, steps, step_count, step_table),
           PACK_ROWS(struct launch, swaps, swap_count, swap_table),
           PACK_ROWS(struct launch, words, word_count, word_table),
           PACK_ROWS(struct launch, arguments, argument_count, argument_table),
           PACK_ROWS(struct launch, parts, part_count, argument_table), PACK_BELOW(struct launch, graph, 2),
           PACK_BELOW(struct launch, has_carveout, 2), PACK_NUMBER(struct launch, carveout),
           PACK_STRUCT(struct launch, window, window_table),
           PACK_ROWS(struct launch, variables, variable_count, variable_table),
           PACK_ROWS(struct launch, textures, texture_count, texture_table),
           PACK_ROWS(struct launch, tensor_maps, tensor_map_count, tensor_map_table),
           PACK_STRUCT(struct launch, pipeline, pipeline_table),
           PACK_ROWS(struct launch, fields, field_count, field_table),
           PACK_ROWS(struct launch, untils, until_count, until_table),
           PACK_ROWS(struct launch, loops, loop_count, loop_table),
           PACK_ROWS(struct launch, calls, call_count, call_table),
           PACK_ROWS(struct launch, values, value_count, value_table));

void space_pack_launch(struct text *text, const struct launch *launch)
{
    pack_struct(text, &launch_table, launch);
}

static bool fields_make_sense(const struct launch *launch, const struct launch_step *step)
{
    if (step->field_first + step->field_count > launch->field_count)
        return false;
    for (uint32_t f = 0; f < step->field_count; f++) {
        const struct launch_field *field = &launch->fields[step->field_first + f];
        const size_t most = field->kind < FIELD_SHARED    ? 3
                            : field->kind == FIELD_OFFSET ? launch->argument_count
                            : field->kind == FIELD_PART   ? launch->part_count
                            : field->kind == FIELD_WORD   ? launch->word_count
                                                          : 1;
        if (field->index >= most)
            return false;
    }
    return true;
}

/* Checks the place of an argument's bytes or object. */
static bool has_value(const struct launch *launch, const struct launch_argument *argument)
{
    if (argument->buffer >= 0)
        return true;
    if (argument->role == ARGUMENT_PLAIN)
        return argument->word + LAUNCH_WORDS(argument->bytes) <= launch->word_count;
    return argument->role != ARGUMENT_TENSOR_MAP || argument->view < SPACE_TENSOR_MAPS_MAX;
}

/* Checks that the parts of an argument replace only its own bytes. A chunk's numbers have 8 bytes. */
static bool arguments_make_sense(const struct launch *launch)
{
    for (size_t i = 0; i < launch->argument_count; i++) {
        const struct launch_argument *argument = &launch->arguments[i];
        if (!has_value(launch, argument) || argument->part_first + argument->part_count > launch->part_count)
            return false;
        for (size_t p = 0; p < argument->part_count; p++) {
            const struct launch_argument *part = &launch->parts[argument->part_first + p];
            bool chunk = part->buffer < 0 && part->role > ARGUMENT_TENSOR_MAP;
            if (!has_value(launch, part) || part->part_count || (chunk && part->bytes > sizeof(uint64_t)) ||
                argument->buffer >= 0 || argument->role != ARGUMENT_PLAIN ||
                part->at + space_argument_bytes(part) > argument->bytes)
                return false;
        }
    }
    return true;
}

/* The rounds of all loops end: each loop begins in front of its end, and continues behind it. */
static bool loops_make_sense(const struct launch *launch)
{
    for (size_t c = 0; c < launch->call_count; c++) {
        const struct launch_call *call = &launch->calls[c];
        if (call->step >= launch->step_count ||
            call->value + launch->steps[call->step].field_count > launch->value_count)
            return false;
    }
    for (size_t l = 0; l < launch->loop_count; l++) {
        const struct launch_loop *loop = &launch->loops[l];
        const struct launch_until *until = loop->until ? &launch->untils[loop->until - 1] : NULL;
        if (loop->first >= loop->end || loop->end > launch->call_count || loop->rounds == 0 || loop->inner > l ||
            (l && loop->end < loop[-1].end) || loop->until > launch->until_count ||
            (until && (loop->exit < loop->end || loop->exit > launch->call_count || loop->next <= l ||
                       loop->next > launch->loop_count)))
            return false;
    }
    for (size_t u = 0; u < launch->until_count; u++)
        if (launch->untils[u].type >= element_type_count || element_types[launch->untils[u].type].components != 1 ||
            element_types[launch->untils[u].type].bytes > sizeof(uint64_t))
            return false;
    return launch->call_count || (!launch->loop_count && !launch->value_count && !launch->field_count);
}

/* Checks conditions that involve several fields. */
static bool makes_sense(const struct launch *launch)
{
    const struct launch_pipeline *pipeline = &launch->pipeline;
    uint64_t length = pipeline->chunk_length;
    if (!arguments_make_sense(launch))
        return false;
    for (size_t i = 0; i < launch->variable_count; i++) {
        const struct launch_variable *variable = &launch->variables[i];
        if (variable->argument >= launch->argument_count ||
            (variable->contents && launch->arguments[variable->argument].buffer < 0))
            return false;
    }
    for (size_t i = 0; i < launch->texture_count; i++)
        if (launch->textures[i].type >= element_type_count)
            return false;
    for (size_t i = 0; i < launch->step_count; i++) {
        const struct launch_step *step = &launch->steps[i];
        if (step->kernel >= launch->kernel_count || step->repeat == 0 ||
            step->argument_first + step->argument_count > launch->argument_count ||
            step->swap_first + step->swap_count > launch->swap_count || !fields_make_sense(launch, step))
            return false;
    }
    return pipeline->total == 0 || (pipeline->streams && pipeline->pieces && length && length <= pipeline->total &&
                                    (pipeline->total - 1) / length < PIPELINE_CHUNKS_MAX);
}

bool space_unpack_launch(struct unpack *unpack, struct launch *launch)
{
    if (unpack_struct(unpack, &launch_table, launch) &&
        (launch->step_count == 0 || !makes_sense(launch) || !loops_make_sense(launch)))
        unpack->failed = true;
    return !unpack->failed;
}
