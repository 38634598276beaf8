/* keep_l2: the L2 is not flushed between runs. */
#include "space/techniques.h"

static int parse(struct parser *parser)
{
    return technique_make(parser, TECHNIQUE_keep_l2, 1) ? 0 : ERROR_MEMORY;
}

const struct technique technique_keep_l2 = {
    .statement = {"keep_l2", 0, 1, PHASE_USES, 0, parse, "keep_l2", NULL},
    .keeps_l2 = true,
};
