// Random reads of single values, from a whole table or from the section that the neighbouring blocks read, too.
//
// SECTION_MB  size of the section

enum { each = 16 };

static __device__ float gather_of(const float *in, int mb)
{
    const unsigned words = SECTION_MB << 18, sections = (unsigned)mb / SECTION_MB;
    const size_t section = (size_t)(blockIdx.x / (gridDim.x / sections)) * words;
    unsigned x = (blockIdx.x * 256 + threadIdx.x) * 2654435761u;
    float sum = 0;
#pragma unroll
    for (int e = 0; e < each; e++) {
        x = x * 1664525u + 1013904223u;
        sum += in[section + ((x ^ x >> 13) & (words - 1))];
    }
    return sum;
}

extern "C" __global__ void gather_naive(float *out, const float *in, int mb)
{
    out[blockIdx.x * 256 + threadIdx.x] = gather_of(in, mb);
}

extern "C" __global__ void gather(float *__restrict__ out, const float *__restrict__ in, int mb)
{
    out[blockIdx.x * 256 + threadIdx.x] = gather_of(in, mb);
}
