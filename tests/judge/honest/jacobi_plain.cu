// space: jacobi. In turn from one buffer to the other, whose old contents it needs.
extern "C" __global__ void jacobi(float *next, const float *field, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const size_t i = (size_t)y * width + x;
    if (x >= width || y >= height)
        return;
    const bool border = x == 0 || y == 0 || x == width - 1 || y == height - 1;
    next[i] = border ? field[i] : 0.25f * (field[i - 1] + field[i + 1] + field[i - width] + field[i + width]);
}
