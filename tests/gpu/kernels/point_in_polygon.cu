// Finds the points inside a polygon: a ray to the right crosses its edges an odd number of times. The polygon is in
// constant memory, and so are the slopes of its edges, for variants that use them.
#ifndef VERTICES
#define VERTICES 300
#endif

__constant__ float2 d_vertices[VERTICES];
__constant__ float d_slopes[VERTICES];

// True if y is between the ends of an edge, by four equivalent methods.
template <int method> static __device__ __forceinline__ bool is_between(float a, float b, float y)
{
    if (method == 0)
        return (a > y) != (b > y);
    if (method == 1)
        return (a <= y && b > y) || (a > y && b <= y);
    if (method == 2)
        return ((a - y) * (b - y)) < 0.0f;
    return (__float_as_int(a - y) ^ __float_as_int(b - y)) < 0;
}

static __device__ __forceinline__ float crossing(int j, int k, float y)
{
#if USE_PRECOMPUTED_SLOPES
    const float slope = d_slopes[BUG ? k : j];
#else
    const float2 vj = d_vertices[j], vk = d_vertices[BUG ? j : k];
    const float slope = (vk.x - vj.x) / (vk.y - vj.y);
#endif
    return slope * (y - d_vertices[j].y) + d_vertices[j].x;
}

template <int BETWEEN, int USE>
__global__ void cn_pnpoly(int *__restrict__ bitmap, const float2 *__restrict__ points, int n)
{
    const int first = blockIdx.x * BLOCK_SIZE_X * TILE_SIZE + threadIdx.x;
    if (first >= n)
        return;
    int inside[TILE_SIZE];
    float2 p[TILE_SIZE];
#pragma unroll
    for (int t = 0; t < TILE_SIZE; t++) {
        inside[t] = 0;
        if (first + BLOCK_SIZE_X * t < n)
            p[t] = points[first + BLOCK_SIZE_X * t];
    }
    int k = VERTICES - 1;
    for (int j = 0; j < VERTICES; k = j++) {
        const float aj = d_vertices[j].y, ak = d_vertices[k].y;
#pragma unroll
        for (int t = 0; t < TILE_SIZE; t++) {
            const bool between = is_between<BETWEEN>(aj, ak, p[t].y);
            if (USE == 0) {
                if (between && p[t].x < crossing(j, k, p[t].y))
                    inside[t] = !inside[t];
            } else if (USE == 1) {
                inside[t] += between && p[t].x < crossing(j, k, p[t].y);
            } else {
                const int cross = between & (p[t].x < crossing(j, k, p[t].y));
                inside[t] ^= cross;
            }
        }
    }
#pragma unroll
    for (int t = 0; t < TILE_SIZE; t++)
        if (first + BLOCK_SIZE_X * t < n)
            bitmap[first + BLOCK_SIZE_X * t] = inside[t] & 1;
}

// A star around (0, 0), in which no neighbours have the same y.
extern "C" __global__ void make_polygon(float2 *vertices, unsigned count)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        const float angle = 6.2831853f * (i + 0.3f) / count, radius = i % 2 ? 0.9f : 0.6f;
        vertices[i] = make_float2(radius * cosf(angle), radius * sinf(angle));
    }
}

extern "C" __global__ void make_slopes(float *slopes, unsigned count, const float2 *vertices)
{
    const unsigned j = blockIdx.x * blockDim.x + threadIdx.x, k = (j + count - 1) % count;
    if (j < count)
        slopes[j] = (vertices[k].x - vertices[j].x) / (vertices[k].y - vertices[j].y);
}

static __device__ unsigned mix(unsigned x)
{
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

// Random points, none so near to an edge or to the height of a vertex that rounding decides.
extern "C" __global__ void make_points(float2 *points, unsigned count, const float2 *vertices, int vertex_count)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    for (unsigned turn = 0;; turn++) {
        const unsigned x = mix(i + 0x9e3779b9u * turn), y = mix(x + 1);
        const float2 p = make_float2(ldexpf((int)x, -31), ldexpf((int)y, -31));
        bool near = false;
        for (int j = 0, k = vertex_count - 1; j < vertex_count; k = j++) {
            const double dx = (double)vertices[k].x - vertices[j].x, dy = (double)vertices[k].y - vertices[j].y;
            const double at = vertices[j].x + dx / dy * ((double)p.y - vertices[j].y);
            near = near || fabs(at - p.x) < 1e-4 || fabs((double)p.y - vertices[j].y) < 1e-6;
        }
        if (!near) {
            points[i] = p;
            return;
        }
    }
}

// Double precision, from buffers instead of constants.
extern "C" __global__ void pnpoly_plain(int *bitmap, const float2 *points, int n, const float2 *vertices)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool inside = false;
    if (i >= n)
        return;
    for (int j = 0, k = VERTICES - 1; j < VERTICES; k = j++) {
        const double dx = (double)vertices[k].x - vertices[j].x, dy = (double)vertices[k].y - vertices[j].y;
        if ((vertices[j].y > points[i].y) != (vertices[k].y > points[i].y) &&
            points[i].x < vertices[j].x + dx / dy * ((double)points[i].y - vertices[j].y))
            inside = !inside;
    }
    bitmap[i] = inside;
}
