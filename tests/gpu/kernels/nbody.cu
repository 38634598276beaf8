// One Euler step of n bodies under gravity. The bodies are passed twice, as an array of structures (x, y, z, mass) and
// as a structure of arrays. USE_SOA chooses the one that is read.
#include <math.h>

#ifndef SOFTENING
#define SOFTENING 0.01f
#endif

#if VECTOR == 1
typedef float vector;
#define AT(v, i) (v)
#elif VECTOR == 2
typedef float2 vector;
#define AT(v, i) ((i) == 0 ? (v).x : (v).y)
#elif VECTOR == 4
typedef float4 vector;
#define AT(v, i) ((i) == 0 ? (v).x : (i) == 1 ? (v).y : (i) == 2 ? (v).z : (v).w)
#else
#error VECTOR is 1, 2 or 4
#endif

// The acceleration of a body at (x, y, z) by another one.
static __device__ __forceinline__ void attract(float3 &a, float x, float y, float z, float ox, float oy, float oz, float mass)
{
    const float dx = ox - x, dy = oy - y, dz = oz - z;
    const float d2 = dx * dx + dy * dy + dz * dz + SOFTENING;
#if FAST_SQRT
    const float inverse = rsqrtf(d2);
    const float f = mass * inverse * inverse * inverse;
#else
    const float f = mass / (d2 * sqrtf(d2));
#endif
    a.x += f * dx;
    a.y += f * dy;
    a.z += f * dz;
}

extern "C" __global__ void __launch_bounds__(WORK_GROUP_SIZE)
nbody(const float dt, const float4 *__restrict__ bodies, const float *__restrict__ pos_x, const float *__restrict__ pos_y,
      const float *__restrict__ pos_z, const float *__restrict__ masses, const float4 *__restrict__ velocities,
      float4 *__restrict__ new_bodies, float4 *__restrict__ new_velocities, const unsigned n)
{
#if LOCAL_MEM
#if USE_SOA
    __shared__ float tile_x[WORK_GROUP_SIZE], tile_y[WORK_GROUP_SIZE], tile_z[WORK_GROUP_SIZE], tile_mass[WORK_GROUP_SIZE];
#else
    __shared__ float4 tile[WORK_GROUP_SIZE];
#endif
#endif
    const unsigned first = (blockIdx.x * WORK_GROUP_SIZE + threadIdx.x) * OUTER;
    float4 own[OUTER];
    float3 a[OUTER];
#pragma unroll
    for (int o = 0; o < OUTER; ++o) {
#if USE_SOA
        own[o] = make_float4(pos_x[first + o], pos_y[first + o], pos_z[first + o], masses[first + o]);
#else
        own[o] = bodies[first + o];
#endif
        a[o] = make_float3(0.0f, 0.0f, 0.0f);
    }

#if LOCAL_MEM
    for (unsigned base = 0; base < n; base += WORK_GROUP_SIZE) {
#if USE_SOA
        tile_x[threadIdx.x] = pos_x[base + threadIdx.x];
        tile_y[threadIdx.x] = pos_y[base + threadIdx.x];
        tile_z[threadIdx.x] = pos_z[base + threadIdx.x];
        tile_mass[threadIdx.x] = masses[base + threadIdx.x];
#else
        tile[threadIdx.x] = bodies[base + threadIdx.x];
#endif
        __syncthreads();
#pragma unroll INNER_UNROLL
        for (int i = 0; i < WORK_GROUP_SIZE; ++i)
#pragma unroll
            for (int o = 0; o < OUTER; ++o)
#if USE_SOA
                attract(a[o], own[o].x, own[o].y, own[o].z, tile_x[i], tile_y[i], tile_z[i], tile_mass[i]);
#else
                attract(a[o], own[o].x, own[o].y, own[o].z, tile[i].x, tile[i].y, tile[i].z, tile[i].w);
#endif
        __syncthreads();
    }
#elif USE_SOA
    const vector *vx = (const vector *)pos_x, *vy = (const vector *)pos_y, *vz = (const vector *)pos_z;
    const vector *vm = (const vector *)masses;
#pragma unroll INNER_UNROLL
    for (unsigned i = 0; i < n / VECTOR; ++i) {
        const vector x = vx[i], y = vy[i], z = vz[i], mass = vm[i];
#pragma unroll
        for (int v = 0; v < VECTOR; ++v)
#pragma unroll
            for (int o = 0; o < OUTER; ++o)
                attract(a[o], own[o].x, own[o].y, own[o].z, AT(x, v), AT(y, v), AT(z, v), AT(mass, v));
    }
#else
#pragma unroll INNER_UNROLL
    for (unsigned i = 0; i < n; ++i) {
        const float4 other = bodies[i];
#pragma unroll
        for (int o = 0; o < OUTER; ++o)
            attract(a[o], own[o].x, own[o].y, own[o].z, other.x, other.y, other.z, other.w);
    }
#endif

#pragma unroll
    for (int o = 0; o < OUTER; ++o) {
        float4 v = velocities[first + o];
#if BUG == 1 // the old velocity moves the position
        new_bodies[first + o] = make_float4(own[o].x + v.x * dt, own[o].y + v.y * dt, own[o].z + v.z * dt, own[o].w);
#endif
        v.x += a[o].x * dt;
        v.y += a[o].y * dt;
        v.z += a[o].z * dt;
        new_velocities[first + o] = v;
#if BUG == 0
        new_bodies[first + o] = make_float4(own[o].x + v.x * dt, own[o].y + v.y * dt, own[o].z + v.z * dt, own[o].w);
#endif
    }
}

// Extracts one member of all bodies, for the structure of arrays.
extern "C" __global__ void gather(float *member, unsigned count, const float4 *bodies, int which)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        member[i] = ((const float *)bodies)[4 * i + which];
}

// Double precision, a thread for each body.
extern "C" __global__ void nbody_plain(const float dt, const float4 *bodies, const float4 *velocities, float4 *new_bodies,
                                       float4 *new_velocities, const unsigned n)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    double ax = 0, ay = 0, az = 0;
    if (i >= n)
        return;
    for (unsigned k = 0; k < n; ++k) {
        const double dx = (double)bodies[k].x - bodies[i].x, dy = (double)bodies[k].y - bodies[i].y;
        const double dz = (double)bodies[k].z - bodies[i].z, d2 = dx * dx + dy * dy + dz * dz + SOFTENING;
        const double f = bodies[k].w / (d2 * sqrt(d2));
        ax += f * dx;
        ay += f * dy;
        az += f * dz;
    }
    const float4 v = make_float4(velocities[i].x + ax * dt, velocities[i].y + ay * dt, velocities[i].z + az * dt, velocities[i].w);
    new_velocities[i] = v;
    new_bodies[i] = make_float4(bodies[i].x + v.x * dt, bodies[i].y + v.y * dt, bodies[i].z + v.z * dt, bodies[i].w);
}
