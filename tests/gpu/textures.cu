// One more than the difference between a texture's value and the same value by loads, with coordinates beyond the edges.
enum edge { clamp, wrap, mirror, border };
enum units { elements, normalized };
enum filter { point, linear };
enum from { plane, image, line, row, solid, sheets };

extern "C" __global__ void reference(float *out, const float *, const unsigned char *, cudaTextureObject_t, cudaTextureObject_t,
                                     cudaTextureObject_t, cudaTextureObject_t, cudaTextureObject_t, cudaTextureObject_t, int cols,
                                     int rows)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < cols && y < rows)
        out[y * cols + x] = 1;
}

// The element that position `at` stands for; -1: none, the border.
__device__ static int place(int edge, int at, int count)
{
    if (at >= 0 && at < count)
        return at;
    return edge == clamp    ? min(max(at, 0), count - 1)
           : edge == wrap   ? (at + count) % count
           : edge == mirror ? (at < 0 ? -1 - at : 2 * count - 1 - at)
                            : -1;
}

// Moves the positions near both edges beyond them.
__device__ static int moved(int at, int count, int by)
{
    return at < count / 2 ? at - by : at + by;
}

__device__ static float loaded(const float *img, const unsigned char *pixels, int3 at, int3 size)
{
    int x = place(EDGE, at.x, size.x), y = place(FROM == image ? clamp : EDGE, at.y, size.y), z = place(EDGE, at.z, size.z);
    if (x < 0 || y < 0 || z < 0)
        return 0;
    int element = (z * size.y + y) * size.x + x;
    return FROM == image ? pixels[element] / 255.0f : img[element];
}

extern "C" __global__ void textures(float *out, const float *img, const unsigned char *pixels, cudaTextureObject_t plane_texture,
                                    cudaTextureObject_t image_texture, cudaTextureObject_t line_texture,
                                    cudaTextureObject_t row_texture, cudaTextureObject_t solid_texture,
                                    cudaTextureObject_t sheets_texture, int cols, int rows)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= cols || y >= rows)
        return;
    float fetched, expected;
    if (FROM == line) {
        int at = y * cols + x;
        fetched = tex1Dfetch<float>(line_texture, (at + WRONG) % (cols * rows));
        expected = pixels[at] / 255.0f;
    } else {
        const int height = FROM == row ? 1 : FROM == solid || FROM == sheets ? 32 : rows;
        const int3 size = {cols, height, FROM == row ? 1 : rows / height};
        int3 at = {moved(x, size.x, 5), moved(y % size.y, size.y, 3), y / size.y};
        if (FROM == row)
            at.y = at.z = 0;
        if (FROM == solid)
            at.z = moved(at.z, size.z, 2);
        // A filter reads half-way between two elements.
        float u = at.x + WRONG + (FILTER == linear ? 1.0f : 0.5f), v = at.y + 0.5f, w = at.z + 0.5f;
        if (UNITS == normalized) {
            u /= size.x;
            v /= size.y;
            w /= size.z;
        }
        fetched = FROM == row      ? tex1D<float>(row_texture, u)
                  : FROM == solid  ? tex3D<float>(solid_texture, u, v, w)
                  : FROM == sheets ? tex2DLayered<float>(sheets_texture, u, v, at.z)
                  : FROM == image  ? tex2D<float>(image_texture, u, v)
                                   : tex2D<float>(plane_texture, u, v);
        expected = loaded(img, pixels, at, size);
        at.x++;
        if (FILTER == linear)
            expected = 0.5f * (expected + loaded(img, pixels, at, size));
    }
    out[y * cols + x] = 1 + (fetched - expected);
}
