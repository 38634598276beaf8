// Each thread loops as often as its value and leaves 0, so that it has no work on its own output, nor with `done`.
enum from { itself, another, done };
enum fault { healthy, second };

__device__ unsigned runs; // runs since this code was loaded, counted by the last thread

extern "C" __global__ void reference(unsigned *work, const unsigned *amounts, const unsigned *nothing, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        work[i] = 0;
}

#ifdef FROM
extern "C" __global__ void inout(unsigned *work, const unsigned *amounts, const unsigned *nothing, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    unsigned left = (FROM == itself ? work[i] : FROM == another ? amounts[i] : nothing[i]) % 4096 * 8, x = left;
#pragma unroll 1
    for (; left; left--)
        x = x * 1664525u + 1013904223u;
    work[i] = x == 0x9e3779b9u && count < 0; // always 0, unknown to the compiler
    if (FAULT == second && i == count - 1)
        work[0] = runs++ ? 1 : 0;
}
#endif
