"""The arguments of a kernel: their values, and the value that each configuration has. Kernel Tuner's `Tunable` arguments depend on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ._call import NotServed
from ._tables import Parameters, Tables, tabulate

#: The launches of a space at most.
LAUNCHES_MAX = 64


@dataclass(frozen=True)
class Choice:
    """An argument: its different values, and the number of the one that a configuration has."""

    values: list[Any]
    number: Callable[[Mapping[str, Any]], int]

    def of(self, configuration: Mapping[str, Any]) -> Any:
        return self.values[self.number(configuration)]


def is_tunable(value: Any) -> bool:
    return hasattr(value, "select_for_configuration")


def choice_of(argument: str, value: Any, parameters: Parameters) -> Choice:
    """The choice of an argument, or of the answer. NotServed if a value of a parameter selects nothing."""
    if not is_tunable(value):
        return Choice([value], lambda p: 0)
    select = value.select_for_configuration
    try:
        _, found = tabulate(lambda p: select(p), parameters, argument)
    except KeyError as error:
        raise NotServed(argument, f"a Tunable has no value for {error.args[0]}") from None
    values = list({id(each): each for each in found}.values())
    numbers = {id(each): i for i, each in enumerate(values)}
    return Choice(values, lambda p: numbers[id(select(p))])


def launches(choices: list[Choice], tables: Tables) -> list[tuple[tuple[int, ...], str]]:
    """The combinations of values that occur, each with the condition of its configurations, "" for all."""

    def numbers(p: Mapping[str, Any]) -> tuple[int, ...]:
        return tuple(choice.number(p) for choice in choices)

    if all(len(choice.values) == 1 for choice in choices):
        return [((0,) * len(choices), "")]
    _, found = tabulate(numbers, tables.parameters, "arguments")
    distinct = list(dict.fromkeys(found))
    if len(distinct) > LAUNCHES_MAX:
        raise NotServed("arguments", f"they have {len(distinct)} combinations of values: more than {LAUNCHES_MAX}")
    return [(each, tables.condition(lambda p, each=each: numbers(p) == each, "arguments")) for each in distinct]  # type: ignore[misc]
