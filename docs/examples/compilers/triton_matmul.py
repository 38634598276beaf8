"""C = A B in half precision, a tile of C for each program; groups of GROUP rows of tiles share columns of B in the L2 cache."""

import triton
import triton.language as tl


@triton.jit
def tile_of(program, m, n, TILE_M: tl.constexpr, TILE_N: tl.constexpr, GROUP: tl.constexpr):
    down, across = tl.cdiv(m, TILE_M), tl.cdiv(n, TILE_N)
    first = program // (GROUP * across) * GROUP
    height = tl.minimum(down - first, GROUP)
    inner = program % (GROUP * across)
    return first + inner % height, inner // height


@triton.jit
def matmul(
    a, b, c, m, n, k, a_row, a_col, b_row, b_col, c_row, c_col,
    TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr, GROUP: tl.constexpr,
):  # fmt: skip
    tile_m, tile_n = tile_of(tl.program_id(0), m, n, TILE_M, TILE_N, GROUP)
    row = tile_m * TILE_M + tl.arange(0, TILE_M)
    col = tile_n * TILE_N + tl.arange(0, TILE_N)
    step = tl.arange(0, TILE_K)
    a_at = a + (row % m)[:, None] * a_row + step[None, :] * a_col
    b_at = b + step[:, None] * b_row + (col % n)[None, :] * b_col
    total = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    for done in range(0, k, TILE_K):
        left = tl.load(a_at, mask=step[None, :] < k - done, other=0.0)
        right = tl.load(b_at, mask=step[:, None] < k - done, other=0.0)
        total = tl.dot(left, right, total)
        a_at += TILE_K * a_col
        b_at += TILE_K * b_row
    inside = (row < m)[:, None] & (col < n)[None, :]
    tl.store(c + row[:, None] * c_row + col[None, :] * c_col, total.to(tl.float16), mask=inside)
