// Faultless code in two versions each: out = in * 2 + 1, or a stencil, or arithmetic.
//
// WORK     0: map over memory; 1: stencil of five points; 2: polynomial; 3: sums in shared memory
// VERSION  0, 1: the two versions
// BLOCK    threads of a block

static __device__ float polynomial(float x)
{
    float sum = 0;
    if (VERSION)
#pragma unroll 8
        for (int s = 0; s < STEPS; s++)
            sum = sum * x + 0.5f; // contracted to a fused multiply-add
    else
#pragma unroll 16
        for (int s = 0; s < STEPS; s++)
            sum = fmaf(sum, x, 0.5f);
    return sum;
}

static __device__ float point(const float *in, size_t i, int width)
{
    return VERSION ? 0.2f * (in[i] + in[i + 1] + in[i + 2] + in[i + width + 1] + in[i + 2 * width + 1])
                   : 0.2f * (__ldg(&in[i]) + __ldg(&in[i + 1]) + __ldg(&in[i + 2]) + __ldg(&in[i + width + 1]) +
                             __ldg(&in[i + 2 * width + 1]));
}

static __device__ void map(float4 *out, const float4 *in, long long i)
{
    const float4 v = VERSION ? __ldcs(&in[i]) : in[i];
    const float4 w = {v.x * 2 + 1, v.y * 2 + 1, v.z * 2 + 1, v.w * 2 + 1};
    out[i] = w;
}

static __device__ float shared_sum(const float *in)
{
    __shared__ float held[BLOCK];
    held[threadIdx.x] = in[threadIdx.x % 128];
    __syncthreads();
    float sum = 0;
#pragma unroll 8
    for (int s = 0; s < STEPS; s++)
        sum += held[VERSION ? (threadIdx.x + s) & 127 : (threadIdx.x ^ s) & 127];
    return sum;
}

extern "C" __global__ void sound_naive(float *out, const float *in, int width)
{
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    const float x = WORK == 2 ? (float)(i & 1023) * 0.0009f : 0;
    float sum = 0;
    if (WORK == 0)
        out[i] = in[i] * 2 + 1;
    else if (WORK == 1)
        out[i] = point(in, i, width);
    else if (WORK == 2)
        out[i] = polynomial(x);
    else {
        for (int s = 0; s < STEPS; s++)
            sum += in[VERSION ? (threadIdx.x + s) & 127 : (threadIdx.x ^ s) & 127];
        out[i] = sum;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) sound(float *__restrict__ out, const float *__restrict__ in, int width)
{
    const long long i = (long long)blockIdx.x * BLOCK + threadIdx.x;
    if (WORK == 0)
        map((float4 *)out, (const float4 *)in, i);
    else if (WORK == 1)
        out[i] = point(in, i, width);
    else if (WORK == 2)
        out[i] = polynomial((float)(i & 1023) * 0.0009f);
    else
        out[i] = shared_sum(in);
}
