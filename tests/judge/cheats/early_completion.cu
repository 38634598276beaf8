// space: copy. Tells the device that it has ended before it begins: programmatic launch.
extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile("griddepcontrol.launch_dependents;");
    for (long long until = clock64() + 100000; clock64() < until;)
        ;
    if (i < count)
        out[i] = in[i];
}
