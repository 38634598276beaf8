// out[i] = in[i] / |in|, in five launches that share scratch. PARTS partial sums.
extern "C" __global__ void square(float *squares, const float *in, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        squares[i] = in[i] * in[i];
}

// One block per part. `written` of the `parts` parts are written.
extern "C" __global__ void sum_parts(double *sums, const float *squares, int n, int parts)
{
    __shared__ double sum[256];
    int length = (n + parts - 1) / parts, first = blockIdx.x * length;
    sum[threadIdx.x] = 0;
    for (int i = first + threadIdx.x; i < n && i < first + length; i += blockDim.x)
        sum[threadIdx.x] += squares[i];
    __syncthreads();
    for (int half = blockDim.x / 2; half; half /= 2) {
        if (threadIdx.x < half)
            sum[threadIdx.x] += sum[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum[0];
}

extern "C" __global__ void sum_sums(double *total, const double *sums, int parts)
{
    double sum = 0;
    for (int i = 0; i < parts; i++)
        sum += sums[i];
    *total = sum;
}

extern "C" __global__ void reciprocal(float *factor, const double *total)
{
    *factor = (float)(1 / sqrt(*total));
}

extern "C" __global__ void scale(float *out, const float *in, const float *factor, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i] * *factor;
}

extern "C" __global__ void reference(float *out, const float *in, int n)
{
    __shared__ double sum[1024];
    sum[threadIdx.x] = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum[threadIdx.x] += (double)(in[i] * in[i]);
    __syncthreads();
    for (int half = blockDim.x / 2; half; half /= 2) {
        if (threadIdx.x < half)
            sum[threadIdx.x] += sum[threadIdx.x + half];
        __syncthreads();
    }
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = in[i] * (float)(1 / sqrt(sum[0]));
}
