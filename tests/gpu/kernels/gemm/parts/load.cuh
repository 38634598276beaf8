// Loads tiles of A and B into shared memory, and elements of both into registers.
#pragma once
#include "../settings.h"

#define PLACE_M(i, id) (STRM ? (id) + (i) * MDIMC : (i) + (id) * (MWI / VWM))
#define PLACE_N(i, id) (STRN ? (id) + (i) * NDIMC : (i) + (id) * (NWI / VWN))

#define LOAD_TILE(name, vec, id, other, W, KW, WG, VW, DIM, STR, group)                                      \
    INLINE void name(const vec *__restrict__ global, LOCAL_POINTER(vec) tile, const int size, const int k0)  \
    {                                                                                                        \
        const int t = ID1 * MDIMC + ID0, id = t % DIM, other = t / DIM;                                      \
        _Pragma("unroll") for (int i = 0; i < W / VW; ++i)                                                   \
            _Pragma("unroll") for (int k = 0; k < KW; ++k)                                                   \
            {                                                                                                \
                const int at = STR ? id + i * DIM : i + id * (W / VW), row = k + other * KW;                 \
                tile[row * (WG / VW) + at] = global[(row + k0) * (size / VW) + at + group * (WG / VW)];      \
            }                                                                                                \
    }
#define LOCAL_POINTER(type) type *

#if SA
LOAD_TILE(load_tile_a, realM, la0, la1, MWA, KWA, MWG, VWM, MDIMA, STRM, GROUP0)
#endif
#if SB
LOAD_TILE(load_tile_b, realN, lb0, lb1, NWB, KWB, NWG, VWN, NDIMB, STRN, GROUP1)
#endif

INLINE void load_a(const realM *from, const int row, const int pitch, const int begin, realM a[MWI / VWM])
{
#pragma unroll
    for (int i = 0; i < MWI / VWM; ++i)
        a[i] = from[row * pitch + begin + PLACE_M(i, ID0)];
}

INLINE void load_b(const realN *from, const int row, const int pitch, const int begin, realN b[NWI / VWN])
{
#pragma unroll
    for (int i = 0; i < NWI / VWN; ++i)
        b[i] = from[row * pitch + begin + PLACE_N(i, ID1)];
}
