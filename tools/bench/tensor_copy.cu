// A cross-shaped stencil of radius 4 over tiles in shared memory, which ordinary loads (LOAD = 0) or one bulk tensor copy
// (LOAD = 1) fill. Both read zeros beyond the edges.
#define RADIUS 4
#define BOX_X  (TILE_X + 2 * RADIUS)
#define BOX_Y  (TILE_Y + 2 * RADIUS)

struct alignas(64) tensor_map {
    unsigned char bytes[128];
};

__device__ float weight(int distance)
{
    return 1.0f / (1 + distance * distance);
}

extern "C" __global__ void stencil_naive(float *out, const float *in, const __grid_constant__ tensor_map, int cols, int rows)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    if (x >= cols || y >= rows)
        return;
    for (int d = -RADIUS; d <= RADIUS; d++) {
        if (x + d >= 0 && x + d < cols)
            sum += weight(d) * in[(size_t)y * cols + x + d];
        if (d && y + d >= 0 && y + d < rows)
            sum += weight(d) * in[(size_t)(y + d) * cols + x];
    }
    out[(size_t)y * cols + x] = sum;
}

__device__ void load_plain(float *box, const float *in, int x0, int y0, int cols, int rows)
{
    for (int y = threadIdx.y; y < BOX_Y; y += BLOCK_Y)
        for (int x = threadIdx.x; x < BOX_X; x += 32)
            box[y * BOX_X + x] = x0 + x >= 0 && x0 + x < cols && y0 + y >= 0 && y0 + y < rows
                                     ? in[(size_t)(y0 + y) * cols + x0 + x]
                                     : 0.0f;
}

#if LOAD == 1
__device__ void load_tensor(float *box, const tensor_map *tiles, int x0, int y0)
{
    __shared__ unsigned long long barrier;
    unsigned barrier_at = __cvta_generic_to_shared(&barrier);
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier_at));
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier_at),
                     "r"((unsigned)(BOX_X * BOX_Y * sizeof(float))));
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                     ::"r"((unsigned)__cvta_generic_to_shared(box)), "l"(tiles), "r"(x0), "r"(y0), "r"(barrier_at) : "memory");
    }
    __syncthreads();
    for (unsigned done = 0; !done;)
        asm volatile("{\n\t.reg .pred p;\n\t"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}" : "=r"(done) : "r"(barrier_at) : "memory");
}
#endif

extern "C" __global__ void __launch_bounds__(32 * BLOCK_Y)
stencil_tiles(float *out, const float *in, const __grid_constant__ tensor_map tiles, int cols, int rows)
{
    __shared__ alignas(128) float box[BOX_X * BOX_Y];
    int x0 = blockIdx.x * TILE_X, y0 = blockIdx.y * TILE_Y;
#if LOAD == 1
    load_tensor(box, &tiles, x0 - RADIUS, y0 - RADIUS);
#else
    load_plain(box, in, x0 - RADIUS, y0 - RADIUS, cols, rows);
    __syncthreads();
#endif
    for (int y = threadIdx.y; y < TILE_Y; y += BLOCK_Y)
        for (int x = threadIdx.x; x < TILE_X; x += 32) {
            const float *at = &box[(y + RADIUS) * BOX_X + x + RADIUS];
            float sum = 0;
#pragma unroll
            for (int d = -RADIUS; d <= RADIUS; d++) {
                sum += weight(d) * at[d];
                if (d)
                    sum += weight(d) * at[d * BOX_X];
            }
            if (x0 + x < cols && y0 + y < rows)
                out[(size_t)(y0 + y) * cols + x0 + x] = sum;
        }
}
