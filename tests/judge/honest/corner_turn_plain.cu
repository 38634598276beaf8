// space: corner_turn. A thread for each element.
extern "C" __global__ void corner_turn(float *c, const float *a, const float *b, int m, int n, int k)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    if (row >= m || col >= n)
        return;
    for (int i = 0; i < k; i++)
        sum = fmaf(a[(size_t)i * m + row], b[(size_t)col * k + i], sum);
    c[(size_t)row * n + col] = sum;
}
