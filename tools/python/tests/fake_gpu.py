"""Arrays without a GPU, and the launches that the fake driver records."""

from __future__ import annotations

import ctypes
import os
from typing import Any


class Driver:
    """The fake driver of the process, fake_driver.c."""

    def __init__(self) -> None:
        self.library = ctypes.CDLL(os.environ["CUTUNE_DRIVER"])
        self.library.fake_log.restype = ctypes.c_char_p
        self.library.fake_reset()

    def expect(self, *argument_bytes: int) -> None:
        """The sizes of the arguments of later launches."""
        self.library.fake_arguments(len(argument_bytes), (ctypes.c_size_t * len(argument_bytes))(*argument_bytes))

    def fail(self, function: str, result: int = 1) -> None:
        self.library.fake_fail(function.encode(), result)

    def make_current(self, context: int) -> None:
        """The primary context of a device; 2: another one of device 0; -1: none."""
        self.library.fake_make_current(context)

    def take(self) -> list[str]:
        """The lines of the log, which is emptied."""
        lines: list[str] = self.library.fake_log().decode().splitlines()
        self.library.fake_clear()
        return lines


class Interface:
    """An array with __cuda_array_interface__, as CuPy's and Numba's."""

    def __init__(self, address: int, *shape: int, typestr: str = "<f4", stream: int | None = None, **others: Any) -> None:
        readonly = others.pop("readonly", False)
        self.__cuda_array_interface__ = {
            "data": (address, readonly),
            "shape": shape,
            "typestr": typestr,
            "version": 3,
            "stream": stream,
            **others,
        }


class Pointer:
    """An array with data_ptr(), as torch's before it had the table."""

    def __init__(self, address: int, count: int, dtype: str = "torch.float32", *, device: int = 0, contiguous: bool = True) -> None:
        self.address, self.count, self.dtype, self.device, self.contiguous = address, count, dtype, device, contiguous

    def data_ptr(self) -> int:
        return self.address

    def numel(self) -> int:
        return self.count

    def is_contiguous(self) -> bool:
        return self.contiguous

    def get_device(self) -> int:
        return self.device


# ---- DLPack's C exchange table ----


class DLTensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


_ToTensor = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(DLTensor))
_Stream = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))


class Table(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("previous", ctypes.c_void_p),
        ("allocate", ctypes.c_void_p),
        ("managed_from_object", ctypes.c_void_p),
        ("object_from_managed", ctypes.c_void_p),
        ("tensor_from_object", _ToTensor),
        ("current_stream", _Stream),
    )


@_ToTensor
def _to_tensor(array: Any, tensor: Any) -> int:
    tensor[0] = array.tensor
    return 0


@_Stream
def _current_stream(device_type: int, device_id: int, stream: Any) -> int:
    stream[0] = Exchange.stream + device_id
    return 0


_NAME = b"dlpack_exchange_api"  # a capsule borrows it
_table = Table(1, 3, None, None, None, None, _to_tensor, _current_stream)
_future = Table(2, 0, ctypes.addressof(_table), None, None, None, _to_tensor, _current_stream)
_capsule = ctypes.pythonapi.PyCapsule_New
_capsule.restype = ctypes.py_object
_capsule.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)


class Exchange:
    """An array whose type has the table, as torch's. Its address is the sum of `address` and an offset of 16 bytes."""

    stream = 0x70
    __dlpack_c_exchange_api__ = _capsule(ctypes.addressof(_table), _NAME, None)

    def __init__(
        self, address: int, *shape: int, type: tuple[int, int, int] = (2, 32, 1), strides: Any = None, device: Any = (2, 0)
    ) -> None:
        self.shape = (ctypes.c_int64 * len(shape))(*shape)
        self.strides = None if strides is None else (ctypes.c_int64 * len(strides))(*strides)
        self.tensor = DLTensor(address - 16, *device, len(shape), *type, self.shape, self.strides, 16)


class Future(Exchange):
    """A type with a table of a later major version, which names the present one."""

    __dlpack_c_exchange_api__ = _capsule(ctypes.addressof(_future), _NAME, None)
