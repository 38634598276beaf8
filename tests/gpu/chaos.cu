// Chains of dependent operations whose length depends on the configuration: the fastest is known, by a wide margin.
extern "C" __global__ void reference(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

#if A == 5 && B == 3
#error "the one that does not compile"
#endif

extern "C" __global__ void chain(int *out, const int *in, int n)
{
    enum {
        a = A > 2 ? 2 * (A - 2) : A < 2 ? 2 * (2 - A) - 1 : 0,
        b = B > 1 ? B - 1 : 1 - B, // two configurations have the same code
        steps = 4000 + 2000 * (4 * a + b)
    };
    int i = blockIdx.x * blockDim.x + threadIdx.x, one = n > 0, zero = n < 0;
    if (i >= n)
        return;
    int value = in[i];
#pragma unroll 1
    for (int step = 0; step < steps; step++)
        asm volatile("mad.lo.s32 %0, %0, %1, %2;" : "+r"(value) : "r"(one), "r"(zero));
    out[i] = value;
}
