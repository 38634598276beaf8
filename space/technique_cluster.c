/* cluster: blocks that run together on neighbouring SMs and can access one another's shared memory. */
#include "space/step.h"
#include "space/techniques.h"

static bool fits(const struct fitting *fitting)
{
    for (size_t s = 0; s < fitting->launch->step_count; s++) {
        const struct launch_step *step = &fitting->launch->steps[s];
        if (step->cluster[0] && !fitting->limits->cluster_launch)
            return technique_refuse(fitting, "the device has no thread block clusters (compute capability %lld.%lld)",
                                    (long long)fitting->limits->cc / 10, (long long)fitting->limits->cc % 10);
        for (int i = 0; i < 3 && step->cluster[0] && step->grid[0]; i++)
            if (step->grid[i] % step->cluster[i])
                return technique_refuse(fitting, "%u blocks in %c are not a multiple of the cluster's %u",
                                        step->grid[i], 'x' + i, step->cluster[i]);
    }
    return true;
}

const struct technique technique_cluster = {
    .statement =
        {
            .keyword = "cluster",
            .most = 1,
            .phase = PHASE_USES,
            .flags = STATEMENT_SINGLE,
            .parse = parse_cluster,
            .usage = "cluster X   or: cluster X, Y   or: cluster X, Y, Z",
            .summary = "the blocks of a thread block cluster",
            .text = "Dimensions that are left out are 1, and a cluster of one block is the same as no cluster. The "
                    "grid must be a multiple of the cluster in each dimension. "
                    "On a device without clusters, configurations with a cluster become `pruned_limit`.",
            .example = "param CLUSTER = 1, 2, 4\n"
                       "cluster CLUSTER",
        },
    .fits = fits,
};
