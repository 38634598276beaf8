// space: stencil2d. Neighbours of a row come from other lanes, those of a column from memory.
extern "C" __global__ void stencil2d(float *out, const float *in, cudaTextureObject_t, int width, int height)
{
    const int x = blockIdx.x * 32 + threadIdx.x, y = min(blockIdx.y * 8 + threadIdx.y, height - 1), lane = threadIdx.x;
    const float *const row = in + (size_t)y * width;
    const float centre = row[min(x, width - 1)];
    float around = 0;
    for (int r = 1; r <= RADIUS; r++) {
        const float left = __shfl_up_sync(0xffffffff, centre, r), right = __shfl_down_sync(0xffffffff, centre, r);
        around += lane >= r ? left : row[max(min(x, width - 1) - r, 0)];
        around += lane + r < 32 ? right : row[min(x + r, width - 1)];
        around += in[(size_t)max(y - r, 0) * width + min(x, width - 1)] +
                  in[(size_t)min(y + r, height - 1) * width + min(x, width - 1)];
    }
    if (x < width && blockIdx.y * 8 + threadIdx.y < height)
        out[(size_t)y * width + x] = 0.5f * centre + 0.125f / RADIUS * around;
}
