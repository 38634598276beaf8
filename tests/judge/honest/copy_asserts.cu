// space: copy. With an assertion.
#include <cassert>

extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    assert(count > 0);
    if (i < count)
        out[i] = in[i];
}
