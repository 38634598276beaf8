enum { none, same, shared };

__constant__ double WEIGHTS[2]; // 0 and 1

// Each block adds 256 * PART numbers. The second pass adds them with weight 1, the first one without; FAULT `shared` forgets
// the weight, and `same` launches the first pass twice, which adds PART numbers a thread instead of all.
extern "C" __global__ void total(double *sums, const double *numbers, int n)
{
    __shared__ double shared_sums[256];
    double sum = 0;
    for (int i = 0; i < PART; i++) {
        int at = (blockIdx.x * PART + i) * 256 + threadIdx.x;
        if (at < n)
            sum += numbers[at];
    }
    shared_sums[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 128; half; half /= 2) {
        if (threadIdx.x < half)
            shared_sums[threadIdx.x] += shared_sums[threadIdx.x + half];
        __syncthreads();
    }
#if SECOND
    if (threadIdx.x == 0)
        sums[0] = shared_sums[0] * WEIGHTS[FAULT == shared ? 0 : 1];
#else
    if (threadIdx.x == 0)
        sums[blockIdx.x] = shared_sums[0];
#endif
}

extern "C" __global__ void plain(double *sum, const double *numbers, int n)
{
    __shared__ double sums[1024];
    double own = 0;
    for (int i = threadIdx.x; i < n; i += 1024)
        own += numbers[i];
    sums[threadIdx.x] = own;
    __syncthreads();
    for (int half = 512; half; half /= 2) {
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *sum = sums[0];
}
