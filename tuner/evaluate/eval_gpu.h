/* Evaluates on GPUs: a device process for each, and one pool of compilers for all. */
#ifndef CUTUNE_EVALUATE_EVAL_GPU_H
#define CUTUNE_EVALUATE_EVAL_GPU_H

#include "evaluate/evaluators.h"

/* Without devices it only collects evidence of launch and machine code. */
int evaluator_open_gpu(struct evaluator *evaluator, const struct evaluator_setup *setup, struct error *error);

/* Before anything else, at most once: starts the compilers with what the devices' set-up needs and with configurations
 * that will probably be submitted first. Their results are kept until then, and dropped if they are not. The devices
 * need not have answered. */
int evaluator_gpu_foresee(struct evaluator *evaluator, const uint64_t *indices, size_t count, struct error *error);
/* Waits until all devices have answered, while the compilers work. The errors of device_open. */
int evaluator_gpu_await(struct evaluator *evaluator, struct error *error);

/* Was an immediate end requested? */
static inline bool gpu_given_up(const struct evaluator_setup *setup)
{
    return setup->stop && *setup->stop >= 2;
}

#endif
