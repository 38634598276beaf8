/* keep_l2: the L2 is not flushed between runs. */
#include "language/techniques.h"

static int parse(struct parser *parser)
{
    return technique_make(parser, TECHNIQUE_keep_l2, 1) ? 0 : ERROR_MEMORY;
}

const struct technique technique_keep_l2 = {
    .statement = {.keyword = "keep_l2",
                  .most = 1,
                  .phase = PHASE_USES,
                  .parse = parse,
                  .usage = "keep_l2",
                  .summary = "the L2 cache stays as it is",
                  .text = "cutune does not flush it between runs.",
                  .example = "keep_l2"},
    .keeps_l2 = true,
};
