// out = x * pairs, parity = i % 2, state = 3 * state. Each fault is in one of them.
enum fault { healthy, late, swapped, even, kept };

extern "C" __global__ void scale(float2 *out, unsigned char *parity, int *state, const float *x, const float2 *pairs,
                                 int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    float2 pair = pairs[i];
    if (FAULT == swapped)
        pair = make_float2(pair.y, pair.x);
    float factor = FAULT == late && i == count - 1 ? 2 * x[i] : x[i];
    out[i] = make_float2(factor * pair.x, factor * pair.y);
    parity[i] = FAULT == even ? 0 : i % 2;
    if (FAULT != kept)
        state[i] *= 3;
}
