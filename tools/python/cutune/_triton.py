"""Triton's private interfaces, in one place: what this package needs to know about a function and a call."""

from __future__ import annotations

import functools
import os
import sys
from typing import Any

import triton
from triton.runtime.jit import JITFunction, KernelInterface

#: The versions that the tests run with, and those between.
OLDEST, NEWEST = (3, 4), (3, 9)


def fault() -> str:
    """The reason why this Triton cannot be served; "" without one."""
    if triton.knobs.runtime.interpret:
        return "TRITON_INTERPRET is set"
    version = tuple(int(part) for part in triton.__version__.split(".")[:2])
    if OLDEST <= version <= NEWEST:
        return ""
    known = " to ".join(".".join(map(str, each)) for each in (OLDEST, NEWEST))
    return f"Triton {triton.__version__} is not known: cutune.triton knows {known}"


def function_of(kernel: Any) -> Any:
    """The function @triton.jit inside of heuristics and autotuners."""
    while not isinstance(kernel, JITFunction):
        kernel = kernel.fn
    return kernel


def name_in_module(function: Any) -> str:
    """The name of a function in its module; "" for one that is not there."""
    module = sys.modules.get(function.fn.__module__)
    for name, value in vars(module).items() if module else ():
        if isinstance(value, KernelInterface) and function_of(value) is function:
            return name
    return ""


def source_file(function: Any) -> str:
    """The file with the function; "" without one, as in a notebook."""
    path = str(function.fn.__code__.co_filename)
    return os.path.abspath(path) if os.path.isfile(path) else ""


def package_of(function: Any) -> str:
    module = sys.modules.get(function.fn.__module__)
    return str(getattr(module, "__package__", None) or "")


def device_index() -> int:
    """The current device."""
    return int(triton.runtime.driver.active.get_current_device())


def cache_folder() -> str:
    """The folder of Triton's compiled kernels."""
    return str(triton.knobs.cache.dir)


@functools.cache
def _backend() -> Any:
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import make_backend

    return make_backend(GPUTarget("cuda", 90, 32))  # the facts of arguments are the same for all devices of CUDA


@functools.cache
def _binder(function: Any) -> Any:
    from triton.runtime.jit import create_function_from_signature

    return create_function_from_signature(function.signature, function.params, _backend())


def bind(function: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[dict[str, Any], dict[str, tuple[str, Any]]]:
    """The values of all parameters by name, and the facts that Triton compiles for: the type, and its knowledge of the value."""
    values, facts, _ = _binder(function)(*args, **keywords)
    return values, dict(zip(values, facts, strict=True))


def heuristics(kernel: Any, values: dict[str, Any]) -> dict[str, Any]:
    """The values of the heuristics around a function."""
    from triton.runtime.autotuner import Heuristics

    found: dict[str, Any] = {}
    while not isinstance(kernel, JITFunction):
        if isinstance(kernel, Heuristics):
            for name, rule in kernel.values.items():
                found[name] = rule({**values, **found})
        kernel = kernel.fn
    return found


def is_dtype(value: Any) -> bool:
    return isinstance(value, triton.language.dtype)


def busy() -> bool:
    """True while a stream is captured or torch compiles: no time for tuning."""
    torch = sys.modules.get("torch")
    if torch is None:
        return False
    compiling = getattr(getattr(torch, "compiler", None), "is_compiling", None)
    if compiling is not None and compiling():
        return True
    return bool(torch.cuda.is_available() and torch.cuda.is_current_stream_capturing())
