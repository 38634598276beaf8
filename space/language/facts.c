/* Facts of the arguments of a kernel, for a compiler command. A language that specialises code to the values of
 * arguments, such as Triton, must not use what differs between launches. */
#include <string.h>

#include "expression/space_internal.h"
#include "language/step.h"
#include "space/config.h"
#include "space/facts.h"

enum { ALIGNMENT_MAX = 256 }; /* of device allocations */

/* ---- Names ---- */

static const char *view_name(const struct space *space, const struct argument *argument)
{
    const struct names *names = &space->private->names;
    const enum name_kind kind = argument->role == ARGUMENT_TEXTURE   ? NAME_TEXTURE
                                : argument->role == ARGUMENT_SURFACE ? NAME_SURFACE
                                                                     : NAME_TENSOR_MAP;
    for (size_t i = 0; i < names->count; i++)
        if (names->entries[i].kind == kind && names->entries[i].index == argument->view)
            return names->entries[i].text;
    return "";
}

static const char *name_of(const struct space *space, const struct argument *argument)
{
    if (argument->buffer >= 0)
        return space->buffers[argument->buffer].name;
    if (argument->role == ARGUMENT_TEXTURE || argument->role == ARGUMENT_SURFACE ||
        argument->role == ARGUMENT_TENSOR_MAP)
        return view_name(space, argument);
    return !argument->is_struct && argument->member_count == 1 && argument->members[0].value
               ? argument->members[0].value->text
               : "";
}

/* ---- One argument ---- */

static enum argument_fact_kind kind_of(const struct argument *argument)
{
    return argument->buffer >= 0                          ? FACT_BUFFER
           : argument->role == ARGUMENT_TEXTURE           ? FACT_TEXTURE
           : argument->role == ARGUMENT_SURFACE           ? FACT_SURFACE
           : argument->role == ARGUMENT_TENSOR_MAP        ? FACT_TENSOR_MAP
           : argument->is_struct                          ? FACT_STRUCT
           : argument->type && argument->member_count < 2 ? FACT_SCALAR
           : argument->type || argument->member_count     ? FACT_STRUCT
                                                          : FACT_NULL;
}

/* Sets the extents of a buffer, and its strides: the last dimension is contiguous. */
static int find_extents(const struct buffer *buffer, const struct expr_inputs *inputs, struct argument_facts *facts,
                        struct error *error)
{
    facts->extent_count = (uint32_t)buffer->extent_count;
    int64_t stride = 1;
    for (size_t d = buffer->extent_count; d-- > 0;) {
        TRY(expr_integer(buffer->extents[d], inputs, "an extent of a buffer", 0, INT64_MAX, &facts->extents[d], error));
        facts->strides[d] = stride;
        if (__builtin_mul_overflow(stride, facts->extents[d], &stride))
            return expr_error(buffer->size, inputs, error, "the buffer has more than 2^63 elements");
    }
    return 0;
}

/* Sets the extents of a tensor map, the outermost dimension first, as for a buffer. */
static void find_map(const struct space *space, const struct launch *launch, uint16_t view,
                     struct argument_facts *facts)
{
    const struct launch_tensor_map *map = &launch->tensor_maps[view];
    if (!map->rank) /* this configuration has no such map */
        return;
    facts->map = map;
    facts->type = space->buffers[map->buffer].type;
    facts->extent_count = map->rank;
    for (uint32_t d = 0; d < map->rank; d++) {
        const uint32_t from = map->rank - 1 - d; /* the innermost dimension is the map's first */
        facts->extents[d] = (int64_t)map->sizes[from];
        facts->strides[d] = from ? (int64_t)(map->strides[from - 1] / facts->type->bytes) : 1;
    }
}

static void read_scalar(const struct launch *launch, const struct launch_argument *argument,
                        struct argument_facts *facts)
{
    const struct element_type *type = facts->type;
    uint64_t bits = 0;
    float single;
    if (type->components > 1 || argument->bytes > sizeof bits || (type->family == FAMILY_FLOAT && type->bytes < 4))
        return;
    memcpy(&bits, &launch->words[argument->word], argument->bytes);
    if (type->scalar == SCALAR_float) {
        memcpy(&single, &bits, sizeof single);
        facts->real = (double)single;
    } else if (type->family == FAMILY_FLOAT) {
        memcpy(&facts->real, &bits, sizeof facts->real);
    } else {
        const unsigned unused = 64 - 8 * argument->bytes;
        facts->integer = type->family == FAMILY_INT ? (int64_t)(bits << unused) >> unused : (int64_t)bits;
    }
    facts->has_value = true;
}

