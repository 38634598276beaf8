// cuBLAS for comparison with `matmul_tensor`: bfloat16 with sums in single precision. cuBLAS stores columns, so it
// computes C^T = B A^T.
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
    const int m = (int)sizes[0], n = (int)sizes[1], k = (int)sizes[2];
    int error = handle ? 0 : cublasCreate(&handle);
    error = error ? error : cublasSetStream(handle, stream);
    return error ? error
                 : cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, m, k, &one, buffers[1], CUDA_R_16BF, k, buffers[0],
                                CUDA_R_16BF, k, &zero, buffers[2], CUDA_R_16BF, n, CUBLAS_COMPUTE_32F,
                                CUBLAS_GEMM_DEFAULT);
}
