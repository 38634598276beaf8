"""Tuned kernels as custom operators of torch."""

from __future__ import annotations

import importlib
import keyword
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._callable import Argument

#: Libraries of operators, which live as long as the process.
_libraries: dict[str, Any] = {}


def schema(name: str, arguments: Iterable[Argument]) -> str:
    """The operator's schema: arrays that the kernel writes are mutated.

    >>> from types import SimpleNamespace as Array
    >>> schema("smooth", [Array(name="out", written=True), Array(name="in", written=False)])
    'smooth(Tensor(a0!) out, Tensor in_) -> ()'
    """
    parts = []
    for i, argument in enumerate(arguments):
        word = argument.name + "_" * keyword.iskeyword(argument.name)
        parts.append(f"Tensor(a{i}!) {word}" if argument.written else f"Tensor {word}")
    return f"{name}({', '.join(parts)}) -> ()"


def make_operator(name: str, arguments: Iterable[Argument], kernel: Callable[..., None]) -> Callable[..., None]:
    """Defines the operator "LIBRARY::NAME", with its schema, its kernel for CUDA and a fake one. Returns the operator."""
    torch = importlib.import_module("torch")
    library, _, own = name.partition("::")
    if not library.isidentifier() or not own.isidentifier():
        raise ValueError(f"{name!r} is no name of an operator: as in 'lib::smooth'")
    if library not in _libraries:
        _libraries[library] = torch.library.Library(library, "FRAGMENT")
    fragment = _libraries[library]
    fragment.define(schema(own, arguments), tags=(torch.Tag.needs_fixed_stride_order,))
    fragment.impl(own, lambda *tensors: kernel(*tensors), "CUDA")
    torch.library.register_fake(name, lambda *tensors: None, lib=fragment)
    operator: Callable[..., None] = getattr(getattr(torch.ops, library), own).default
    return operator
