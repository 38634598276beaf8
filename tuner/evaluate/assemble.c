#include "evaluate/assemble.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "evaluate/arguments.h"
#include "space/facts.h"

struct assembling {
    const struct space *space;
    struct launch *launch;
    struct launch_step *step;
    const struct kernel_answer *answer;
    const struct answer_parameter *parameters; /* of the answer */
    const struct argument_facts *facts;        /* of the kernel's arguments */
    const char *kernel;
    char *why;
    size_t room;
};

__attribute__((format(printf, 2, 3))) static bool differ(const struct assembling *all, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    text_vformat(text, sizeof text, format, arguments);
    va_end(arguments);
    text_format(all->why, all->room, "kernel '%s': %s", all->kernel, text);
    return false;
}

/* ---- Sizes ---- */

static const char *format_sizes(const uint32_t sizes[3], char *buffer, size_t room)
{
    snprintf(buffer, room, "%u, %u, %u", (unsigned)sizes[0], (unsigned)sizes[1], (unsigned)sizes[2]);
    return buffer;
}

static bool has_field(const struct assembling *all, enum launch_field_kind kind)
{
    bool found = false;
    for (uint32_t f = 0; f < all->step->field_count; f++)
        found |= all->launch->fields[all->step->field_first + f].kind == kind;
    return found;
}

static bool agree(const struct assembling *all, const char *what, enum launch_field_kind kind, const uint32_t own[3],
                  const uint32_t answered[3])
{
    char a[64], b[64];
    if (has_field(all, kind))
        return differ(all, "the %s is %s for the compiler, but differs from round to round of a loop", what,
                      format_sizes(answered, b, sizeof b));
    return memcmp(own, answered, 3 * sizeof *own) == 0 ||
           differ(all, "the %s is %s in the space, but %s for the compiler", what, format_sizes(own, a, sizeof a),
                  format_sizes(answered, b, sizeof b));
}

static bool set_block(const struct assembling *all)
{
    const bool answered = all->answer->block[0] > 0;
    if (!(all->step->undecided & UNDECIDED_BLOCK))
        return !answered || agree(all, "block", FIELD_BLOCK, all->step->block, all->answer->block);
    if (!answered)
        return differ(all, "the compiler does not say the block: give it in the space");
    memcpy(all->step->block, all->answer->block, sizeof all->step->block);
    return true;
}

static bool set_shared(const struct assembling *all)
{
    const int64_t answered = all->answer->shared_bytes;
    if (!(all->step->undecided & UNDECIDED_SHARED)) {
        if (answered >= 0 && has_field(all, FIELD_SHARED))
            return differ(all,
                          "the shared memory is %" PRId64
                          " bytes for the compiler, but differs from round to round of a loop",
                          answered);
        return answered < 0 || (uint64_t)answered == all->step->shared_bytes ||
               differ(all,
                      "the dynamic shared memory is %" PRIu64 " bytes in the space, but %" PRId64 " for the compiler",
                      all->step->shared_bytes, answered);
    }
    if (answered < 0)
        return differ(all, "the compiler does not say the dynamic shared memory: give it in the space");
    all->step->shared_bytes = (uint64_t)answered;
    return true;
}

/* Divides a size of the grid by the elements of a block, and counts the blocks of its clusters. */
static bool scale(const struct assembling *all, uint32_t index, uint64_t *size)
{
    const bool divides = all->step->undecided & UNDECIDED_GRID;
    const bool multiplies = all->answer->cluster[0] && !all->step->cluster[0];
    if (divides)
        *size = (*size - 1) / all->answer->grid[index] + 1;
    if (multiplies)
        *size *= all->answer->cluster[index];
    return *size <= UINT32_MAX || differ(all, "the grid has more than 2^32 blocks in a dimension");
}

static bool set_grid(const struct assembling *all)
{
    struct launch *launch = all->launch;
    struct launch_step *step = all->step;
    const ptrdiff_t number = step - launch->steps;
    const bool undecided = step->undecided & UNDECIDED_GRID, sized = step->grid[0] > 0;
    if (undecided && !all->answer->grid[0])
        return differ(all, "the compiler does not say the %s: give the grid in the space",
                      sized ? "elements of a block" : "grid");
    if (undecided && !sized)
        memcpy(step->grid, all->answer->grid, sizeof step->grid);
    for (uint32_t d = 0; d < 3 && sized; d++) {
        uint64_t size = step->grid[d];
        if (!scale(all, d, &size))
            return false;
        step->grid[d] = (uint32_t)size;
    }
    for (uint32_t f = 0; f < step->field_count; f++) {
        const struct launch_field *field = &launch->fields[step->field_first + f];
        for (size_t c = 0; field->kind == FIELD_GRID && c < launch->call_count; c++)
            if (launch->calls[c].step == number &&
                !scale(all, field->index, &launch->values[launch->calls[c].value + f].bits))
                return false;
    }
    return true;
}

