"""Machine code as a function of its arguments, through the extension module."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _streams
from ._native import load_extension

load_extension()
from cutune._launch import Function  # noqa: E402

Sizes = tuple[int, int, int]


class Bound(Function):
    """A kernel of a cubin on a device, with its block, dynamic shared memory in bytes, and cluster (zeros: none). The types of its
    parameters are "address" for an array, "null" for 8 zero bytes that no argument gives, or a number's, as in a space. `defaults` is
    the caller's own. The code stays loaded until the process ends, because CUDA graphs may contain the kernel. Errors of the driver are
    cutune.Error."""

    def __init__(
        self,
        name: str,
        cubin: bytes,
        entry: str,
        device: int,
        block: Sizes,
        shared_bytes: int,
        cluster: Sizes,
        cooperative: bool,
        types: Sequence[str],
        defaults: Any = None,
    ) -> None:
        super().__init__(name, cubin, entry, device, block, shared_bytes, cluster, cooperative, tuple(types), _streams.find)
        self.defaults = defaults

    def launch(self, grid: Sequence[int], arguments: Sequence[Any], stream: Any = None) -> None:
        """Queues a launch with a grid of one to three dimensions. An array may be of any framework; an argument that does not fit is a
        TypeError. Without a stream, it is the current one of the first array's framework."""
        self(grid, arguments, stream)
