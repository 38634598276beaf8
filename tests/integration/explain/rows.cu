// Each thread loads, or stores, LENGTH values: a row of its own, or a column.
//
// STORES  0: the loop loads; 1: it stores, in PASSES passes over the same memory
// ORDER   rows: the lanes are LENGTH values apart; columns: they are adjacent

enum order { rows, columns };

static __device__ size_t place(long long thread, int step, long long threads)
{
    return ORDER == rows ? thread * LENGTH + step : step * threads + thread;
}

static __device__ void load(float *out, const float *in)
{
    const long long thread = (long long)blockIdx.x * 256 + threadIdx.x, threads = gridDim.x * 256LL;
    float sum = 0;
#pragma unroll 4
    for (int s = 0; s < LENGTH; s++)
        sum += __ldcg(&in[place(thread, s, threads)]);
    out[thread] = sum;
}

static __device__ void store(float *out, const float *in)
{
    const long long thread = (long long)blockIdx.x * 256 + threadIdx.x, threads = gridDim.x * 256LL;
    const float value = in[thread & 1023];
#pragma unroll 1
    for (int p = 0; p < PASSES; p++)
#pragma unroll 1
        for (int s = 0; s < LENGTH; s++)
            out[place(thread, s, threads)] = value + (float)(p + s);
}

extern "C" __global__ void rows_naive(float *out, const float *in)
{
    const long long thread = (long long)blockIdx.x * 256 + threadIdx.x, threads = gridDim.x * 256LL;
    float sum = 0;
    for (int s = 0; s < LENGTH; s++)
        if (STORES)
            out[place(thread, s, threads)] = in[thread & 1023] + (float)(PASSES - 1 + s);
        else
            sum += in[place(thread, s, threads)];
    if (!STORES)
        out[thread] = sum;
}

extern "C" __global__ void rows_or_columns(float *out, const float *in)
{
    if (STORES)
        store(out, in);
    else
        load(out, in);
}
