// space: texture_gather. The read-only path.
extern "C" __global__ void texture_gather(float *out, const float *in, cudaTextureObject_t, int width, int height,
                                          int slope)
{
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < width && y < height)
        out[(size_t)y * width + x] = __ldg(&in[(size_t)((y + (long long)slope * x) % height) * width + x]);
}
