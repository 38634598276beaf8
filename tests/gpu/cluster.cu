// out[i] = in[i] + size of the block's cluster: wrong unless the cluster has the requested size.
extern "C" __global__ void reference(float *out, const float *in, int)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

extern "C" __global__ void cluster(float *out, const float *in, int blocks)
{
    unsigned there = 1;
#if __CUDA_ARCH__ >= 900
    asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(there));
#endif
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] + (float)((int)there - blocks);
}
