// Shared memory read, or written, down the rows of a tile: lane L uses row L, whose first word is in bank L * PITCH.
//
// WAYS    lanes that share a bank without padding: 2, 8, 32
// STORES  0: the loop loads; 1: it stores
// PAD     1: an extra word per row puts the rows into different banks

enum { columns = 16, pitch = WAYS == 32 ? 32 : 16 + WAYS, row = pitch + PAD }; // gcd(pitch, 32) is WAYS
enum { words = 32 * (pitch + 1), warps = 8, unroll = 4 };

// Returns the column of step k, access u.
static __device__ int column(int k, int u)
{
    return (k & 3) + 4 * u;
}

extern "C" __global__ void banks_naive(float *out, const float *in)
{
    const int lane = threadIdx.x & 31, thread = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (STORES)
        for (int c = 0; c < columns; c++)
            sum += in[lane] + (float)(STEPS - 4 + (c & 3));
    else
        for (int k = 0; k < STEPS; k++)
            for (int u = 0; u < unroll; u++)
                sum += in[lane * columns + column(k, u)];
    out[thread] = sum;
}

static __device__ float load(const float *in, float *tile)
{
    const int lane = threadIdx.x & 31;
    for (int i = threadIdx.x; i < 32 * columns; i += 32 * warps)
        tile[i / columns * row + i % columns] = in[i];
    __syncthreads();
    float sum = 0;
#pragma unroll 2
    for (int k = 0; k < STEPS; k++) {
        const float *const from = &tile[lane * row + (k & 3)];
#pragma unroll
        for (int u = 0; u < unroll; u++)
            sum += from[4 * u];
    }
    return sum;
}

static __device__ float store(const float *in, volatile float *tile)
{
    const int lane = threadIdx.x & 31;
    volatile float *const to = &tile[threadIdx.x / 32 * words + lane * row];
    float value = in[lane], sum = 0;
#pragma unroll 2
    for (int k = 0; k < STEPS; k++)
#pragma unroll
        for (int u = 0; u < unroll; u++)
            to[column(k, u)] = value + (float)k;
    for (int c = 0; c < columns; c++)
        sum += to[c];
    return sum;
}

extern "C" __global__ void __launch_bounds__(32 * warps) banks(float *out, const float *in)
{
    __shared__ float tile[(STORES ? warps : 1) * words];
    out[blockIdx.x * 32 * warps + threadIdx.x] = STORES ? store(in, tile) : load(in, tile);
}
