// cuBLAS for comparison with `matmul`: SGEMM in the default mode, without TF32. cuBLAS stores columns, so it computes
// C^T = B^T A^T.
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
    const float *a = (const float *)buffers[0], *b = (const float *)buffers[1], one = 1, zero = 0;
    const int m = (int)sizes[0], n = (int)sizes[1], k = (int)sizes[2];
    int error = handle ? 0 : cublasCreate(&handle);
    error = error ? error : cublasSetStream(handle, stream);
    return error ? error
                 : cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, n, a, k, &zero, (float *)buffers[2], n);
}
