// A constant smaller than the buffer that fills it.
#if USES
__constant__ float COEFF[63];
#endif

extern "C" __global__ void reference(float *out, const float *coeff)
{
    out[threadIdx.x] = coeff[threadIdx.x];
}

extern "C" __global__ void small_constant(float *out, const float *coeff)
{
#if USES
    out[threadIdx.x] = COEFF[threadIdx.x % 63];
#else
    out[threadIdx.x] = coeff[threadIdx.x];
#endif
}
