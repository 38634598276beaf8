/* Demands of textures and surfaces on the device, the buffers and the combination of their settings. */
#include <string.h>

#include "language/techniques.h"
#include "technique/texture.h"

const struct word_list texture_filter_words = {"a filter", 2, {"point", "linear"}};
const struct word_list texture_address_words = {
    "an address mode", ADDRESS_COUNT, {"clamp", "wrap", "mirror", "border"}};
const struct word_list texture_memory_words = {"a texture's memory", 2, {"buffer", "array"}};
const struct word_list texture_unit_words = {"a unit of textures", 2, {"elements", "normalized"}};

bool texture_may_be(const struct setting *setting, int word)
{
    return setting->value || setting->word == word;
}

bool texture_needs_array(const struct texture_statement *texture)
{
    return texture->rank == TEXTURE_RANK_MAX || texture->layers.value || texture->memory.word == MEMORY_SURFACE;
}

/* Rules that parameters may break; those that every configuration breaks are errors of the statement. */
static int demand_settings(struct demand_list *list, const struct texture_statement *texture)
{
    const char *normalized = technique_is_word(list, &texture->coordinates, &texture_unit_words, UNIT_NORMALIZED);
    for (size_t i = 0; i < texture->address_count; i++) {
        if (!texture->coordinates.value && !texture->address[i].value)
            continue;
        const char *wrap = technique_is_word(list, &texture->address[i], &texture_address_words, ADDRESS_WRAP);
        const char *mirror = technique_is_word(list, &texture->address[i], &texture_address_words, ADDRESS_MIRROR);
        if (!wrap || !mirror || !normalized)
            return error_memory(list->error);
        DEMAND(list, demand_text(list, "%s || !(%s || %s)", normalized, wrap, mirror),
               "`wrap` and `mirror` are for normalized coordinates only");
    }
    if (!texture->read.value || !texture_may_be(&texture->filter, FILTER_LINEAR))
        return 0;
    const char *fractions = technique_is_word(list, &texture->read, &texture_unit_words, UNIT_NORMALIZED);
    const char *linear = technique_is_word(list, &texture->filter, &texture_filter_words, FILTER_LINEAR);
    if (!fractions || !linear)
        return error_memory(list->error);
    DEMAND(list, demand_text(list, "%s || !%s", fractions, linear),
           demand_text(list, "elements of type %s can be filtered only if they are read as normalized",
                       texture->type->name));
    return 0;
}

/* A line over a buffer has no coordinates; parameters may make it one. */
static int demand_line(struct demand_list *list, const struct texture_statement *texture)
{
    const char *array = technique_is_word(list, &texture->memory, &texture_memory_words, MEMORY_ARRAY);
    const char *linear = technique_is_word(list, &texture->filter, &texture_filter_words, FILTER_LINEAR);
    const char *normalized = technique_is_word(list, &texture->coordinates, &texture_unit_words, UNIT_NORMALIZED);
    if (!array || !linear || !normalized)
        return error_memory(list->error);
    DEMAND(list, demand_text(list, "%s || !(%s || %s || %d)", array, linear, normalized, texture->address_count > 0),
           "a texture of one dimension needs `memory array` for an address mode, a filter or coordinates");
    return 0;
}

