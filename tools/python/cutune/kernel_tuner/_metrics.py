"""Objectives and metrics of Kernel Tuner. Metrics are computed from the results of a configuration."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from ._call import Call
from ._tables import Recorder, evaluate

#: Objectives whose direction is known: True if higher is better.
DIRECTIONS = {
    **dict.fromkeys(("time", "energy", "cost", "loss"), False),
    **dict.fromkeys(("fitness", "GFLOP/s", "TFLOP/s", "GB/s", "TB/s", "GFLOPS/W", "TFLOPS/W", "GFLOP/J", "TFLOP/J"), True),
}
#: Times at which a metric is looked at, in milliseconds.
_TIMES_MS = [10.0**power for power in range(-3, 5)]


def objectives_of(call: Call) -> dict[str, bool]:
    """The objectives, each with True if higher is better."""
    if call.get("objectives"):
        return dict(call["objectives"])
    objective = call.get("objective") or "time"
    higher = call.get("objective_higher_is_better")
    names = [objective] if isinstance(objective, str) else list(objective)
    given = [higher] if isinstance(higher, bool) else list(higher) if higher else [None] * len(names)
    found = {}
    for name, value in zip(names, given, strict=True):
        if value is None and name not in DIRECTIONS:
            raise ValueError(f"Please specify objective_higher_is_better for objective {name}")
        found[name] = DIRECTIONS[name] if value is None else bool(value)
    return found


def add_metrics(result: dict[str, Any], metrics: Mapping[str, Any] | None) -> None:
    """Adds metrics in their order, so that one may use those before it."""
    for name, metric in (metrics or {}).items():
        if isinstance(metric, str):
            result[name] = evaluate(metric, result)
        elif callable(metric):
            result[name] = metric(result)
        else:
            raise ValueError("metric dicts values should be strings or callable")


def time_decides(call: Call) -> bool:
    """True if the configuration with the least time is the best by the objective: that is the time, or a metric of the time alone which
    rises or falls with it."""
    objectives = objectives_of(call)
    name, higher = next(iter(objectives.items()))
    if len(objectives) > 1 or name == "time":
        return len(objectives) == 1 and not higher
    first = {key: next(iter(values), None) for key, values in call["tune_params"].items()}
    found = []
    for time_ms in _TIMES_MS:
        used: set[str] = set()
        result = Recorder({**first, "time": time_ms}, used)
        try:
            add_metrics(result, call.get("metrics"))
            found.append(float(dict.__getitem__(result, name)))
        except (ArithmeticError, LookupError, NameError, TypeError, ValueError):
            return False
        if used & first.keys():
            return False
    better = found if higher else [-value for value in found]
    return all(earlier > later for earlier, later in itertools.pairwise(better))
