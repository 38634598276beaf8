"""The box and the swizzle that Triton gives the tensor map of a descriptor, by its block."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

_WIDEST, _BOX_MAX = 128, 256
_ROWS = 8  # a swizzle repeats after so many rows


def tensor_box(block: Sequence[int], item_bytes: int) -> tuple[tuple[int, ...], int]:
    """The box, in elements, and the swizzle, in bytes, for a block with the outermost dimension first. The compiler decides by the use of a
    descriptor, but in all known cases by the block alone; the worker compares.

    >>> tensor_box([64, 128], 2), tensor_box([512, 16], 2), tensor_box([64, 4], 4), tensor_box([1, 64], 2)
    (((64, 64), 128), ((256, 16), 32), ((64, 4), 0), ((1, 64), 0))
    """
    inner_bytes = int(block[-1]) * item_bytes
    swizzle = next((width for width in (_WIDEST, 64, 32) if inner_bytes >= width), 0)
    if len(block) < 2 or prod(int(size) for size in block[:-1]) < _ROWS:
        swizzle = 0
    inner = min(int(block[-1]), swizzle // item_bytes) if swizzle else int(block[-1])
    return tuple(min(int(size), _BOX_MAX) for size in (*block[:-1], inner)), swizzle
