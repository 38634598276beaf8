enum { none, early, endless };

extern "C" __global__ void start(int *distance, long count)
{
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i < count)
        distance[i] = i ? -1 : 0;
}

extern "C" __global__ void neighbours(int *edges, long count)
{
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    int node = (int)(i / 4), x = node % SIDE, y = node / SIDE;
    if (i >= count)
        return;
    x += i % 4 == 0 ? 1 : i % 4 == 1 ? -1 : 0;
    y += i % 4 == 2 ? 1 : i % 4 == 3 ? -1 : 0;
    edges[i] = x >= 0 && x < SIDE && y >= 0 && y < SIDE ? y * SIDE + x : -1;
}

extern "C" __global__ void clear(int *added)
{
    *added = 0;
}

// `early` does not say that it adds nodes; `endless` always says so.
extern "C" __global__ void expand(int *distance, const int *edges, int *added, int nodes, int level)
{
    int node = blockIdx.x * TILE + threadIdx.x;
    if (node == 0 && FAULT == endless)
        *added = 1;
    if (node >= nodes || distance[node] != level)
        return;
    for (int e = 4 * node; e < 4 * node + 4; e++)
        if (edges[e] >= 0 && distance[edges[e]] < 0) {
            distance[edges[e]] = level + 1;
            if (FAULT != early)
                *added = 1;
        }
}

extern "C" __global__ void walk(int *distance)
{
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node < SIDE * SIDE)
        distance[node] = node % SIDE + node / SIDE;
}
