"""A tuner for CUDA C++ in text or templates of Jinja."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import _streams, _versions
from ._database import Device
from ._error import Error, ErrorCode
from ._source import Tolerance, _scalar, signature, with_includes
from ._tuned import TunedKernel
from ._tuner import Configuration, Param, Settings
from ._views import is_array

_TEXT = "kernel.cu.j2"


class SourceKernel(TunedKernel):
    """A kernel of a template with a list of configurations, launched as kernel[grid, block](*arguments), with dynamic shared memory as
    kernel[grid, block, shared_bytes]."""

    compiler = "jinja"
    launch_sizes = ("grid", "block", "shared_bytes")

    def __init__(self, template: str, name: str, configs: Sequence[Configuration], settings: Settings, flags: Sequence[str]) -> None:
        self.template = template
        self.path = "" if "\n" in template else os.path.abspath(template)
        self.flags = list(flags)
        self._functions: dict[Any, Any] = {}
        super().__init__(name, configs, settings, _versions.fault("jinja2"))
        parameters = signature(self._render(self.configs[0], {}, names_only=True), name)
        if not parameters:
            raise settings.refuse(f"the text has no kernel {name}")
        self._names = [parameter.name for parameter in parameters]
        self._constant = {parameter.name for parameter in parameters if parameter.constant}

    # ---- The template ----

    def _render(self, row: Configuration, problem: Mapping[str, int], *, names_only: bool = False) -> str:
        """The text of a configuration. `names_only`: sizes that are not known yet are 1."""
        import jinja2

        folder = os.path.dirname(self.path) if self.path else os.getcwd()
        undefined = _one() if names_only else jinja2.StrictUndefined
        loader = jinja2.FileSystemLoader(folder)
        environment = jinja2.Environment(loader=loader, undefined=undefined, keep_trailing_newline=True, trim_blocks=True)
        try:
            found = environment.get_template(os.path.basename(self.path)) if self.path else environment.from_string(self.template)
            text = found.render({**problem, **row})
        except jinja2.TemplateError as error:
            code = ErrorCode.NOT_FOUND if isinstance(error, jinja2.TemplateNotFound) else ErrorCode.SYNTAX
            raise Error(code, f"cutune.source: {error}", source=self.path, line=getattr(error, "lineno", 0)) from None
        return with_includes(text, folder) if names_only else text

    # ---- The language ----

    def argument_names(self) -> list[str]:
        return self._names

    def scalar_type(self, name: str, value: Any) -> str:
        return _scalar(name, value)[0]

    def written(self, names: list[str]) -> set[str]:
        return set(names) - self._constant

    def source(self) -> tuple[str, str]:
        return (self.path, "") if self.path else (_TEXT, self.template)

    def start(self, key: Any, row: Configuration, sizes: list[tuple[int, ...]], arguments: tuple[Any, ...], stream: Any) -> None:
        shared_bytes = sizes[2][0] if len(sizes) > 2 else 0
        block = (*sizes[1], 1, 1)[:3]
        chosen = (key, tuple(row.values()), block, shared_bytes)
        function = self._functions.get(chosen)
        if function is None:
            function = self._functions[chosen] = self._compile(row, arguments, block, shared_bytes)
        function(sizes[0], arguments, stream)

    def _compile(self, row: Configuration, arguments: tuple[Any, ...], block: Any, shared_bytes: int) -> Any:
        from ._function import Bound
        from ._toolkit import toolkit
        from .compilers import CompileError
        from .compilers.jinja import Nvrtc

        values = dict(zip(self._names, arguments, strict=True))
        device = Device.current()
        capability = device.limits["cc"]
        architecture = f"sm_{capability}{'a' if capability >= 90 else ''}"
        flags = [*self.flags, *([f"--include-path={os.path.dirname(self.path)}"] if self.path else [])]
        if not toolkit().nvrtc:
            raise Error(ErrorCode.COMPILE, "NVRTC is missing", hint="install the package nvidia-cuda-nvrtc or a CUDA Toolkit")
        try:
            entry, cubin = Nvrtc(toolkit()).compile(self._render(row, self._problem(values)), self.name, architecture, flags)
        except CompileError as error:
            raise Error(ErrorCode.COMPILE, f"{self.name}: {error}", source=self.path) from None
        types = ["address" if is_array(value) else self.scalar_type(name, value) for name, value in values.items()]
        bound = Bound(self.name, cubin, entry, device.number, block, shared_bytes, (0, 0, 0), False, types)
        if self.settings.launch == "cupy":
            return _cupy_launcher(cubin, entry, block, shared_bytes)
        return bound.launch


def _cupy_launcher(cubin: bytes, entry: str, block: Any, shared_bytes: int) -> Callable[[Sequence[int], Sequence[Any], Any], None]:
    """Launches by CuPy."""
    import cupy

    module = cupy.cuda.function.Module()
    module.load(cubin)
    function = module.get_function(entry)

    def launch(grid: Sequence[int], arguments: Sequence[Any], stream: Any) -> None:
        handle = _streams.find(next((value for value in arguments if is_array(value)), None), stream)
        function((*grid, 1, 1)[:3], block, tuple(arguments), shared_bytes, cupy.cuda.ExternalStream(handle) if handle else None)

    return launch


def _one() -> Any:
    import jinja2

    class One(jinja2.Undefined):  # type: ignore[misc]
        """Stands for a size."""

        def __str__(self) -> str:
            return "1"

    return One


def source(
    template: str | os.PathLike[str],
    name: str,
    configs: Sequence[Configuration] = (),
    key: Sequence[str] = (),
    *,
    params: Sequence[Param] = (),
    reference: Callable[..., Any] | None = None,
    tolerance: Tolerance | Mapping[str, Tolerance] | None = None,
    tune: str = "now",
    sizes: Mapping[str, Sequence[int]] | None = None,
    launch: str = "direct",
    flags: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
) -> SourceKernel:
    """A tuned kernel of CUDA C++: `kernel[grid, block](*arguments)`.

    template  a file, or text with a line break: Jinja's, with the configuration's values and the sizes of the call as variables
    name      the kernel, a function or an instance of a template: "scale<float>"
    key       names of integers, and of extents of arrays as "x_0"; by default, all of them decide
    launch    "direct": by cutune's own launcher; "cupy": by CuPy's
    flags     options of NVRTC

    The other arguments are those of cutune.triton.autotune. Arrays are those of torch, CuPy or Numba, contiguous; numbers are integers,
    which are `int` in the kernel, or NumPy's scalars. Parameters that are pointers to const are inputs. Errors are cutune.Error."""
    settings = Settings(
        "cutune.source", list(key), bool(configs), params, ("direct", "cupy"), launch, reference, tolerance, tune, sizes, options
    )
    return SourceKernel(os.fspath(template), name, configs, settings, flags)
