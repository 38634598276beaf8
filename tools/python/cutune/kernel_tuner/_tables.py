"""Functions of the parameters, as expressions of the space language. A function or text of Python is evaluated for all combinations of
the parameters that it reads."""

from __future__ import annotations

import ast
import functools
import hashlib
import itertools
import math
import re
from collections.abc import Callable, Iterator, Mapping
from numbers import Integral
from types import CodeType
from typing import Any

from ._call import NotServed

#: Combinations for which a function is evaluated, ranges in an expression, and choices in one: it nests them.
COMBINATIONS_MAX = 1_000_000
RANGES_MAX = 4096
CHOICES_MAX = 32

Parameters = dict[str, list[Any]]
Function = Callable[[Mapping[str, Any]], Any]


class Recorder(dict[str, Any]):
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


def names_in(text: str) -> frozenset[str]:
    """The names in a text of Python; none if it is not Python."""
    try:
        return _compiled(text)[1]
    except SyntaxError:
        return frozenset()


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
            found.append(function(Recorder({**first, **dict(zip(names, values, strict=True))}, used)))
            if len(used & parameters.keys()) > len(names):
                break
        else:
            return names, found


def is_plain(value: Any) -> bool:
    """True for numbers and words, which the space language has."""
    return not isinstance(value, bool) and (not isinstance(value, str) or (value.isascii() and value.isidentifier()))


def word_of(text: str) -> str:
    """The word in place of another text.

    >>> word_of("unsigned int")
    'cutune_c75d301f1ba7'
    """
    return f"cutune_{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def value_text(value: Any, argument: str) -> str:
    """A parameter's value, or a macro's, in the space language. A truth value is the word of Python, as in Kernel Tuner's macros.

    >>> value_text(64, "tune_params"), value_text(0.5, "tune_params"), value_text("float4", "tune_params"), value_text(True, "tune_params")
    ('64', '0.5', 'float4', 'True')
    """
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, int) and -(2**63) <= value < 2**63:
        return str(value)
    if isinstance(value, float) and math.isfinite(value):
        return repr(value)
    if isinstance(value, str) and "\n" not in value:
        return value if is_plain(value) else word_of(value)
    raise NotServed(argument, f"{value!r} is neither a number nor a text of one line")


def _members(texts: list[str]) -> str:
    return "{" + ", ".join(texts) + "}"


def _bits(numbers: list[int]) -> list[tuple[int, list[int]]]:
    """Each bit of the numbers that some have, and the places of those.

    >>> _bits([0, 1, 2, 3])
    [(1, [1, 3]), (2, [2, 3])]
    """
    most = max(numbers).bit_length()
    bits = [(1 << bit, [i for i, number in enumerate(numbers) if number >> bit & 1]) for bit in range(most)]
    return [(value, places) for value, places in bits if places]


def _rank(names: list[str], parameters: Parameters, argument: str) -> str:
    """The number of a combination, in the order of tabulate. It has a term for each bit, so that it stays short for any values.

    >>> _rank(["A", "B", "C"], {"A": [8, 16, 24], "B": ["no", "yes"], "C": [1, 5, 7]}, "restrictions")
    '1 * (C == 5) + 2 * (C == 7) + 3 * (B == yes) + 6 * ((A - 8) / 8)'
    """
    parts: list[str] = []
    stride = 1
    for name in reversed(names):
        values = [value_text(value, argument) for value in parameters[name]]
        step = _step(parameters[name])
        if step:
            parts.append(f"{stride} * (({name} - {values[0]}) / {step})")
        else:
            parts += [f"{stride * bit} * ({_is_one_of(name, [values[i] for i in places])})" for bit, places in _bits([*range(len(values))])]
        stride *= len(values)
    return " + ".join(parts) or "0"


def _is_one_of(name: str, values: list[str]) -> str:
    return f"{name} == {values[0]}" if len(values) == 1 else f"{name} in {_members(values)}"


def _step(values: list[Any]) -> int:
    """The step between more than two integers that rise evenly; 0 for other values."""
    whole = all(isinstance(value, Integral) and not isinstance(value, bool) for value in values)
    even = len(values) > 2 and whole and values[1] > values[0]
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


def _sum(numbers: list[int], condition: Callable[[list[int]], str]) -> str:
    """The sum of the bits of a number by its place. `condition`: makes the condition of places.

    >>> _sum([5, 7, 9], lambda places: f"i in {places}")
    '(5 + 2 * (i in [1]) + 4 * (i in [2]))'
    """
    least = min(numbers)
    bits = _bits([number - least for number in numbers])
    return "(" + " + ".join([str(least), *(f"{bit} * ({condition(places)})" for bit, places in bits)]) + ")"


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

    def _in(self, name: str, places: list[int], argument: str) -> str:
        ranges = _ranges(places)
        if len(ranges) > RANGES_MAX:
            raise NotServed(argument, f"its table has {len(ranges)} ranges: more than {RANGES_MAX}")
        return f"{name} in {_members(ranges)}"

    def condition(self, function: Function, argument: str) -> str:
        """The condition that is true where the function is; "" if that is everywhere."""
        names, values = tabulate(lambda p: bool(function(p)), self.parameters, argument)
        if all(values):
            return ""
        if not any(values):
            return "0"
        return self._in(self._name(names, argument), [i for i, value in enumerate(values) if value], argument)

    def number(self, function: Function, argument: str, convert: Callable[[Any], Any] = int) -> str:
        """The expression of the function's value: choices by one parameter after the other or, for many integers, the sum of their bits."""
        names, values = tabulate(lambda p: convert(function(p)), self.parameters, argument)
        texts = {value: value_text(value, argument) for value in dict.fromkeys(values)}
        if len(texts) <= CHOICES_MAX + 1:
            chosen = self._choose(names, [texts[value] for value in values], argument)
            if chosen.count("?") <= CHOICES_MAX:
                return chosen
        if not all(isinstance(value, int) for value in values):
            raise NotServed(argument, f"it has more than {CHOICES_MAX} values that are no integers")
        return min((make(names, values, argument) for make in (self._sum_of_all, self._sum_of_last)), key=self._length)

    def _length(self, text: str) -> int:
        """The numbers, names and operators of an expression, in which a set is one number."""
        parts = re.findall(r"\w+|[^\w\s(){}]+", re.sub(r"\{[^}]*\}", "0", text))
        return sum(self._length(self.lets[part]) if part in self.lets else 1 for part in parts)

    def _sum_of_all(self, names: list[str], values: list[int], argument: str) -> str:
        """The sum of the bits, each by the number of the combination."""
        number = self._name(names, argument)
        return _sum(values, lambda places: self._in(number, places, argument))

    def _sum_of_last(self, names: list[str], values: list[int], argument: str) -> str:
        """Choices by all parameters but the one with the most values, and the sum of bits by its values."""
        import numpy

        counts = [len(self.parameters[name]) for name in names]
        order = sorted(range(len(names)), key=lambda i: counts[i])
        ordered = numpy.array(values, dtype=object).reshape(counts).transpose(order).reshape(-1, counts[order[-1]])
        last = names[order[-1]]
        known = [value_text(value, argument) for value in self.parameters[last]]
        sums = [_sum(row, lambda places: _is_one_of(last, [known[i] for i in places])) for row in ordered.tolist()]
        return self._choose([names[i] for i in order[:-1]], sums, argument)

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
        return "(" + "".join(f"{_is_one_of(names[0], found)} ? {part} : " for part, found in several) + last + ")"
