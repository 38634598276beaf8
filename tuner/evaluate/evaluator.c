#include "evaluate/evaluator.h"

#include <stdlib.h>
#include <string.h>

int evaluator_open(struct evaluator *evaluator, const struct evaluator_ops *ops, const void *setup, struct error *error)
{
    *evaluator = (struct evaluator){.ops = ops, .state = calloc(1, ops->state_size)};
    if (!evaluator->state)
        return error_memory(error);
    int code = ops->open(evaluator->state, setup, error);
    if (code)
        evaluator_close(evaluator);
    return code;
}

void evaluator_close(struct evaluator *evaluator)
{
    if (evaluator->state)
        evaluator->ops->close(evaluator->state);
    free(evaluator->state);
    memset(evaluator, 0, sizeof *evaluator);
}
