// image = 3 * image + in, in place, and its bytes in `out`, by pointers or by surfaces. The x of a surface counts bytes.
enum shape { pointer, line, lines, plane, solid, sheets };
enum wrong { none, moved, unwritten, touched };

__device__ static int next(int value, short2 add)
{
    return 3 * value + add.x - add.y;
}

__device__ static uchar4 bytes_of(int value)
{
    return make_uchar4(value, value >> 8, value >> 16, value >> 24);
}

extern "C" __global__ void reference(uchar4 *out, int *image, const short2 *in)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * COLS + x;
    if (x >= COLS)
        return;
    image[i] = next(image[i], in[i]);
    out[i] = bytes_of(image[i]);
}

#define BYTES (int)sizeof(int)

extern "C" __global__ void surfaces(uchar4 *out, int *image, const short2 *in, cudaSurfaceObject_t out_plane,
                                    cudaSurfaceObject_t in_plane, cudaSurfaceObject_t image_line, cudaSurfaceObject_t image_lines,
                                    cudaSurfaceObject_t image_plane, cudaSurfaceObject_t image_solid,
                                    cudaSurfaceObject_t image_sheets)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, i = y * COLS + x;
    if (x >= COLS)
        return;
    short2 add = SHAPE == pointer ? in[i] : surf2Dread<short2>(in_plane, x * BYTES, y);
    int old = SHAPE == pointer  ? image[i]
              : SHAPE == line   ? surf1Dread<int>(image_line, i * BYTES)
              : SHAPE == lines  ? surf1DLayeredread<int>(image_lines, x * BYTES, y)
              : SHAPE == plane  ? surf2Dread<int>(image_plane, x * BYTES, y)
              : SHAPE == solid  ? surf3Dread<int>(image_solid, x * BYTES, y % 16, y / 16)
                                : surf2DLayeredread<int>(image_sheets, x * BYTES, y % 16, y / 16);
    int value = next(old, add);
    if (WRONG == unwritten && i == COLS * ROWS - 1)
        return;
    if (WRONG == touched && i == 0)
        surf2Dwrite(make_short2(add.x + 1, add.y), in_plane, 0, 0);
    int to = WRONG == moved ? (x + 1) % COLS : x;
    switch (SHAPE) {
    case pointer:
        image[y * COLS + to] = value;
        break;
    case line:
        surf1Dwrite(value, image_line, (y * COLS + to) * BYTES);
        break;
    case lines:
        surf1DLayeredwrite(value, image_lines, to * BYTES, y);
        break;
    case plane:
        surf2Dwrite(value, image_plane, to * BYTES, y);
        break;
    case solid:
        surf3Dwrite(value, image_solid, to * BYTES, y % 16, y / 16);
        break;
    case sheets:
        surf2DLayeredwrite(value, image_sheets, to * BYTES, y % 16, y / 16);
        break;
    }
    if (SHAPE == pointer)
        out[i] = bytes_of(value);
    else
        surf2Dwrite(bytes_of(value), out_plane, x * BYTES, y);
}
