// cuBLAS for comparison with `transpose`: geam, with columns in place of rows.
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
    const int rows = (int)sizes[0], cols = (int)sizes[1];
    float *out = (float *)buffers[1];
    int error = handle ? 0 : cublasCreate(&handle);
    error = error ? error : cublasSetStream(handle, stream);
    return error ? error
                 : cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, cols, &one, (const float *)buffers[0], cols, &zero,
                               out, rows, out, rows);
}
