#include "session/workshop.h"

int workshop_take(struct workshop *workshop, const char *device, const struct device_share *share, bool streams,
                  struct error *error)
{
    int code = 0;
    for (size_t d = 0; d < workshop->device_count && !code; d++)
        code = device_renew(workshop->devices[d], error);
    if (code || workshop->device_count)
        return code;
    code = device_choose(device, &workshop->chosen, error);
    if (!code)
        code = device_divide(&workshop->chosen, share, error);
    for (size_t d = 0; d < workshop->chosen.count && !code; d++) {
        code = device_start(&workshop->devices[d], workshop->chosen.names[d], streams, error);
        workshop->device_count += code == 0;
    }
    return code;
}

int workshop_open_device(struct workshop *workshop, const char *device, struct error *error)
{
    char chosen[DEVICE_NAME_BYTES];
    int code = device_choose_one(device, chosen, error);
    if (!code)
        code = workshop_take(workshop, chosen, &(struct device_share){0}, true,
                             error); /* with streams: the session may use them */
    if (!code)
        code = device_await(workshop->devices[0], error);
    if (code)
        workshop_close(workshop);
    return code;
}

int workshop_ask_compiler(struct workshop *workshop, bool nvcc, struct error *error)
{
    if (workshop->knows_compiler && workshop->nvcc == nvcc)
        return 0;
    int code =
        nvcc ? compile_nvcc_version(&workshop->compiler, error) : compile_nvrtc_version(&workshop->compiler, error);
    workshop->knows_compiler = code == 0;
    workshop->nvcc = nvcc;
    return code;
}

void workshop_leave(struct workshop *workshop)
{
    for (size_t d = 0; d < workshop->device_count; d++)
        device_leave(workshop->devices[d]);
}

void workshop_close(struct workshop *workshop)
{
    compile_pool_close(workshop->pool);
    for (size_t d = 0; d < workshop->device_count; d++)
        device_close(workshop->devices[d]);
    *workshop = (struct workshop){0};
}
