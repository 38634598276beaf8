/* Evaluates the memory techniques for one configuration. */
#include <stdio.h>
#include <string.h>

#include "space/private.h"

static int number(const struct setting *setting, const struct expr_inputs *inputs, const char *thing, int64_t least,
                  int64_t most, uint64_t *result, struct error *error)
{
    int64_t value = setting->word;
    if (setting->value)
        TRY(expr_integer(setting->value, inputs, thing, least, most, &value, error));
    *result = (uint64_t)value;
    return 0;
}

static int word(const struct setting *setting, const struct expr_inputs *inputs, const struct word_list *words,
                uint16_t *result, struct error *error)
{
    struct value value;
    char text[VALUE_TEXT_BYTES];
    *result = (uint16_t)setting->word;
    if (!setting->value)
        return 0;
    TRY(expr_eval(setting->value, inputs, &value, error));
    value_text(&value, text, sizeof text);
    int found = value.kind == VALUE_WORD ? technique_word_find(words, text) : -1;
    if (found < 0) {
        int code = expr_error(setting->value, inputs, error, "%s is not %s", text, words->what);
        technique_word_hint(words, text, error);
        return code;
    }
    *result = (uint16_t)found;
    return 0;
}

/* ---- L2 window ---- */

static int hit_ratio(const struct setting *setting, const struct expr_inputs *inputs, double *ratio,
                     struct error *error)
{
    struct value value = {.kind = VALUE_FLOAT, .real = 1};
    char text[VALUE_TEXT_BYTES];
    if (setting->value)
        TRY(expr_eval(setting->value, inputs, &value, error));
    *ratio = value.kind == VALUE_INT ? (double)value.integer : value.kind == VALUE_FLOAT ? value.real : -1;
    if (*ratio >= 0 && *ratio <= 1)
        return 0;
    return expr_error(setting->value, inputs, error, "a hit ratio is from 0 to 1, not %s",
                      value_text(&value, text, sizeof text));
}

static int window(const struct window_statement *statement, const struct expr_inputs *inputs, struct launch *launch,
                  struct error *error)
{
    struct launch_window all = {.buffer = statement->buffer};
    TRY(number(&statement->bytes, inputs, "the size of a window", 0, INT64_MAX, &all.bytes, error));
    TRY(number(&statement->set_aside, inputs, "the part of the L2 that is set aside", 0, INT64_MAX,
               &all.set_aside_bytes, error));
    TRY(hit_ratio(&statement->hit_ratio, inputs, &all.hit_ratio, error));
    TRY(word(&statement->hit, inputs, &hit_words, &all.hit, error));
    TRY(word(&statement->miss, inputs, &miss_words, &all.miss, error));
    if (all.bytes)
        launch->window = all;
    return 0;
}

/* ---- Pipeline ---- */

static int split(const struct pipeline_statement *statement, const struct expr_inputs *inputs,
                 struct launch_pipeline *pipeline, struct error *error)
{
    const struct space *space = inputs->space;
    uint64_t chunks = 1;
    pipeline->total = pipeline->chunk_length = 1;
    if (!statement->split.value)
        return 0;
    TRY(number(&statement->split, inputs, "what is split", 1, INT64_MAX, &pipeline->total, error));
    uint64_t most = pipeline->total < PIPELINE_CHUNKS_MAX ? pipeline->total : PIPELINE_CHUNKS_MAX;
    TRY(number(&statement->chunks, inputs, "the number of chunks", 1, (int64_t)most, &chunks, error));
    pipeline->chunk_length = (pipeline->total - 1) / chunks + 1;
    for (size_t i = 0; i < statement->copy_count; i++) {
        const struct buffer *buffer = &space->buffers[statement->copies[i].buffer];
        if (buffer->count % pipeline->total)
            return expr_error(statement->split.value, inputs, error,
                              "the %llu elements of '%s' are no multiple of the %llu that are split",
                              (unsigned long long)buffer->count, buffer->name, (unsigned long long)pipeline->total);
    }
    return 0;
}

/* Normalises settings without effect. */
static void unify(struct launch_pipeline *pipeline)
{
    uint64_t chunks = (pipeline->total - 1) / pipeline->chunk_length + 1;
    if (pipeline->streams > chunks)
        pipeline->streams = (uint32_t)chunks;
    if (chunks == 1)
        pipeline->order = ORDER_DEPTH;
    if (pipeline->host_work_ns == 0)
        pipeline->placement = PLACEMENT_BEFORE;
    if (pipeline->host_memory == HOST_MAPPED || pipeline->host_memory == HOST_MANAGED) {
        pipeline->pieces = 1;
        pipeline->packed = 0;
        pipeline->allocation = ALLOCATION_REUSE;
    }
}

