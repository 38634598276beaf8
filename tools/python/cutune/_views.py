"""Arrays of all frameworks with the interface of torch's tensors, as far as a call needs it. Nothing is copied."""

from __future__ import annotations

import sys
from typing import Any

from ._regions import Unsupported, is_tensor


class View:
    """An array of CuPy as a tensor. `native` is the array."""

    def __init__(self, array: Any) -> None:
        self.native = array
        self.shape, self.dtype = array.shape, array.dtype

    def data_ptr(self) -> int:
        return int(self.native.data.ptr)

    def element_size(self) -> int:
        return int(self.native.dtype.itemsize)

    def stride(self) -> tuple[int, ...]:
        return tuple(step // self.element_size() for step in self.native.strides)

    def storage_offset(self) -> int:
        return 0

    def detach(self) -> View:
        return self

    def as_strided(self, shape: tuple[int, ...], strides: tuple[int, ...], offset: int) -> View:
        item = self.element_size()
        array = type(self.native)(
            shape, self.dtype, memptr=self.native.data + offset * item, strides=tuple(step * item for step in strides)
        )
        return View(array)

    def clone(self) -> View:
        return View(self.native.copy())

    def cpu(self) -> View:
        return self

    def numpy(self) -> Any:
        return self.native.get()

    def copy_(self, other: Any) -> None:
        self.native[...] = _asarray(other)

    def zero_(self) -> None:
        self.native.fill(0)


def _asarray(value: Any) -> Any:
    return sys.modules["cupy"].asarray(getattr(value, "native", value))


def is_array(value: object) -> bool:
    return is_tensor(value) or hasattr(value, "__cuda_array_interface__")


def as_tensor(name: str, value: Any) -> Any:
    """An array as a tensor: of torch as it is, else through CuPy or torch."""
    if is_tensor(value):
        return value
    if (cupy := sys.modules.get("cupy")) is not None:
        return View(cupy.asarray(value))
    if (torch := sys.modules.get("torch")) is not None:
        return torch.as_tensor(value, device="cuda")
    raise Unsupported(f"copies of the argument {name} need torch or CuPy: import one of them")


def native(tensor: Any) -> Any:
    """The array that a user's function gets."""
    return getattr(tensor, "native", tensor)
