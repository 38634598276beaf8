// out[i] = 2 * in[i] by chunks, with one fault per variant.
enum fault { healthy, forgets_offset, past_chunk, writes_beside, writes_input, illegal_address };

extern "C" __global__ void reference(float *out, float *in, long long offset, int length)
{
    long long i = offset + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < offset + length)
        out[i] = 2 * in[i];
}

extern "C" __global__ void pipeline(float *out, float *in, long long offset, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (FAULT == forgets_offset)
        offset = 0;
    if (FAULT != past_chunk && i >= length)
        return;
    if (FAULT == illegal_address && i == 0 && offset)
        *(volatile float *)16 = 1;
    if (FAULT == writes_beside && i == 0 && offset == 0)
        out[-1] = 1;
    if (FAULT == writes_input && i == 7)
        in[offset + i] += 1;
    out[offset + i] = 2 * in[offset + i];
}
