// One more than the difference between a texture's value and the same value by loads, with coordinates beyond the edges.
enum edge { clamp, wrap, mirror, border };
enum units { elements, normalized };
enum filter { point, linear };
enum from { plane, image, line };

extern "C" __global__ void reference(float *out, const float *, const unsigned char *, cudaTextureObject_t, cudaTextureObject_t,
                                     cudaTextureObject_t, int cols, int rows)
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

__device__ static float loaded(const float *img, const unsigned char *pixels, int x, int y, int cols, int rows)
{
    int column = place(EDGE, x, cols), row = place(FROM == image ? clamp : EDGE, y, rows);
    if (column < 0 || row < 0)
        return 0;
    return FROM == plane ? img[row * cols + column] : pixels[row * cols + column] / 255.0f;
}

extern "C" __global__ void textures(float *out, const float *img, const unsigned char *pixels, cudaTextureObject_t plane_texture,
                                    cudaTextureObject_t image_texture, cudaTextureObject_t line_texture, int cols, int rows)
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
        int column = x < cols / 2 ? x - 5 : x + 5, row = y < rows / 2 ? y - 3 : y + 3;
        // A filter reads half-way between two elements.
        float u = column + WRONG + (FILTER == linear ? 1.0f : 0.5f), v = row + 0.5f;
        if (UNITS == normalized) {
            u /= cols;
            v /= rows;
        }
        fetched = tex2D<float>(FROM == plane ? plane_texture : image_texture, u, v);
        expected = loaded(img, pixels, column, row, cols, rows);
        if (FILTER == linear)
            expected = 0.5f * (expected + loaded(img, pixels, column + 1, row, cols, rows));
    }
    out[y * cols + x] = 1 + (fetched - expected);
}
