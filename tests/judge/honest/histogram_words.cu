// space: histogram. Sixteen bytes at once, if the address allows it, and the dynamic shared memory of the launch.
extern "C" __global__ void histogram(unsigned *out, const unsigned char *in, long long count)
{
    extern __shared__ unsigned table[];
    const long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x, step = (long long)gridDim.x * blockDim.x;
    const long long words = (unsigned long long)in % 16 == 0 ? count / 16 : 0;
    table[threadIdx.x] = 0;
    __syncthreads();
    for (long long i = first; i < words; i += step) {
        const uint4 held = ((const uint4 *)in)[i];
        const unsigned parts[] = {held.x, held.y, held.z, held.w};
        for (int b = 0; b < 16; b++)
            atomicAdd(&table[parts[b / 4] >> 8 * (b % 4) & 0xff], 1);
    }
    for (long long i = 16 * words + first; i < count; i += step)
        atomicAdd(&table[in[i]], 1);
    __syncthreads();
    atomicAdd(&out[threadIdx.x], table[threadIdx.x]);
}
