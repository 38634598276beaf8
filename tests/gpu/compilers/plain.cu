extern "C" __global__ void plain(const float *x, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * x[i];
}

extern "C" __global__ void plain_accumulate(float *total, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        total[i] += x[i];
    }
}

extern "C" __global__ void plain_planes(const float *x, float *out, int rows, int depth, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) {
        float total = depth * cols + rows * cols;
        for (int k = 0; k < depth; k++) {
            total += x[((size_t)row * depth + k) * cols + col];
        }
        out[(size_t)row * cols + col] = total;
    }
}
