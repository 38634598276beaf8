// The two products of BiCG with one pass over the matrix each: q = A p by parts of rows, s = A^T r with atomics.
#define FULL 0xffffffffu

extern "C" __global__ void clear(float *v, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        v[i] = 0.0f;
}

// A warp sums a row's part of the columns.
extern "C" __global__ void product(float *parts, const float *__restrict__ a, const float *__restrict__ p, int rows, int columns)
{
    const int row = blockIdx.x * (BLOCK / 32) + threadIdx.x / 32, lane = threadIdx.x % 32, part = blockIdx.y;
    const int width = (columns + PARTS - 1) / PARTS, end = min(columns, (part + 1) * width);
    float sum = 0.0f;
    if (row >= rows)
        return;
    for (int c = part * width + lane; c < end - (FAULT == 2); c += 32)
        sum += a[row * columns + c] * p[c];
    for (int distance = 16; distance; distance /= 2)
        sum += __shfl_down_sync(FULL, sum, distance);
    if (lane == 0)
        parts[part * rows + row] = sum;
}

extern "C" __global__ void reduce(float *q, const float *parts, int rows)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    for (int part = 0; part < PARTS; ++part)
        q[row] += parts[part * rows + row];
}

// A thread sums a column over ROWS_PER_BLOCK rows, and adds the sum to the others.
extern "C" __global__ void product_transposed(float *s, const float *__restrict__ a, const float *__restrict__ r, int rows, int columns)
{
    const int column = blockIdx.x * BLOCK + threadIdx.x, first = blockIdx.y * ROWS_PER_BLOCK;
    float sum = 0.0f;
    if (column >= columns)
        return;
#pragma unroll UNROLL
    for (int row = first; row < first + ROWS_PER_BLOCK; ++row)
        if (row < rows)
            sum += a[row * columns + column] * r[row];
#if ATOMICS
    atomicAdd(&s[column], sum);
#else
    s[column] += sum; // right if one block has all rows of a column
#endif
}

extern "C" __global__ void bicg_plain(float *q, float *s, const float *a, const float *p, const float *r, int rows, int columns)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    double q_i = 0, s_i = 0;
    for (int c = 0; i < rows && c < columns; ++c)
        q_i += (double)a[i * columns + c] * p[c];
    for (int row = 0; i < columns && row < rows; ++row)
        s_i += (double)a[row * columns + i] * r[row];
    if (i < rows)
        q[i] = q_i;
    if (i < columns)
        s[i] = s_i;
}
