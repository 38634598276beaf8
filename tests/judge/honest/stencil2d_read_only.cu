// space: stencil2d. The read-only path, and a short way inside the plane.
static __device__ float at(const float *in, int x, int y, int width, int height)
{
    return __ldg(&in[(size_t)min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)]);
}

extern "C" __global__ void stencil2d(float *out, const float *__restrict__ in, cudaTextureObject_t, int width,
                                     int height)
{
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    const bool interior = x >= RADIUS && y >= RADIUS && x + RADIUS < width && y + RADIUS < height;
    if (x >= width || y >= height)
        return;
    const float *const centre = in + (size_t)y * width + x;
    float around = 0;
    for (int r = 1; r <= RADIUS; r++)
        around += interior ? __ldg(centre - r) + __ldg(centre + r) + __ldg(centre - (size_t)r * width) +
                                 __ldg(centre + (size_t)r * width)
                           : at(in, x - r, y, width, height) + at(in, x + r, y, width, height) +
                                 at(in, x, y - r, width, height) + at(in, x, y + r, width, height);
    out[(size_t)y * width + x] = 0.5f * *centre + 0.125f / RADIUS * around;
}
