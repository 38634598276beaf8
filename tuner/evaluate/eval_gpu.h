/* Evaluates on GPUs: one device process for each, and one pool of compilers for all. */
#ifndef CUTUNE_EVALUATE_EVAL_GPU_H
#define CUTUNE_EVALUATE_EVAL_GPU_H

#include "base/clock.h"
#include "evaluate/evaluators.h"

/* Without devices, the evaluator only collects evidence of launch and machine code. */
int evaluator_open_gpu(struct evaluator *evaluator, const struct evaluator_setup *setup, struct error *error);

/* Call first, at most once. Starts compiling the code for the devices' set-up and for configurations that will probably
 * be submitted first. Keeps their results until then, and drops unused ones. The devices need not have answered. */
int evaluator_gpu_foresee(struct evaluator *evaluator, const uint64_t *indices, size_t count, struct error *error);
/* Waits until all devices have answered, while the compilers work. Errors of device_open. */
int evaluator_gpu_await(struct evaluator *evaluator, struct error *error);

/* True if an immediate end was requested, or the time is over. */
static inline bool gpu_given_up(const struct evaluator_setup *setup)
{
    return (setup->stop && *setup->stop >= 2) || (setup->end_ns && clock_now_ns() >= setup->end_ns);
}

/* Shortens a time limit to the time left. */
static inline int64_t gpu_limit_ns(const struct evaluator_setup *setup, int64_t timeout_ns)
{
    int64_t left_ns = setup->end_ns ? setup->end_ns - clock_now_ns() : INT64_MAX;
    return left_ns > timeout_ns ? timeout_ns : left_ns > 1 ? left_ns : 1;
}

#endif
