// Two-dimensional convolution. A thread computes `tile` outputs of a column. The weights are in constant memory and, as Kernel
// Tuner passes them, in global memory.
__constant__ float weights[filter_height * filter_width];

extern "C" __global__ void convolve(float *out, const float *in, const float *in_global)
{
    const float *used = use_cmem ? weights : in_global;
    int x = blockIdx.x * block_size_x + threadIdx.x, top = blockIdx.y * block_size_y * tile + threadIdx.y;
    for (int y = top; y < top + block_size_y * tile; y += block_size_y) {
        float sum = 0;
        if (x >= WIDTH || y >= HEIGHT)
            continue;
        for (int i = 0; i < filter_height; i++)
            for (int j = 0; j < filter_width; j++)
                sum += in[(y + i) * (WIDTH + filter_width - 1) + x + j] * used[i * filter_width + j];
        out[y * WIDTH + x] = fault ? 1.01f * sum : sum;
    }
}
