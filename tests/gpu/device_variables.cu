// Variables of the module that are set before each run: a counter that the kernel uses up, numbers, arrays, a struct with
// a pointer, pointers to buffers, managed memory, and constants. USED: what a variant uses instead of its arguments.
struct shape {
    const int *upper;
    short step;
    int dims[3];
};
namespace tables {
static __device__ int weights[4];
}
__device__ unsigned next_tile;
__device__ int *target;
__device__ shape limits;
__managed__ int offset = 5; // as long as nothing sets it
__device__ int table[64];
__constant__ int scale;
__constant__ shape fixed;

__device__ int value(const int *in, const int *upper, int i, int n, int step, int dims, int weight, int plus, int entry)
{
    return in[i] + step * upper[i % (n / 2)] + dims + weight + plus + entry;
}

extern "C" __global__ void reference(int *out, const int *in, const int *entries, int n)
{
    static const int dims[] = {4, 5, 6}, weights[] = {1, 10, 100, 0};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = value(in, in + n / 2, i, n, 2, dims[i % 3], weights[i % 4], 3, entries[i % 64]);
}

// Blocks take tiles until none is left, and leave the counter at its end: the next run does nothing unless it is set back.
extern "C" __global__ void device_variables(int *out, const int *in, int n)
{
    __shared__ unsigned tile;
    const shape *s = USED == 1 ? &fixed : &limits;
    int *to = USED == 2 ? target : out;
    for (;;) {
        if (threadIdx.x == 0)
            tile = atomicAdd(&next_tile, 1u);
        __syncthreads();
        int i = tile * blockDim.x + threadIdx.x;
        __syncthreads();
        if (i >= n)
            return;
        to[i] = value(in, s->upper, i, n, USED == 1 ? scale : s->step, s->dims[i % 3], tables::weights[i % 4], offset,
                      table[i % 64]);
    }
}
