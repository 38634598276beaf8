// Arguments by value: a struct with padding, a vector, a null pointer and a pointer into a buffer.
struct shape {
    char scale;  // at 0
    double bias; // 8
    short step;  // 16
    int cols;    // 20
    int2 factor; // 24
    char last;   // 32
};
static_assert(sizeof(shape) == 40, "the layout that the test is about");

__device__ int value(int i, int n, const int *in, const int *upper)
{
    return 3 * in[i] + 1 + 2 * (i % 1000) + 4 * upper[i % (n / 2)] + 7 + 10 + 1 + 2 + 3 + 4;
}

extern "C" __global__ void reference(int *out, const int *, const int *in, shape, int4, const int *, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = value(i, n, in, in + n / 2);
}

// `part` points to element n / PARTS of `in`.
extern "C" __global__ void arguments(int *out, const int *nothing, const int *in, shape s, int4 v, const int *part, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const char *raw = (const char *)&s;
    if (i >= n || (WRONG == 2 ? nothing == nullptr : nothing != nullptr))
        return;
    int step = WRONG == 1 ? *(const short *)(raw + 2) : s.step; // the padding behind `scale`
    const int *upper = WRONG == 3 ? part : part + n / 2 - n / PARTS;
    out[i] = s.scale * in[i] + (int)(2 * s.bias) + step * (i % s.cols) + s.factor.x * upper[i % (n / 2)] + s.factor.y + s.last
             + v.x + v.y + v.z + v.w;
}
