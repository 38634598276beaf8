// space: copy. Loads that pass the first cache, by inline PTX.
extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    float value;
    if (i >= count)
        return;
    asm volatile("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(value) : "l"(in + i));
    asm volatile("st.global.L1::no_allocate.f32 [%0], %1;" ::"l"(out + i), "f"(value) : "memory");
}
