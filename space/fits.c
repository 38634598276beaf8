/* Checks whether the device and the buffers support a launch's memory techniques. Sizes of blocks, grids and dynamic
 * shared memory are constraints of the valid set; these checks run when a configuration is evaluated. */
#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"

#include "space/private.h"

struct fitting {
    const struct space *space;
    const struct device_limits *limits;
    const struct launch *launch;
    char *why;
    size_t room;
};

static bool no(const struct fitting *fitting, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool no(const struct fitting *fitting, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_vformat(fitting->why, fitting->room, format, arguments);
    va_end(arguments);
    return false;
}

static uint64_t bytes_of(const struct buffer *buffer)
{
    return buffer->count * buffer->type->bytes;
}

static bool window_fits(const struct fitting *fitting)
{
    const struct launch_window *window = &fitting->launch->window;
    const struct buffer *buffer = &fitting->space->buffers[window->buffer];
    uint64_t most = (uint64_t)fitting->limits->l2_window_bytes;
    uint64_t persisting = (uint64_t)fitting->limits->l2_persisting_bytes;
    if (window->bytes == 0)
        return true;
    if (most == 0)
        return no(fitting, "the device has no L2 access policy window");
    if (window->bytes > most)
        return no(fitting, "an L2 window of %llu bytes, the device allows %llu", (unsigned long long)window->bytes,
                  (unsigned long long)most);
    if (window->bytes > bytes_of(buffer))
        return no(fitting, "an L2 window of %llu bytes, but '%s' has %llu", (unsigned long long)window->bytes,
                  buffer->name, (unsigned long long)bytes_of(buffer));
    if (window->set_aside_bytes > persisting)
        return no(fitting, "%llu bytes of the L2 set aside, the device allows %llu",
                  (unsigned long long)window->set_aside_bytes, (unsigned long long)persisting);
    return true;
}

static bool cluster_fits(const struct fitting *fitting)
{
    const struct launch *launch = fitting->launch;
    if (launch->cluster[0] == 0)
        return true;
    if (!fitting->limits->cluster_launch)
        return no(fitting, "the device has no clusters of blocks (compute capability %lld.%lld)",
                  (long long)fitting->limits->cc / 10, (long long)fitting->limits->cc % 10);
    for (int i = 0; i < 3; i++)
        if (launch->grid[i] % launch->cluster[i])
            return no(fitting, "%u blocks in %c are no multiple of the cluster's %u", launch->grid[i], 'x' + i,
                      launch->cluster[i]);
    return true;
}

static bool constants_fit(const struct fitting *fitting)
{
    for (size_t i = 0; i < fitting->launch->constant_count; i++) {
        const struct buffer *buffer = &fitting->space->buffers[fitting->launch->constants[i].buffer];
        if (bytes_of(buffer) > (uint64_t)fitting->limits->constant_bytes)
            return no(fitting, "'%s' has %llu bytes, the device's constant memory %lld", buffer->name,
                      (unsigned long long)bytes_of(buffer), (long long)fitting->limits->constant_bytes);
    }
    return true;
}

static bool texture_fits(const struct fitting *fitting, const struct launch_texture *texture)
{
    const struct device_limits *limits = fitting->limits;
    uint64_t pitch = texture->width * element_types[texture->type].bytes;
    if (texture->height == 0)
        return texture->width <= (uint64_t)limits->texture_width ||
               no(fitting, "a texture of %llu elements, the device allows %lld", (unsigned long long)texture->width,
                  (long long)limits->texture_width);
    if (texture->width > (uint64_t)limits->texture_width_2d || texture->height > (uint64_t)limits->texture_height_2d)
        return no(fitting, "a texture of %llu x %llu elements, the device allows %lld x %lld",
                  (unsigned long long)texture->width, (unsigned long long)texture->height,
                  (long long)limits->texture_width_2d, (long long)limits->texture_height_2d);
    if (pitch > (uint64_t)limits->texture_pitch)
        return no(fitting, "a texture's rows of %llu bytes, the device allows %lld", (unsigned long long)pitch,
                  (long long)limits->texture_pitch);
    if (texture->height > 1 && limits->texture_pitch_alignment && pitch % (uint64_t)limits->texture_pitch_alignment)
        return no(fitting, "a texture's rows of %llu bytes are no multiple of the device's %lld",
                  (unsigned long long)pitch, (long long)limits->texture_pitch_alignment);
    return true;
}

static bool pipeline_fits(const struct fitting *fitting)
{
    const struct device_limits *limits = fitting->limits;
    const struct launch_pipeline *pipeline = &fitting->launch->pipeline;
    const struct {
        bool needed, there;
        const char *why;
    } needs[] = {
        {pipeline->host_memory == HOST_MAPPED, limits->host_mapped, "the device cannot map host memory"},
        {pipeline->host_memory == HOST_REGISTERED, limits->host_registered, "the device cannot register host memory"},
        {pipeline->host_memory == HOST_MANAGED, limits->managed_memory && limits->managed_concurrent,
         "the device cannot prefetch managed memory"},
        {pipeline->allocation == ALLOCATION_POOL, limits->memory_pools, "the device has no memory pools"},
        {pipeline->streams > 1, limits->copy_engines > 0,
         "the device has no copy engine: streams would not overlap anything"},
    };
    for (size_t i = 0; pipeline->total && i < sizeof needs / sizeof *needs; i++)
        if (needs[i].needed && !needs[i].there)
            return no(fitting, "%s", needs[i].why);
    return true;
}

bool space_launch_fits(const struct space *space, const struct launch *launch, char *why, size_t room)
{
    const struct fitting fitting = {
        .space = space, .limits = &space->limits, .launch = launch, .why = why, .room = room};
    if (!window_fits(&fitting) || !cluster_fits(&fitting) || !constants_fit(&fitting))
        return false;
    for (size_t i = 0; i < launch->texture_count; i++)
        if (!texture_fits(&fitting, &launch->textures[i]))
            return false;
    return pipeline_fits(&fitting);
}
