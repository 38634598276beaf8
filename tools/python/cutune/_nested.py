"""Tuples of a call: their members are arguments of their own, and a tree of names says which tuple has which."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator
from typing import Any


def names(tree: Any) -> Iterator[str]:
    """The names in a tree, in order.

    >>> list(names(("x_0", ("x_1_0", "x_1_1"))))
    ['x_0', 'x_1_0', 'x_1_1']
    """
    if isinstance(tree, str):
        yield tree
    else:
        for part in tree:
            yield from names(part)


def fill(tree: Any, value: Callable[[str], Any]) -> Any:
    """A tree with values in place of names. Tuples keep their types.

    >>> fill(("x_0", ("x_1_0",)), {"x_0": 5, "x_1_0": 6}.get)
    (5, (6,))
    """
    if isinstance(tree, str):
        return value(tree)
    parts = [fill(part, value) for part in tree]
    return type(tree)(*parts) if hasattr(tree, "_fields") else tuple(parts)


def to_json(tree: Any) -> Any:
    """A tree as JSON.

    >>> to_json(("x_0", ("x_1_0",)))
    {'members': ['x_0', {'members': ['x_1_0']}]}
    """
    if isinstance(tree, str):
        return tree
    own = {"members": [to_json(part) for part in tree]}
    return {**own, "type": type(tree).__name__, "fields": tree._fields} if hasattr(tree, "_fields") else own


def from_json(tree: Any) -> Any:
    """
    >>> from_json({"members": ["x_0", "x_1"], "type": "Pair", "fields": ["first", "second"]})
    Pair(first='x_0', second='x_1')
    """
    if isinstance(tree, str):
        return tree
    parts = [from_json(part) for part in tree["members"]]
    return collections.namedtuple(tree["type"], tree["fields"])(*parts) if "fields" in tree else tuple(parts)
