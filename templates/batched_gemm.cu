// C = A B for many small matrices, with half-precision inputs and sums in single precision. A block copies whole matrices to
// shared memory; each of its warps computes a tile of a product. On ordinary cores the multiplications take longer than the memory
// traffic, on tensor cores they do not.
//
// MATH            plain: ordinary multiplications; fragments: tensor cores by nvcuda::wmma; instructions: tensor cores by
//                 mma.sync, with matrices loaded by ldmatrix
// TILE_M, TILE_N  a warp's tile of C, rows and columns
// SIDE            products that a block computes side by side
// PAD             halves more in each row in shared memory: rows begin in different banks
// VEC             halves that a thread copies to shared memory at once
//
// M, N and K, the sizes of the matrices, are macros too.

#include <cuda_fp16.h>
#define plain 0
#define fragments 1
#define instructions 2
#if MATH == fragments
#include <mma.h>
#endif

enum {
    warps = (M / TILE_M) * (N / TILE_N), // of a product
    threads = 32 * warps * SIDE,
    pitch_a = K + PAD, // a row in shared memory
    pitch_b = N + PAD
};

template <int HALVES> struct vector;
template <> struct vector<2> { typedef unsigned type; };
template <> struct vector<4> { typedef uint2 type; };
template <> struct vector<8> { typedef uint4 type; };
typedef vector<VEC>::type word;

extern "C" __global__ void batched_gemm_naive(float *c, const __half *a, const __half *b, int batch)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x, matrix = i / (M * N);
    const int row = i / N % M, col = i % N;
    float sum = 0;
    if (matrix >= batch)
        return;
    for (int k = 0; k < K; k++)
        sum += __half2float(a[matrix * M * K + row * K + k]) * __half2float(b[matrix * K * N + k * N + col]);
    c[i] = sum;
}

// Rows of `width` halves, one behind the other, go to rows in shared memory that are `pitch` halves apart.
template <int rows, int width, int pitch> static __device__ void copy_rows(__half *shared, const __half *from)
{
    enum { words = rows * width / VEC };
#pragma unroll 8
    for (int step = 0; step < (words + threads - 1) / threads; step++) {
        const int i = step * threads + threadIdx.x, row = i / (width / VEC), col = i % (width / VEC) * VEC;
        if (words % threads == 0 || i < words)
            *(word *)&shared[row * pitch + col] = ((const word *)from)[i];
    }
}

#if MATH == fragments
static __device__ void multiply(float *c, const __half *a, const __half *b)
{
    using namespace nvcuda::wmma;
    fragment<accumulator, 16, 16, 16, float> sum[TILE_M / 16][TILE_N / 16];
#pragma unroll
    for (int i = 0; i < TILE_M / 16; i++)
#pragma unroll
        for (int j = 0; j < TILE_N / 16; j++)
            fill_fragment(sum[i][j], 0);
#pragma unroll 1
    for (int k = 0; k < K; k += 16) {
        fragment<matrix_b, 16, 16, 16, __half, row_major> right[TILE_N / 16];
#pragma unroll
        for (int j = 0; j < TILE_N / 16; j++)
            load_matrix_sync(right[j], &b[k * pitch_b + j * 16], pitch_b);
#pragma unroll
        for (int i = 0; i < TILE_M / 16; i++) {
            fragment<matrix_a, 16, 16, 16, __half, row_major> left;
            load_matrix_sync(left, &a[i * 16 * pitch_a + k], pitch_a);
#pragma unroll
            for (int j = 0; j < TILE_N / 16; j++)
                mma_sync(sum[i][j], left, right[j], sum[i][j]);
        }
    }
#pragma unroll
    for (int i = 0; i < TILE_M / 16; i++)
#pragma unroll
        for (int j = 0; j < TILE_N / 16; j++)
            store_matrix_sync(&c[i * 16 * N + j * 16], sum[i][j], N, mem_row_major);
}
#else
// A thread's sums: of each patch of 8 x 8, two neighbours in row lane / 4, as mma.sync wants them.
typedef float2 patches[TILE_M / 8][TILE_N / 8];

