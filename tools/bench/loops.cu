// A kernel whose time is known up to a factor: a chain of dependent multiply-adds, UNIT * STEP of them.
extern "C" __global__ void loops(unsigned *out, const unsigned *in)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i];
#pragma unroll 1
    for (unsigned long long n = 0; n < (unsigned long long)UNIT * STEP; n++)
        x = x * 1664525u + 1013904223u;
    out[i] = in[i] ^ (x == 0x9e3779b9u && in[i] == 0u); // never, but the compiler does not know
}

extern "C" __global__ void copy(unsigned *out, const unsigned *in)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}
