// A kernel with all faults, one per variant: out[i] = 2 * in[i], with 1024 threads per block.
enum fault { healthy, quick, twin, broken_source, wrong_values, not_a_number, unwritten, writes_beside, writes_input, illegal_address,
             spins, static_shared, total_shared, registers };
#define fault ((int)FAULT) // a constant of the module would be part of the cubin
static_assert(fault != broken_source, "a variant that does not compile");

extern "C" __global__ void reference(float *out, float *in, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = 2 * in[i];
}

static __device__ unsigned long long now_ns()
{
    unsigned long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

// Keeps many values alive at once.
static __device__ float many_registers(const float *in, int i)
{
    float held[150], sum = 0;
#pragma unroll
    for (int k = 0; k < 150; k++)
        held[k] = in[(i + 37 * k) & 1023];
#pragma unroll
    for (int k = 0; k < 150; k++)
        sum = sum * held[149 - k] + held[k];
    return sum;
}

extern "C" __global__ void faults(float *out, float *in, int count)
{
    __shared__ float block[fault == static_shared ? 1 << 16 : fault == total_shared ? 10 << 10 : 1024];
    extern __shared__ float more[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    block[threadIdx.x] = i < count ? in[i] : 0;
    if (fault == total_shared)
        more[threadIdx.x] = 0;
    __syncthreads();
    if (i >= count)
        return;
    float twice = 2 * block[threadIdx.x];
    if (fault == healthy) { // correct, but slow
        unsigned long long start = now_ns();
        while (now_ns() - start < 20000)
            ;
    }
    if (fault == spins) { // bounded, in case there is no time limit
        unsigned long long start = now_ns();
        while (now_ns() - start < 30000000000ull)
            ;
    }
    if (fault == wrong_values && i == count / 2)
        twice += 1;
    if (fault == not_a_number && i == count / 3)
        twice = __int_as_float(0x7fffffff);
    if (fault == registers)
        twice += many_registers(in, i);
    if (fault == writes_beside && i == 0)
        out[count] = 1;
    if (fault == writes_input && i == 7)
        in[i] += 1;
    if (fault == illegal_address && i == 0)
        *(volatile float *)16 = 1;
    if (fault == unwritten && i == count - 1)
        return;
    out[i] = twice;
}
