// How an array of structures lies in memory when a kernel uses some of its fields: element after element (aos), field after field
// (soa), or blocks of a few elements, field after field within each (aosoa). out[i] is the sum of the used fields of element i.
// Where one field of many is used, aos reads whole sectors for one word of each; where all are used, all layouts move the same
// bytes. Compare `-D USED=1,2,4,8`.
//
// LAYOUT  aos, aosoa, soa
// WIDTH   elements of a block of aosoa
// VEC     words of a load: along the fields of an element in aos, along the elements in the others
// UNROLL  loads of VEC elements that a thread begins before it uses the first
// BLOCK   threads of a block
//
// The sizes of the problem are macros too: N elements of FIELDS words, of which USED are read.

enum layout { aos, aosoa, soa };
enum { step = LAYOUT == aos ? 1 : VEC }; // elements that a thread takes at a time

template <int WORDS> struct vector;
template <> struct vector<1> { typedef unsigned type; };
template <> struct vector<2> { typedef uint2 type; };
template <> struct vector<4> { typedef uint4 type; };

union pack {
    vector<VEC>::type whole;
    unsigned part[VEC];
};

// Every word holds its own place in the array, whatever the layout. This turns a place into what field `field` of element
// `element` is worth, so that the sums are the same in all layouts, and wrong where a wrong word was read.
static __device__ unsigned worth(unsigned place)
{
    if (LAYOUT == aos)
        return place;
    if (LAYOUT == soa)
        return place % N * FIELDS + place / N;
    const unsigned block = place / (FIELDS * WIDTH), within = place % (FIELDS * WIDTH);
    return (block * WIDTH + within % WIDTH) * FIELDS + within / WIDTH;
}

extern "C" __global__ void aos_soa_naive(unsigned *out, const unsigned *in)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        unsigned sum = 0;
        for (unsigned f = 0; f < USED; f++)
            sum += i * FIELDS + f; // by definition: the element's first place in aos, and the field
        out[i] = sum;
    }
}

static __device__ size_t place_of(size_t element, int field)
{
    if (LAYOUT == aos)
        return element * FIELDS + field;
    if (LAYOUT == soa)
        return (size_t)field * N + element;
    return element / WIDTH * WIDTH * FIELDS + field * WIDTH + element % WIDTH;
}

extern "C" __global__ void aos_soa(unsigned *__restrict__ out, const unsigned *__restrict__ in)
{
    enum { loads = LAYOUT == aos ? (USED + VEC - 1) / VEC : USED, stride = LAYOUT == aos ? VEC : 1 };
    const size_t first = ((size_t)blockIdx.x * BLOCK * UNROLL + threadIdx.x) * step;
    pack held[UNROLL][loads];
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
        const size_t element = first + (size_t)u * BLOCK * step;
        if (element < N)
#pragma unroll
            for (int l = 0; l < loads; l++)
                held[u][l].whole = *(const vector<VEC>::type *)&in[place_of(element, l * stride)];
    }
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
        const size_t element = first + (size_t)u * BLOCK * step;
        if (element >= N)
            continue;
        pack sum = {};
#pragma unroll
        for (int l = 0; l < loads; l++)
#pragma unroll
            for (int v = 0; v < VEC; v++)
                if (LAYOUT != aos || l * VEC + v < USED)
                    sum.part[LAYOUT == aos ? 0 : v] += worth(held[u][l].part[v]);
        if (LAYOUT == aos)
            out[element] = sum.part[0];
        else
            *(vector<VEC>::type *)&out[element] = sum.whole;
    }
}
