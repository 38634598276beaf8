// In the manner of KTT and CLTune: macros decide about everything, none is defined here.
#if VWM == 1
typedef float vector_m;
#elif VWM == 2
typedef float2 vector_m;
#elif VWM == 4
typedef float4 vector_m;
#endif

__constant__ float alpha_beta[2];

extern "C" __global__ void __launch_bounds__(MDIM * NDIM) gemm(const int m, const int n, const int k,
                                                               const vector_m *__restrict__ a,
                                                               const float *__restrict__ b, float *c)
{
    __shared__ vector_m tile[KWG][MDIM];
    int column = blockIdx.y * NDIM + threadIdx.y, row = blockIdx.x * MDIM + threadIdx.x;
    float sum = 0;
    for (int step = 0; step < k; step += KWG) {
        for (int i = threadIdx.y; i < KWG; i += NDIM)
            tile[i][threadIdx.x] = a[((step + i) * m + row) / VWM];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < KWG; i += 1)
            sum += ((const float *)&tile[i][threadIdx.x])[0] * b[(step + i) * n + column];
        __syncthreads();
    }
#if PRECISE == 1
    c[column * m + row] = alpha_beta[0] * sum + alpha_beta[1] * c[column * m + row];
#else
    c[column * m + row] = sum;
#endif
}
