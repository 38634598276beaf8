"""Ask and tell: the engine proposes configurations, and the caller evaluates them."""

from __future__ import annotations

import array
import ctypes
import itertools
import math
import numbers
import operator
import os
import threading
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ._database import Device
from ._error import Error, ErrorCode
from ._frame import number
from ._native import NativeAnswer, NativeError, NativeParameter, NativePriorRun, NativeSearchSpace, check, decode, library
from ._program import configuration_text
from ._space import Space
from ._tune import find_space

_VALUE, _STOPPED, _FAILURE = range(3)  # enum cutune_answer_kind

Configuration = dict[str, Any]
#: Configurations with their values, None for one that failed.
PriorRun = Iterable[tuple[Mapping[str, Any] | Sequence[Any], float | None]]


def value_text(value: object, position: int) -> str:
    """A value as the engine names it: numbers and identifiers as they are, other objects by their position in the list.

    >>> value_text(64, 0), value_text(0.5, 1), value_text(True, 0), value_text("float2", 0), value_text(("a", 1), 3)
    ('64', '0.5', '1', 'float2', 'value_3')
    """
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    return value if isinstance(value, str) and value.isidentifier() and value.isascii() else f"value_{position}"


def _texts(texts: Iterable[str]) -> tuple[Any, int]:
    """Texts as an array of C."""
    encoded = [text.encode() for text in texts]
    return (ctypes.c_char_p * len(encoded))(*encoded), len(encoded)


def _table(values: Sequence[Any]) -> dict[Any, int]:
    """The positions of hashable values; empty if one is not hashable."""
    try:
        return {value: i for i, value in reversed(list(enumerate(values)))}
    except TypeError:
        return {}


def _position(name: str, values: Sequence[Any], value: object) -> int:
    try:
        return values.index(value)
    except ValueError:
        raise Error(ErrorCode.DATA, f"{value!r} is not a value of {name}", hint=f"it has {values}") from None


