// Diffusion on a grid of n x n cells with a constant border: temporal blocking, which computes STEPS time steps per
// launch.
#include <cooperative_groups.h>

#ifndef WRONG // 1: the first step does nothing
#define WRONG 0
#endif

__device__ float diffuse(float here, float left, float right, float up, float down)
{
    return here + 0.2f * ((left + right) + (up + down) - 4.0f * here);
}

// A block loads its tile with a halo of STEPS cells into shared memory. Each step leaves a halo that is one cell thinner.
__device__ void advance(float *next, const float *state, int n)
{
    constexpr int WIDTH = TILE_X + 2 * STEPS, HEIGHT = TILE_Y + 2 * STEPS;
    __shared__ float cells[2][HEIGHT][WIDTH];
    const int left = (int)blockIdx.x * TILE_X - STEPS, top = (int)blockIdx.y * TILE_Y - STEPS;
    for (int i = threadIdx.x; i < WIDTH * HEIGHT; i += THREADS) {
        const int x = min(max(left + i % WIDTH, 0), n - 1), y = min(max(top + i / WIDTH, 0), n - 1);
        cells[0][i / WIDTH][i % WIDTH] = state[(size_t)y * n + x];
    }
#pragma unroll
    for (int step = 1; step <= STEPS; step++) {
        const float(*from)[WIDTH] = cells[(step - 1) % 2];
        float(*to)[WIDTH] = cells[step % 2];
        const int width = WIDTH - 2 * step, height = HEIGHT - 2 * step;
        __syncthreads();
        for (int i = threadIdx.x; i < width * height; i += THREADS) {
            const int column = step + i % width, row = step + i / width, x = left + column, y = top + row;
            float cell = from[row][column];
            if (x > 0 && y > 0 && x < n - 1 && y < n - 1 && !(WRONG && step == 1))
                cell = diffuse(cell, from[row][column - 1], from[row][column + 1], from[row - 1][column], from[row + 1][column]);
            if (step < STEPS)
                to[row][column] = cell;
            else if (x < n && y < n)
                next[(size_t)y * n + x] = cell;
        }
    }
}

extern "C" __global__ void stencil(float *next, const float *state, int n)
{
    advance(next, state, n);
}

// Starts STEPS steps before the end, so that every variant ends at the same time and has the same output.
extern "C" __global__ void stencil_to_8(float *next, const float *s0, const float *s1, const float *s2, const float *s3,
                                        const float *s4, const float *s5, const float *s6, const float *s7, int n)
{
    const float *const states[] = {s0, s1, s2, s3, s4, s5, s6, s7};
    advance(next, states[8 - STEPS], n);
}

// ---- Simplest version: one step in global memory ----

__device__ float naive(const float *state, size_t i, int n)
{
    const int x = (int)(i % n), y = (int)(i / n);
    const bool border = x == 0 || y == 0 || x == n - 1 || y == n - 1;
    return border ? state[i] : diffuse(state[i], state[i - 1], state[i + 1], state[i - n], state[i + n]);
}

extern "C" __global__ void next_state(float *next, int count, const float *state, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        next[i] = naive(state, i, n);
}

// The number of steps must be even, so that the last one writes to `state`.
extern "C" __global__ void all_steps(float *state, float *next, int n, int steps)
{
    for (int step = 0; step < steps; step++) {
        const float *from = step % 2 ? next : state;
        float *to = step % 2 ? state : next;
        for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < (size_t)n * n; i += (size_t)gridDim.x * blockDim.x)
            to[i] = naive(from, i, n);
        cooperative_groups::this_grid().sync();
    }
}
