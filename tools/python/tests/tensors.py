"""Tensors on the host with the interface of torch's that cutune.triton and Triton's binder use, where there is neither torch nor a GPU."""

from __future__ import annotations

from typing import Any

import numpy


class Dtype:
    def __init__(self, name: str) -> None:
        self.name = name

        self.itemsize = numpy.dtype(name).itemsize

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __hash__(self) -> int:
        return hash(self.name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dtype) and self.name == other.name


class Tensor:
    """A view of a NumPy vector, as torch's of a storage."""

    def __init__(self, base: Any, shape: tuple[int, ...] | None = None, stride: tuple[int, ...] | None = None, offset: int = 0) -> None:
        self.base = base
        self.shape = base.shape if shape is None else shape
        self.offset = offset
        self.dtype = Dtype(str(base.dtype))
        self.device = "cuda:0"
        rest = numpy.cumprod([1, *reversed(self.shape[1:])])[::-1]
        self._stride = tuple(int(step) for step in rest) if stride is None else stride

    def data_ptr(self) -> int:
        return int(self.base.ctypes.data) + self.offset * self.element_size()

    def ptr_range(self) -> int:
        return 0

    @property
    def size(self) -> int:
        return self.numel()

    def numel(self) -> int:
        return int(numpy.prod(self.shape))

    def is_contiguous(self) -> bool:
        return True

    def get_device(self) -> int:
        return 0

    def element_size(self) -> int:
        return int(self.base.itemsize)

    def stride(self) -> tuple[int, ...]:
        return self._stride

    def storage_offset(self) -> int:
        return self.offset

    def detach(self) -> Tensor:
        return self

    def cpu(self) -> Tensor:
        return self

    def as_strided(self, shape: tuple[int, ...], stride: tuple[int, ...], offset: int) -> Tensor:
        return Tensor(self.base, shape, stride, offset)

    def __rmul__(self, factor: float) -> Any:
        return factor * self.numpy()

    def numpy(self) -> Any:
        steps = [step * self.element_size() for step in self._stride]
        return numpy.lib.stride_tricks.as_strided(self.base[self.offset :], self.shape, steps)

    def clone(self) -> Tensor:
        return Tensor(self.numpy().copy().reshape(-1), self.shape)

    def copy_(self, other: Any) -> None:
        self.numpy()[...] = other.numpy() if isinstance(other, Tensor) else other

    def zero_(self) -> None:
        self.numpy()[...] = 0


def aligned(count: int, type: str = "float32", off: int = 0) -> Any:
    """A vector of small numbers that begins `off` elements behind a multiple of 256 bytes."""
    size = numpy.dtype(type).itemsize
    memory = numpy.zeros(count * size + 512 + off * size, dtype=numpy.uint8)
    first = -memory.ctypes.data % 256 + off * size
    vector = memory[first : first + count * size].view(type)
    vector[:] = numpy.arange(count) % 7
    return vector
