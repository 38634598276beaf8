// A scan whose steps add the element `distance` before, times a weight of the step, and a bias. LAST: blocks take tiles until
// none is left, and multiply. Each instance of the kernel has variables of its own.
struct steps {
    struct {
        unsigned *to;
        const unsigned *from;
    } data;
    const unsigned *weight;
    unsigned distance;
    int n;
};

__device__ unsigned bias;
#if LAST
__device__ unsigned factor, next_tile;
#endif

extern "C" __global__ void scan(const steps s)
{
#if LAST
    __shared__ unsigned tile;
    for (;;) {
        if (threadIdx.x == 0)
            tile = atomicAdd(&next_tile, 1u);
        __syncthreads();
        int i = tile * blockDim.x + threadIdx.x;
        __syncthreads();
        if (i >= s.n)
            return;
        s.data.to[i] = factor * s.data.from[i] + bias;
    }
#else
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < s.n)
        s.data.to[i] = s.data.from[i] + (i >= s.distance && s.weight ? *s.weight * s.data.from[i - s.distance] : 0) + bias;
#endif
}

extern "C" __global__ void add(unsigned *to, const unsigned *from, const unsigned *weight, unsigned distance, int n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i] + (i >= distance ? *weight * from[i - distance] : 0) + 5;
}

extern "C" __global__ void multiply(unsigned *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] = 3 * data[i] + 5;
}
