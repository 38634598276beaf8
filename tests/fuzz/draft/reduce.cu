// In the manner of a library: types and flags as template arguments, dynamic shared memory.
namespace reduction {

template <typename T, unsigned int blockSize, bool nIsPow2>
__global__ void reduce(const T *__restrict__ g_idata, T *__restrict__ g_odata, unsigned int n)
{
    extern __shared__ unsigned char raw[];
    T *sdata = reinterpret_cast<T *>(raw);
    unsigned int tid = threadIdx.x, gridSize = blockSize * gridDim.x, i = blockIdx.x * blockSize + tid;
    T mySum = 0;
    while (i < n) {
        mySum += g_idata[i];
        if (nIsPow2 || i + blockSize < n)
            mySum += g_idata[i + blockSize];
        i += 2 * gridSize;
    }
    sdata[tid] = mySum;
    __syncthreads();
    for (unsigned int s = blockSize / 2; s > 0; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        g_odata[blockIdx.x] = sdata[0];
}

}
