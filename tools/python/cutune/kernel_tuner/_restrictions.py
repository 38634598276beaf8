"""Restrictions as conditions of the space language. Texts are translated by `cutune import`, and functions evaluated."""

from __future__ import annotations

import inspect
import itertools
import json
import math
import os
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from .._error import Error
from .._program import command
from .._space import Space
from ._call import Call, NotServed
from ._launch import THREADS_MAX, threads_of
from ._tables import COMBINATIONS_MAX, Function, Parameters, Tables, evaluate, is_plain, names_in

#: The engine gives this reason for a configuration that a restriction excludes on demand.
EXCLUDED = "a restriction excludes it"


def listed(restrictions: Any) -> list[Any]:
    if restrictions is None:
        return []
    return list(restrictions) if isinstance(restrictions, list) else [restrictions]


def _safe(function: Function) -> Function:
    """A division by zero restricts nothing."""

    def safe(values: Mapping[str, Any]) -> Any:
        try:
            return function(values)
        except ZeroDivisionError:
            return True

    return safe


def function_of(restriction: Any, parameters: Parameters) -> Function:
    """A restriction as a function of a configuration: a text, a function of a dictionary or of parameters by name, or a pair of a
    function and the names."""
    if isinstance(restriction, str):
        return _safe(partial(evaluate, restriction))
    if type(restriction).__module__.split(".")[0] == "constraint":
        raise NotServed("restrictions", f"{type(restriction).__name__} is a constraint of a solver")
    if isinstance(restriction, tuple) and len(restriction) == 2 and callable(restriction[0]):
        selected, names = restriction
        return _safe(lambda p: selected(**{name: p[name] for name in names}))
    if not callable(restriction):
        raise NotServed("restrictions", f"{type(restriction).__name__} is neither a text nor a function")
    try:
        names = list(inspect.signature(restriction).parameters)
    except (TypeError, ValueError):
        names = []
    if names and all(name in parameters for name in names):
        return _safe(lambda p: restriction(**{name: p[name] for name in names}))
    return _safe(restriction)


def _translate(texts: list[str], parameters: Parameters, folder: str) -> list[str | None]:
    """The conditions of texts; None for those that the space language cannot express."""
    path = os.path.join(folder, "restrictions.json")
    values = {name: [v.item() if hasattr(v, "item") else v for v in several] for name, several in parameters.items()}
    description = {
        "ConfigurationSpace": {
            "TuningParameters": [{"Name": name, "Values": several} for name, several in values.items()],
            "Conditions": [{"Expression": " ".join(text.split())} for text in texts],
        }
    }
    with open(path, "w", encoding="utf-8") as file:
        json.dump(description, file)
    try:
        space = Space.parse(command("import", path, no_kernel=True))
        found: list[str | None] = [statement.text for statement in space.statements if statement.name == "require"]
        if len(found) == len(texts):
            return found
    except Error:
        pass
    finally:
        os.remove(path)
    return [None] if len(texts) == 1 else [_translate([text], parameters, folder)[0] for text in texts]


def conditions(call: Call, tables: Tables, folder: str) -> tuple[list[str], list[Function]]:
    """The conditions of all restrictions, and the functions that are called on demand instead, because they read too many
    combinations."""
    restrictions = listed(call.get("restrictions"))
    functions = [function_of(restriction, tables.parameters) for restriction in restrictions]
    plain = {name for name, values in tables.parameters.items() if all(is_plain(value) for value in values)}
    texts = [text for text in restrictions if isinstance(text, str) and names_in(text) & tables.parameters.keys() <= plain]
    translated = dict(zip(texts, _translate(texts, tables.parameters, folder), strict=True)) if texts else {}
    found, late = [], []
    for restriction, function in zip(restrictions, functions, strict=True):
        text = translated.get(restriction) if isinstance(restriction, str) else None
        try:
            found.append(text or tables.condition(function, "restrictions"))
        except NotServed:
            late.append(function)
    return [text for text in found if text], late


def valid(call: Call, parameters: Parameters, names: list[str]) -> Iterator[dict[str, Any]]:
    """The configurations that meet all restrictions and have no more threads than a block can, among the first million."""
    functions = [function_of(restriction, parameters) for restriction in listed(call.get("restrictions"))]
    for values in itertools.islice(itertools.product(*parameters.values()), COMBINATIONS_MAX):
        configuration = dict(zip(parameters, values, strict=True))
        if math.prod(threads_of(names, configuration)) <= THREADS_MAX and all(function(configuration) for function in functions):
            yield configuration
