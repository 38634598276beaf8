"""Runs the host code of a function of CuTe DSL with addresses of no memory, and records what it launches. No GPU is needed."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

from ._worker import CompileError

_LAUNCH = "_cudaLaunchKernelEx"
_COOPERATIVE, _CLUSTER, _PROGRAMMATIC = 2, 4, 6  # of cudaLaunchAttributeID
_WORDS = 16  # of an attribute's value


class _Attribute(ctypes.Structure):
    _fields_ = [("id", ctypes.c_int), ("padding", ctypes.c_int), ("value", ctypes.c_uint * _WORDS)]


class _Config(ctypes.Structure):
    """cudaLaunchConfig_t"""

    _fields_ = [
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared_bytes", ctypes.c_size_t),
        ("stream", ctypes.c_void_p),
        ("attributes", ctypes.POINTER(_Attribute)),
        ("attribute_count", ctypes.c_uint),
    ]


@dataclass(frozen=True)
class Launch:
    """A recorded launch. `parameters` are the bytes of the code's parameters; `cluster` is empty without one."""

    grid: list[int]
    block: list[int]
    cluster: list[int]
    shared_bytes: int
    cooperative: bool
    programmatic: bool
    parameters: list[bytes]


class Host:
    """The host code of a compiled function, in a module of the LLVM dialect. `sizes` are those of the code's parameters in bytes."""

    def __init__(self, module: Any, name: str, sizes: list[int], place: tuple[str, int]) -> None:
        from cutlass._mlir import execution_engine

        self.sizes, self.place = sizes, place
        self._launches: list[Launch] = []
        self._called: list[str] = []
        self._engine = execution_engine.ExecutionEngine(module, opt_level=0, shared_libs=[])
        self._callbacks = [self._register(each) for each in _external(module) if each.startswith(("_cu", "cuda_dialect_"))]
        self._function = self._engine.lookup(name)

    def launch(self, arguments: list[bytes]) -> Launch:
        """Runs the function with the bytes of its arguments. It must launch one kernel, and ask the CUDA runtime nothing."""
        self._launches.clear()
        self._called.clear()
        buffers = [ctypes.create_string_buffer(each, len(each)) for each in arguments]
        result = ctypes.c_int32(0)
        self._function((ctypes.c_void_p * (len(buffers) + 1))(*map(ctypes.addressof, buffers), ctypes.addressof(result)))
        if self._called:
            raise CompileError(f"its host code calls {self._called[0].lstrip('_')}, which has no answer without a GPU", *self.place)
        if result.value:
            raise CompileError(f"its host code fails with the CUDA error {result.value}: the log may have more", *self.place)
        if len(self._launches) != 1:
            raise CompileError(f"it launches {len(self._launches)} kernels, and must launch one", *self.place)
        return self._launches[0]

    def _register(self, name: str) -> Any:
        """Makes a function of the runtime one of this class. The engine does not keep it alive."""
        callback: Any
        if name == _LAUNCH:
            callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Config), ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))(self._take)
        else:
            callback = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: self._called.append(name) or 0)  # type: ignore[func-returns-value]
        self._engine.raw_register_runtime(name, ctypes.cast(callback, ctypes.c_void_p))
        return callback

    def _take(self, config: Any, kernel: int | None, parameters: Any) -> int:
        launch = config.contents
        own = {each.id: list(each.value) for each in launch.attributes[: launch.attribute_count] if any(each.value)}
        cluster = own.pop(_CLUSTER, [])[:3]
        cooperative, programmatic = (bool(own.pop(each, [0])[0]) for each in (_COOPERATIVE, _PROGRAMMATIC))
        self._called += [f"cudaLaunchKernelExC with the attribute {each}" for each in own]
        words = [ctypes.string_at(parameters[number], size) for number, size in enumerate(self.sizes)]
        self._launches.append(Launch(list(launch.grid), list(launch.block), cluster, launch.shared_bytes, cooperative, programmatic, words))
        return 0


def _external(module: Any) -> list[str]:
    """The functions that the module calls and has not."""
    functions = [each for each in module.body.operations if each.operation.name == "llvm.func"]
    return [each.attributes["sym_name"].value for each in functions if not len(each.regions[0].blocks)]
