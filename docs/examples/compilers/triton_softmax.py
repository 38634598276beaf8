"""The softmax of each row of a matrix, ROWS rows for each program."""

import triton
import triton.language as tl


@triton.jit
def softmax(x, out, rows, cols, row_stride, ROWS: tl.constexpr, WIDTH: tl.constexpr):
    col = tl.arange(0, WIDTH)
    for step in tl.range(ROWS):
        row = tl.program_id(0) * ROWS + step
        inside = (row < rows) & (col < cols)
        values = tl.load(x + row * row_stride + col, mask=inside, other=-float("inf"))
        powers = tl.exp(values - tl.max(values, axis=0))
        tl.store(out + row * row_stride + col, powers / tl.sum(powers, axis=0), mask=inside)
