/* carveout: the preferred share of an SM's on-chip memory for shared memory. */
#include "language/techniques.h"

struct carveout_statement {
    const struct expr *percent;
};

static int parse(struct parser *parser)
{
    struct carveout_statement *carveout = technique_make(parser, TECHNIQUE_carveout, sizeof *carveout);
    return carveout ? parser_expression(parser, &parser_rules, &carveout->percent) : ERROR_MEMORY;
}

static int evaluate(const struct expr_inputs *inputs, struct launch *launch, struct error *error)
{
    const struct carveout_statement *carveout = technique_data(inputs->space, TECHNIQUE_carveout);
    int64_t percent;
    TRY(expr_integer(carveout->percent, inputs, "the carve-out in percent", -1, 100, &percent, error));
    launch->has_carveout = percent >= 0;
    launch->carveout = (uint16_t)(percent >= 0 ? percent : 0);
    return 0;
}

const struct technique technique_carveout = {
    .statement =
        {
            .keyword = "carveout",
            .most = 1,
            .phase = PHASE_USES,
            .parse = parse,
            .usage = "carveout PERCENT   (-1: as the driver chooses)",
            .summary = "the preferred share of shared memory in the on-chip memory of a "
                       "multiprocessor",
            .text = "The share is in per cent of the largest shared memory; -1 leaves the "
                    "choice to the driver. The rest of the memory is the L1 cache.",
            .example = "param CARVEOUT = -1, 0, 50, 100\n"
                       "carveout CARVEOUT",
        },
    .evaluate = evaluate,
};
