/* cluster: blocks that run together on neighbouring SMs and can access one another's shared memory. */
#include "language/own_kernel.h"
#include "language/step.h"
#include "language/techniques.h"

static int demand_step(struct demand_list *list, const struct step *step)
{
    static const char *const multiples[] = {"$ blocks in x are not a multiple of the cluster's $",
                                            "$ blocks in y are not a multiple of the cluster's $",
                                            "$ blocks in z are not a multiple of the cluster's $"};
    const char *sizes[3];
    if (!step->cluster[0] || demand_varies(step))
        return 0;
    list->place = step->cluster[0];
    TRY(demand_launched(list, step));
    for (int i = 0; i < 3; i++)
        if (!(sizes[i] = demand_part(list, step->cluster[i], "1")))
            return error_memory(list->error);
    DEMAND(list, demand_text(list, "%s == 1 && %s == 1 && %s == 1 || cluster_launch", sizes[0], sizes[1], sizes[2]),
           "the device has no thread block clusters (compute capability $.$)", "cc / 10", "cc % 10");
    for (int i = 0; i < 3 && !step->resident && !step->compiler_sizes_grid; i++) {
        const char *grid = demand_part(list, step->grid[i], "1");
        if (step->cluster[i])
            DEMAND(list, grid ? demand_text(list, "%s %% %s == 0", grid, sizes[i]) : NULL, multiples[i], grid,
                   sizes[i]);
    }
    return 0;
}

static int demand(struct demand_list *list)
{
    struct space *space = list->space;
    for (size_t s = 0; s < space->step_count; s++)
        TRY(demand_step(list, &space->steps[s]));
    list->of = 1u << LAUNCH_OF_REFERENCE;
    for (size_t s = 0; s < space->reference_count; s++)
        TRY(demand_step(list, &space->reference[s]));
    list->of = 1u << LAUNCH_OF_ACCEPT;
    return space->accept ? demand_step(list, &space->accept->step) : 0;
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
    .demand = demand,
};
