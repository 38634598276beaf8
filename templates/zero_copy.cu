// Data in the host's memory that a kernel reads REUSE times: copied to the device first, or read over the link by the kernel itself
// (mapped), or moved by the driver (managed). Read once, nothing is gained by copying it; read again, the copy in device memory is
// much nearer. Compare `-D REUSE=1,2,4,8`.
//
// VEC     floats of a load and a store: over the link, wide accesses count
// UNROLL  vectors of a thread, BLOCK apart: their loads are in flight together
// BLOCK   threads of a block
//
// The kind of the host's memory is a setting of the launch (see the .space). REUSE is a size of the problem.

template <int FLOATS> struct vector;
template <> struct vector<1> { typedef float type; };
template <> struct vector<2> { typedef float2 type; };
template <> struct vector<4> { typedef float4 type; };

union pack {
    vector<VEC>::type whole;
    float part[VEC];
};

// The sum of REUSE values of the array, a REUSEth of it apart: each value is read REUSE times, long after the time before.
extern "C" __global__ void zero_copy_naive(float *out, const float *in, long long offset, long long length)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (i >= length)
        return;
    for (int r = 0; r < REUSE; r++)
        sum += in[offset + (i + length / REUSE * r) % length];
    out[offset + i] = sum;
}

extern "C" __global__ void zero_copy(float *__restrict__ out, const float *__restrict__ in, long long offset, long long length)
{
    const long long vectors = length / VEC, first = (long long)blockIdx.x * BLOCK * UNROLL + threadIdx.x;
    const long long apart = length / REUSE / VEC;
    const vector<VEC>::type *const from = (const vector<VEC>::type *)&in[offset];
    pack sum[UNROLL] = {};
#pragma unroll 1
    for (int r = 0; r < REUSE; r++) {
        pack held[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
            const long long i = first + u * BLOCK, at = i + apart * r;
            if (i < vectors)
                held[u].whole = from[at < vectors ? at : at - vectors];
        }
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            if (first + u * BLOCK < vectors)
#pragma unroll
                for (int v = 0; v < VEC; v++)
                    sum[u].part[v] += held[u].part[v];
    }
#pragma unroll
    for (int u = 0; u < UNROLL; u++)
        if (first + u * BLOCK < vectors)
            ((vector<VEC>::type *)&out[offset])[first + u * BLOCK] = sum[u].whole;
}
