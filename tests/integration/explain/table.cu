// Sums of entries of a small table: lanes read DISTINCT different entries at once.
//
// FROM      constant, shared or global memory
// DISTINCT  1, 8, 32

enum from { constant, block, global };
enum { entries = 256 };

__constant__ float constants[entries];

static __device__ int first(int thread)
{
    return thread % DISTINCT * 17;
}

extern "C" __global__ void table_naive(float *out, const float *table, int steps)
{
    const int thread = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int s = 0; s < steps; s++)
        sum += table[(first(thread) + s) & (entries - 1)];
    out[thread] = sum;
}

extern "C" __global__ void __launch_bounds__(256) table_sums(float *out, const float *__restrict__ table, int steps)
{
    __shared__ float held[FROM == block ? entries : 1];
    const int thread = blockIdx.x * 256 + threadIdx.x;
    if (FROM == block) {
        held[threadIdx.x] = table[threadIdx.x];
        __syncthreads();
    }
    float sum = 0;
    int at = first(thread);
#pragma unroll 4
    for (int s = 0; s < steps; s++) {
        const int i = at++ & (entries - 1);
        sum += FROM == constant ? constants[i] : FROM == block ? held[i] : table[i];
    }
    out[thread] = sum;
}
