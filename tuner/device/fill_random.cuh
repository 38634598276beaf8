// Integers: all bits random. Floating-point: uniform in [-1, 1), with as many random bits as the type holds.
static __device__ u64 fill_random(u64 i, int scalar, u64 seed)
{
    u64 random = random_bits(i, seed);
    int digits = digits_of(scalar);
    return is_float(scalar) ? element_of((double)(random >> (64 - digits)) * scalar_power(1 - digits) - 1.0, scalar)
                            : random >> (64 - bits_of(scalar));
}
