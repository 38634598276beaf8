#pragma once
#include "load.cuh"

// C = alpha * sums + beta * C. C is column by column, and vectors go along M.
INLINE void store(realM *c, realM sums[NWI][MWI / VWM], const int size_m, const real alpha, const real beta)
{
#if BUG == 1 // ignores that elements may be strided
#undef PLACE_M
#define PLACE_M(i, id) ((i) + (id) * (MWI / VWM))
#endif
#pragma unroll
    for (int n = 0; n < NWI; ++n)
#pragma unroll
        for (int m = 0; m < MWI / VWM; ++m) {
            const int column = (GROUP1 * (NWG / VWN) + PLACE_N(n / VWN, ID1)) * VWN + n % VWN;
            realM *place = c + column * (size_m / VWM) + GROUP0 * (MWG / VWM) + PLACE_M(m, ID0);
            realM value = *place;
#pragma unroll
            for (int v = 0; v < VWM; ++v)
                PART(value, v) = alpha * PART(sums[n][m], v) + beta * PART(value, v);
            *place = value;
        }
}
