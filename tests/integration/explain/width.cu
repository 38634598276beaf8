// Copy of memory by words of WIDTH bytes, with one load of a thread in flight.

template <int BYTES> struct bytes;
template <> struct bytes<1> { typedef unsigned char type; };
template <> struct bytes<2> { typedef unsigned short type; };
template <> struct bytes<4> { typedef unsigned type; };
template <> struct bytes<8> { typedef uint2 type; };
template <> struct bytes<16> { typedef uint4 type; };
typedef bytes<WIDTH>::type word;

extern "C" __global__ void width_naive(unsigned *out, const unsigned *in, int count)
{
    for (int i = blockIdx.x * 256 + threadIdx.x; i < count / 4; i += gridDim.x * 256)
        out[i] = in[i];
}

extern "C" __global__ void __launch_bounds__(256) width(void *__restrict__ to, const void *__restrict__ from, int count)
{
    word *const out = (word *)to;
    const word *const in = (const word *)from;
    const int words = count / WIDTH, threads = gridDim.x * 256;
#pragma unroll 1
    for (int i = blockIdx.x * 256 + threadIdx.x; i < words; i += threads)
        out[i] = in[i];
}
