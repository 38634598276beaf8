#pragma once
#include "../settings.h"

INLINE void clear(realM c[NWI][MWI / VWM])
{
#pragma unroll
    for (int n = 0; n < NWI; ++n)
#pragma unroll
        for (int m = 0; m < MWI; ++m)
            ZERO(PART(c[n][m / VWM], m % VWM));
}

INLINE void multiply(realM c[NWI][MWI / VWM], realM a[MWI / VWM], realN b[NWI / VWN])
{
#pragma unroll
    for (int n = 0; n < NWI; ++n)
#pragma unroll
        for (int m = 0; m < MWI; ++m)
            MAD(PART(c[n][m / VWM], m % VWM), PART(a[m / VWM], m % VWM), PART(b[n / VWN], n % VWN));
}
