// Softmax of each row of a matrix: exp(x - most) / sum, where `most` is the row's largest value and `sum` that of all
// exp(x - most). Both must be known before the first result, so a row is read again and again, or it stays on the multiprocessor.
//
// KEEP        nothing: the row is read three times, for the largest value, the sum and the results; online: twice, because the
//             first pass finds both, and scales its sum whenever it meets a larger value; shared: once, into shared memory;
//             registers: once, into registers
// LANES       threads of a row
// BLOCK_ROWS  rows of a block
// VEC         floats of a load or store, at most: as many as divide a row are a WORD
// UNROLL      unroll factor of the loops over a row
// EXP         full: expf; fast: __expf, which is less accurate for large arguments
//
// COLS, the length of a row, WORD and STEPS, the words of a thread, are macros too.

enum keep { nothing, online, shared, registers };
enum exponentials { full, fast };
enum {
    words = COLS / WORD,
    warps = LANES / 32,
    unroll = KEEP == registers ? STEPS : UNROLL
};

template <int FLOATS> struct vector;
template <> struct vector<1> { typedef float type; };
template <> struct vector<2> { typedef float2 type; };
template <> struct vector<4> { typedef float4 type; };
typedef vector<WORD>::type word;

union pack {
    word whole;
    float part[WORD];
};

// A block for each row; sums in double precision.
extern "C" __global__ void softmax_naive(float *out, const float *in)
{
    __shared__ float most[256];
    __shared__ double sums[256];
    in += (size_t)blockIdx.x * COLS;
    out += (size_t)blockIdx.x * COLS;
    most[threadIdx.x] = in[0];
    for (int i = threadIdx.x; i < COLS; i += 256)
        most[threadIdx.x] = fmaxf(most[threadIdx.x], in[i]);
    __syncthreads();
    float row_most = most[0];
    for (int t = 1; t < 256; t++)
        row_most = fmaxf(row_most, most[t]);
    sums[threadIdx.x] = 0;
    for (int i = threadIdx.x; i < COLS; i += 256)
        sums[threadIdx.x] += expf(in[i] - row_most);
    __syncthreads();
    double sum = 0;
    for (int t = 0; t < 256; t++)
        sum += sums[t];
    for (int i = threadIdx.x; i < COLS; i += 256)
        out[i] = (float)(expf(in[i] - row_most) / sum);
}

static __device__ float exponential(float x)
{
    return EXP == fast ? __expf(x) : expf(x);
}

// The state of a part of a row: its largest value, and the sum of exp(x - most).
struct known {
    float most, sum;
};

static __device__ known together(known a, known b)
{
    const float most = fmaxf(a.most, b.most);
    return {most, a.sum * exponential(a.most - most) + b.sum * exponential(b.most - most)};
}

// Combines the states of all threads of a row. Each call of a kernel has its own `of_warps`.
static __device__ known of_row(known mine, known (*of_warps)[warps])
{
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2)
        mine = together(mine, {__shfl_xor_sync(~0u, mine.most, apart), __shfl_xor_sync(~0u, mine.sum, apart)});
    if (warps == 1)
        return mine;
    if (threadIdx.x % 32 == 0)
        of_warps[threadIdx.y][threadIdx.x / 32] = mine;
    __syncthreads();
    mine = of_warps[threadIdx.y][threadIdx.x % 32 % warps];
#pragma unroll
    for (int apart = warps / 2; apart > 0; apart /= 2)
        mine = together(mine, {__shfl_xor_sync(~0u, mine.most, apart), __shfl_xor_sync(~0u, mine.sum, apart)});
    return mine;
}

// The largest value of a word and `most`.
static __device__ float most_of(pack x, float most)
{
#pragma unroll
    for (int v = 0; v < WORD; v++)
        most = fmaxf(most, x.part[v]);
    return most;
}

// exp(x - most) of each value, and adds them up.
static __device__ pack exponentials_of(pack x, float most, float *sum)
{
#pragma unroll
    for (int v = 0; v < WORD; v++) {
        x.part[v] = exponential(x.part[v] - most);
        *sum += x.part[v];
    }
    return x;
}

static __device__ void write(word *out, pack x, float factor)
{
#pragma unroll
    for (int v = 0; v < WORD; v++)
        x.part[v] *= factor;
    *out = x.whole;
}

// The last block may have fewer rows than others. The threads of a row that is missing read the last one, so that the barriers meet
// all threads, and write nothing.
extern "C" __global__ void __launch_bounds__(LANES *BLOCK_ROWS)
    softmax(float *__restrict__ out, const float *__restrict__ in, int row_count)
{
    extern __shared__ float4 rows[]; // BLOCK_ROWS rows; each thread uses its own words only
    __shared__ known of_warps[2][BLOCK_ROWS][warps];
    const int number = blockIdx.x * BLOCK_ROWS + threadIdx.y;
    const size_t begin = (size_t)min(number, row_count - 1) * COLS;
    const word *const from = (const word *)(in + begin);
    word *const to = (word *)(out + begin), *const row = (word *)rows + threadIdx.y * words;
    pack held[KEEP == registers ? STEPS : 1];
    known mine = {-3.402823466e38f, 0};

    // The row's largest value; online, its sum as well.
#pragma unroll unroll
    for (int step = 0; step < STEPS; step++) {
        const int i = step * LANES + threadIdx.x;
        if (words % LANES != 0 && i >= words)
            continue;
        pack x;
        x.whole = from[i];
        const float most = most_of(x, mine.most);
        if (KEEP == online) {
            mine.sum *= exponential(mine.most - most);
            exponentials_of(x, most, &mine.sum);
        }
        mine.most = most;
        if (KEEP == shared)
            row[i] = x.whole;
        if (KEEP == registers)
            held[step] = x;
    }
    mine = of_row(mine, of_warps[0]);

    if (KEEP != online) {
        const float most = mine.most;
        mine.sum = 0;
#pragma unroll unroll
        for (int step = 0; step < STEPS; step++) {
            const int i = step * LANES + threadIdx.x;
            if (words % LANES != 0 && i >= words)
                continue;
            pack x;
            if (KEEP == registers)
                x = held[step];
            else
                x.whole = KEEP == shared ? row[i] : from[i];
            x = exponentials_of(x, most, &mine.sum);
            if (KEEP == shared)
                row[i] = x.whole;
            if (KEEP == registers)
                held[step] = x;
        }
        mine = of_row(mine, of_warps[1]);
    }

    if (BLOCK_ROWS > 1 && number >= row_count)
        return;
    const float factor = 1 / mine.sum;
#pragma unroll unroll
    for (int step = 0; step < STEPS; step++) {
        const int i = step * LANES + threadIdx.x;
        if (words % LANES != 0 && i >= words)
            continue;
        pack x;
        float sum = 0;
        if (KEEP == registers)
            x = held[step];
        else
            x.whole = KEEP == shared ? row[i] : from[i];
        write(&to[i], KEEP == nothing || KEEP == online ? exponentials_of(x, mine.most, &sum) : x, factor);
    }
}
