// y = A x, where A is sparse and stored by rows (CSR): row r has the entries rows[r] to rows[r + 1]. Half of the rows
// have about 4 entries, one in 512 has about 2048. With a warp per row most threads are idle; with a thread per row
// memory is read in small pieces, and each warp waits for its longest row.
//
// LANES   threads of a row: a warp computes 32 / LANES rows
// VEC     entries of a load; other rows' entries in a row's first and last load are ignored
// UNROLL  unroll factor of the loop over the loads
// LONG    the whole warp computes rows with more entries than this; 0: no rows
// ORDER   natural: rows as they are; near, far: sorted by length among 1024 or 16384 neighbours, so that the rows of a
//         warp have similar lengths, but are not adjacent
//
// The threads of a block are a parameter of the launch (see the .space).

enum order { natural, near, far };
enum { unroll = UNROLL, group = 1024, group_entries = 22528 }; // nvcc expands no macros in a #pragma

template <int COUNT> struct vector;
template <> struct vector<1> { typedef float floats; typedef int ints; };
template <> struct vector<2> { typedef float2 floats; typedef int2 ints; };
template <> struct vector<4> { typedef float4 floats; typedef int4 ints; };

union floats {
    vector<VEC>::floats whole;
    float part[VEC];
};

union ints {
    vector<VEC>::ints whole;
    int part[VEC];
};

// ---- The matrix ----

static __device__ unsigned mix(unsigned x)
{
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

// In each 1024 rows, 512 have about 4 entries, 256 have 8 and so on up to 2048, in another order in each group.
// Together they have group_entries.
static __device__ int length_of(int row)
{
    const unsigned rank = (row % group ^ mix(row / group) % group) * 421 % group;
    const int off = mix(row / group * 512 + rank / 2) % 4, level = min(__clz(1023 - rank) - 22, 9);
    return (4 << level) + (rank % 2 ? off : -off);
}

extern "C" __global__ void make_rows(int *rows, int count)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x, first = row / group * group;
    if (row >= count)
        return;
    int begin = row / group * group_entries;
    for (int r = first; r < row; r++)
        begin += length_of(r);
    rows[row] = begin;
}

// Seven of eight entries are near the diagonal, the others anywhere.
extern "C" __global__ void make_columns(int *columns, int, const int *rows, int n)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    for (int i = rows[row]; i < rows[row + 1]; i++)
        columns[i] = mix(i) % 8 ? (row + mix(i) / 8 % 4096) % n : mix(~i) % n;
}

// Orders the rows of each `window` by length, the longest first.
extern "C" __global__ void make_order(int *order, int count, const int *rows, int window)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x, first = row / window * window, end = min(first + window, count);
    if (row >= count)
        return;
    const int length = rows[row + 1] - rows[row];
    int place = first;
    for (int r = first; r < end; r++) {
        const int other = rows[r + 1] - rows[r];
        place += other > length || (other == length && r < row);
    }
    order[place] = row;
}

// ---- The product ----

extern "C" __global__ void spmv_naive(float *y, const int *rows, const int *columns, const float *values, const float *x,
                                      const int *, const int *, int n)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    double sum = 0;
    if (row >= n)
        return;
    for (int i = rows[row]; i < rows[row + 1]; i++)
        sum += (double)values[i] * x[columns[i]];
    y[row] = (float)sum;
}

// Returns the sum of the entries `begin` to `end` in all of `width` threads, which compute it together.
template <int width>
static __device__ float row_sum(const int *__restrict__ columns, const float *__restrict__ values, const float *__restrict__ x,
                                int begin, int end)
{
    float sum = 0;
#pragma unroll unroll
    for (int i = begin / VEC * VEC + threadIdx.x % width * VEC; i < end; i += width * VEC) {
        ints column;
        floats value;
        column.whole = *(const vector<VEC>::ints *)&columns[i];
        value.whole = *(const vector<VEC>::floats *)&values[i];
#pragma unroll
        for (int v = 0; v < VEC; v++)
            if (VEC == 1 || (i + v >= begin && i + v < end))
                sum += value.part[v] * x[column.part[v]];
    }
#pragma unroll
    for (int apart = width / 2; apart > 0; apart /= 2)
        sum += __shfl_xor_sync(~0u, sum, apart);
    return sum;
}

extern "C" __global__ void spmv(float *__restrict__ y, const int *__restrict__ rows, const int *__restrict__ columns,
                                const float *__restrict__ values, const float *__restrict__ x, const int *__restrict__ by_near,
                                const int *__restrict__ by_far, int n)
{
    const unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    int row = at, begin = 0, end = 0;
    if (at < n) {
        if (ORDER != natural)
            row = ORDER == near ? by_near[at] : by_far[at];
        begin = rows[row];
        end = rows[row + 1];
    }
    const bool is_long = LONG > 0 && end - begin > LONG;
    float sum = row_sum<LANES>(columns, values, x, begin, is_long ? begin : end);
    if (LONG > 0) {
        unsigned left = __ballot_sync(~0u, is_long && threadIdx.x % LANES == 0); // a bit for each row
        while (left) {
            const int owner = __ffs(left) - 1;
            const float whole =
                row_sum<32>(columns, values, x, __shfl_sync(~0u, begin, owner), __shfl_sync(~0u, end, owner));
            if (threadIdx.x % 32 == owner)
                sum = whole;
            left &= left - 1;
        }
    }
    if (at < n && threadIdx.x % LANES == 0)
        y[row] = sum;
}
