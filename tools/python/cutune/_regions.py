"""Device memory behind tensors, as the engine's buffers: regions with types, strides, aliases and alignment kept."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ._arrays import ALIGNMENT, TYPES

#: Types that buffers have only as raw data: their names here, and NumPy's and torch's type with as many bytes.
_RAW = {"bfloat16": ("bfloat16", "int16"), **dict.fromkeys(("float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz"), ("uchar", "uint8"))}


#: As far as languages compile for the address of an array with its shape, in bytes.
SHAPED_ALIGNMENT = 16


class Unsupported(Exception):
    """A call that cannot be tuned outside of its program, with the reason."""


def is_tensor(value: object) -> bool:
    return hasattr(value, "data_ptr") and hasattr(value, "dtype")


def type_name(tensor: Any) -> str:
    return str(tensor.dtype).rpartition(".")[2]


def synchronise() -> None:
    """Waits until the work that fills tensors is done, on all streams."""
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        torch.cuda.synchronize()


def _span(tensor: Any) -> int:
    """Elements from the first to the last."""
    return 1 + sum((int(size) - 1) * int(stride) for size, stride in zip(tensor.shape, tensor.stride(), strict=True))


@dataclass
class Region:
    """Memory that one or more tensors use. `first` begins it."""

    name: str
    first: Any
    count: int
    tensors: dict[str, Any] = field(default_factory=dict)
    alignment: int = ALIGNMENT  # in bytes, that the copy's address shares with the tensor's

    @property
    def address(self) -> int:
        return int(self.first.data_ptr())

    @property
    def item_bytes(self) -> int:
        return int(self.first.element_size())

    @property
    def type(self) -> str:
        name = type_name(self.first)
        return _RAW[name][0] if name in _RAW else TYPES[name]

    @property
    def pad(self) -> int:
        """Elements in front, so that addresses are as far from the alignment as the tensor's."""
        return self.address % self.alignment // self.item_bytes

    @property
    def flat(self) -> Any:
        """The region as a vector of the tensor's framework."""
        return self.first.detach().as_strided((self.count,), (1,), self.first.storage_offset())

    def offset(self, name: str) -> int:
        return (int(self.tensors[name].data_ptr()) - self.address) // self.item_bytes

    def host(self, flat: Any) -> Any:
        """A NumPy array of a vector of this region's type."""
        import numpy

        name = type_name(self.first)
        flat = flat.cpu()
        if name in _RAW:
            flat = flat.view(getattr(sys.modules["torch"], _RAW[name][1]))
        return numpy.array(flat.numpy())

    def write(self, data: Any, folder: str, suffix: str = "") -> str:
        """Writes a file with the data behind the region's pad. Returns the text that names it in a space."""
        import numpy

        raw = type_name(self.first) in _RAW
        file = f"{self.name}{suffix}" + (".bin" if raw else ".npy")
        data = numpy.concatenate([numpy.zeros(self.pad, dtype=data.dtype), data]) if self.pad else data
        if raw:
            data.tofile(os.path.join(folder, file))
        else:
            numpy.save(os.path.join(folder, file), data, allow_pickle=False)
        return f'file("{file}")'


def nan(data: Any, region: Region) -> Any:
    """Where elements of a host array are NaN."""
    import numpy

    if region.type == "bfloat16":
        return (data.view(numpy.uint16) & 0x7FFF) > 0x7F80
    return numpy.isnan(data) if data.dtype.kind == "f" else numpy.zeros(data.shape, dtype=bool)


def _check(name: str, tensor: Any) -> None:
    kind = type_name(tensor)
    if not hasattr(tensor, "as_strided"):
        raise Unsupported(f"the argument {name} is a {type(tensor).__name__}, not a tensor")
    if kind not in TYPES and kind not in _RAW:
        raise Unsupported(f"the tensor {name} has the type {tensor.dtype}")
    if any(int(size) == 0 for size in tensor.shape):
        raise Unsupported(f"the tensor {name} is empty")
    if int(tensor.data_ptr()) % int(tensor.element_size()):
        raise Unsupported(f"the tensor {name} is not aligned to its elements")


def regions(tensors: Mapping[str, Any], *, shaped: bool = False) -> list[Region]:
    """Tensors by the memory that they use: those that overlap share a region. The order is that of the first tensor of each. If they are
    `shaped`, the kernel is compiled for their shapes, and so each is a whole buffer."""
    for name, tensor in tensors.items():
        _check(name, tensor)
    found: list[Region] = []
    for name, tensor in sorted(tensors.items(), key=lambda each: int(each[1].data_ptr())):
        last = found[-1] if found else None
        if last is None or int(tensor.data_ptr()) >= last.address + last.count * last.item_bytes:
            found.append(Region(name, tensor, _span(tensor), {name: tensor}))
            continue
        if type_name(tensor) != type_name(last.first) or (int(tensor.data_ptr()) - last.address) % last.item_bytes:
            raise Unsupported(f"the tensors {', '.join(last.tensors)} and {name} share memory as different types")
        last.tensors[name] = tensor
        last.count = max(last.count, last.offset(name) + _span(tensor))
    for region in found if shaped else ():
        region.alignment = SHAPED_ALIGNMENT
        others = [name for name, tensor in region.tensors.items() if tuple(tensor.shape) != tuple(region.first.shape)]
        if others:
            raise Unsupported(f"the arrays {region.name} and {others[0]} share memory, and differ in shape")
        if region.pad:
            raise Unsupported(f"the array {region.name} does not begin at a multiple of {SHAPED_ALIGNMENT} bytes")
    order = list(tensors)
    return sorted(found, key=lambda region: min(order.index(name) for name in region.tensors))


def clones(found: list[Region]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Copies on the same device: the vector of each region by its name, and the tensors over them."""
    flats = {region.name: region.flat.clone() for region in found}
    copies = {}
    for region in found:
        for name, tensor in region.tensors.items():
            copies[name] = flats[region.name].as_strided(tuple(tensor.shape), tuple(tensor.stride()), region.offset(name))
    return flats, copies
