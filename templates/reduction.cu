// The sum of an array in one launch: every block sums a part, and the last one to finish sums the parts, in the order of the
// blocks, so that the result is the same on every run. Memory sets the pace if enough loads are in flight on every
// multiprocessor: wide loads, several of them per thread, many threads.
//
// VEC     floats of a load
// UNROLL  loads of a thread in flight
// BLOCK   threads of a block
// ORDER   grid: neighbouring blocks read neighbouring memory and all move on together; block: each block reads one piece
// WITHIN  how the threads of a block add up: shuffle (within a warp, then across the warps) or shared (a tree in shared memory)
//
// How many blocks there are per multiprocessor is a parameter of the launch (see the .space).

enum order { grid, block };
enum within { shuffle, shared };
enum { parts_most = 1 << 16 };

template <int FLOATS> struct vector;
template <> struct vector<1> { typedef float type; };
template <> struct vector<2> { typedef float2 type; };
template <> struct vector<4> { typedef float4 type; };

union pack {
    vector<VEC>::type whole;
    float part[VEC];
};

__device__ float parts[parts_most]; // a sum per block
__device__ unsigned finished;       // blocks; the last one sets it back to 0 for the next launch

// One block adds in double precision.
extern "C" __global__ void reduction_naive(float *out, const float *in, long long count)
{
    __shared__ double sums[1024];
    sums[threadIdx.x] = 0;
    for (long long i = threadIdx.x; i < count; i += blockDim.x)
        sums[threadIdx.x] += in[i];
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int t = 1; t < blockDim.x; t++)
            sums[0] += sums[t];
        out[0] = (float)sums[0];
    }
}

// The sum over the block, in its thread 0.
static __device__ float block_sum(float sum)
{
    if (WITHIN == shared) {
        __shared__ float sums[BLOCK];
        sums[threadIdx.x] = sum;
        __syncthreads();
#pragma unroll
        for (int half = BLOCK / 2; half > 0; half /= 2) {
            if (threadIdx.x < half)
                sums[threadIdx.x] += sums[threadIdx.x + half];
            __syncthreads();
        }
        return sums[0];
    }
    __shared__ float warps[BLOCK / 32];
    for (int apart = 16; apart > 0; apart /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, apart);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < BLOCK / 32 ? warps[threadIdx.x] : 0;
        for (int apart = 16; apart > 0; apart /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, apart);
    }
    return sum;
}

// Sums the vectors first, first + step, ... below end, with UNROLL loads at a time.
static __device__ float thread_sum(const float *in, long long first, long long end, long long step)
{
    const vector<VEC>::type *const vectors = (const vector<VEC>::type *)in;
    pack sum[UNROLL] = {};
    long long i = first;
    for (; i + (UNROLL - 1) * step < end; i += UNROLL * step) {
        pack held[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            held[u].whole = vectors[i + u * step];
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
#pragma unroll
            for (int v = 0; v < VEC; v++)
                sum[u].part[v] += held[u].part[v];
    }
    for (; i < end; i += step) {
        pack held;
        held.whole = vectors[i];
#pragma unroll
        for (int v = 0; v < VEC; v++)
            sum[0].part[v] += held.part[v];
    }
    float total = 0;
#pragma unroll
    for (int u = 0; u < UNROLL; u++)
#pragma unroll
        for (int v = 0; v < VEC; v++)
            total += sum[u].part[v];
    return total;
}

extern "C" __global__ void reduction(float *out, const float *__restrict__ in, long long count)
{
    __shared__ bool is_last;
    const long long vectors = count / VEC;
    float sum;
    if (ORDER == grid) {
        sum = thread_sum(in, (long long)blockIdx.x * BLOCK + threadIdx.x, vectors, (long long)gridDim.x * BLOCK);
    } else {
        const long long each = (vectors + gridDim.x - 1) / gridDim.x, start = each * blockIdx.x;
        sum = thread_sum(in, start + threadIdx.x, start + each < vectors ? start + each : vectors, BLOCK);
    }
    if (blockIdx.x == 0 && threadIdx.x < count % VEC) // remainder of the last vector
        sum += in[vectors * VEC + threadIdx.x];
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = sum;
        __threadfence(); // the part is seen before the count
        is_last = atomicAdd(&finished, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last)
        return;
    sum = 0;
    for (int b = threadIdx.x; b < gridDim.x; b += BLOCK)
        sum += __ldcg(&parts[b]); // from L2: other blocks wrote it
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        out[0] = sum;
        finished = 0;
    }
}
