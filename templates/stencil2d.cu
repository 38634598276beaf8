// A star-shaped stencil of RADIUS points to each side on a plane: where a point's neighbours come from. Each is wanted by several
// threads; the caches may hand it out, or a tile in shared memory with a halo around it. Beyond the edge of the plane, the nearest
// point of the plane counts.
//
// The limit is the copy ceiling, whatever RADIUS is: each point moves once in and once out, if a cache or shared memory hands it to
// all threads that want it.
//
// SOURCE   plain: ordinary loads; promised: the pointers are said not to alias (const __restrict__); ldg: loads that say
//          themselves that nobody writes there (__ldg); texture: fetches of a texture object, which also knows what counts beyond
//          the edge; tiled: shared memory
// VEC      points of a thread, next to each other in a row, moved at once
// BESIDE   points, vectors: how a thread loads the neighbours to its left and right, one by one or VEC at once
// BLOCK_X  threads of a block along a row
// BLOCK_Y  threads of a block down a column
// ROWS     rows of a thread, one below the other: the values of a column stay in registers
//
// RADIUS, the size of the stencil, is a macro too.

#define plain 0
#define promised 1
#define ldg 2
#define texture 3
#define tiled 4
#define points 0
#define vectors 1
#if SOURCE == promised
#define ALONE __restrict__
#else
#define ALONE
#endif

template <int FLOATS> struct vector;
template <> struct vector<1> { typedef float type; };
template <> struct vector<2> { typedef float2 type; };
template <> struct vector<4> { typedef float4 type; };
typedef vector<VEC>::type word;

union pack {
    word whole;
    float part[VEC];
};

enum {
    halo = (RADIUS + VEC - 1) / VEC * VEC, // beside a tile: whole vectors
    height = ROWS + 2 * RADIUS,            // of a thread's columns
    tile_width = BLOCK_X * VEC + 2 * halo,
    tile_height = BLOCK_Y * ROWS + 2 * RADIUS
};

static __device__ int inside(int at, int size)
{
    return at < 0 ? 0 : at >= size ? size - 1 : at;
}

static __device__ float weighted(float centre, float around)
{
    return 0.5f * centre + 0.125f / RADIUS * around;
}

extern "C" __global__ void stencil2d_naive(float *out, const float *in, cudaTextureObject_t, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float around = 0;
    for (int r = 1; r <= RADIUS; r++)
        around += in[(size_t)y * width + inside(x - r, width)] + in[(size_t)y * width + inside(x + r, width)] +
                  in[(size_t)inside(y - r, height) * width + x] + in[(size_t)inside(y + r, height) * width + x];
    out[(size_t)y * width + x] = weighted(in[(size_t)y * width + x], around);
}

template <typename T> static __device__ T load(const T *from)
{
#if SOURCE == ldg
    return __ldg(from);
#else
    return *from;
#endif
}

// The results of a thread's row: `beside` is that row with RADIUS values on either side, column[-r] and column[r] lie r rows off.
static __device__ word row_of(const pack *column, const float (&beside)[VEC + 2 * RADIUS])
{
    pack result;
#pragma unroll
    for (int v = 0; v < VEC; v++) {
        float around = 0;
#pragma unroll
        for (int r = 1; r <= RADIUS; r++)
            around += beside[RADIUS + v - r] + beside[RADIUS + v + r] + column[-r].part[v] + column[r].part[v];
        result.part[v] = weighted(beside[RADIUS + v], around);
    }
    return result.whole;
}

// VEC points of the plane from x on; x is in the plane.
static __device__ word points_of(const float *ALONE in, cudaTextureObject_t plane, int x, int y, int width, int plane_height)
{
    pack result;
    if (SOURCE != texture)
        return load((const word *)&in[(size_t)inside(y, plane_height) * width + x]);
#pragma unroll
    for (int v = 0; v < VEC; v++)
        result.part[v] = tex2D<float>(plane, x + v + 0.5f, y + 0.5f);
    return result.whole;
}

// The same without a texture. `x` is a multiple of VEC, and so is the width: all of them are in the plane, or beside it.
static __device__ word vector_at(const float *ALONE in, int x, int y, int width, int plane_height)
{
    const float *const row = &in[(size_t)inside(y, plane_height) * width];
    pack result;
    if (x >= 0 && x < width)
        return load((const word *)&row[x]);
#pragma unroll
    for (int v = 0; v < VEC; v++)
        result.part[v] = load(&row[inside(x, width)]);
    return result.whole;
}