static uint32_t alignment_of(uint64_t offset_bytes)
{
    const uint64_t lowest = offset_bytes & (~offset_bytes + 1);
    return lowest && lowest < ALIGNMENT_MAX ? (uint32_t)lowest : ALIGNMENT_MAX;
}

static int first_facts(const struct expr_inputs *inputs, const struct argument *from, const struct launch *launch,
                       const struct launch_argument *argument, struct argument_facts *facts, struct error *error)
{
    const struct space *space = inputs->space;
    *facts = (struct argument_facts){.name = name_of(space, from),
                                     .kind = kind_of(from),
                                     .type = from->type,
                                     .alignment = ALIGNMENT_MAX,
                                     .bytes = space_argument_bytes(argument)};
    if (facts->kind == FACT_SCALAR && argument->role == ARGUMENT_PLAIN)
        read_scalar(launch, argument, facts);
    if (facts->kind == FACT_TENSOR_MAP)
        find_map(space, launch, argument->view, facts);
    if (facts->kind != FACT_BUFFER)
        return 0;
    facts->type = space->buffers[from->buffer].type;
    facts->alignment = alignment_of(argument->offset_bytes);
    return find_extents(&space->buffers[from->buffer], inputs, facts, error);
}

/* ---- All launches ---- */

/* Weakens the facts by the values that a loop gives the fields of a step. */
static void weaken_fields(const struct launch *launch, size_t number, struct argument_facts *facts)
{
    const struct launch_step *step = &launch->steps[number];
    for (uint32_t f = 0; f < step->field_count; f++) {
        const struct launch_field *field = &launch->fields[step->field_first + f];
        for (uint32_t a = 0; a < step->argument_count; a++) {
            const struct launch_argument *argument = &launch->arguments[step->argument_first + a];
            const size_t words = LAUNCH_WORDS(argument->bytes);
            if (field->kind == FIELD_WORD && argument->buffer < 0 && field->index >= argument->word &&
                field->index < argument->word + words)
                facts[a].has_value = false;
            for (size_t c = 0;
                 field->kind == FIELD_OFFSET && field->index == step->argument_first + a && c < launch->call_count;
                 c++) {
                const struct launch_call *call = &launch->calls[c];
                const uint32_t own =
                    call->step == number ? alignment_of(launch->values[call->value + f].bits) : ALIGNMENT_MAX;
                if (own < facts[a].alignment)
                    facts[a].alignment = own;
            }
        }
    }
}

/* Weakens the facts to those that hold for one more launch, whose argument has the same type. Extents of another buffer
 * are unknown. */
static void weaken(const struct launch *launch, const struct launch_argument *argument,
                   const struct launch_argument *first, struct argument_facts *facts)
{
    struct argument_facts own = *facts;
    if (argument->buffer >= 0) {
        const uint32_t alignment = alignment_of(argument->offset_bytes);
        facts->alignment = alignment < facts->alignment ? alignment : facts->alignment;
        if (argument->buffer != first->buffer)
            facts->extent_count = 0;
        return;
    }
    if (facts->kind == FACT_TENSOR_MAP && argument->view != first->view) {
        facts->map = NULL;
        facts->extent_count = 0;
    }
    own.has_value = false;
    if (facts->has_value)
        read_scalar(launch, argument, &own);
    facts->has_value =
        own.has_value && own.integer == facts->integer && memcmp(&own.real, &facts->real, sizeof own.real) == 0;
}

int space_argument_facts(const struct space *space, const uint32_t *choices, const struct launch *launch, size_t k,
                         struct argument_facts *facts, size_t *count, struct error *error)
{
    struct value values[SPACE_PARAMETERS_MAX];
    const struct expr_inputs inputs = {.space = space, .values = values, .bound = space->parameter_count};
    const struct step *from = space->kernel_steps[launch->kernels[k]];
    const struct launch_step *first = NULL;
    space_values(space, choices, values);
    *count = from->argument_count;
    for (size_t s = 0; s < launch->step_count; s++) {
        const struct launch_step *step = &launch->steps[s];
        if (step->kernel != k)
            continue;
        for (size_t a = 0; a < *count; a++) {
            const struct launch_argument *argument = &launch->arguments[step->argument_first + a];
            if (first)
                weaken(launch, argument, &launch->arguments[first->argument_first + a], &facts[a]);
            else
                TRY(first_facts(&inputs, &from->arguments[a], launch, argument, &facts[a], error));
        }
        first = first ? first : step;
        weaken_fields(launch, s, facts);
    }
    return 0;
}
