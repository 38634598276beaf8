// One field of COUNT records of FIELDS floats: the records one after the other, or each field in one piece.
//
// LAYOUT  records: the values of the field are FIELDS floats apart; pieces: they are adjacent

enum layout { records, pieces };
enum { each = 8 }; // values per thread

static __device__ float sum(const float *in)
{
    const long long first = (long long)blockIdx.x * each * 256 + threadIdx.x, step = LAYOUT == records ? FIELDS : 1;
    float total = 0;
#pragma unroll
    for (int e = 0; e < each; e++)
        total += in[(first + e * 256) * step];
    return total;
}

extern "C" __global__ void fields_naive(float *out, const float *in)
{
    out[blockIdx.x * 256 + threadIdx.x] = sum(in);
}

extern "C" __global__ void fields(float *__restrict__ out, const float *__restrict__ in)
{
    out[blockIdx.x * 256 + threadIdx.x] = sum(in);
}
