// Pointers, a texture, an array and a nested struct in a struct by value, in constant memory that the kernel points to.
struct inner {
    short step;       // at 0
    const int *upper; // 8
    int dims[4];      // 16
};
struct data {
    const int *in;            // at 0
    int n;                    // 8
    inner nested;             // 16
    char last;                // 48
    cudaTextureObject_t line; // 56
    const int *nothing;       // 64
    int *out;                 // 72
};
static_assert(sizeof(data) == 80, "the layout that the test is about");

extern "C" __global__ void reference(int *out, const int *in, int n)
{
    static const int dims[] = {1, 10, 100, 0};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] + 2 * in[n / 2 + i % (n / 2)] + dims[i % 4] + in[(i + 1) % n] + 7;
}

__device__ int sum(const data *d, const int *upper, const int *dims, int i)
{
    return d->in[i] + d->nested.step * upper[i % (d->n / 2)] + dims[i % 4] + tex1Dfetch<int>(d->line, (i + 1) % d->n)
           + d->last;
}

// `upper` points to element n / PARTS of `in`.
extern "C" __global__ void structs(const __grid_constant__ data d)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int *upper = d.nested.upper + (WRONG == 1 ? 0 : d.n / 2 - d.n / PARTS);
    const int *dims = WRONG == 2 ? d.nested.dims - 1 : d.nested.dims;
    if (i < d.n && (WRONG == 3 ? d.nothing != nullptr : d.nothing == nullptr))
        d.out[i] = sum(&d, upper, dims, i);
}
