"""A tuner for Numba kernels: compiled in parallel, verified, measured in processes of their own, and stored in a database.

import cutune.numba

@cutune.numba.autotune(configs=[{"UNROLL": unroll, "THREADS": threads} for unroll in (1, 4) for threads in (128, 256)])
def saxpy(UNROLL):
    def kernel(x, y, out, a): ...
    return kernel

saxpy[lambda v: v["x"].size // (v["THREADS"] * v["UNROLL"]), lambda v: v["THREADS"]](x, y, out, 2.5)
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numba.cuda

from . import _streams, _versions
from ._source import Tolerance
from ._standalone import standalone
from ._tuned import TunedKernel
from ._tuner import Configuration, Param, Settings
from ._views import is_array
from ._written import written

__all__ = ["Kernel", "autotune"]


class Kernel(TunedKernel):
    """A function that returns a kernel, with a list of configurations, launched as kernel[grid, block](*arguments)."""

    compiler = "numba"
    launch_sizes = ("grid", "block")

    def __init__(self, factory: Callable[..., Any], configs: Sequence[Configuration], settings: Settings) -> None:
        self.factory = factory
        self._parameters = list(inspect.signature(factory).parameters)
        self._kernels: dict[tuple[Any, ...], Any] = {}
        super().__init__(factory.__name__, configs, settings, _versions.fault("numba-cuda"))
        missing = [name for name in self._parameters if name not in self.configs[0]]
        if missing:
            raise settings.refuse(f"{self.name} has the parameter {missing[0]}, and the configurations have no value for it")
        self.function = self._made(self.configs[0])
        self._names = list(inspect.signature(self.function).parameters)

    def _made(self, row: Configuration) -> Any:
        found = self.factory(**{name: row[name] for name in self._parameters})
        return getattr(found, "py_func", found)

    def argument_names(self) -> list[str]:
        return self._names

    def scalar_type(self, name: str, value: Any) -> str:
        return "bool" if isinstance(value, bool) else "long" if isinstance(value, int) else "double"

    def written(self, names: list[str]) -> set[str]:
        scope = {**self.function.__globals__, **inspect.getclosurevars(self.function).nonlocals}
        return written(textwrap.dedent(inspect.getsource(self.function)), names, scope, "numba.")

    def source(self) -> tuple[str, str]:
        return "kernel.py", standalone(self.factory, self.name)[0]

    def start(self, key: Any, row: Configuration, sizes: list[tuple[int, ...]], arguments: tuple[Any, ...], stream: Any) -> None:
        chosen = tuple(row.values())
        kernel = self._kernels.get(chosen)
        if kernel is None:
            kernel = self._kernels[chosen] = numba.cuda.jit(self._made(row))
        handle = _streams.find(next((value for value in arguments if is_array(value)), None), stream)
        grid, block = sizes
        kernel[grid, block, numba.cuda.external_stream(handle) if handle else 0](*arguments)


def autotune(
    configs: Sequence[Configuration] = (),
    key: Sequence[str] = (),
    *,
    params: Sequence[Param] = (),
    reference: Callable[..., Any] | None = None,
    tolerance: Tolerance | Mapping[str, Tolerance] | None = None,
    tune: str = "now",
    sizes: Mapping[str, Sequence[int]] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Callable[[Callable[..., Any]], Kernel]:
    """Decorates a function that returns a kernel for values of its parameters, which the configurations have. Further names in a
    configuration, such as the number of threads, are for the grid and the block. The other arguments are those of cutune.triton.autotune;
    `key` has names of integers, and of extents as "x_0". By default, all of them decide. Errors in the arguments are cutune.Error."""
    settings = Settings(
        "cutune.numba.autotune", list(key), bool(configs), params, ("numba",), None, reference, tolerance, tune, sizes, options
    )
    return lambda factory: Kernel(factory, configs, settings)
