// Copies tiles by bulk tensor copies and writes them to the same place, reading shared memory in the order of the
// swizzle.
struct alignas(64) tensor_map {
    unsigned char bytes[128];
};

// A row of a box in shared memory has the length of the swizzle if that is longer.
#define ROW_BYTES (SWIZZLE > 4 * BOX_X ? SWIZZLE : 4 * BOX_X)

// Returns the offset in shared memory of the element with offset `at` in such rows.
__device__ unsigned swizzled(unsigned at)
{
#if WRONG == 1
    return at;
#elif SWIZZLE == 32
    return at ^ (at >> 3 & 0x10);
#elif SWIZZLE == 64
    return at ^ (at >> 3 & 0x30);
#elif SWIZZLE == 128 && ATOM == 16
    return at ^ (at >> 3 & 0x70);
#elif SWIZZLE == 128 && ATOM == 32
    return at ^ (at >> 2 & 0x60) ^ (FLIP ? at >> 4 & 0x8 : 0);
#elif SWIZZLE == 128 && ATOM == 64
    return at ^ (at >> 1 & 0x40);
#else
    return at;
#endif
}

extern "C" __global__ void reference(float *out, const float *in, const __grid_constant__ tensor_map,
                                     const __grid_constant__ tensor_map, int)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

// `tiles` has the dimensions x, y; `halves` x, y / 2, y % 2, so that each box has every other row.
extern "C" __global__ void tensor_copy(float *out, const float *in, const __grid_constant__ tensor_map tiles,
                                       const __grid_constant__ tensor_map halves, int cols)
{
    __shared__ alignas(1024) unsigned char box[ROW_BYTES * BOX_Y];
    __shared__ unsigned long long barrier;
    int x0 = blockIdx.x * BOX_X, y0 = VIEW ? blockIdx.y / 2 * BOX_Y : blockIdx.y * BOX_Y, half = blockIdx.y % 2;
    unsigned barrier_at = __cvta_generic_to_shared(&barrier), box_at = __cvta_generic_to_shared(box);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier_at));
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier_at), "r"(4 * BOX_X * BOX_Y));
        if (VIEW)
            asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];"
                         ::"r"(box_at), "l"(&halves), "r"(x0), "r"(y0), "r"(half), "r"(barrier_at) : "memory");
        else
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                         ::"r"(box_at), "l"(&tiles), "r"(x0), "r"(y0), "r"(barrier_at) : "memory");
    }
    __syncthreads();
    for (unsigned done = 0; !done;)
        asm volatile("{\n\t.reg .pred p;\n\t"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}" : "=r"(done) : "r"(barrier_at) : "memory");
    for (unsigned i = threadIdx.x; i < BOX_X * BOX_Y; i += blockDim.x) {
        int y = VIEW ? 2 * (y0 + i / BOX_X) + half : y0 + i / BOX_X;
        out[y * cols + x0 + i % BOX_X] = *(float *)(box + swizzled(i / BOX_X * ROW_BYTES + i % BOX_X * 4));
    }
}
