#include "commands/check_usage.h"

#include <math.h>

#include "compile/accesses.h"
#include "device/occupancy.h"

int check_usages(const struct check_compile *wanted, const struct launch *launch, const struct compile_result *result,
                 bool *lists, struct arena *arena, struct check_usage **usages, struct error *error)
{
    struct text listing = {0};
    struct error ignored = {0};
    const struct device_limits *limits = wanted->limits;
    *usages = arena_array(arena, launch->step_count, sizeof **usages);
    if (!*usages)
        return error_memory(error);
    if (*lists && accesses_list(result->cubin, result->cubin_bytes, &listing, &ignored))
        *lists = ignored.code != ERROR_NOT_FOUND;
    bool listed = ignored.code == ERROR_NONE && *lists;
    for (size_t s = 0; s < launch->step_count; s++) {
        const struct launch_step *step = &launch->steps[s];
        const char *name = result->lowered_names + text_strings_bytes(result->lowered_names, step->kernel);
        struct check_usage *usage = &(*usages)[s];
        struct text accesses = {0};
        *usage = (struct check_usage){.kernel = wanted->space->kernels[launch->kernels[step->kernel]],
                                      .resources = result->resources[step->kernel],
                                      .dynamic_bytes = (int64_t)step->shared_bytes,
                                      .occupancy = NAN};
        usage->has_spills = spills_read(result->log, name, &usage->spills);
        if (limits)
            usage->occupancy =
                occupancy_of(limits, (int64_t)step->block[0] * step->block[1] * step->block[2],
                             usage->resources.registers, usage->resources.shared_bytes, usage->dynamic_bytes)
                    .fraction;
        if (listed) {
            accesses_append(text_string(&listing), name, &accesses);
            usage->accesses = arena_copy(arena, text_string(&accesses), accesses.length);
        }
        text_free(&accesses);
    }
    text_free(&listing);
    return 0;
}
