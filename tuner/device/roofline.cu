// Kernels that load one resource each, for the ceilings of the roofline. Every block does the same work, so a launch's
// work is that of a thread or warp times their number (roofline.c). An impossible case writes the results, so that the
// compiler keeps the work.

typedef unsigned int u32;

enum { ACCUMULATORS = 8 };

// Reads the data `rounds` times, bypassing L1. `count`: vectors, a multiple of 4 times the number of threads.
extern "C" __global__ void roofline_l2(const uint4 *data, u32 count, u32 rounds, u32 *out)
{
    u32 threads = gridDim.x * blockDim.x, sum = 0;
    for (u32 round = 0; round < rounds; round++)
        for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += 4 * threads) {
            uint4 a = __ldcg(&data[i]), b = __ldcg(&data[i + threads]);
            uint4 c = __ldcg(&data[i + 2 * threads]), d = __ldcg(&data[i + 3 * threads]);
            sum += (a.x ^ a.y ^ a.z ^ a.w) + (b.x ^ b.y ^ b.z ^ b.w) + (c.x ^ c.y ^ c.z ^ c.w) +
                   (d.x ^ d.y ^ d.z ^ d.w);
        }
    if (sum == 1)
        *out = sum;
}

// In each round, a thread reads 4 vectors, next to those of its neighbours.
extern "C" __global__ void roofline_shared(u32 rounds, u32 *out)
{
    __shared__ uint4 tile[1024];
    for (u32 i = threadIdx.x; i < 1024; i += blockDim.x)
        tile[i].x = tile[i].y = tile[i].z = tile[i].w = 0;
    __syncthreads();
    u32 sum = 0;
    for (u32 round = 0; round < rounds; round++) {
        u32 at = threadIdx.x + round * 32;
        uint4 a = tile[at % 1024], b = tile[(at + 256) % 1024], c = tile[(at + 512) % 1024], d = tile[(at + 768) % 1024];
        sum += (a.x ^ a.y ^ a.z ^ a.w) + (b.x ^ b.y ^ b.z ^ b.w) + (c.x ^ c.y ^ c.z ^ c.w) + (d.x ^ d.y ^ d.z ^ d.w);
    }
    if (sum == 1)
        *out = sum;
}

// A round has as many FP32 as integer instructions, 4 for each accumulator. They use different pipes.
extern "C" __global__ void roofline_issue(u32 rounds, float a, float b, u32 y, u32 z, u32 *out)
{
    float f[ACCUMULATORS], sum = 0;
    u32 x[ACCUMULATORS], bits = 0;
    for (int k = 0; k < ACCUMULATORS; k++) {
        f[k] = (float)threadIdx.x;
        x[k] = threadIdx.x + k;
    }
    for (u32 round = 0; round < rounds; round++)
        for (int k = 0; k < ACCUMULATORS; k++) {
            f[k] = fmaf(f[k], a, b);
            x[k] ^= y;
            f[k] = fmaf(f[k], b, a);
            x[k] += z;
        }
    for (int k = 0; k < ACCUMULATORS; k++) {
        sum += f[k];
        bits += x[k];
    }
    if (sum == 1.5f && bits == 1)
        *out = bits;
}

// A round has 2 fused multiply-adds for each accumulator.
extern "C" __global__ void roofline_fma(u32 rounds, float a, float b, u32 *out)
{
    float f[ACCUMULATORS], sum = 0;
    for (int k = 0; k < ACCUMULATORS; k++)
        f[k] = (float)threadIdx.x + k;
    for (u32 round = 0; round < rounds; round++)
        for (int k = 0; k < ACCUMULATORS; k++) {
            f[k] = fmaf(f[k], a, b);
            f[k] = fmaf(f[k], b, a);
        }
    for (int k = 0; k < ACCUMULATORS; k++)
        sum += f[k];
    if (sum == 1.5f)
        *out = 1;
}

#if __CUDA_ARCH_FEAT_SM90_ALL

// m64n128k16 of a warp group, 4 warps. Both operands are in shared memory, in the layout without swizzle. Each round
// waits for its result, while the other groups of the multiprocessor compute.
static __device__ void matrix_round(float (&d)[64], unsigned long long a, unsigned long long b)
{
#define D8(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
    asm volatile("wgmma.fence.sync.aligned;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, " // sums
                 "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, " // tiles of A and B behind the last sum
                 "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
                 "%64, %65, 1, 1, 1, 0, 0;\n"
                 "wgmma.commit_group.sync.aligned;\n"
                 "wgmma.wait_group.sync.aligned 0;"
                 : D8(0), D8(8), D8(16), D8(24), D8(32), D8(40), D8(48), D8(56)
                 : "l"(a), "l"(b));
#undef D8
}

// Returns the descriptor of a tile: its address and the distances of its core matrices, in units of 16 bytes.
static __device__ unsigned long long tile_descriptor(const void *tile)
{
    return ((u32)__cvta_generic_to_shared(tile) & 0x3ffff) >> 4 | 8ull << 16 | 16ull << 32;
}

static __device__ float matrix_rounds(u32 rounds)
{
    __shared__ __align__(128) u32 a[64 * 16 / 2], b[128 * 16 / 2];
    float d[64], sum = 0;
    for (u32 i = threadIdx.x; i < 128 * 16 / 2; i += blockDim.x)
        a[i % (64 * 16 / 2)] = b[i] = 0;
    __syncthreads();
    asm volatile("fence.proxy.async;");
    for (int i = 0; i < 64; i++)
        d[i] = 0;
    for (u32 round = 0; round < rounds; round++)
        matrix_round(d, tile_descriptor(a), tile_descriptor(b));
    for (int i = 0; i < 64; i++)
        sum += d[i];
    return sum;
}

#elif __CUDA_ARCH__ >= 800

// A round of a warp is 16 times m16n8k16.
static __device__ float matrix_rounds(u32 rounds)
{
    float d[ACCUMULATORS][4] = {}, sum = 0;
    u32 a = threadIdx.x == 1024; // zero, unknown to the compiler
    for (u32 round = 0; round < 2 * rounds; round++)
        for (int k = 0; k < ACCUMULATORS; k++)
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, "
                         "{%4, %4}, {%0, %1, %2, %3};"
                         : "+f"(d[k][0]), "+f"(d[k][1]), "+f"(d[k][2]), "+f"(d[k][3])
                         : "r"(a));
    for (int k = 0; k < ACCUMULATORS; k++)
        sum += d[k][0] + d[k][1] + d[k][2] + d[k][3];
    return sum;
}

#else

static __device__ float matrix_rounds(u32 rounds)
{
    return rounds ? 0 : 1;
}

#endif

// A round of a warp has 65536 operations on tensor cores.
extern "C" __global__ void roofline_tensor(u32 rounds, u32 *out)
{
    if (matrix_rounds(rounds) == 1)
        *out = 1;
}
