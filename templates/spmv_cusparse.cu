// cuSPARSE for comparison with `spmv`: compressed rows (CSR), by its default algorithm, which analyses them once.
#include <cusparse.h>
#include <cstdio>

extern "C" const char *version(void)
{
    static char name[64];
    int major = 0, minor = 0;
    cusparseGetProperty(MAJOR_VERSION, &major);
    cusparseGetProperty(MINOR_VERSION, &minor);
    snprintf(name, sizeof name, "cuSPARSE %d.%d", major, minor);
    return name;
}

static cusparseHandle_t handle;
static cusparseSpMatDescr_t matrix;
static cusparseDnVecDescr_t x, y;
static void *workspace;
static const float one = 1, zero = 0;

// Prepares the objects that later calls reuse.
static int prepare(void *const *buffers, long n, cudaStream_t stream)
{
    int entries = 0;
    size_t bytes = 0;
    int error = cudaMemcpy(&entries, (const int *)buffers[0] + n, sizeof entries, cudaMemcpyDeviceToHost);
    if (!error)
        error = cusparseCreate(&handle);
    if (!error)
        error = cusparseSetStream(handle, stream);
    if (!error)
        error = cusparseCreateCsr(&matrix, n, n, entries, buffers[0], buffers[1], buffers[2], CUSPARSE_INDEX_32I,
                                  CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    if (!error)
        error = cusparseCreateDnVec(&x, n, buffers[3], CUDA_R_32F);
    if (!error)
        error = cusparseCreateDnVec(&y, n, buffers[6], CUDA_R_32F);
    if (!error)
        error = cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, x, &zero, y, CUDA_R_32F,
                                        CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
    if (!error)
        error = cudaMalloc(&workspace, bytes ? bytes : 1);
    return error ? error
                 : cusparseSpMV_preprocess(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, x, &zero, y,
                                           CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, workspace);
}

extern "C" int run(void *const *buffers, const long *sizes, cudaStream_t stream)
{
    int error = handle ? 0 : prepare(buffers, sizes[0], stream);
    return error ? error
                 : cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, x, &zero, y, CUDA_R_32F,
                                CUSPARSE_SPMV_ALG_DEFAULT, workspace);
}
