// Copies a counter to outputs of six types; each variant leaves half of one output unwritten.
#include <cuda_fp16.h>

enum leaves { nothing, s8, u8, s16, f16, f32, f64 };
#ifndef LEAVES
#define LEAVES nothing
#endif

static __device__ void write(int leaves, signed char *out_s8, unsigned char *out_u8, short *out_s16, __half *out_f16, float *out_f32,
                             double *out_f64, const int *in, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    bool first_half = i < count / 2;
    if (leaves != s8 || first_half)
        out_s8[i] = (signed char)in[i];
    if (leaves != u8 || first_half)
        out_u8[i] = (unsigned char)in[i];
    if (leaves != s16 || first_half)
        out_s16[i] = (short)in[i];
    if (leaves != f16 || first_half)
        out_f16[i] = __int2half_rn(in[i]);
    if (leaves != f32 || first_half)
        out_f32[i] = (float)in[i];
    if (leaves != f64 || first_half)
        out_f64[i] = (double)in[i];
}

extern "C" __global__ void reference(signed char *out_s8, unsigned char *out_u8, short *out_s16, __half *out_f16, float *out_f32,
                                     double *out_f64, const int *in, int count)
{
    write(nothing, out_s8, out_u8, out_s16, out_f16, out_f32, out_f64, in, count);
}

extern "C" __global__ void unwritten(signed char *out_s8, unsigned char *out_u8, short *out_s16, __half *out_f16, float *out_f32,
                                     double *out_f64, const int *in, int count)
{
    write(LEAVES, out_s8, out_u8, out_s16, out_f16, out_f32, out_f64, in, count);
}
