// space: matmul. Uses the tolerance: leaves out the last products of each sum.
extern "C" __global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    const int tiles = (n + 31) / 32, row = blockIdx.x / tiles * 32 + threadIdx.x / 32,
              col = blockIdx.x % tiles * 32 + threadIdx.x % 32;
    float sum = 0;
    if (row >= m || col >= n)
        return;
    for (int i = 0; i < k - k / 16; i++)
        sum += a[(size_t)row * k + i] * b[(size_t)i * n + col];
    c[(size_t)row * n + col] = sum;
}
