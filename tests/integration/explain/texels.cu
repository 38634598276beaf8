// Sums over small windows that stay in L1, by loads or by a texture.
//
// PATH        load, texture
// DIMENSIONS  1: tex1Dfetch; 2: tex2D

enum path { load, texture };

extern "C" __global__ void texels_naive(float *out, const float *in, cudaTextureObject_t, cudaTextureObject_t)
{
    const int tx = threadIdx.x & 31, ty = threadIdx.x / 32, x0 = (blockIdx.x & 7) * 64, y0 = (blockIdx.x / 8 & 7) * 32;
    float sum = 0;
    for (int s = 0; s < STEPS; s++)
        sum += in[(y0 + ty + (s & 15)) * WIDTH + x0 + tx + (s / 16 & 15)];
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

extern "C" __global__ void __launch_bounds__(256)
    texels(float *__restrict__ out, const float *__restrict__ in, cudaTextureObject_t line, cudaTextureObject_t plane)
{
    const int tx = threadIdx.x & 31, ty = threadIdx.x / 32, x0 = (blockIdx.x & 7) * 64, y0 = (blockIdx.x / 8 & 7) * 32;
    float sum = 0;
#pragma unroll 8
    for (int s = 0; s < STEPS; s++) {
        const int x = x0 + tx + (s / 16 & 15), y = y0 + ty + (s & 15);
        if (PATH == load)
            sum += in[y * WIDTH + x];
        else if (DIMENSIONS == 1)
            sum += tex1Dfetch<float>(line, y * WIDTH + x);
        else
            sum += tex2D<float>(plane, x + 0.5f, y + 0.5f);
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}
