"""A tuner for cuTile kernels: compiled in parallel, verified, measured in processes of their own, and stored in a database.

import cutune.cutile

@cutune.cutile.autotune(configs=[{"TILE": tile, "occupancy": count} for tile in (1024, 4096) for count in (1, 4)])
@ct.kernel
def add(x, y, out, TILE: ct.Constant[int]): ...

add[lambda v: ct.cdiv(v["x"].shape[0], v["TILE"])](x, y, out)
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import cuda.tile

from . import _versions
from ._source import Tolerance
from ._standalone import standalone
from ._tuned import TunedKernel
from ._tuner import Configuration, Param, Settings
from ._written import written
from .compilers.cutile import HINTS

__all__ = ["Kernel", "autotune"]


class Kernel(TunedKernel):
    """A kernel @ct.kernel with a list of configurations, launched as kernel[grid](*arguments). The grid may be a function of the arguments
    and the configuration by name."""

    compiler = "cutile"

    def __init__(self, kernel: Any, configs: Sequence[Configuration], settings: Settings) -> None:
        self.kernel = kernel
        function = kernel._annotated_function
        self.function = function.pyfunc
        pairs = list(zip(function.pysig.parameters, function.parameter_annotations, strict=True))
        self._names = [name for name, annotation in pairs if not getattr(annotation, "constant", False)]
        self._order = [name for name, _ in pairs]
        self._kernels: dict[tuple[Any, ...], Any] = {}
        super().__init__(self.function.__name__, configs, settings, _versions.fault("cuda-tile"))

    def argument_names(self) -> list[str]:
        return self._names

    def scalar_type(self, name: str, value: Any) -> str:
        return "bool" if isinstance(value, bool) else "int" if isinstance(value, int) else "float"

    def written(self, names: list[str]) -> set[str]:
        import textwrap

        source = textwrap.dedent(inspect.getsource(self.function))
        return written(source, names, self.function.__globals__, "cuda.tile")

    def source(self) -> tuple[str, str]:
        text, _ = standalone(self.function, self.name, ("autotune", "kernel"))
        hints = ", ".join(f"{name}={value!r}" for name, value in vars(self.kernel._compiler_options).items() if isinstance(value, int))
        return "kernel.py", f"{text}import cuda.tile\n\n{self.name} = cuda.tile.kernel({self.name}, {hints})\n"

    def start(self, key: Any, row: Configuration, sizes: list[tuple[int, ...]], arguments: tuple[Any, ...], stream: Any) -> None:
        hints = {name: row[name] for name in HINTS if name in row}
        chosen = tuple(hints.items())
        kernel = self._kernels.get(chosen)
        if kernel is None:
            kernel = self._kernels[chosen] = self.kernel.replace_hints(**hints) if hints else self.kernel
        values = dict(zip(self._names, arguments, strict=True))
        passed = tuple(values[name] if name in values else row[name] for name in self._order)
        cuda.tile.launch(stream if stream is not None else _current_stream(), sizes[0], kernel, passed)


def _current_stream() -> Any:
    if (torch := sys.modules.get("torch")) is not None:
        return torch.cuda.current_stream()
    if (cupy := sys.modules.get("cupy")) is not None:
        return cupy.cuda.get_current_stream()
    return 0


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
) -> Callable[[Any], Kernel]:
    """Decorates a kernel @ct.kernel. The configurations have the values of its ct.Constant parameters, and hints: num_ctas, occupancy,
    opt_level, num_worker_warps. The other arguments are those of cutune.triton.autotune; `key` has names of integers, and of extents as
    "x_0". By default, all of them decide. Errors in the arguments are cutune.Error."""
    settings = Settings(
        "cutune.cutile.autotune", list(key), bool(configs), params, ("cutile",), None, reference, tolerance, tune, sizes, options
    )
    return lambda kernel: Kernel(kernel, configs, settings)
