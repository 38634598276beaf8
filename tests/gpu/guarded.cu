// Honest kernels and cheats of guarded measuring: out[i] = 2 * in[i] + 1, and 64 sums by atomic operations in any order.
enum kind { honest_plain, honest_workspace, honest_counter, cheat_cache, cheat_place, cheat_data, cheat_first, cheat_late,
            cheat_alternate, cheat_input, cheat_beside, note_launches };
enum { SUMS = 64, KEPT = 1 << 22 };

__device__ unsigned tickets;        // of the blocks that have ended; the last one resets it
__device__ unsigned launches;       // that have ended since the module was loaded
__device__ float kept[KEPT + SUMS]; // results of an earlier launch
__device__ const float *kept_place; // its input
__device__ float kept_data;         // first element of its input

static __device__ void work(float *out, float *sums, const float *in, int n)
{
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float element = in[i];
        out[i] = 2 * element + 1;
        sum += element;
    }
    for (int distance = 16; distance; distance /= 2)
        sum += __shfl_down_sync(~0u, sum, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&sums[blockIdx.x % SUMS], sum);
}

extern "C" __global__ void slowly(float *out, float *sums, const float *in, int n)
{
    work(out, sums, in, n);
}

#ifdef KIND
// The same sums through a workspace: the last block adds what all blocks have written.
static __device__ void work_by_workspace(float *out, float *sums, float *partial, const float *in, int n)
{
    __shared__ float warps[32];
    __shared__ bool last;
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float element = in[i];
        out[i] = 2 * element + 1;
        sum += element;
    }
    for (int distance = 16; distance; distance /= 2)
        sum += __shfl_down_sync(~0u, sum, distance);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0;
        for (int i = 0; i < blockDim.x / 32; i++)
            sum += warps[i];
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(&tickets, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    if (threadIdx.x < SUMS) {
        sum = 0;
        for (int i = threadIdx.x; i < gridDim.x; i += SUMS)
            sum += ((volatile float *)partial)[i];
        sums[threadIdx.x] += sum;
    }
    if (threadIdx.x == 0)
        tickets = 0;
}

static __device__ void copy(float *to, const float *from, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        to[i] = from[i];
}

// True in one thread of the last block to end.
static __device__ bool is_last()
{
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(&tickets, 1) == gridDim.x - 1;
    __syncthreads();
    if (last && threadIdx.x == 0)
        tickets = 0;
    return last;
}

// True if this launch replays the results of an earlier one.
static __device__ bool replays(const float *in)
{
    if (KIND == cheat_cache)
        return launches > 0;
    if (KIND == cheat_place)
        return launches > 0 && kept_place == in;
    if (KIND == cheat_data)
        return launches > 0 && kept_data == in[0];
    return false;
}

static __device__ bool rests()
{
    return KIND == cheat_first ? launches > 0 : KIND == cheat_late ? launches > 5 : KIND == cheat_alternate && launches % 2;
}

extern "C" __global__ void doubled(float *out, float *sums, float *partial, float *in, int n)
{
    if (KIND == honest_workspace) {
        work_by_workspace(out, sums, partial, in, n);
        return;
    }
    const bool replay = replays(in);
    if (replay) {
        copy(out, kept, n);
        if (blockIdx.x == 0 && threadIdx.x < SUMS)
            sums[threadIdx.x] = kept[KEPT + threadIdx.x];
    } else if (!rests()) {
        work(out, sums, in, n);
    }
    if (KIND == honest_plain)
        return;
    if (KIND == cheat_input && launches == 3 && blockIdx.x == 0 && threadIdx.x == 0)
        in[n - 1] = 0.25f;
    if (KIND == cheat_beside && launches == 3 && blockIdx.x == 0 && threadIdx.x == 0)
        out[n] = 0;
    const bool last = is_last();
    if (last && (KIND == cheat_cache || KIND == cheat_place || KIND == cheat_data) && !replay) {
        for (int i = threadIdx.x; i < n; i += blockDim.x)
            kept[i] = ((volatile float *)out)[i];
        if (threadIdx.x < SUMS)
            kept[KEPT + threadIdx.x] = ((volatile float *)sums)[threadIdx.x];
        kept_place = in;
        kept_data = in[0];
    }
    if (last && threadIdx.x == 0 && KIND != honest_counter)
        launches++;
}
#endif
