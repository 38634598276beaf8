// 0, 1/2, 1, 3/2, ...
static __device__ u64 fill_halves(u64 i, int scalar, u64 seed)
{
    return element_of((double)i / 2, scalar);
}
