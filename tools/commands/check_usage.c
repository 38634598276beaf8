#include "commands/check_usage.h"

#include <math.h>

#include "base/bundle.h"
#include "compile/accesses.h"
#include "device/occupancy.h"

/* Lists the instructions of all parts; false: they cannot be listed. */
static bool list_parts(const struct bundle *bundle, bool *lists, struct text listings[BUNDLE_PARTS_MAX])
{
    struct error ignored = {0};
    bool listed = *lists;
    for (size_t p = 0; p < bundle->part_count && listed; p++)
        listed = !accesses_list(bundle->parts[p].bytes, bundle->parts[p].length, &listings[p], &ignored);
    *lists &= ignored.code != ERROR_NOT_FOUND;
    return listed;
}

int check_usages(const struct check_compile *wanted, const struct launch *launch, const struct compile_result *result,
                 bool *lists, struct arena *arena, struct check_usage **usages, struct error *error)
{
    struct text listings[BUNDLE_PARTS_MAX] = {{0}};
    struct bundle bundle;
    const struct device_limits *limits = wanted->limits;
    *usages = arena_array(arena, launch->step_count, sizeof **usages);
    if (!*usages)
        return error_memory(error);
    bool listed = bundle_read(result->cubin, result->cubin_bytes, &bundle) && list_parts(&bundle, lists, listings);
    for (size_t s = 0; s < launch->step_count; s++) {
        const struct launch_step *step = &launch->steps[s];
        const char *name = result->lowered_names + text_strings_bytes(result->lowered_names, step->kernel);
        const uint32_t part = bundle.of[step->kernel];
        struct check_usage *usage = &(*usages)[s];
        struct text accesses = {0};
        *usage = (struct check_usage){.kernel = wanted->space->kernel_titles[launch->kernels[step->kernel]],
                                      .resources = result->resources[step->kernel],
                                      .dynamic_bytes = (int64_t)step->shared_bytes,
                                      .occupancy = NAN};
        usage->has_spills = spills_read(bundle_log(result->log, part), name, &usage->spills);
        if (limits)
            usage->occupancy =
                occupancy_of(limits, (int64_t)step->block[0] * step->block[1] * step->block[2],
                             usage->resources.registers, usage->resources.shared_bytes, usage->dynamic_bytes)
                    .fraction;
        if (listed) {
            accesses_append(text_string(&listings[part]), name, &accesses);
            usage->accesses = arena_copy(arena, text_string(&accesses), accesses.length);
        }
        text_free(&accesses);
    }
    for (size_t p = 0; p < BUNDLE_PARTS_MAX; p++)
        text_free(&listings[p]);
    return 0;
}
