// Each block leaves its sum in scratch; the last block adds them up.
enum fault { healthy, beyond, far_beyond, before, stale, unwritten };

extern "C" __global__ void sum_all(unsigned *out, unsigned *tickets, unsigned *partial, const unsigned *in, int count)
{
    unsigned sum = 0;
    for (int i = 0; i < count; i++)
        sum += in[i];
    *out = sum;
}

#ifdef FAULT
static __device__ unsigned sum_of_block(unsigned value)
{
    __shared__ unsigned sums[256];
    sums[threadIdx.x] = value;
    for (unsigned width = 128; width; width /= 2) {
        __syncthreads();
        if (threadIdx.x < width)
            sums[threadIdx.x] += sums[threadIdx.x + width];
    }
    __syncthreads();
    return sums[0];
}

extern "C" __global__ void total(unsigned *out, unsigned *tickets, unsigned *partial, const unsigned *in, int count)
{
    __shared__ bool last;
    unsigned sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        sum += in[i];
    sum = sum_of_block(sum);
    if (threadIdx.x == 0) {
        if (FAULT == stale)
            partial[blockIdx.x] += sum; // relies on zeroed scratch
        else if (FAULT != unwritten || blockIdx.x)
            partial[blockIdx.x] = sum;
        if (FAULT == beyond && blockIdx.x == 0)
            partial[gridDim.x] = 1;
        if (FAULT == far_beyond && blockIdx.x == 0)
            partial[1024] = 1;
        if (FAULT == before && blockIdx.x == 0)
            partial[-1] = 1;
        __threadfence();
        last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1; // wraps to 0
    }
    __syncthreads();
    if (!last)
        return;
    sum = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
        sum += ((volatile unsigned *)partial)[i];
    __syncthreads();
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        *out = sum;
}
#endif