/* The grid of a language with clusters of its own counts them. */
static bool set_cluster(const struct assembling *all)
{
    const uint32_t *answered = all->answer->cluster;
    if (!answered[0] || all->step->cluster[0])
        return !answered[0] || agree(all, "cluster", FIELD_CLUSTER, all->step->cluster, answered);
    if (answered[0] > 1 || answered[1] > 1 || answered[2] > 1)
        memcpy(all->step->cluster, answered, sizeof all->step->cluster);
    return true;
}

/* ---- Parameters ---- */

static unsigned char *take_words(const struct assembling *all, struct launch_argument *argument)
{
    struct launch *launch = all->launch;
    const size_t words = LAUNCH_WORDS(argument->bytes);
    argument->word = (uint32_t)launch->word_count;
    if (launch->word_count + words > LAUNCH_WORDS_MAX) {
        differ(all, "the parameters of the answer need too much memory");
        return NULL;
    }
    memset(&launch->words[launch->word_count], 0, words * sizeof *launch->words);
    launch->word_count += words;
    return (unsigned char *)&launch->words[argument->word];
}

/* A value of bytes, little-endian as on the device. */
static bool put_number(const struct assembling *all, uint32_t bytes, int64_t number, struct launch_argument *argument)
{
    *argument = (struct launch_argument){.buffer = -1, .bytes = bytes};
    unsigned char *at = take_words(all, argument);
    if (at)
        memcpy(at, &number, bytes < sizeof number ? bytes : sizeof number);
    return at != NULL;
}

static bool find_extent(const struct assembling *all, const struct answer_parameter *parameter, int64_t *number)
{
    const struct argument_facts *facts = &all->facts[parameter->argument];
    const char *what = parameter->kind == ANSWER_EXTENT ? "extent" : "stride";
    if (parameter->dimension >= facts->extent_count)
        return differ(all, "the %s of dimension %u of '%s' is unknown", what, (unsigned)parameter->dimension,
                      facts->name);
    *number = (parameter->kind == ANSWER_EXTENT ? facts->extents : facts->strides)[parameter->dimension];
    return parameter->bytes != 4 || *number <= INT32_MAX ||
           differ(all, "the %s %" PRId64 " of '%s' does not fit 4 bytes", what, *number, facts->name);
}

static bool put_extent(const struct assembling *all, const struct answer_parameter *parameter,
                       struct launch_argument *argument)
{
    int64_t number;
    return find_extent(all, parameter, &number) && put_number(all, parameter->bytes, number, argument);
}

static uint64_t most_blocks(const struct assembling *all)
{
    const struct launch *launch = all->launch;
    uint64_t most = 0;
    for (size_t c = 0; c < launch_call_count(launch); c++) {
        const struct launch_call call = launch_call_at(launch, c);
        const struct launch_step step = launch_step_of(launch, &call);
        const uint64_t blocks = (uint64_t)step.grid[0] * step.grid[1] * step.grid[2];
        if (call.step == all->step - launch->steps && blocks > most)
            most = blocks;
    }
    return most;
}

static bool put_scratch(const struct assembling *all, const struct answer_parameter *parameter,
                        struct launch_argument *argument)
{
    struct launch *launch = all->launch;
    const uint64_t alignment = parameter->alignment ? parameter->alignment : 1, blocks = most_blocks(all);
    uint64_t bytes, each = parameter->scratch_bytes;
    if (each == 0)
        return put_number(all, sizeof(uint64_t), 0, argument);
    each = (each + alignment - 1) / alignment * alignment;
    launch->workspace_bytes = (launch->workspace_bytes + alignment - 1) / alignment * alignment;
    if (!blocks)
        return differ(all, "the compiler wants scratch memory for each block, but the grid is resident: give its size");
    if (__builtin_mul_overflow(each, blocks, &bytes) || __builtin_add_overflow(bytes, launch->workspace_bytes, &bytes))
        return differ(all, "the compiler wants more than 2^64 bytes of scratch memory");
    *argument = (struct launch_argument){
        .buffer = -1, .role = ARGUMENT_WORKSPACE, .bytes = sizeof(uint64_t), .offset_bytes = launch->workspace_bytes};
    launch->workspace_bytes = bytes;
    return true;
}