static int pipeline(const struct pipeline_statement *statement, const struct expr_inputs *inputs,
                    struct launch_pipeline *pipeline, struct error *error)
{
    uint64_t streams = 1, pieces = 1, packed = 0;
    TRY(split(statement, inputs, pipeline, error));
    if (statement->streams.value)
        TRY(number(&statement->streams, inputs, "the number of streams", 1, PIPELINE_STREAMS_MAX, &streams, error));
    if (statement->pieces.value)
        TRY(number(&statement->pieces, inputs, "the number of pieces", 1, PIPELINE_PIECES_MAX, &pieces, error));
    TRY(number(&statement->packed, inputs, "`packed`", 0, 1, &packed, error));
    TRY(number(&statement->host_work, inputs, "the host's work in ns", 0, PIPELINE_WORK_NS_MAX, &pipeline->host_work_ns,
               error));
    const struct {
        const struct setting *setting;
        const struct word_list *words;
        uint16_t *result;
    } words[] = {{&statement->order, &order_words, &pipeline->order},
                 {&statement->host_memory, &host_memory_words, &pipeline->host_memory},
                 {&statement->placement, &placement_words, &pipeline->placement},
                 {&statement->allocation, &allocation_words, &pipeline->allocation}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        TRY(word(words[i].setting, inputs, words[i].words, words[i].result, error));
    pipeline->streams = (uint32_t)streams;
    pipeline->pieces = (uint32_t)pieces;
    pipeline->packed = (uint16_t)packed;
    unify(pipeline);
    pipeline->copy_count = (uint16_t)statement->copy_count;
    for (size_t i = 0; i < statement->copy_count; i++) {
        pipeline->copies[i].buffer = statement->copies[i].buffer;
        pipeline->copies[i].in = statement->copies[i].in;
        pipeline->copies[i].out = statement->copies[i].out;
    }
    return 0;
}

/* ---- Textures and constants ---- */

static int texture(const struct texture_statement *statement, const struct expr_inputs *inputs,
                   struct launch_texture *texture, struct error *error)
{
    const struct space *space = inputs->space;
    const struct buffer *buffer = &space->buffers[statement->buffer];
    int64_t width, height = 0;
    TRY(expr_integer(statement->width, inputs, "a texture's width", 1, UINT32_MAX, &width, error));
    if (statement->height)
        TRY(expr_integer(statement->height, inputs, "a texture's height", 1, UINT32_MAX, &height, error));
    texture->buffer = statement->buffer;
    texture->type = (uint16_t)(statement->type - element_types);
    texture->width = (uint64_t)width;
    texture->height = (uint64_t)height;
    double texture_bytes = (double)width * (double)(height ? height : 1) * statement->type->bytes;
    double bytes = (double)buffer->count * buffer->type->bytes;
    if (texture_bytes > bytes)
        return expr_error(statement->width, inputs, error, "the texture needs %.0f bytes, but '%s' has %.0f",
                          texture_bytes, buffer->name, bytes);
    return word(&statement->filter, inputs, &filter_words, &texture->filter, error);
}

static int views(const struct space *space, const struct expr_inputs *inputs, struct launch *launch,
                 struct error *error)
{
    launch->constant_count = (uint16_t)space->constant_count;
    for (size_t i = 0; i < space->constant_count; i++) {
        snprintf(launch->constants[i].symbol, sizeof launch->constants[i].symbol, "%s", space->constants[i].symbol);
        launch->constants[i].buffer = space->constants[i].buffer;
    }
    launch->texture_count = (uint16_t)space->texture_count;
    for (size_t i = 0; i < space->texture_count; i++)
        TRY(texture(&space->textures[i], inputs, &launch->textures[i], error));
    return 0;
}

static int cluster(const struct space *space, const struct expr_inputs *inputs, struct launch *launch,
                   struct error *error)
{
    uint32_t sizes[3] = {1, 1, 1};
    for (int i = 0; i < 3 && space->cluster[i]; i++) {
        int64_t size;
        TRY(expr_integer(space->cluster[i], inputs, "a cluster's size", 1, UINT32_MAX, &size, error));
        sizes[i] = (uint32_t)size;
    }
    if (sizes[0] != 1 || sizes[1] != 1 || sizes[2] != 1)
        memcpy(launch->cluster, sizes, sizeof sizes);
    return 0;
}

int technique_launch(const struct space *space, const struct expr_inputs *inputs, bool reference, struct launch *launch,
                     struct error *error)
{
    TRY(views(space, inputs, launch, error));
    if (reference)
        return 0;
    TRY(cluster(space, inputs, launch, error));
    if (space->carveout) {
        int64_t percent;
        TRY(expr_integer(space->carveout, inputs, "the carve-out in percent", -1, 100, &percent, error));
        launch->has_carveout = percent >= 0;
        launch->carveout = (uint16_t)(percent >= 0 ? percent : 0);
    }
    if (space->window)
        TRY(window(space->window, inputs, launch, error));
    return space->pipeline ? pipeline(space->pipeline, inputs, &launch->pipeline, error) : 0;
}

void space_transfers(const struct space *space, double *in_bytes, double *out_bytes)
{
    *in_bytes = *out_bytes = 0;
    for (size_t i = 0; space->pipeline && i < space->pipeline->copy_count; i++) {
        const struct pipeline_copy *copy = &space->pipeline->copies[i];
        const struct buffer *buffer = &space->buffers[copy->buffer];
        double bytes = (double)buffer->count * buffer->type->bytes;
        *in_bytes += copy->in ? bytes : 0;
        *out_bytes += copy->out ? bytes : 0;
    }
}
