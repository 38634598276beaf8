// cuBLAS for comparison with `batched_gemm` and `batched_gemm_any`: half precision with sums in single precision.
// cuBLAS stores columns, so it computes C^T = B^T A^T.
#include <cublas_v2.h>
#include <cstdio>

static cublasHandle_t handle;

extern "C" const char *version(void)
{
    static char name[64];
    int major = 0, minor = 0;
    cublasGetProperty(MAJOR_VERSION, &major);
    cublasGetProperty(MINOR_VERSION, &minor);
    snprintf(name, sizeof name, "cuBLAS %d.%d", major, minor);
    return name;
}

extern "C" int run(void *const *buffers, const long *sizes, cudaStream_t stream)
{
    const float one = 1, zero = 0;
    const int batch = (int)sizes[0], m = (int)sizes[1], n = (int)sizes[2], k = (int)sizes[3];
    int error = handle ? 0 : cublasCreate(&handle);
    error = error ? error : cublasSetStream(handle, stream);
    return error ? error
                 : cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, buffers[1], CUDA_R_16F, n,
                                              (long long)k * n, buffers[0], CUDA_R_16F, k, (long long)m * k, &zero,
                                              buffers[2], CUDA_R_32F, n, (long long)m * n, batch, CUBLAS_COMPUTE_32F,
                                              CUBLAS_GEMM_DEFAULT);
}