/* Changes that a loop makes to an argument move along with it, to an argument or a part. */
static bool move_offsets(const struct assembling *all, const struct answer_parameter *parameter,
                         enum launch_field_kind kind, uint32_t to)
{
    const uint32_t from = all->step->argument_first + parameter->argument;
    for (const struct answer_parameter *earlier = all->parameters; earlier < parameter; earlier++)
        if (earlier->kind == ANSWER_ARGUMENT && earlier->argument == parameter->argument &&
            (has_field(all, FIELD_OFFSET) || has_field(all, FIELD_PART)))
            return differ(all, "the answer has '%s' twice, in a loop that changes addresses",
                          all->facts[parameter->argument].name);
    for (uint32_t f = 0; f < all->step->field_count; f++) {
        struct launch_field *field = &all->launch->fields[all->step->field_first + f];
        if (field->kind == FIELD_OFFSET && field->index == from) {
            field->kind = (uint16_t)kind;
            field->index = (uint16_t)to;
        }
    }
    return true;
}

static bool put_argument(const struct assembling *all, const struct answer_parameter *parameter, uint32_t to)
{
    all->launch->arguments[to] = all->launch->arguments[all->step->argument_first + parameter->argument];
    return move_offsets(all, parameter, FIELD_OFFSET, to);
}

/* Makes an argument a part of the struct `whole`, at a place among its bytes. */
static bool put_part(const struct assembling *all, const struct answer_parameter *parameter,
                     struct launch_argument *whole, uint32_t place)
{
    struct launch *launch = all->launch;
    const struct launch_argument *from = &launch->arguments[all->step->argument_first + parameter->argument];
    const uint32_t to = (uint32_t)launch->part_count;
    if (from->part_count)
        return differ(all, "the answer has a struct of the space within a struct");
    if (to == SPACE_PARTS_MAX)
        return differ(all, "the answer has more than %d arguments within structs", SPACE_PARTS_MAX);
    launch->parts[launch->part_count++] = *from;
    launch->parts[to].at = place;
    whole->part_count++;
    return move_offsets(all, parameter, FIELD_PART, to);
}

static uint32_t member_bytes(const struct assembling *all, const struct answer_parameter *member)
{
    return member->kind == ANSWER_ARGUMENT
               ? space_argument_bytes(&all->launch->arguments[all->step->argument_first + member->argument])
               : member->bytes;
}

static bool put_member(const struct assembling *all, const struct answer_parameter *member,
                       struct launch_argument *whole, uint32_t place)
{
    unsigned char *bytes = (unsigned char *)&all->launch->words[whole->word] + place;
    int64_t number = member->value;
    if (member->kind == ANSWER_ARGUMENT)
        return put_part(all, member, whole, place);
    if (member->kind == ANSWER_NULL)
        return true;
    if (member->kind != ANSWER_VALUE && !find_extent(all, member, &number))
        return false;
    memcpy(bytes, &number, member->bytes);
    return true;
}

static bool has_argument(const struct assembling *all, const struct answer_parameter *parameter)
{
    return parameter->kind > ANSWER_MAP || parameter->argument < all->step->argument_count ||
           differ(all, "the answer names an argument that the launch has not");
}

static bool put_struct(const struct assembling *all, const struct answer_parameter *parameter,
                       struct launch_argument *argument)
{
    const struct answer_parameter *members = parameter + 1;
    *argument = (struct launch_argument){.buffer = -1, .part_first = (uint32_t)all->launch->part_count};
    for (uint32_t m = 0; m < parameter->members; m++) {
        if (!has_argument(all, &members[m]))
            return false;
        argument->bytes += member_bytes(all, &members[m]);
    }
    if (!take_words(all, argument))
        return false;
    for (uint32_t m = 0, place = 0; m < parameter->members; m++) {
        if (!put_member(all, &members[m], argument, place))
            return false;
        place += member_bytes(all, &members[m]);
    }
    return true;
}

/* Gives each kernel a map of its own, because kernels may want different boxes of one tensor. */
static bool put_map(const struct assembling *all, const struct answer_parameter *parameter, uint32_t to)
{
    struct launch *launch = all->launch;
    const struct argument_facts *facts = &all->facts[parameter->argument];
    if (!facts->map)
        return differ(all, "the answer gives '%s' a box, but it is no tensor map", facts->name);
    if (facts->map->swizzle && facts->map->swizzle != parameter->swizzle)
        return differ(all, "the swizzle of '%s' is %u in the space, but %u for the compiler", facts->name,
                      (unsigned)facts->map->swizzle, (unsigned)parameter->swizzle);
    struct launch_tensor_map own = *facts->map;
    for (uint32_t d = 0; d < own.rank; d++)
        own.box[d] = parameter->box[own.rank - 1 - d];
    own.swizzle = (uint16_t)parameter->swizzle;
    uint16_t number = 0;
    while (number < launch->tensor_map_count && memcmp(&launch->tensor_maps[number], &own, sizeof own) != 0)
        number++;
    if (number == SPACE_TENSOR_MAPS_MAX)
        return differ(all, "the answer needs more than %d tensor maps", SPACE_TENSOR_MAPS_MAX);
    if (number == launch->tensor_map_count)
        launch->tensor_maps[launch->tensor_map_count++] = own;
    launch->arguments[to] = launch->arguments[all->step->argument_first + parameter->argument];
    launch->arguments[to].view = number;
    return true;
}

