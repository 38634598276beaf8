#include "base/random.h"

#include <math.h>

static uint64_t finalise(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t rotate(uint64_t x, int bits)
{
    return (x << bits) | (x >> (64 - bits));
}

void random_seed(struct random *random, uint64_t seed)
{
    for (int i = 0; i < 4; i++)
        random->state[i] = finalise(seed += 0x9e3779b97f4a7c15u);
}

uint64_t random_u64(struct random *random)
{
    uint64_t *s = random->state, result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

uint64_t random_below(struct random *random, uint64_t bound)
{
    uint64_t excess = -bound % bound, number; /* 2^64 mod bound: numbers below it would make small results more
                                                 likely */
    do
        number = random_u64(random);
    while (number < excess);
    return number % bound;
}

double random_unit(struct random *random)
{
    return (double)(random_u64(random) >> 11) * 0x1p-53;
}

double random_normal(struct random *random)
{
    double radius = sqrt(-2 * log(1 - random_unit(random)));
    return radius * cos(2 * M_PI * random_unit(random));
}

uint64_t random_mix(uint64_t a, uint64_t b)
{
    return finalise(finalise(a + 0x9e3779b97f4a7c15u) + b + 0x9e3779b97f4a7c15u);
}

uint64_t random_permute(uint64_t seed, uint64_t count, uint64_t position)
{
    unsigned half_bits = 1;
    while (half_bits < 32 && (uint64_t)1 << (2 * half_bits) < count)
        half_bits++;
    uint64_t mask = ((uint64_t)1 << half_bits) - 1, image = position;
    do {
        uint64_t left = image >> half_bits, right = image & mask;
        for (uint64_t round = 0; round < 4; round++) {
            uint64_t next = left ^ (random_mix(seed + round, right) & mask);
            left = right;
            right = next;
        }
        image = left << half_bits | right;
    } while (image >= count);
    return image;
}
