/* Random numbers, reproducible from a seed on every machine: xoshiro256** (Blackman and Vigna, 2018), seeded by
 * splitmix64. */
#ifndef CUTUNE_BASE_RANDOM_H
#define CUTUNE_BASE_RANDOM_H

#include <stdint.h>

struct random {
    uint64_t state[4];
};

void random_seed(struct random *random, uint64_t seed);
uint64_t random_u64(struct random *random);
/* Uniform in 0 .. bound - 1 without bias. `bound` must not be 0. */
uint64_t random_below(struct random *random, uint64_t bound);
/* Uniform in [0, 1). */
double random_unit(struct random *random);
/* Normal with mean 0 and deviation 1. */
double random_normal(struct random *random);

/* A seeded permutation of 0 .. count - 1 in constant memory: returns the image of `position` < `count`. A Feistel
 * network over the next power of four is repeated until the image is in range (Black and Rogaway, "Ciphers with
 * Arbitrary Finite Domains", 2002). */
uint64_t random_permute(uint64_t seed, uint64_t count, uint64_t position);

/* Mixes two numbers into one: splitmix64's finaliser. */
uint64_t random_mix(uint64_t a, uint64_t b);

#endif
