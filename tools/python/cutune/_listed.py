"""Lists of configurations as text of the space language: values, the condition that allows the listed ones, and tables over them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]


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


def texts(rows: Sequence[Row], words: Words) -> list[dict[str, str]]:
    """The rows as texts, each once."""
    unique = {tuple((name, words.text(value)) for name, value in row.items()): None for row in rows}
    return [dict(row) for row in unique]


def _is(row: Mapping[str, str], names: Sequence[str]) -> str:
    return " && ".join(f"{name} == {row[name]}" for name in names)


def condition(rows: Sequence[Mapping[str, str]]) -> str:
    """The condition that allows the rows alone; "" if they are all combinations of their values.

    >>> condition([{"A": "1", "B": "2"}, {"A": "3", "B": "4"}])
    '(A == 1 && B == 2) || (A == 3 && B == 4)'
    >>> condition([{"A": "1", "B": "2"}, {"A": "3", "B": "2"}])
    ''
    """
    count = 1
    for values in columns(rows).values():
        count *= len(values)
    if count == len(rows):
        return ""
    return " || ".join(f"({_is(row, list(row))})" for row in rows)


def table(rows: Sequence[Mapping[str, str]], values: Sequence[int]) -> str:
    """An expression with a value for each row, over as few names as tell the values apart.

    >>> rows = [{"A": "1", "B": "2"}, {"A": "3", "B": "2"}, {"A": "3", "B": "4"}]
    >>> table(rows, [7, 7, 7]), table(rows, [8, 9, 9])
    ('7', '(A == 1) * 8 + (A == 3) * 9')
    """
    if len(set(values)) == 1:
        return str(values[0])
    names = list(rows[0])
    for count in range(1, len(names) + 1):
        for chosen in itertools.combinations(names, count):
            known: dict[tuple[str, ...], int] = {}
            if all(known.setdefault(tuple(row[n] for n in chosen), v) == v for row, v in zip(rows, values, strict=True)):
                return " + ".join(f"({_is(dict(zip(chosen, key, strict=True)), chosen)}) * {value}" for key, value in known.items())
    raise ValueError("a configuration has two values")
