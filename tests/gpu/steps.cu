// A stencil of three points over a ring, `steps` times. TILE does not affect the results.
extern "C" __global__ void step(float *next, const float *field, int n)
{
    int i = blockIdx.x * TILE + threadIdx.x;
    if (i < n)
        next[i] = 0.25f * field[i ? i - 1 : n - 1] + 0.5f * field[i] + 0.25f * field[i + 1 < n ? i + 1 : 0];
}

// All steps by one block, with the result in `field`.
extern "C" __global__ void all_steps(float *field, float *next, int n, int steps)
{
    float *from = field, *to = next;
    for (int s = 0; s < steps; s++) {
        for (int i = threadIdx.x; i < n; i += blockDim.x)
            to[i] = 0.25f * from[i ? i - 1 : n - 1] + 0.5f * from[i] + 0.25f * from[i + 1 < n ? i + 1 : 0];
        __syncthreads();
        float *kept = from;
        from = to;
        to = kept;
    }
    for (int i = threadIdx.x; from != field && i < n; i += blockDim.x)
        field[i] = from[i];
}
