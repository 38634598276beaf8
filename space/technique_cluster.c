/* cluster: blocks that run together on neighbouring SMs and can access one another's shared memory. */
#include <string.h>

#include "space/techniques.h"

struct cluster_statement {
    const struct expr *sizes[3]; /* NULL: 1 */
};

static int parse(struct parser *parser)
{
    struct cluster_statement *cluster = technique_make(parser, TECHNIQUE_cluster, sizeof *cluster);
    return cluster ? parse_dimensions(parser, &parser_rules, cluster->sizes) : ERROR_MEMORY;
}

static int evaluate(const struct expr_inputs *inputs, struct launch *launch, struct error *error)
{
    const struct cluster_statement *cluster = technique_data(inputs->space, TECHNIQUE_cluster);
    uint32_t sizes[3] = {1, 1, 1};
    for (int i = 0; i < 3 && cluster->sizes[i]; i++) {
        int64_t size;
        TRY(expr_integer(cluster->sizes[i], inputs, "a cluster's size", 1, UINT32_MAX, &size, error));
        sizes[i] = (uint32_t)size;
    }
    if (sizes[0] != 1 || sizes[1] != 1 || sizes[2] != 1)
        memcpy(launch->cluster, sizes, sizeof sizes);
    return 0;
}

static bool fits(const struct fitting *fitting)
{
    const struct launch *launch = fitting->launch;
    if (launch->cluster[0] == 0)
        return true;
    if (!fitting->limits->cluster_launch)
        return technique_refuse(fitting, "the device has no thread block clusters (compute capability %lld.%lld)",
                                (long long)fitting->limits->cc / 10, (long long)fitting->limits->cc % 10);
    for (int i = 0; i < 3; i++)
        if (launch->grid[i] % launch->cluster[i])
            return technique_refuse(fitting, "%u blocks in %c are not a multiple of the cluster's %u", launch->grid[i],
                                    'x' + i, launch->cluster[i]);
    return true;
}

const struct technique technique_cluster = {
    .statement =
        {
            .keyword = "cluster",
            .most = 1,
            .phase = PHASE_USES,
            .parse = parse,
            .usage = "cluster X   or: cluster X, Y   or: cluster X, Y, Z",
            .summary = "the blocks of a thread block cluster",
            .text = "Dimensions that are left out are 1, and a cluster of one block is the same as no cluster. The "
                    "grid must be a multiple of the cluster in each dimension. "
                    "On a device without clusters, configurations with a cluster become `pruned_limit`.",
            .example = "param CLUSTER = 1, 2, 4\n"
                       "cluster CLUSTER",
        },
    .evaluate = evaluate,
    .fits = fits,
};
