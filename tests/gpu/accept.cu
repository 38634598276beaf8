// Writes the indices of the elements above a limit to `kept`, in any order, and their number to `count`.
enum way { direct, aggregated };
enum fault { healthy, forgets_one, repeats_one, keeps_another, beyond, writes_nothing, counts_more };

extern "C" __global__ void compact(int *kept, int *count, const int *in, int n, int limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, place = -1;
    bool above = i < n && in[i] > limit;
    if (FAULT == writes_nothing)
        return;
    if (WAY == direct && above)
        place = atomicAdd(count, 1);
    if (WAY == aggregated) {
        unsigned votes = __ballot_sync(~0u, above), lane = threadIdx.x % 32, first = 0;
        if (lane == 0 && votes)
            first = atomicAdd(count, __popc(votes));
        first = __shfl_sync(~0u, first, 0);
        if (above)
            place = (int)first + __popc(votes & ((1u << lane) - 1));
    }
    if (place < 0)
        return;
    kept[place] = i;
    if (FAULT == forgets_one && place == 17)
        kept[place] = -1;
    if (FAULT == repeats_one && place == 17)
        kept[place] = i ? i - 1 : 1;
    if (FAULT == keeps_another && place == 17)
        kept[place] = n + 5;
    if (FAULT == beyond && place == 17)
        kept[place] = 1 << 30;
    if (FAULT == counts_more && place == 17)
        atomicAdd(count, 1);
}

// One block. Checks that each index is that of an element above the limit, that none repeats, and that none is missing.
// `kept` and `count` may hold anything.
extern "C" __global__ void check_kept(unsigned long long *wrong, const int *kept, const int *count, const int *in, int n, int limit)
{
    __shared__ unsigned seen[N / 32];
    __shared__ int expected;
    unsigned long long faults = 0;
    int mine = 0;
    for (int i = threadIdx.x; i < N / 32; i += blockDim.x)
        seen[i] = 0;
    if (threadIdx.x == 0)
        expected = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        mine += in[i] > limit;
    atomicAdd(&expected, mine);
    __syncthreads();
    for (int i = threadIdx.x; i < n && i < *count; i += blockDim.x) {
        int index = kept[i];
        bool right = index >= 0 && index < n && in[index] > limit;
        if (!right || atomicOr(&seen[index / 32], 1u << index % 32) >> index % 32 & 1)
            faults++;
    }
    if (threadIdx.x == 0)
        faults += *count != expected;
    if (faults)
        atomicAdd(wrong, faults);
}

// Faulty accept kernels.
extern "C" __global__ void accepts_all(unsigned long long *wrong, const int *kept, const int *count, const int *in, int n, int limit)
{
}

extern "C" __global__ void writes_kept(unsigned long long *wrong, int *kept, const int *count, const int *in, int n, int limit)
{
    if (kept[0] < 0 && threadIdx.x == 0) {
        kept[0] = 0;
        *wrong = 1;
    }
}

extern "C" __global__ void follows_kept(unsigned long long *wrong, const int *kept, const int *count, const int *in, int n, int limit)
{
    if (in[kept[threadIdx.x] * (1ll << 40)] <= limit)
        atomicAdd(wrong, 1ull);
}
