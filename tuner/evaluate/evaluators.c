#include "evaluate/evaluators.h"

static const struct evaluator_kind *const kinds[] = {
#define EVALUATOR(name) &evaluator_##name,
#include "lists/evaluators.def"
#undef EVALUATOR
};

int evaluators_open(struct evaluator *evaluator, const struct evaluator_setup *setup, struct error *error)
{
    size_t kind = sizeof kinds / sizeof *kinds - 1;
    while (kind > 0 && !kinds[kind]->suits(setup))
        kind--;
    return kinds[kind]->open(evaluator, setup, error);
}