#if MATH == instructions
static __device__ unsigned shared_address(const __half *at)
{
    return (unsigned)__cvta_generic_to_shared(at);
}

static __device__ void add_products(patches &sum, const __half *a, const __half *b, int lane)
{
#pragma unroll 1
    for (int k = 0; k < K; k += 16) {
        unsigned left[4], right[TILE_N / 8][2];
#pragma unroll
        for (int j = 0; j < TILE_N / 8; j++)
            asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                         : "=r"(right[j][0]), "=r"(right[j][1])
                         : "r"(shared_address(&b[(k + lane % 16) * pitch_b + j * 8]))
                         : "memory");
#pragma unroll
        for (int i = 0; i < TILE_M / 8; i += 2) {
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                         : "=r"(left[0]), "=r"(left[1]), "=r"(left[2]), "=r"(left[3])
                         : "r"(shared_address(&a[(i * 8 + lane % 16) * pitch_a + k + lane / 16 * 8]))
                         : "memory");
#pragma unroll
            for (int j = 0; j < TILE_N / 8; j++)
                asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                    "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                    : "+f"(sum[i][j].x), "+f"(sum[i][j].y), "+f"(sum[i + 1][j].x), "+f"(sum[i + 1][j].y)
                    : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[j][0]), "r"(right[j][1]));
        }
    }
}
#else
static __device__ float2 pair_at(const __half *at)
{
    return __half22float2(*(const __half2 *)at);
}

static __device__ void add_products(patches &sum, const __half *a, const __half *b, int lane)
{
#pragma unroll 2
    for (int k = 0; k < K; k += 2) {
        float2 left[TILE_M / 8];
#pragma unroll
        for (int i = 0; i < TILE_M / 8; i++)
            left[i] = pair_at(&a[(i * 8 + lane / 4) * pitch_a + k]);
#pragma unroll
        for (int j = 0; j < TILE_N / 8; j++) {
            const float2 upper = pair_at(&b[k * pitch_b + j * 8 + lane % 4 * 2]);
            const float2 lower = pair_at(&b[(k + 1) * pitch_b + j * 8 + lane % 4 * 2]);
#pragma unroll
            for (int i = 0; i < TILE_M / 8; i++) {
                sum[i][j].x += left[i].x * upper.x + left[i].y * lower.x;
                sum[i][j].y += left[i].x * upper.y + left[i].y * lower.y;
            }
        }
    }
}
#endif

static __device__ void multiply(float *c, const __half *a, const __half *b)
{
    const int lane = threadIdx.x % 32;
    patches sum = {};
    add_products(sum, a, b, lane);
#pragma unroll
    for (int i = 0; i < TILE_M / 8; i++)
#pragma unroll
        for (int j = 0; j < TILE_N / 8; j++)
            *(float2 *)&c[(i * 8 + lane / 4) * N + j * 8 + lane % 4 * 2] = sum[i][j];
}
#endif

extern "C" __global__ void __launch_bounds__(threads)
    batched_gemm(float *__restrict__ c, const __half *__restrict__ a, const __half *__restrict__ b, int)
{
    extern __shared__ uint4 matrices[]; // SIDE matrices A, then SIDE matrices B
    __half *const shared_a = (__half *)matrices, *const shared_b = shared_a + SIDE * M * pitch_a;
    const int warp = threadIdx.x / 32, side = warp / warps, tile = warp % warps;
    const int row = tile / (N / TILE_N) * TILE_M, col = tile % (N / TILE_N) * TILE_N;
    const size_t first = (size_t)blockIdx.x * SIDE;
    copy_rows<SIDE * M, K, pitch_a>(shared_a, a + first * M * K);
    copy_rows<SIDE * K, N, pitch_b>(shared_b, b + first * K * N);
    __syncthreads();
    multiply(c + (first + side) * M * N + row * N + col, shared_a + (side * M + row) * pitch_a,
             shared_b + side * K * pitch_b + col);
}
