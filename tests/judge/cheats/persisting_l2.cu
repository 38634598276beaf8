// space: copy. Asks the L2 to keep its input for the next launch: the persisting window of llm.c.
extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        float value;
        asm volatile("{ .reg .b64 policy; createpolicy.fractional.L2::evict_last.b64 policy, 1.0;"
                     " ld.global.L2::cache_hint.f32 %0, [%1], policy; }"
                     : "=f"(value)
                     : "l"(in + i));
        out[i] = value;
    }
}
