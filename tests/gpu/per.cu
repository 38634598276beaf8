// A stencil of three points over a ring, STEPS times in a launch. A block loads a tile with halos and loses an element
// at each end with every step.
enum fault { healthy, step_too_few, step_too_many };

static __device__ float average(float left, float middle, float right)
{
    return 0.25f * left + 0.5f * middle + 0.25f * right;
}

extern "C" __global__ void blocked(float *out, const float *in)
{
    __shared__ float tile[2][TILE];
    const int steps = STEPS + (FAULT == step_too_many) - (FAULT == step_too_few);
    int inner = TILE - 2 * STEPS, x = threadIdx.x;
    long i = (long)blockIdx.x * inner + x - STEPS;
    tile[0][x] = in[(i + N) % N];
    int from = 0;
    for (int s = 0; s < steps; s++, from = !from) {
        __syncthreads();
        tile[!from][x] = average(tile[from][x > 0 ? x - 1 : x], tile[from][x], tile[from][x < TILE - 1 ? x + 1 : x]);
    }
    if (x >= STEPS && x < TILE - STEPS && i < N)
        out[i] = tile[from][x];
}

// The same, element by element: the binomial coefficients of 2 * steps over 4 to the power of steps.
extern "C" __global__ void all_steps(float *out, const float *in, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N)
        return;
    double weight = 1, sum = 0;
    for (int s = 0; s < steps; s++)
        weight /= 4;
    for (int k = 0; k <= 2 * steps; k++) {
        sum += weight * in[(i + k - steps + N) % N];
        weight = weight * (2 * steps - k) / (k + 1);
    }
    out[i] = (float)sum;
}
