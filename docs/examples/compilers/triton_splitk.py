"""C = A B in half precision: PARTS programs for each tile of C sum parts of K, and a second kernel adds the parts."""

import triton
import triton.language as tl


@triton.jit
def multiply(a, b, partial, m, n, k, TILE: tl.constexpr, TILE_K: tl.constexpr, PARTS: tl.constexpr):
    row = tl.program_id(0) * TILE + tl.arange(0, TILE)
    col = tl.program_id(1) * TILE + tl.arange(0, TILE)
    part = tl.program_id(2)
    total = tl.zeros((TILE, TILE), dtype=tl.float32)
    for done in range(part * TILE_K, k, PARTS * TILE_K):
        step = done + tl.arange(0, TILE_K)
        left = tl.load(a + row[:, None] * k + step[None, :], mask=(row < m)[:, None] & (step < k)[None, :], other=0.0)
        right = tl.load(b + step[:, None] * n + col[None, :], mask=(step < k)[:, None] & (col < n)[None, :], other=0.0)
        total = tl.dot(left, right, total)
    inside = (row < m)[:, None] & (col < n)[None, :]
    tl.store(partial + part * m * n + row[:, None] * n + col[None, :], total, mask=inside)


@triton.jit
def add_parts(partial, c, count, PARTS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for part in tl.static_range(PARTS):
        total += tl.load(partial + part * count + at, mask=at < count, other=0.0)
    tl.store(c + at, total.to(tl.float16), mask=at < count)
