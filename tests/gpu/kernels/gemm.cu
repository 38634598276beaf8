// C = alpha A B + beta C, in included parts, with macros for everything. A is K x M and B is K x N, row by row; C is N
// x M. All sizes are multiples of the tiles.
#include "gemm/settings.h"
#include "gemm/parts/load.cuh"
#include "gemm/parts/multiply.cuh"
#include "gemm/parts/store.cuh"

extern "C" __global__ void __launch_bounds__(MDIMC * NDIMC)
Xgemm(const int kSizeM, const int kSizeN, const int kSizeK, const real alpha, const real beta, const realM *__restrict__ agm,
      const realN *__restrict__ bgm, realM *__restrict__ cgm)
{
#if SA
    LOCAL realM alm[KWG * MWG / VWM];
#endif
#if SB
    LOCAL realN blm[KWG * NWG / VWN];
#endif
    realM a[MWI / VWM], c[NWI][MWI / VWM];
    realN b[NWI / VWN];
    clear(c);
    for (int k0 = 0; k0 < kSizeK; k0 += KWG) {
#if SA
        load_tile_a(agm, alm, kSizeM, k0);
#endif
#if SB
        load_tile_b(bgm, blm, kSizeN, k0);
#endif
#if SA || SB
        SYNC();
#endif
        for (int k = 0; k < KWG; k += KWI) {
#pragma unroll
            for (int i = 0; i < KWI; ++i) {
#if SA
                load_a(alm, k + i, MWG / VWM, 0, a);
#else
                load_a(agm, k0 + k + i, kSizeM / VWM, GROUP0 * (MWG / VWM), a);
#endif
#if SB
                load_b(blm, k + i, NWG / VWN, 0, b);
#else
                load_b(bgm, k0 + k + i, kSizeN / VWN, GROUP1 * (NWG / VWN), b);
#endif
                multiply(c, a, b);
            }
        }
#if SA || SB
        SYNC();
#endif
    }
    store(cgm, c, kSizeM, alpha, beta);
}
