"""Lists of configurations as text of the space language: values, the condition that allows the listed ones, and tables over them."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

Row = Mapping[str, Any]
_V = TypeVar("_V")


class Words:
    """Texts for values that are no numbers. `meanings` has those that a reader of the space cannot know."""

    def __init__(self) -> None:
        self.meanings: dict[str, Any] = {}

    def text(self, value: Any) -> str:
        """
        >>> words = Words()
        >>> [words.text(value) for value in (64, 0.5, True, None, "relu", "a b")], words.meanings
        (['64', '0.5', 'True', 'None', 'relu', 'word2'], {'True': True, 'None': None, 'word2': 'a b'})
        """
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return repr(value)
        if isinstance(value, str) and re.fullmatch(r"[A-Za-z_]\w*", value):
            return value
        for word, meaning in self.meanings.items():
            if type(meaning) is type(value) and meaning == value:
                return word
        word = str(value) if value is None or isinstance(value, bool) else f"word{len(self.meanings)}"
        self.meanings[word] = value
        return word


def columns(rows: Sequence[Row]) -> dict[str, list[Any]]:
    """The distinct values of each name, in the order of the rows.

    >>> columns([{"A": 1, "B": 2}, {"A": 4, "B": 2}])
    {'A': [1, 4], 'B': [2]}
    """
    found: dict[str, list[Any]] = {}
    for row in rows:
        for name, value in row.items():
            values = found.setdefault(name, [])
            if not any(type(value) is type(other) and value == other for other in values):
                values.append(value)
    return found


def unique(rows: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
    """The rows, each once."""
    return [dict(row) for row in {tuple(row.items()): None for row in rows}]


def _is(row: Mapping[str, str], names: Sequence[str]) -> str:
    return " && ".join(f"{name} == {row[name]}" for name in names)


#: Operators and operands of a condition. A space allows 1024 in an expression.
_PARTS_MOST = 1000
_PARTS_OF_NAME = 4  # ==, both of its sides, and what joins it to the next one


def conditions(rows: Sequence[Mapping[str, str]]) -> list[str]:
    """The conditions that together allow the rows alone; none if these are all combinations of their values.

    >>> conditions([{"A": "1", "B": "2"}, {"A": "3", "B": "4"}])
    ['(A == 1 && B == 2) || (A == 3 && B == 4)']
    >>> conditions([{"A": "1", "B": "2"}, {"A": "3", "B": "2"}])
    []
    """
    choices = {name: values for name, values in columns(rows).items() if len(values) > 1}
    return _conditions(rows, choices, {})


def _conditions(rows: Sequence[Mapping[str, str]], choices: Mapping[str, list[str]], given: Mapping[str, str]) -> list[str]:
    """The conditions of the rows that have the given values. Long ones are split by the values of another name."""
    names = [name for name in choices if name not in given]
    if math.prod(len(choices[name]) for name in names) == len(rows):
        return []

    def implied(text: str) -> str:
        return f"({_is(given, list(given))}) => ({text})" if given else text

    if (len(rows) * len(names) + len(given)) * _PARTS_OF_NAME <= _PARTS_MOST:
        return [implied(" || ".join(f"({_is(row, names)})" for row in rows))]
    found = columns(rows)
    name = max(names, key=lambda each: len(found[each]))
    allowed = [implied(" || ".join(f"{name} == {value}" for value in found[name]))] if len(found[name]) < len(choices[name]) else []
    for value in found[name]:
        allowed += _conditions([row for row in rows if row[name] == value], choices, {**given, name: value})
    return allowed


def deciding(rows: Sequence[Row], values: Sequence[_V]) -> tuple[list[str], dict[tuple[Any, ...], _V]]:
    """The fewest names that tell the values apart, and the value for each combination of theirs.

    >>> deciding([{"A": 1, "B": 2}, {"A": 3, "B": 2}, {"A": 3, "B": 4}], ["x", "y", "y"])
    (['A'], {(1,): 'x', (3,): 'y'})
    """
    names = list(rows[0])
    for count in range(len(names) + 1):
        for chosen in itertools.combinations(names, count):
            known: dict[tuple[Any, ...], _V] = {}
            if all(known.setdefault(tuple(row[n] for n in chosen), v) == v for row, v in zip(rows, values, strict=True)):
                return list(chosen), known
    raise ValueError("a configuration has two values")


def table(rows: Sequence[Mapping[str, str]], values: Sequence[int]) -> str:
    """An expression with a value for each row, over as few names as tell the values apart.

    >>> rows = [{"A": "1", "B": "2"}, {"A": "3", "B": "2"}, {"A": "3", "B": "4"}]
    >>> table(rows, [7, 7, 7]), table(rows, [8, 9, 9])
    ('7', '(A == 1) * 8 + (A == 3) * 9')
    """
    names, known = deciding(rows, values)
    if not names:
        return str(values[0])
    return " + ".join(f"({_is(dict(zip(names, key, strict=True)), names)}) * {value}" for key, value in known.items())


def tables(rows: Sequence[Mapping[str, str]], values: Sequence[Sequence[int]]) -> list[str]:
    """Expressions for each of several dimensions; missing ones are 1.

    >>> tables([{"A": "1"}, {"A": "3"}], [(4,), (5, 6)])
    ['(A == 1) * 4 + (A == 3) * 5', '(A == 1) * 1 + (A == 3) * 6']
    """
    count = max(len(sizes) for sizes in values)
    full = [(*(int(size) for size in sizes), *[1] * (count - len(sizes))) for sizes in values]
    return [table(rows, [sizes[axis] for sizes in full]) for axis in range(count)]
