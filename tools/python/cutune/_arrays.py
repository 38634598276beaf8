"""Arrays of NumPy, CuPy, torch, Numba and JAX, as one view: kind, type, place in memory, and copies of them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from ._error import Error, ErrorCode

#: NumPy's types and torch's names by the names of space files. Complex numbers are vectors of two.
TYPES = {
    "int8": "char",
    "uint8": "uchar",
    "int16": "short",
    "uint16": "ushort",
    "int32": "int",
    "uint32": "uint",
    "int64": "long",
    "uint64": "ulong",
    "float16": "half",
    "bfloat16": "bfloat16",
    "float32": "float",
    "float64": "double",
    "bool": "bool",
    "complex64": "float2",
    "complex128": "double2",
}
#: Types without a counterpart in NumPy's files: raw data.
RAW = ("bfloat16", "float2", "double2")
#: The alignment of a device's allocations, in bytes.
ALIGNMENT = 256


@dataclass(frozen=True)
class Array:
    """An argument that is an array. `address` and `bytes` tell aliases; `offset` is the distance from an allocation's alignment."""

    name: str
    value: Any
    kind: str
    type: str
    count: int
    item_bytes: int
    address: int

    @property
    def bytes(self) -> int:
        return self.count * self.item_bytes

    @property
    def on_device(self) -> bool:
        if self.kind == "torch":
            return bool(self.value.device.type != "cpu")
        return self.kind in ("cupy", "numba", "jax")

    @property
    def offset_bytes(self) -> int:
        return self.address % ALIGNMENT if self.on_device else 0


def _refuse(name: str, reason: str, hint: str = "") -> Error:
    return Error(ErrorCode.USAGE, f"the argument {name} {reason}", hint=hint)


def _module(name: str) -> Any:
    """A framework that is loaded. An array of another framework cannot exist."""
    return sys.modules.get(name)


def kind_of(value: object) -> str:
    """The framework of an array: "numpy", "torch", "cupy", "numba" or "jax"; "" for other objects."""
    for name, kind in (("numpy", "ndarray"), ("torch", "Tensor"), ("cupy", "ndarray"), ("jax", "Array")):
        module = _module(name)
        if module is not None and isinstance(value, getattr(module, kind)):
            return name
    numba = _module("numba.cuda.cudadrv.devicearray")
    if numba is not None and isinstance(value, numba.DeviceNDArrayBase):
        return "numba"
    return ""


def is_array(value: object) -> bool:
    import numpy

    if isinstance(value, (numpy.generic, bool, int, float, complex, str)):
        return False
    return bool(kind_of(value)) or hasattr(value, "__cuda_array_interface__") or hasattr(value, "__dlpack__")


def _type_name(value: Any) -> str:
    text = str(value.dtype)
    return text.rpartition(".")[2]  # torch.float32


def _address(value: Any, kind: str) -> int:
    if kind == "torch":
        return int(value.data_ptr())
    if kind == "numpy":
        return int(value.__array_interface__["data"][0])
    if kind == "jax":
        try:
            return int(value.unsafe_buffer_pointer())
        except Exception:  # several shards, or a backend without addresses
            return 0
    return int(value.__cuda_array_interface__["data"][0])


def _contiguous(value: Any, kind: str) -> bool:
    if kind == "torch":
        return bool(value.is_contiguous())
    if kind == "jax":
        return True
    if kind == "numba":
        return bool(value.is_c_contiguous())
    return bool(value.flags.c_contiguous)


def view(name: str, value: Any) -> Array:
    """An array as the engine sees it. Refuses by name all that a plain buffer cannot be."""
    kind = kind_of(value)
    if not kind:
        raise _refuse(
            name,
            f"is an array of {type(value).__module__}, which is not known",
            "NumPy, CuPy, torch, Numba and JAX are: torch.from_dlpack(array) or cupy.asarray(array) converts without a copy",
        )
    type_name = TYPES.get(_type_name(value))
    if type_name is None:
        raise _refuse(name, f"has the type {value.dtype}, which kernels' buffers cannot have", "known: " + ", ".join(TYPES))
    if kind == "torch" and value.device.type not in ("cpu", "cuda"):
        raise _refuse(name, f"is on the device {value.device}", "tensors of the CPU and of CUDA devices are copied")
    if not _contiguous(value, kind):
        raise _refuse(
            name,
            f"is strided (shape {tuple(value.shape)}): the kernel would see another memory than the engine's copy",
            "pass its contiguous copy, or the whole base array and the offset as arguments",
        )
    item = int(value.dtype.itemsize)
    count = 1
    for size in value.shape:
        count *= int(size)
    if count == 0:
        raise _refuse(name, "is empty")
    return Array(name, value, kind, type_name, count, item, _address(value, kind))


def synchronise(arrays: list[Array]) -> None:
    """Waits until the work that fills the arrays is done, on all streams."""
    kinds = {array.kind for array in arrays if array.on_device}
    torch = _module("torch")
    if "torch" in kinds and torch is not None:
        for device in {array.value.device for array in arrays if array.kind == "torch" and array.on_device}:
            torch.cuda.synchronize(device)
    if "cupy" in kinds:
        for array in arrays:
            if array.kind == "cupy":
                array.value.device.synchronize()
    if "numba" in kinds:
        _module("numba").cuda.synchronize()
    for array in arrays:
        if array.kind == "jax":
            array.value.block_until_ready()


def to_host(array: Array) -> Any:
    """A NumPy array of the contents, flat: a copy for arrays on the device."""
    import numpy

    value = array.value
    if array.kind == "torch":
        value = value.detach().cpu()
        if array.type == "bfloat16":
            value = value.view(_module("torch").int16)
        value = value.numpy()
    elif array.kind == "cupy":
        value = value.get()
    elif array.kind == "numba":
        value = value.copy_to_host()
    return numpy.ascontiguousarray(numpy.asarray(value)).reshape(-1)


def clone(array: Array) -> Any:
    """A copy of the same framework on the same device, which a reference may overwrite."""
    if array.kind == "torch":
        return array.value.detach().clone()
    if array.kind == "numba":
        return _module("numba").cuda.to_device(array.value.copy_to_host())
    return array.value if array.kind == "jax" else array.value.copy()


def overlap(a: Array, b: Array) -> bool:
    """True if two arrays share memory."""
    return bool(a.address and b.address and a.on_device == b.on_device
                and a.address < b.address + b.bytes and b.address < a.address + a.bytes)  # fmt: skip


def free_device_bytes() -> int | None:
    """Free memory of the current device, as a loaded framework knows it; None if none does."""
    torch, cupy = _module("torch"), _module("cupy")
    try:
        if torch is not None and torch.cuda.is_available():
            return int(torch.cuda.mem_get_info()[0])
        if cupy is not None:
            return int(cupy.cuda.runtime.memGetInfo()[0])
    except Exception:  # no driver
        return None
    return None
