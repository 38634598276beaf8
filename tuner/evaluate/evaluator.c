#include "evaluate/evaluator.h"

#include <stdlib.h>
#include <string.h>

#define EVALUATOR(name) extern const struct evaluator_ops evaluator_##name;
#include "lists/evaluators.def"
#undef EVALUATOR

const struct evaluator_ops *const evaluators[] = {
#define EVALUATOR(name) &evaluator_##name,
#include "lists/evaluators.def"
#undef EVALUATOR
};
const size_t evaluator_count = sizeof evaluators / sizeof *evaluators;

int evaluator_open(struct evaluator *evaluator, const char *name, const struct evaluator_setup *setup,
                   struct error *error)
{
    memset(evaluator, 0, sizeof *evaluator);
    for (size_t i = 0; i < evaluator_count; i++)
        if (strcmp(evaluators[i]->name, name) == 0)
            evaluator->ops = evaluators[i];
    if (!evaluator->ops)
        return error_set(error, ERROR_USAGE, "there is no evaluator '%s'", name);
    evaluator->state = calloc(1, evaluator->ops->state_size);
    if (!evaluator->state)
        return error_memory(error);
    int code = evaluator->ops->open(evaluator->state, setup, error);
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
