#define THREADS 128

__global__ void add(float *out, const float *a, const float *b, int count, float factor)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = a[i] + factor * b[i];
}

__global__ void blur(float *out, const float *in, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] = in[y * width + x];
}

__global__ void fixed(float *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

#ifndef __CUDACC_RTC__
int main()
{
    int n = 1 << 20, columns = 640, lines = 480;
    float *a, *b, *c;
    add<<<(n + THREADS - 1) / THREADS, THREADS>>>(c, a, b, n, 0.5f);
    dim3 block(16, 8);
    dim3 grid((columns + block.x - 1) / block.x, (lines + block.y - 1) / block.y);
    blur<<<grid, block>>>(c, a, columns, lines);
    fixed<<<4096 / 256, 256>>>(c);
    return 0;
}
#endif