static __device__ float point(const float *ALONE in, cudaTextureObject_t plane, int x, int y, int width)
{
    return SOURCE == texture ? tex2D<float>(plane, x + 0.5f, y + 0.5f) : load(&in[(size_t)y * width + inside(x, width)]);
}

// The neighbours to the left and right of VEC points.
static __device__ void points_beside(float (&beside)[VEC + 2 * RADIUS], const float *ALONE in, cudaTextureObject_t plane, int x,
                                     int y, int width)
{
#pragma unroll
    for (int b = 0; b < RADIUS; b++) {
        beside[b] = point(in, plane, x - RADIUS + b, y, width);
        beside[RADIUS + VEC + b] = point(in, plane, x + VEC + b, y, width);
    }
}

static __device__ void vectors_beside(float (&beside)[VEC + 2 * RADIUS], const float *ALONE in, int x, int y, int width,
                                      int plane_height)
{
#pragma unroll
    for (int b = 0; b < halo; b += VEC) {
        pack left, right;
        left.whole = vector_at(in, x - halo + b, y, width, plane_height);
        right.whole = vector_at(in, x + VEC + b, y, width, plane_height);
#pragma unroll
        for (int v = 0; v < VEC; v++) {
            if (b + v >= halo - RADIUS)
                beside[b + v - halo + RADIUS] = left.part[v];
            if (b + v < RADIUS)
                beside[RADIUS + VEC + b + v] = right.part[v];
        }
    }
}

static __device__ void from_memory(float *ALONE out, const float *ALONE in, cudaTextureObject_t plane, int x, int y, int width,
                                   int plane_height)
{
    pack column[height];
    if (x >= width || y >= plane_height)
        return;
#pragma unroll
    for (int i = 0; i < height; i++)
        column[i].whole = points_of(in, plane, x, y + i - RADIUS, width, plane_height);
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        if (y + i >= plane_height)
            continue;
        float beside[VEC + 2 * RADIUS];
#pragma unroll
        for (int v = 0; v < VEC; v++)
            beside[RADIUS + v] = column[RADIUS + i].part[v];
        if (BESIDE == points)
            points_beside(beside, in, plane, x, y + i, width);
        else
            vectors_beside(beside, in, x, y + i, width, plane_height);
        *(word *)&out[(size_t)(y + i) * width + x] = row_of(&column[RADIUS + i], beside);
    }
}

static __device__ void from_tile(float *ALONE out, const float *ALONE in, int x, int y, int width, int plane_height)
{
    extern __shared__ float4 tile[]; // tile_height rows of tile_width floats
    float *const rows = (float *)tile;
    const int at_x = threadIdx.x * VEC, at_y = threadIdx.y * ROWS;
    for (int i = threadIdx.y * BLOCK_X + threadIdx.x; i < tile_width / VEC * tile_height; i += BLOCK_X * BLOCK_Y) {
        const int column = i % (tile_width / VEC) * VEC, row = i / (tile_width / VEC);
        *(word *)&rows[row * tile_width + column] =
            vector_at(in, x - at_x - halo + column, y - at_y - RADIUS + row, width, plane_height);
    }
    __syncthreads();
    if (x >= width || y >= plane_height)
        return;
    pack column[height];
#pragma unroll
    for (int i = 0; i < height; i++)
        column[i].whole = *(const word *)&rows[(at_y + i) * tile_width + halo + at_x];
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        if (y + i >= plane_height)
            continue;
        float beside[VEC + 2 * RADIUS];
#pragma unroll
        for (int b = 0; b < VEC + 2 * RADIUS; b++)
            beside[b] = rows[(at_y + RADIUS + i) * tile_width + halo + at_x - RADIUS + b];
        *(word *)&out[(size_t)(y + i) * width + x] = row_of(&column[RADIUS + i], beside);
    }
}

extern "C" __global__ void stencil2d(float *ALONE out, const float *ALONE in, cudaTextureObject_t plane, int width,
                                     int plane_height)
{
    const int x = (blockIdx.x * BLOCK_X + threadIdx.x) * VEC, y = (blockIdx.y * BLOCK_Y + threadIdx.y) * ROWS;
    if (SOURCE == tiled)
        from_tile(out, in, x, y, width, plane_height);
    else
        from_memory(out, in, plane, x, y, width, plane_height);
}
