"""C = A B in half precision, a tile of C for each block."""

import cuda.tile as ct


@ct.kernel
def matmul(a, b, c, TILE_M: ct.Constant[int], TILE_N: ct.Constant[int], TILE_K: ct.Constant[int]):
    row, col = ct.bid(0), ct.bid(1)
    total = ct.full((TILE_M, TILE_N), 0, dtype=ct.float32)
    for step in range(ct.num_tiles(a, axis=1, shape=(TILE_M, TILE_K))):
        left = ct.load(a, index=(row, step), shape=(TILE_M, TILE_K), padding_mode=ct.PaddingMode.ZERO)
        right = ct.load(b, index=(step, col), shape=(TILE_K, TILE_N), padding_mode=ct.PaddingMode.ZERO)
        total = ct.mma(left, right, total)
    ct.store(c, index=(row, col), tile=ct.astype(total, ct.float16))
