// space: softmax. Powers of two, and one division for each row.
extern "C" __global__ void softmax(float *out, const float *in, int rows)
{
    __shared__ float shared[256];
    const float *const from = in + (size_t)blockIdx.x * COLS;
    const float log2_e = 1.44269504f;
    float most = -3.402823466e38f, sum = 0;
    for (int i = threadIdx.x; i < COLS; i += 256)
        most = fmaxf(most, from[i]);
    shared[threadIdx.x] = most;
    __syncthreads();
    for (int half = 128; half; half /= 2) {
        if (threadIdx.x < half)
            shared[threadIdx.x] = fmaxf(shared[threadIdx.x], shared[threadIdx.x + half]);
        __syncthreads();
    }
    most = shared[0];
    __syncthreads();
    for (int i = threadIdx.x; i < COLS; i += 256)
        sum += exp2f((from[i] - most) * log2_e);
    shared[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 128; half; half /= 2) {
        if (threadIdx.x < half)
            shared[threadIdx.x] += shared[threadIdx.x + half];
        __syncthreads();
    }
    const float factor = 1 / shared[0];
    for (int i = threadIdx.x; i < COLS; i += 256)
        out[(size_t)blockIdx.x * COLS + i] = exp2f((from[i] - most) * log2_e) * factor;
}
