// The reference computes the files' known contents instead of reading them.
#include <cuda_bf16.h>

enum fault { healthy, shifted, swapped };

extern "C" __global__ void expected(float4 *out, unsigned *seen, const float *, const __nv_bfloat16 *, const float2 *,
                                    const int *, const float *, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = make_float4(0.5f * i, i % 128, i, -i);
    if (i == 0) {
        seen[0] = 0x3ff;
        seen[1] = 0xf;
    }
}

#ifdef FAULT
extern "C" __global__ void combine(float4 *out, unsigned *seen, const float *halves, const __nv_bfloat16 *small,
                                   const float2 *pairs, const int *digits, const float *angles, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    float2 pair = pairs[i];
    if (FAULT == swapped)
        pair = make_float2(pair.y, pair.x);
    out[i] = make_float4(halves[FAULT == shifted && i ? i - 1 : i], __bfloat162float(small[i]), pair.x, pair.y);
    bool within = digits[i] >= 0 && digits[i] <= 9 && angles[i] >= -0.25f && angles[i] <= 0.5f;
    atomicOr(&seen[0], within ? 1u << digits[i] : 1u << 31);
    atomicOr(&seen[1], within ? 1u << min(3, (int)((angles[i] + 0.25f) / 0.1875f)) : 1u << 31);
}
#endif
