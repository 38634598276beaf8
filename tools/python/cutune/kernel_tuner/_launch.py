"""Block, grid, shared memory and macros of a call, as expressions of the space language."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from ._call import Call, NotServed
from ._tables import Parameters, Tables, evaluate, is_plain

AXES = "xyz"
DEFAULT_NAMES = tuple(f"block_size_{axis}" for axis in AXES)
#: The threads of a dimension that no parameter sets.
DEFAULT_THREADS = (256, 1, 1)
THREADS_MAX = 1024


def block_names(call: Call, parameters: Mapping[str, object]) -> list[str]:
    """The names of the three dimensions of a block: those of the call, else parameters with the usual names in any case."""
    names = list(call.get("block_size_names") or ())
    if not names:
        names = sorted((n for n in parameters if n.lower() in DEFAULT_NAMES and n not in DEFAULT_NAMES), key=str.casefold)
    return [*names, *DEFAULT_NAMES[len(names) :]][:3]


def threads_of(names: list[str], configuration: Mapping[str, Any]) -> tuple[int, ...]:
    return tuple(int(configuration.get(name, threads)) for name, threads in zip(names, DEFAULT_THREADS, strict=True))


def block(names: list[str], parameters: Parameters) -> list[str]:
    return [name if name in parameters else str(threads) for name, threads in zip(names, DEFAULT_THREADS, strict=True)]


# ---- The grid ----


def _problem(call: Call, axis: int, values: Mapping[str, Any]) -> int:
    size = call["problem_size"]
    if callable(size):
        size = size(values)
    sizes = [size] if isinstance(size, str) or not hasattr(size, "__len__") else list(size)
    if axis >= len(sizes):
        return 1
    part = sizes[axis]
    return int(evaluate(part, values)) if isinstance(part, str) else int(part)


def _divisor(divisor: Any, name: str, values: Mapping[str, Any]) -> Any:
    if divisor is None:
        return values.get(name, 1)
    if callable(divisor):
        return divisor(values)
    if isinstance(divisor, str):
        return int(evaluate(divisor, values))
    if hasattr(divisor, "__iter__"):
        return math.prod(_divisor(part, "", values) for part in divisor)
    return divisor


def _factors(divisor: Any, name: str, parameters: Parameters) -> list[str] | None:
    """The factors of a divisor that is a product of numbers and parameters; None for any other."""
    if divisor is None:
        return [name] if name in parameters else []
    if isinstance(divisor, str):
        factors = [part.strip() for part in divisor.split("*")]
        whole = (
            part.isdecimal() or all(isinstance(value, int) and is_plain(value) for value in parameters.get(part, [None]))
            for part in factors
        )
        return factors if all(whole) else None
    if isinstance(divisor, (list, tuple)):
        parts = [_factors(part, "", parameters) for part in divisor]
        return None if any(part is None for part in parts) else [factor for part in parts if part for factor in part]
    return [str(int(divisor))] if isinstance(divisor, int) and not isinstance(divisor, bool) else None


def blocks(call: Call, names: list[str], axis: int, configuration: Mapping[str, Any]) -> int:
    """The blocks of a dimension of the grid."""
    divisor = _divisor(call.get(f"grid_div_{AXES[axis]}"), names[axis], configuration)
    return math.ceil(float(_problem(call, axis, configuration)) / float(divisor))


def grid(call: Call, names: list[str], tables: Tables) -> list[str]:
    """The blocks of each dimension: the problem's size over the product of its divisors, rounded up."""
    texts = []
    for axis, letter in enumerate(AXES):
        divisor = call.get(f"grid_div_{letter}")
        size = call["problem_size"]
        part = size if isinstance(size, str) or not hasattr(size, "__len__") else size[axis] if axis < len(size) else 1
        if axis and part is size and not callable(size):
            part = 1
        factors = _factors(divisor, names[axis], tables.parameters)
        if isinstance(part, str) or callable(part) or factors is None:
            argument = "problem_size" if isinstance(part, str) or callable(part) else f"grid_div_{letter}"

            texts.append(tables.number(partial(blocks, call, names, axis), argument))
        else:
            texts.append(f"ceildiv({int(part)}, {' * '.join(factors)})" if factors else str(int(part)))
    return texts


# ---- Shared memory and macros ----


def shared_bytes(call: Call, configuration: Mapping[str, Any]) -> int:
    """The dynamic shared memory of a configuration."""
    size = (call.get("smem_args") or {}).get("size", 0)
    if callable(size):
        return int(size(configuration))
    return int(evaluate(size, configuration)) if isinstance(size, str) else int(size)


def shared(call: Call, tables: Tables) -> str:
    """The dynamic shared memory in bytes; "" without any."""
    arguments = call.get("smem_args")
    if not arguments:
        return ""
    further = [name for name in arguments if name != "size"]
    if further:
        raise NotServed("smem_args", f"{further[0]} is unknown")
    return tables.number(partial(shared_bytes, call), "smem_args")


def replace_parameters(text: str, values: Mapping[str, Any]) -> str:
    """
    >>> replace_parameters("block_size_x * 2", {"block_size_x": 64})
    '64 * 2'
    """
    return "".join(str(values[part]) if part in values else part for part in re.split(r"(\w+)", text))


def _macro(value: Any, values: Mapping[str, Any]) -> Any:
    """The value of a macro: a number or a word."""
    if callable(value):
        value = value(values)
    elif isinstance(value, str):
        value = replace_parameters(value, values)
    text = str(value).strip()
    if re.fullmatch(r"[\d\s+*()-]*\d[\d\s+*()-]*", text):
        return evaluate(text, {})
    try:
        return float(text)
    except ValueError:
        return text


def macros(call: Call, names: list[str], grids: list[str], tables: Tables) -> tuple[dict[str, str], set[str]]:
    """The expressions of macros besides the parameters, and the parameters that are no macros."""
    given = call.get("defines")
    if given is None:
        found = {name: text for name, text in zip(names, block(names, tables.parameters), strict=True) if name not in tables.parameters}
        found |= {f"grid_size_{axis}": text for axis, text in zip(AXES, grids, strict=True)}
        return {**found, "kernel_tuner": "1"}, set()
    found = {}
    for name, value in given.items():
        if name in tables.parameters:
            if value != name:
                raise NotServed("defines", f"the macro {name} has another value than the parameter {name}")
            continue

        def macro(p: Mapping[str, Any], value: Any = value) -> Any:
            found = _macro(value, p)
            if not is_plain(found):
                raise NotServed("defines", f"{found!r} is neither a number nor a word")
            return found

        found[name] = tables.number(macro, "defines", lambda v: v)
    return found, {name for name in tables.parameters if name not in given}
