/* Launches by cuLaunchKernel alone, for tools/bench/launch_cost.py, which passes the driver's functions. */
#include <stddef.h>
#include <time.h>

typedef int launch_function(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                            unsigned block_y, unsigned block_z, unsigned shared_bytes, void *stream, void **arguments,
                            void **extra);

double raw_launch_ns(launch_function *launch, void *function, void *stream, void **arguments, size_t count);

/* Nanoseconds of a launch, the mean of `count`; negative: the driver's error. */
double raw_launch_ns(launch_function *launch, void *function, void *stream, void **arguments, size_t count)
{
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (size_t i = 0; i < count; i++) {
        int result = launch(function, 1, 1, 1, 32, 1, 1, 0, stream, arguments, NULL);
        if (result)
            return -result;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (1e9 * (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec)) / (double)count;
}