static bool put_parameter(const struct assembling *all, const struct answer_parameter *parameter, uint32_t to)
{
    struct launch_argument *argument = &all->launch->arguments[to];
    return has_argument(all, parameter) &&
           (parameter->kind == ANSWER_ARGUMENT  ? put_argument(all, parameter, to)
            : parameter->kind == ANSWER_MAP     ? put_map(all, parameter, to)
            : parameter->kind == ANSWER_VALUE   ? put_number(all, parameter->bytes, parameter->value, argument)
            : parameter->kind == ANSWER_NULL    ? put_number(all, parameter->bytes, 0, argument)
            : parameter->kind == ANSWER_SCRATCH ? put_scratch(all, parameter, argument)
            : parameter->kind == ANSWER_STRUCT  ? put_struct(all, parameter, argument)
                                                : put_extent(all, parameter, argument));
}

static bool set_parameters(const struct assembling *all)
{
    struct launch *launch = all->launch;
    const uint32_t rows = all->answer->parameter_count;
    uint32_t count = 0;
    if (!all->answer->lists)
        return true;
    for (uint32_t p = 0; p < rows; p += 1 + all->parameters[p].members, count++)
        if (count == SPACE_ARGUMENTS_MAX || launch->argument_count + count == SPACE_POOL_MAX)
            return differ(all, "the answer has more than %d parameters", SPACE_ARGUMENTS_MAX);
        else if (all->parameters[p].members >= rows - p)
            return differ(all, "the answer has a struct without its members");
        else if (!put_parameter(all, &all->parameters[p], (uint32_t)launch->argument_count + count))
            return false;
    all->step->argument_first = (uint32_t)launch->argument_count;
    all->step->argument_count = count;
    launch->argument_count += count;
    return true;
}

/* ---- Launches ---- */

static bool assemble_step(const struct assembling *all)
{
    struct launch_step *step = all->step;
    if (!set_block(all) || !set_shared(all) || !set_grid(all) || !set_cluster(all) || !set_parameters(all))
        return false;
    step->cooperative |= (uint16_t)all->answer->cooperative;
    step->programmatic = (uint16_t)all->answer->programmatic;
    step->undecided = 0;
    return true;
}

bool assemble_launch(const struct space *space, const uint32_t *choices, struct launch *launch,
                     const struct compile_result *result, char *why, size_t room)
{
    struct error error = {0};
    struct argument_facts *facts = calloc(SPACE_ARGUMENTS_MAX, sizeof *facts);
    bool good = facts != NULL;
    if (!good)
        text_format(why, room, "out of memory");
    for (size_t k = 0, first = 0; k < result->answer_count && k < launch->kernel_count && good; k++) {
        struct assembling all = {.space = space,
                                 .launch = launch,
                                 .answer = &result->answers[k],
                                 .parameters = result->parameters + first,
                                 .facts = facts,
                                 .kernel = space->kernel_titles[launch->kernels[k]],
                                 .why = why,
                                 .room = room};
        size_t count;
        if (space_argument_facts(space, choices, launch, k, facts, &count, &error)) {
            text_format(why, room, "%s", error.message);
            good = false;
        }
        const size_t steps = launch->step_count;
        for (size_t s = 0; s < steps && good; s++) {
            all.step = &launch->steps[s];
            good = all.step->kernel != k || assemble_step(&all);
        }
        first += result->answers[k].parameter_count;
    }
    free(facts);
    return good;
}

int assemble_checked(const struct space *space, const uint32_t *choices, struct launch *launch,
                     const struct compile_result *result, struct error *error)
{
    const struct device_kernel code = {.cubin = result->cubin,
                                       .cubin_bytes = result->cubin_bytes,
                                       .lowered_names = result->lowered_names,
                                       .launch = launch};
    const struct step *blamed = space->steps;
    char why[256];
    if (!result->answer_count)
        return 0;
    bool good = assemble_launch(space, choices, launch, result, why, sizeof why);
    for (size_t s = 0; s < launch->step_count && good; s++) {
        const struct launch_step *step = &launch->steps[s];
        const uint16_t kernel = launch->kernels[step->kernel];
        blamed = space->kernel_steps[kernel];
        good = arguments_suit(&code, step, space->kernel_titles[kernel], why, sizeof why);
    }
    if (good)
        return 0;
    error_set(error, ERROR_COMPILE, "%s", why);
    space_put_arguments_place(blamed, error);
    return ERROR_COMPILE;
}
