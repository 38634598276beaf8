// The same sum, with one operand read through constant memory or textures.
#if MODE_IS == 1
__constant__ float COEFF[64];
#endif
#if MODE_IS == 2
__constant__ float MORE[64];
#endif

extern "C" __global__ void reference(float *out, const float *img, const float *coeff, cudaTextureObject_t, cudaTextureObject_t,
                                     cudaTextureObject_t, int cols, int rows)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < cols && y < rows)
        out[y * cols + x] = img[y * cols + x] + coeff[x % 64];
}

extern "C" __global__ void views(float *out, const float *img, const float *coeff, cudaTextureObject_t line_texture,
                                 cudaTextureObject_t image_texture, cudaTextureObject_t filtered_texture, int cols, int rows)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= cols || y >= rows)
        return;
    float value = img[y * cols + x], factor = coeff[x % 64];
#if MODE_IS == 1
    factor = COEFF[x % 64];
#elif MODE_IS == 2
    factor = MORE[x % 64];
#elif MODE_IS == 3
    value = tex1Dfetch<float>(line_texture, y * cols + x);
#elif MODE_IS == 4
    value = tex2D<float>(image_texture, x + 0.5f, y + 0.5f);
#elif MODE_IS == 5
    value = tex2D<float>(filtered_texture, x + 0.5f, y + 0.5f); // at the centre of an element
#elif MODE_IS == 6
    value = tex2D<float>(filtered_texture, x + 1.0f, y + 0.5f); // between two elements: interpolated
#endif
    out[y * cols + x] = value + factor;
}
