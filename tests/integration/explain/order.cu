// Several passes over memory larger than L2: over the whole each time, or all passes over one part before the next.
//
// CHUNK  tiles of a part; a tile has 4096 floats, and a block for each pass

extern "C" __global__ void order_naive(float *out, const float *in, int tiles)
{
    const int tile = blockIdx.x % tiles, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int k = 0; k < 16; k++)
        sum += in[(size_t)tile * 4096 + warp * 512 + k / 4 * 128 + lane * 4 + k % 4];
    for (int d = 16; d; d /= 2)
        sum += __shfl_xor_sync(~0u, sum, d);
    if (lane == 0)
        out[blockIdx.x * 8 + warp] = sum;
}

extern "C" __global__ void __launch_bounds__(256) order(float *out, const float *in, int tiles)
{
    const int passes = gridDim.x / tiles, part = blockIdx.x / (CHUNK * passes), rest = blockIdx.x % (CHUNK * passes);
    const int pass = rest / CHUNK, tile = part * CHUNK + rest % CHUNK, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const float4 v = __ldcg(&((const float4 *)in)[(size_t)tile * 1024 + warp * 128 + k * 32 + lane]);
        sum += v.x, sum += v.y, sum += v.z, sum += v.w;
    }
    for (int d = 16; d; d /= 2)
        sum += __shfl_xor_sync(~0u, sum, d);
    if (lane == 0)
        out[(pass * tiles + tile) * 8 + warp] = sum;
}
