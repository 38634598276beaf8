/* Launches by cuLaunchKernel alone, and the reading of tensors alone, for tools/bench/launch_cost.py, which passes the
 * functions. */
#include <stddef.h>
#include <time.h>

#include "dlpack.h"

typedef int launch_function(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                            unsigned block_y, unsigned block_z, unsigned shared_bytes, void *stream, void **arguments,
                            void **extra);

double raw_launch_ns(launch_function *launch, void *function, void *stream, void **arguments, size_t count);
double read_ns(const struct dlpack_table *table, void **tensors, size_t tensor_count, size_t count);

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* Nanoseconds of a launch, the mean of `count`; negative: the driver's error. */
double raw_launch_ns(launch_function *launch, void *function, void *stream, void **arguments, size_t count)
{
    double begin_ns = now_ns();
    for (size_t i = 0; i < count; i++) {
        int result = launch(function, 1, 1, 1, 32, 1, 1, 0, stream, arguments, NULL);
        if (result)
            return -result;
    }
    return (now_ns() - begin_ns) / (double)count;
}

/* Nanoseconds in which a framework's exchange table reads all tensors, the mean of `count`; negative: an error. */
double read_ns(const struct dlpack_table *table, void **tensors, size_t tensor_count, size_t count)
{
    double begin_ns = now_ns();
    for (size_t i = 0; i < count; i++)
        for (size_t t = 0; t < tensor_count; t++) {
            struct dlpack_tensor tensor;
            if (table->tensor_from_object(tensors[t], &tensor))
                return -1;
        }
    return (now_ns() - begin_ns) / (double)count;
}
