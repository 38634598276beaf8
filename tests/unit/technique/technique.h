/* Shared by the suites of techniques: a space with their statements, evaluated for a configuration. */
#ifndef CUTUNE_TESTS_SPACE_TECHNIQUE_H
#define CUTUNE_TESTS_SPACE_TECHNIQUE_H

#include <stdlib.h>

#include "../language/support.h"

#define TECHNIQUE_HEAD                                                                                                 \
    "space 2\nkernel k \"k.cu\"\nproblem N = 1000\nparam A = 1, 2, 8\nparam R = 0.25, 1.0\n"                           \
    "param HOST = pageable, pinned, registered, write_combined, mapped, managed\nparam WHEN = before, overlapped\n"    \
    "buffer in float[N] random\nbuffer out float[N] output\nbuffer table float[4096] random\nblock 32\ngrid 8\n"       \
    "reference r block 32 grid 32\n"
static const char technique_source[] = "__constant__ float COEFF[4]; __constant__ int MORE; namespace ns { __device__ "
                                       "float *DATA; } __managed__ int STATE[2];";

/* Appends "NAME = &2 + 16" for an address, "NAME from 2" for contents, or the value's bytes with its parts: "NAME =
 * 01000000 [0: &2 + 0]", and "kept" if a run may change it. */
static inline void variable_text(const struct launch *launch, const struct launch_variable *variable, struct text *text)
{
    const struct launch_argument *argument = &launch->arguments[variable->argument];
    const unsigned char *bytes = (const unsigned char *)&launch->words[argument->word];
    text_printf(text, "%s %s ", variable->name, variable->contents ? "from" : "=");
    if (argument->buffer >= 0 && variable->contents)
        text_printf(text, "%d", argument->buffer);
    else if (argument->buffer >= 0)
        text_printf(text, "&%d + %llu", argument->buffer, (unsigned long long)argument->offset_bytes);
    for (uint32_t b = 0; argument->buffer < 0 && b < argument->bytes; b++)
        text_printf(text, "%02x", bytes[b]);
    for (uint32_t i = 0; i < argument->part_count; i++) {
        const struct launch_argument *part = &launch->parts[argument->part_first + i];
        text_printf(text, " [%u: %d %u + %llu]", part->at, part->buffer, part->role,
                    (unsigned long long)part->offset_bytes);
    }
    text_printf(text, "%s ", variable->restored ? "" : " kept");
}

static inline void surface_text(const struct launch_texture *surface, struct text *text)
{
    if (surface->width)
        text_printf(text, "surface %u %s %llu x %llu x %llu layers %llu ", surface->buffer,
                    element_types[surface->type].name, (unsigned long long)surface->width,
                    (unsigned long long)surface->height, (unsigned long long)surface->depth,
                    (unsigned long long)surface->layers);
    else
        text_printf(text, "no surface ");
}

/* Appends the non-zero members of a launch's techniques. */
static inline void technique_text(const struct launch *launch, struct text *text)
{
    const struct launch_window *window = &launch->window;
    const struct launch_pipeline *pipeline = &launch->pipeline;
    if (launch->steps[0].cluster[0])
        text_printf(text, "cluster %u %u %u ", launch->steps[0].cluster[0], launch->steps[0].cluster[1],
                    launch->steps[0].cluster[2]);
    if (launch->has_carveout)
        text_printf(text, "carveout %u ", launch->carveout);
    if (window->bytes)
        text_printf(text, "window %u bytes %llu set_aside %llu ratio %g hit %u miss %u ", window->buffer,
                    (unsigned long long)window->bytes, (unsigned long long)window->set_aside_bytes, window->hit_ratio,
                    window->hit, window->miss);
    for (size_t i = 0; i < launch->variable_count; i++)
        variable_text(launch, &launch->variables[i], text);
    for (size_t i = 0; i < launch->texture_count; i++) {
        const struct launch_texture *texture = &launch->textures[i];
        if (texture->memory == MEMORY_SURFACE || !texture->width) {
            surface_text(texture, text);
            continue;
        }
        text_printf(text, "texture %u %s %llu x %llu filter %u ", texture->buffer, element_types[texture->type].name,
                    (unsigned long long)texture->width, (unsigned long long)texture->height, texture->filter);
        if (texture->memory)
            text_printf(text, "array %llu layers %llu ", (unsigned long long)texture->depth,
                        (unsigned long long)texture->layers);
        if (texture->address[0] || texture->address[1])
            text_printf(text, "address %u %u %u ", texture->address[0], texture->address[1], texture->address[2]);
        if (texture->coordinates || texture->read)
            text_printf(text, "coordinates %u read %u ", texture->coordinates, texture->read);
    }
    for (size_t i = 0; i < launch->tensor_map_count; i++) {
        const struct launch_tensor_map *map = &launch->tensor_maps[i];
        text_printf(text, "map %u + %llu type %u ", map->buffer, (unsigned long long)map->offset_bytes, map->type);
        for (unsigned d = 0; d < map->rank; d++)
            text_printf(text, "[%llu by %llu box %u step %u] ", (unsigned long long)map->sizes[d],
                        (unsigned long long)(d ? map->strides[d - 1] : 0), map->box[d], map->element_strides[d]);
        text_printf(text, "interleave %u swizzle %u atom %u flip %u l2 %u out %u ", map->interleave, map->swizzle,
                    map->atom, map->flip, map->l2_promotion, map->out_of_bounds);
    }
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

static inline struct space *make(const char *statements, const char *args, const struct device_limits *limits)
{
    char file[2048];
    snprintf(file, sizeof file, TECHNIQUE_HEAD "%s\nargs out, in%s\n", statements, args);
    return bound(file, technique_source, limits);
}

/* The choices of `configuration`, "A=2 R=1.0 ..."; missing parameters have their first value. */
static inline void choose(const struct space *space, const char *configuration, uint32_t *choices)
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

/* The launch, the error's message, or "none". */
struct meaning_row {
    const char *statements, *args, *configuration, *expected;
};

static inline void expect_meanings(const struct meaning_row *rows, size_t count)
{
    struct device_limits limits = h200_limits();
    for (size_t i = 0; i < count; i++) {
        uint32_t choices[SPACE_PARAMETERS_MAX];
        struct error error = {0};
        struct launch launch;
        struct text text = {0};
        struct space *space = make(rows[i].statements, rows[i].args, &limits);
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

/* Each row removes one capability from a device that has all; "": the launch still fits. */
struct fits_row {
    const char *statements, *args, *limit;
    int64_t value;
    const char *expected;
};

static inline void expect_fits(const struct fits_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
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
        CU_ASSERT_EQUAL(space_launch_fits(space, LAUNCH_OF_RUN, choices, why, sizeof why), !*rows[i].expected);
        expect_text(rows[i].statements, why, rows[i].expected);
        space_free(space);
    }
}

#endif
