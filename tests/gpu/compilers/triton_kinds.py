"""Kernels with an accumulator, with clusters, and with tensor descriptors, which need scratch memory."""

import sys

import triton
import triton.language as tl

print("a line on standard output", "x" * 100000)
print("a line on standard error", file=sys.stderr)


@triton.jit
def accumulate(total, x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(total + at, tl.load(total + at, mask=inside) + tl.load(x + at, mask=inside), mask=inside)


@triton.jit
def clusters(a, b, c, size, TILE: tl.constexpr, TILE_K: tl.constexpr):
    row = tl.program_id(0) * TILE + tl.arange(0, TILE)
    col = tl.program_id(1) * TILE + tl.arange(0, TILE)
    total = tl.zeros((TILE, TILE), dtype=tl.float32)
    for done in range(0, size, TILE_K):
        step = done + tl.arange(0, TILE_K)
        left = tl.load(a + row[:, None] * size + step[None, :])
        right = tl.load(b + step[:, None] * size + col[None, :])
        total = tl.dot(left, right, total)
    tl.store(c + row[:, None] * size + col[None, :], total.to(tl.float16))


@triton.jit
def descriptors(a, b, c, size, TILE: tl.constexpr, TILE_K: tl.constexpr, SPECIALIZED: tl.constexpr):
    left = tl.make_tensor_descriptor(a, shape=[size, size], strides=[size, 1], block_shape=[TILE, TILE_K])
    right = tl.make_tensor_descriptor(b, shape=[size, size], strides=[size, 1], block_shape=[TILE_K, TILE])
    out = tl.make_tensor_descriptor(c, shape=[size, size], strides=[size, 1], block_shape=[TILE, TILE])
    row, col = tl.program_id(0) * TILE, tl.program_id(1) * TILE
    total = tl.zeros((TILE, TILE), dtype=tl.float32)
    for done in tl.range(0, size, TILE_K, warp_specialize=SPECIALIZED):
        total = tl.dot(left.load([row, done]), right.load([done, col]), total)
    out.store([row, col], total.to(tl.float16))
