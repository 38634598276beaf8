// A short loop body, unrolled by a factor.
//
// KIND    0: a multiply-add; 1: a step of an integer hash; 2: a load from memory, whose latency only the thread's own
// loads hide
// UNROLL  unroll factor

extern "C" __global__ void unroll_naive(float *out, const float *in, int steps, int stride)
{
    const int thread = blockIdx.x * 256 + threadIdx.x;
    float x = (float)(thread % 1000);
    unsigned h = thread;
    for (int s = 0; s < steps; s++) {
        x = KIND == 0 ? fmaf(x, 0.999f, 0.25f) : x + (KIND == 2 ? in[thread + (long long)s * stride] : 0);
        h = (h ^ s) * 16777619u;
    }
    out[thread] = KIND == 1 ? (float)h : x;
}

extern "C" __global__ void __launch_bounds__(256) unroll(float *__restrict__ out, const float *__restrict__ in, int steps, int stride)
{
    const int thread = blockIdx.x * 256 + threadIdx.x;
    float x = (float)(thread % 1000);
    unsigned h = thread;
    const float *from = in + thread;
#pragma unroll UNROLL
    for (int s = 0; s < steps; s++) {
        if (KIND == 0)
            x = fmaf(x, 0.999f, 0.25f);
        else if (KIND == 1)
            h = (h ^ s) * 16777619u;
        else
            x += from[(long long)s * stride];
    }
    out[thread] = KIND == 1 ? (float)h : x;
}
