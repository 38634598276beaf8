// An array of a thread's own: registers if every index is known when the kernel is compiled, local memory (which is device memory
// behind the caches) if not, and also when the registers do not suffice. Every thread centres a column of LENGTH values:
// out = in - mean. The values are wanted twice.
//
// KEEP       array: an array of the thread keeps them; shared: shared memory does; reread: they are read again
// UNROLL     unroll factor of the loops over the column; from LENGTH on, all indices are known
// BLOCK      threads of a block, a column each
// MAXREG     registers that the compiler may give to a thread (an option); what does not fit is spilled to local memory

enum keep { array, shared, reread };
enum { unroll = UNROLL }; // nvcc expands no macros in a #pragma; NVRTC does

extern "C" __global__ void local_array_naive(float *out, const float *in, long long columns)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= columns)
        return;
    float sum = 0;
    for (int k = 0; k < LENGTH; k++)
        sum += in[k * columns + i];
    for (int k = 0; k < LENGTH; k++)
        out[k * columns + i] = in[k * columns + i] - sum / LENGTH;
}

extern "C" __global__ void local_array(float *out, const float *in, long long columns)
{
    extern __shared__ float columns_of_block[]; // LENGTH rows of BLOCK
    const long long i = (long long)blockIdx.x * BLOCK + threadIdx.x;
    float own[KEEP == array ? LENGTH : 1], sum = 0;
    if (i >= columns)
        return;
#pragma unroll unroll
    for (int k = 0; k < LENGTH; k++) {
        const float value = in[k * columns + i];
        sum += value;
        if (KEEP == array)
            own[k] = value;
        if (KEEP == shared)
            columns_of_block[k * BLOCK + threadIdx.x] = value;
    }
    const float mean = sum / LENGTH;
#pragma unroll unroll
    for (int k = 0; k < LENGTH; k++)
        out[k * columns + i] = (KEEP == array    ? own[k]
                                : KEEP == shared ? columns_of_block[k * BLOCK + threadIdx.x]
                                                 : in[k * columns + i]) - mean;
}
