// Jacobi iterations: in each step, every cell of a plane becomes the mean of its four neighbours; the border stays. With one step a
// launch, the whole plane moves through memory for four operations a cell. Temporal blocking computes several steps on the
// multiprocessor: a block loads a tile with a halo as wide as the number of steps, and each step leaves a halo that is one cell
// thinner. More steps save traffic and compute more cells twice; times are compared by cell and step.
//
// STEPS    steps of a launch
// PLACE    where a step finds the neighbours. memory: in global memory (one step); shared: in a tile in shared memory; registers: a
//          thread's column stays in registers, the other neighbours are in shared memory; shuffle: those beside come from other
//          lanes, only those above and below a thread's column are in shared memory
// BLOCK_X  threads of a block along a row, which are the cells of the tile with its halo
// BLOCK_Y  threads of a block down a column
// ROWS     cells of a thread, one below the other

enum place { memory, shared, registers, shuffle };
enum { rows = BLOCK_Y * ROWS, cells = BLOCK_X * rows };

static __device__ float mean(float left, float right, float above, float below)
{
    return 0.25f * (left + right + above + below);
}

// One step, each thread for itself.
static __device__ void step_in_memory(float *next, const float *field, int width, int height)
{
    const int x = blockIdx.x * BLOCK_X + threadIdx.x, first = (blockIdx.y * BLOCK_Y + threadIdx.y) * ROWS;
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        const int y = first + i;
        if (x >= width || y >= height)
            continue;
        const float *const at = &field[(size_t)y * width + x];
        const bool border = x == 0 || y == 0 || x == width - 1 || y == height - 1;
        next[(size_t)y * width + x] = border ? *at : mean(at[-1], at[1], at[-width], at[width]);
    }
}

// The cells of a thread in its block's tile, which begins at (left, top) of the plane. Cells at the edge of the tile take themselves
// for neighbours that are missing; with each step, cells that lie one farther inside become wrong, and nobody uses them.
struct column {
    float cell[ROWS];
    bool stays[ROWS]; // on the border of the plane, or beyond it

    __device__ void load(const float *field, int x, int top, int width, int height)
    {
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            const int y = top + threadIdx.y * ROWS + i;
            stays[i] = x <= 0 || y <= 0 || x >= width - 1 || y >= height - 1;
            cell[i] = field[(size_t)min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)];
        }
    }

    // Those that are right after all steps.
    __device__ void store(float *next, int x, int top, int width, int height)
    {
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            const int row = threadIdx.y * ROWS + i;
            if (threadIdx.x >= STEPS && threadIdx.x < BLOCK_X - STEPS && row >= STEPS && row < rows - STEPS && x < width &&
                top + row < height)
                next[(size_t)(top + row) * width + x] = cell[i];
        }
    }

    __device__ void put(float *tile)
    {
#pragma unroll
        for (int i = 0; i < ROWS; i++)
            tile[(threadIdx.y * ROWS + i) * BLOCK_X + threadIdx.x] = cell[i];
    }

    // The next cells, from the neighbours beside each and those above and below the column.
    __device__ void step(const float (&left)[ROWS], const float (&right)[ROWS], float above, float below)
    {
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            const float old = cell[i], under = i < ROWS - 1 ? cell[(i + 1) % ROWS] : below;
            if (!stays[i])
                cell[i] = mean(left[i], right[i], above, under);
            above = old;
        }
    }
};

// Reads all of them from one tile and writes the other one.
static __device__ void step_in_shared(column &mine, float *tiles, int step)
{
    const float *const from = tiles + step % 2 * cells;
    const int to_left = threadIdx.x > 0 ? -1 : 0, to_right = threadIdx.x < BLOCK_X - 1 ? 1 : 0;
    if (step == 0)
        mine.put(tiles);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        const int row = threadIdx.y * ROWS + i;
        const float *const at = &from[row * BLOCK_X + threadIdx.x];
        mine.cell[i] = mine.stays[i] ? *at
                                     : mean(at[to_left], at[to_right], at[row > 0 ? -BLOCK_X : 0], at[row < rows - 1 ? BLOCK_X : 0]);
    }
    mine.put(tiles + (step + 1) % 2 * cells);
}

static __device__ void step_in_registers(column &mine, float *tiles, int step)
{
    float *const tile = tiles + step % 2 * cells; // while others still read that of the step before
    const float *const at = &tile[threadIdx.y * ROWS * BLOCK_X + threadIdx.x];
    const int to_left = threadIdx.x > 0 ? -1 : 0, to_right = threadIdx.x < BLOCK_X - 1 ? 1 : 0;
    float left[ROWS], right[ROWS];
    mine.put(tile);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        left[i] = at[i * BLOCK_X + to_left];
        right[i] = at[i * BLOCK_X + to_right];
    }
    mine.step(left, right, at[threadIdx.y > 0 ? -BLOCK_X : 0], at[(threadIdx.y < BLOCK_Y - 1 ? ROWS : ROWS - 1) * BLOCK_X]);
}

// Shared memory has the first and the last cell of each column only.
static __device__ void step_by_shuffles(column &mine, float *ends, int step)
{
    float *const at = &ends[step % 2 * 64 * BLOCK_Y + threadIdx.y * 64 + threadIdx.x];
    float left[ROWS], right[ROWS];
    at[0] = mine.cell[0];
    at[32] = mine.cell[ROWS - 1];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        left[i] = __shfl_up_sync(~0u, mine.cell[i], 1);
        right[i] = __shfl_down_sync(~0u, mine.cell[i], 1);
    }
    mine.step(left, right, at[threadIdx.y > 0 ? -32 : 0], at[threadIdx.y < BLOCK_Y - 1 ? 64 : 32]);
}

extern "C" __global__ void __launch_bounds__(BLOCK_X *BLOCK_Y)
    jacobi(float *__restrict__ next, const float *__restrict__ field, int width, int height)
{
    extern __shared__ float tiles[]; // two, or two rows of ends for each row of threads, twice
    if (PLACE == memory) {
        step_in_memory(next, field, width, height);
        return;
    }
    const int x = (int)blockIdx.x * (BLOCK_X - 2 * STEPS) - STEPS + (int)threadIdx.x;
    const int top = (int)blockIdx.y * (rows - 2 * STEPS) - STEPS;
    column mine;
    mine.load(field, x, top, width, height);
#pragma unroll
    for (int step = 0; step < STEPS; step++)
        if (PLACE == shared)
            step_in_shared(mine, tiles, step);
        else if (PLACE == registers)
            step_in_registers(mine, tiles, step);
        else
            step_by_shuffles(mine, tiles, step);
    mine.store(next, x, top, width, height);
}
