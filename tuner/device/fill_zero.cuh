static __device__ u64 fill_zero(u64 i, int scalar, u64 seed)
{
    return 0;
}
