// The reference of gemm.space, in a file of its own.
extern "C" __global__ void gemm_plain(int m, int n, int k, float alpha, float beta, const float *a, const float *b, float *c)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    double sum = 0;
    if (x >= m || y >= n)
        return;
    for (int i = 0; i < k; i++)
        sum += (double)a[i * m + x] * b[i * n + y];
    c[y * m + x] = alpha * sum + beta * c[y * m + x];
}
