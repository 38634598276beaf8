// Values added to one of some slots.
//
// WHERE  0: integers, in global memory; 1: floats without a fraction, in global memory; 2: integers, in shared memory
// The number of slots is an argument, so that the machine code stays the same.

#if WHERE == 1
typedef float number;
#else
typedef int number;
#endif

extern "C" __global__ void __launch_bounds__(256) atomics(int *words, const unsigned char *in, int count, int mask)
{
    number *const slots = (number *)words;
    __shared__ int own[WHERE == 2 ? 4096 : 1];
    const int threads = gridDim.x * 256;
    if (WHERE == 2) {
        for (int i = threadIdx.x; i <= mask; i += 256)
            own[i] = 0;
        __syncthreads();
    }
#pragma unroll 4
    for (int i = blockIdx.x * 256 + threadIdx.x; i < count; i += threads)
        if (WHERE == 2)
            atomicAdd(&own[i & mask], (int)in[i]);
        else
            atomicAdd(&slots[i & mask], (number)in[i]);
    if (WHERE == 2) {
        __syncthreads();
        for (int i = threadIdx.x; i <= mask; i += 256)
            atomicAdd(&slots[i], (number)own[i]);
    }
}

extern "C" __global__ void atomics_naive(int *words, const unsigned char *in, int count, int mask)
{
    number *const slots = (number *)words;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < count; i += gridDim.x * 256)
        atomicAdd(&slots[i & mask], (number)in[i]);
}
