"""The sum of two vectors: each thread adds VALUES elements at a distance of THREADS."""

import cutlass
from cutlass import cute


@cute.kernel
def add_values(x: cute.Tensor, y: cute.Tensor, out: cute.Tensor, THREADS: cutlass.Constexpr, VALUES: cutlass.Constexpr):
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    for step in cutlass.range_constexpr(VALUES):
        at = (block * VALUES + step) * THREADS + thread
        if at < cute.size(out):
            out[at] = x[at] + y[at]


@cute.jit
def add(x: cute.Tensor, y: cute.Tensor, out: cute.Tensor, THREADS: cutlass.Constexpr, VALUES: cutlass.Constexpr):
    blocks = cute.ceil_div(cute.size(out), THREADS * VALUES)
    add_values(x, y, out, THREADS, VALUES).launch(grid=(blocks, 1, 1), block=(THREADS, 1, 1))
