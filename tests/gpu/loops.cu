// The launches of a radix sort, each for one digit of two bits.
extern "C" __global__ void count(unsigned *counts, const unsigned *keys, int n, int shift)
{
    __shared__ unsigned found[4];
    int i = blockIdx.x * TILE + threadIdx.x;
    if (threadIdx.x < 4)
        found[threadIdx.x] = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&found[keys[i] >> shift & 3], 1);
    __syncthreads();
    if (threadIdx.x < 4)
        counts[threadIdx.x * gridDim.x + blockIdx.x] = found[threadIdx.x];
}

// Replaces each count by the sum of those before it.
extern "C" __global__ void offsets(unsigned *counts, int total)
{
    __shared__ unsigned sums[1024];
    int part = (total + 1023) / 1024, begin = threadIdx.x * part, end = min(begin + part, total);
    unsigned sum = 0;
    for (int i = begin; i < end; i++)
        sum += counts[i];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int distance = 1; distance < 1024; distance *= 2) {
        unsigned before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
        __syncthreads();
        sums[threadIdx.x] += before;
        __syncthreads();
    }
    unsigned before = sums[threadIdx.x] - sum;
    for (int i = begin; i < end; i++) {
        unsigned own = counts[i];
        counts[i] = before;
        before += own;
    }
}

// STABLE 0 puts equal digits of a block in reverse order.
extern "C" __global__ void scatter(unsigned *sorted, const unsigned *keys, const unsigned *counts, int n, int shift)
{
    __shared__ unsigned char digits[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    unsigned digit = i < n ? keys[i] >> shift & 3 : 4, rank = 0;
    digits[threadIdx.x] = digit;
    __syncthreads();
    for (int other = 0; other < TILE; other++)
        rank += digits[other] == digit && (STABLE ? other < threadIdx.x : other > threadIdx.x);
    if (i < n)
        sorted[counts[digit * gridDim.x + blockIdx.x] + rank] = keys[i];
}

// A step of a bitonic sort.
extern "C" __global__ void exchange(unsigned *keys, int size, int stride)
{
    int pair = blockIdx.x * blockDim.x + threadIdx.x;
    int low = pair / stride * 2 * stride + pair % stride, high = low + stride;
    unsigned a = keys[low], b = keys[high];
    if ((a > b) == ((low & size) == 0)) {
        keys[low] = b;
        keys[high] = a;
    }
}
