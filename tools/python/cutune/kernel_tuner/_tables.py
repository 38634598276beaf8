"""Functions of the parameters, as expressions of the space language. A function or text of Python is evaluated for all combinations of
the parameters that it reads."""

from __future__ import annotations

import ast
import functools
import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from numbers import Integral
from types import CodeType
from typing import Any

from ._arguments import NotServed

#: Combinations for which a function is evaluated, and ranges in an expression.
COMBINATIONS_MAX = 1_000_000
RANGES_MAX = 4096

Parameters = dict[str, list[Any]]
Function = Callable[[Mapping[str, Any]], Any]


class _Recorder(dict[str, Any]):
    """A configuration that remembers which parameters were read."""

    def __init__(self, values: Mapping[str, Any], used: set[str]) -> None:
        super().__init__(values)
        self._used = used

    def __getitem__(self, name: str) -> Any:
        value = super().__getitem__(name)
        self._used.add(name)
        return value

    def get(self, name: str, default: Any = None) -> Any:
        self._used.add(name)
        return super().get(name, default)

    def _all(self) -> None:
        self._used.update(super().keys())

    def __iter__(self) -> Iterator[str]:
        self._all()
        return super().__iter__()

    def keys(self) -> Any:
        self._all()
        return super().keys()

    def values(self) -> Any:
        self._all()
        return super().values()

    def items(self) -> Any:
        self._all()
        return super().items()

    def copy(self) -> dict[str, Any]:
        self._all()
        return dict(super().items())


@functools.lru_cache(maxsize=256)
def _compiled(text: str) -> tuple[CodeType, frozenset[str]]:
    """The code of a text, and the names in it."""
    code = compile(text.strip(), "<text>", "eval")
    names = {part.id for part in ast.walk(ast.parse(text.strip(), mode="eval")) if isinstance(part, ast.Name)}
    return code, frozenset(names)


def evaluate(text: str, names: Mapping[str, Any]) -> Any:
    """The value of a text of Python, in which parameters are names. It reads those that it has."""
    import numpy

    code, used = _compiled(text)
    return eval(code, {"np": numpy, "numpy": numpy, "math": math, **{name: names[name] for name in used if name in names}})


def tabulate(function: Function, parameters: Parameters, argument: str, most: int = COMBINATIONS_MAX) -> tuple[list[str], list[Any]]:
    """The parameters that a function reads, in order, and its values for all their combinations, the last parameter fastest.
    NotServed for more than `most` combinations."""
    first = {name: values[0] for name, values in parameters.items()}
    used: set[str] = set()
    while True:
        used &= parameters.keys()
        names = [name for name in parameters if name in used]
        count = math.prod(len(parameters[name]) for name in names)
        if count > most:
            raise NotServed(argument, f"it reads {', '.join(names)}, which have {count} combinations: more than {most}")
        found = []
        for values in itertools.product(*(parameters[name] for name in names)):
            found.append(function(_Recorder({**first, **dict(zip(names, values, strict=True))}, used)))
            if len(used & parameters.keys()) > len(names):
                break
        else:
            return names, found


def value_text(value: Any, argument: str) -> str:
    """A parameter's value, or a macro's, in the space language.

    >>> value_text(64, "tune_params"), value_text(0.5, "tune_params"), value_text("float4", "tune_params")
    ('64', '0.5', 'float4')
    """
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bool):
        raise NotServed(argument, f"{value} is a truth value, which C does not know")
    if isinstance(value, int) and -(2**63) <= value < 2**63:
        return str(value)
    if isinstance(value, float) and math.isfinite(value):
        return repr(value)
    if isinstance(value, str) and value.isascii() and value.isidentifier():
        return value
    raise NotServed(argument, f"{value!r} is neither a number nor a word")


def _rank(names: list[str], parameters: Parameters, argument: str) -> str:
    """The number of a combination, in the order of tabulate.

    >>> _rank(["A", "B"], {"A": [8, 16, 24], "B": ["no", "yes"]}, "restrictions")
    '1 * (B == yes) + 2 * ((A - 8) / 8)'
    """
    parts: list[str] = []
    stride = 1
    for name in reversed(names):
        values = [value_text(value, argument) for value in parameters[name]]
        step = _step(parameters[name])
        if step:
            parts.append(f"{stride} * (({name} - {values[0]}) / {step})")
        else:
            parts += [f"{stride * i} * ({name} == {value})" for i, value in enumerate(values) if i]
        stride *= len(values)
    return " + ".join(parts) or "0"


def _step(values: list[Any]) -> int:
    """The step between more than two integers that rise evenly; 0 for other values."""
    even = len(values) > 2 and all(isinstance(value, Integral) for value in values) and values[1] > values[0]
    step = int(values[1]) - int(values[0]) if even else 0
    return step if all(int(value) == int(values[0]) + step * i for i, value in enumerate(values if even else ())) else 0


def _ranges(numbers: list[int]) -> list[str]:
    """
    >>> _ranges([1, 2, 3, 5, 7, 8])
    ['1..3', '5', '7..8']
    """
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return [str(low) if low == high else f"{low}..{high}" for low, high in found]


class Tables:
    """Expressions of functions, with the statements `let` that they need."""

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        self.lets: dict[str, str] = {}

    def _name(self, names: list[str], argument: str) -> str:
        text = _rank(names, self.parameters, argument)
        for name, known in self.lets.items():
            if known == text:
                return name
        name = f"cutune_combination_{len(self.lets)}"
        self.lets[name] = text
        return name

    def _members(self, values: list[Any], wanted: Any, argument: str) -> str:
        ranges = _ranges([i for i, value in enumerate(values) if value == wanted])
        if len(ranges) > RANGES_MAX:
            raise NotServed(argument, f"its table has {len(ranges)} ranges: more than {RANGES_MAX}")
        return "{" + ", ".join(ranges) + "}"

    def condition(self, function: Function, argument: str) -> str:
        """The condition that is true where the function is; "" if that is everywhere."""
        names, values = tabulate(lambda p: bool(function(p)), self.parameters, argument)
        if all(values):
            return ""
        if not any(values):
            return "0"
        return f"{self._name(names, argument)} in {self._members(values, True, argument)}"

    def number(self, function: Function, argument: str, convert: Callable[[Any], Any] = int) -> str:
        """The expression of the function's value: choices by one parameter after the other."""
        names, values = tabulate(lambda p: convert(function(p)), self.parameters, argument)
        texts = {value: value_text(value, argument) for value in dict.fromkeys(values)}
        return self._choose(names, [texts[value] for value in values], argument)

    def _choose(self, names: list[str], texts: list[str], argument: str) -> str:
        if len(set(texts)) == 1:
            return texts[0]
        values = self.parameters[names[0]]
        each = len(texts) // len(values)
        branches: dict[str, list[str]] = {}
        for i, value in enumerate(values):
            part = self._choose(names[1:], texts[i * each : (i + 1) * each], argument)
            branches.setdefault(part, []).append(value_text(value, argument))
        *several, (last, _) = sorted(branches.items(), key=lambda branch: len(branch[1]))
        tests = [(part, " || ".join(f"{names[0]} == {value}" for value in found)) for part, found in several]
        return "(" + "".join(f"{test} ? {part} : " for part, test in tests) + last + ")"
