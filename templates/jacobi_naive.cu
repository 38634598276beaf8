// The reference of jacobi.space: all steps in one cooperative launch, in turn from one field to the other.
#include <cooperative_groups.h>

extern "C" __global__ void jacobi_naive(float *field, float *next, int width, int height, int steps)
{
    const size_t count = (size_t)width * height, stride = (size_t)gridDim.x * blockDim.x;
    const size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (int step = 0; step < steps; step++) {
        const float *const from = step % 2 ? next : field;
        float *const to = step % 2 ? field : next;
        for (size_t i = first; i < count; i += stride) {
            const int x = (int)(i % width), y = (int)(i / width);
            const bool border = x == 0 || y == 0 || x == width - 1 || y == height - 1;
            to[i] = border ? from[i] : 0.25f * (from[i - 1] + from[i + 1] + from[i - width] + from[i + width]);
        }
        cooperative_groups::this_grid().sync();
    }
    if (steps % 2)
        for (size_t i = first; i < count; i += stride)
            field[i] = next[i];
}
