"""Outputs as arrays in the caller's process: for `verify`, for observers of outputs, and for answers that the GPU cannot compare."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any

from .._arrays import kind_of, to_host, view
from ._call import Call
from ._choices import Choice, is_tunable
from ._observers import output_observers
from ._provider import Answer

Key = tuple[Any, ...]


def _numbers(value: Any) -> Any:
    """A flat array of NumPy."""
    import numpy

    return to_host(view("answer", numpy.ascontiguousarray(value) if isinstance(value, numpy.ndarray) else value))


def _has_nan(value: Any) -> bool:
    import numpy

    flat = numpy.asarray(value).reshape(-1) if not kind_of(value) else _numbers(value)
    return bool(flat.dtype.kind in "fc" and numpy.isnan(flat).any())


def judged_here(call: Call) -> bool:
    """True if the caller's process judges the outputs: with a function of the caller, or by a rule that the GPU does not have."""
    answer = call.get("answer")
    if call.get("verify") or output_observers(call.get("observers")) or is_tunable(answer):
        return True
    expected = list(answer or ())
    tunable = any(is_tunable(value) for value in call["arguments"])
    return (tunable and bool(expected)) or any(value is not None and _has_nan(value) for value in expected)


class Judge:
    """Judges the outputs of configurations as Kernel Tuner does. `names` are those of the buffers, by argument and value; only
    arguments with names are outputs. `observed` has what observers of outputs say, by configuration."""

    def __init__(self, call: Call, choices: list[Choice], names: Mapping[int, list[str]]) -> None:
        self._call, self._choices, self._names = call, choices, names
        self.observed: dict[Key, dict[str, Any]] = {}

    def _load(self, i: int, configuration: Mapping[str, Any], folder: str) -> Any:
        """The output as an array of the framework of the argument."""
        import numpy

        number = self._choices[i].number(configuration)
        value = self._choices[i].values[number]
        kept = numpy.load(os.path.join(folder, f"{self._names[i][number]}.npy")).reshape(-1)
        array = view("output", numpy.ascontiguousarray(value) if isinstance(value, numpy.ndarray) else value)
        flat = kept.view(to_host(array).dtype).reshape(tuple(value.shape))
        if array.kind == "torch":
            found = sys.modules["torch"].from_numpy(flat)
            return found.view(value.dtype) if found.dtype != value.dtype else found
        if array.kind == "cupy":
            return sys.modules["cupy"].asarray(flat)
        return flat

    def _answer(self, configuration: Mapping[str, Any]) -> list[Any] | None:
        import numpy

        answer: Any = self._call.get("answer")
        if is_tunable(answer):
            answer = answer.select_for_configuration(configuration)
        return None if answer is None else [a if a is None or kind_of(a) else numpy.array(a) for a in answer]

    def __call__(self, configuration: Mapping[str, Any], folder: str) -> Answer:
        answer = self._answer(configuration)
        results = [
            None
            if answer and answer[i] is None
            else self._load(i, configuration, folder)
            if i in self._names
            else choice.of(configuration)
            if kind_of(choice.values[0])
            else None
            for i, choice in enumerate(self._choices)
        ]
        observers = output_observers(self._call.get("observers"))
        for observer in observers:
            observer.process_output(answer, results)
        said = {name: value for observer in observers for name, value in observer.get_results().items()}
        self.observed[tuple(configuration.values())] = said
        if self._call.get("verify"):
            right = bool(self._call["verify"](answer, results, atol=self._call["atol"]))
        else:
            right = bool(observers) or self._close(answer or [], results)
        return (0, "") if right else (1, "verify rejects the outputs\n" if self._call.get("verify") else "an output differs\n")

    def _close(self, answer: list[Any], results: list[Any]) -> bool:
        """As numpy.allclose, where an expected NaN is equal to NaN."""
        import numpy

        return all(
            numpy.allclose(_numbers(expected), _numbers(result), atol=self._call["atol"], equal_nan=_has_nan(expected))
            for expected, result in zip(answer, results, strict=True)
            if expected is not None
        )