class Search:
    """A search over parameters, whose caller evaluates the configurations: any objective, in any language, on any machine.

    >>> search = Search({"TILE": [8, 16, 32, 64], "ROWS": [1, 2, 4, 8]}, constraints=["TILE * ROWS <= 128"], seed=1)
    >>> search.count
    13
    >>> for _ in range(8):
    ...     for configuration in search.ask():
    ...         search.tell(configuration, 1 + abs(configuration["TILE"] - 32) + abs(configuration["ROWS"] - 2))
    >>> search.best, search.best_value
    ({'TILE': 32, 'ROWS': 2}, 1.0)

    `params` has the values of each parameter: numbers, texts or any other objects. `constraints` are conditions of the space language;
    `configurations`, dicts or tuples of values, is the list of the valid ones instead. `default` is proposed first. `space` is a space
    file, a template or a Space, instead of all that; its sizes are the other keywords, and the limits of `device` apply. `prior` is what
    other machines or sizes have shown, the nearest first: pairs of a configuration, which need not be valid here, and its value, or None
    if it failed.

    The same arguments and the same calls give the same proposals on every machine.
    """

    def __init__(
        self,
        params: Mapping[str, Sequence[Any]] | None = None,
        constraints: Iterable[str] = (),
        *,
        configurations: Iterable[Mapping[str, Any] | Sequence[Any]] | None = None,
        default: Mapping[str, Any] | None = None,
        space: Space | str | os.PathLike[str] | None = None,
        device: Device | None = None,
        prior: Iterable[PriorRun] = (),
        strategy: str = "surrogate",
        seed: int = 0,
        **sizes: int,
    ) -> None:
        native = self._describe(params, constraints, configurations, default, space, device, sizes)
        self._describe_prior(native, prior)
        if not 0 <= seed < 2**64:
            raise Error(ErrorCode.USAGE, f"the seed {seed} is not a 64-bit unsigned integer")
        self.same = True
        self._begin("cutune_search_open", ctypes.byref(native), strategy.encode(), seed)

    @classmethod
    def restore(
        cls,
        path: str | os.PathLike[str],
        params: Mapping[str, Sequence[Any]] | None = None,
        constraints: Iterable[str] = (),
        *,
        configurations: Iterable[Mapping[str, Any] | Sequence[Any]] | None = None,
        default: Mapping[str, Any] | None = None,
        space: Space | str | os.PathLike[str] | None = None,
        device: Device | None = None,
        prior: Iterable[PriorRun] = (),
        **sizes: int,
    ) -> Search:
        """Continues a saved search, given the same space; strategy and seed are in the file. The next proposals are those of the saved
        search. `same` is False if this version of cutune proposes otherwise: all answers are known then, but nothing is in flight."""
        search = cls.__new__(cls)
        native = search._describe(params, constraints, configurations, default, space, device, sizes)
        search._describe_prior(native, prior)
        same = ctypes.c_int()
        search._begin("cutune_search_restore", ctypes.byref(native), os.fsencode(path), ctypes.byref(same))
        search.same = bool(same.value)
        return search

    # ---- Opening ----

    def _describe(
        self,
        params: Mapping[str, Sequence[Any]] | None,
        constraints: Iterable[str],
        configurations: Iterable[Mapping[str, Any] | Sequence[Any]] | None,
        default: Mapping[str, Any] | None,
        space: Space | str | os.PathLike[str] | None,
        device: Device | None,
        sizes: Mapping[str, int],
    ) -> NativeSearchSpace:
        """The space for the engine. The structure keeps all arrays alive that it points to."""
        self._native = ctypes.c_void_p()
        self._lock = threading.Lock()
        native = NativeSearchSpace(device=device._native if device else None)
        if (params is None) == (space is None):
            raise TypeError("a search needs params or space, and not both")
        if isinstance(constraints, str):
            raise TypeError("constraints is a list of conditions, not one text")
        if space is not None:
            if constraints or configurations is not None or default is not None:
                raise TypeError("a space file has its own constraints, configurations and default")
            self._space, name = find_space(space)  # a temporary file lives as long as its Space
            native.path = os.fsencode((self._space and self._space.path) or name)
            native.problem = configuration_text(sizes).encode() if sizes else None
            return native
        if sizes:
            raise TypeError(f"{next(iter(sizes))} is neither a keyword of Search nor a size: sizes belong to a space file")
        self._values = {name: list(values) for name, values in (params or {}).items()}
        self._tables = [_table(values) for values in self._values.values()]
        native.parameter_count = len(self._values)
        native.parameters = self._parameters()
        native.constraints, native.constraint_count = _texts(constraints)
        if configurations is not None:
            choices = self._all_choices(configurations)
            if not choices:
                raise Error(ErrorCode.NOTHING_VALID, "the list of configurations is empty")
            native.configuration_count = len(choices) // len(self._values)
            native.configurations = (ctypes.c_uint * len(choices)).from_buffer(choices)
        if default is not None:
            names = zip(self._values.items(), self._choices(default), strict=True)
            native.default_ = " ".join(f"{name}={value_text(values[i], i)}" for (name, values), i in names).encode()
        return native

    def _describe_prior(self, native: NativeSearchSpace, prior: Iterable[PriorRun]) -> None:
        runs = [list(run) for run in prior]
        if not runs:
            return
        if not hasattr(self, "_values"):  # a space file: the engine knows its values
            self._begin("cutune_search_open", ctypes.byref(native), b"random", 0)
            library().cutune_search_close(self._native)
            self._native = ctypes.c_void_p()
        native.prior_run_count = len(runs)
        native.prior_runs = (NativePriorRun * len(runs))()
        for to, run in zip(native.prior_runs[: len(runs)], runs, strict=True):
            choices = self._all_choices(configuration for configuration, _ in run)
            to.count = len(run)
            to.choices = (ctypes.c_uint * len(choices))(*choices)
            to.values = (ctypes.c_double * len(run))(*(math.nan if value is None else value for _, value in run))

    def _parameters(self) -> Any:
        parameters = (NativeParameter * len(self._values))()
        for parameter, (name, values) in zip(parameters, self._values.items(), strict=True):
            parameter.name = name.encode()
            parameter.values, parameter.value_count = _texts(value_text(value, i) for i, value in enumerate(values))
        return parameters

    def _begin(self, function: str, *arguments: object) -> None:
        error = NativeError()
        check(getattr(library(), function)(ctypes.byref(self._native), *arguments, ctypes.byref(error)), error)
        count = library().cutune_search_parameter_count(self._native)
        if not hasattr(self, "_values"):
            self._values = {decode(library().cutune_search_parameter(self._native, i)): self._list(i) for i in range(count)}
            self._tables = [_table(values) for values in self._values.values()]

    def _list(self, parameter: int) -> list[int | float | str]:
        values: list[int | float | str] = []
        while text := library().cutune_search_value(self._native, parameter, len(values)):
            values.append(number(decode(text)))
        return values

    # ---- Configurations ----

    def _row(self, configuration: Mapping[str, Any] | Sequence[Any]) -> Sequence[Any]:
        """The values in the order of the parameters."""
        if isinstance(configuration, Mapping):
            if configuration.keys() != self._values.keys():
                raise Error(ErrorCode.DATA, f"the configuration {configuration} has other parameters than {', '.join(self._values)}")
            return [configuration[name] for name in self._values]
        if len(configuration) != len(self._values):
            raise Error(ErrorCode.DATA, f"the configuration {configuration} has {len(configuration)} of {len(self._values)} values")
        return configuration

    def _choices(self, configuration: Mapping[str, Any] | Sequence[Any]) -> list[int]:
        """The positions of the values in the lists of the parameters."""
        row = self._row(configuration)
        try:
            return [table[value] for table, value in zip(self._tables, row, strict=True)]
        except (KeyError, TypeError):
            return [_position(name, values, value) for (name, values), value in zip(self._values.items(), row, strict=True)]

    def _all_choices(self, configurations: Iterable[Mapping[str, Any] | Sequence[Any]]) -> array.array[int]:
        """The same of a list, one after the other: a space may have a million configurations."""
        rows = [self._row(configuration) for configuration in configurations]
        try:
            return array.array("I", map(operator.getitem, itertools.cycle(self._tables), itertools.chain.from_iterable(rows)))
        except (KeyError, TypeError):
            return array.array("I", (choice for row in rows for choice in self._choices(row)))

    def _call(self, function: str, *arguments: object) -> None:
        """Calls a function of the engine, for one thread at a time."""
        error = NativeError()
        with self._lock:
            check(getattr(library(), function)(self._native, *arguments, ctypes.byref(error)), error)

    def _find(self, configuration: Mapping[str, Any]) -> int:
        choices = self._choices(configuration)
        found = ctypes.c_ulonglong()
        self._call("cutune_search_find_choices", (ctypes.c_uint * len(choices))(*choices), ctypes.byref(found))
        return found.value

    def _configuration(self, index: int) -> Configuration:
        choices = (ctypes.c_uint * len(self._values))()
        self._call("cutune_search_choices", index, choices)
        return {name: values[choice] for (name, values), choice in zip(self._values.items(), choices, strict=True)}

    @property
    def params(self) -> dict[str, list[Any]]:
        """The values of each parameter."""
        return {name: list(values) for name, values in self._values.items()}

    @property
    def count(self) -> int:
        """The number of valid configurations; 2**64 - 1 means that many or more."""
        return int(library().cutune_search_count(self._native))

    def __contains__(self, configuration: Mapping[str, Any]) -> bool:
        """True for a valid configuration, False for one that breaks a constraint; other names and values are an Error."""
        try:
            self._find(configuration)
        except Error as error:
            if error.code == ErrorCode.NOTHING_VALID:
                return False
            raise
        return True

    # ---- The dialogue ----

    def ask(self, count: int = 1) -> list[Configuration]:
        """Up to `count` configurations to evaluate now, none twice. An empty list means: tell an answer first; with nothing in flight,
        the search is complete."""
        if count < 1:
            raise Error(ErrorCode.USAGE, f"a search cannot propose {count} configurations")
        proposed, got = (ctypes.c_ulonglong * count)(), ctypes.c_size_t()
        self._call("cutune_search_ask", proposed, count, ctypes.byref(got))
        return [self._configuration(index) for index in proposed[: got.value]]

    def tell(
        self,
        configuration: Mapping[str, Any],
        value: float | None = None,
        *,
        failure: str | None = None,
        least: float | None = None,
        effort_s: float = 0.0,
    ) -> None:
        """Tells the value of a configuration, a positive number to be minimised, or the reason of a `failure`: configurations that fail
        for the same reason are avoided. With `least`, the evaluation was stopped early, and `value` is an estimate of at least so
        much. `effort_s` is the time besides that of the timed runs, such as compiling. Any valid configuration may be told once."""
        if (value is None) == (failure is None):
            raise TypeError("tell needs a value or a failure, and not both")
        if failure is not None and least is not None:
            raise TypeError("a failure has no least value")
        answer = NativeAnswer(kind=_VALUE, effort_s=effort_s)
        if failure is not None:
            answer.kind, answer.cause = _FAILURE, zlib.crc32(failure.encode()) or 1  # the same number in every process
        elif value is not None:
            answer.value = value
        if least is not None:
            answer.kind, answer.least = _STOPPED, least
        self._call("cutune_search_tell", self._find(configuration), ctypes.byref(answer))

    def _best(self) -> tuple[int, float]:
        index, value = ctypes.c_ulonglong(), ctypes.c_double()
        self._call("cutune_search_best", ctypes.byref(index), ctypes.byref(value))
        return index.value, value.value

    @property
    def best(self) -> Configuration:
        """The configuration of the least value. An Error without any value."""
        return self._configuration(self._best()[0])

    @property
    def best_value(self) -> float:
        """The least value. An Error without any value."""
        return self._best()[1]

    @property
    def in_flight(self) -> list[Configuration]:
        """The configurations that were proposed and not answered, in the order of the proposals."""
        with self._lock:
            count = library().cutune_search_in_flight(self._native, None, 0)
            indices = (ctypes.c_ulonglong * count)()
            library().cutune_search_in_flight(self._native, indices, count)
        return [self._configuration(index) for index in indices]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes strategy, seed and the whole dialogue to a file, at once or not at all."""
        self._call("cutune_search_save", os.fsencode(path))

    def __repr__(self) -> str:
        return f"<cutune.Search of {self.count} configurations of {', '.join(self._values)}>"

    def __del__(self) -> None:
        native = getattr(self, "_native", None)
        if native:
            library().cutune_search_close(native)
            self._native = ctypes.c_void_p()
