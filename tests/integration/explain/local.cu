// An array per thread.
//
// MODE  0: the compiler knows every index if it unrolls the loop over the array; 1: the indices depend on data
// KEEP  local: indices are known at run time only; fixed: the loop is unrolled; block: the array is in shared memory,
// one bank per lane

enum keep { local, fixed, block };
enum { length = 32, threads = 128 };

extern "C" __global__ void local_naive(float *out, const float *in, int steps)
{
    const int thread = blockIdx.x * threads + threadIdx.x;
    float a[length], sum = 0;
    for (int i = 0; i < length; i++)
        a[i] = in[(thread + i * 7) & 4095];
    for (int s = 0; s < steps; s++)
        if (MODE == 0)
            for (int i = 0; i < length; i++)
                a[i] = fmaf(a[i], 0.5f, a[(i + 1) % length]);
        else
            a[(thread * 5 + s * 11) % length] += a[(thread * 3 + s * 7) % length] * 0.5f;
    for (int i = 0; i < length; i++)
        sum += a[i];
    out[thread] = sum;
}

static __device__ float fixed_indices(const float *in, int thread, int steps)
{
    float a[length], sum = 0;
#pragma unroll
    for (int i = 0; i < length; i++)
        a[i] = in[(thread + i * 7) & 4095];
#pragma unroll 1
    for (int s = 0; s < steps; s++)
#pragma unroll KEEP == fixed ? length : 1
        for (int i = 0; i < length; i++)
            a[i] = fmaf(a[i], 0.5f, a[(i + 1) % length]);
#pragma unroll
    for (int i = 0; i < length; i++)
        sum += a[i];
    return sum;
}

static __device__ float indices_of_data(const float *in, int thread, int steps)
{
    __shared__ float held[KEEP == block ? length * threads : 1];
    float a[length], *const array = KEEP == block ? held + threadIdx.x : a, sum = 0;
    enum { step = KEEP == block ? threads : 1 };
#pragma unroll 4
    for (int i = 0; i < length; i++)
        array[i * step] = in[(thread + i * 7) & 4095];
#pragma unroll 1
    for (int s = 0; s < steps; s++)
        array[(thread * 5 + s * 11) % length * step] += array[(thread * 3 + s * 7) % length * step] * 0.5f;
#pragma unroll 4
    for (int i = 0; i < length; i++)
        sum += array[i * step];
    return sum;
}

extern "C" __global__ void __launch_bounds__(threads) local_array(float *out, const float *in, int steps)
{
    const int thread = blockIdx.x * threads + threadIdx.x;
    out[thread] = MODE == 0 ? fixed_indices(in, thread, steps) : indices_of_data(in, thread, steps);
}
