"""A tuner for functions of CuTe DSL: compiled in parallel, verified, measured in processes of their own, and stored in a database.

import cutune.cute

@cutune.cute.autotune(configs=[{"THREADS": threads, "VALUES": values} for threads in (128, 256) for values in (1, 4)])
@cute.jit
def add(x: cute.Tensor, y: cute.Tensor, out: cute.Tensor, THREADS: cutlass.Constexpr, VALUES: cutlass.Constexpr): ...

add(x, y, out)
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import cutlass.cute
from cutlass.cute.runtime import from_dlpack

from . import _streams, _versions
from ._regions import SHAPED_ALIGNMENT, Unsupported
from ._source import Tolerance
from ._standalone import standalone
from ._tuned import TunedKernel
from ._tuner import Configuration, Param, Settings
from ._views import as_tensor, is_array, native
from .compilers.cute import TYPES, constants, hints, is_function, streams

__all__ = ["Kernel", "autotune"]


class Kernel(TunedKernel):
    """A function @cute.jit with a list of configurations, called with its arguments but for the constants and streams."""

    compiler = "cute"
    launch_sizes = ()

    def __init__(self, function: Any, configs: Sequence[Configuration], settings: Settings, outputs: Sequence[str]) -> None:
        if not is_function(function):
            raise settings.refuse(f"{getattr(function, '__name__', function)} is no function @cute.jit")
        self.function = function
        self._order = list(inspect.signature(function).parameters)
        self._streams, self._constants = streams(function), constants(function)
        self._names = [name for name in self._order if name not in (*self._constants, *self._streams)]
        self._types = {name: _type(annotation) for name, annotation in hints(function).items()}
        self._outputs = list(outputs)
        self._compiled: dict[tuple[Any, ...], Any] = {}
        super().__init__(function.__name__, configs, settings, _versions.fault("nvidia-cutlass-dsl"))
        if set(self.configs[0]) != set(self._constants):
            known = ", ".join(self._constants) or "none"
            raise settings.refuse(f"the configurations have {', '.join(self.configs[0])}, and the constants of {self.name} are {known}")
        unknown = [name for name in self._outputs if name not in self._names]
        if unknown:
            raise settings.refuse(f"outputs has {unknown[0]}, which is no argument of {self.name}: {', '.join(self._names)}")

    def __call__(self, *arguments: Any, stream: Any = None) -> None:
        if stream is not None and not self._streams:
            raise TypeError(f"{self.name} has no parameter of the type CUstream")
        self._run((), arguments, stream)

    def argument_names(self) -> list[str]:
        return self._names

    def scalar_type(self, name: str, value: Any) -> str:
        if value is not None and not isinstance(value, (bool, int, float)):
            raise Unsupported(f"the argument {name} is a {type(value).__name__}")
        return self._types[name] or ("bool" if isinstance(value, bool) else "int" if isinstance(value, int) else "float")

    def written(self, names: list[str]) -> set[str]:
        return set(self._outputs or names)

    def source(self) -> tuple[str, str]:
        return "kernel.py", standalone(self.function, self.name, ("autotune",))[0]

    def start(self, key: Any, row: Configuration, sizes: list[tuple[int, ...]], arguments: tuple[Any, ...], stream: Any) -> None:
        given = dict(zip(self._names, arguments, strict=True))
        handle = _streams.find(next((value for value in arguments if is_array(value)), None), stream)
        values = {**row, **dict.fromkeys(self._streams, _stream(handle)), **{name: _passed(name, value) for name, value in given.items()}}
        facts = (self._fact(name, value) if is_array(value) else type(value) for name, value in given.items())
        chosen = (*facts, *row.values())
        compiled = self._compiled.get(chosen)
        if compiled is None:
            compiled = self._compiled[chosen] = cutlass.cute.compile(self.function, *(values[name] for name in self._order))
        compiled(*(values[name] for name in self._order if name not in row))


def _type(annotation: Any) -> str:
    """The space's type of a number with this annotation; "" without one."""
    name = getattr(annotation, "__name__", "")
    return next((own for own, theirs in TYPES.items() if theirs == name), "")


def _passed(name: str, value: Any) -> Any:
    """An argument as CuTe takes it: an array is a tensor with a constant layout."""
    if not is_array(value):
        return value
    array = as_tensor(name, value)
    aligned = array.data_ptr() % SHAPED_ALIGNMENT == 0
    return from_dlpack(native(array.detach()), assumed_align=SHAPED_ALIGNMENT if aligned else None)


def _stream(handle: int | None) -> Any:
    import cuda.bindings.driver

    return cuda.bindings.driver.CUstream(handle or 0)


def autotune(
    configs: Sequence[Configuration] = (),
    key: Sequence[str] = (),
    *,
    params: Sequence[Param] = (),
    outputs: Sequence[str] = (),
    reference: Callable[..., Any] | None = None,
    tolerance: Tolerance | Mapping[str, Tolerance] | None = None,
    tune: str = "now",
    sizes: Mapping[str, Sequence[int]] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Callable[[Any], Kernel]:
    """Decorates a function @cute.jit that launches one kernel. The configurations have the values of its parameters cutlass.Constexpr;
    `outputs` names the tensors that the kernel writes, by default all. The other arguments are those of cutune.triton.autotune; `key`
    has names of integers, and of extents as "x_0". By default, all of them decide. Errors in the arguments are cutune.Error."""
    settings = Settings(
        "cutune.cute.autotune", list(key), bool(configs), params, ("cute",), None, reference, tolerance, tune, sizes, options
    )
    return lambda function: Kernel(function, configs, settings, outputs)
