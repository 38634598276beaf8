// 0, 1, 2, ...; small integer types wrap, floating-point types round.
static __device__ u64 fill_iota(u64 i, int scalar, u64 seed)
{
    int digits = digits_of(scalar);
    return is_float(scalar) ? element_of((double)(digits < 24 ? i % (1ull << digits) : i), scalar)
                            : i & ~0ull >> (64 - bits_of(scalar));
}
