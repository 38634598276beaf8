// A sparse matrix in CSR, made by kernels: 1 to 32 entries a row, in random columns.
enum fault { healthy, forgets_last, illegal_address };

static __device__ unsigned mix(unsigned x)
{
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

// One thread. Each row begins at the end of the previous one.
extern "C" __global__ void make_rows(int *rows, int count)
{
    int end = 0;
    for (int i = 0; i < count; i++) {
        rows[i] = end;
        end += 1 + mix(i) % 32;
    }
}

extern "C" __global__ void make_columns(int *columns, long long count, const int *rows, int n)
{
    for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < n; row += gridDim.x * blockDim.x)
        for (int i = rows[row]; i < rows[row + 1]; i++)
            columns[i] = mix(i + 12345) % n;
}

// The columns of make_columns, with a fault.
extern "C" __global__ void beyond_columns(int *columns, long long count, const int *rows, int n)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        columns[count] = 0;
}

extern "C" __global__ void nowhere_columns(int *columns, long long count, const int *rows, int n)
{
    ((int *)16)[threadIdx.x] = 0;
}

extern "C" __global__ void naive(float *y, const int *rows, const int *columns, const float *values, const float *x, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (row >= n)
        return;
    for (int i = rows[row]; i < rows[row + 1]; i++)
        sum += values[i] * x[columns[i]];
    y[row] = sum;
}

#ifdef LANES
extern "C" __global__ void multiply(float *y, const int *rows, const int *columns, const float *values, const float *x, int n)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x, row = thread / LANES, lane = thread % LANES;
    float sum = 0;
    if (row < n)
        for (int i = rows[row] + lane; i < rows[row + 1] - (FAULT == forgets_last); i += LANES)
            sum += values[i] * x[columns[i]];
    for (int distance = LANES / 2; distance; distance /= 2)
        sum += __shfl_xor_sync(~0u, sum, distance);
    if (FAULT == illegal_address && row == 0)
        *(volatile int *)16 = 0;
    if (row < n && lane == 0)
        y[row] = sum;
}
#endif
