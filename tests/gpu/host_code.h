/* Host code that host_code.cu includes. */
#pragma once
#include <string>

inline std::string name_of_program()
{
    return "normalise";
}

/* The largest value of a block of THREADS threads. */
template <int THREADS> static __device__ float block_largest(float value)
{
    __shared__ float values[THREADS];
    values[threadIdx.x] = value;
    for (int step = THREADS / 2; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step)
            values[threadIdx.x] = fmaxf(values[threadIdx.x], values[threadIdx.x + step]);
    }
    __syncthreads();
    return values[0];
}
