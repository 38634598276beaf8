// out = in + 1. Blocks take tiles from a counter that lives as long as the module. RESET = 0: the counter is never
// reset, so that the first launch does all work; 1: the last block resets it; 2: the same until launch number LATE, and
// nothing afterwards.
__device__ unsigned next_tile;
#if RESET == 0
extern "C" __global__ void k(float *o, const float *i, int n) {
    __shared__ unsigned tile;
    for (;;) {
        if (threadIdx.x == 0) tile = atomicAdd(&next_tile, 1u);
        __syncthreads(); unsigned t = tile; __syncthreads();
        if (t >= (n + BLOCK - 1) / BLOCK) return;
        int x = t * BLOCK + threadIdx.x; if (x < n) o[x] = i[x] + 1.0f;
    }
}
#else
__device__ unsigned ended, launched;

extern "C" __global__ void k(float *o, const float *i, int n)
{
    __shared__ unsigned tile;
    bool idle = RESET == 2 && launched >= LATE;
    for (;;) {
        if (threadIdx.x == 0)
            tile = idle ? n : atomicAdd(&next_tile, 1u);
        __syncthreads();
        unsigned t = tile;
        __syncthreads();
        if (t >= (n + BLOCK - 1) / BLOCK)
            break;
        int x = t * BLOCK + threadIdx.x;
        if (x < n)
            o[x] = i[x] + 1.0f;
    }
    if (threadIdx.x == 0 && atomicAdd(&ended, 1u) == gridDim.x - 1) {
        next_tile = ended = 0;
        launched++;
    }
}
#endif

extern "C" __global__ void copy(float *o, const float *i, int n)
{
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < n; x += gridDim.x * blockDim.x)
        o[x] = i[x];
}

extern "C" __global__ void reference(float *o, const float *i, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < n)
        o[x] = i[x] + 1.0f;
}