/* Limits of a texture over a buffer. Device files may have some as 0: unknown. */
static int demand_buffer(struct demand_list *list, const struct texture_statement *texture)
{
    const char *width = texture->extents[0]->text, *height = texture->rank > 1 ? texture->extents[1]->text : NULL;
    const char *pitch = demand_text(list, "(%s) * %u", width, (unsigned)texture->type->bytes);
    if (!pitch)
        return error_memory(list->error);
    if (!height) {
        DEMAND(list, demand_text(list, "texture_width == 0 || (%s) <= texture_width", width),
               "a texture of $ elements, the device allows $", width, "texture_width");
        return 0;
    }
    DEMAND(list, demand_text(list, "(%s) <= texture_width_2d && (%s) <= texture_height_2d", width, height),
           "a texture of $ x $ elements, the device allows $ x $", width, height, "texture_width_2d",
           "texture_height_2d");
    DEMAND(list, demand_text(list, "texture_pitch == 0 || %s <= texture_pitch", pitch),
           "a texture's rows of $ bytes, the device allows $", pitch, "texture_pitch");
    DEMAND(list,
           demand_text(list, "(%s) <= 1 || texture_pitch_alignment == 0 || %s %% max(texture_pitch_alignment, 1) == 0",
                       height, pitch),
           "a texture's rows of $ bytes are not a multiple of the device's $", pitch, "texture_pitch_alignment");
    return 0;
}

/* Limits of an array, the same for all compute capabilities from 7.0 on (CUDA C++ Programming Guide, Technical
 * Specifications per Compute Capability). */
static int demand_array(struct demand_list *list, const struct texture_statement *texture)
{
    static const char *const names[] = {"width", "height", "depth"};
    static const unsigned most[TEXTURE_RANK_MAX][TEXTURE_RANK_MAX] = {{131072}, {131072, 65536}, {16384, 16384, 16384}};
    enum { SURFACE_LINE_MOST = 32768, LAYERED_MOST = 32768, LAYERS_MOST = 2048 };
    const bool layered = texture->layers.value;
    const bool line = texture->rank == 1 && texture->memory.word == MEMORY_SURFACE;
    for (unsigned i = 0; i < texture->rank; i++) {
        const char *extent = texture->extents[i]->text;
        const unsigned allowed = layered ? LAYERED_MOST : line ? SURFACE_LINE_MOST : most[texture->rank - 1][i];
        DEMAND(list, demand_text(list, "(%s) <= %u", extent, allowed),
               demand_text(list, "a %s's array has the %s $, CUDA allows %u", texture->what, names[i], allowed),
               extent);
    }
    if (layered)
        DEMAND(list, demand_text(list, "(%s) <= %d", texture->layers.value->text, LAYERS_MOST),
               demand_text(list, "a %s has $ layers, CUDA allows %d", texture->what, LAYERS_MOST),
               texture->layers.value->text);
    return 0;
}

int texture_demand(struct demand_list *list, const struct texture_statement *texture)
{
    const char *bytes = demand_text(list, "%u", (unsigned)texture->type->bytes);
    const char *all = demand_buffer_bytes(list, texture->buffer), *outer = list->when;
    const bool open = texture->memory.value; /* parameters choose the memory */
    const char *array = texture_needs_array(texture)
                            ? "1"
                            : technique_is_word(list, &texture->memory, &texture_memory_words, MEMORY_ARRAY);
    for (unsigned i = 0; i < texture->rank && bytes; i++)
        bytes = demand_text(list, "(%s) * %s", texture->extents[i]->text, bytes);
    if (texture->layers.value && bytes)
        bytes = demand_text(list, "(%s) * %s", texture->layers.value->text, bytes);
    list->place = texture->extents[0];
    if (!bytes || !all || !array)
        return error_memory(list->error);
    TRY(demand_settings(list, texture));
    if (texture->rank == 1 && open)
        TRY(demand_line(list, texture));
    DEMAND(list, demand_text(list, "%s <= %s", bytes, all),
           demand_text(list, "the %s needs $ bytes, but '%s' has $", texture->what,
                       list->space->buffers[texture->buffer].name),
           bytes, all);
    if (open || strcmp(array, "0") == 0) {
        list->when = open ? demand_text(list, "!%s", array) : outer;
        TRY(open && !list->when ? error_memory(list->error) : demand_buffer(list, texture));
    }
    if (open || strcmp(array, "1") == 0) {
        list->when = open ? array : outer;
        TRY(demand_array(list, texture));
    }
    list->when = outer;
    return 0;
}
