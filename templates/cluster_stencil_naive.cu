// The reference of cluster_stencil.space: all steps in one cooperative launch, in turn from one field to the other.
#include <cooperative_groups.h>

static __device__ float cell(const float *field, int x, int y, int width, int height)
{
    return x < 0 || x >= width || y < 0 || y >= height ? 0 : field[(size_t)y * width + x];
}

extern "C" __global__ void cluster_stencil_naive(float *field, float *next, int width, int height, int steps)
{
    const size_t count = (size_t)width * height, stride = (size_t)gridDim.x * blockDim.x;
    const size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (int step = 0; step < steps; step++) {
        const float *const from = step % 2 ? next : field;
        float *const to = step % 2 ? field : next;
        for (size_t i = first; i < count; i += stride) {
            const int x = (int)(i % width), y = (int)(i / width);
            float around = 0;
            for (int r = 1; r <= RADIUS; r++)
                around += cell(from, x - r, y, width, height) + cell(from, x + r, y, width, height) +
                          cell(from, x, y - r, width, height) + cell(from, x, y + r, width, height);
            to[i] = 0.5f * from[i] + 0.125f / RADIUS * around;
        }
        cooperative_groups::this_grid().sync();
    }
    if (steps % 2)
        for (size_t i = first; i < count; i += stride)
            field[i] = next[i];
}
