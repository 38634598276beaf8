// Direct Coulomb summation: each launch adds the potential of some atoms to the grid's contents.
#ifndef GRID_SPACING
#define GRID_SPACING 0.1f
#endif
#define EACH(t) for (int t = 0; t < COARSEN; ++t)

enum { block_x = BLOCK_SIZE_X, block_y = BLOCK_SIZE_Y, threads = block_x * block_y };

extern "C" __global__ void cenergy(int numatoms, float gridspacing, float *energygrid, const float4 *__restrict__ atominfo)
{
    const int x = blockIdx.x * block_x * COARSEN + threadIdx.x, y = blockIdx.y * block_y + threadIdx.y;
    const int pitch = gridDim.x * block_x * COARSEN, slice = gridDim.y * block_y * pitch;
    const int outaddr = blockIdx.z * slice + y * pitch + x;
    const float coory = gridspacing * y, coorz = gridspacing * blockIdx.z;
    float energy[COARSEN];
#if USE_SHARED
    __shared__ float4 tile[threads];
    const int lane = threadIdx.y * block_x + threadIdx.x;
#endif
#pragma unroll
    EACH(t)
        energy[t] = 0.0f;
#if USE_SHARED
    for (int base = 0; base < numatoms; base += threads) {
        const int count = min((int)threads, numatoms - base);
        if (lane < count)
            tile[lane] = atominfo[base + lane];
        __syncthreads();
        const float4 *atoms = tile;
#else
    {
        const int count = numatoms;
        const float4 *atoms = atominfo;
#endif
#pragma unroll UNROLL
        for (int i = 0; i < count; ++i) {
            const float4 atom = atoms[i];
            const float dy = coory - atom.y, dz = coorz - atom.z, dyz2 = dy * dy + dz * dz;
#pragma unroll
            EACH(t) {
                const float dx = gridspacing * (x + t * block_x) - atom.x;
                energy[t] += atom.w * rsqrtf(dx * dx + dyz2);
            }
        }
#if USE_SHARED
        __syncthreads();
#endif
    }
#pragma unroll
    EACH(t)
#if BUG == 1 // overwrites the contents
        energygrid[outaddr + t * block_x] = energy[t];
#elif BUG == 2 // adds the contents again for each element of the thread except the first
        energygrid[outaddr + t * block_x] += energy[t] + (t ? energygrid[outaddr + t * block_x] : 0.0f);
#else
        energygrid[outaddr + t * block_x] += energy[t];
#endif
}

extern "C" __global__ void cenergy_plain(int numatoms, float gridspacing, float *energygrid, const float4 *atominfo, int nx, int ny)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    double energy = 0;
    for (int i = 0; i < numatoms; ++i) {
        const double dx = gridspacing * x - atominfo[i].x, dy = gridspacing * y - atominfo[i].y, dz = gridspacing * z - atominfo[i].z;
        energy += atominfo[i].w / sqrt(dx * dx + dy * dy + dz * dz);
    }
    energygrid[(z * ny + y) * nx + x] += energy;
}
