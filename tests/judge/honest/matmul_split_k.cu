// space: matmul. Split-K: two blocks compute the halves of the sums of two tiles. Partial sums lie in a workspace, and
// the block that comes last adds them. Its counter wraps by itself.
enum { tiles_most = 1 << 10 };
__device__ float workspace[2][tiles_most * 1024];
__device__ unsigned arrived[tiles_most];

/* The sum of an element over a part of K. */
static __device__ float sum_of(const float *a, const float *b, int n, int k, int row, int col, int begin, int end)
{
    float sum = 0;
    for (int i = begin; i < end; i++)
        sum += a[(size_t)row * k + i] * b[(size_t)i * n + col];
    return sum;
}

extern "C" __global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ bool last;
    const unsigned tiles = (n + 31) / 32, pairs = gridDim.x / 2, half = pairs ? blockIdx.x / pairs : 2;
    const bool shared = gridDim.x <= tiles_most && half < 2; // the last of an odd number works alone
    for (unsigned t = 0; t < (shared ? 2 : 1); t++) {
        const unsigned tile = shared ? 2 * (blockIdx.x % pairs) + t : blockIdx.x;
        const int row = tile / tiles * 32 + threadIdx.x / 32, col = tile % tiles * 32 + threadIdx.x % 32;
        const int begin = shared && half ? k / 2 : 0, end = shared && !half ? k / 2 : k;
        const bool inside = row < m && col < n;
        const float sum = inside ? sum_of(a, b, n, k, row, col, begin, end) : 0;
        if (!shared) {
            if (inside)
                c[(size_t)row * n + col] = sum;
            continue;
        }
        workspace[half][tile * 1024 + threadIdx.x] = sum;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            last = atomicInc(&arrived[tile], 1) == 1;
        __syncthreads();
        if (last && inside)
            c[(size_t)row * n + col] = sum + __ldcg(&workspace[half ^ 1][tile * 1024 + threadIdx.x]);
        __syncthreads();
    }
}
