// Kernels of the tests. NVRTC compiles them in tests with compilers; the fake runtime runs the same text as C with one
// thread, so every loop is grid-stride. FAKE is the variant's script for the fake runtime, with its times and faults
// (see fake_cuda.h). It is part of the machine code. Tests compile many variants, so these have the first kernels alone
// unless ALL_KERNELS is defined, and no loop is unrolled.
#ifdef FAKE
extern "C" __device__ const char fake_script[] = FAKE;
#endif

#ifdef __CUDACC__
#define ROLLED _Pragma("unroll 1")
#else
#define ROLLED
#endif

static __device__ long first_index()
{
    return (long)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ long all_threads()
{
    return (long)gridDim.x * blockDim.x;
}

// out[i] = 2 * in[i]
extern "C" __global__ void twice(float *out, const float *in, int count)
{
    ROLLED for (long i = first_index(); i < count; i += all_threads())
        out[i] = 2 * in[i];
}

// out[i] = second[i] = 2 * in[i] + plus
extern "C" __global__ void twice_plus(float *out, float *second, const float *in, int count, int plus)
{
    ROLLED for (long i = first_index(); i < count; i += all_threads())
        out[i] = second[i] = 2 * in[i] + plus;
}

// data[i] *= 2: a repeated run has its own result as input
extern "C" __global__ void double_in_place(float *data, int count)
{
    ROLLED for (long i = first_index(); i < count; i += all_threads())
        data[i] = 2 * data[i];
}

// Counts the i with out[i] != 2 * in[i], at most `most`; `touched`: index of the element of `out` that it then writes
extern "C" __global__ void count_wrong(unsigned long long *wrong, const float *in, float *out, int count, int most,
                                       int touched)
{
    unsigned long long found = 0;
    ROLLED for (long i = first_index(); i < count; i += all_threads())
        found += out[i] != 2 * in[i];
    atomicAdd(wrong, found < (unsigned long long)most ? found : (unsigned long long)most);
    if (touched >= 0 && first_index() == 0)
        out[touched] = 0;
}

// out[i] = 2 * in[i] by chunks of a pipeline
extern "C" __global__ void twice_chunk(float *out, const float *in, long offset, long length)
{
    ROLLED for (long i = offset + first_index(); i < offset + length; i += all_threads())
        out[i] = 2 * in[i];
}

// A sparse matrix of n rows in CSR: row i has i % 4 entries. This fills the rows' beginnings.
extern "C" __global__ void fill_rows(int *rows, long count)
{
    ROLLED for (long i = first_index(); i < count; i += all_threads()) {
        long last = i % 4;
        rows[i] = (int)(i / 4 * 6 + last * (last - 1) / 2);
    }
}

#if !defined FAKE || defined ALL_KERNELS
// out[i] = max(in[i], 0); NaN stays NaN only with `keeps`
extern "C" __global__ void ramp(float *out, const float *in, int count, int keeps)
{
    ROLLED for (long i = first_index(); i < count; i += all_threads())
        out[i] = keeps ? (in[i] < 0 ? 0 : in[i]) : (in[i] > 0 ? in[i] : 0);
}

// out[i] = in[i] / 3, whose last `dropped` bits are rounded away (Veltkamp's splitting); and the same in double precision
extern "C" __global__ void third(float *out, const float *in, int count, int dropped)
{
    ROLLED for (long i = first_index(); i < count; i += all_threads()) {
        float quotient = in[i] / 3, product = quotient * (float)((1 << dropped) + 1);
        out[i] = product - (product - quotient);
    }
}

extern "C" __global__ void third_fp64(double *out, const float *in, int count)
{
    ROLLED for (long i = first_index(); i < count; i += all_threads())
        out[i] = in[i] / 3.0;
}

// The same in place: the contents begin as doubles.
extern "C" __global__ void third_in_place(float *data, int count, int dropped)
{
    ROLLED for (long i = first_index(); i < count; i += all_threads()) {
        float quotient = data[i] / 3, product = quotient * (float)((1 << dropped) + 1);
        data[i] = product - (product - quotient);
    }
}

extern "C" __global__ void third_in_place_fp64(double *data, int count)
{
    ROLLED for (long i = first_index(); i < count; i += all_threads())
        data[i] = data[i] / 3;
}

// `twice` with all arguments in a struct of 32 bytes.
struct twice_numbers {
    int count;
    const float *nothing;
};
struct twice_data {
    float *out;
    const float *in;
    struct twice_numbers numbers;
};
extern "C" __global__ void twice_struct(struct twice_data data)
{
    ROLLED for (long i = first_index(); i < data.numbers.count && !data.numbers.nothing; i += all_threads())
        data.out[i] = 2 * data.in[i];
}

// Writes `bits` twice to the first eight bytes of `out`, whatever its element type.
extern "C" __global__ void write_bits(unsigned *out, const float *in, unsigned bits)
{
    if (first_index() < 1)
        out[0] = out[1] = bits;
}

// Likewise, with a type of one byte.
extern "C" __global__ void write_byte(unsigned *out, const float *in, unsigned char bits)
{
    if (first_index() < 1)
        out[0] = out[1] = bits;
}

// out[i] = 2 * in[i] through scratch: writes `written` of its elements and reads `count`
extern "C" __global__ void twice_by_scratch(float *out, const float *in, float *scratch, int count, int written)
{
    if (first_index())
        return;
    ROLLED for (int i = 0; i < written; i++)
        scratch[i] = 2 * in[i % count];
    ROLLED for (int i = 0; i < count; i++)
        out[i] = scratch[i];
}

// out[i] = 2 * in[i] by surfaces: writes `written` elements of `out`; `touched`: index of the element of `in` that it then
// writes
extern "C" __global__ void twice_surface(cudaSurfaceObject_t out, cudaSurfaceObject_t in, int written, int touched)
{
    ROLLED for (long i = first_index(); i < written; i += all_threads()) {
        float element;
        surf1Dread(&element, in, (int)(i * sizeof element));
        surf1Dwrite(2 * element, out, (int)(i * sizeof element));
    }
    if (touched >= 0 && first_index() == 0)
        surf1Dwrite(0.0f, in, touched * (int)sizeof(float));
}

// The columns of that matrix.
extern "C" __global__ void fill_columns(int *columns, int count, const int *rows, int n, int beyond)
{
    ROLLED for (long row = first_index(); row < n; row += all_threads())
        ROLLED for (int i = rows[row]; i < rows[row + 1]; i++)
            columns[i] = (int)(row + 7 * (i - rows[row])) % n;
    if (beyond && first_index() == 0)
        columns[count] = 0;
}

// y = A x; `missing`: omits the last entry of each row
extern "C" __global__ void multiply(float *y, const int *rows, const int *columns, const float *values, const float *x,
                                    int n, int missing)
{
    ROLLED for (long row = first_index(); row < n; row += all_threads()) {
        float sum = 0;
        ROLLED for (int i = rows[row]; i < rows[row + 1] - missing; i++)
            sum += values[i] * x[columns[i]];
        y[row] = sum;
    }
}
#endif
